"""Finds the extra files that a configuration adds to the prompt with the hook `bootstrap-extra-files`.

Only files inside the workspace that have the name of a bootstrap file are accepted.
"""

import re
from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.dialects.openclaw.configuration import configuration_of
from melleafy_tui.core.dialects.openclaw.file_rules import BOOTSTRAP_NAMES
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.json5 import JsonNode
from melleafy_tui.core.source.reach import path_form

HOOK: Final = "hooks.internal.entries.bootstrap-extra-files"
_MOST_PATTERNS: Final = 64
_LONGEST_PATTERN: Final = 200
_WILDCARDS: Final = frozenset("*?")
_MOST_STARS: Final = 3
"""Most stars in one path segment; a pattern with more is ignored, because matching could take long."""


def extra_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the existing workspace files that the hook names, in the hook's order."""
    configuration = configuration_of(snapshot)
    if configuration is None:
        return ()
    named = (path for pattern in _patterns(configuration.root) for path in _matching(snapshot, pattern))
    return tuple(
        path
        for path in dict.fromkeys(named)
        if path.rpartition("/")[2] in BOOTSTRAP_NAMES and ".." not in path.split("/")
    )


def _matching(snapshot: Snapshot, pattern: str) -> tuple[str, ...]:
    plain = str(PurePosixPath(pattern.replace("\\", "/")))
    if _WILDCARDS.isdisjoint(pattern):
        return (plain,) if snapshot.has(plain) or snapshot.file(plain) else ()
    if not _is_bounded(plain):
        return ()
    form = re.compile(path_form(plain))
    shown = (name for name in snapshot.names if "/." in f"/{plain}" or "/." not in f"/{name}")
    return tuple(filter(form.fullmatch, shown))


def _patterns(root: JsonNode) -> list[str]:
    hook = root.at(HOOK)
    internal = root.at("hooks.internal")
    if (
        not hook
        or not isinstance(hook.value, dict)
        or not (hook.is_enabled and internal and internal.is_enabled)
    ):
        return []
    lists = (_texts(hook.at(name)) for name in ("paths", "patterns", "files"))
    return next(filter(None, lists), [])[:_MOST_PATTERNS]


def _texts(node: JsonNode | None) -> list[str]:
    return [
        item.value.strip()
        for item in (node.items() if node else ())
        if isinstance(item.value, str) and 0 < len(item.value.strip()) <= _LONGEST_PATTERN
    ]


def _is_bounded(pattern: str) -> bool:
    segments = pattern.split("/")
    few = all(re.sub(r"\*+", "*", segment).count("*") <= _MOST_STARS for segment in segments)
    return few and segments.count("**") <= _MOST_STARS
