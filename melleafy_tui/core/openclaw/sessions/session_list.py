"""Lists the sessions of a state folder, and ranks the sources that fixtures can be drawn from."""

import json
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.history import RankedSource, SessionSummary, Signal, TurnCounts
from melleafy_tui.core.openclaw.sessions.personal_data import mask_private
from melleafy_tui.core.openclaw.sessions.transcripts import Role, moment, read_transcript
from melleafy_tui.core.source.json5 import parse_json5
from melleafy_tui.core.source.limits import PRIVATE_FOLDERS, resolved
from melleafy_tui.core.source.snapshot_reader import CONFIGURATION_NAMES

INDEX_NAME: Final = "sessions.json"
LARGEST_INDEX: Final = 64_000_000
MOST_TRANSCRIPTS: Final = 20_000
_TRANSCRIPT: Final = re.compile(r"(?P<session>.+?)(?:-topic-(?P<thread>.+))?\.jsonl", re.DOTALL)


class Transcript(Struct, frozen=True):
    """One transcript on disk; `path` is relative to the state folder."""

    place: Path
    path: str
    agent_id: str
    session_id: str
    thread_id: str
    size: int


IndexEntry = tuple[str, Mapping[str, object]]
"""The key of one session in `sessions.json` and its fields; the key is `""` if the index is a list."""


def open_state_folder(path: Path) -> Path:
    """Return the state folder, resolved.

    Raises:
        UnusableInput: The path is not a state folder, or is in a folder that is never read.
    """
    hint = "Name the folder that OpenClaw keeps its state in, often ~/.openclaw."
    folder = resolved(path, "The state folder", hint)
    what = ""
    if not folder.is_dir():
        what = "It is not a folder"
    elif not _is(folder / "agents", stat.S_ISDIR):
        what = "The folder has no agents/, so it is not an OpenClaw state folder"
    elif any(part.lower() in PRIVATE_FOLDERS for part in folder.parts):
        what = "The folder is in credentials/, which is never read"
    if what:
        raise UnusableInput(what, hint=hint, location=str(path))
    return folder


def transcripts(folder: Path) -> Iterator[Transcript]:
    """Yield the transcripts of all agents, sorted by agent and name, up to MOST_TRANSCRIPTS."""
    found = 0
    for agent in _children(folder / "agents", stat.S_ISDIR):
        for place in _children(agent / "sessions", stat.S_ISREG):
            named = _TRANSCRIPT.fullmatch(place.name)
            if named is None:
                continue
            found += 1
            if found > MOST_TRANSCRIPTS:
                return
            yield Transcript(
                place,
                place.relative_to(folder).as_posix(),
                agent.name,
                named["session"],
                named["thread"] or "",
                place.lstat().st_size,
            )


def _read_index(folder: Path, agent_id: str) -> dict[str, IndexEntry]:
    """Return the entries of an agent's index by session id; empty if the index is unreadable or damaged.

    The index is a list, or in later releases an object whose names are session keys.
    """
    entries: dict[str, IndexEntry] = {}
    for key, fields in _index_rows(folder / "agents" / agent_id / "sessions" / INDEX_NAME):
        if not isinstance(fields, dict):
            continue
        session_id = fields.get("sessionId") or fields.get("id") or fields.get("session_id")
        if isinstance(session_id, str) and session_id:
            entries.setdefault(session_id, (key, fields))
    return entries


def _index_rows(place: Path) -> list[tuple[str, object]]:
    """Return the rows of an index with their keys; a list has no keys."""
    try:
        if not _is(place, stat.S_ISREG) or place.lstat().st_size > LARGEST_INDEX:
            return []
        document: object = json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    if isinstance(document, dict):
        return [(str(key), value) for key, value in document.items()]
    return [("", value) for value in document] if isinstance(document, list) else []


def _children(parent: Path, kind: Callable[[int], bool]) -> list[Path]:
    """Return the files or the folders in a real folder, sorted; no links, and none that are private."""
    try:
        found = sorted(parent.iterdir()) if _is(parent, stat.S_ISDIR) else []
    except OSError:
        return []
    return [child for child in found if child.name.lower() not in PRIVATE_FOLDERS and _is(child, kind)]


