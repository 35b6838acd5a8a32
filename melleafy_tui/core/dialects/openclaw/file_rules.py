"""The file inventory table of the OpenClaw dialect."""

from functools import lru_cache
from re import Pattern, escape
from re import compile as compile_pattern
from typing import Final

from msgspec import convert

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.tables import table_beside

EXCLUDED_SCOPES: Final = frozenset({"memory", "memory-wiki", "skills", "hooks", "cron"})
"""Folders whose AGENTS.md, and those below, are no rule files for them."""

_ROWS: Final = convert(table_beside(__file__, "file_rules.toml")["rules"], list[list[str]])
FILE_RULES: Final = tuple(
    FileRule(
        rule,
        pattern,
        role,
        Category(home),
        "listed" not in also,
        "expected" in also,
        "budget" in also,
        next((each for each in ("memory", "handler") if each in also), ""),
    )
    for rule, pattern, role, home, *also in _ROWS
)
"""Rows in inventory order."""


SCOPED: Final = next(rule for rule in FILE_RULES if rule.pattern.startswith("**/"))
"""The row of a folder's own rules, at any depth."""


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
    return SCOPED if path.endswith("/AGENTS.md") else None


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
