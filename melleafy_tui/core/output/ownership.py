"""Tells what this user's runs made: folders and emitted files, as only the user's state folder knows it.

Folders are marked, so that one which came with a repository isn't taken for ours.

Each run draws a random token. The folder holds an empty file that is named after it, and the user's state folder holds
a file of the same name with the folder's path and inode: a token may become known, as when somebody commits what a
failed run left, but it holds for no other folder. Either is enough, since a folder may be moved, and some file systems
have no lasting inodes. A journal in a folder without such a pair is never followed, and the folder is left alone.
"""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import MsgspecError, json

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.user_folders import read_private, state_folder, write_private

RUNS: Final = "runs"
EMISSIONS: Final = "emitted"
_MARK: Final = "owner-"
_TOKEN: Final = LazyRegex(rf"{_MARK}([0-9a-f]{{32}})")


def mark(folder: Path, operations: FileOperations) -> str:
    """Make a folder, mark it as ours, and return its token.

    Without a state folder the run goes on; if it is interrupted, the next one can't tell whose folder it is.

    Args:
        folder: The folder.
        operations: The file operations.
    """
    token = os.urandom(16).hex()
    runs = _runs()
    try:
        operations.make_folder(folder)
        if runs is not None:
            with suppress(OSError):
                write_private(runs / token, b"\n".join(_identities(folder)))
        operations.write_file(folder / f"{_MARK}{token}", b"")
    except BaseException:
        with suppress(OSError):
            remove_marked(folder, token, operations)
        raise
    return token


def token_of(folder: Path) -> str | None:
    """Return the token of a folder that this user's run made, `""` if the folder is empty, None if it isn't ours."""
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return None
        names = [place.name for place in folder.iterdir()]
    except OSError:
        return None
    runs = _runs()
    tokens = [found[1] for name in names if (found := _TOKEN.fullmatch(name))]
    if runs is None or len(tokens) != 1:
        return None if names else ""
    return tokens[0] if _is_of(folder, runs / tokens[0]) else None


def existing_token(folder: Path) -> str | None:
    """Return the token of our folder (`""` if it is empty), or None if nothing is there.

    Raises:
        OutputRefused: it is a link, or this user's runs didn't make it.
    """
    if not os.path.lexists(folder):
        return None
    token = token_of(folder)
    if token is None:
        what = "is a symbolic link" if folder.is_symlink() else "was not made by a run of yours"
        raise OutputRefused(
            f"{folder} {what}, so it is neither followed nor removed",
            hint="Look at it, then move it away or remove it, and run the command again.",
        )
    return token


def remove_marked(folder: Path, token: str, operations: FileOperations) -> None:
    """Remove a folder of ours, its mark last, so that a killed removal is still known as ours.

    Args:
        folder: The folder.
        token: Its token.
        operations: The file operations.
    """
    own = f"{_MARK}{token}"
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        if place.name != own:
            operations.remove_tree(place)
    operations.remove_file(folder / own)
    operations.remove_empty_folder(folder)
    runs = _runs()
    if runs is not None and token:
        with suppress(OSError):
            (runs / token).unlink()


Known = Mapping[str, tuple[str, ...]]
"""The SHA-256 of what this user's last two runs emitted to an output folder, by path."""


def known_emission(out: Path) -> Known:
    """Return what this user's runs emitted to an output folder, as the state folder has it."""
    place = _emission(out)
    data = read_private(place) if place is not None else None
    try:
        return json.decode(data, type=dict[str, tuple[str, ...]]) if data is not None else {}
    except MsgspecError:
        return {}


def remember_emission(out: Path, emitted: Mapping[str, str], known: Known) -> None:
    """Note in the state folder what a run is about to emit.

    Of each file the earlier bytes stay noted too, since a write that is killed can be taken back. Without a state
    folder nothing is known later, and the next run makes copies.

    Args:
        out: The output folder.
        emitted: The SHA-256 of each file, by path.
        known: What was noted before.
    """
    noted = {path: (digest, *known.get(path, ())) for path, digest in emitted.items()}
    noted = {path: tuple(dict.fromkeys(digests))[:2] for path, digests in noted.items()}
    gone = {path: digests for path, digests in known.items() if path not in emitted and (out / path).exists()}
    place = _emission(out)
    if place is not None and {**noted, **gone} != known:
        with suppress(OSError):
            write_private(place, json.encode({**noted, **gone}))


def _emission(out: Path) -> Path | None:
    state = state_folder(os.environ)
    name = sha256(os.fsencode(os.path.realpath(out))).hexdigest()[:32]
    return state / EMISSIONS / f"{name}.json" if state is not None else None


def _is_of(folder: Path, token: Path) -> bool:
    try:
        inode, _, path = (read_private(token) or b"").partition(b"\n")
        return inode == _identities(folder)[0] or path == _identities(folder)[1]
    except OSError:
        return False


def _identities(folder: Path) -> tuple[bytes, bytes]:
    return str(folder.lstat().st_ino).encode(), os.fsencode(folder.absolute())


def _runs() -> Path | None:
    state = state_folder(os.environ)
    return state / RUNS if state is not None else None
