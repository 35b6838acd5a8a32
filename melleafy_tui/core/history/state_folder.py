"""Finding transcripts in the state folder that the user named: `agents/<id>/sessions/` and nothing else is listed.

No link is followed, and a folder called `credentials` is never entered, wherever it lies.
"""

import json
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.workspace.limits import PRIVATE_FOLDERS

INDEX_NAME: Final = "sessions.json"
LARGEST_INDEX: Final = 64_000_000
MOST_TRANSCRIPTS: Final = 20_000
_TRANSCRIPT: Final = re.compile(r"(?P<session>.+?)(?:-topic-(?P<thread>.+))?\.jsonl", re.DOTALL)


class Transcript(Struct, frozen=True):
    """One transcript on the disk; `path` is relative to the state folder."""

    place: Path
    path: str
    agent_id: str
    session_id: str
    thread_id: str
    size: int


class IndexEntry(Struct, frozen=True):
    """What `sessions.json` says of one session; `key` is `""` where the index is a list."""

    key: str
    fields: Mapping[str, object]


def open_state_folder(path: Path) -> Path:
    """Return the state folder, resolved.

    Raises:
        UnusableInput: it is none, or lies in a folder that is never read.
    """
    try:
        folder = path.resolve(strict=True)
        agents = folder / "agents"
        is_one = stat.S_ISDIR(agents.lstat().st_mode)
    except (OSError, RuntimeError):
        is_one = False
    if not is_one:
        raise UnusableInput(
            "The folder holds no agents/, so it is no OpenClaw state folder",
            hint="Name the folder that OpenClaw keeps its state in, often ~/.openclaw.",
            location=str(path),
        )
    if any(part.lower() in PRIVATE_FOLDERS for part in folder.parts):
        raise UnusableInput(
            "The folder lies in credentials/, where nothing is ever read",
            hint="Name the state folder itself.",
            location=str(path),
        )
    return folder


def transcripts(folder: Path) -> Iterator[Transcript]:
    """Yield the transcripts of all agents, sorted by agent and name, up to MOST_TRANSCRIPTS."""
    found = 0
    for agent in _folders(folder / "agents"):
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
    """Return the entries of an agent's index by session id; an unreadable or damaged index gives none.

    The index is a list (seed 003), or an object whose names are session keys (later releases).
    """
    place = folder / "agents" / agent_id / "sessions" / INDEX_NAME
    try:
        if not _is(place, stat.S_ISREG) or place.lstat().st_size > LARGEST_INDEX:
            return {}
        document: object = json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if isinstance(document, dict):
        rows = [(str(key), value) for key, value in document.items()]
    else:
        rows = [("", value) for value in (document if isinstance(document, list) else ())]
    entries: dict[str, IndexEntry] = {}
    for key, fields in rows:
        if not isinstance(fields, dict):
            continue
        session_id = fields.get("sessionId") or fields.get("id") or fields.get("session_id")
        if isinstance(session_id, str) and session_id:
            entries.setdefault(session_id, IndexEntry(key, fields))
    return entries


def _folders(parent: Path) -> list[Path]:
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
