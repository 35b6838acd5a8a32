"""Lists the sessions of a state folder, and ranks the sources that fixtures can be drawn from."""

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.history import RankedSource, SessionSummary, Signal, TurnCounts, UnreadSession
from melleafy_tui.core.openclaw.sessions.personal_data import mask_private
from melleafy_tui.core.openclaw.sessions.transcripts import Line, Role, moment, read_transcript
from melleafy_tui.core.source.limits import PRIVATE_FOLDERS

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


class IndexEntry(Struct, frozen=True):
    """The entry of one session in `sessions.json`; `key` is `""` if the index is a list."""

    key: str
    fields: Mapping[str, object]


def open_state_folder(path: Path) -> Path:
    """Return the state folder, resolved.

    Raises:
        UnusableInput: The path is not a state folder, or is in a folder that is never read.
    """
    try:
        folder = path.resolve(strict=True)
        agents = folder / "agents"
        listed = stat.S_ISDIR(folder.stat().st_mode)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the link leads back to itself"
        raise UnusableInput(
            f"The state folder can't be opened: {(reason or type(error).__name__).lower()}",
            hint="Name the folder that OpenClaw keeps its state in, often ~/.openclaw.",
            location=str(path),
        ) from error
    if not listed:
        raise UnusableInput(
            "The state folder is not a folder",
            hint="Name the folder that OpenClaw keeps its state in, often ~/.openclaw.",
            location=str(path),
        )
    if not _is(agents, stat.S_ISDIR):
        raise UnusableInput(
            "The folder has no agents/, so it is not an OpenClaw state folder",
            hint="Name the folder that OpenClaw keeps its state in, often ~/.openclaw.",
            location=str(path),
        )
    if any(part.lower() in PRIVATE_FOLDERS for part in folder.parts):
        raise UnusableInput(
            "The folder is in credentials/, which is never read",
            hint="Name the state folder itself.",
            location=str(path),
        )
    return folder


def transcripts(folder: Path) -> Iterator[Transcript]:
    """Yield the transcripts of all agents, sorted by agent and name, up to MOST_TRANSCRIPTS."""
    found = 0
    for agent in folders_in(folder / "agents"):
        sessions = agent / "sessions"
        if not _is(sessions, stat.S_ISDIR):
            continue
        for place in sorted(sessions.iterdir()):
            named = _TRANSCRIPT.fullmatch(place.name)
            if named is None or not _is(place, stat.S_ISREG):
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


def read_index(folder: Path, agent_id: str) -> dict[str, IndexEntry]:
    """Return the entries of an agent's index by session id; empty if the index is unreadable or damaged.

    The index is a list, or in later releases an object whose names are session keys.
    """
    entries: dict[str, IndexEntry] = {}
    for key, fields in _index_rows(folder / "agents" / agent_id / "sessions" / INDEX_NAME):
        if not isinstance(fields, dict):
            continue
        session_id = fields.get("sessionId") or fields.get("id") or fields.get("session_id")
        if isinstance(session_id, str) and session_id:
            entries.setdefault(session_id, IndexEntry(key, fields))
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


def folders_in(parent: Path) -> list[Path]:
    """Return the folders in a folder, sorted; no links, and none that are private."""
    try:
        children = sorted(parent.iterdir())
    except OSError:
        return []
    return [
        child for child in children if child.name.lower() not in PRIVATE_FOLDERS and _is(child, stat.S_ISDIR)
    ]


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
            indexes[transcript.agent_id] = read_index(folder, transcript.agent_id)
        sessions.append(_summary(transcript, indexes[transcript.agent_id].get(transcript.session_id)))
        if progress is not None:
            progress(number, len(found), transcript.path)
    by_path = sorted(sessions, key=lambda session: session.path)
    return tuple(sorted(by_path, key=lambda session: session.updated_at, reverse=True))


class _Counted(Struct):
    """What is known of a transcript after reading its lines."""

    counts: Counter[Role] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    first: str = ""
    last: str = ""
    unreadable: str = ""

    def add(self, line: Line) -> None:
        """Count a line."""
        self.counts[line.role] += 1
        if line.unknown and len(self.unknown) < MOST_UNKNOWN_ROLES:
            self.unknown.add(mask_private(line.unknown).text)
        self.first = self.first or line.timestamp
        self.last = max(self.last, line.timestamp)


def _summary(transcript: Transcript, indexed: IndexEntry | None) -> SessionSummary:
    read = _Counted()
    try:
        for line in read_transcript(transcript.place):
            read.add(line)
    except UnusableInput as error:  # the others are still worth listing
        read.unreadable = error.message
    counts = read.counts
    indexed = indexed or IndexEntry("", {})
    fields = indexed.fields
    name = next((value for label in _NAMES if isinstance(value := fields.get(label), str) and value), "")
    count = fields.get("message_count", fields.get("messageCount"))
    return SessionSummary(
        path=transcript.path,
        agent_id=transcript.agent_id,
        session_id=transcript.session_id,
        thread_id=transcript.thread_id,
        key=mask_private(indexed.key).text,
        name=mask_private(name[:_LONGEST_MASKED]).text[:_LONGEST_NAME],
        created_at=moment(fields.get("created_at", fields.get("createdAt"))) or read.first,
        updated_at=moment(fields.get("updated_at", fields.get("updatedAt"))) or read.last,
        message_count=count if type(count) is int else None,  # a bool is no count
        counts=TurnCounts(
            user=counts[Role.USER],
            assistant=counts[Role.ASSISTANT],
            tool=counts[Role.TOOL],
            tool_result=counts[Role.TOOL_RESULT],
            other=counts[Role.OTHER],
            malformed=counts[Role.MALFORMED],
        ),
        unknown_roles=tuple(sorted(read.unknown)),
        torn=counts[Role.TORN] > 0,
        size=transcript.size,
        unreadable=read.unreadable,
    )


