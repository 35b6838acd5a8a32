"""Shows a file with line numbers, a cursor and highlighted lines, for sources, emitted files and diffs."""

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, Final, overload

from rich.cells import cell_len

from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import ListRow, Row, with_finds
from melleafy_tui.widgets.styled_text import Line, Span, Tone, shown

_SCROLL_STEP: Final = 8

Colour = Callable[[Sequence[str]], Sequence[Line]]


class LineRows(Sequence[ListRow]):
    """The lines of a file as rows, each created when it is needed.

    Args:
        lines: The lines without their ends.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> ListRow: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ListRow]: ...
    def __getitem__(self, place: int | slice) -> ListRow | Sequence[ListRow]:
        """Return the row at an index, or the rows of a slice."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        return Row(str(at + 1), (), search=self._lines[at].casefold())


class FileView(LineList):
    """Shows the lines of one file, numbered from 1."""

    DEFAULT_CSS = """
    FileView { overflow-x: hidden; }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = set()

    def __init__(self, *, id: str | None = None, empty: str = "") -> None:
        super().__init__(id=id, empty=empty)
        self._lines: Sequence[str] = ()
        self._colour: Colour | None = None
        self._toned: Sequence[Line] | None = None
        self._region: range = range(0)
        self._marked: Collection[int] = ()
        self._offset = 0
        self._numbered = True
        self._gutter = 4

    @property
    def line_number(self) -> int:
        """Return the number of the line under the cursor, 0 if there is none."""
        return int(self.current.id) if self.current else 0

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
        self._offset = 0
        self._numbered = numbered
        self._gutter = len(str(len(lines))) + 1
        self._region = range(0)
        self.cursor = 0
        self.show_rows(LineRows(lines))

    def has_groups(self) -> bool:
        """Return False: a file has nothing to fold."""
        return False

    def place_of(self, row_id: str) -> int | None:
        """Return the index of a line, computed from its number."""
        place = int(row_id) - 1 if row_id.isdecimal() else -1
        return place if 0 <= place < len(self._lines) else None

    def highlight(self, first: int, last: int, *, reveal: bool = True) -> None:
        """Highlight lines, and scroll to them with the cursor on the first."""
        self._region = range(first, last + 1)
        self.repaint()
        if reveal and not first <= self.line_number <= last:
            self.go_to(str(first))

    def in_region(self, row: ListRow) -> bool:
        """Return whether a line is highlighted."""
        return int(row.id) in self._region

    def row_line(self, row: ListRow, width: int) -> Line:  # noqa: ARG002 - the view cuts it
        """Return number, mark and text of a line."""
        number = int(row.id)
        if self._toned is None:
            self._toned = self._colour(self._lines) if self._colour else ()
        text = self._lines[number - 1]
        toned = self._toned[number - 1] if number <= len(self._toned) else ((text, Tone.TEXT),)
        mark = "▌" if number in self._region else ("▏" if number in self._marked else " ")
        gutter: list[Span] = []
        if self._numbered:
            gutter.append((str(number).rjust(self._gutter) + " ", Tone.MUTED))
        gutter.append((mark, Tone.ACCENT))
        return (*gutter, *with_finds(self._scrolled(toned), self._needle))

    def action_fold(self) -> None:
        """Scroll to the left."""
        self._offset = max(0, self._offset - _SCROLL_STEP)
        self.repaint()

    def action_unfold(self) -> None:
        """Scroll to the right."""
        longest = max((cell_len(shown(line)) for line in self._lines[:2000]), default=0)
        self._offset = min(self._offset + _SCROLL_STEP, max(0, longest - _SCROLL_STEP))
        self.repaint()

    def _scrolled(self, line: Line) -> Line:
        if not self._offset:
            return line
        left = self._offset
        rest: list[Span] = []
        for text, tone in line:
            plain = shown(text)
            if left >= len(plain):
                left -= len(plain)
                continue
            rest.append((plain[left:], tone))
            left = 0
        return tuple(rest)
