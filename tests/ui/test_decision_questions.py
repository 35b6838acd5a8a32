"""What the wizard asks about decisions of a crash, of a file beside the workspace, and those without a place."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions.session import DecisionsSource, Output, WizardSession
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.decisions.journal import Journal, left_behind
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Disposition
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, shown, wait_for

pytestmark = pytest.mark.usefixtures("still_packages")

SIZE = (120, 40)
RULE = "AGENTS.md#agents/rules/never-auto-close-a-ticket"
REPLIES = "AGENTS.md#agents/rules/keep-every-reply-under-120"


def left_by_a_crash(workspace: Path, folder: Path, name: str, *keys: str, minutes: int) -> None:
    """Leave the journal of a wizard that overrode these entries and never ended."""
    crashed = open_session(workspace, journal=Journal(folder, name))
    for key in keys:
        crashed.conversion.act(SetDisposition((key,), Disposition.STUB))
    crashed.note_in_journal(datetime.now(UTC) - timedelta(minutes=minutes))
    assert crashed.journal is not None
    crashed.journal.close()


async def asked(pilot: Pilot[int], app: WizardApp, words: str) -> str:
    """Wait for a question whose title or lead holds these words, and return its lead."""

    def text() -> str:
        screen = app.screen
        if not isinstance(screen, ChoiceDialog) or not screen.query("#choices"):
            return ""
        lead = "\n".join(pane.said for pane in screen.query(Pane))
        return f"{screen.query_one('.dialog').border_title}\n{lead}"

    await wait_for(pilot, lambda: words in text(), f"it is asked: {words}")
    return text()


def overridden(session: WizardSession) -> list[str]:
    return list(session.conversion.decisions.overrides)


async def test_a_crash_is_offered_with_age_and_acts_and_stays_unsaved_when_resumed(
    workspace: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "journals"
    left_by_a_crash(workspace, folder, "crashed", RULE, REPLIES, minutes=90)
    session = open_session(workspace, journal=Journal(folder, "now"))
    app = WizardApp(session, left_behind=left_behind(folder))
    async with app.run_test(size=SIZE) as pilot:
        lead = await asked(pilot, app, "Unsaved decisions")
        assert "1 hour ago" in lead
        assert "2 changes" in lead
        assert overridden(session) == []
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: overridden(session) == [RULE, REPLIES], "they are back")
        assert session.conversion.unsaved
        await keys(pilot, "q")
        await asked(pilot, app, "not saved")
    session.journal.close()  # type: ignore[union-attr]
    [entry] = left_behind(folder)
    assert (entry.place.name, entry.acts) == ("now.json", 2)


async def test_a_journal_is_kept_where_the_new_one_cannot_be_written(workspace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "journals"
    left_by_a_crash(workspace, folder, "crashed", RULE, minutes=1)
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    session = open_session(workspace, journal=Journal(blocked / "sub", "now"))
    app = WizardApp(session, left_behind=left_behind(folder))
    async with app.run_test(size=SIZE) as pilot:
        await asked(pilot, app, "Unsaved decisions")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: overridden(session) == [RULE], "they are back")
    assert [entry.acts for entry in left_behind(folder)] == [1]


@pytest.mark.slow
async def test_two_crashes_are_offered_one_after_the_other_and_giving_one_up_leaves_the_other(
    workspace: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "journals"
    left_by_a_crash(workspace, folder, "older", RULE, minutes=60 * 24 * 3)
    left_by_a_crash(workspace, folder, "newer", RULE, REPLIES, minutes=5)
    session = open_session(workspace, journal=Journal(folder, "now"))
    app = WizardApp(session, left_behind=left_behind(folder))
    async with app.run_test(size=SIZE) as pilot:
        assert "5 minutes ago" in await asked(pilot, app, "unsaved decisions: 1")
        await keys(pilot, "down", "down", "enter")
        assert "3 days ago" in await asked(pilot, app, "3 days ago")
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the question is over")
        assert overridden(session) == []
    assert [entry.place.name for entry in left_behind(folder)] == ["older.json"]


@pytest.mark.slow
async def test_a_file_beside_the_workspace_is_offered_and_loaded_only_when_it_is_taken(
    workspace: Path,
) -> None:
    path = workspace / DECISIONS_FILE
    path.write_text(json.dumps({"overrides": [{"key": RULE, "disposition": "remove"}]}))
    for pressed, loaded in ((["escape"], False), (["enter"], False), (["up", "enter"], True)):
        session = open_session(workspace)
        app = WizardApp(session, beside=path)
        async with app.run_test(size=SIZE) as pilot:
            lead = await asked(pilot, app, "Found a decisions file")
            assert DECISIONS_FILE in lead
            assert "You didn't save this file here." in lead
            assert f"The file leaves out (1): {RULE}." in " ".join(lead.split())
            assert overridden(session) == []
            await keys(pilot, *pressed)
            if loaded:
                await shown(pilot, TextDialog)
            else:
                await wait_for(pilot, lambda: not app.screen.is_modal, "the question is over")  # noqa: B023
        assert overridden(session) == [RULE] * loaded
        assert session.decisions_path == (path if loaded else None)


def save_stub(workspace: Path, key: str) -> Path:
    session = open_session(workspace)
    session.conversion.act(SetDisposition((key,), Disposition.STUB))
    session.save(workspace / DECISIONS_FILE)
    return workspace / DECISIONS_FILE


def reword(workspace: Path, old: str, new: str) -> None:
    rules = workspace / "AGENTS.md"
    rules.write_text(rules.read_text().replace(old, new))


async def test_states_of_the_file_are_shown_with_both_texts_when_the_wizard_opens_and_marked_until_saved(
    workspace: Path,
) -> None:
    path = save_stub(workspace, RULE)
    reword(workspace, "without confirmation", "unless the reporter agrees")
    opened = open_session(workspace)
    states = opened.load(path)
    session = WizardSession(opened.conversion, Output(opened.out), DecisionsSource(path, states))
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        dialog = await shown(pilot, TextDialog)
        told = dialog.query_one(Pane).said
        assert "1 changed" in told
        assert "- Never auto-close a ticket without confirmation." in told
        assert "+ Never auto-close a ticket unless the reporter agrees." in told
    [entry] = [entry for entry in session.conversion.plan.entries if entry.key == RULE]
    assert "the text has changed" in session.reasons.get(entry.entry_id, "")
    card = session.cards[-1]
    [row] = [row for row in card.rows if row.item.startswith("changed:")]
    assert [answer.label for answer in row.answers] == ["still stub", "take it back"]
    session.conversion.act(row.answers[1].command)
    assert overridden(session) == []
    session.conversion.undo()
    session.conversion.act(row.answers[0].command)
    assert not session.reasons.get(entry.entry_id, ""), "it is answered"
    session.conversion.undo()
    session.save(path)
    assert "the text has changed" not in session.reasons.get(entry.entry_id, "")
