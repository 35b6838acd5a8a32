"""No planted secret on any screen, in any picture or journal of the wizard (spec/safety.md 4)."""

import re
from html import unescape
from pathlib import Path

import pytest

from melleafy_tui.wizard.app import WizardApp
from tests.safety.planted import PLANTED, Planter, files_with
from tests.ui.conftest import keys, open_session, rendered

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
