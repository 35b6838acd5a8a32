"""Lays out rows in columns of a terminal, and cuts the widest columns where they don't fit.

Rich measures cells, too, but the plain-line mode prints through the same console and must not import it.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

_GAP: Final = "  "
_ELLIPSIS: Final = "…"
_WIDE: Final = frozenset("WF")
_NO_CELL: Final = frozenset(("Mn", "Me", "Cf"))
_EMOJI_STYLE: Final = "\ufe0f"
"""Asks for the wide picture of the character before it; counted, so that a line is never too long."""


def laid_out(rows: Sequence[Sequence[str]], *, indent: str = "", width: int | None = None) -> list[str]:
    """Return the lines of a table; the last column is not padded.

    Args:
        rows: The cells of each row, without control characters; each row has the same number of cells.
        indent: What each line begins with.
        width: Cells of a line that there is room for; None cuts nothing.
    """
    sizes = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    if width is not None:
        sizes = _narrowed(sizes, width - cells(indent) - len(_GAP) * (len(sizes) - 1))
    lines = []
    for row in rows:
        line = indent + _GAP.join(
            _padded(cut(cell, size), size) for cell, size in zip(row, sizes, strict=True)
        )
        lines.append(line.rstrip() if width is None else cut(line.rstrip(), width))
    return lines


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def cut(text: str, width: int) -> str:
    """Return a text that takes at most this many cells, with an ellipsis where it was cut."""
    if cells(text) <= width:
        return text
    room = width - 1
    kept = 0
    for character in text:
        room -= _cells_of(character)
        if room < 0:
            break
        kept += 1
    return f"{text[:kept]}{_ELLIPSIS}"


def _cells_of(character: str) -> int:
    if character.isascii() or character == _EMOJI_STYLE:
        return 1
    if unicodedata.category(character) in _NO_CELL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _narrowed(sizes: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that fit into the room: the widest ones lose as many cells as must go."""
    narrowed = list(sizes)
    for level in range(min(max(sizes), max(room, 1)), 0, -1):
        if sum(narrowed) <= room:
            break
        narrowed = [min(size, level) for size in sizes]
    return narrowed
