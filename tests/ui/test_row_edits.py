"""Editing from the review: the time of a wake-up and a task, a new task, the wording of a rule, and another rule."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from melleafy_tui.actions.row_edits import edit_of, new_task
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, DecisionKind
from melleafy_tui.core.pipeline.review_rows import Card, ReviewRow
from melleafy_tui.screens.review import ReviewScreen
from melleafy_tui.widgets.dialogs import FormDialog
from melleafy_tui.widgets.styled_text import StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import TICKET_TRIAGE, keys, open_session, settled, shown, write_workspace

NOW = {"when": "every hour", "days": "", "hours": "", "zone": ""}


def rows_of(session: WizardSession, card: Card) -> tuple[ReviewRow, ...]:
    return next((each.rows for each in session.all_cards if each.card is card), ())


async def at_row(pilot: Pilot[Any], app: WizardApp, card: Card, words: str) -> None:
    app.session.review_place = (
        card,
        next(row.item for row in rows_of(app.session, card) if words in row.text),
    )
    await keys(pilot, "exclamation_mark")
    await shown(pilot, ReviewScreen)


def said(app: WizardApp) -> str:
    return str(app.screen.query_one("#fault", StyledText).visual)


async def test_the_wake_up_is_edited_with_what_it_is_read_as_in_view(app: WizardApp) -> None:
    async with app.run_test(size=(100, 34)) as pilot:
        await at_row(pilot, app, Card.WAKES, "30m")
        await keys(pilot, "e")
        dialog = await shown(pilot, FormDialog)
        assert "Read as: every 30 minutes" in said(app)
        dialog.query_one("#field-when", Input).value = "at full moon"
        await settled(pilot, "it is read")
        assert "can't be read" in said(app)
        await keys(pilot, "enter")
        assert app.screen is dialog, "what can't be read isn't taken"
        dialog.query_one("#field-when", Input).value = "every hour"
        dialog.query_one("#field-days", Input).value = "weekdays"
        await settled(pilot, "it is read")
        assert "Read as: every hour on mon, tue, wed, thu, fri" in said(app)
        assert "Next three runs: 2026-11-02" in said(app), "1 November 2026 is a Sunday"
        await keys(pilot, "enter")
        await shown(pilot, ReviewScreen)
        schedule = app.session.conversion.classification.schedule
        assert (schedule.seconds, schedule.days) == (3600, ("mon", "tue", "wed", "thu", "fri"))
        assert all(row.settled for row in rows_of(app.session, Card.WAKES) if row.ticked)
        await keys(pilot, "u")
        assert app.session.conversion.classification.schedule.seconds == 1800


async def test_a_time_told_in_prose_becomes_a_task(own_world: Path) -> None:
    memory = "# Memory\n\n## Queues\n\n- The on-call engineer rotates every Monday.\n"
    session = open_session(write_workspace(own_world / "desk", {**TICKET_TRIAGE, "MEMORY.md": memory}))
    app = WizardApp(session)
    async with app.run_test(size=(100, 34)) as pilot:
        await at_row(pilot, app, Card.WAKES, "Queues")
        await keys(pilot, "e")
        dialog = await shown(pilot, FormDialog)
        assert dialog.query_one("#field-name", Input).value == "Queues: 1 time"
        for name, value in {
            "name": "Report",
            "when": "9:00",
            "days": "mon",
            "does": "Write the report.",
        }.items():
            dialog.query_one(f"#field-{name}", Input).value = value
        await keys(pilot, "enter")
    [task] = session.conversion.classification.schedule.tasks
    assert (task.title, task.schedule.cron, task.text) == ("Report", "0 9 * * 1", "Write the report.")


async def test_a_rule_gets_its_own_wording_and_another_is_added(workspace: Path) -> None:
    session = open_session(workspace)
    app = WizardApp(session)
    async with app.run_test(size=(100, 34)) as pilot:
        await at_row(pilot, app, Card.CHECKED, "Warm")
        await keys(pilot, "e")
        dialog = await shown(pilot, FormDialog)
        dialog.query_one("#field-wording", Input).value = "The reply is warm."
        await keys(pilot, "enter")
        assert "The reply is warm." in [row.text for row in rows_of(session, Card.CHECKED)]
        await keys(pilot, "escape")
        await at_row(pilot, app, Card.CALLS, "Never auto-close")
        before = len([row for row in rows_of(session, Card.CHECKED) if row.ticked])
        await keys(pilot, "plus")
        assert len([row for row in rows_of(session, Card.CHECKED) if row.ticked]) == before + 1
    session.save(workspace / DECISIONS_FILE)
    again = open_session(workspace)
    again.load(workspace / DECISIONS_FILE)
    judged = [each for each in again.conversion.inventory.elements if each.decided(DecisionKind.JUDGED)]
    assert {"The reply is warm.", "Never auto-close a ticket without confirmation."} <= {
        each.statement for each in judged
    }


@pytest.mark.parametrize(
    ("values", "change"),
    [
        ({"days": "mon-fri", "hours": "08:00-18:00"}, "every hour mon-fri active 08:00-18:00"),
        ({"when": "9:00", "days": "tue, fri"}, "0 9 * * 2,5"),
        ({"when": "daily at 9:00", "zone": "Europe/Berlin"}, "daily at 9:00 Europe/Berlin"),
        ({"when": "off"}, "off"),
        ({"days": "tue, fri"}, "!An interval can't have these days"),
        ({"days": "noday"}, "!'noday' is not a day"),
        ({"hours": "mornings"}, "!The hours 'mornings' can't be read"),
        ({"zone": "Mars/Base"}, "!'Mars/Base' is not a time zone"),
        ({"zone": "Europe/BerlinX"}, "!'Europe/BerlinX' is not a time zone"),
        ({"when": ""}, "!The time is missing"),
    ],
)
def test_the_fields_of_a_time_make_one_change_or_say_what_is_wrong(
    session: WizardSession, values: dict[str, str], change: str
) -> None:
    edit = new_task(session.conversion, Card.WAKES)
    assert edit is not None
    whole = {**NOW, "name": "Post", "does": "Post it.", **values}
    if change.startswith("!"):
        assert edit.fault(whole).startswith(change[1:])
    else:
        session.conversion.act(edit.command(whole))
        assert session.conversion.settings.schedule == (f"Post = {change} | Post it.",)


def test_an_emptied_field_of_the_wake_up_ends_what_it_said(session: WizardSession) -> None:
    row = next(row for row in rows_of(session, Card.WAKES) if row.ticked)
    edit = edit_of(session.conversion, row)
    assert edit is not None
    values = {each.name: each.value for each in edit.fields}
    session.conversion.act(edit.command({**values, "days": "mon-fri", "hours": "08:00-18:00"}))
    [row] = [row for row in rows_of(session, Card.WAKES) if row.ticked]
    edit = edit_of(session.conversion, row)
    assert edit is not None
    values = {each.name: each.value for each in edit.fields}
    assert (values["days"], values["hours"]) == ("mon, tue, wed, thu, fri", "08:00-18:00")
    session.conversion.act(edit.command({**values, "days": "", "hours": ""}))
    schedule = session.conversion.classification.schedule
    assert (schedule.active_start, schedule.active_end) == ("00:00", "24:00")
    assert len(schedule.days) in (0, 7)


FORECAST = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("city", help="where")
parser.add_argument("--days", type=int)
parser.add_argument("--verbose", action="store_true")
print(parser.parse_args())
"""


