"""No planted secret on any screen, in any picture or journal of the wizard (spec/safety.md 4)."""

import re
from html import unescape
from pathlib import Path

import pytest

from melleafy_tui.wizard.app import WizardApp
from tests.safety.hostile_workspaces import put
from tests.safety.planted import PLANTED, Planter, files_with
from tests.ui.conftest import keys, open_session, rendered, wait_for

STEPS = "12345"


def shown(app: WizardApp) -> str:
    """Return everything that a picture of the screen holds, without its line breaks and blanks."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", app.export_screenshot(), re.DOTALL)
    return re.sub(r"\s", "", unescape("".join(texts)))


@pytest.mark.parametrize(
    ("form", "rows"),
    [("openclaw", 1), *(pytest.param(form, 4, marks=pytest.mark.slow) for form in PLANTED)],
)
async def test_no_planted_secret_is_shown_on_any_step(
    form: str, rows: int, tmp_path: Path, own_world: Path
) -> None:
    plant = Planter()
    root = PLANTED[form](plant, tmp_path / "source" / "workspace")
    app = WizardApp(open_session(root, out=tmp_path / "out"))
    async with app.run_test(size=(150, 45)) as pilot:
        await rendered(pilot)
        for step in STEPS:
            await keys(pilot, step)
            await rendered(pilot)
            for _ in range(rows):
                assert plant.found_in(shown(app)) == [], step
                await keys(pilot, "j")
            await keys(pilot, "G")
            assert plant.found_in(shown(app)) == [], step
    assert files_with(plant, (own_world,)) == []


HIDDEN = "••••••"
PERSONA = {"SOUL.md": "# Soul\n\nCalm.\n"}
PARAGRAPH = "Keep this in mind:\nThe Wi-Fi password is Orbit-Pixel-440\nfor guests.\nSay nothing else."


async def test_a_value_in_a_paragraph_is_hidden_and_the_lines_around_it_are_shown(
    tmp_path: Path, own_world: Path
) -> None:
    put(tmp_path / "w", {**PERSONA, "AGENTS.md": f"# Agents\n\n{PARAGRAPH}\n"})
    app = WizardApp(open_session(tmp_path / "w", out=tmp_path / "out"))
    async with app.run_test(size=(150, 45)) as pilot:
        await rendered(pilot)
        await keys(pilot, "2")
        await rendered(pilot)
        screen = app.step_screen
        element = next(each for each in app.session.conversion.inventory.elements if each.kind == "paragraph")
        screen.reveal(element.element_id)
        await wait_for(pilot, lambda: "Keepthisinmind:" in shown(app), "the source follows")
        assert "Orbit" not in shown(app)
        assert "Pixel" not in shown(app), "a value that is broken over two lines is not known (SECURITY.md)"
        assert "TheWi-Fipasswordis${WI_FI_PASSWORD}" in shown(app)
        assert "Saynothingelse." in shown(app)
