"""The file operations that a write consists of, in one class so that tests can interrupt each of them."""

import os
import shutil
from contextlib import suppress
from pathlib import Path


class FileOperations:
    """The file operations of a write; each is one atomic step."""

    def make_folder(self, folder: Path) -> None:
        """Create a folder and its missing parents."""
        folder.mkdir(parents=True, exist_ok=True)

    def write_file(self, place: Path, data: bytes) -> None:
        """Write a new file."""
        place.write_bytes(data)

    def write_durably(self, place: Path, data: bytes) -> None:
        """Write a new file and flush it to disk."""
        with place.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def settle(self, folder: Path) -> None:
        """Flush every file in a folder to disk, so that a power loss leaves no empty files."""
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
        """Hard-link a file (or a symbolic link itself) at `beside`, or copy it if that isn't possible."""
        try:
            os.link(place, beside, follow_symlinks=False)
        except OSError:
            shutil.copy2(place, beside, follow_symlinks=False)

    def copy(self, place: Path, target: Path) -> None:
        """Copy a file (or a symbolic link itself) with its timestamps."""
        shutil.copy2(place, target, follow_symlinks=False)

    def take_mode(self, place: Path, like: Path) -> None:
        """Copy the permissions of another file to a file."""
        with suppress(OSError):
            shutil.copymode(like, place, follow_symlinks=False)

    def make_executable(self, place: Path) -> None:
        """Make a file executable for everyone who can read it."""
        with suppress(OSError):
            mode = place.stat().st_mode
            place.chmod(mode | (mode & 0o444) >> 2)

    def move(self, source: Path, target: Path) -> None:
        """Move a file or folder atomically, replacing the target."""
        source.replace(target)

    def remove_file(self, place: Path) -> None:
        """Remove a file."""
        place.unlink(missing_ok=True)

    def remove_empty_folder(self, folder: Path) -> None:
        """Remove a folder if it is empty."""
        with suppress(OSError):
            folder.rmdir()

    def remove_tree(self, folder: Path) -> None:
        """Remove a folder and everything in it; a symbolic link is removed, not followed."""
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
