"""The file inventory table of the OpenClaw dialect."""

from functools import lru_cache
from re import Pattern
from re import compile as compile_pattern
from typing import Final

from melleafy_tui.core.dialects.base import FileRule, file_rules
from melleafy_tui.core.source.reach import path_form

EXCLUDED_SCOPES: Final = frozenset({"memory", "memory-wiki", "skills", "hooks", "cron"})
"""Folders whose AGENTS.md, and those below, are no rule files for them."""

FILE_RULES: Final = file_rules(__file__)
"""Rows in inventory order."""

CONFIGURATION_PATHS: Final = tuple(rule.pattern for rule in FILE_RULES if rule.rule_id == "openclaw.config")
"""Possible paths of OpenClaw's configuration in the snapshot."""

BOOTSTRAP_NAMES: Final = frozenset(rule.pattern for rule in FILE_RULES if rule.counts_in_budget)

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
            found.setdefault(rule.pattern.partition("/")[0], []).append(
                (rule, compile_pattern(path_form(rule.pattern)))
            )
    return found
