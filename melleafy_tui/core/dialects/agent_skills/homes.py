"""Where a line of a skill's body belongs: its form, and the heading or lead-in above it, decide alone."""

from collections.abc import Mapping
from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.dialects.element_factory import Home
from melleafy_tui.core.models.vocabulary import Category, Tag

BODY: Final[Mapping[str, Home]] = {
    "schema": Home(Tag.SCHEMA, Category.NONE, "a field of the result", "skill.schema"),
    "step": Home(Tag.ORCHESTRATE, Category.C2, "a step of the work", "skill.rule"),
    "command": Home(Tag.TOOL_TEMPLATE, Category.C6, "a fence of commands or code", "skill.guidance"),
    "endpoint": Home(Tag.TOOL_TEMPLATE, Category.C6, "a request with its address", "skill.endpoint"),
    "program": Home(
        Tag.TOOL_TEMPLATE, Category.C6, "a command of a fence that runs a program", "skill.program"
    ),
    "persona": Home(Tag.CONVERSE, Category.C1, "the text of an agent", "skill.persona"),
    "rule": Home(Tag.DECIDE, Category.C2, "a rule of the skill", "skill.rule"),
}
"""Homes by form."""


SPEC: Final = "SKILL.md"
CARRIED: Final = "carried"
REFERENCE_FOLDERS: Final = ("references/", "reference/")

FILE_RULES: Final[tuple[FileRule, ...]] = (
    FileRule("skill.spec", SPEC, "the skill: frontmatter and instructions", Category.C2, expected=True),
    FileRule("skill.script", "scripts/**", "script", Category.C6, fate=CARRIED),
    FileRule("skill.reference", "references/**", "reference", Category.C5, fate=CARRIED),
    FileRule("skill.reference", "reference/**", "reference", Category.C5, fate=CARRIED),
    FileRule("skill.asset", "assets/**", "asset", Category.NONE, fate=CARRIED),
    FileRule("skill.file", "**", "file of the skill", Category.NONE, fate=CARRIED),
)
"""Rows in inventory order; the whole folder belongs to a skill, at any depth."""


def rule_for(path: str) -> FileRule:
    """Return the row for a path inside a skill folder."""
    return next(
        rule
        for rule in FILE_RULES
        if path == rule.pattern or (rule.pattern.endswith("**") and path.startswith(rule.pattern[:-2]))
    )
