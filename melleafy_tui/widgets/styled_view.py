"""A view that paints styled lines in the theme's colours and caches the painted lines."""

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.scroll_view import ScrollView
from textual.strip import Strip

from melleafy_tui.widgets.styled_text import TEXT_STYLES, Line, Tone, shown

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
