"""Three-way merge of one file: the earlier emission, the user's version, and the new emission.

merge3 does the merge. This module adds two checks: the result must parse if all three inputs did, and changed line
endings are kept as the user's edit instead of causing a conflict.
"""

import json
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from merge3 import Merge3
from msgspec import Struct

from melleafy_tui.core.language.python_syntax import parse_python

_LINE_LIMIT: Final = 200_000


class MergeResult(Struct, frozen=True):
    """The result of a merge: `data` is None on conflicts, `conflicts` is the number of conflicting places."""

    data: bytes | None
    conflicts: int = 0
    reason: str = ""


def _parse_python(text: str) -> object:
    return parse_python(text)


_PARSERS: Final[dict[str, Callable[[str], object]]] = {
    ".py": _parse_python,
    ".json": json.loads,
    ".toml": tomllib.loads,
}


def merge_three(path: str, *, before: bytes, user: bytes, now: bytes) -> MergeResult:
    """Merge the user's edits with the new emission of a file.

    Args:
        path: Path of the file; its extension determines how the result is checked.
        before: The earlier emission.
        user: The file on disk.
        now: The new emission.
    """
    if user == now or now == before:
        return MergeResult(user)
    if user == before:
        return MergeResult(now)
    if b"\0" in before + user + now:
        return MergeResult(None, 1, "the file is not text")
    user_ends_in_crlf = b"\r\n" in user and b"\r\n" not in before
    ours = user.replace(b"\r\n", b"\n") if user_ends_in_crlf else user
    base, left, right = (side.splitlines(keepends=True) for side in (before, ours, now))
    if len(base) + len(left) + len(right) > _LINE_LIMIT:
        return MergeResult(None, 1, "the file is too long to be merged")
    merged: list[bytes] = []
    conflicts = 0
    for group in Merge3(base, left, right).merge_groups():
        if group[0] == "conflict":
            conflicts += 1
        else:
            merged.extend(group[1])
    if conflicts:
        places = "1 place" if conflicts == 1 else f"{conflicts} places"
        return MergeResult(None, conflicts, f"both sides changed the same lines in {places}")
    data = b"".join(merged)
    if all(_parses(path, side) for side in (before, ours, now)) and not _parses(path, data):
        return MergeResult(
            None, 1, f"the merged text would not be a valid {PurePosixPath(path).suffix[1:]} file"
        )
    return MergeResult(data.replace(b"\n", b"\r\n") if user_ends_in_crlf else data)


def _parses(path: str, data: bytes) -> bool:
    parser = _PARSERS.get(PurePosixPath(path).suffix)
    if parser is None:
        return True
    try:
        parser(data.decode("utf-8"))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
