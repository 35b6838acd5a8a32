"""Checks that output paths stay inside the output folder, and locates and locks the writer's work folder.

The work folder is next to the output folder, on the same file system, so that every move is one rename. If the parent
isn't writable, or the output folder is a mount point, the work folder is inside the output folder.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256
from io import BufferedReader
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Final

from melleafy_tui.core.errors import MelleafyError, OutputRefused
from melleafy_tui.core.source.limits import (
    LOCK_SUFFIX,
    LONGEST_NAME,
    OWN_PREFIX,
    SKIPPED_TREES,
    VERSION_CONTROL,
    WORK_SUFFIX,
)

BACKUP_FOLDER: Final = ".melleafy-backup"
PARTIAL_FOLDER: Final = ".melleafy-partial"
BESIDE_PACKAGE: Final = frozenset({"pyproject.toml", ".env.example"})
"""The files that are emitted next to the package's folder."""

DECISIONS_NAME: Final = "melleafy-decisions.json"
"""The decisions file, which the wizard can save in the output folder before the package is first written."""


def is_control_name(name: str) -> bool:
    """Return whether a name in the output folder belongs to the writer, such as `.melleafy-backup`."""
    return name.startswith(OWN_PREFIX)


def stays_inside(path: str, *, control: bool = False) -> bool:
    """Return whether a recorded or emitted path is inside the output folder.

    Args:
        path: The path, relative and POSIX.
        control: Whether to allow the writer's own files too.
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


def can_be_emitted(path: str, packages: Iterable[str]) -> bool:
    """Return whether a file that a record lists may be one of an emission; anyone can change a record.

    Args:
        path: The path, as the record has it.
        packages: The folders of packages, each ending in `/`, or `""` for the output folder itself.
    """
    if not stays_inside(path) or PurePosixPath(path).name == DECISIONS_NAME:
        return False
    if any(part.casefold().rstrip(". ") in SKIPPED_TREES[VERSION_CONTROL] for part in path.split("/")):
        return False
    return path in BESIDE_PACKAGE or path.startswith(tuple(packages))


def refuse_link_on_the_way(out: Path, path: str) -> None:
    """Check that no folder between the output folder and a file is a symbolic link.

    Raises:
        OutputRefused: a folder is a symbolic link.
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
    """Return the SHA-256 of a file, or of a symbolic link's target path, or None if neither exists.

    Raises:
        OutputRefused: it isn't a file, or can't be read.
    """
    try:
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            return sha256(b"link\0" + os.fsencode(place.readlink())).hexdigest()
        if stat.S_ISREG(mode):
            with opened_without_links(place) as stream:
                return file_digest(stream, "sha256").hexdigest()
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


def free_place(place: Path, digest: str) -> Path:
    """Return a place, with a number if needed, where there is no file or the one with this SHA-256.

    Raises:
        OutputRefused: a place can't be read.
    """
    numbered = (place.with_name(f"{place.name}.{number}") for number in count(2))
    return next(found for found in chain([place], numbered) if digest_on_disk(found) in (None, digest))


_READING: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
)
"""Opens a pipe without waiting for somebody to write to it."""

LARGEST_TEXT: Final = 64_000_000
"""Bytes; a larger file of an output folder is compared by its digest alone."""


def read_without_links(place: Path) -> bytes:
    """Return the bytes of a regular file that isn't a symbolic link.

    Raises:
        OSError: it is a link or something else, is larger than `LARGEST_TEXT`, or can't be read.
    """
    with opened_without_links(place) as stream:
        if os.fstat(stream.fileno()).st_size > LARGEST_TEXT:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST_TEXT:,} bytes", str(place))
        return stream.read()


@contextmanager
def opened_without_links(place: Path) -> Iterator[BufferedReader]:
    """Open a regular file that isn't a symbolic link, without waiting for a pipe's writer.

    Raises:
        OSError: it is a link or something else, or can't be read.
    """
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(place))
    with os.fdopen(os.open(place, _READING), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(place))
        yield stream


def work_folder(out: Path) -> Path:
    """Return the folder in which a write to `out` is prepared."""
    return _beside_or_in(out, WORK_SUFFIX)


def lock_file(out: Path) -> Path:
    """Return the lock file for writes to `out`."""
    return _beside_or_in(out, LOCK_SUFFIX)


def _beside_or_in(out: Path, suffix: str) -> Path:
    if _works_inside(out):
        return out / suffix
    name = f".{out.name}{suffix}"
    if len(os.fsencode(name)) > LONGEST_NAME:
        name = f".{sha256(os.fsencode(out.name)).hexdigest()[:32]}{suffix}"
    return out.parent / name


def _works_inside(out: Path) -> bool:
    try:
        return out.is_dir() and (
            not os.access(out.parent, os.W_OK) or out.stat().st_dev != out.parent.stat().st_dev
        )
    except OSError:
        return False


LOCK_PATIENCE: Final = 10.0
"""Seconds to wait for another run on the same output."""


@contextmanager
def locked(out: Path, patience: float = LOCK_PATIENCE) -> Iterator[None]:
    """Hold the lock of an output folder.

    Raises:
        OutputRefused: another run holds it, or no file can be created there.
    """
    from filelock import FileLock, Timeout  # not needed by runs that change nothing

    place = lock_file(out)
    if os.path.lexists(place) and not _is_lock(place):
        raise OutputRefused(
            f"{place} is not a regular file of ours, so the output can't be locked",
            hint="Look at it, then move it away or remove it, and run the command again.",
        )
    _create(place, out)
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
        # Removed while it is held: filelock notices that the name is gone and opens it again.
        place.unlink(missing_ok=True)
        lock.release()


def _is_lock(place: Path) -> bool:
    """Return whether a file may be a lock: it is empty, and has no other name, since locking would empty it."""
    try:
        found = place.lstat()
    except FileNotFoundError:
        return True
    return stat.S_ISREG(found.st_mode) and found.st_size == 0 and found.st_nlink <= 1


def _create(place: Path, out: Path) -> None:
    """Create the lock file, because the lock itself would wait where that is impossible.

    Raises:
        OutputRefused: the place takes no files; the message says why.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.touch()
    except (FileExistsError, NotADirectoryError, FileNotFoundError) as error:
        lost = isinstance(error, FileNotFoundError)
        why = f"no files can be created in {place.parent}" if lost else f"{error.filename} is not a folder"
        raise OutputRefused(
            f"{out} can't be created: {why}", hint="Choose another folder with --out."
        ) from error


@contextmanager
def writable(out: Path) -> Iterator[None]:
    """Convert an OSError into OutputRefused.

    Raises:
        OutputRefused: a file operation failed.
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