RECENT_DAYS: Final = 7
"""Older daily notes rank lower."""

_DAILY_NOTE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2}).*\.md")


class Priority(Struct, frozen=True):
    """How telling one kind of source is, and how noisy."""

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
"""The kinds of sources, most telling first."""


def rank_sources(folder: Path, sessions: tuple[SessionSummary, ...], as_of: date) -> tuple[RankedSource, ...]:
    """Return the sources that fixtures can be drawn from, most telling first, without opening any.

    Args:
        folder: The state folder.
        sessions: Its sessions.
        as_of: The date from which a note's age is counted.
    """
    found = [*_sources(folder, sessions, as_of)]
    latest_note_first = sorted(found, key=lambda item: item[1], reverse=True)
    order = {priority: number for number, priority in enumerate(PRIORITIES)}
    sessions_in_order = {session.path: number for number, session in enumerate(sessions)}
    ranked = sorted(latest_note_first, key=lambda item: (order[item[0]], sessions_in_order.get(item[1], 0)))
    return tuple(
        RankedSource(path=path, kind=row.kind, signal=row.signal, noise=row.noise, note=note)
        for row, path, note in ranked
    )


def _sources(
    folder: Path, sessions: tuple[SessionSummary, ...], as_of: date
) -> Iterator[tuple[Priority, str, str]]:
    """Yield each source with its path and a note, in the order in which the folder lists them."""
    for workspace in _named(folder, r"workspace(-.+)?"):
        yield from _workspace_sources(workspace, as_of)
    for session in sessions:
        if session.counts.assistant:
            yield ASSISTANT_TURNS, session.path, f"{session.counts.assistant} turns"
        if pairs := max(session.counts.tool, session.counts.tool_result):
            yield TOOL_PAIRS, session.path, f"{pairs} calls"
    if _is_file(folder / "openclaw.json"):
        yield CONFIGURATION, "openclaw.json", ""
    if _named(folder, "credentials"):
        yield CREDENTIALS, "credentials/", "never opened, never listed"


def _workspace_sources(workspace: Path, as_of: date) -> Iterator[tuple[Priority, str, str]]:
    for priority, name in ((MEMORY, "MEMORY.md"), (DREAMS, "DREAMS.md")):
        if _is_file(workspace / name):
            yield priority, f"{workspace.name}/{name}", ""
    for note in _named(workspace / "memory", _DAILY_NOTE.pattern, folders=False):
        priority = RECENT_NOTE if _is_recent(note.name, as_of) else OLD_NOTE
        yield priority, f"{workspace.name}/memory/{note.name}", ""


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


MOST_UNREAD: Final = 1_000
"""More aren't listed."""
_DEEPEST: Final = 4
"""Folders below `sessions/` that are looked into."""
_ENDING: Final = ".jsonl"

ARCHIVED: Final = "archived transcript"
DEEPER: Final = "transcript in a folder below sessions/"
GONE: Final = "in the index, without a transcript"


def unread_sessions(folder: Path, sessions: Collection[SessionSummary]) -> tuple[UnreadSession, ...]:
    """Return the sessions that are not read, agent by agent, with the reason.

    Args:
        folder: The state folder, as `open_state_folder` gave it.
        sessions: The sessions that are read.
    """
    read = {(session.agent_id, session.session_id) for session in sessions}
    found: list[UnreadSession] = []
    for agent in folders_in(folder / "agents"):
        for unread in (*_on_disk(folder, agent), *_gone(agent, read)):
            if len(found) == MOST_UNREAD:
                return tuple(found)
            found.append(unread)
    return tuple(found)


def _on_disk(folder: Path, agent: Path) -> Iterator[UnreadSession]:
    top = agent / "sessions"
    for parent, depth in _folders(top, 0):
        for place in sorted(parent.iterdir()):
            archived = f"{_ENDING}." in place.name
            deeper = depth > 0 and place.name.endswith(_ENDING)
            if (archived or deeper) and stat.S_ISREG(place.lstat().st_mode):
                path = place.relative_to(folder).as_posix()
                yield UnreadSession(path=path, agent_id=agent.name, reason=ARCHIVED if archived else DEEPER)


def _folders(parent: Path, depth: int) -> Iterator[tuple[Path, int]]:
    """Yield a folder and those below it that can be listed, as deep as is looked into; links aren't followed."""
    try:
        if not stat.S_ISDIR(parent.lstat().st_mode) or not os.access(parent, os.R_OK | os.X_OK):
            return
    except OSError:
        return
    yield parent, depth
    if depth < _DEEPEST:
        for child in folders_in(parent):
            yield from _folders(child, depth + 1)


def _gone(agent: Path, read: Collection[tuple[str, str]]) -> Iterator[UnreadSession]:
    index = f"agents/{agent.name}/sessions/{INDEX_NAME}"
    for session_id in read_index(agent.parent.parent, agent.name):
        if (agent.name, session_id) not in read:
            name = mask_private(session_id[:200]).text
            yield UnreadSession(path=index, agent_id=agent.name, session_id=name, reason=GONE)
