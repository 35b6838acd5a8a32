"""Autosave: writes the decisions of a running wizard to a journal after each act.

Each workspace has a folder of journals. Each wizard writes its own file and holds a lock on it while it runs, so
several wizards don't interfere, and a journal that nobody locks can be offered for restoring. Nothing here reads the
clock or the environment.

    <state>/<hash of the workspace's root>/<session>.json   decisions, with time and number of acts
    <state>/<hash of the workspace's root>/<session>.lock   held while the wizard runs
"""

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.user_folders import make_private, read_private

JOURNAL_FORMAT: Final = "1.0"


class JournalEntry(Struct, frozen=True):
    """A journal: the text of a decisions file, the number of acts in it, and when the last of them was made.

    `workspace` is the root of the workspace, `snapshot` the id of its snapshot at that time, `place` the file.
    """

    decisions: str
    acts: int
    saved_at: datetime
    workspace: str
    snapshot: str
    place: Path = Path()

    def age(self, now: datetime) -> str:
        """Return its age in words; "just now" also if the clock went backwards."""
        seconds = max(0, int((now - self.saved_at).total_seconds()))
        for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if seconds >= length:
                count = seconds // length
                return f"{count} {unit}{'s' if count > 1 else ''} ago"
        return "just now"


def journal_folder(state: Path, workspace_root: str) -> Path:
    """Return the folder of a workspace's journals below the user's state folder."""
    return state / sha256(os.fsencode(workspace_root)).hexdigest()[:16]


class Journal:
    """The journal of one running wizard.

    Args:
        folder: `journal_folder(…)` of the workspace.
        session: A name unique among running wizards, for example process id and start time.
        operations: The file operations; tests replace them.
    """

    def __init__(self, folder: Path, session: str, operations: FileOperations | None = None) -> None:
        self._place = folder / f"{session}.json"
        self._operations = operations or FileOperations()
        self._lock = FileLock(folder / f"{session}.lock", mode=0o600)

    def record(
        self, decisions: str, *, acts: int, saved_at: datetime, workspace: str = "", snapshot: str = ""
    ) -> None:
        """Write the current decisions, replacing the previous journal atomically.

        Raises:
            OSError: the state folder can't be written; the previous journal is unchanged.
        """
        make_private(self._place.parent)
        if not self._lock.is_locked:
            with suppress(Timeout):
                self._lock.acquire(timeout=0)
        document = {
            "format_version": JOURNAL_FORMAT,
            "saved_at": saved_at.astimezone(UTC).isoformat(),
            "acts": acts,
            "workspace": workspace,
            "snapshot": snapshot,
            "decisions": decisions,
        }
        draft = self._place.with_suffix(".draft")
        self._operations.write_durably(draft, json.dumps(document, indent=1).encode(), 0o600)
        self._operations.move(draft, self._place)

    def clear(self) -> None:
        """Remove the journal after the decisions were saved or discarded."""
        _discard(self._place, self._operations)

    def close(self) -> None:
        """Release the lock; unless it was cleared, the journal remains for the next session."""
        lock_place = Path(self._lock.lock_file)
        if self._lock.is_locked:
            with suppress(OSError):
                lock_place.unlink(missing_ok=True)
            self._lock.release()


def left_behind(folder: Path) -> tuple[JournalEntry, ...]:
    """Return the journals of earlier sessions that no wizard holds, newest first, skipping unreadable ones."""
    try:
        places = sorted(folder.glob("*.json"))
    except OSError:
        return ()
    found = [entry for place in places if not _has_owner(place) and (entry := _read(place)) is not None]
    return tuple(sorted(found, key=lambda entry: (entry.saved_at, entry.place.name), reverse=True))


def discard(entry: JournalEntry) -> None:
    """Remove a journal that the user restored or discarded."""
    _discard(entry.place, FileOperations())


def _discard(place: Path, operations: FileOperations) -> None:
    with suppress(OSError):
        operations.remove_file(place)
        operations.remove_file(place.with_suffix(".draft"))


def _has_owner(place: Path) -> bool:
    lock_place = place.with_suffix(".lock")
    if not lock_place.exists():
        return False
    probe = FileLock(lock_place)
    try:
        probe.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:
        return False
    with suppress(OSError):
        lock_place.unlink(missing_ok=True)
    probe.release()
    return False


def _read(place: Path) -> JournalEntry | None:
    try:
        entry = msgspec.json.decode(read_private(place) or b"", type=JournalEntry)
    except (ValueError, RecursionError):
        return None
    return None if entry.saved_at.tzinfo is None else replace(entry, place=place)
