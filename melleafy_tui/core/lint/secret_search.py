"""Searches an emitted file for secrets: the whole of it, or only its new lines where its last version held none."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.source.secrets.detector import KEY_BLOCK_KIND, find_secrets, is_released
from melleafy_tui.core.source.secrets.forms import KEY_BLOCK, SECRET_LABEL

NO_SECRETS: Final = re.compile(r"[0-9a-f]{64}\b|\"key\"(?=: ?\")|(?<=\")[a-z_][a-z0-9_]*\.main:main(?=\")")
"""Fingerprints of files, the label of plan keys, and the entry point of a command, which only look like secrets.

An entry point stands behind the agent's own name, so `"password" = "password_mellea.main:main"` reads as a field.
"""

OWN_LABELS: Final = {
    label: label.replace(name, b" " * len(name))
    for name, label in (
        (b'"key"', b'"key": "'),
        (b'"key"', b'"key":"'),
        (b'"mapping_id"', b'"mapping_id": "map_'),
    )
}
"""Labels as they stand on each row of plan and mapping, to be blanked before anything is searched.

The one of keys names a secret elsewhere, and `mapping_id` holds the word PIN.
"""

_DELIMITER: Final = re.compile(rb"\n[ \t]*\|[ \t:|]*-[ \t:|-]*(?=\n|\Z)")
"""The line between the header of a table and its rows."""

LINE_END: Final = r"\n"
"""A line end inside a literal; what stands after it is no value of the label before it."""


class Found(Struct, frozen=True):
    """What looks like a secret: where it stands (1-based), what it looks like, and the value."""

    line: int
    column: int
    kind: str
    value: str

    def is_released(self, released: frozenset[str]) -> bool:
        """Return whether the user released the value."""
        return bool(released) and self.kind != KEY_BLOCK_KIND and is_released(self.value, released)


class _Search(Struct, eq=False):
    found: tuple[Found, ...] | None = None


def secrets_of(file: EmittedFile, last: EmittedFile | None) -> tuple[Found, ...]:
    """Return every secret of a file, released or not; searched once as long as the file lives.

    Args:
        file: The file.
        last: What stood at its path when it was searched last, or None.
    """
    search = file.piece(_search)
    if search.found is None:
        known = last is not None and last.piece(_search).found == ()
        search.found = (
            () if last is not None and known and _stays_without(last.data, file.data) else _found(file)
        )
    return search.found


def _search(file: EmittedFile) -> _Search:
    del file
    return _Search()


def _found(file: EmittedFile) -> tuple[Found, ...]:
    text = _text(file.data)
    return tuple(
        Found(
            text.count("\n", 0, span.start) + 1,
            span.start - text.rfind("\n", 0, span.start),
            span.kind,
            text[span.start : span.end],
        )
        for span in find_secrets(text, read_as=_without_lookalikes)
    )


def _stays_without(before: bytes, after: bytes) -> bool:
    """Return whether bytes that differ from some without secrets hold none either; False also where it is not plain.

    A secret stands on one line, but for blocks of a private key and cells of tables.
    """
    if b"\r" in after or KEY_BLOCK.search(after.decode("utf-8", "replace")) or _has_labelled_table(after):
        return False
    old, new = _difference(before, after)
    return not find_secrets(_text(b"\n".join(set(new) - set(old))), read_as=_without_lookalikes)


def _has_labelled_table(data: bytes) -> bool:
    """Return whether the header of a table may name a secret, so that what stands below it may be one."""
    for delimiter in _DELIMITER.finditer(data):
        end = delimiter.start()
        while data[end - 1 : end] == b"\n":
            end -= 1
        if SECRET_LABEL.search(data[data.rfind(b"\n", 0, end) + 1 : end].decode("utf-8", "replace")):
            return True
    return False


def _difference(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the lines between the common ends of two texts, with a line or two of each end."""
    start = _common(before, after)
    end = _common_end(before, after, min(len(before), len(after)) - start)
    first = before.rfind(b"\n", 0, max(before.rfind(b"\n", 0, start), 0)) + 1
    old, new = (data[first : _second_line_end(data, len(data) - end)] for data in (before, after))
    return old.split(b"\n"), new.split(b"\n")


def _second_line_end(data: bytes, position: int) -> int:
    line_end = data.find(b"\n", position)
    second = data.find(b"\n", line_end + 1) if line_end >= 0 else -1
    return second if second >= 0 else len(data)


def _common(before: bytes, after: bytes) -> int:
    """Return how many bytes two texts have in common at their beginning."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(before: bytes, after: bytes, high: int) -> int:
    """Return how many bytes two texts have in common at their end, at most so many."""
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if before[len(before) - middle : len(before) - low] == after[len(after) - middle : len(after) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _text(data: bytes) -> str:
    for label, blanked in OWN_LABELS.items():
        data = data.replace(label, blanked)
    return data.decode("utf-8", "replace")


def _without_lookalikes(text: str) -> str:
    """Return a text of the same length without what only looks like secrets."""
    return NO_SECRETS.sub(lambda found: " " * len(found.group()), text).replace(LINE_END, "\x0b\x0b")
