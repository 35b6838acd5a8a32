"""The file inventory table of the OpenClaw dialect."""

from functools import lru_cache
from re import Pattern, escape
from re import compile as compile_pattern
from typing import Final

from melleafy_tui.core.dialects.base import FileRule, Signal
from melleafy_tui.core.dialects.matchers import all_of, ambient, any_of, json_value, name_exists
from melleafy_tui.core.models.vocabulary import Category, Strength

WIKI_FOLDERS: Final = ("entities", "concepts", "syntheses", "sources", "_views")
EXCLUDED_SCOPES: Final = frozenset({"memory", "memory-wiki", "skills", "hooks", "cron"})
"""Folders one level down whose AGENTS.md isn't a rule file for that folder."""

FILE_RULES: Final[tuple[FileRule, ...]] = (
    FileRule(
        "openclaw.soul", "SOUL.md", "persona, values, tone", Category.C1, expected=True, counts_in_budget=True
    ),
    FileRule(
        "openclaw.identity",
        "IDENTITY.md",
        "name, role, emoji, avatar",
        Category.C1,
        expected=True,
        counts_in_budget=True,
    ),
    FileRule(
        "openclaw.agents", "AGENTS.md", "operating rules", Category.C2, expected=True, counts_in_budget=True
    ),
    FileRule("openclaw.agents.scoped", "*/AGENTS.md", "directory-scoped operating rules", Category.C2),
    FileRule("openclaw.user", "USER.md", "user facts", Category.C3, expected=True, counts_in_budget=True),
    FileRule(
        "openclaw.tools", "TOOLS.md", "tool guidance", Category.C6, expected=True, counts_in_budget=True
    ),
    FileRule(
        "openclaw.memory", "MEMORY.md", "long-term memory", Category.C5, expected=True, counts_in_budget=True
    ),
    FileRule("openclaw.memory", "memory.md", "long-term memory", Category.C5, counts_in_budget=True),
    FileRule("openclaw.dreams", "DREAMS.md", "supplement to long-term memory", Category.C5),
    FileRule(
        "openclaw.heartbeat", "HEARTBEAT.md", "scheduling", Category.C9, expected=True, counts_in_budget=True
    ),
    FileRule(
        "openclaw.bootstrap",
        "BOOTSTRAP.md",
        "first-run ritual",
        Category.NONE,
        expected=True,
        counts_in_budget=True,
    ),
    FileRule("openclaw.boot", "BOOT.md", "checklist at gateway start", Category.C9),
    FileRule("openclaw.memory.daily", "memory/????-??-??.md", "daily note", Category.C4, contents=False),
    FileRule("openclaw.memory.notes", "memory/*.md", "note of the memory", Category.C5, contents=False),
    *(
        FileRule(
            f"openclaw.wiki.{folder.lstrip('_')}",
            f"memory-wiki/{folder}/*.md",
            f"wiki: {folder}",
            Category.C5,
        )
        for folder in WIKI_FOLDERS
    ),
    FileRule("openclaw.config", "openclaw.json", "workspace configuration", Category.C9),
    FileRule("openclaw.config", "openclaw.json5", "workspace configuration", Category.C9),
    FileRule("openclaw.config", "../openclaw.json", "configuration above the workspace", Category.C9),
    FileRule("openclaw.config", "../openclaw.json5", "configuration above the workspace", Category.C9),
    FileRule("openclaw.config", "../config/openclaw.json", "configuration beside the workspace", Category.C9),
    FileRule("openclaw.cron", "cron/jobs.json", "scheduled jobs", Category.C9),
    FileRule("openclaw.cron", "../cron/jobs.json", "scheduled jobs above the workspace", Category.C9),
    FileRule("openclaw.hook", "HOOK.md", "event hook", Category.C9),
    FileRule("openclaw.hook", "hooks/*/HOOK.md", "event hook", Category.C9),
    FileRule("openclaw.hook.handler", "hooks/*/handler.*", "hook handler", Category.C9, contents=False),
    FileRule("openclaw.skill", "skills/*/SKILL.md", "workspace skill", Category.C6),
    FileRule("openclaw.env", ".env", "environment variables", Category.C7),
    FileRule("openclaw.env", ".env.example", "environment variables", Category.C7),
)
"""Rows in inventory order."""