def with_a_script(folder: Path) -> WizardSession:
    tools = "# Tools\n\n- Forecast: run `python scripts/forecast.py CITY --days 3` to see the weather.\n"
    files = {**TICKET_TRIAGE, "TOOLS.md": tools, "scripts/forecast.py": FORECAST}
    return open_session(write_workspace(folder, files))


def emitted(session: WizardSession) -> str:
    package = session.conversion.files
    return package.by_path[f"{package.package_name}/tools.py"].text


async def test_the_parameters_of_a_tool_are_edited_and_replayed(own_world: Path) -> None:
    session = with_a_script(own_world / "desk")
    app = WizardApp(session)
    async with app.run_test(size=(100, 40)) as pilot:
        await at_row(pilot, app, Card.CALLS, "Forecast")
        await keys(pilot, "e")
        dialog = await shown(pilot, FormDialog)
        dialog.query_one("#field-p0", Input).value = "place: text = Dublin"
        dialog.query_one("#field-p1", Input).value = "number_of_days: soon"
        await settled(pilot, "it is read")
        assert "'soon' is no type" in said(app)
        dialog.query_one("#field-p1", Input).value = "number_of_days: whole number = 5"
        await settled(pilot, "it is read")
        assert "The tool takes place: text = Dublin, number_of_days: whole number = 5" in said(app)
        await keys(pilot, "enter")
        await shown(pilot, ReviewScreen)
    whole = emitted(session)
    assert 'place: str = "Dublin", number_of_days: int = 5, verbose: bool = False' in " ".join(whole.split())
    assert session.conversion.lints.passed
    place = own_world / DECISIONS_FILE
    session.save(place)
    again = with_a_script(own_world / "again" / "desk")
    again.load(place)
    assert emitted(again) == whole


def test_a_tool_without_its_tick_is_in_no_code_of_the_package(own_world: Path) -> None:
    session = with_a_script(own_world / "desk")
    row = next(row for row in rows_of(session, Card.CALLS) if row.ticked)
    assert row.flip is not None
    session.conversion.act(row.flip.command)
    code = [each for each in session.conversion.files.files if each.path.endswith(".py")]
    assert not [each.path for each in code if "def forecast" in each.text]
    row = next(row for row in rows_of(session, Card.CALLS) if "Forecast" in row.text)
    assert (row.ticked, row.flip is not None) == (False, True)
