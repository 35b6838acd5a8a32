"""Finds the user's folders for state, configuration and caches by the platform's conventions; None without a home."""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from errno import EPERM
from pathlib import Path
from typing import Final

APPLICATION: Final = "melleafy-tui"
CONFIG_NAME: Final = "config.toml"
LARGEST_STATE: Final = 20_000_000
"""Most bytes that are read of a file below the state folder."""

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def home_folder() -> Path | None:
    """Return the home folder, or None if there is none."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home if home.is_absolute() else None


def state_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of journals and logs (`$XDG_STATE_HOME/melleafy-tui`)."""
    return _folder(environment, "state", ".local/state")


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of what can be made again (`$XDG_CACHE_HOME/melleafy-tui`)."""
    return _folder(environment, "cache", ".cache")


def make_private(folder: Path) -> None:
    """Create a folder below one of ours; nobody but the user can look into it, or into ours above it.

    Raises:
        OSError: it can't be made, or somebody else made it or a link in its place.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for place in _ours(folder):
        if not _is_own(place.lstat()):
            raise PermissionError(EPERM, "It belongs to somebody else", str(place))
        place.chmod(0o700)


def read_private(place: Path, most: int = LARGEST_STATE) -> bytes | None:
    """Return a file below the state folder, or None if there is none that the user alone can have written.

    Args:
        place: The file.
        most: The size of the largest file that is read.
    """
    try:
        if not all(_is_own(each.lstat()) and _is_closed(each.stat()) for each in _ours(place.parent)):
            return None
        with os.fdopen(os.open(place, os.O_RDONLY | _NO_LINK), "rb") as file:
            found = os.fstat(file.fileno())
            is_plain = stat.S_ISREG(found.st_mode) and found.st_size <= most
            return file.read(found.st_size) if is_plain and _is_own(found) and _is_closed(found) else None
    except OSError:
        return None


def _ours(folder: Path) -> Iterator[Path]:
    """Yield a folder of ours and those of ours above it."""
    for place in (folder, *folder.parents):
        if APPLICATION not in place.parts:
            return
        yield place
        if place.name == APPLICATION:
            return


def _is_own(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.geteuid()


def _is_closed(found: os.stat_result) -> bool:
    return sys.platform == "win32" or not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_private(place: Path, data: bytes) -> None:
    """Write a file below the state folder that nobody but the user can read, replacing an earlier one at once."""
    make_private(place.parent)
    draft = place.with_name(f"{place.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    draft.replace(place)


def config_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the configuration (`$XDG_CONFIG_HOME/melleafy-tui`)."""
    return _folder(environment, "config", ".config")


def config_file(environment: Mapping[str, str]) -> Path | None:
    """Return the path of the user's configuration file, or None without a configuration folder."""
    folder = config_folder(environment)
    return folder / CONFIG_NAME if folder is not None else None


def _folder(environment: Mapping[str, str], kind: str, on_linux: str) -> Path | None:
    """Return our folder of a kind: the one that a variable names, or where the platform has such folders."""
    named = environment.get(f"XDG_{kind.upper()}_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / APPLICATION
    if not named and sys.platform == "linux" and (home := home_folder()) is not None:
        return home / on_linux / APPLICATION
    from platformdirs import PlatformDirs  # 3 ms

    path = Path(getattr(PlatformDirs(APPLICATION, appauthor=False), f"user_{kind}_dir"))
    return path if path.is_absolute() else None
