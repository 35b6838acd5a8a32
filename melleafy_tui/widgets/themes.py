"""The four themes: dark, light, high contrast, and the terminal's own sixteen colours; and none at all.

In each theme every tone (`melleafy_tui.widgets.styled_text`) has one colour with a contrast of at least 4.5:1
on every background, including the cursor row; tests/ui/test_themes.py checks this.
"""

from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from melleafy_tui.widgets.styled_text import Tone

_TONES: Final = tuple(tone.value for tone in Tone)


def _tones(*colours: str) -> dict[str, str]:
    return {f"tone-{tone}": colour for tone, colour in zip(_TONES, colours, strict=True)}


DARK: Final = Theme(
    name="melleafy-dark",
    primary="#82aaff",
    secondary="#7fdbca",
    accent="#82aaff",
    warning="#ffcb6b",
    error="#ff8a93",
    success="#a5d6a0",
    foreground="#d5dce8",
    background="#151a21",
    surface="#1b212a",
    panel="#222a35",
    dark=True,
    variables={
        **_tones(
            "#d5dce8",
            "#f4f7fb",
            "#98a5b8",
            "#82aaff",
            "#a9c4ff",
            "#a5d6a0",
            "#ffcb6b",
            "#ff8a93",
            "#7fdbca",
            "#ffcb6b",
            "#ffd68a",
            "#a5d6a0",
            "#ff8a93",
            "#c3a6ff",
            "#98a5b8",
            "#b6dca0",
            "#c3a6ff",
            "#a9c4ff",
            "#f7b98b",
        ),
        "cursor-row": "#2c3a52",
        "cursor-row-blurred": "#222a35",
        "region": "#1f2a3a",
        "border": "#82aaff",
        "border-blurred": "#3a4556",
        "footer-background": "#1b212a",
        "footer-key-foreground": "#ffcb6b",
        "footer-description-foreground": "#b9c3d2",
        "input-selection-background": "#3d5a8a",
        "block-cursor-background": "#82aaff",
        "block-cursor-foreground": "#10141a",
        "scrollbar": "#3a4556",
        "scrollbar-background": "#1b212a",
    },
)

LIGHT: Final = Theme(
    name="melleafy-light",
    primary="#1a56b0",
    secondary="#0b6b61",
    accent="#1a56b0",
    warning="#7a4b00",
    error="#a81e2f",
    success="#216b2c",
    foreground="#1d2530",
    background="#f7f7f4",
    surface="#efefea",
    panel="#e5e6e1",
    dark=False,
    variables={
        **_tones(
            "#1d2530",
            "#05080c",
            "#4c5665",
            "#1a4c9e",
            "#143f85",
            "#1c5c26",
            "#6b4200",
            "#9c1a2a",
            "#0a5a52",
            "#6b4200",
            "#6b4200",
            "#1c5c26",
            "#9c1a2a",
            "#5b2fa0",
            "#4c5665",
            "#1c5c26",
            "#5b2fa0",
            "#143f85",
            "#7a3412",
        ),
        "cursor-row": "#cfdcf2",
        "cursor-row-blurred": "#e2e5e8",
        "region": "#e6ecf6",
        "border": "#1a56b0",
        "border-blurred": "#b9bdc4",
        "footer-background": "#e5e6e1",
        "footer-key-foreground": "#6b4200",
        "footer-description-foreground": "#1d2530",
        "input-selection-background": "#b9cdef",
        "block-cursor-background": "#1a56b0",
        "block-cursor-foreground": "#ffffff",
        "scrollbar": "#b9bdc4",
        "scrollbar-background": "#efefea",
    },
)

CONTRAST: Final = Theme(
    name="melleafy-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#ffff00",
    warning="#ffff00",
    error="#ff9c9c",
    success="#7dff7d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#0b0b0b",
    dark=True,
    variables={
        **_tones(
            "#ffffff",
            "#ffffff",
            "#dddddd",
            "#00ffff",
            "#ffff00",
            "#7dff7d",
            "#ffff00",
            "#ffb0b0",
            "#00ffff",
            "#ffff00",
            "#ffff00",
            "#7dff7d",
            "#ffb0b0",
            "#ffc0ff",
            "#dddddd",
            "#7dff7d",
            "#ffc0ff",
            "#ffffff",
            "#ffd0a0",
        ),
        "cursor-row": "#003a7a",
        "cursor-row-blurred": "#1c1c1c",
        "region": "#1a1a33",
        "border": "#ffff00",
        "border-blurred": "#8c8c8c",
        "footer-background": "#000000",
        "footer-key-foreground": "#ffff00",
        "footer-description-foreground": "#ffffff",
        "input-selection-background": "#0050aa",
        "block-cursor-background": "#ffff00",
        "block-cursor-foreground": "#000000",
        "scrollbar": "#8c8c8c",
        "scrollbar-background": "#000000",
    },
)

ANSI: Final = Theme(
    name="melleafy-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    accent="ansi_cyan",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        **_tones(
            "ansi_default",
            "ansi_default",
            "ansi_default",
            "ansi_cyan",
            "ansi_default",
            "ansi_green",
            "ansi_yellow",
            "ansi_red",
            "ansi_cyan",
            "ansi_yellow",
            "ansi_yellow",
            "ansi_green",
            "ansi_red",
            "ansi_magenta",
            "ansi_default",
            "ansi_green",
            "ansi_magenta",
            "ansi_default",
            "ansi_yellow",
        ),
        "cursor-row": "ansi_default",
        "cursor-row-blurred": "ansi_default",
        "region": "ansi_default",
        "border": "ansi_cyan",
        "border-blurred": "ansi_default",
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_white",
        "footer-background": "ansi_default",
        "footer-foreground": "ansi_default",
        "footer-key-foreground": "ansi_yellow",
        "footer-description-foreground": "ansi_default",
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_white",
    },
)

THEMES: Final[tuple[Theme, ...]] = (DARK, LIGHT, CONTRAST, ANSI)
"""The themes in the order that `t` switches through them."""

THEME_TITLES: Final[dict[str, str]] = {
    DARK.name: "dark",
    LIGHT.name: "light",
    CONTRAST.name: "high contrast",
    ANSI.name: "the terminal's own sixteen colours",
}


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
