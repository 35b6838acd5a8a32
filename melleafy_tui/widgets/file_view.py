"""Shows a file with line numbers, a cursor and highlighted lines, for sources, emitted files and diffs."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import overload

from textual.geometry import Region

from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row, with_finds
from melleafy_tui.widgets.styled_text import LONGEST_SHOWN, Line, Span, Tone, broken, part_of

Colour = Callable[[Sequence[str]], Sequence[Line]]


RowPart = tuple[int, int, int]
"""The number of a line, and the part of it that one row shows: from and to."""


def wrapped(lines: Sequence[str], width: int) -> list[RowPart]:
    """Return the rows that show all lines in a width: long lines take several, broken at spaces where they can be."""
    parts: list[RowPart] = []
    for number, line in enumerate(lines, 1):
        if len(line) <= width and line.isascii() and "\t" not in line:
            parts.append((number, 0, len(line)))
        else:
            parts.extend((number, start, end) for start, end in broken(line[:LONGEST_SHOWN], width))
    return parts


def line_of(row: Row) -> int:
    """Return the number of the line that a row of a file belongs to."""
    return int(row.id.partition("+")[0])


class LineRows(Sequence[Row]):
    """The lines of a file as rows, each created when it is needed.

    Args:
        lines: The lines without their ends.
        parts: The part of a line that each row shows.
    """

    def __init__(self, lines: Sequence[str], parts: Sequence[RowPart]) -> None:
        self._lines, self._parts = lines, parts

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._parts)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        """Return the row at an index, or the rows of a slice; the first row of a line is searched for all of it."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        number, start, _ = self._parts[place]
        if start:
            return Row(f"{number}+{start}", ())
        return Row(str(number), (), words=self._lines[number - 1].casefold())


class FileView(LineList):
    """Shows the lines of one file, numbered from 1; long ones take several rows."""

    KEEPS_ALL = True

    def __init__(self, *, id: str | None = None, empty: str = "", classes: str | None = None) -> None:
        super().__init__(id=id, empty=empty, classes=classes)
        self._parts: list[RowPart] = []
        self._wrapped_to = 0
        self._lines: Sequence[str] = ()
        self._colour: Colour | None = None
        self._toned: Sequence[Line] | None = None
        self._region: range = range(0)
        self._marked: Collection[int] = ()
        self._numbered = True
        self._gutter = 4

    @property
    def line_number(self) -> int:
        """Return the number of the line under the cursor, 0 if there is none."""
        return line_of(self.current) if self.current else 0

    def show_lines(
        self,
        lines: Sequence[str],
        *,
        colour: Colour | None = None,
        numbered: bool = True,
        marked: Collection[int] = (),
    ) -> None:
        """Show the lines of a file.

        Args:
            lines: The lines without their ends.
            colour: Returns the styled lines, empty for plain text; called when the first line is drawn.
            numbered: Whether to show line numbers.
            marked: Lines to mark with a bar.
        """
        self._marked = marked
        if lines == self._lines and numbered == self._numbered:
            self.repaint()
            return
        self._lines, self._colour, self._toned = lines, colour, None
        self._numbered = numbered
        self._gutter = len(str(len(lines))) + 1
        self._region = range(0)
        self.cursor = 0
        self._wrap_lines()

    def _wrap_lines(self) -> None:
        self._wrapped_to = self.size.width
        room = self._wrapped_to - (self._gutter + 1 if self._numbered else 0) - 2
        self._parts = wrapped(self._lines, room if room > 0 else LONGEST_SHOWN)
        self.show_rows(LineRows(self._lines, self._parts))

    def on_resize(self) -> None:
        """Wrap the lines to the new width, with the cursor on the same line."""
        if self.size.width != self._wrapped_to:
            number = self.line_number
            self._wrap_lines()
            if number:
                self.go_to(str(number))

    def show_found(self, needle: str) -> None:
        """Highlight a text that is searched for in another list."""
        if needle.casefold() != self._needle:
            self._needle = needle.casefold()
            self.repaint()

    def has_groups(self) -> bool:
        """Return False: a file has nothing to fold."""
        return False

    def place_of(self, row_id: str) -> int | None:
        """Return the index of a line, computed from its number."""
        number, _, start = row_id.partition("+")
        place = bisect_left(self._parts, (int(number), int(start or 0), 0)) if number.isdecimal() else -1
        return place if 0 <= place < len(self._parts) else None

    def highlight(self, first: int, last: int, *, reveal: bool = True) -> None:
        """Highlight lines, and scroll to them with the cursor on the first."""
        self._region = range(first, last + 1)
        self.repaint()
        if reveal and not first <= self.line_number <= last and self.go_to(str(first)):
            top, bottom = self.place_of(str(first)), self.place_of(str(last))
            if top is not None and bottom is not None and self.size.height:
                rows = Region(self.scroll_offset.x, top, 1, min(bottom - top + 1, self.size.height))
                self.scroll_to_region(rows, animate=False, force=True)

    def in_region(self, row: Row) -> bool:
        """Return whether a line is highlighted."""
        return line_of(row) in self._region

    def row_line(self, row: Row, width: int) -> Line:  # noqa: ARG002 - the view cuts it
        """Return number, mark and text of a line."""
        number = line_of(row)
        if self._toned is None:
            self._toned = self._colour(self._lines) if self._colour else ()
        text = self._lines[number - 1]
        toned = self._toned[number - 1] if number <= len(self._toned) else ((text, Tone.TEXT),)
        mark = "▌" if number in self._region else ("▏" if number in self._marked else " ")
        gutter: list[Span] = []
        first = "+" not in row.id
        if self._numbered:
            gutter.append(((str(number) if first else "").rjust(self._gutter) + " ", Tone.MUTED))
        gutter.append((mark, Tone.ACCENT))
        _, start, end = self._parts[self.place_of(row.id) or 0]
        toned = part_of(toned, start, end)
        if end == LONGEST_SHOWN < len(text):
            toned = (*toned, ("…", Tone.MUTED))
        return (*gutter, *with_finds(toned, self._needle))
