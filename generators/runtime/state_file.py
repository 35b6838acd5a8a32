# Static module of melleafy-tui 0.2.0, not to be edited.
"""What a package keeps between runs: a JSON file, written atomically, and its folder."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from .prompts import clock

LARGEST_FILE = 10_000_000
"""Bytes of a state file; the notes and times of a package take far fewer."""


class StateError(RuntimeError):
    """The state file can't be read or written."""


class Note(BaseModel):
    """One run."""

    at: str = Field(description="When, in UTC.")
    request: str
    reply: str


class State(BaseModel):
    """The content of the state file."""

    notes: list[Note] = []
    last_runs: dict[str, str] = Field(
        default={}, description="When each scheduled task ran last, in UTC."
    )


def home_folder(package: str) -> Path:
    """Return the folder for what a package keeps: that of <PACKAGE>_HOME, else one in the user's state folder.

    Raises:
        StateError: the user has no home folder, as in some containers.
    """
    variable = f"{package.upper()}_HOME"
    named = os.environ.get(variable, "")
    if named:
        return Path(named)
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        base = state if state.is_absolute() else Path("~/.local/state").expanduser()
    except RuntimeError as error:
        raise StateError(f"there is no home folder; set {variable}") from error
    return base / package


def load_state(path: Path) -> State:
    """Return the content of a state file, an empty state where there is none, or raise StateError."""
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


def change_state(path: Path, change: Callable[[State], None]) -> None:
    """Change a state file: all of it is written, or nothing; two runs take turns."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _turn(path):
            state = load_state(path)
            change(state)
            fresh.touch(mode=0o600)
            fresh.write_text(state.model_dump_json(indent=2) + "\n", "utf-8")
            fresh.replace(path)
    except OSError as error:
        raise StateError(f"{path}: {error.strerror}") from error


def now_in_utc() -> str:
    """Return the time of the run in ISO format."""
    return clock().astimezone(UTC).isoformat(timespec="seconds")


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
