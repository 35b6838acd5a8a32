"""The chooser of sources: opened, searched, clicked, left, and never in the way of a source."""

import io
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.cli.argument_table import parse
from melleafy_tui.cli.commands.wizard import workspace_loader
from melleafy_tui.cli.console import Console
from melleafy_tui.screens.chooser import ChooserScreen
from melleafy_tui.screens.detect import DetectScreen
from melleafy_tui.widgets.dialogs import HelpDialog
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import TICKET_TRIAGE, keys, shown, wait_for, write_workspace
from tests.ui.shots import pictured_and_read, screen_lines
from tests.ui.test_mouse import click_row

pytestmark = pytest.mark.usefixtures("still_packages")

STATE_FOLDER = {
    "openclaw.json": "{}",
    **{f"workspace/{name}": text for name, text in TICKET_TRIAGE.items()},
    "workspace/notes/plan.txt": "A plan.",
    "workspace-sales/SOUL.md": "# Soul\n\nWarm tone.\n",
    "workspace-[red]sales[/]/SOUL.md": "# Soul\n\nDry tone.\n",
    "skills/count/SKILL.md": "---\nname: count\ndescription: Counts words.\n---\n\nCount the words.\n",
    "agents/main/sessions/a.jsonl": "{}\n",
}
PATHS = ["skills/count", "workspace", "workspace-[red]sales[/]", "workspace-sales"]


def wizard_on(folder: Path, *options: str) -> WizardApp:
    console = Console(out=io.StringIO(), messages=io.StringIO())
    return WizardApp(loader=workspace_loader(parse([str(folder), *options]), console, KeyTable()))


@pytest.fixture
def state(own_world: Path) -> Path:
    return write_workspace(own_world / "openclaw-state", STATE_FOLDER)


def sources(app: WizardApp) -> LineList:
    return app.screen.query_one("#sources", LineList)


async def test_a_folder_of_sources_opens_the_chooser(state: Path, snapshot: SnapshotAssertion) -> None:
    app = wizard_on(state)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, ChooserScreen)
        assert [row.id for row in sources(app).visible_rows] == PATHS
        await pictured_and_read(pilot, snapshot, "workspace-[red]sales[/]", "7 files", "agent_skills_std")


@pytest.mark.slow
async def test_a_source_is_found_and_opened(state: Path) -> None:
    app = wizard_on(state)
    async with app.run_test() as pilot:
        await shown(pilot, ChooserScreen)
        await keys(pilot, "slash", *"sales", "enter")
        assert [row.id for row in sources(app).visible_rows] == PATHS[2:]
        await keys(pilot, "escape", "G", "enter")
        await shown(pilot, DetectScreen)
        assert app.session.conversion.snapshot.name == "workspace-sales"
        await keys(pilot, "3")
        await wait_for(pilot, lambda: app.session.rendered_is_current, "the package is rendered")
        assert app.step_screen.session is app.session


@pytest.mark.slow
async def test_help_mouse_and_leaving(state: Path) -> None:
    app = wizard_on(state)
    async with app.run_test() as pilot:
        await shown(pilot, ChooserScreen)
        await keys(pilot, "question_mark")
        helping = await shown(pilot, HelpDialog)
        said = " ".join(row.search for row in helping.query_one("#help-rows", LineList).all_rows)
        assert "open what the cursor is on" in said
        assert "undo" not in said
        await keys(pilot, "escape", "u", "3", "n", "E", "ctrl+p")
        assert isinstance(app.screen, ChooserScreen)
        await pilot.click("#rail-decide")
        assert isinstance(app.screen, ChooserScreen)
        await click_row(pilot, sources(app), "skills", times=2)
        await shown(pilot, DetectScreen)
        assert app.session.conversion.snapshot.name == "count"
        await keys(pilot, "q")
        await wait_for(pilot, lambda: app.return_code is not None, "q ends the wizard")
    assert app.return_code == 0


async def test_names_are_shown_as_text(own_world: Path) -> None:
    name = "a\x1b]0;x\x07\u202e[link]"
    folder = write_workspace(own_world / name, {"openclaw.json": "{}", f"{name}/SOUL.md": "# Soul\n"})
    app = wizard_on(folder)
    async with app.run_test() as pilot:
        await shown(pilot, ChooserScreen)
        screen = "".join(screen_lines(pilot))
        assert screen.count("[link]") == 2
        assert not {"\x1b", "\x07", "\u202e"} & set(screen)


async def test_sources_among_files_that_say_nothing_are_offered_too(own_world: Path) -> None:
    folder = write_workspace(own_world / "mine", {"README.md": "# Mine\n", "a/SOUL.md": "# Soul\n"})
    app = wizard_on(folder)
    async with app.run_test() as pilot:
        await shown(pilot, ChooserScreen)
        assert [row.id for row in sources(app).visible_rows] == ["a"]


@pytest.mark.slow
async def test_a_source_and_a_named_runtime_open_at_once(workspace: Path, state: Path) -> None:
    write_workspace(workspace, {"openclaw.json": "{}", "skills/a/SKILL.md": "---\nname: a\n---\n"})
    for app in (wizard_on(workspace), wizard_on(state, "--source-runtime", "openclaw")):
        async with app.run_test() as pilot:
            await wait_for(pilot, lambda app=app: app.screen.name != "_default", "something is shown")  # type: ignore[misc]
            await shown(pilot, DetectScreen)
            await keys(pilot, "p", "escape")
            assert isinstance(app.screen, DetectScreen)
