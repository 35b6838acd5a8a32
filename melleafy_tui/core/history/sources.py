"""The seed's extraction priority: which source of a state folder tells how much, without opening any of them."""

import re
import stat
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.history import RankedSource, SessionSummary, Signal

RECENT_DAYS: Final = 7
"""Daily notes that are older tell little (seed 003)."""

_DAILY_NOTE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2}).*\.md")


class Priority(Struct, frozen=True):
    """One row of the seed's table."""

    kind: str
    signal: Signal
    noise: str


MEMORY: Final = Priority("memory", Signal.VERY_HIGH, "very low")
RECENT_NOTE: Final = Priority("recent daily note", Signal.HIGH, "low")
DREAMS: Final = Priority("dreams", Signal.MEDIUM, "summaries")
OLD_NOTE: Final = Priority("old daily note", Signal.LOW, "medium")
ASSISTANT_TURNS: Final = Priority("assistant turns", Signal.MEDIUM, "medium")
TOOL_PAIRS: Final = Priority("tool pairs", Signal.LOW, "high")
CONFIGURATION: Final = Priority("configuration", Signal.VERY_LOW, "")
CREDENTIALS: Final = Priority("credentials", Signal.NEVER, "never read")

PRIORITIES: Final = (
    MEMORY,
    RECENT_NOTE,
    DREAMS,
    ASSISTANT_TURNS,
    OLD_NOTE,
    TOOL_PAIRS,
    CONFIGURATION,
    CREDENTIALS,
)
"""The rows of the seed by signal, the most telling first."""


def rank_sources(folder: Path, sessions: tuple[SessionSummary, ...], as_of: date) -> tuple[RankedSource, ...]:
    """Return what could be drawn from, the most telling first; nothing is opened.

    Args:
        folder: The state folder.
        sessions: Its sessions.
        as_of: The day that decides which notes are recent.
    """
    found: list[tuple[Priority, str, str]] = []
    for workspace in _named(folder, r"workspace(-.+)?"):
        base = workspace.name
        if _is_file(workspace / "MEMORY.md"):
            found.append((MEMORY, f"{base}/MEMORY.md", ""))
        if _is_file(workspace / "DREAMS.md"):
            found.append((DREAMS, f"{base}/DREAMS.md", ""))
        found += [
            (RECENT_NOTE if _is_recent(note.name, as_of) else OLD_NOTE, f"{base}/memory/{note.name}", "")
            for note in _named(workspace / "memory", _DAILY_NOTE.pattern, folders=False)
        ]
    for session in sessions:
        if session.counts.assistant:
            found.append((ASSISTANT_TURNS, session.path, f"{session.counts.assistant} turns"))
        if session.counts.tool or session.counts.tool_result:
            pairs = max(session.counts.tool, session.counts.tool_result)
            found.append((TOOL_PAIRS, session.path, f"{pairs} calls"))
    if _is_file(folder / "openclaw.json"):
        found.append((CONFIGURATION, "openclaw.json", ""))
    if any(True for _ in _named(folder, "credentials")):
        found.append((CREDENTIALS, "credentials/", "never opened, never listed"))
    latest_note_first = sorted(found, key=lambda item: item[1], reverse=True)
    order = {priority: number for number, priority in enumerate(PRIORITIES)}
    sessions_in_order = {session.path: number for number, session in enumerate(sessions)}
    ranked = sorted(latest_note_first, key=lambda item: (order[item[0]], sessions_in_order.get(item[1], 0)))
    return tuple(
        RankedSource(path=path, kind=row.kind, signal=row.signal, noise=row.noise, note=note)
        for row, path, note in ranked
    )


def _is_recent(name: str, as_of: date) -> bool:
    named = _DAILY_NOTE.fullmatch(name)
    try:
        day = date(*(int(part) for part in named.groups())) if named is not None else None
    except ValueError:
        return False
    return day is not None and day > as_of - timedelta(days=RECENT_DAYS)


def _named(parent: Path, pattern: str, *, folders: bool = True) -> list[Path]:
    try:
        if not stat.S_ISDIR(parent.lstat().st_mode):
            return []
        children = sorted(parent.iterdir())
    except OSError:
        return []
    kind = stat.S_ISDIR if folders else stat.S_ISREG
    return [child for child in children if re.fullmatch(pattern, child.name) and kind(child.lstat().st_mode)]


def _is_file(place: Path) -> bool:
    try:
        return stat.S_ISREG(place.lstat().st_mode)
    except OSError:
        return False
