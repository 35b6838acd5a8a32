"""Every tone can be read on every background of every theme: at least 4.5:1, computed and not judged by eye."""

import pytest
from textual.color import Color
from textual.theme import Theme

from melleafy_tui.themes import ANSI, THEMES, theme_after
from melleafy_tui.widgets.tones import Tone

LEAST = 4.5
BACKGROUNDS = ("background", "surface", "panel", "cursor-row", "cursor-row-blurred", "region")


def colour_of(theme: Theme, name: str) -> Color:
    value = theme.variables.get(name) or getattr(theme, name)
    assert isinstance(value, str)
    return Color.parse(value)


def luminance(colour: Color) -> float:
    def channel(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * channel(colour.r) + 0.7152 * channel(colour.g) + 0.0722 * channel(colour.b)


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tone", Tone, ids=str)
@pytest.mark.parametrize(
    "theme", [theme for theme in THEMES if theme is not ANSI], ids=lambda theme: theme.name
)
def test_a_tone_can_be_read_on_every_background(theme: Theme, tone: Tone) -> None:
    text = colour_of(theme, f"tone-{tone.value}")
    low = {
        name: round(contrast(text, colour_of(theme, name)), 2)
        for name in BACKGROUNDS
        if contrast(text, colour_of(theme, name)) < LEAST
    }
    assert low == {}


@pytest.mark.parametrize(
    "theme", [theme for theme in THEMES if theme is not ANSI], ids=lambda theme: theme.name
)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("footer-key-foreground", "footer-background"),
        ("footer-description-foreground", "footer-background"),
        ("block-cursor-foreground", "block-cursor-background"),
        ("foreground", "input-selection-background"),
    ],
)
def test_parts_that_textual_draws_can_be_read(theme: Theme, text: str, ground: str) -> None:
    assert contrast(colour_of(theme, text), colour_of(theme, ground)) >= LEAST


@pytest.mark.parametrize("tone", Tone, ids=str)
def test_the_sixteen_colour_theme_uses_only_the_terminals_own_colours(tone: Tone) -> None:
    assert ANSI.variables[f"tone-{tone.value}"].startswith("ansi_")


def test_t_goes_through_all_themes_and_comes_back() -> None:
    name = THEMES[0].name
    seen = [name]
    while (name := theme_after(name).name) not in seen:
        seen.append(name)
    assert seen == [theme.name for theme in THEMES]
