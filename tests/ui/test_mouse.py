"""Everything by keyboard is also done by mouse: steps, rows, groups, footer and dialogs (spec/wizard.md)."""

from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from melleafy_tui.app import WizardApp
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard_steps import STEPS, Step
from tests.ui.conftest import keys, rendered, wait_for

SIZE = (120, 40)


async def click_row(pilot: Pilot[int], rows: LineList, words: str, *, times: int = 1) -> None:
    """Click the first visible row whose search words hold these."""
    place = next(place for place, row in enumerate(rows.visible_rows) if words in row.search)
    within = rows.content_region.offset - rows.region.offset
    await pilot.click(rows, offset=(8, within.y + place - rows.scroll_offset.y), times=times)
    await pilot.pause()


async def test_a_click_on_the_rail_goes_to_the_step(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        for step in reversed(STEPS):
            await pilot.click(f"#rail-{step.value}")
            await wait_for(pilot, lambda s=step: app.step_screen.STEP is s, f"step {step}")  # type: ignore[misc]


async def test_a_click_moves_the_cursor_and_a_second_one_opens(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        tree = app.step_screen.query_one("#tree", LineList)
        await click_row(pilot, tree, "auto-close")
        assert tree.current is not None
        assert "auto-close" in tree.current.search
        await click_row(pilot, tree, "auto-close", times=2)
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.DECIDE, "the decision is shown")


async def test_a_click_on_a_group_folds_it(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        tree = app.step_screen.query_one("#tree", LineList)
        before = len(tree.visible_rows)
        await pilot.click(tree, offset=(8, 1))
        await wait_for(pilot, lambda: len(tree.visible_rows) < before, "the file is folded")


async def test_a_click_on_the_footer_does_what_the_key_does(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        [key] = [key for key in app.screen.query(FooterKey) if key.description == "Modality"]
        await pilot.click(key)
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceDialog), "the modality is asked for")
        await wait_for(pilot, lambda: bool(app.screen.query("#choices")), "the choices are shown")
        await click_row(pilot, app.screen.query_one("#choices", LineList), "scheduled", times=2)
        await wait_for(
            pilot, lambda: app.session.conversion.settings.modality is Modality.SCHEDULED, "it is chosen"
        )
