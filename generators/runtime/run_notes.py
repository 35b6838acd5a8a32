# Static module of melleafy-tui 0.2.0, not to be edited.
"""Notes of the last runs, which a run sees: a JSON file, written whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from .home import StateError
from .prompts import clock

KEPT_NOTES = 20
LONGEST_PART = 1000
"""Characters of a request or a reply that a note keeps."""
LONGEST_STATE = 6000
"""Characters of the notes that a run sees, so that they always fit its prompt."""
LARGEST_FILE = 10_000_000
"""Bytes of a state file; the notes of a package take far fewer."""


class Note(BaseModel):
    """One run."""

    at: str = Field(description="When, in UTC.")
    request: str
    reply: str


class State(BaseModel):
    """The content of the state file."""

    notes: list[Note] = []


def working_state(path: Path) -> str:
    """Return the notes of the last runs, one a line; empty when there are none.

    Older ones are left out beyond LONGEST_STATE.
    """
    lines: list[str] = []
    left = LONGEST_STATE
    for note in reversed(_load(path).notes):
        line = " ".join(f"{note.at}: {note.request} -> {note.reply}".split())
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def save_note(path: Path, request: str, reply: str) -> None:
    """Add a run to the state file, which keeps the last ones; long texts are cut."""
    now = clock().astimezone(UTC).isoformat(timespec="seconds")
    note = Note(at=now, request=_cut(request), reply=_cut(reply))
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _turn(path):
            state = State(notes=[*_load(path).notes, note][-KEPT_NOTES:])
            fresh.touch(mode=0o600)
            fresh.write_text(state.model_dump_json(indent=2) + "\n", "utf-8")
            fresh.replace(path)
    except OSError as error:
        raise StateError(f"{path}: {error.strerror}") from error


def _load(path: Path) -> State:
    """Return the content of a state file, an empty state where there is none."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise StateError(f"{path} is too large for a state file")
        return State.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return State()
    except ValidationError as error:
        raise StateError(f"{path} is not a state file of this package") from error
    except OSError as error:
        raise StateError(f"{path}: {error.strerror}") from error


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Hold the lock of a state file, where the system has locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cut(text: str) -> str:
    """Return a text that a file can hold, visibly cut at LONGEST_PART."""
    short = text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]} [cut]"
    return short.encode("utf-8", "replace").decode()
