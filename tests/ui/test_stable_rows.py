"""A key changes the row that it was pressed on: after a re-read, another filter result, a change of the row count."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.decisions.journal import Journal, journal_folder, left_behind
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition
from melleafy_tui.engine import read_workspace
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.inventory import InventoryScreen
from melleafy_tui.screens.text_panes import SourceView
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered, resized, shown, wait_for

SIZE = (150, 44)
AUTO_CLOSE, WORDS, DATA_LOSS = "Never auto-close", "Keep every reply", "If a ticket mentions"


@pytest.fixture
def session(workspace: Path) -> WizardSession:
    return open_session(workspace, read_source=partial(read_workspace, workspace, Dialects.default()))


@pytest.fixture
def app(session: WizardSession) -> WizardApp:
    return WizardApp(session, watched=True)


def element(app: WizardApp, words: str) -> Element:
    elements = app.session.conversion.inventory.elements
    return next(each for each in elements if words in each.content_full)


def entry(app: WizardApp, words: str) -> PlanEntry:
    return app.session.conversion.plan.by_element[element(app, words).element_id]


def removed(app: WizardApp) -> set[str]:
    """Return the texts of the entries that the user removed."""
    plan = app.session.conversion.plan
    return {
        held.content_full.lstrip("- ")[:16]
        for each in plan.entries
        if each.overridden and each.disposition is Disposition.REMOVE
        for held in app.session.elements_of(each)
    }


def on_cursor(app: WizardApp) -> str:
    """Return the text of what the cursor is on."""
    screen = app.step_screen
    assert isinstance(screen, DecideScreen | InventoryScreen)
    current = screen.current
    if isinstance(current, PlanEntry):
        return app.session.elements_of(current)[0].content_full
    return current.content_full if current is not None else ""


async def decide_on(pilot: Pilot[Any], app: WizardApp, words: str) -> None:
    """Go to an entry in step 3 through its element."""
    await keys(pilot, "3")
    app.step_screen.reveal(element(app, words).element_id)
    await pilot.pause()


async def filter_by(pilot: Pilot[Any], name: str) -> None:
    await keys(pilot, "f")
    dialog = await shown(pilot, ChoiceDialog)
    assert dialog.query_one("#choices", LineList).go_to(name)
    await keys(pilot, "enter")


async def reread_with_a_line_above(pilot: Pilot[Any], app: WizardApp, workspace: Path) -> None:
    """Add a rule above the others, so that every entry below has another number, and read again."""
    before, numbered = app.session.conversion.snapshot, entry(app, WORDS).entry_id
    file = workspace / "AGENTS.md"
    file.write_text(file.read_text().replace("- Never", "- Greet people by their name.\n- Never"))
    await wait_for(pilot, lambda: app.session.newer is not None, "the change on the disk is noticed")
    await keys(pilot, "R")
    await wait_for(pilot, lambda: app.session.conversion.snapshot is not before, "it is read again")
    await rendered(pilot)
    assert entry(app, WORDS).entry_id != numbered


@pytest.mark.slow
async def test_marks_stay_on_their_entries_when_the_source_is_read_again(
    app: WizardApp, workspace: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, WORDS)
        await keys(pilot, "space")
        await reread_with_a_line_above(pilot, app, workspace)
        await keys(pilot, "x")
        assert removed(app) == {WORDS}


@pytest.mark.slow
@pytest.mark.parametrize("step", ["2", "3"])
async def test_the_cursor_stays_on_its_row_when_the_source_is_read_again(
    step: str, app: WizardApp, workspace: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, step)
        app.step_screen.reveal(element(app, WORDS).element_id)
        await pilot.pause()
        await reread_with_a_line_above(pilot, app, workspace)
        assert WORDS in on_cursor(app)


@pytest.mark.slow
async def test_marks_and_cursor_stay_when_an_element_above_loses_its_category(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, DATA_LOSS)
        await keys(pilot, "space")
        await decide_on(pilot, app, WORDS)
        numbered = entry(app, WORDS).entry_id
        above = session.conversion.keys[element(app, "Warm, curious").element_id]
        app.step_screen.post_message(DecideScreen.Act(SetTag((above,), category=Category.NONE)))
        await rendered(pilot)
        assert entry(app, WORDS).entry_id != numbered
        assert WORDS in on_cursor(app)
        await keys(pilot, "x")
        assert removed(app) == {DATA_LOSS[:16]}
        await keys(pilot, "u", "u", "x")
        assert removed(app) == {WORDS}


@pytest.mark.slow
async def test_a_decided_row_stays_under_the_cursor_though_the_filter_no_longer_fits(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, AUTO_CLOSE)
        await filter_by(pilot, "disposition:bundle")
        await decide_on(pilot, app, AUTO_CLOSE)
        await keys(pilot, "x")
        assert AUTO_CLOSE in on_cursor(app)
        await keys(pilot, "a")
        dialog = await shown(pilot, FormDialog)
        assert "auto-close" in str(dialog.query_one(".dialog").border_title)
        await keys(pilot, "escape", "backspace")
        assert not entry(app, AUTO_CLOSE).overridden
        await keys(pilot, "x", "u", "x")
        assert removed(app) == {AUTO_CLOSE}
        await filter_by(pilot, "disposition:bundle")
        assert AUTO_CLOSE not in on_cursor(app)
        await keys(pilot, "x")
        assert len(removed(app)) == 2


@pytest.mark.slow
async def test_a_decided_row_stays_under_the_cursor_though_the_search_no_longer_fits(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, AUTO_CLOSE)
        await keys(pilot, "slash", *"bundle", "enter")
        await resized(pilot, 80, 24)
        assert AUTO_CLOSE in on_cursor(app)
        await keys(pilot, "x", "x")
        await resized(pilot, *SIZE)
        assert AUTO_CLOSE in on_cursor(app)
        assert removed(app) == {AUTO_CLOSE}
        await keys(pilot, "backspace")
        assert removed(app) == set()


@pytest.mark.slow
async def test_going_to_a_row_that_a_search_hides_shows_it(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "slash", *"never", "enter")
        await keys(pilot, "2")
        app.step_screen.reveal(element(app, WORDS).element_id)
        await keys(pilot, "enter")
        assert app.step_screen.STEP.value == "decide"
        assert WORDS in on_cursor(app)
        await keys(pilot, "slash", *"never", "enter", "2", "slash", *"never", "enter", "3", "escape")
        app.step_screen.reveal(element(app, WORDS).element_id)
        await keys(pilot, "enter")
        assert app.step_screen.STEP.value == "inventory"
        assert WORDS in on_cursor(app)


@pytest.mark.slow
async def test_a_row_back_at_its_default_stays_among_the_differences(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        for words in (AUTO_CLOSE, WORDS):
            await decide_on(pilot, app, words)
            await keys(pilot, "x")
        await keys(pilot, "D")
        app.step_screen.query_one("#entries", LineList).action_edge(-1)
        await keys(pilot, "j", "backspace", "backspace", "x")
        assert removed(app) == {AUTO_CLOSE, WORDS}


@pytest.mark.slow
async def test_a_retagged_element_stays_under_the_cursor_though_the_filter_no_longer_fits(
    app: WizardApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        own = element(app, AUTO_CLOSE)
        await filter_by(pilot, f"tag:{own.tag.value}")
        tree = app.step_screen.query_one("#tree", LineList)
        while AUTO_CLOSE not in on_cursor(app):
            tree.action_cursor(1)
        await keys(pilot, "T")
        await shown(pilot, ChoiceDialog)
        await keys(pilot, "down", "enter")
        assert element(app, AUTO_CLOSE).tag is not own.tag
        assert AUTO_CLOSE in on_cursor(app)
        await keys(pilot, "backspace")
        assert element(app, AUTO_CLOSE).tag is own.tag


@pytest.mark.slow
async def test_a_line_of_the_source_whose_element_is_filtered_out_takes_no_key(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2", "slash", *"never", "enter")
        assert AUTO_CLOSE in on_cursor(app)
        await keys(pilot, "tab", "down", "down")
        source = app.step_screen.query_one(SourceView)
        assert source.has_focus
        assert element(app, WORDS).line_range[0] == source.line_number
        await keys(pilot, "T")
        assert app.screen is app.step_screen
        await keys(pilot, "escape", "tab", "shift+tab")
        assert app.session.conversion.acts == ()


@pytest.mark.slow
async def test_a_line_of_the_source_is_what_a_key_of_step_3_decides(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, AUTO_CLOSE)
        await wait_for(pilot, lambda: app.step_screen.query_one(SourceView).path == "AGENTS.md", "the source")
        await keys(pilot, "tab", "tab", "down")
        source = app.step_screen.query_one(SourceView)
        assert source.has_focus
        assert element(app, WORDS).line_range[0] == source.line_number
        await keys(pilot, "x")
        assert removed(app) == {WORDS}


@pytest.mark.slow
async def test_no_key_changes_a_row_behind_the_notice_of_a_small_terminal(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, AUTO_CLOSE)
        for size in ((59, 24), (80, 19), (1, 1)):
            await resized(pilot, *size)
            await keys(pilot, "down", "x", "space", "2")
            await resized(pilot, *SIZE)
            assert AUTO_CLOSE in on_cursor(app)
        assert app.session.conversion.acts == ()
        await keys(pilot, "x", "a")
        await shown(pilot, FormDialog)
        await resized(pilot, 59, 24)
        await keys(pilot, "z", "enter", "escape")
        await resized(pilot, *SIZE)
        assert entry(app, AUTO_CLOSE).override_rationale == ""
        assert app.screen is app.step_screen
        assert removed(app) == {AUTO_CLOSE}


@pytest.mark.slow
async def test_leaving_from_behind_the_notice_asks_nothing_and_keeps_the_journal(
    workspace: Path, own_world: Path
) -> None:
    folder = journal_folder(own_world / "state", str(workspace))
    app = WizardApp(open_session(workspace, journal=Journal(folder, "now")))
    async with app.run_test(size=SIZE) as pilot:
        await decide_on(pilot, app, AUTO_CLOSE)
        await keys(pilot, "x")
        await resized(pilot, 59, 24)
        await pilot.press("q")
        await wait_for(pilot, lambda: not app.is_running or app._exit, "the wizard is left")
    app.close_journal()
    (kept,) = left_behind(folder)
    assert "never-auto-close" in kept.decisions
