"""A view that paints spans in the theme's colours, line by line, and keeps what it painted until it must not."""

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.scroll_view import ScrollView
from textual.strip import Strip

from melleafy_tui.widgets.styled_text import Line, Tone, shown

_KEPT_STRIPS: Final = 512
"""Painted lines that are kept; some screens' worth of them."""

StripKey = tuple[int, int, bool]
"""Place, width, and whether the cursor stands there."""


class TonedView(ScrollView):
    """Lines of spans on the line API; what stands in a line is for the view that is made from this one."""

    DEFAULT_CSS = """
    TonedView {
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
        """Return a line that was painted before."""
        return self._strips.get(key)

    def keep_strip(self, key: StripKey, strip: Strip) -> None:
        """Keep a painted line."""
        if len(self._strips) > _KEPT_STRIPS:
            self._strips.clear()
        self._strips[key] = strip

    def forget_strip(self, key: StripKey) -> None:
        """Paint one line anew when it is asked for."""
        self._strips.pop(key, None)

    def forget_strips(self) -> None:
        """Paint every line anew when it is asked for."""
        self._strips.clear()

    def repaint(self) -> None:
        """Draw everything anew."""
        self.forget_strips()
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget drawn lines when theme or focus change."""
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
        """Return what a component class adds to the style beneath: a tone its colour, a row its background."""
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
