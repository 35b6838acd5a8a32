"""Who may write to an output folder: one run at a time, and a refusing disk is an error with the place in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import MelleafyError, OutputRefused
from melleafy_tui.core.writing.places import lock_file

LOCK_PATIENCE: Final = 10.0
"""Seconds that a run waits for another one on the same output."""


@contextmanager
def locked(out: Path, patience: float = LOCK_PATIENCE) -> Iterator[None]:
    """Hold the lock of an output folder.

    Raises:
        OutputRefused: another run holds it.
    """
    from filelock import FileLock, Timeout  # a run that changes nothing locks nothing

    place = lock_file(out)
    place.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(place)
    try:
        lock.acquire(timeout=patience, poll_interval=0.02)
    except Timeout as error:
        raise OutputRefused(
            f"Another run is writing to {out}", hint="Wait until it has finished, then run the command again."
        ) from error
    try:
        yield
    finally:
        # Removed while it is held: filelock sees that the name is gone and opens it anew.
        place.unlink(missing_ok=True)
        lock.release()


@contextmanager
def writable(out: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error that says so.

    Raises:
        OutputRefused: an operation on a file failed.
    """
    try:
        yield
    except MelleafyError:
        raise
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else str(out)
        raise OutputRefused(
            f"{where} cannot be written ({error.strerror or error}); the output is as it was",
            hint="Check the free space and the permissions of the folder, then run the command again.",
        ) from error
