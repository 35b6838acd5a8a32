"""What owners of agents come for, each from the first screen to the package on the disk, by keyboard alone."""

import asyncio
import json
import re
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from melleafy_tui import engine
from melleafy_tui.actions.session import Output, WizardSession, render
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Disposition
from melleafy_tui.core.smoke.runner import SmokeRequest
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.generators.render import render_package
from melleafy_tui.screens import write, write_texts
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.preview import PreviewScreen
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.dialects.toys import hybrid_conversion
from tests.ui.conftest import keys, open_session, rendered, shown, wait_for, write_workspace

SIZE = (120, 40)
STOCK_RULES = (
    "Don't exfiltrate private data. Ever.",
    "Don't run destructive commands without asking.",
    "When in doubt, ask.",
)
"""Lines of OpenClaw's own AGENTS.md, known by their fingerprints."""


def entries(app: WizardApp) -> LineList:
    screen = app.step_screen
    assert isinstance(screen, DecideScreen)
    return screen.query_one("#entries", LineList)


async def search(pilot: Pilot[int], words: str) -> None:
    """Search as a person does: slash, the words, Enter, and down past the head of the group."""
    await keys(pilot, "slash", *("space" if letter == " " else letter for letter in words), "enter")
    await keys(pilot, "g", "down")


async def choose(pilot: Pilot[int], words: str) -> None:
    """Go down a list of choices by the arrow key until the cursor stands on these words, and take it."""
    choices = (await shown(pilot, ChoiceDialog)).query_one("#choices", LineList)
    for _ in choices.all_rows:
        if choices.current is not None and words in choices.current.search:
            break
        await keys(pilot, "down")
    assert choices.current is not None
    assert words in choices.current.search
    await keys(pilot, "enter")


async def write_package(pilot: Pilot[int], app: WizardApp) -> Path:
    await keys(pilot, "5")
    await rendered(pilot)
    await keys(pilot, "w")
    await wait_for(pilot, lambda: app.session.is_written, "the package is written")
    [manifest] = app.session.out.glob("*/melleafy.json")
    return manifest.parent


@pytest.mark.slow
async def test_all_memory_becomes_a_sqlite_store_in_one_act(own_world: Path) -> None:
    memory = "# Memory\n\n" + "".join(f"## Topic {number}\n\nFact {number}.\n\n" for number in range(6))
    folder = write_workspace(own_world / "desk", {"SOUL.md": "# Soul\n\nKind.\n", "MEMORY.md": memory})
    app = WizardApp(open_session(folder))
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "f")
        await choose(pilot, "c5 ")
        await keys(pilot, "A", "i")
        await wait_for(pilot, lambda: bool(app.session.conversion.acts), "the group is decided")
        plan = app.session.conversion.plan
        held = [entry for entry in plan.entries if entry.category == "c5_long_term_memory"]
        assert len(held) >= 6
        assert {entry.disposition for entry in held} == {Disposition.REAL_IMPL}
        assert len(app.session.conversion.acts) == 1
        await keys(pilot, "u", "escape", "asterisk", "i")  # the group of the row under the cursor
        held = [
            entry for entry in app.session.conversion.plan.entries if entry.category == "c5_long_term_memory"
        ]
        assert {entry.disposition for entry in held} == {Disposition.REAL_IMPL}
        assert len(app.session.conversion.acts) == 1
        package = await write_package(pilot, app)
    assert "sqlite3" in "".join(path.read_text() for path in package.rglob("*.py"))


