"""Everything by keyboard is also done by mouse: steps, rows, groups, footer and dialogs (spec/wizard.md)."""

from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from melleafy_tui.actions.steps import Step
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import column_of, rendered, settled, shown, wait_for

pytestmark = pytest.mark.usefixtures("still_packages")


async def click(
    pilot: Pilot[Any], what: str | Widget, *, offset: tuple[int, int] = (0, 0), times: int = 1
) -> None:
    """Click, and wait until the click has had its effect."""
    assert await pilot.click(what, offset=offset, times=times)
    await settled(pilot, f"the click on {what} has had its effect")


async def click_row(pilot: Pilot[Any], rows: LineList, words: str, *, times: int = 1) -> None:
    """Click the first visible row whose search words hold these."""
    place = next(place for place, row in enumerate(rows.visible_rows) if words in row.search)
    within = rows.content_region.offset - rows.region.offset
    await click(pilot, rows, offset=(8, within.y + place - rows.scroll_offset.y), times=times)


@pytest.mark.slow
async def test_steps_rows_groups_footer_and_choices_are_clicked(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await rendered(pilot)
        footer = app.screen.query_one(RowFooter)
        await click(pilot, footer, offset=(column_of(footer, "Trigger") + 1, 0))
        choices = (await shown(pilot, ChoiceDialog)).query_one("#choices", LineList)
        await click_row(pilot, choices, "scheduled", times=2)
        await wait_for(
            pilot, lambda: app.session.conversion.settings.modality is Modality.SCHEDULED, "it is chosen"
        )
        for step in (Step.WRITE, Step.DETECT):
            await click(pilot, f"#rail-{step.value}")
            await wait_for(pilot, lambda s=step: app.step_screen.STEP is s, f"step {step}")  # type: ignore[misc]

        await click(pilot, "#rail-inventory")
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.INVENTORY, "the inventory")
        tree = app.step_screen.query_one("#tree", LineList)
        before = len(tree.visible_rows)
        await click(pilot, tree, offset=(8, 1))
        await wait_for(pilot, lambda: len(tree.visible_rows) < before, "the file is folded")
        await click(pilot, tree, offset=(8, 1))
        await wait_for(pilot, lambda: len(tree.visible_rows) == before, "the file is unfolded")
        await click_row(pilot, tree, "auto-close")
        assert tree.current is not None
        assert "auto-close" in tree.current.search
        await click_row(pilot, tree, "auto-close", times=2)
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.DECIDE, "the decision is shown")
