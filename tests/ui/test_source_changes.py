"""The source changes on the disk while the wizard is open: it says so, reads again on request, and loses nothing."""

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions import source_watch
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.source_watch import changed_paths
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import read_workspace
from melleafy_tui.widgets.background_thread import Working
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog
from melleafy_tui.widgets.styled_text import StyledText
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard import operations
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered, shown, wait_for

SIZE = (120, 40)
RULE = "AGENTS.md#agents/rules/never-auto-close-a-ticket"
REPLIES = "AGENTS.md#agents/rules/keep-every-reply-under-120"


@pytest.fixture
def session(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> WizardSession:
    monkeypatch.setattr(source_watch, "EVERY", 0.05)
    return open_session(workspace, read_source=partial(read_workspace, workspace, Dialects.default()))


def edit(workspace: Path, old: str, new: str) -> None:
    file = workspace / "AGENTS.md"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def title(app: WizardApp) -> str:
    return str(app.step_screen.query_one("#title", StyledText).visual)


def stub(session: WizardSession, *names: str) -> None:
    session.conversion.act(SetDisposition(names, Disposition.STUB))


async def noticed(pilot: Pilot[int], session: WizardSession) -> None:
    await wait_for(pilot, lambda: session.newer is not None, "the change on the disk is noticed")


async def write_stale(pilot: Pilot[int], app: WizardApp, workspace: Path) -> None:
    """Change the source after it was rendered and write, up to the question about it."""
    await keys(pilot, "5")
    await rendered(pilot)
    edit(workspace, "under 120 words", "under 90 words")
    await keys(pilot, "w")
    await shown(pilot, ChoiceDialog)


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_a_change_is_noticed_and_read_again_on_request_and_decisions_follow(
    session: WizardSession, workspace: Path
) -> None:
    app = WizardApp(session, watched=True)
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        stub(session, RULE, REPLIES)
        before = session.conversion.snapshot
        edit(workspace, "# Agents\n", "# Agents\n\nOne more line above.\n")
        await noticed(pilot, session)
        assert session.conversion.snapshot is before
        await wait_for(pilot, lambda: "source changed" in title(app), "the title says so")
        await keys(pilot, "R")
        await wait_for(pilot, lambda: session.conversion.snapshot is not before, "it is read again")
        rules = session.conversion.snapshot.file("AGENTS.md")
        assert rules is not None
        assert "One more line above." in rules.lines
        assert list(session.conversion.decisions.overrides) == [RULE, REPLIES]
        await wait_for(pilot, lambda: "source changed" not in title(app), "the title says no more")

        edit(workspace, "- Never auto-close a ticket without confirmation.\n", "")
        await noticed(pilot, session)
        await keys(pilot, "R")
        await shown(pilot, TextDialog)
        decisions = session.conversion.decisions
        assert list(decisions.overrides) == [REPLIES]
        assert [kept.item.name for kept in decisions.unplaced] == [RULE]
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the states are read")
        await rendered(pilot)
        await keys(pilot, "u")
        assert not session.conversion.decisions.overrides


@pytest.mark.usefixtures("still_packages")
async def test_only_what_differs_from_the_source_as_it_was_read_is_a_change(
    session: WizardSession, workspace: Path
) -> None:
    """A change that is taken back is none, nor are decisions saved into the workspace; a new folder is watched too."""
    app = WizardApp(session, watched=True)
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        stub(session, RULE)
        session.save(session.suggested_decisions_path)
        edit(workspace, "# Agents\n", "# Agents!\n")
        await noticed(pilot, session)
        assert session.newer is not None
        assert changed_paths(session.conversion.snapshot, session.newer) == ("AGENTS.md",)
        edit(workspace, "# Agents!\n", "# Agents\n")
        await wait_for(pilot, lambda: session.newer is None, "nothing differs any more")
        await wait_for(pilot, lambda: "source changed" not in title(app), "the title says no more")
        (workspace / "memory").mkdir()
        (workspace / "memory" / "2026-10-01.md").write_text("- Billing moved.\n")
        await noticed(pilot, session)
        assert changed_paths(session.conversion.snapshot, session.newer) == ("memory/2026-10-01.md",)


@pytest.mark.slow
async def test_a_stale_source_is_written_only_with_the_persons_word(
    session: WizardSession, workspace: Path
) -> None:
    """Nothing watches here: the write itself must find the change."""
    app = WizardApp(session)
    requirements = session.out / "ticket_triage_mellea" / "requirements.py"
    async with app.run_test(size=SIZE) as pilot:
        await write_stale(pilot, app, workspace)
        assert not session.out.exists()
        assert "AGENTS.md" in app.screen.query_one(Pane).said
        await keys(pilot, "down", "enter")
        await wait_for(pilot, lambda: session.is_written, "the package is written as the source was read")
        assert "120 words" in requirements.read_text()
        await keys(pilot, "w")
        await shown(pilot, ChoiceDialog)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not session.is_written, "the source is read again")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: session.is_written, "the package is written")
        assert "90 words" in requirements.read_text()


@pytest.mark.usefixtures("still_packages")
async def test_a_source_that_is_gone_is_an_error_where_it_belongs(
    session: WizardSession, workspace: Path
) -> None:
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "5")
        await rendered(pilot)
        workspace.rename(workspace.with_name("moved"))
        await keys(pilot, "w")
        await shown(pilot, TextDialog)
        assert not session.out.exists()


@pytest.fixture
def held_reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the second reading of a source wait until the event is set."""
    event, reread = threading.Event(), Conversion.reread

    def slow(conversion: Conversion, snapshot: Snapshot) -> object:
        event.wait(30)
        return reread(conversion, snapshot)

    monkeypatch.setattr(Conversion, "reread", slow)
    monkeypatch.setattr(operations, "AT_ONCE", 0.01)
    yield event
    event.set()


async def reading_again(pilot: Pilot[int], app: WizardApp, workspace: Path) -> None:
    """Begin to read a changed source again, up to the notice that it is being read."""
    await rendered(pilot)
    edit(workspace, "# Agents\n", "# Agents\n\nOne more line above.\n")
    app.session.note_newer(read_workspace(workspace, Dialects.default()))
    await pilot.press("R")
    await wait_for(pilot, lambda: isinstance(app.screen, Working), "the screen says what is being done")


@pytest.mark.usefixtures("still_packages")
async def test_reading_again_is_said_holds_nothing_up_and_keeps_the_keys(
    session: WizardSession, workspace: Path, held_reading: threading.Event
) -> None:
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await reading_again(pilot, app, workspace)
        await pilot.press("3")
        await wait_for(pilot, lambda: bool(app._key_queue._waiting), "the key is kept")
        before = session.conversion.snapshot
        assert app.step_screen.STEP == "detect"
        held_reading.set()
        await wait_for(pilot, lambda: app.step_screen.STEP == "decide", "the key reached its screen")
        assert session.conversion.snapshot is not before
        assert session.newer is None


@pytest.mark.usefixtures("still_packages")
async def test_reading_again_can_be_stopped_and_then_nothing_has_changed(
    session: WizardSession, workspace: Path, held_reading: threading.Event
) -> None:
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        before = session.conversion.snapshot
        await reading_again(pilot, app, workspace)
        await keys(pilot, "ctrl+c")
        await wait_for(pilot, lambda: not isinstance(app.screen, Working), "the notice is gone")
        held_reading.set()
        await keys(pilot, "2")
        await wait_for(pilot, lambda: app.step_screen.STEP == "inventory", "keys go to the steps again")
        assert session.conversion.snapshot is before
        assert session.newer is not None
