"""Every tone can be read on every background of every theme: at least 4.5:1, computed and not judged by eye."""

from pathlib import Path

from textual.color import Color
from textual.theme import Theme

from melleafy_tui.actions.steps import Step
from melleafy_tui.widgets.styled_text import ANSI, DARK, LIGHT, THEMES, Tone, theme_after
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session

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


COMPUTED = [theme for theme in THEMES if theme is not ANSI]
DRAWN_BY_TEXTUAL = (
    ("footer-key-foreground", "footer-background"),
    ("footer-description-foreground", "footer-background"),
    ("block-cursor-foreground", "block-cursor-background"),
    ("foreground", "input-selection-background"),
)


def test_every_text_can_be_read_on_every_background() -> None:
    pairs = [(f"tone-{tone.value}", ground) for tone in Tone for ground in BACKGROUNDS]
    low = [
        f"{theme.name}: {text} on {ground}"
        for theme in COMPUTED
        for text, ground in (*pairs, *DRAWN_BY_TEXTUAL)
        if contrast(colour_of(theme, text), colour_of(theme, ground)) < LEAST
    ]
    assert low == []


def test_the_sixteen_colour_theme_uses_only_the_terminals_own_colours() -> None:
    tones = {tone: ANSI.variables[f"tone-{tone.value}"] for tone in Tone}
    assert [tone for tone, colour in tones.items() if not colour.startswith("ansi_")] == []


def test_t_goes_through_all_themes_and_comes_back() -> None:
    name = THEMES[0].name
    seen = [name]
    while (name := theme_after(name).name) not in seen:
        seen.append(name)
    assert seen == [theme.name for theme in THEMES]


async def test_theme_and_shares_are_kept_for_the_next_wizard(workspace: Path, tmp_path: Path) -> None:
    hints = tmp_path / "hints"
    app = WizardApp(open_session(workspace), hints=hints)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "t", "3", ">")
    again = WizardApp(open_session(workspace), hints=hints)
    assert again.theme == app.theme == LIGHT.name
    async with again.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3")
        assert again.step_screen.pane_layout.share == app.session.pane_layouts[Step.DECIDE, "wide"].share > 0
    (hints / "view.json").write_text("{")
    assert WizardApp(open_session(workspace), hints=hints).theme == DARK.name
