"""Views that paint styled lines in the theme's colours and cache the painted lines."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from melleafy_tui.widgets.styled_text import TEXT_STYLES, Line, Tone, line_text, shown, wrapped_line

_KEPT_STRIPS: Final = 512
"""Painted lines to cache, enough for several screens."""

StripKey = tuple[int, int, bool]
"""Index, width, and whether the cursor is on the line."""


_TONES: Final = " ".join(
    f"& > .tone--{tone.value} {{ color: $tone-{tone.value}; text-style: {TEXT_STYLES.get(tone, 'none')}; }}"
    for tone in Tone
)


class StyledView(ScrollView):
    """Base of views on the line API; subclasses decide what a line shows."""

    DEFAULT_CSS = f"StyledView {{ color: $tone-text; {_TONES} }}"

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tone--{tone.value}" for tone in Tone}

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.strips: LRUCache[StripKey, Strip] = LRUCache(_KEPT_STRIPS)
        """The painted lines."""
        self._styles: dict[str, Style] = {}

    def take_height(self, lines: int) -> None:
        """Scroll over so many lines. Textual would lay out the whole screen, which only a height of its own needs."""
        size = Size(0, lines)
        if self.styles.is_auto_height:
            self.virtual_size = size
        elif size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)

    def repaint(self) -> None:
        """Drop the cache and redraw."""
        self.strips.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        """Drop the cache when theme or focus change."""
        super().notify_style_update()
        self.strips.clear()
        self._styles.clear()

    def paint(self, line: Line, width: int, base: Style) -> Strip:
        """Return spans as one line of the screen, padded or cut to a width."""
        segments = [
            Segment(shown(text), base + self.style_of(f"tone--{tone.value}")) for text, tone in line if text
        ]
        return Strip(segments).adjust_cell_length(width, base)

    def style_of(self, name: str) -> Style:
        """Return the style of a component class: a tone's colour, or a row's background."""
        style = self._styles.get(name)
        if style is None:
            partial = self.get_component_rich_style(name, partial=True)
            if name.startswith("tone--"):
                style = Style(
                    color=partial.color, bold=partial.bold, italic=partial.italic, underline=partial.underline
                )
            else:
                style = Style(bgcolor=partial.bgcolor, bold=partial.bold, reverse=partial.reverse)
            self._styles[name] = style
        return style


class Pane(StyledView, can_focus=True):
    """A scrolling pane of styled text, wrapped to its width: other text in it lays out nothing else."""

    DEFAULT_CSS = """
    Pane { scrollbar-size-vertical: 1; padding: 0 1; overflow-x: hidden; overflow-y: auto; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = ()
        self._wrapped: tuple[int, list[Line]] = (0, [])
        """The width that the lines are wrapped to, and the lines of the view."""

    @property
    def said(self) -> str:
        """Return the text."""
        return "\n".join(map(line_text, self._lines))

    def show_lines(self, lines: Sequence[Line], *, from_top: bool = True) -> None:
        """Show these lines, from the top or at the current scroll position."""
        self._lines, self._wrapped = tuple(lines), (0, [])
        self._wrap()
        self.refresh(layout=self.styles.is_auto_height)
        if from_top:
            self.scroll_home(animate=False)

    def _wrap(self) -> None:
        self.strips.clear()
        self.take_height(len(self._wrapped_to(self.size.width)))

    def _wrapped_to(self, width: int) -> list[Line]:
        if self._wrapped[0] != width:
            parts = [part for line in self._lines for part in (wrapped_line(line, width) if line else [()])]
            self._wrapped = (width, parts)
        return self._wrapped[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - of the base
        """Return the height that the text takes."""
        return len(self._wrapped_to(width))

    def on_resize(self) -> None:
        """Wrap the text to the new width."""
        self._wrap()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of the view."""
        width, place = self.size.width, y + self.scroll_offset.y
        lines = self._wrapped_to(width)
        return self.paint(lines[place] if place < len(lines) else (), width, self.visual_style.rich_style)