def rule_for(path: str) -> FileRule | None:
    """Return the row for a path, or None."""
    if path in _RULES_OF_ONE_FILE:
        return _RULES_OF_ONE_FILE[path]
    folder, _, below = path.partition("/")
    if not below:
        return None
    patterns = _patterns()
    for rule, pattern in patterns.get(folder, ()):
        if pattern.fullmatch(path):
            return rule
    if folder in EXCLUDED_SCOPES or folder.startswith("."):
        return None
    return next((rule for rule, pattern in patterns["*"] if pattern.fullmatch(path)), None)


_RULES_OF_ONE_FILE: Final = {rule.pattern: rule for rule in FILE_RULES if not {"*", "?"} & {*rule.pattern}}


@lru_cache(maxsize=1)
def _patterns() -> dict[str, list[tuple[FileRule, Pattern[str]]]]:
    """Return the rows with wildcards by the root's folder that they match in; `*` means any folder."""
    found: dict[str, list[tuple[FileRule, Pattern[str]]]] = {}
    for rule in FILE_RULES:
        if rule.pattern not in _RULES_OF_ONE_FILE:
            found.setdefault(rule.pattern.partition("/")[0], []).append((rule, _segments(rule.pattern)))
    return found


def _segments(pattern: str) -> Pattern[str]:
    """Compile a pattern in which `*` and `?` match inside one path segment."""
    return compile_pattern(escape(pattern).replace(r"\*", "[^/]*").replace(r"\?", "[^/]"))


CONFIGURATION_PATHS: Final = (
    "openclaw.json",
    "openclaw.json5",
    "../openclaw.json",
    "../openclaw.json5",
    "../config/openclaw.json",
)
"""Possible paths of OpenClaw's configuration in the snapshot."""


SIGNALS: Final[tuple[Signal, ...]] = (
    Signal("SOUL.md", Strength.STRONG, name_exists("SOUL.md"), note="Bootstrap file."),
    Signal("IDENTITY.md", Strength.STRONG, name_exists("IDENTITY.md"), note="Bootstrap file."),
    Signal("AGENTS.md", Strength.MEDIUM, name_exists("AGENTS.md"), note="Also used by Claude Code."),
    Signal(
        "HEARTBEAT.md", Strength.STRONG, name_exists("HEARTBEAT.md"), note="Only OpenClaw uses this name."
    ),
    Signal(
        "BOOTSTRAP.md",
        Strength.STRONG,
        name_exists("BOOTSTRAP.md"),
        note="First-run ritual that deletes itself.",
    ),
    Signal(
        "MEMORY.md and memory/",
        Strength.STRONG,
        all_of(name_exists("MEMORY.md", "memory.md"), name_exists("memory/")),
        note="Long-term memory with daily notes.",
    ),
    Signal(
        "memory-wiki/",
        Strength.STRONG,
        any_of(*(name_exists(f"memory-wiki/{folder}/") for folder in WIKI_FOLDERS)),
        note="OpenClaw's wiki structure.",
    ),
    Signal(
        "openclaw.json agents.defaults.heartbeat",
        Strength.STRONG,
        json_value(
            CONFIGURATION_PATHS,
            "agents.defaults.heartbeat",
            "agents.list.*.heartbeat",
            "agents.entries.*.heartbeat",
            "agent.heartbeat",
        ),
        note="A heartbeat in the configuration, of the defaults or of one agent.",
    ),
    Signal(
        "TOOLS.md, USER.md and AGENTS.md",
        Strength.MEDIUM,
        all_of(name_exists("TOOLS.md"), name_exists("USER.md"), name_exists("AGENTS.md")),
        note="A part of the bootstrap set.",
    ),
    Signal(
        "~/.openclaw/",
        Strength.STRONG,
        ambient("~/.openclaw/"),
        ambient=True,
        note="OpenClaw is installed for this user.",
    ),
)
