"""Finds the secrets in Markdown tables whose header names passwords, keys or codes."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.source.secrets.fields import (
    NO_SECRET_LABEL,
    ON_WIFI,
    PASSWORD_LABEL,
    SECRET_LABEL,
    cell_value,
)
from melleafy_tui.core.source.secrets.noted import names_code
from melleafy_tui.core.source.secrets.spans import SecretSpan, variable_name
from melleafy_tui.core.source.secrets.unlabelled import near_entry
from melleafy_tui.core.source.secrets.values import is_password, is_token

_LINE: Final = re.compile(r"[^\r\n]+")
MOST_COLUMNS: Final = 40
_DELIMITER: Final = re.compile(r"(?=[^-]*+-)[ \t:|-]*+\Z")
_CELL: Final = re.compile(r"(?<=\|)[^|\r\n]*")


class _LabelledCell(Struct, frozen=True):
    """One cell: its header's words, its value without markup, and the offset of the value in the text."""

    header: str
    value: str
    start: int


def _line_after(text: str, position: int) -> str:
    """Return the next non-empty line after a position, or `""`."""
    line = _LINE.search(text, position)
    return line.group() if line else ""


def _is_delimiter(line: str) -> bool:
    """Return whether a line separates a table's header from its rows."""
    return bool(_DELIMITER.fullmatch(line)) and line.lstrip().startswith("|")


def _end_of_table(text: str, position: int, read_as: Callable[[str], str] = str) -> int:
    """Return where the table rows after a position end; `read_as` transforms each line before it is checked."""
    for line in _LINE.finditer(text, position):
        if not read_as(line.group()).lstrip().startswith("|"):
            return line.start()
    return len(text)


def _labelled_cells(text: str) -> Iterator[_LabelledCell]:
    """Yield every cell below a header that names a secret, in order.

    Args:
        text: Markdown; only tables whose rows begin with `|` are searched.
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
    """Yield the columns whose header names a secret, or a code in a table about doors and alarms."""
    about_places = near_entry(line)
    for column, match in zip(range(MOST_COLUMNS), _CELL.finditer(line), strict=False):
        header = match.group().strip(" \t*_`")
        named = SECRET_LABEL.search(header) or (about_places and names_code(header))
        if named and not NO_SECRET_LABEL.search(header):
            yield column, header


def _row(text: str, line: re.Match[str], headers: dict[int, str]) -> Iterator[_LabelledCell]:
    for column, match in zip(
        range(MOST_COLUMNS), _CELL.finditer(text, line.start(), line.end()), strict=False
    ):
        if column in headers:
            value = match.group().strip(" \t*_`\"'")
            if value:
                yield _LabelledCell(headers[column], value, match.start() + match.group().index(value))


def table_at(text: str, start: int, end: int, read_as: Callable[[str], str]) -> str:
    """Return the table that starts with this header line, or `""` if the line isn't a table header."""
    if not read_as(text[start:end]).lstrip().startswith("|") or not _is_delimiter(
        read_as(_line_after(text, end))
    ):
        return ""
    return read_as(text[start : _end_of_table(text, end, read_as)])


def table_cells(table: str, offset: int) -> Iterator[SecretSpan]:
    """Yield the cells below a header that names passwords or tokens."""
    first = _LINE.search(table)
    header_line = first.group() if first else ""
    on_wifi, about_places = bool(ON_WIFI.search(header_line)), near_entry(header_line)
    for cell in _labelled_cells(table):
        kind = _kind_of_cell(cell, about_places=about_places)
        start = offset + cell.start
        if kind:
            variable = variable_name(cell.header, kind.upper().replace(" ", "_"))
            yield SecretSpan(start, start + len(cell.value), kind, variable)
        elif found := cell_value(cell.header, cell.value, on_wifi=on_wifi):
            yield replace(found, start=found.start + start, end=found.end + start)


def _kind_of_cell(cell: _LabelledCell, *, about_places: bool) -> str:
    """Return what a whole cell is by its header: a password, a token, the code of a door, or `""`."""
    if PASSWORD_LABEL.search(cell.header):
        return "password" if is_password(cell.value, ends_line=True, quoted=False) else ""
    if is_token(cell.value):
        return "token"
    is_code = about_places and names_code(cell.header) and _DOOR_CODE.fullmatch(cell.value)
    return "access code" if is_code else ""


_DOOR_CODE: Final = re.compile(r"[#*]?\d{3,8}[#*]?|\d{1,2}(?:-\d{1,2}){2,5}")
