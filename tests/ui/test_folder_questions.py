"""The wizard's places for `export` and `materialize`: the same folders as the commands give, and errors that change nothing."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from melleafy_tui.app import WizardApp
from melleafy_tui.cli import main
from melleafy_tui.folder_works import EXPORT_TITLE, SURFACES_TITLE, WORKSPACE_TITLE
from melleafy_tui.widgets.dialogs import FormDialog, TextDialog
from melleafy_tui.widgets.toned import Pane, Toned
from tests.ui.conftest import TICKET_TRIAGE, keys, rendered, typed, wait_for

SIZE = (120, 40)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def told(app: WizardApp) -> str:
    return str(app.screen.query_one(Pane).query_one(Toned).visual)


async def from_palette(pilot: Pilot[int], app: WizardApp, title: str) -> None:
    await keys(pilot, "ctrl+p")
    await wait_for(pilot, lambda: app.screen.id == "--command-palette", "the palette is open")
    await keys(pilot, *("space" if letter == " " else letter for letter in title))
    found = app.screen.query("CommandList").first()
    await wait_for(pilot, lambda: bool(found.option_count), "the palette has found it")  # type: ignore[attr-defined]
    await keys(pilot, "down", "enter")
    await wait_for(pilot, lambda: isinstance(app.screen, FormDialog), "the folders are asked for")
    assert app.screen.query_one(".dialog").border_title == title


async def carried_out(pilot: Pilot[int], app: WizardApp) -> str:
    await keys(pilot, "enter")
    await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the result is shown")
    return told(app)


async def test_the_way_back_gives_what_the_command_gives(app: WizardApp, own_world: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "5", "E")
        assert not isinstance(app.screen, FormDialog), "nothing is written yet"
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")
        await keys(pilot, "E")
        await wait_for(pilot, lambda: isinstance(app.screen, FormDialog), "the folders are asked for")
        assert app.screen.query_one(".dialog").border_title == EXPORT_TITLE
        shown = await carried_out(pilot, app)
    made = own_world / "ticket-triage_mellea_openclaw"
    assert "Written to ~/ticket-triage_mellea_openclaw" in shown
    assert {name: made.joinpath(name).read_text() for name in TICKET_TRIAGE} == TICKET_TRIAGE
    [command] = [line for line in shown.splitlines() if line.startswith("$ melleafy-tui export")]
    other = own_world / "by-command"
    assert "--host=openclaw ~/ticket-triage_mellea ~/ticket-triage_mellea_openclaw" in command
    assert main(["export", "--host=openclaw", str(app.session.out), str(other)]) == 0
    assert tree(made) == tree(other)


async def test_surfaces_and_back_are_the_same_bytes(app: WizardApp, own_world: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await from_palette(pilot, app, SURFACES_TITLE)
        assert (
            "materialize --reverse --memory-file surfaces/memory.md ~/ticket-triage ~/ticket-triage_surfaces"
            in await carried_out(pilot, app)
        )
        await keys(pilot, "escape")
        await from_palette(pilot, app, WORKSPACE_TITLE)
        shown = await carried_out(pilot, app)
    assert (
        "materialize --memory-file surfaces/memory.md ~/ticket-triage_surfaces ~/ticket-triage_workspace"
        in shown
    )
    made = tree(own_world / "ticket-triage_workspace")
    assert {name: made[name].decode() for name in TICKET_TRIAGE} == TICKET_TRIAGE


@pytest.mark.parametrize("title", [SURFACES_TITLE, WORKSPACE_TITLE])
async def test_a_folder_that_holds_something_is_left_as_it_is(
    app: WizardApp, own_world: Path, title: str
) -> None:
    for name in ("ticket-triage_surfaces", "ticket-triage_workspace"):
        (own_world / name).mkdir()
        (own_world / name / "mine.txt").write_text("mine")
    async with app.run_test(size=SIZE) as pilot:
        await from_palette(pilot, app, title)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the refusal is shown")
        assert app.screen.query_one(".dialog").border_title == "Nothing was written"
    assert tree(own_world / "ticket-triage_surfaces") == {"mine.txt": b"mine"}
    assert tree(own_world / "ticket-triage_workspace") == {"mine.txt": b"mine"}


async def test_the_output_is_not_chosen_in_the_source(app: WizardApp, workspace: Path) -> None:
    out = app.session.out
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "o")
        await wait_for(pilot, lambda: isinstance(app.screen, FormDialog), "the folder is asked for")
        await typed(pilot, str(workspace / "out"))
        await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the refusal is shown")
        assert app.screen.query_one(".dialog").border_title == "This folder cannot be used"
        assert "--in-place" in told(app)
    assert app.session.out == out
