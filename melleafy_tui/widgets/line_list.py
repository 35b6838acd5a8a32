"""A list that draws only the rows in view, so that ten thousand rows cost as much as forty.

It has a cursor, folds and a filter on Textual's line API, and doesn't know what its rows mean (`rows.py`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import ClassVar, Final

from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from melleafy_tui.actions.key_table import LIST
from melleafy_tui.actions.plurals import counted
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.rows import Row, groups_above, kept_rows, with_finds
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.widgets.styled_view import StyledView

_FOLDED: Final = "▸ "
_UNFOLDED: Final = "▾ "


class LineList(StyledView, can_focus=True):
    """A list of rows with a cursor.

    `show_rows` sets the rows; `narrow` hides those that don't contain a text.
    """

    DEFAULT_CSS = """
    LineList {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > .line-list--cursor { background: $cursor-row-blurred; }
        & > .line-list--region { background: $region; }
        &:focus > .line-list--cursor { background: $cursor-row; }
    }
    LineList:ansi {
        & > .line-list--cursor { text-style: bold; }
        &:focus > .line-list--cursor { text-style: reverse; }
    }
    LineList:nocolor {
        & > .line-list--cursor { text-style: bold; }
        &:focus > .line-list--cursor { text-style: reverse; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(LIST)]

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-list--cursor", "line-list--region"}

    KEEPS_ALL: ClassVar[bool] = False
    """Whether a search keeps the rows that don't contain its text."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """The cursor's index among the visible rows."""

    @dataclass
    class Moved(Message):
        """Posted when the cursor moves to another row."""

        rows: "LineList"
        row: Row | None

        @property
        def control(self) -> "LineList":
            """Return the list."""
            return self.rows

    @dataclass
    class Opened(Message):
        """Posted when a row that isn't a group is opened, by Enter or a second click."""

        rows: "LineList"
        row: Row

        @property
        def control(self) -> "LineList":
            """Return the list."""
            return self.rows

    def __init__(self, *, id: str | None = None, empty: str = "", classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.empty = empty
        """What the list says without rows."""
        self._rows: Sequence[Row] = ()
        self._visible: Sequence[int] = ()
        self._grouped = False
        self._folded: set[str] = set()
        self._needle = ""
        self._texts: Sequence[str] | None = None
        """The text to search in each row, by index, during a search."""
        self._holds_hits = False
        """Whether rows that no longer contain the text stay in view."""
        self._shown_ids: Collection[str] | None = None
        self._announced: Row | None = None

    # --- for screens ---------------------------------------------------------------------------

    @property
    def current(self) -> Row | None:
        """Return the row under the cursor."""
        if 0 <= self.cursor < len(self._visible):
            return self._rows[self._visible[self.cursor]]
        return None

    @property
    def all_rows(self) -> Sequence[Row]:
        """Return every row, including folded and filtered ones."""
        return self._rows

    @property
    def visible_rows(self) -> list[Row]:
        """Return the rows that are neither folded away nor filtered out."""
        return [self._rows[index] for index in self._visible]

    @property
    def unfiltered_rows(self) -> list[Row]:
        """Return the rows that pass filter and search, including folded ones."""
        kept = kept_rows(self._rows, folded=(), needle=self._needle, only=self._shown_ids, texts=self._texts)
        return [self._rows[index] for index in kept]

    def show_rows(self, rows: Sequence[Row], *, only: Collection[str] | None = None) -> None:
        """Show these rows; the cursor stays on the row with the same id, or else near its old place.

        Rows that were hits of a search stay in view until the search changes: what a key changes doesn't vanish, so
        the next key can't reach the row below it.

        Args:
            rows: All rows.
            only: Ids of the rows that pass a filter; None for all.
        """
        keep = self.current.id if self.current else None
        hits = {self._rows[self._visible[at]].id for at in self._hits} if not self.KEEPS_ALL else ()
        self._rows, self._holds_hits = rows, bool(hits)
        self._texts = (
            [f"{row.search} {self._needle}" if row.id in hits else row.search for row in rows]
            if hits
            else None
        )
        self._grouped = self.has_groups()
        self._shown_ids = only
        self._rebuild(None if keep is None else self.place_of(keep))

    def has_groups(self) -> bool:
        """Return whether any row can be folded; subclasses may know without looking."""
        return any(row.group for row in self._rows)

    def place_of(self, row_id: str) -> int | None:
        """Return the index of a row among all rows, or None; subclasses may know without looking."""
        return next((place for place, row in enumerate(self._rows) if row.id == row_id), None)

    def expect_search(self) -> None:
        """Collect the search texts before a search's first key: long lists take longer than a key."""
        self._texts = [row.search for row in self._rows]

    def narrow(self, needle: str) -> None:
        """Show only rows that contain a text, and the groups above them; the cursor goes to the first such row.

        A list that keeps all rows highlights the text only.
        """
        before, self._needle = self._needle, needle.casefold()
        if not needle or self._holds_hits:
            self._texts, self._holds_hits = None, False
        if self.KEEPS_ALL:
            self.repaint()
        else:
            found = self._visible if before and before in self._needle else None
            self._rebuild(self._place, among=found)
        if needle and (hit := self._first_hit()) is not None:
            self._put(hit)

    def _is_hit(self, index: int) -> bool:
        text = self._texts[index] if self._texts is not None else self._rows[index].search
        return self._needle in text and not self._rows[index].group

    def _first_hit(self) -> int | None:
        """Return the place of the first row that contains the text, or None where the cursor's row does."""
        place = self._place
        if place is not None and self._is_hit(place):
            return None
        return next((at for at, index in enumerate(self._visible) if self._is_hit(index)), None)

    @property
    def is_searched(self) -> bool:
        """Return whether a text is searched for."""
        return bool(self._needle)

    @property
    def _hits(self) -> list[int]:
        """Return the places of the rows in view that contain the text."""
        if not self._needle:
            return []
        return [at for at, index in enumerate(self._visible) if self._is_hit(index)]

    @property
    def hits_words(self) -> str:
        """Return which hit the cursor is on, and how many there are."""
        hits = self._hits
        if self.cursor in hits:
            return f"hit {hits.index(self.cursor) + 1} of {len(hits)}"
        return counted(len(hits), "hit")

    def go_to_hit(self, by: int) -> None:
        """Move the cursor to the next or the previous hit, at the end to the other end."""
        hits = self._hits
        if hits:
            at = bisect_right(hits, self.cursor) if by > 0 else bisect_left(hits, self.cursor) - 1
            self._put(hits[at % len(hits)])

    def go_to(self, row_id: str) -> bool:
        """Move the cursor to a row, unfolding its groups; return whether there is such a row."""
        wanted = self.place_of(row_id)
        if wanted is None:
            return False
        if wanted not in self._visible:
            self._folded.difference_update(groups_above(self._rows, wanted))
            self._rebuild(None)
        if wanted in self._visible:
            self._put(self._visible.index(wanted))
            return True
        return False

    # --- keys ----------------------------------------------------------------------------------

    def action_cursor(self, by: int) -> None:
        """Move the cursor by a number of rows."""
        self._put(self.cursor + by, direction=by)

    def action_page(self, by: int) -> None:
        """Move the cursor by a page."""
        self._put(self.cursor + by * max(1, self.size.height - 1), direction=by)

    def action_edge(self, side: int) -> None:
        """Move the cursor to the first or the last row."""
        self._put(0 if side < 0 else len(self._visible) - 1, direction=-side)

    def action_fold(self) -> None:
        """Fold the group under the cursor, or go to the head of its group."""
        row = self.current
        if row is None:
            return
        if row.group and row.id not in self._folded and not self._is_narrowed:
            self._folded.add(row.id)
            self._rebuild(self._place)
            return
        for place in range(self.cursor - 1, -1, -1):
            if self._rows[self._visible[place]].depth < row.depth:
                self._put(place)
                return

    def action_unfold(self) -> None:
        """Unfold the group under the cursor."""
        row = self.current
        if row is not None and row.group and row.id in self._folded:
            self._folded.discard(row.id)
            self._rebuild(self._place)

    def action_open(self) -> None:
        """Fold or unfold a group, or open the row."""
        row = self.current
        if row is None:
            return
        if row.group:
            if not self._is_narrowed:
                self._folded.symmetric_difference_update({row.id})
                self._rebuild(self._place)
            return
        self.post_message(self.Opened(self, row))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row; a second click opens it."""
        inside = event.get_content_offset(self)
        if inside is None:
            return
        place = self.first_of(inside.y + self.scroll_offset.y)
        if not 0 <= place < len(self._visible):
            return
        again = place == self.cursor and event.chain > 1
        self._put(place)
        row = self.current
        if again or (row is not None and row.group):
            self.action_open()

    # --- drawing -------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Return one line of the view."""
        width = self.size.width
        place = y + self.scroll_offset.y
        base = self.visual_style.rich_style
        if not self._visible and self.empty:
            said = wrap(self.empty, max(1, width))
            return self.paint(((said[y], Tone.MUTED),) if y < len(said) else (), width, base)
        if place >= len(self._visible):
            return Strip.blank(width, base)
        on_cursor = place == self.cursor
        cache_key = (place, width, on_cursor)
        strip = self.strips.get(cache_key)
        if strip is None:
            row = self._rows[self._visible[place]]
            line = self.row_line(row, width)
            style = base
            if on_cursor:
                style = base + self.style_of("line-list--cursor")
            elif self.in_region(row):
                style = base + self.style_of("line-list--region")
            strip = self.paint(line, width, style)
            self.strips[cache_key] = strip
        return strip

    def row_line(self, row: Row, width: int) -> Line:
        """Return what a row shows at this width; subclasses add gutters and marks."""
        indent = "  " * row.depth
        if row.group:
            indent += _FOLDED if row.id in self._folded and not self._is_narrowed else _UNFOLDED
        elif self._grouped and not row.depth:
            indent = "  "
        line = row.line(max(1, width - len(indent) - 1)) if callable(row.line) else row.line
        return ((indent, Tone.MUTED), *with_finds(line, self._needle))

    def in_region(self, row: Row) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a row is highlighted in addition to the cursor's."""
        return False

    # --- the visible rows ----------------------------------------------------------------------

    @property
    def _is_narrowed(self) -> bool:
        """Return whether a search or a filter is active; all groups are open then."""
        return bool(self._needle) or self._shown_ids is not None

    @property
    def _place(self) -> int | None:
        """Return the index of the cursor's row among all rows."""
        return self._visible[self.cursor] if self.cursor < len(self._visible) else None

    def _rebuild(self, keep: int | None, *, among: Sequence[int] | None = None) -> None:
        self._visible = kept_rows(
            self._rows,
            folded=self._folded,
            needle="" if self.KEEPS_ALL else self._needle,
            only=self._shown_ids,
            among=among,
            grouped=self._grouped,
            texts=self._texts,
        )
        self.strips.clear()
        self.take_height(len(self._visible))
        at = None if keep is None else bisect_left(self._visible, keep)
        held = at is not None and at < len(self._visible) and self._visible[at] == keep
        self._put(at if at is not None and held else self.cursor, force=True)
        self.refresh()

    def _put(self, place: int, *, direction: int = 1, force: bool = False) -> None:
        place = min(max(place, 0), max(len(self._visible) - 1, 0))
        step = 1 if direction >= 0 else -1
        found = self._selectable(place, step)
        if found is None:
            found = self._selectable(place, -step)
        place = place if found is None else found
        before = self.cursor
        self.cursor = place
        if before != place or force:
            self.strips.discard((before, self.size.width, True))
            self.refresh_line(before)
            self.refresh_line(place)
        self._into_view(place)
        row = self.current
        if row != self._announced or force:
            self._announced = row
            self.post_message(self.Moved(self, row))

    def _selectable(self, place: int, step: int) -> int | None:
        """Return the first place in a direction that the cursor can be on, or None."""
        while 0 <= place < len(self._visible):
            if self._rows[self._visible[place]].selectable:
                return place
            place += step
        return None

    def _into_view(self, place: int) -> None:
        if self.size.height:
            rows = Region(self.scroll_offset.x, place, 1, min(self.height_of(place), self.size.height))
            self.scroll_to_region(rows, animate=False, force=True)

    def first_of(self, place: int) -> int:
        """Return the place that a click on a place means; subclasses may have rows of several lines."""
        return place

    def height_of(self, place: int) -> int:  # noqa: ARG002 - for subclasses
        """Return how many lines the row at a place takes."""
        return 1

    def on_resize(self) -> None:
        """Keep the cursor in view when the size changes."""
        self.strips.clear()
        self._into_view(self.cursor)
