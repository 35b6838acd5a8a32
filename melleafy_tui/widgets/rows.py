"""Rows of a list as plain data, and which of them are left when groups are folded and a search narrows.

A list draws rows; it is here that depth, groups and search have their meaning.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from melleafy_tui.widgets.styled_text import Line, Span, Tone


class ListRow(Protocol):
    """What a list asks of a row.

    A long list has rows that hold what they are made from and say the rest when they are asked, which is when they are
    drawn or searched: ten thousand finished rows take as much memory as all that they show.
    """

    @property
    def id(self) -> str:
        """What stays the same when rows come and go; the cursor holds on to it."""

    @property
    def line(self) -> Line | Callable[[int], Line]:
        """What is shown, or a function of the width that gives it."""

    @property
    def depth(self) -> int:
        """How far it stands in; rows deeper than a group belong to it."""

    @property
    def group(self) -> bool:
        """It can be folded."""

    @property
    def search(self) -> str:
        """What a search looks in, in lower case."""

    @property
    def selectable(self) -> bool:
        """Whether the cursor may stand on it."""


class Row(Struct, frozen=True):
    """One finished row; `ListRow` says what each attribute means."""

    id: str
    line: Line | Callable[[int], Line]
    depth: int = 0
    group: bool = False
    search: str = ""
    selectable: bool = True


def kept_rows(
    rows: Sequence[ListRow],
    *,
    folded: Collection[str],
    needle: str,
    only: Collection[str] | None,
    among: Sequence[int] | None = None,
    grouped: bool = True,
    texts: Sequence[str] | None = None,
) -> Sequence[int]:
    """Return the places of the rows that are neither folded away nor filtered out.

    Args:
        rows: All rows, those of a group deeper than its head.
        folded: Ids of the groups that are folded; they hold while nothing narrows the list.
        needle: What a row must hold, in lower case; `""` for any.
        only: Ids of the rows that a filter lets through; None for all.
        among: Places of rows that may hold it, with the groups above them; None for all.
        grouped: Whether rows stand in groups.
        texts: What a search looks in, by place; None where it is still to be asked of the rows.
    """
    places = range(len(rows)) if among is None else among
    if needle or only is not None:
        if grouped or only is not None:
            return list(_narrowed(rows, needle, only, places, texts))
        if texts is not None:
            return [place for place in places if needle in texts[place]]
        return [place for place in places if needle in rows[place].search]
    return list(_unfolded(rows, folded)) if grouped else places


def _unfolded(rows: Sequence[ListRow], folded: Collection[str]) -> Iterator[int]:
    hidden_below: int | None = None
    for index, row in enumerate(rows):
        if hidden_below is not None:
            if row.depth > hidden_below:
                continue
            hidden_below = None
        if row.group and row.id in folded:
            hidden_below = row.depth
        yield index


def _narrowed(
    rows: Sequence[ListRow],
    needle: str,
    only: Collection[str] | None,
    among: Sequence[int],
    texts: Sequence[str] | None,
) -> Iterator[int]:
    above: list[int] = []
    for index in among:
        row = rows[index]
        while above and rows[above[-1]].depth >= row.depth:
            above.pop()
        if row.group:
            above.append(index)
            continue
        if only is not None and row.id not in only:
            continue
        if needle and needle not in (row.search if texts is None else texts[index]):
            continue
        yield from above
        above = []
        yield index


def groups_above(rows: Sequence[ListRow], place: int) -> Iterator[str]:
    """Yield the ids of the groups that a row stands in."""
    depth = rows[place].depth
    for index in range(place, -1, -1):
        row = rows[index]
        if row.depth < depth:
            depth = row.depth
            yield row.id


def members(rows: Sequence[ListRow], row_id: str) -> list[str]:
    """Return the ids of the rows of the group that a row heads or stands in; without groups, of all rows."""
    held: list[str] = []
    found = False
    for row in rows:
        if row.group:
            if found:
                break
            held = []
        else:
            held.append(row.id)
        found = found or row.id == row_id
    return held if found else []


def with_finds(line: Line, needle: str) -> Line:
    """Return a line in which every find of a search stands out."""
    if not needle:
        return line
    pieces: list[Span] = []
    for text, tone in line:
        folded, start = text.casefold(), 0
        if len(folded) == len(text):
            while (found := folded.find(needle, start)) >= 0:
                pieces.append((text[start:found], tone))
                start = found + len(needle)
                pieces.append((text[found:start], Tone.FOUND))
        pieces.append((text[start:], tone))
    return tuple(pieces)
