"""Three-way merge of one file: the earlier emission, the user's version, and the new emission.

merge3 does the merge. This module adds two checks: the result must parse if all three inputs did, and changed line
endings are kept as the user's edit instead of causing a conflict.
"""

import json
import tomllib
from collections.abc import Callable
from itertools import chain
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


_PARSERS: Final[dict[str, Callable[[str], object]]] = {
    ".py": parse_python,
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
    if b"\r\n" not in user or b"\r\n" in before:
        return _merged_lines(path, before, user, now)
    merged = _merged_lines(path, before, user.replace(b"\r\n", b"\n"), now)
    return merged if merged.data is None else MergeResult(merged.data.replace(b"\n", b"\r\n"))


def _merged_lines(path: str, *sides: bytes) -> MergeResult:
    base, left, right = (side.splitlines(keepends=True) for side in sides)
    if len(base) + len(left) + len(right) > _LINE_LIMIT:
        return MergeResult(None, 1, "the file is too long to be merged")
    groups = list(Merge3(base, left, right).merge_groups())
    conflicts = sum(group[0] == "conflict" for group in groups)
    if conflicts:
        places = "1 place" if conflicts == 1 else f"{conflicts} places"
        return MergeResult(None, conflicts, f"both sides changed the same lines in {places}")
    data = b"".join(chain.from_iterable(group[1] for group in groups))
    if not _parses(path, data) and all(_parses(path, side) for side in sides):
        return MergeResult(
            None, 1, f"the merged text would not be a valid {PurePosixPath(path).suffix[1:]} file"
        )
    return MergeResult(data)


def _parses(path: str, data: bytes) -> bool:
    parser = _PARSERS.get(PurePosixPath(path).suffix)
    if parser is None:
        return True
    try:
        parser(data.decode("utf-8"))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
