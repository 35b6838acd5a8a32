"""Screens and dialogs in further sizes and themes, all of one in one run, so that resizing is seen too."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import normalize_svg
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from melleafy_tui.app import WizardApp
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.engine import read_workspace
from melleafy_tui.themes import DARK, LIGHT
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import STEPS
from tests.conftest import TopLevelSVGExtension
from tests.ui.conftest import keys, rendered, wait_for, write_workspace
from tests.ui.test_pictures import after, stand_on_a_rule

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("still_packages")]

STILL = 3
"""How many pictures in a row must be the same; two where they are the expected one."""

STEP_SHOTS = (
    (DARK.name, (100, 30)),
    (DARK.name, (240, 60)),
    (LIGHT.name, (80, 24)),
    (LIGHT.name, (100, 30)),
    (LIGHT.name, (160, 48)),
)
EVERY_SHOT = tuple((theme.name, size) for theme in (DARK, LIGHT) for size in ((80, 24), (100, 30), (160, 48)))
"""Three sizes and two themes (issue 5)."""

DIALOGS = {
    "help": ("3", "question_mark"),
    "runtime": ("r",),
    "modality": ("m",),
    "output": ("o",),
    "backend": ("b",),
    "load": ("d",),
    "filter": ("2", "f"),
    "filter-of-entries": ("3", "f"),
    "save": ("ctrl+s",),
    "copy": ("5", "y"),
}


async def shots(
    pilot: Pilot[Any], snapshot: SnapshotAssertion, wanted: tuple[tuple[str, tuple[int, int]], ...]
) -> None:
    """Compare one picture for each theme and size."""
    app = pilot.app
    assert isinstance(app, WizardApp)
    pictures = snapshot.use_extension(TopLevelSVGExtension)
    differing = []
    for theme, size in wanted:
        app.theme = theme
        await pilot.resize_terminal(*size)
        await rendered(pilot)
        entry = getattr(app.step_screen, "current", None)
        if isinstance(entry, PlanEntry):
            known = partial(app.session.known_effect, entry)
            await wait_for(pilot, lambda known=known: known() is not None, "the change is shown")  # type: ignore[misc]
        app.clear_notifications()
        await pilot.pause()
        name = f"{theme.removeprefix('melleafy-')}-{size[0]}x{size[1]}"
        picture = await still_picture(pilot, accepted(snapshot, name))
        if pictures(name=name) != picture:
            differing.append(name)
    assert differing == []


def accepted(snapshot: SnapshotAssertion, name: str) -> str:
    """Return the picture that was looked at, or an empty text where there is none."""
    folder = Path(TopLevelSVGExtension.dirname(test_location=snapshot.test_location))
    path = folder / f"{snapshot.test_location.snapshot_name}[{name}].svg"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


async def still_picture(pilot: Pilot[Any], expected: str) -> str:
    """Return the picture once it stands still: a slow machine paints what a thread found a moment later."""
    last, same = "", 0
    async with asyncio.timeout(120):
        while same < (1 if normalize_svg(last) == expected else STILL):
            picture = pilot.app.export_screenshot(title="melleafy-tui", simplify=True)
            last, same = picture, same + 1 if picture == last else 0
            await pilot.pause(0.02)
    return last


@pytest.mark.parametrize("step", [step.value for step in STEPS])
async def test_a_step(app: WizardApp, snapshot: SnapshotAssertion, step: str) -> None:
    prepare = stand_on_a_rule if step in ("inventory", "decide") else None
    async with app.run_test(size=(160, 48)) as pilot:
        await after(str([each.value for each in STEPS].index(step) + 1), prepare=prepare)(pilot)
        await shots(pilot, snapshot, STEP_SHOTS)


@pytest.mark.parametrize("dialog", DIALOGS)
async def test_a_dialog(app: WizardApp, snapshot: SnapshotAssertion, dialog: str) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        await keys(pilot, *DIALOGS[dialog])
        await shots(pilot, snapshot, EVERY_SHOT)


async def test_a_source_that_changed(app: WizardApp, snapshot: SnapshotAssertion, workspace: Path) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "2")
        await rendered(pilot)
        write_workspace(workspace, {"MEMORY.md": "# Memory\n"})
        app.session.note_newer(read_workspace(workspace, Dialects.default()))
        app.step_screen.show_state()
        await shots(pilot, snapshot, EVERY_SHOT)


async def test_the_result_of_a_write(app: WizardApp, snapshot: SnapshotAssertion) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "5")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")
        await shots(pilot, snapshot, EVERY_SHOT)


async def test_a_search_without_a_find(app: WizardApp, snapshot: SnapshotAssertion) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "3", "slash", *"nowhere")
        await shots(pilot, snapshot, EVERY_SHOT)


async def test_the_hint_of_a_first_visit(
    session: WizardSession, snapshot: SnapshotAssertion, tmp_path: Path
) -> None:
    wizard = WizardApp(session, hints=tmp_path / "hints")
    async with wizard.run_test(size=(160, 48)) as pilot:
        await after("3", prepare=stand_on_a_rule)(pilot)
        await shots(pilot, snapshot, EVERY_SHOT)
