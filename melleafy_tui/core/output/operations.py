"""The few operations on files that a write is made of, in one object, so that tests can stop at each of them."""

import os
import shutil
from contextlib import suppress
from pathlib import Path


class FileOperations:
    """The operations of a write; each is one step that either happened or did not."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder and its parents where they are missing."""
        folder.mkdir(parents=True, exist_ok=True)

    def write_file(self, place: Path, data: bytes) -> None:
        """Write a new file."""
        place.write_bytes(data)

    def write_durably(self, place: Path, data: bytes) -> None:
        """Write a new file and wait until it is on the disk."""
        with place.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def settle(self, folder: Path) -> None:
        """Wait until every file below a folder is on the disk, so that a loss of power leaves no empty ones."""
        for parent, _, names in os.walk(folder):
            for place in (Path(parent, name) for name in names):
                if place.is_symlink():
                    continue
                handle = os.open(place, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    def keep(self, place: Path, beside: Path) -> None:
        """Keep a second name of a file (or of a link itself) at `beside`, as a copy where that is impossible."""
        try:
            os.link(place, beside, follow_symlinks=False)
        except OSError:
            shutil.copy2(place, beside, follow_symlinks=False)

    def copy(self, place: Path, target: Path) -> None:
        """Copy a file, or a link itself, with its times."""
        shutil.copy2(place, target, follow_symlinks=False)

    def take_mode(self, place: Path, like: Path) -> None:
        """Give a file the permissions of another."""
        with suppress(OSError):
            shutil.copymode(like, place, follow_symlinks=False)

    def make_executable(self, place: Path) -> None:
        """Let everyone run a file who may read it."""
        with suppress(OSError):
            mode = place.stat().st_mode
            place.chmod(mode | (mode & 0o444) >> 2)

    def move(self, source: Path, target: Path) -> None:
        """Move a file or folder in one step, over what stands at the target."""
        source.replace(target)

    def remove_file(self, place: Path) -> None:
        """Remove a file."""
        place.unlink(missing_ok=True)

    def remove_empty_folder(self, folder: Path) -> None:
        """Remove a folder if nothing is in it."""
        with suppress(OSError):
            folder.rmdir()

    def remove_tree(self, folder: Path) -> None:
        """Remove a folder and everything in it; a link is removed, not followed."""
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
