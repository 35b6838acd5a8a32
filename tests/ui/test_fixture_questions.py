"""The wizard's way to fixtures from the agent's history: folder, session, turns; each pick an act of its own."""

import json
from pathlib import Path

import pytest
from textual.widgets import Input

from melleafy_tui.actions.fixture_picks import FIXTURES_TITLE as TITLE
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog
from melleafy_tui.widgets.styled_text import Pane, StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, shown, wait_for

TURNS = ("Where is parcel 7?", "Mail jane@example.com please")


def state_folder(folder: Path) -> Path:
    place = folder / "agents/main/sessions/a.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text("".join(json.dumps({"role": "user", "content": turn}) + "\n" for turn in TURNS))
    return folder


def asked(app: WizardApp) -> str:
    """Return the title of the list that can be chosen from, or `""`."""
    screen = app.screen
    if not isinstance(screen, ChoiceDialog) or not screen.query("#choices"):
        return ""
    return str(screen.query_one(".dialog").border_title)


@pytest.mark.slow
async def test_turns_are_picked_given_back_and_reach_the_package_and_an_empty_folder_gives_none(
    workspace: Path, tmp_path: Path
) -> None:
    session = open_session(workspace)
    app = WizardApp(session)
    folder = state_folder(tmp_path / "state")
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "5", "F")
        form = await shown(pilot, FormDialog)
        await keys(pilot, "enter")
        assert form.is_current, "a folder must be named"
        form.query_one("#field-folder", Input).value = str(tmp_path)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not form.is_current, "a folder without sessions ends the form")
        assert not session.conversion.decisions.fixtures
        if app.screen.is_modal:
            await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the refusal is read")
        await keys(pilot, "F")
        (await shown(pilot, FormDialog)).query_one("#field-folder", Input).value = str(folder)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: asked(app) == "Which session", "the sessions are shown")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: asked(app) == TITLE, "the turns are shown")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: len(session.conversion.decisions.fixtures) == 1, "one is picked")
        assert session.conversion.decisions.fixtures[0].message == "Mail [email] please"
        await wait_for(pilot, lambda: asked(app) == TITLE, "the turns are shown again")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not session.conversion.decisions.fixtures, "it is given back")
        await wait_for(pilot, lambda: asked(app) == TITLE, "the turns are shown again")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: len(session.conversion.decisions.fixtures) == 1, "it is picked again")
        await wait_for(pilot, lambda: asked(app) == TITLE, "the turns are shown again")
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not isinstance(app.screen, ChoiceDialog), "the question is over")
        result = app.step_screen.query_one("#result", Pane).query_one(StyledText)
        await wait_for(pilot, lambda: "1 of its fixtures" in str(result.visual), "the step says so")
        assert [fixture.message for fixture in session.conversion.decisions.fixtures] == [
            "Mail [email] please"
        ]
        files = session.conversion.files
        assert '"history_' in files.by_path[f"{files.package_name}/fixtures/__init__.py"].text
        await keys(pilot, "u", "u", "u")
        await wait_for(pilot, lambda: not session.conversion.acts, "every pick is taken back")
        assert not session.conversion.decisions.fixtures
