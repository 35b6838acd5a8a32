"""Where a line of a skill's body belongs: its form, and the heading or lead-in above it, decide alone."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.dialects.element_factory import Home
from melleafy_tui.core.models.vocabulary import Category, Tag

BODY: Final[Mapping[str, Home]] = {
    "schema": Home(Tag.SCHEMA, Category.NONE, "a field of the result", "skill.schema"),
    "step": Home(Tag.ORCHESTRATE, Category.C2, "a step of the work"),
    "command": Home(Tag.TOOL_TEMPLATE, Category.C6, "a fence of commands or code", "skill.guidance"),
    "endpoint": Home(Tag.TOOL_TEMPLATE, Category.C6, "a request with its address", "skill.endpoint"),
    "persona": Home(Tag.CONVERSE, Category.C1, "the text of an agent", "skill.persona"),
    "rule": Home(Tag.DECIDE, Category.C2, "a rule of the skill", "skill.rule"),
}
"""Homes by form; a step has no row, since each phase of steps becomes a call of its own."""


SPEC: Final = "SKILL.md"
REFERENCE_FOLDERS: Final = ("references/", "reference/")

FILE_RULES: Final[tuple[FileRule, ...]] = (
    FileRule("skill.spec", SPEC, "the skill: frontmatter and instructions", Category.C2, expected=True),
    FileRule("skill.script", "scripts/*", "script", Category.C6),
    FileRule("skill.script", "scripts/*/*", "script", Category.C6),
    FileRule("skill.reference", "references/*", "reference", Category.C5),
    FileRule("skill.reference", "references/*/*", "reference", Category.C5),
    FileRule("skill.reference", "reference/*", "reference", Category.C5),
    FileRule("skill.reference", "reference/*/*", "reference", Category.C5),
    FileRule("skill.reference.beside", "*.md", "reference beside SKILL.md", Category.C5),
    FileRule("skill.asset", "assets/*", "asset", Category.NONE),
    FileRule("skill.asset", "assets/*/*", "asset", Category.NONE),
    FileRule("skill.evals", "evals/", "evaluations", Category.NONE, contents=False),
    FileRule("skill.agents", "agents/", "agents", Category.NONE, contents=False),
    FileRule("skill.shared", "shared/", "files shared between skills", Category.NONE, contents=False),
)
"""Rows in inventory order."""

NOTED_FOLDERS: Final = tuple(rule for rule in FILE_RULES if rule.pattern.endswith("/"))
"""Folders that are reported but whose contents are never opened."""

_NOT_REFERENCES: Final = frozenset(
    {"readme.md", "changelog.md", "contributing.md", "license.md", "code_of_conduct.md", "security.md"}
    | {
        "agents.md",
        "claude.md",
        "claude.local.md",
        "soul.md",
        "identity.md",
        "user.md",
        "tools.md",
        "memory.md",
    }
    | {"heartbeat.md", "bootstrap.md", "boot.md", "dreams.md", "hook.md", "skill.md"}
)
"""Markdown files next to SKILL.md that are for people or belong to another runtime."""


def rule_for(path: str) -> FileRule | None:
    """Return the row for a path inside a skill folder, or None."""
    name = path.rpartition("/")[2]
    if name.startswith(".") or "__pycache__" in path:
        return None
    for rule, pattern in _patterns():
        if pattern.fullmatch(path):
            if rule.rule_id == "skill.reference.beside" and path.casefold() in _NOT_REFERENCES:
                continue
            return rule
    return None


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[FileRule, re.Pattern[str]], ...]:
    return tuple((rule, re.compile(re.escape(rule.pattern).replace(r"\*", "[^/]+"))) for rule in FILE_RULES)
