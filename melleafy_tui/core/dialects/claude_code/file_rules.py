"""The file inventory table of the Claude Code dialect.

Paths are relative to the root; a `../` pattern matches in every folder above it up to the repository's root.
"""

import re
from functools import lru_cache
from typing import Final

from melleafy_tui.core.dialects.base import FileRule, file_rules
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.reach import path_form

SETTINGS: Final = (".claude/settings.json", ".claude/settings.local.json")
"""Project settings, then the user's own settings for the project, which take precedence."""

SERVERS: Final = ".mcp.json"
PLUGIN: Final = ".claude-plugin/plugin.json"
MEMORY: Final = "CLAUDE.md"
ABOVE: Final = (MEMORY, ".claude/CLAUDE.md", *SETTINGS, SERVERS)
"""Files to look for in each folder above the root, up to the repository's root."""

FILE_RULES: Final = file_rules(__file__)
SURFACES: Final = ("*.md", *(rule.pattern.replace("/**/", "/**|").partition("|")[0] for rule in FILE_RULES))
"""Where the files that the dialect reads can be."""

IMPORTED: Final = FileRule("claude.import", "@path", "imported instructions", Category.C2)
"""The row for a file imported by another one."""

_PLUGIN_PATTERNS: Final = frozenset(
    {"hooks/hooks.json", "skills/**/SKILL.md", "commands/**/*.md", "agents/**/*.md"}
)
_ANY_DEPTH: Final = ("CLAUDE.md", "AGENTS.md")
_NOT_SCOPES: Final = frozenset({"node_modules", "vendor", "dist", "build"})


def rule_for(path: str, *, plugin: bool = True) -> FileRule | None:
    """Return the row for a path, or None.

    Args:
        path: Relative to the root.
        plugin: Whether the root is a plugin, with its parts next to `.claude-plugin/`.
    """
    if not path.startswith(
        (".", "skills/", "commands/", "agents/", "hooks/", "CLAUDE.")
    ) and not path.endswith(_ANY_DEPTH):
        return None
    above = re.sub(r"^(?:\.\./)+", "../", path)
    for rule, pattern in _patterns():
        if not pattern.fullmatch(above) or (rule.pattern in _PLUGIN_PATTERNS and not plugin):
            continue
        folder = path.partition("/")[0]
        if rule.rule_id == "claude.memory.scoped" and (folder.startswith(".") or folder in _NOT_SCOPES):
            continue
        return rule
    return None


def wants(path: str) -> bool:
    """Return whether the dialect reads the file at this path."""
    if "/" not in path and path.endswith(".md"):  # a command or a subagent whose folder is the root
        return True
    rule = rule_for(path)
    return rule is not None and rule.contents and rule.pattern not in _PLUGIN_PATTERNS


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[FileRule, re.Pattern[str]], ...]:
    return tuple((rule, re.compile(path_form(rule.pattern))) for rule in FILE_RULES)
