"""Finds what gates a Claude Code agent: ask rules and plan mode. Nothing in a project wakes it: no hook, no text."""

from collections.abc import Iterator
from itertools import islice

from melleafy_tui.core.dialects.claude_code.file_rules import PLUGIN, rule_for
from melleafy_tui.core.dialects.claude_code.settings import PLAN_MODE
from melleafy_tui.core.dialects.claude_code.settings_sources import settings_root, strings
from melleafy_tui.core.models.classification import ModalityEvidence
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality


def settings_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the settings files in effect: those of the nearest folder, the user's own before the project's."""
    rules = ((file.path, rule_for(file.path)) for file in snapshot.files)
    found = [path for path, rule in rules if rule is not None and rule.rule_id == "claude.settings"]
    depth = {path: path.count("../") for path in found}
    nearest = min(depth.values(), default=0)
    return tuple(
        sorted((path for path in found if depth[path] == nearest), key=lambda path: "local" not in path)
    )


def is_plugin(snapshot: Snapshot) -> bool:
    """Return whether the root is a plugin."""
    return snapshot.file(PLUGIN) is not None


def has_memory(snapshot: Snapshot) -> bool:
    """Return whether the root folder itself contains instructions."""
    return any(snapshot.file(path) is not None for path in ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"))


def modality_evidence(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    """Yield every modality signal: what a person has to confirm."""
    files = ((path, settings_root(snapshot.file(path))) for path in settings_paths(snapshot))
    roots = [(path, root) for path, root in files if root is not None]
    places = ("permissions.defaultMode", "defaultMode")
    modes = ((path, mode) for path, root in roots for mode in map(root.at, places) if mode is not None)
    for path, mode in islice(modes, 1):  # the first wins
        if mode.value == PLAN_MODE:
            yield ModalityEvidence(Modality.REVIEW_GATED, "defaultMode plan", path, mode.key_line)
    for path, root in roots:
        rule = next(strings(root.at("permissions.ask")), "")
        if rule and (asked := root.at("permissions.ask")) is not None:
            yield ModalityEvidence(Modality.REVIEW_GATED, "permissions.ask", path, asked.key_line, rule)
