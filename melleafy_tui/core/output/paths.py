"""Where the writer may reach: paths that stay inside the output folder, and the places it works in.

Work is done in a folder beside the output folder, on the same file system, so that every move is one rename. Where the
parent cannot be written, or the output folder is a mount of its own, the work folder lies inside it.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from melleafy_tui.core.errors import MelleafyError, OutputRefused

CONTROL_PREFIX: Final = ".melleafy-"
BACKUP_FOLDER: Final = ".melleafy-backup"
PARTIAL_FOLDER: Final = ".melleafy-partial"
DECISIONS_NAME: Final = "melleafy-decisions.json"
"""A wizard may save the decisions into the output folder before the package is first written."""


def is_control_name(name: str) -> bool:
    """Return whether a name in the output folder belongs to the writer itself (`.melleafy-backup` and its kin)."""
    return name.startswith(CONTROL_PREFIX)


def stays_inside(path: str, *, control: bool = False) -> bool:
    """Return whether a recorded or emitted path names a file below the output folder.

    Args:
        path: The path, relative and POSIX.
        control: Whether it may also name one of the writer's own files.
    """
    pure = PurePosixPath(path)
    return (
        bool(pure.parts)
        and "\0" not in path
        and "\\" not in path
        and not pure.is_absolute()
        and str(pure) == path
        and ".." not in pure.parts
        and (control or not is_control_name(pure.parts[0]))
    )


def refuse_link_on_the_way(out: Path, path: str) -> None:
    """Raise where a folder between the output folder and a file is a symbolic link.

    Raises:
        OutputRefused: there is such a link.
    """
    folder = out
    for part in PurePosixPath(path).parts[:-1]:
        folder = folder / part
        if folder.is_symlink():
            raise OutputRefused(
                f"{folder} is a symbolic link, and links inside the output folder are not followed",
                hint="Replace it by a real folder, or choose another output folder with --out.",
            )


def digest_on_disk(place: Path) -> str | None:
    """Return the SHA-256 of a file, of its target's name for a link, or None where there is nothing.

    Raises:
        OutputRefused: something stands there that is no file, or it cannot be read.
    """
    try:
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            return sha256(b"link\0" + os.fsencode(place.readlink())).hexdigest()
        if stat.S_ISREG(mode):
            return sha256(place.read_bytes()).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise OutputRefused(
            f"{place} cannot be read ({error.strerror})", hint="Check its permissions; nothing was written."
        ) from error
    what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
    raise OutputRefused(
        f"{place} is {what}, and a file of that name is emitted",
        hint="Move it away, or choose another output folder with --out.",
    )


def work_folder(out: Path) -> Path:
    """Return the folder in which a write of `out` is prepared."""
    return out / f"{CONTROL_PREFIX}work" if _works_inside(out) else out.parent / f".{out.name}.melleafy-work"


def lock_file(out: Path) -> Path:
    """Return the file whose lock a write of `out` holds."""
    return out / f"{CONTROL_PREFIX}lock" if _works_inside(out) else out.parent / f".{out.name}.melleafy-lock"


def _works_inside(out: Path) -> bool:
    try:
        return out.is_dir() and (
            not os.access(out.parent, os.W_OK) or out.stat().st_dev != out.parent.stat().st_dev
        )
    except OSError:
        return False


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
