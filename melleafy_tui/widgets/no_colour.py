"""Draws without any colour when NO_COLOR is set, the theme's greys included (no-color.org)."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


class NoColour(LineFilter):
    """Removes foregrounds and backgrounds; bold, reverse and underline stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - of the base
        """Return the segments without colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]
