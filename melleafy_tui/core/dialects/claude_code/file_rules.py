"""The file inventory table of the Claude Code dialect.

Paths are relative to the root; a `../` pattern matches in every folder above it up to the repository's root.
"""

import re
from functools import lru_cache
from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.models.vocabulary import Category

SETTINGS: Final = (".claude/settings.json", ".claude/settings.local.json")
"""Project settings, then the user's own settings for the project, which take precedence."""

SERVERS: Final = ".mcp.json"
PLUGIN: Final = ".claude-plugin/plugin.json"
PLUGIN_HOOKS: Final = "hooks/hooks.json"
MEMORY: Final = "CLAUDE.md"
ABOVE: Final = (MEMORY, ".claude/CLAUDE.md", *SETTINGS, SERVERS)
"""Files to look for in each folder above the root, up to the repository's root."""

FILE_RULES: Final[tuple[FileRule, ...]] = (
    FileRule("claude.memory.above", "../CLAUDE.md", "instructions of a folder above", Category.C2),
    FileRule("claude.memory.above", "../.claude/CLAUDE.md", "instructions of a folder above", Category.C2),
    FileRule("claude.memory", "CLAUDE.md", "instructions", Category.C2, expected=True),
    FileRule("claude.memory", ".claude/CLAUDE.md", "instructions", Category.C2),
    FileRule("claude.memory", "AGENTS.md", "instructions shared with other runtimes", Category.C2),
    FileRule("claude.rules", ".claude/rules/**/*.md", "instructions of one topic", Category.C2),
    FileRule("claude.memory.scoped", "**/CLAUDE.md", "instructions of a folder below", Category.C2),
    FileRule("claude.memory.scoped", "**/AGENTS.md", "shared instructions of a folder below", Category.C2),
    FileRule("claude.memory.local", "CLAUDE.local.md", "one user's own notes", Category.NONE, contents=False),
    FileRule("claude.settings", "../.claude/settings.json", "settings of a folder above", Category.C2),
    FileRule("claude.settings", "../.claude/settings.local.json", "settings of a folder above", Category.C2),
    FileRule("claude.settings", ".claude/settings.json", "project settings", Category.C2),
    FileRule("claude.settings", ".claude/settings.local.json", "the user's project settings", Category.C2),
    FileRule("claude.servers", "../.mcp.json", "MCP servers of a folder above", Category.C6),
    FileRule("claude.servers", ".mcp.json", "MCP servers", Category.C6),
    FileRule("claude.plugin", ".claude-plugin/plugin.json", "plugin manifest", Category.C1),
    FileRule("claude.plugin.hooks", "hooks/hooks.json", "hooks of the plugin", Category.C9),
    FileRule("claude.skill", ".claude/skills/**/SKILL.md", "skill", Category.C2),
    FileRule("claude.skill", "skills/**/SKILL.md", "skill of the plugin", Category.C2),
    FileRule("claude.command", ".claude/commands/**/*.md", "command", Category.C2),
    FileRule("claude.command", "commands/**/*.md", "command of the plugin", Category.C2),
    FileRule("claude.agent", ".claude/agents/**/*.md", "subagent", Category.C2),
    FileRule("claude.agent", "agents/**/*.md", "subagent of the plugin", Category.C2),
    FileRule("claude.agent", ".github/agents/*.agent.md", "agent of Copilot", Category.C2),
    FileRule("claude.command", ".github/prompts/*.prompt.md", "prompt of Copilot", Category.C2),
    FileRule("claude.agent", ".opencode/agent/*.md", "agent of OpenCode", Category.C2),
)
"""Rows in inventory order; files in a skill's folder use the Agent Skills table."""

SURFACES: Final = ("*.md", *(rule.pattern.replace("/**/", "/**|").partition("|")[0] for rule in FILE_RULES))
"""Where the files that the dialect reads can be."""

IMPORTED: Final = FileRule("claude.import", "@path", "imported instructions", Category.C2)
"""The row for a file imported by another one."""

SPEC_RULES: Final = frozenset({"claude.skill", "claude.command", "claude.agent"})

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
    return tuple(
        (
            rule,
            re.compile(re.escape(rule.pattern).replace(r"\*\*/", "(?:[^/]+/)*").replace(r"\*", "[^/]+")),
        )
        for rule in FILE_RULES
    )
