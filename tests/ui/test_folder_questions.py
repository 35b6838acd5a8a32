"""The wizard's places for `export` and `materialize`: the same folders as the commands give, and errors that change nothing."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions.workspace_exports import EXPORT_TITLE, SURFACES_TITLE, WORKSPACE_TITLE
from melleafy_tui.cli.main import main
from melleafy_tui.widgets.dialogs import FormDialog, TextDialog
from melleafy_tui.widgets.styled_text import Pane, StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import TICKET_TRIAGE, from_palette, keys, rendered, shown, typed, wait_for

SIZE = (120, 40)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def text_of(app: WizardApp) -> str:
    return str(app.screen.query_one(Pane).query_one(StyledText).visual)


async def carried_out(pilot: Pilot[int], app: WizardApp) -> str:
    await keys(pilot, "enter")
    await shown(pilot, TextDialog)
    return text_of(app)


@pytest.mark.slow
async def test_the_way_back_gives_what_the_command_gives(app: WizardApp, own_world: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "5", "E")
        assert not isinstance(app.screen, FormDialog), "nothing is written yet"
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")
        await keys(pilot, "E")
        await shown(pilot, FormDialog, EXPORT_TITLE)
        told = await carried_out(pilot, app)
    made = own_world / "ticket-triage_mellea_openclaw"
    assert "Written to ~/ticket-triage_mellea_openclaw" in told
    assert {name: made.joinpath(name).read_text() for name in TICKET_TRIAGE} == TICKET_TRIAGE
    [command] = [line for line in told.splitlines() if line.startswith("$ melleafy-tui export")]
    other = own_world / "by-command"
    assert (
        "--host=openclaw --workspace ~/ticket-triage ~/ticket-triage_mellea ~/ticket-triage_mellea_openclaw"
        in command
    )
    workspace = str(own_world / "ticket-triage")
    assert (
        main(["export", "--host=openclaw", "--workspace", workspace, str(app.session.out), str(other)]) == 0
    )
    assert tree(made) == tree(other)


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_surfaces_and_back_are_the_same_bytes_and_full_folders_are_left_as_they_are(
    app: WizardApp, own_world: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await from_palette(pilot, SURFACES_TITLE, SURFACES_TITLE[:11])
        await shown(pilot, FormDialog, SURFACES_TITLE)
        assert (
            "materialize --reverse --memory-file surfaces/memory.md ~/ticket-triage ~/ticket-triage_surfaces"
            in await carried_out(pilot, app)
        )
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the result is read")
        app.folder_questions.workspace()
        await shown(pilot, FormDialog, WORKSPACE_TITLE)
        told = await carried_out(pilot, app)
        assert (
            "materialize --memory-file surfaces/memory.md ~/ticket-triage_surfaces ~/ticket-triage_workspace"
            in told
        )
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the result is read")
        made = tree(own_world)
        assert {name: made[f"ticket-triage_workspace/{name}"].decode() for name in TICKET_TRIAGE} == (
            TICKET_TRIAGE
        )

        for begin, title in (
            (app.folder_questions.surfaces, SURFACES_TITLE),
            (app.folder_questions.workspace, WORKSPACE_TITLE),
        ):
            begin()
            await shown(pilot, FormDialog, title)
            await keys(pilot, "enter")
            await shown(pilot, TextDialog, "Nothing was written")
            await keys(pilot, "escape")
            await wait_for(pilot, lambda: not app.screen.is_modal, "the refusal is read")
    assert tree(own_world) == made


@pytest.mark.usefixtures("still_packages")
async def test_the_output_is_not_chosen_in_the_source(app: WizardApp, workspace: Path) -> None:
    out = app.session.out
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "o")
        await shown(pilot, FormDialog)
        await typed(pilot, str(workspace / "out"))
        await shown(pilot, TextDialog, "This folder cannot be used")
        assert "--in-place" in text_of(app)
    assert app.session.out == out
