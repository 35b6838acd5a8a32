"""Reads files byte for byte; never follows links or opens special files."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.surfaces import ExactFile
from melleafy_tui.core.openclaw.surfaces.surface_table import never_written
from melleafy_tui.core.output.paths import opened_without_links
from melleafy_tui.core.source.limits import MEGABYTE

LARGEST_FILE: Final = 50 * MEGABYTE
LARGEST_TREE: Final = 500 * MEGABYTE
MOST_FILES: Final = 50_000
DEEPEST: Final = 64


class ExactTree:
    """The files below a folder, read on demand up to a total size limit.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._bytes = 0
        self._files = 0
        self.left_behind: list[tuple[str, str]] = []
        """Paths that are never taken along, each with the reason."""

    def file(self, path: str) -> ExactFile | None:
        """Return the file at a relative path, or None if nothing exists there.

        Raises:
            UnusableInput: The path is not a regular file, leads through a link, or the file is too large.
        """
        place = self._root
        for part in path.split("/"):
            place = place / part
            kind = _kind(place)
            if kind is None:
                return None
            if stat.S_ISLNK(kind):
                raise _refused(path, "is a symbolic link, or lies behind one")
        if not stat.S_ISREG(kind or 0):
            raise _refused(path, "is not a regular file")
        return self._read(path, place)

    def below(self, folder: str) -> Iterator[ExactFile]:
        """Yield the files below a folder, sorted, with paths relative to the root; none if there is no folder.

        Raises:
            UnusableInput: One of them is a link or a special file, or a limit is exceeded.
        """
        kind = _kind(self._root / folder)
        if kind is None:
            return
        if stat.S_ISLNK(kind) or not stat.S_ISDIR(kind):
            raise _refused(folder, "is not a real folder")
        yield from self._walk(folder, 1)

    def names(self, folder: str = "") -> list[str]:
        """Return the paths of what is in a folder, sorted; those of folders end in `/`, as its own does.

        Raises:
            UnusableInput: The folder can't be listed.
        """
        return [
            folder + entry.name + ("/" if entry.is_dir(follow_symlinks=False) else "")
            for entry in _listed(self._root / folder, folder or ".")
        ]

    def _walk(self, folder: str, depth: int) -> Iterator[ExactFile]:
        if depth > DEEPEST:
            raise _refused(folder, f"is nested more than {DEEPEST} folders deep")
        for entry in _listed(self._root / folder, folder):
            path = f"{folder}/{entry.name}"
            reason = never_written(path)
            if reason:
                self.left_behind.append((path + ("/" if entry.is_dir(follow_symlinks=False) else ""), reason))
                continue
            try:
                mode = entry.stat(follow_symlinks=False).st_mode
            except OSError as error:
                raise _unreadable(path, error) from error
            if stat.S_ISDIR(mode):
                yield from self._walk(path, depth + 1)
            elif stat.S_ISREG(mode):
                yield self._read(path, Path(entry.path))
            else:
                what = "a symbolic link" if stat.S_ISLNK(mode) else "not a regular file"
                raise _refused(path, f"is {what}")

    def _read(self, path: str, place: Path) -> ExactFile:
        try:
            with opened_without_links(place) as stream:
                state = os.fstat(stream.fileno())
                data = stream.read(LARGEST_FILE + 1)
        except OSError as error:
            raise _unreadable(path, error) from error
        self._bytes += len(data)
        self._files += 1
        if len(data) > LARGEST_FILE:
            raise _refused(path, f"is larger than {LARGEST_FILE:,} bytes")
        if self._bytes > LARGEST_TREE or self._files > MOST_FILES:
            raise _refused(path, f"brings the source above {LARGEST_TREE:,} bytes or {MOST_FILES:,} files")
        return ExactFile(path, data, bool(state.st_mode & stat.S_IXUSR))


def _listed(place: Path, path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: OSError) -> UnusableInput:
    return UnusableInput(
        f"{path} cannot be read ({error.strerror or error})",
        hint="Check its permissions; nothing was written.",
        location=path,
    )


def _kind(place: Path) -> int | None:
    try:
        return place.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise UnusableInput(f"{place} cannot be looked at ({error})", hint="Check the path.") from error


def _refused(path: str, what: str) -> UnusableInput:
    return UnusableInput(
        f"{path} {what}, and only regular files are copied exactly",
        hint="Put a real file there, or leave that part out; nothing was written.",
        location=path,
    )
