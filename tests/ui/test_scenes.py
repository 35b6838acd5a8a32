"""Every dialog and empty state: one picture of each, and its text read in further sizes and themes of the same run."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion
from textual.command import CommandList
from textual.pilot import Pilot
from textual.widgets import Input

from melleafy_tui.actions.session import Output, WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.journal import JournalEntry
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.reports import (
    FixtureRun,
    FixtureStatus,
    LintFinding,
    LintReport,
    LintResult,
    SmokeReport,
)
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.engine import read_workspace
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.screens.write import WriteScreen
from melleafy_tui.screens.write_texts import (
    deleted_files_dialog,
    failing_lints_dialog,
    stale_source_dialog,
)
from melleafy_tui.widgets.background_thread import Working
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog
from melleafy_tui.widgets.styled_text import LIGHT
from melleafy_tui.wizard.app import WizardApp
from melleafy_tui.wizard.fault_dialogs import fault_dialog
from melleafy_tui.wizard.loading import FILES, STAGES
from tests.dialects.toys import hybrid_conversion
from tests.ui.conftest import keys, open_session, rendered, wait_for, write_workspace
from tests.ui.shots import SHOT, pictured_and_read, shots
from tests.ui.test_pictures import after, override_a_rule, stand_on_a_rule

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("still_packages")]

FINDING = LintFinding(
    "parseable",
    1,
    "requirements.py",
    4,
    1,
    "this line is no Python",
    "Report it, with the line of the source.",
)

Scene = Callable[[Pilot[Any], WizardApp], Awaitable[None]]
SCENES: dict[str, Scene] = {}
SAID = {
    "no-conflict-and-no-find": "No matches.",
    "no-element-found": "No matches.",
    "no-difference": "No matches.",
    "nothing-differs-from-the-defaults": "Nothing differs.",
    "marked": "5 marked",
    "lints-in-the-preview": "✗ requirements.py:4 this",
    "refused-folder": "Nothing to write yet.",
    "smoke-run": "2 of 3 fixtures completed",
    "opening": "elements of every file",
}
"""What the scenes that are no dialogs must say in every size."""


def scene(name: str) -> Callable[[Scene], Scene]:
    def keep(made: Scene) -> Scene:
        SCENES[name] = made
        return made

    return keep


def pressed(*names: str) -> Scene:
    async def press(pilot: Pilot[Any], app: WizardApp) -> None:
        await keys(pilot, *names)

    return press


def shown(made: Callable[[WizardApp], "ChoiceDialog | TextDialog | Working"]) -> Scene:
    async def show(pilot: Pilot[Any], app: WizardApp) -> None:
        await keys(pilot, "5")
        app.push_screen(made(app))
        await pilot.pause()

    return show


def with_finding(app: WizardApp) -> LintReport:
    return LintReport(results=(LintResult("parseable", 1, "failed", (FINDING,)),))


SCENES["help"] = pressed("3", "question_mark")
SCENES["runtime"] = pressed("r")
SCENES["modality"] = pressed("m")
SCENES["output"] = pressed("o")
SCENES["backend"] = pressed("b")
SCENES["load"] = pressed("d")
SCENES["filter"] = pressed("2", "f")
SCENES["filter-of-entries"] = pressed("3", "f")
SCENES["save"] = pressed("ctrl+s")
SCENES["copy"] = pressed("5", "y")
SCENES["no-conflict-and-no-find"] = pressed("3", "slash", *"zzz", "enter")
SCENES["no-element-found"] = pressed("2", "slash", *"zzz", "enter")
SCENES["no-difference"] = pressed("3", "D")
SCENES["nothing-differs-from-the-defaults"] = pressed("4", "v", "v")
SCENES["help-finds-nothing"] = pressed("question_mark", *"zzz")
SCENES["help-of-write"] = pressed("5", "question_mark")
SCENES["failing-lints"] = shown(lambda app: failing_lints_dialog(with_finding(app)))
SCENES["working"] = shown(lambda _app: Working("Reading the source again", "^c"))
SCENES["stale-source"] = shown(lambda app: stale_source_dialog([f"notes/{number}.md" for number in range(9)]))


@scene("opening")
async def opening_of_a_big_workspace(pilot: Pilot[Any], app: WizardApp) -> None:
    screen = OpeningScreen("ticket-triage", [FILES, *(words for words, _ in STAGES)], app.session.keys)
    app.push_screen(screen)
    await pilot.pause()
    await screen.show_stages()
    screen.show_done(0.4, "1,204 of 3,010 files, 12.4 MB")


@scene("retag")
async def retag(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "2")
    await stand_on_a_rule(pilot)
    await keys(pilot, "T")


@scene("recategorise")
async def recategorise(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "2")
    await stand_on_a_rule(pilot)
    await keys(pilot, "C")


@scene("rationale")
async def rationale(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "3")
    await override_a_rule(pilot)
    await keys(pilot, "a")


@scene("leaving")
async def leaving(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "3")
    await override_a_rule(pilot)
    await keys(pilot, "q")


@scene("marked")
async def marked(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "3")
    await stand_on_a_rule(pilot)
    await keys(pilot, "asterisk")


@scene("states-of-a-loaded-file")
async def states(pilot: Pilot[Any], app: WizardApp) -> None:
    known = next(entry.key for entry in app.session.conversion.plan.entries if "auto-close" in entry.key)
    gone = known.replace("agents/rules", "rules/of-old")
    overrides = [{"key": key, "disposition": "stub"} for key in (known, gone, "AGENTS.md#long-gone")]
    path = Path(app.session.conversion.snapshot.root) / DECISIONS_FILE
    path.write_text(json.dumps({"format_version": "1.0", "overrides": overrides}))
    await keys(pilot, "d", "enter")
    await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the states are shown")


@scene("lints-in-the-preview")
async def lints(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "4")
    await rendered(pilot)
    assert app.session.rendered is not None
    app.session.rendered = replace(app.session.rendered, lints=with_finding(app))
    app.step_screen.show_state()


@scene("refused-folder")
async def refused(pilot: Pilot[Any], app: WizardApp) -> None:
    app.session.out.mkdir()
    (app.session.out / "letter.txt").write_text("mine")
    app.session.rendered = None
    app.operations.render()
    await keys(pilot, "5")


@scene("refusal")
async def refusal(pilot: Pilot[Any], app: WizardApp) -> None:
    await refused(pilot, app)
    await rendered(pilot)
    await keys(pilot, "w")


@scene("deleted-files")
async def deleted(pilot: Pilot[Any], app: WizardApp) -> None:
    await write(pilot, app)
    for name in ("README.md", "SETUP.md"):
        (app.session.out / "ticket_triage_mellea" / name).unlink()
    plan = app.session.rendered
    assert plan is not None
    assert plan.plan is not None
    app.push_screen(deleted_files_dialog(app.session.plan_again(plan.plan, restore=())))


@scene("error")
async def error(pilot: Pilot[Any], app: WizardApp) -> None:
    path = Path(app.session.conversion.snapshot.root) / DECISIONS_FILE
    overrides = [{"entry_id": "dep_001", "disposition": "burn"}]
    path.write_text(json.dumps({"format_version": "1.0", "overrides": overrides}))
    await keys(pilot, "d", "enter")
    await wait_for(pilot, lambda: isinstance(app.screen, TextDialog), "the error is shown")


async def write(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "5")
    await rendered(pilot)
    await keys(pilot, "w")
    await wait_for(pilot, lambda: app.session.is_written, "the package is written")


@scene("smoke-run")
async def smoke(pilot: Pilot[Any], app: WizardApp) -> None:
    await write(pilot, app)
    runs = (
        FixtureRun("introduction", FixtureStatus.PASSED, calls=2),
        FixtureRun("rule_keep_every_reply_under", FixtureStatus.UNMET, calls=4, unmet=("Keep every reply short.",)),
        FixtureRun("memory", FixtureStatus.FAILED, calls=1, error="NotImplementedError: recall_memory"),
    )  # fmt: skip
    report = SmokeReport(package_name="ticket_triage_mellea", live=False, behaviour="obedient", runs=runs)
    screen = app.step_screen
    assert isinstance(screen, WriteScreen)
    screen.show_smoke(report, cancelled=False)


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene(app: WizardApp, snapshot: SnapshotAssertion, name: str) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        await SCENES[name](pilot, app)
        await pictured_and_read(pilot, snapshot, *([SAID[name]] if name in SAID else []))


async def test_the_palette(app: WizardApp, snapshot: SnapshotAssertion) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        app.theme = SHOT[0]  # before it is opened: it keeps the colours that it was opened with
        await keys(pilot, "ctrl+p")
        await shots(pilot, snapshot, [SHOT])


async def test_the_palette_runs_what_was_typed_when_enter_comes_before_the_search_ends(
    app: WizardApp,
) -> None:
    async with app.run_test() as pilot:
        await keys(pilot, "ctrl+p")
        await wait_for(pilot, lambda: bool(app.screen.query_one(CommandList).option_count), "all is offered")
        box = app.screen.query_one(Input)
        box.value = "Theme: light"
        await box.action_submit()
        await wait_for(pilot, lambda: app.theme == LIGHT.name, "the theme is light")
        assert app.step_screen.STEP is Step.DETECT


async def test_a_source_that_changed(app: WizardApp, snapshot: SnapshotAssertion, workspace: Path) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "2")
        await rendered(pilot)
        write_workspace(workspace, {"MEMORY.md": "# Memory\n"})
        app.session.note_newer(read_workspace(workspace, Dialects.default()))
        app.step_screen.show_state()
        await pictured_and_read(pilot, snapshot, "source changed")


async def test_the_result_of_a_write(app: WizardApp, snapshot: SnapshotAssertion) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await write(pilot, app)
        await pictured_and_read(pilot, snapshot, "What was written", "Done")


async def test_the_hint_of_a_first_visit(
    session: WizardSession, snapshot: SnapshotAssertion, tmp_path: Path
) -> None:
    wizard = WizardApp(session, hints=tmp_path / "hints")
    async with wizard.run_test(size=(160, 48)) as pilot:
        await after("3", prepare=stand_on_a_rule)(pilot)
        await pictured_and_read(pilot, snapshot, "h hides this for good")


async def opened(app: WizardApp, snapshot: SnapshotAssertion, *said: str) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        await pictured_and_read(pilot, snapshot, *said)


async def test_decisions_left_behind(
    session: WizardSession, snapshot: SnapshotAssertion, tmp_path: Path
) -> None:
    entry = JournalEntry("{}", 3, datetime.now(UTC) - timedelta(hours=2), "", "", tmp_path / "a.json")
    await opened(WizardApp(session, left_behind=[entry]), snapshot)


async def test_a_file_beside_the_workspace(session: WizardSession, snapshot: SnapshotAssertion) -> None:
    beside = Path(session.conversion.snapshot.root) / DECISIONS_FILE
    removed = [{"key": "AGENTS.md#agents/rules/never-auto-close-a-ticket", "disposition": "remove"}]
    beside.write_text(json.dumps({"format_version": "1.0", "overrides": removed}), encoding="utf-8")
    await opened(WizardApp(session, beside=beside), snapshot)


async def test_a_fault(app: WizardApp, snapshot: SnapshotAssertion) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        dialog = fault_dialog(ValueError("planted"), "render the package")
        dialog._lines = dialog._lines[:-1]  # its log is named by the clock
        app.push_screen(dialog)
        await pictured_and_read(pilot, snapshot)


async def test_a_workspace_without_a_sign_of_its_runtime(
    own_world: Path, snapshot: SnapshotAssertion
) -> None:
    folder = write_workspace(own_world / "notes", {"notes.md": "# Notes\n\nBuy milk.\n"})
    await opened(WizardApp(open_session(folder)), snapshot, "no runtime has one strong")


HYBRID = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm and calm.\n",
    "IDENTITY.md": "- **Name:** desk\n",
    "AGENTS.md": "# Rules\n\n- Always ask the host at night.\n",
    "CLAUDE.md": "# Project\n\n- Always run the tests before a commit.\n- Never push to main.\n",
    ".claude/settings.json": '{"permissions": {"deny": ["Bash(rm:*)"]}}\n',
}


async def test_a_hybrid(own_world: Path, snapshot: SnapshotAssertion) -> None:
    desk = write_workspace(own_world / "desk", HYBRID)
    await opened(WizardApp(open_session(desk)), snapshot, "within 1 of it: openclaw 5")


async def test_a_conflict_of_a_hybrid(own_world: Path, snapshot: SnapshotAssertion) -> None:
    rules = "# Rules\n\n- Always keep a warm voice in replies.\n- Always ask the host at night.\n"
    files = {"SOUL.md": "Warm and calm.\n", "AGENTS.md": rules, "COUSIN.md": "- Always be brief.\n"}
    conversion = hybrid_conversion(write_workspace(own_world / "desk", files))
    app = WizardApp(WizardSession(conversion, Output(own_world / "out")))
    async with app.run_test(size=(160, 48)) as pilot:
        await rendered(pilot)
        await keys(pilot, "3", "c", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceDialog), "it asks who wins")
        await pictured_and_read(pilot, snapshot)
