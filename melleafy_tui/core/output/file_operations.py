"""The file operations that a write consists of, in one class so that tests can interrupt each of them.

Below `root`, every folder on the way to a file is opened without following links and each operation acts on its open
parent folder, so that a link that came with a repository, or is put there during the run, leads nowhere.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

_HAS_HANDLES: Final = {os.open, os.mkdir, os.unlink, os.stat} <= os.supports_dir_fd
"""Whether files can be opened below an open folder; Windows can't, and opens them by their path."""

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_LINK | getattr(os, "O_BINARY", 0)


class FileOperations:
    """The file operations of a write; each is one atomic step.

    Attributes:
        root: The folder below which no link is followed, or None if links on the way are the user's own.
    """

    root: Path | None = None

    def make_folder(self, folder: Path) -> None:
        """Create a folder and its missing parents."""
        parts = self._parts(folder)
        if parts is None:
            folder.mkdir(parents=True, exist_ok=True)
        else:
            with self._walked(parts, create=True):
                pass

    def write_file(self, place: Path, data: bytes) -> None:
        """Write a new file."""
        with self._new_file(place) as out:
            out.write(data)

    def write_durably(self, place: Path, data: bytes, mode: int = 0o666) -> None:
        """Write a new file and flush it to disk."""
        with self._new_file(place, mode) as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())

    @contextmanager
    def _new_file(self, place: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
        with (
            self._parent(place) as (name, parent),
            os.fdopen(os.open(name, _NEW_FILE, mode, dir_fd=parent), "wb") as out,
        ):
            yield out

    def settle(self, folder: Path) -> None:
        """Flush every file in a folder to disk, so that a power loss leaves no empty files."""
        for parent, _, names in os.walk(folder):
            for place in (Path(parent, name) for name in names):
                if place.is_symlink():
                    continue
                handle = os.open(place, os.O_RDONLY | _NO_LINK)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    def keep(self, place: Path, beside: Path) -> None:
        """Hard-link a file (or a symbolic link itself) at `beside`, or copy it if that isn't possible."""
        with self._parent(place) as (name, source), self._parent(beside) as (kept, target):
            try:
                os.link(name, kept, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
            except OSError:
                _copy(name, source, kept, target)

    def copy(self, place: Path, target: Path) -> None:
        """Copy a file (or a symbolic link itself) with its timestamps."""
        with self._parent(place) as (name, source), self._parent(target) as (copied, folder):
            _copy(name, source, copied, folder)

    def take_mode(self, place: Path, like: Path) -> None:
        """Copy the permissions of another file to a file."""
        with suppress(OSError), self._parent(like) as (name, parent):
            mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
            self._change_mode(place, lambda _: stat.S_IMODE(mode))

    def make_executable(self, place: Path) -> None:
        """Make a file executable for everyone who can read it."""
        with suppress(OSError):
            self._change_mode(place, lambda mode: mode | (mode & 0o444) >> 2)

    def move(self, source: Path, target: Path) -> None:
        """Move a file or folder atomically, replacing the target."""
        with self._parent(source) as (old, folder), self._parent(target) as (new, into):
            os.replace(old, new, src_dir_fd=folder, dst_dir_fd=into)

    def remove_file(self, place: Path) -> None:
        """Remove a file."""
        with suppress(FileNotFoundError), self._parent(place) as (name, parent):
            os.unlink(name, dir_fd=parent)

    def remove_empty_folder(self, folder: Path) -> None:
        """Remove a folder if it is empty."""
        with suppress(OSError), self._parent(folder) as (name, parent):
            os.rmdir(name, dir_fd=parent)

    def remove_tree(self, folder: Path) -> None:
        """Remove a file, or a folder and everything in it; a symbolic link is removed, not followed."""
        with suppress(FileNotFoundError), self._parent(folder) as (name, parent):
            if stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                shutil.rmtree(name, dir_fd=parent)
            else:
                os.unlink(name, dir_fd=parent)

    def _change_mode(self, place: Path, changed: Callable[[int], int]) -> None:
        with self._parent(place) as (name, parent):
            handle = os.open(name, os.O_RDONLY | _NO_LINK, dir_fd=parent)
        try:
            if _HAS_HANDLES:
                os.fchmod(handle, stat.S_IMODE(changed(os.fstat(handle).st_mode)))
        finally:
            os.close(handle)

    def _parts(self, folder: Path) -> tuple[str, ...] | None:
        """Return the names between the root and a folder, or None where links on the way may be followed."""
        if self.root is None or not _HAS_HANDLES or not folder.is_relative_to(self.root):
            return None
        return folder.relative_to(self.root).parts

    @contextmanager
    def _parent(self, place: Path) -> Iterator[tuple[str, int | None]]:
        """Yield a place's name and its open parent folder, or its path and None where folders can't be opened."""
        if not _HAS_HANDLES:
            yield str(place), None
            return
        with self._walked(self._parts(place.parent), place.parent) as parent:
            yield place.name, parent

    @contextmanager
    def _walked(
        self, parts: Sequence[str] | None, folder: Path = Path(), *, create: bool = False
    ) -> Iterator[int]:
        """Yield a folder opened name by name below the root, or as it is if `parts` is None."""
        if create and self.root is not None:
            self.root.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder if parts is None or self.root is None else self.root, _FOLDER)
        try:
            for part in parts or ():
                outer = handle
                if create:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=outer)
                handle = os.open(part, _FOLDER | _NO_LINK, dir_fd=outer)
                os.close(outer)
            yield handle
        finally:
            os.close(handle)


def _copy(name: str, source: int | None, copied: str, folder: int | None) -> None:
    """Copy a file, or a link itself, from one open folder to another, with permissions and times."""
    found = os.stat(name, dir_fd=source, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(name, dir_fd=source), copied, dir_fd=folder)
        return
    with (
        os.fdopen(os.open(name, os.O_RDONLY | _NO_LINK, dir_fd=source), "rb") as given,
        os.fdopen(os.open(copied, _NEW_FILE, 0o600, dir_fd=folder), "wb") as taken,
    ):
        shutil.copyfileobj(given, taken)
        taken.flush()
        if _HAS_HANDLES:
            os.fchmod(taken.fileno(), stat.S_IMODE(found.st_mode))
            os.utime(taken.fileno(), ns=(found.st_atime_ns, found.st_mtime_ns))
