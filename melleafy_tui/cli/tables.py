"""Lays out rows in columns of a terminal, and cuts the widest columns where they don't fit.

Rich measures cells, too, but the plain-line mode prints through the same console and must not import it.
"""

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

_GAP: Final = "  "
_LEAST: Final = 6
"""Cells that the other columns keep before one that should stay whole is cut."""
_ELLIPSIS: Final = "…"
_WIDE: Final = frozenset("WF")
_NO_CELL: Final = frozenset(("Mn", "Me", "Cf"))
_EMOJI_STYLE: Final = "\ufe0f"
"""Asks for the wide picture of the character before it; counted, so that a line is never too long."""


def laid_out(
    rows: Sequence[Sequence[str]],
    *,
    indent: str = "",
    width: int | None = None,
    whole: Collection[int] = (),
    short: Mapping[int, Callable[[str], str]] | None = None,
) -> list[str]:
    """Return the lines of a table; the last column is not padded.

    Args:
        rows: The cells of each row, without control characters; each row has the same number of cells.
        indent: What each line begins with.
        width: Cells of a line that there is room for; None cuts nothing.
        whole: Columns that are cut last, because a part of their words says nothing.
        short: The short forms of columns, used where the rows don't fit.
    """
    sizes = _sizes(rows)
    if width is not None:
        room = width - cells(indent) - len(_GAP) * (len(sizes) - 1)
        if short and sum(sizes) > room:
            rows = [
                [short[place](cell) if place in short else cell for place, cell in enumerate(row)]
                for row in rows
            ]
            sizes = _sizes(rows)
        sizes = _narrowed(sizes, room, whole)
    lines = []
    for row in rows:
        held = [cut(cell, size) for cell, size in zip(row, sizes, strict=True)]
        padded = (cell + " " * (size - cells(cell)) for cell, size in zip(held, sizes, strict=True))
        line = indent + _GAP.join(padded)
        lines.append(line.rstrip() if width is None else cut(line.rstrip(), width))
    return lines


def category_code(category: str) -> str:
    """Return the short form of a category: C2 for c2_operating_rules."""
    return category.partition("_")[0].upper()


def _sizes(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]


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


def _narrowed(sizes: Sequence[int], room: int, whole: Collection[int]) -> list[int]:
    """Return the widths of columns that fit into the room: the widest ones lose as many cells as must go."""
    narrowed = list(sizes)
    for kept, least in ((whole, _LEAST), ((), 1)):
        for level in range(max(sizes), least - 1, -1):
            if sum(narrowed) <= room:
                return narrowed
            narrowed = [size if place in kept else min(size, level) for place, size in enumerate(sizes)]
    return narrowed
