"""Finds a Claude Code agent's triggers and gates: hooks, `/loop`, ask rules, plan mode."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.claude_code.file_rules import PLUGIN, rule_for
from melleafy_tui.core.dialects.claude_code.settings import PLAN_MODE
from melleafy_tui.core.dialects.claude_code.settings_sources import settings_root, strings
from melleafy_tui.core.dialects.claude_code.specs import Spec, chosen_spec, specs_of
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.time.clock import read_interval, short_interval
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Modality

DEFAULT_LOOP: Final = "10m"
"""The interval of a `/loop` that doesn't give one."""

_LOOP: Final = re.compile(
    r"(?P<before>^[\s>*+\d.)-]*|\b(?i:run|use|start|launch|schedule|keep|with)\s+(?:(?:a|the)\s+)?)[`\"'(]*"
    r"/loop\b(?!/)(?:[ \t]+(?P<interval>\d{1,4}[smhd])(?=[\s`\"']|$))?(?P<rest>[^`\n]*)"
)
_LEAST: Final = 60
"""The shortest interval that Claude Code accepts."""


class Loop(Struct, frozen=True):
    """One `/loop` in a text: its effective interval, and its prompt, `""` if it has none."""

    file: str
    line: int
    interval: str
    seconds: int
    task: str = ""


def settings_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the settings files in effect: those of the nearest folder, the user's own before the project's."""
    found = [file.path for file in snapshot.files if _is(file.path, "claude.settings")]
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
    """Yield every modality signal; a hook guards, checks or adds context, and wakes nobody."""
    paths = settings_paths(snapshot)
    for loop in loops(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "/loop", loop.file, loop.line, f"every {loop.interval}")
    yield from _gates(snapshot, paths)


def schedule(snapshot: Snapshot) -> Schedule:
    """Return the interval of the first `/loop`, empty if there is none."""
    for loop in loops(snapshot):
        return Schedule(
            type="interval",
            cadence=loop.interval,
            seconds=loop.seconds,
            file=loop.file,
            lines=str(loop.line),
        )
    return Schedule()


def loops(snapshot: Snapshot) -> Iterator[Loop]:
    """Yield each `/loop` that a converted text orders; a mere mention is none."""
    for file in _converted_files(snapshot):
        for number, line in enumerate(file.lines, 1) if "/loop" in (file.text or "") else ():
            match = _LOOP.search(line)
            if match is None or polarity_of(line.strip(" -*0123456789.")) is Polarity.FORBIDS:
                continue
            is_command = not match["before"].strip(" \t-*>") or "`/loop" in match.group()
            yield _loop(file.path, number, match["interval"] or "", match["rest"], is_command=is_command)


def _converted_files(snapshot: Snapshot) -> Iterator[SourceFile]:
    spec = _spec_of(snapshot)
    for file in snapshot.files:
        if _is(file.path, "claude.memory", "claude.rules") or (spec is not None and file.path == spec.path):
            yield file


def _spec_of(snapshot: Snapshot) -> Spec | None:
    specs = specs_of(snapshot, plugin=is_plugin(snapshot))
    return chosen_spec(snapshot, specs, has_memory=has_memory(snapshot))


def _loop(path: str, line: int, interval: str, rest: str, *, is_command: bool) -> Loop:
    every = read_cadence(rest)
    if not interval and every is not None and every.type == "interval" and every.seconds:
        interval = short_interval(every.seconds)
        rest = rest.replace(every.cadence, "", 1) if every.cadence in rest else rest
        rest = re.sub(r"\s*\bevery\s*(?=[ ,.;:]|$)", "", rest)
    interval = interval or DEFAULT_LOOP
    task = rest.strip(" ,.;:") if is_command else ""
    return Loop(path, line, interval, max(read_interval(interval) or 0, _LEAST), task)


def _gates(snapshot: Snapshot, paths: tuple[str, ...]) -> Iterator[ModalityEvidence]:
    mode_told = False
    for path in paths:
        root = settings_root(snapshot.file(path))
        if root is None:
            continue
        for where in ("permissions.defaultMode", "defaultMode"):
            mode = root.at(where)
            if mode is not None and not mode_told:
                mode_told = True
                if mode.value == PLAN_MODE:
                    yield ModalityEvidence(Modality.REVIEW_GATED, "defaultMode plan", path, mode.key_line)
        asked = root.at("permissions.ask")
        if asked is not None and any(strings(asked)):
            yield ModalityEvidence(
                Modality.REVIEW_GATED, "permissions.ask", path, asked.key_line, next(strings(asked))
            )


def _is(path: str, *rules: str) -> bool:
    rule = rule_for(path)
    return rule is not None and rule.rule_id.startswith(rules)
