"""Cells of Markdown tables that stand below a header which names a secret: `| service | token |`."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.workspace.secret_forms import NO_SECRET_LABEL, SECRET_LABEL

MOST_COLUMNS: Final = 40

_DELIMITER: Final = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*\Z")
_CELL: Final = re.compile(r"(?<=\|)[^|\r\n]*")
_LINE: Final = re.compile(r"[^\r\n]+")


class LabelledCell(Struct, frozen=True):
    """One cell: its header's words, its value without marks, and where the value starts in the text."""

    header: str
    value: str
    start: int


def line_after(text: str, position: int) -> str:
    """Return the next line behind a place that is not empty, or `""`."""
    line = _LINE.search(text, position)
    return line.group() if line else ""


def is_delimiter(line: str) -> bool:
    """Return whether a line divides the header of a table from its rows."""
    return bool(_DELIMITER.fullmatch(line)) and line.lstrip().startswith("|")


def end_of_table(text: str, position: int, read_as: Callable[[str], str] = str) -> int:
    """Return where the rows of a table end that go on behind a place, each line read as a function says."""
    for line in _LINE.finditer(text, position):
        if not read_as(line.group()).lstrip().startswith("|"):
            return line.start()
    return len(text)


def labelled_cells(text: str) -> Iterator[LabelledCell]:
    """Yield every cell below a header that names a secret, in order.

    Args:
        text: Markdown; only tables whose rows begin with `|` are looked at.
    """
    before: re.Match[str] | None = None
    headers: dict[int, str] = {}
    for line in _LINE.finditer(text):
        words = line.group()
        if not words.lstrip().startswith("|"):
            before, headers = None, {}
            continue
        if before is not None and _DELIMITER.fullmatch(words):
            headers = dict(_secret_headers(before.group()))
        elif headers:
            yield from _row(text, line, headers)
        before = line


def _secret_headers(line: str) -> Iterator[tuple[int, str]]:
    for column, match in zip(range(MOST_COLUMNS), _CELL.finditer(line), strict=False):
        header = match.group().strip(" \t*_`")
        if SECRET_LABEL.search(header) and not NO_SECRET_LABEL.search(header):
            yield column, header


def _row(text: str, line: re.Match[str], headers: dict[int, str]) -> Iterator[LabelledCell]:
    for column, match in zip(
        range(MOST_COLUMNS), _CELL.finditer(text, line.start(), line.end()), strict=False
    ):
        if column in headers:
            value = match.group().strip(" \t*_`\"'")
            if value:
                yield LabelledCell(headers[column], value, match.start() + match.group().index(value))
