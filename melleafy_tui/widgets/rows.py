"""Rows of a list as plain data, and the selection of those left after folding and searching.

Depth, groups and search are defined here; a list only draws.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from melleafy_tui.widgets.styled_text import Line, Span, Tone


class Row(Struct, frozen=True):
    """One row of a list.

    Attributes:
        id: It stays the same when rows are replaced; the cursor follows it.
        line: What is shown, or a function of the width that returns it.
        depth: The indentation; deeper rows after a group belong to it.
        group: Whether it is a group that can be folded.
        words: The text to search, in lower case, or what returns it: a long list collects it for a search only.
        selectable: Whether the cursor may be on it.
    """

    id: str
    line: Line | Callable[[int], Line]
    depth: int = 0
    group: bool = False
    words: str | Callable[[], str] = ""
    selectable: bool = True

    @property
    def search(self) -> str:
        """Return the text to search."""
        return self.words() if callable(self.words) else self.words


def kept_rows(
    rows: Sequence[Row],
    *,
    folded: Collection[str],
    needle: str,
    only: Collection[str] | None,
    among: Sequence[int] | None = None,
    grouped: bool = True,
    texts: Sequence[str] | None = None,
) -> Sequence[int]:
    """Return the indexes of the rows that are neither folded away nor filtered out.

    Args:
        rows: All rows; the rows of a group are deeper than its head.
        folded: Ids of the folded groups; ignored while the list is narrowed.
        needle: The text a row must contain, in lower case; `""` for any.
        only: Ids of the rows that pass a filter; None for all.
        among: Indexes of the rows that may contain the text, with the groups above them; None for all.
        grouped: Whether the rows are in groups.
        texts: The text to search, by index; None to ask the rows.
    """
    places = range(len(rows)) if among is None else among
    if needle or only is not None:
        if grouped or only is not None:
            return list(_narrowed(rows, needle, only, places, texts))
        return [at for at in places if needle in (texts[at] if texts is not None else rows[at].search)]
    return list(_unfolded(rows, folded)) if grouped else places


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


def _narrowed(
    rows: Sequence[Row],
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


def groups_above(rows: Sequence[Row], place: int) -> Iterator[str]:
    """Yield the ids of the groups that contain a row."""
    depth = rows[place].depth
    for index in range(place, -1, -1):
        row = rows[index]
        if row.depth < depth:
            depth = row.depth
            yield row.id


def members(rows: Sequence[Row], row_id: str) -> list[str]:
    """Return the ids of the rows in a row's group, or of all rows if there are no groups."""
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
    """Return a line with every match of a search highlighted."""
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
