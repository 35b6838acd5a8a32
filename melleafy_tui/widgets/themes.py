"""The four themes: dark, light, high contrast, and the terminal's own sixteen colours; and none at all.

Their colours are in `themes.toml`.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from melleafy_tui.widgets.styled_text import Tone

_ROWS: Final[list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("themes.toml").read_text(encoding="utf-8")
)["theme"]


def _theme(row: Mapping[str, Any]) -> Theme:
    colours = {name: value for name, value in row.items() if name not in ("title", "tones", "variables")}
    tones = {f"tone-{tone.value}": row["tones"][tone.value] for tone in Tone}
    return Theme(**colours, variables={**tones, **row["variables"]})


THEMES: Final = tuple(map(_theme, _ROWS))
"""The themes in the order that `t` switches through them."""

DARK, LIGHT, CONTRAST, ANSI = THEMES

THEME_TITLES: Final[dict[str, str]] = {row["name"]: row["title"] for row in _ROWS}


def theme_after(name: str) -> Theme:
    """Return the theme after the one named."""
    names = [theme.name for theme in THEMES]
    return THEMES[(names.index(name) + 1) % len(THEMES)] if name in names else DARK


class NoColour(LineFilter):
    """Removes foregrounds and backgrounds under NO_COLOR, the theme's greys included (no-color.org).

    Bold, reverse and underline stay.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - of the base
        """Return the segments without colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]
