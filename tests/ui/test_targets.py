"""What a key changes or opens is what the user sees and means: marks, groups, hits, emitted lines, warnings."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, SmokeReport
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.review_rows import Card
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.preview import PreviewScreen
from melleafy_tui.screens.write import WriteScreen
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import members
from melleafy_tui.widgets.styled_text import StyledText, line_text
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered, shown, wait_for

SIZE = (120, 40)
AUTO_CLOSE, WORDS = "Never auto-close", "Keep every reply"
RULES = (AUTO_CLOSE, WORDS, "If a ticket mentions")


def entry_key(app: WizardApp, words: str) -> str:
    plan = app.session.conversion.plan
    return next(
        entry.key
        for entry in plan.entries
        if any(words in element.content_full for element in app.session.elements_of(entry))
    )


def removed(app: WizardApp) -> set[str]:
    entries = app.session.conversion.plan.entries
    return {entry.key for entry in entries if entry.overridden and entry.disposition is Disposition.REMOVE}


def table(app: WizardApp) -> LineList:
    assert isinstance(app.step_screen, DecideScreen)
    return app.step_screen.query_one("#entries", LineList)


def at(app: WizardApp) -> str:
    row = table(app).current
    return row.id if row is not None else ""


def bar(app: WizardApp) -> str:
    shown_bar = app.step_screen.query_one("#marked", StyledText)
    return str(shown_bar.content) if shown_bar.display else ""


def notes(app: WizardApp) -> str:
    return "\n".join(note.message for note in app._notifications)


async def stand_on(pilot: Pilot[Any], app: WizardApp, row_id: str) -> None:
    """Stand on a row of the table, with nothing hidden and nothing marked."""
    await keys(pilot, "3")
    assert table(app).go_to(row_id)
    await pilot.pause()


@pytest.mark.slow
async def test_marks_stay_in_sight_and_end_with_the_act(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        marked, later = entry_key(app, AUTO_CLOSE), entry_key(app, WORDS)
        await stand_on(pilot, app, marked)
        await keys(pilot, "space")
        assert at(app) == marked
        assert "1 marked: keys act on these" in bar(app)
        assert table(app).go_to(later)
        await keys(pilot, "x")
        assert removed(app) == {marked}
        assert "never auto-close a ticket" in notes(app)
        assert bar(app) == ""
        await keys(pilot, "x")
        assert removed(app) == {marked, later}
        assert "keep every reply under 120 words" in notes(app)


@pytest.mark.slow
async def test_a_marked_row_out_of_sight_is_not_touched(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        seen, hidden = entry_key(app, AUTO_CLOSE), entry_key(app, WORDS)
        for row in (seen, hidden):
            await stand_on(pilot, app, row)
            await keys(pilot, "space")
        await keys(pilot, "slash", *"never", "enter")
        assert "2 marked: keys act on the 1 in view" in bar(app)
        await keys(pilot, "x")
        assert removed(app) == {seen}


@pytest.mark.slow
async def test_a_group_asks_and_never_reaches_hidden_rows(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await stand_on(pilot, app, entry_key(app, AUTO_CLOSE))
        places = [row.id for row in table(app).all_rows]
        group = next(
            row for row in reversed(places[: places.index(entry_key(app, AUTO_CLOSE))]) if row[:6] == "group:"
        )
        rules = set(members(table(app).all_rows, group))
        assert {entry_key(app, words) for words in RULES} <= rules
        await stand_on(pilot, app, group)
        await keys(pilot, "x")
        dialog = await shown(pilot, ChoiceDialog)
        assert f"all {len(rules)} entries" in str(dialog.query_one(".dialog").border_title)
        await keys(pilot, "escape")
        assert removed(app) == set()
        await keys(pilot, "x", "enter")
        assert removed(app) == rules
        await keys(pilot, "u", "slash", *"never", "enter")
        await stand_on(pilot, app, group)
        await keys(pilot, "x")
        assert removed(app) == {entry_key(app, AUTO_CLOSE)}


@pytest.mark.slow
async def test_a_search_puts_the_cursor_on_its_first_hit(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "g", "slash", *"120")
        assert at(app) == entry_key(app, WORDS)


@pytest.mark.slow
async def test_e_opens_the_rule_and_then_its_other_places(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        tree = app.step_screen.query_one("#tree", LineList)
        element = next(
            element for element in app.session.conversion.inventory.elements if WORDS in element.content_full
        )
        assert tree.go_to(app.session.conversion.keys[element.element_id])
        await keys(pilot, "e")
        await rendered(pilot)
        preview = app.step_screen
        assert isinstance(preview, PreviewScreen)
        await wait_for(pilot, lambda: preview.current_file is not None, "a file is open")
        opened = []
        for _ in range(3):
            assert preview.current_file is not None
            opened.append(preview.current_file.path.partition("/")[2])
            await keys(pilot, "e")
        assert opened[0] == "requirements.py"
        assert "fixtures/__init__.py" in opened[1:]


async def test_a_warning_about_a_secret_stays_until_it_is_answered(workspace: Path) -> None:
    (workspace / "TOOLS.md").write_text("# Tools\n\n- Router password: hunter2-Orchid-77\n")
    app = WizardApp(open_session(workspace))
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        findings = session.conversion.diagnostics
        row = next(number for number, found in enumerate(findings) if found.code == "secret-found")
        reading = app.step_screen.query_one("#reading", LineList)
        assert reading.go_to(f"diagnostic:{row}:{findings[row].location}")
        reading.focus()
        await keys(pilot, "enter")
        await shown(pilot, ChoiceDialog)
        await keys(pilot, "escape")
        assert session.conversion.acts == ()
        session.review_place = (Card.SECRETS, "")
        await keys(pilot, "exclamation_mark", "enter", "n")
        assert len(session.conversion.released_secrets) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_what_was_written_and_run_is_not_shown_as_the_result_of_other_decisions(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "5")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")
        run = FixtureRun("introduction", FixtureStatus.PASSED, calls=2)
        report = SmokeReport(package_name="x", live=False, behaviour="obedient", runs=(run,))
        screen = app.step_screen
        assert isinstance(screen, WriteScreen)
        screen.show_smoke(report, cancelled=False)
        await pilot.pause()
        assert ("✓ " in listed(app), "1 of 1 fixture completed" in told(app)) == (True, True)
        await stand_on(pilot, app, entry_key(app, AUTO_CLOSE))
        await keys(pilot, "x", "5")
        await rendered(pilot)
        assert ("✓ " in listed(app), "completed" in told(app)) == (False, False)
        await keys(pilot, "u")
        await rendered(pilot)
        assert ("✓ " in listed(app), "completed" in told(app)) == (True, True)


def listed(app: WizardApp) -> str:
    rows = app.step_screen.query_one("#files", LineList)
    return "\n".join(line_text(rows.row_line(row, 80)) for row in rows.all_rows)


def told(app: WizardApp) -> str:
    return app.step_screen.query_one("#result", Pane).said


@pytest.mark.slow
async def test_writing_saves_the_decisions_but_never_over_a_file_that_nobody_loaded(app: WizardApp) -> None:
    session = app.session
    path = session.suggested_decisions_path
    async with app.run_test(size=SIZE) as pilot:
        path.write_text("{}")
        await stand_on(pilot, app, entry_key(app, AUTO_CLOSE))
        await keys(pilot, "x", "5")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: session.is_written, "the package is written")
        assert "Your decisions are not saved" in notes(app)
        assert path.read_text() == "{}"
        path.unlink()
        await keys(pilot, "u", "ctrl+r")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: not session.conversion.unsaved, "the decisions are saved")
        assert "remove" in path.read_text()
        assert str(path.name) in session.command_line