def _is(place: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(place.lstat().st_mode)
    except OSError:
        return False


MOST_UNKNOWN_ROLES: Final = 20
_LONGEST_NAME: Final = 120
_LONGEST_MASKED: Final = 4_000
"""Characters of a name that are masked before it is shortened; half a secret would not be recognized."""
_NAMES: Final = ("name", "displayName", "label", "subject", "title")


def list_sessions(
    folder: Path, progress: Callable[[int, int, str], None] | None = None
) -> tuple[SessionSummary, ...]:
    """Return the sessions of all agents, most recently updated first; those without a date come last.

    Args:
        folder: The state folder, as `open_state_folder` gave it.
        progress: Called with the number done, the total, and the path.
    """
    found = tuple(transcripts(folder))
    indexes: dict[str, dict[str, IndexEntry]] = {}
    sessions: list[SessionSummary] = []
    for number, transcript in enumerate(found, 1):
        if transcript.agent_id not in indexes:
            indexes[transcript.agent_id] = _read_index(folder, transcript.agent_id)
        sessions.append(_summary(transcript, indexes[transcript.agent_id].get(transcript.session_id)))
        if progress is not None:
            progress(number, len(found), transcript.path)
    by_path = sorted(sessions, key=lambda session: session.path)
    return tuple(sorted(by_path, key=lambda session: session.updated_at, reverse=True))


def _summary(transcript: Transcript, indexed: IndexEntry | None) -> SessionSummary:
    counts: Counter[Role] = Counter()
    unknown, first, last, unreadable = set[str](), "", "", ""
    try:
        for line in read_transcript(transcript.place):
            counts[line.role] += 1
            if line.unknown and len(unknown) < MOST_UNKNOWN_ROLES:
                unknown.add(mask_private(line.unknown).text)
            first, last = first or line.timestamp, max(last, line.timestamp)
    except UnusableInput as error:  # the others are still worth listing
        unreadable = error.message
    key, fields = indexed or ("", {})
    name = next((value for label in _NAMES if isinstance(value := fields.get(label), str) and value), "")
    count = fields.get("message_count", fields.get("messageCount"))
    return SessionSummary(
        path=transcript.path,
        agent_id=transcript.agent_id,
        session_id=transcript.session_id,
        thread_id=transcript.thread_id,
        key=mask_private(key).text,
        name=mask_private(name[:_LONGEST_MASKED]).text[:_LONGEST_NAME],
        created_at=moment(fields.get("created_at", fields.get("createdAt"))) or first,
        updated_at=moment(fields.get("updated_at", fields.get("updatedAt"))) or last,
        message_count=count if type(count) is int else None,  # a bool is no count
        counts=TurnCounts(
            user=counts[Role.USER],
            assistant=counts[Role.ASSISTANT],
            tool=counts[Role.TOOL],
            tool_result=counts[Role.TOOL_RESULT],
            other=counts[Role.OTHER],
            malformed=counts[Role.MALFORMED],
        ),
        unknown_roles=tuple(sorted(unknown)),
        torn=counts[Role.TORN] > 0,
        size=transcript.size,
        unreadable=unreadable,
    )


RECENT_DAYS: Final = 7
"""Older daily notes rank lower."""

_DAILY_NOTE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2}).*\.md")


PRIORITIES: Final[dict[str, tuple[Signal, str]]] = {
    "memory": (Signal.VERY_HIGH, "very low"),
    "recent daily note": (Signal.HIGH, "low"),
    "dreams": (Signal.MEDIUM, "summaries"),
    "assistant turns": (Signal.MEDIUM, "medium"),
    "old daily note": (Signal.LOW, "medium"),
    "tool pairs": (Signal.LOW, "high"),
    "configuration": (Signal.VERY_LOW, ""),
    "credentials": (Signal.NEVER, "never read"),
}
"""The kinds of sources, most telling first: how telling each is, and how noisy."""


def rank_sources(folder: Path, sessions: tuple[SessionSummary, ...], as_of: date) -> tuple[RankedSource, ...]:
    """Return the sources that fixtures can be drawn from, most telling first; only the configuration is opened.

    Args:
        folder: The state folder.
        sessions: Its sessions.
        as_of: The date from which a note's age is counted.
    """
    found = [*_sources(folder, sessions, as_of)]
    latest_note_first = sorted(found, key=lambda item: item[1], reverse=True)
    order = {kind: number for number, kind in enumerate(PRIORITIES)}
    sessions_in_order = {session.path: number for number, session in enumerate(sessions)}
    ranked = sorted(latest_note_first, key=lambda item: (order[item[0]], sessions_in_order.get(item[1], 0)))
    return tuple(
        RankedSource(path=path, kind=kind, signal=PRIORITIES[kind][0], noise=PRIORITIES[kind][1], note=note)
        for kind, path, note in ranked
    )


def _sources(
    folder: Path, sessions: tuple[SessionSummary, ...], as_of: date
) -> Iterator[tuple[str, str, str]]:
    """Yield kind, path and note of each source, in the order in which the folder lists them."""
    names = [place.name for place in _children(folder, stat.S_ISDIR)]
    places = {folder / name: name for name in names if re.fullmatch(r"workspace(-.+)?", name)}
    if named := _named_workspace(folder):
        places.setdefault(folder / Path(named).expanduser(), named.rstrip("/"))
    for workspace, shown in places.items():
        yield from _workspace_sources(workspace, shown, as_of)
    for session in sessions:
        if session.counts.assistant:
            yield "assistant turns", session.path, f"{session.counts.assistant} turns"
        if pairs := max(session.counts.tool, session.counts.tool_result):
            yield "tool pairs", session.path, f"{pairs} calls"
    if _is(folder / "openclaw.json", stat.S_ISREG):
        yield "configuration", "openclaw.json", ""
    if _is(folder / "credentials", stat.S_ISDIR):
        yield "credentials", "credentials/", "never opened, never listed"


def _named_workspace(folder: Path) -> str:
    """Return the workspace that the configuration names for all agents, or `""`."""
    place = folder / CONFIGURATION_NAMES[0]
    try:
        if _is(place, stat.S_ISREG) and place.lstat().st_size <= LARGEST_INDEX:
            return parse_json5(place.read_text("utf-8")).text("agents.defaults.workspace")
    except (OSError, ValueError, RecursionError):
        pass
    return ""


def _workspace_sources(workspace: Path, shown: str, as_of: date) -> Iterator[tuple[str, str, str]]:
    for kind, name in (("memory", "MEMORY.md"), ("dreams", "DREAMS.md")):
        if _is(workspace / name, stat.S_ISREG):
            yield kind, f"{shown}/{name}", ""
    for note in _children(workspace / "memory", stat.S_ISREG):
        if _DAILY_NOTE.fullmatch(note.name):
            kind = "recent daily note" if _is_recent(note.name, as_of) else "old daily note"
            yield kind, f"{shown}/memory/{note.name}", ""


def _is_recent(name: str, as_of: date) -> bool:
    named = _DAILY_NOTE.fullmatch(name)
    try:
        day = date(*(int(part) for part in named.groups())) if named is not None else None
    except ValueError:
        return False
    return day is not None and day > as_of - timedelta(days=RECENT_DAYS)
