"""Autosave: the decisions of a running wizard, written whole after each act (spec/decisions.md, "Autosave").

A workspace has one folder of journals; each wizard writes its own file and holds a lock on it while it runs, so two
wizards are told apart, and a journal without a living owner is one to offer. Nothing here reads a clock or the
environment.

    <state>/<hash of the workspace's root>/<session>.json   decisions, with time and number of acts
    <state>/<hash of the workspace's root>/<session>.lock   held while the wizard runs
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from melleafy_tui.core.output.operations import FileOperations

JOURNAL_FORMAT: Final = "1.0"
_LARGEST_JOURNAL: Final = 20_000_000


@dataclass(frozen=True)
class JournalEntry:
    """A journal that a wizard left behind.

    Attributes:
        place: The file.
        decisions: The decisions, as the text of a decisions file.
        acts: How many acts it holds.
        saved_at: When the last one was made.
        workspace: The root it was made for.
        snapshot: The id of the snapshot it was made on.
    """

    place: Path
    decisions: str
    acts: int
    saved_at: datetime
    workspace: str
    snapshot: str

    def age(self, now: datetime) -> str:
        """Return how old it is in words; a clock that went backwards gives "just now"."""
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
        session: A name that no other running wizard has, for example its process id and start time.
        operations: The operations on files; tests hand in others.
    """

    def __init__(self, folder: Path, session: str, operations: FileOperations | None = None) -> None:
        self._place = folder / f"{session}.json"
        self._operations = operations or FileOperations()
        self._lock = FileLock(folder / f"{session}.lock")

    def record(
        self, decisions: str, *, acts: int, saved_at: datetime, workspace: str = "", snapshot: str = ""
    ) -> None:
        """Write the decisions as they stand; the journal before is replaced in one step.

        Raises:
            OSError: the state folder cannot be written; the journal before is still there.
        """
        self._operations.make_folder(self._place.parent)
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
        self._operations.write_durably(draft, json.dumps(document, indent=1).encode())
        self._operations.move(draft, self._place)

    def clear(self) -> None:
        """Remove the journal: the decisions were saved, or given up."""
        _discard(self._place, self._operations)

    def close(self) -> None:
        """Let go of the journal, which stays for the next start unless it was cleared."""
        lock_place = Path(self._lock.lock_file)
        if self._lock.is_locked:
            with suppress(OSError):
                lock_place.unlink(missing_ok=True)
            self._lock.release()


def left_behind(folder: Path) -> tuple[JournalEntry, ...]:
    """Return the journals without a living owner, newest first; unreadable ones are passed over, not removed."""
    try:
        places = sorted(folder.glob("*.json"))
    except OSError:
        return ()
    found = [entry for place in places if not _has_owner(place) and (entry := _read(place)) is not None]
    return tuple(sorted(found, key=lambda entry: (entry.saved_at, entry.place.name), reverse=True))


def discard(entry: JournalEntry) -> None:
    """Remove a journal that was resumed or that the user gave up."""
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
        if place.is_symlink() or place.stat().st_size > _LARGEST_JOURNAL:
            return None
        document: Mapping[str, object] = json.loads(place.read_bytes())
        saved_at = datetime.fromisoformat(str(document["saved_at"]))
        decisions, acts = document["decisions"], document["acts"]
        workspace, snapshot = document["workspace"], document["snapshot"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(decisions, str) or not isinstance(acts, int) or saved_at.tzinfo is None:
        return None
    return JournalEntry(place, decisions, acts, saved_at, str(workspace), str(snapshot))
