"""A view that paints styled lines in the theme's colours and caches the painted lines."""

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.scroll_view import ScrollView
from textual.strip import Strip

from melleafy_tui.widgets.styled_text import Line, Tone, shown

_KEPT_STRIPS: Final = 512
"""Painted lines to cache, enough for several screens."""

StripKey = tuple[int, int, bool]
"""Index, width, and whether the cursor is on the line."""


class StyledView(ScrollView):
    """Base of views on the line API; subclasses decide what a line shows."""

    DEFAULT_CSS = """
    StyledView {
        color: $tone-text;
        & > .tone--text { color: $tone-text; }
        & > .tone--strong { color: $tone-strong; text-style: bold; }
        & > .tone--muted { color: $tone-muted; }
        & > .tone--accent { color: $tone-accent; }
        & > .tone--heading { color: $tone-heading; text-style: bold; }
        & > .tone--good { color: $tone-good; }
        & > .tone--warn { color: $tone-warn; }
        & > .tone--bad { color: $tone-bad; }
        & > .tone--info { color: $tone-info; }
        & > .tone--key { color: $tone-key; text-style: bold; }
        & > .tone--found { color: $tone-found; text-style: bold underline; }
        & > .tone--added { color: $tone-added; }
        & > .tone--removed { color: $tone-removed; }
        & > .tone--hunk { color: $tone-hunk; }
        & > .tone--comment { color: $tone-comment; text-style: italic; }
        & > .tone--string { color: $tone-string; }
        & > .tone--keyword { color: $tone-keyword; }
        & > .tone--name { color: $tone-name; }
        & > .tone--number { color: $tone-number; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tone--{tone.value}" for tone in Tone}

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: dict[StripKey, Strip] = {}
        self._styles: dict[str, Style] = {}

    def kept_strip(self, key: StripKey) -> Strip | None:
        """Return a cached line."""
        return self._strips.get(key)

    def keep_strip(self, key: StripKey, strip: Strip) -> None:
        """Cache a painted line."""
        if len(self._strips) > _KEPT_STRIPS:
            self._strips.clear()
        self._strips[key] = strip

    def forget_strip(self, key: StripKey) -> None:
        """Drop one line from the cache."""
        self._strips.pop(key, None)

    def forget_strips(self) -> None:
        """Drop all lines from the cache."""
        self._strips.clear()

    def repaint(self) -> None:
        """Drop the cache and redraw."""
        self.forget_strips()
        self.refresh()

    def notify_style_update(self) -> None:
        """Drop the cache when theme or focus change."""
        super().notify_style_update()
        self.forget_strips()
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