def test_a_write_over_edits_shows_the_lints_of_the_files_on_disk(own_world: Path) -> None:
    session = open_session(write_workspace(own_world / "desk", {"SOUL.md": "# Soul\n\nKind.\n"}))
    for broken in (False, True):
        made = render(session.conversion, session.out, now=session.now, force=False)
        assert made.plan is not None
        session.write(made.plan)
        session.keep(made)
        shown = "\n".join(
            "".join(text for text, _ in line) for line in write_texts.after_lines(session, made)
        )
        assert ("fail  in the files on disk, with your edits" in shown) == broken
        assert ("typing has no Finally" in shown) == broken
        assert bool(re.search(r"Lints +all \d+ pass", shown)) != broken
        for config in session.out.glob("*/config.py"):
            config.write_text(config.read_text().replace("import Final\n", "import Final, Finally\n"))


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_every_stock_rule_is_dropped_in_one_act(own_world: Path) -> None:
    rules = "# Agents\n\n" + "".join(f"- {rule}\n" for rule in (*STOCK_RULES, "Never quote a price."))
    folder = write_workspace(own_world / "desk", {"SOUL.md": "# Soul\n\nKind.\n", "AGENTS.md": rules})
    session = open_session(folder)
    app = WizardApp(session)

    def of_stock() -> list[Disposition]:
        return [
            entry.disposition
            for entry in session.conversion.plan.entries
            if any(element.template for element in session.elements_of(entry))
        ]

    others = len(session.conversion.plan.entries) - len(of_stock())
    assert of_stock()
    assert others
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "f")
        await choose(pilot, "stock text")
        await keys(pilot, "A", "x")
        assert set(of_stock()) == {Disposition.REMOVE}
        assert len(session.conversion.acts) == 1
        overridden = sum(entry.overridden for entry in session.conversion.plan.entries)
        assert overridden <= len(of_stock())
        await keys(pilot, "u")
        assert session.conversion.decisions.overrides == {}


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_two_conflicts_of_a_hybrid_are_resolved_one_after_the_other(own_world: Path) -> None:
    folder = write_workspace(
        own_world / "desk",
        {
            "SOUL.md": "Warm and calm.\n",
            "AGENTS.md": "# Rules\n\n- Always keep a warm voice in replies.\n- Always ask the host at night.\n",
            "COUSIN.md": "- Always be brief.\n",
        },
    )
    conversion = hybrid_conversion(folder)
    assert len(conversion.plan.conflicts) == 2
    app = WizardApp(WizardSession(conversion, Output(own_world / "out")))
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "c")
        for number, resolution in enumerate(("both", "cousin"), 1):
            await keys(pilot, "enter")
            await choose(pilot, resolution)
            await keys(pilot, "down")
            await wait_for(pilot, lambda n=number: len(conversion.acts) == n, "the choice is an act")  # type: ignore[misc]
        assert sorted(conversion.decisions.conflicts.values()) == ["contributor", "merge"]
        await keys(pilot, "u", "u")
        assert conversion.decisions.conflicts == {}


def failing_while(word: str, committed: CommittedPlan) -> FileSet:
    """Render, with a line that no Python can read for as long as a rule with this word is bundled."""
    files = render_package(committed)
    held = next(item for item in committed.planned if word in item.element.statement)
    if held.entry.disposition is not Disposition.BUNDLE:
        return files
    path = f"{files.package_name}/requirements.py"
    broken = tuple(
        replace(file, data=file.data + b"def broken(:\n") if file.path == path else file
        for file in files.files
    )
    return FileSet(broken, files.package_name)


@pytest.mark.slow
async def test_a_lint_failure_is_fixed_from_the_preview(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No lint fails on what the generators emit, so one is planted that a decision can mend."""
    monkeypatch.setattr(engine, "_render", partial(failing_while, "120 words"))
    session = open_session(workspace)
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "4")
        await rendered(pilot)
        assert session.rendered is not None
        assert session.rendered.lints.findings
        app.screen.query_one("#lints").focus()
        await keys(pilot, "enter")
        screen = app.step_screen
        assert isinstance(screen, PreviewScreen)
        assert screen.current_file is not None
        assert screen.current_file.path.endswith("requirements.py")
        await keys(pilot, "slash", *"Keep", "space", *"every", "enter", "enter")
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.INVENTORY, "the source is shown")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.DECIDE, "the decision is shown")
        await keys(pilot, "x", "4")
        await rendered(pilot)
        assert not session.rendered.lints.findings
        assert not app.step_screen.query_one("#lints").display


@pytest.mark.slow
async def test_a_file_with_orphans_is_loaded_and_they_are_dropped_by_keyboard(
    app: WizardApp, workspace: Path
) -> None:
    names = ["AGENTS.md#rules/long-gone", "AGENTS.md#rules/never-was"]
    known = next(entry.key for entry in app.session.conversion.plan.entries if "auto-close" in entry.key)
    document = {
        "format_version": "1.0",
        "overrides": [{"key": key, "disposition": "stub"} for key in (*names, known)],
    }
    (workspace / DECISIONS_FILE).write_text(json.dumps(document))
    decisions = app.session.conversion
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "d", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the states are shown")
        told = app.screen.query_one(Pane).said
        assert "2 orphaned" in told
        assert "1 applied" in told
        await keys(pilot, "escape")
        assert [kept.item.name for kept in decisions.decisions.unplaced] == names
        await keys(pilot, "3", "c")
        for _ in names:
            await keys(pilot, "g", "enter")
            await choose(pilot, "drop it")
        assert decisions.decisions.unplaced == ()
        assert list(decisions.decisions.overrides) == [known]


@pytest.mark.slow
async def test_a_long_smoke_run_is_cancelled_and_the_package_stays(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mellea")
    monkeypatch.setattr(write, "SmokeRequest", partial(SmokeRequest, behaviour=Behaviour.SLOW))
    async with app.run_test(size=SIZE) as pilot:
        package = await write_package(pilot, app)
        await keys(pilot, "s")
        result = app.step_screen.query_one("#result", Pane)
        await wait_for(pilot, lambda: "running" in result.said, "the fixtures run")
        await keys(pilot, "u")
        assert app.is_running, "the screen answers meanwhile"
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: "stopped by you" in result.said, "the run has ended")
        await asyncio.wait_for(app.workers.wait_for_complete(), 20)
    assert (package / "pipeline.py").is_file()
