"""Rows of a list as plain data, and which of them are left when groups are folded and a search narrows.

A list draws rows; it is here that depth, groups and search have their meaning.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence

from msgspec import Struct

from melleafy_tui.widgets.tones import Line, Span, Tone


class Row(Struct, frozen=True):
    """One row.

    Attributes:
        id: What stays the same when rows come and go; the cursor holds on to it.
        line: What is shown, or a function of the width that gives it.
        depth: How far it stands in; rows deeper than a group belong to it.
        group: It can be folded.
        search: What a search looks in, in lower case.
        selectable: Whether the cursor may stand on it.
    """

    id: str
    line: Line | Callable[[int], Line]
    depth: int = 0
    group: bool = False
    search: str = ""
    selectable: bool = True


class MadeRows:
    """Rows that were made before: one that shows what it showed is given again, not made again."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Row]] = {}

    def row(self, key: Hashable, shown: object, make: Callable[[], Row]) -> Row:
        """Return the row of a key.

        Args:
            key: What tells it from the other rows.
            shown: All that it is made from; while this is equal, the row is the one of before.
            make: Makes it.
        """
        made = self._made.get(key)
        if made is None or made[0] != shown:
            made = self._made[key] = (shown, make())
        return made[1]


def kept_rows(
    rows: Sequence[Row],
    *,
    folded: Collection[str],
    needle: str,
    only: Collection[str] | None,
    among: Sequence[int] | None = None,
) -> list[int]:
    """Return the places of the rows that are neither folded away nor filtered out.

    Args:
        rows: All rows, those of a group deeper than its head.
        folded: Ids of the groups that are folded; they hold while nothing narrows the list.
        needle: What a row must hold, in lower case; `""` for any.
        only: Ids of the rows that a filter lets through; None for all.
        among: Places to search in, of rows that stand in no group; None where rows stand in groups.
    """
    if needle and only is None and among is not None:
        return [index for index in among if needle in rows[index].search]
    if needle or only is not None:
        return list(_narrowed(rows, needle, only))
    return list(_unfolded(rows, folded))


def _unfolded(rows: Sequence[Row], folded: Collection[str]) -> Iterator[int]:
    hidden_below: int | None = None
    for index, row in enumerate(rows):
        if hidden_below is not None:
            if row.depth > hidden_below:
                continue
            hidden_below = None
        if row.group and row.id in folded:
            hidden_below = row.depth
        yield index


def _narrowed(rows: Sequence[Row], needle: str, only: Collection[str] | None) -> Iterator[int]:
    above: list[int] = []
    for index, row in enumerate(rows):
        while above and rows[above[-1]].depth >= row.depth:
            above.pop()
        if row.group:
            above.append(index)
            continue
        if only is not None and row.id not in only:
            continue
        if needle and needle not in row.search:
            continue
        yield from above
        above = []
        yield index


def groups_above(rows: Sequence[Row], place: int) -> Iterator[str]:
    """Yield the ids of the groups that a row stands in."""
    depth = rows[place].depth
    for index in range(place, -1, -1):
        row = rows[index]
        if row.depth < depth:
            depth = row.depth
            yield row.id


def members(rows: Sequence[Row], row_id: str) -> list[str]:
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
