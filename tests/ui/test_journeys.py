"""What a person does with the keyboard alone, from the first screen to the package on the disk."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Progress, Step
from melleafy_tui.actions.traceability import provenance_at
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Category, DecisionSource, Disposition, Tag
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.inventory import InventoryScreen
from melleafy_tui.screens.preview import PreviewScreen
from melleafy_tui.screens.side_pane import EffectPane
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog, HelpDialog, TextDialog
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import StyledText
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import (
    AS_OF,
    EPOCH,
    PATIENCE,
    keys,
    open_session,
    rendered,
    resized,
    settled,
    shown,
    standing,
    typed,
    wait_for,
    write_workspace,
)

SIZE = (120, 40)


def entry_of(session: WizardSession, words: str) -> str:
    return next(
        entry.entry_id
        for entry in session.conversion.plan.entries
        if any(words in element.content_full for element in session.elements_of(entry))
    )


def key_of(session: WizardSession, words: str) -> str:
    return session.conversion.plan.by_id[entry_of(session, words)].key


def disposition_of(session: WizardSession, words: str) -> Disposition:
    return session.conversion.plan.by_id[entry_of(session, words)].disposition


def decide_screen(app: WizardApp) -> DecideScreen:
    screen = app.step_screen
    assert isinstance(screen, DecideScreen)
    return screen


async def at_entry(pilot: Pilot[Any], app: WizardApp, words: str) -> None:
    """Stand on a row of the table, by searching for its words."""
    await keys(pilot, "3")
    wanted = entry_of(app.session, words)
    screen = decide_screen(app)
    screen.reveal(wanted)
    await wait_for(
        pilot, lambda: screen.current is not None and screen.current.entry_id == wanted, f"at {words}"
    )


async def write_package(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "5")
    await rendered(pilot)
    await keys(pilot, "w")
    await wait_for(pilot, lambda: app.session.is_written, "the package is written")


def ids(rows: LineList) -> list[str]:
    """Return what a list shows, without the heads of its groups."""
    return [row.id for row in rows.visible_rows if not row.group]


async def choose(pilot: Pilot[Any], name: str) -> None:
    """Take one of the choices of a dialog by its id."""
    choices = (await shown(pilot, ChoiceDialog)).query_one("#choices", LineList)
    choices.go_to(name)
    await wait_for(
        pilot, lambda: choices.current is not None and choices.current.id == name, f"on the choice {name}"
    )
    await keys(pilot, "enter")


def element_of(session: WizardSession, words: str) -> Element:
    return next(each for each in session.conversion.inventory.elements if words in each.content_full)


def files_below(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Return every file with when it was written and its bytes."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in found}


def manifest(session: WizardSession) -> dict[str, object]:
    [path] = session.out.glob("*/melleafy.json")
    loaded: dict[str, object] = json.loads(path.read_text())
    return loaded


def planned(session: WizardSession) -> list[dict[str, str]]:
    [path] = session.out.glob("*/intermediate/dependency_plan.json")
    entries: list[dict[str, str]] = json.loads(path.read_text())["entries"]
    return entries


async def test_accept_all_defaults_preview_write_and_write_again(app: WizardApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await keys(pilot, "n", "n", "n")
        await rendered(pilot)
        await keys(pilot, "v")
        content = app.step_screen.query_one("#content", LineList)
        await wait_for(
            pilot,
            lambda: [row.search[:10] for row in content.all_rows[2:3]] == ["@@ -0,0 +1"],
            "a file that is not on the disk is shown as new",
        )
        assert all(row.search.startswith("+") for row in content.all_rows[3:] if "+" not in row.id)
        await keys(pilot, "n")
        assert app.step_screen.STEP is Step.WRITE
        await write_package(pilot, app)
        written = files_below(app.session.out)
        await keys(pilot, "4", "5")
        app.session.rendered = None
        app.action_render()
        await rendered(pilot)
        await keys(pilot, "w")
        await settled(pilot, "the second write is over")
        await app.workers.wait_for_complete()
    assert files_below(app.session.out) == written
    assert (app.session.out / "pyproject.toml").is_file()
    assert manifest(app.session)["package_name"] == "ticket_triage_mellea"
    assert all(entry["source_of_decision"] != "user" for entry in planned(app.session))


async def test_override_undo_save_preview_write_and_the_command_line_gives_the_same_package(
    app: WizardApp, workspace: Path
) -> None:
    """A real terminal has the same in tests/e2e."""
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s")
        assert disposition_of(session, "Never auto-close") is Disposition.STUB
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x")
        assert disposition_of(session, "Team:") is Disposition.REMOVE
        await keys(pilot, "u")
        assert disposition_of(session, "Team:") is Disposition.BUNDLE
        await keys(pilot, "ctrl+s")
        await shown(pilot, FormDialog)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not session.conversion.unsaved, "the decisions are saved")
        await keys(pilot, "4")
        await rendered(pilot)
        assert session.rendered is not None
        assert "constrained_slots.py" in "".join(session.rendered.files.by_path)
        await write_package(pilot, app)
    saved = json.loads((workspace / DECISIONS_FILE).read_text())
    assert [override["disposition"] for override in saved["overrides"]] == ["stub"]
    [chosen] = [entry for entry in planned(session) if entry["source_of_decision"] == "user"]
    assert chosen["disposition"] == "stub"
    slots = session.out / "ticket_triage_mellea" / "constrained_slots.py"
    assert "NotImplementedError" in slots.read_text()
    before = {path: data for path, (_, data) in files_below(session.out).items()}
    command = session.command_line.replace(
        "melleafy-tui", f"{shlex.quote(sys.executable)} -m melleafy_tui", 1
    )
    project = Path(__file__).resolve().parents[2]
    shutil.rmtree(session.out)
    done = subprocess.run(
        ["sh", "-c", f"{command} --as-of {AS_OF.isoformat()}"],
        env={**os.environ, "PYTHONPATH": str(project), "SOURCE_DATE_EPOCH": EPOCH},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path: data for path, (_, data) in files_below(session.out).items()} == before


@pytest.mark.slow
async def test_a_decision_is_refused_made_explained_counted_shown_and_taken_back(app: WizardApp) -> None:
    session = app.session
    name = entry_of(session, "Never auto-close")
    async with app.run_test(size=(160, 48)) as pilot:
        before = session.figures
        await keys(pilot, "2")
        progress = {state.step: state.progress for state in session.step_states}
        assert (progress[Step.INVENTORY], progress[Step.WRITE]) == (Progress.DONE, Progress.OPEN)
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "m", "m", "m")
        [note] = [note for note in app._notifications if "not allowed" in note.title]
        assert note.message == "A made-up check would pass or fail replies for no reason."
        assert session.conversion.decisions.overrides == {}

        await keys(pilot, "s")
        entry = session.conversion.plan.by_id[name]
        assert entry.source_of_decision is DecisionSource.USER
        after = session.figures
        assert (after.overrides, after.stubs) == (before.overrides + 1, before.stubs + 1)
        assert after.prompt_tokens == before.prompt_tokens, "the model is still told the rule"
        decided = next(state for state in session.step_states if state.step is Step.DECIDE)
        assert (decided.progress, decided.count) == (Progress.ATTENTION, 3), (
            "three cards are open; a stub that the user chose is left to write, but no open item"
        )
        await wait_for(
            pilot,
            lambda: app.step_screen.query_one(EffectPane).known_effect(entry) is not None,
            "the change is worked out",
        )
        found = app.step_screen.query_one(EffectPane).known_effect(entry)
        assert found is not None
        assert any(line.startswith("+") and "NotImplementedError" in line for line in found.lines)
        assert any(path.endswith("constrained_slots.py") for path in found.files)

        await keys(pilot, "a")
        await shown(pilot, FormDialog)
        await typed(pilot, "our ticket system enforces this")
        await wait_for(
            pilot,
            lambda: (
                session.conversion.plan.by_id[name].override_rationale == "our ticket system enforces this"
            ),
            "the reason is kept",
        )
        rows = decide_screen(app).query_one("#entries", LineList)
        await keys(pilot, "D")
        assert ids(rows) == [key_of(session, "Never auto-close")]
        await keys(pilot, "D")
        assert len(ids(rows)) == len(session.conversion.plan.entries)
        await keys(pilot, "backspace")
        assert session.conversion.decisions.overrides == {}, standing(pilot)


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_acts_are_taken_back_and_done_again_on_any_step(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, *"sx")
        assert len(session.conversion.acts) == 2, standing(pilot)
        last = session.conversion.decisions
        await keys(pilot, *"uu")
        assert session.conversion.decisions.overrides == {}, standing(pilot)
        await keys(pilot, "2", *["ctrl+r"] * 2)
        assert session.conversion.decisions == last


@pytest.mark.usefixtures("still_packages")
async def test_w_walks_through_what_needs_attention(app: WizardApp) -> None:
    session = app.session
    for words in ("Never auto-close", "Keep every reply"):
        key = key_of(session, words)
        session.conversion.act(SetDisposition((key,), Disposition.STUB))
    waiting = list(session.reasons)
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3")
        seen: list[str] = []
        for _ in waiting:
            await keys(pilot, "w")
            current = decide_screen(app).current
            assert current is not None
            seen.append(current.entry_id)
    assert sorted(seen) == sorted(waiting)


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_search_filter_and_help_narrow_what_is_listed(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3", "slash", *"120")
        rows = decide_screen(app).query_one("#entries", LineList)
        assert ids(rows) == [key_of(session, "120 words")]
        await keys(pilot, "escape")
        assert len(ids(rows)) == len(session.conversion.plan.entries)

        await keys(pilot, "2", "f")
        await choose(pilot, "category:C2")
        tree = app.step_screen.query_one("#tree", LineList)
        by_key = {
            session.conversion.keys[element.element_id]: element
            for element in session.conversion.inventory.elements
        }
        await wait_for(
            pilot,
            lambda: {by_key[name].category for name in ids(tree)} == {Category.C2},
            "one category is listed",
        )

        await keys(pilot, "3", "question_mark")
        dialog = await shown(pilot, HelpDialog)
        dialog.query_one(Input).value = "attention"
        await settled(pilot, "the help is narrowed")
        help_rows = ids(dialog.query_one("#help-rows", LineList))
        assert "decide.attention" in help_rows
        assert "decide.bundle" not in help_rows
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the help is closed")
        assert app.step_screen.STEP is Step.DECIDE


@pytest.mark.usefixtures("still_packages")
async def test_source_element_decision_and_emitted_line_lead_to_each_other(app: WizardApp) -> None:
    session = app.session
    wanted = element_of(session, "120 words")
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        await keys(pilot, "2")
        inventory = app.step_screen
        assert isinstance(inventory, InventoryScreen)
        source = inventory.query_one("#source", FileView)
        inventory.reveal(wanted.element_id)
        await wait_for(pilot, lambda: source.line_number == wanted.line_range[0], "the source follows")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: app.step_screen.STEP is Step.DECIDE, "its decision is in view")
        await settled(pilot, "the decision is under the cursor")
        current = decide_screen(app).current
        assert current is not None
        assert current.source_elements == (wanted.element_id,)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: inventory.is_current and inventory.current is wanted, "and back")
        await keys(pilot, "tab", "down")
        await wait_for(
            pilot,
            lambda: inventory.current is not None and inventory.current.line_range[0] == source.line_number,
            "the tree follows the source",
        )

        await keys(pilot, "4")
        preview = app.step_screen
        assert isinstance(preview, PreviewScreen)
        preview.reveal(wanted.element_id)
        content = preview.query_one("#content", FileView)

        def origin() -> tuple[str, str] | None:
            file = preview.current_file
            found = provenance_at(file, content.line_number) if file is not None else None
            return (found.source_file, found.source_lines) if found is not None else None

        await wait_for(pilot, lambda: origin() == ("AGENTS.md", wanted.source_lines), "its emitted line")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: inventory.is_current and inventory.current is wanted, "its element")
        await keys(pilot, "e")
        await wait_for(pilot, lambda: preview.is_current, "the preview again")


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_retag_offers_only_what_may_stand_together(app: WizardApp) -> None:
    session = app.session
    wanted = element_of(session, "120 words")
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        app.step_screen.reveal(wanted.element_id)
        await keys(pilot, "T")
        dialog = await shown(pilot, ChoiceDialog)
        offered = [row.id for row in dialog.query_one("#choices", LineList).all_rows]
        assert not {"SCHEMA", "NO_DECOMPOSE"} & set(offered)
        await choose(pilot, "DECIDE")
        await wait_for(pilot, lambda: bool(session.conversion.acts), "the retag is an act")
        assert session.conversion.inventory.by_id[wanted.element_id].tag is Tag.DECIDE
        await keys(pilot, "backspace")
        await wait_for(
            pilot,
            lambda: session.conversion.inventory.by_id[wanted.element_id].tag is wanted.tag,
            "the tag is as it was",
        )


@pytest.mark.slow
async def test_the_preview_follows_a_decision_and_compares_with_the_disk_and_the_defaults(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await write_package(pilot, app)
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x", "4")
        await rendered(pilot)
        screen = app.step_screen
        assert isinstance(screen, PreviewScreen)
        content = screen.query_one("#content", FileView)

        def team(mark: str = "") -> bool:
            return any(
                row.search.startswith(mark) and "platform support" in row.search for row in content.all_rows
            )

        assert content.border_subtitle == "diff against the disk", "it opens on the first change"
        seen = str(content.border_title)
        await keys(pilot, *("]" for _ in range(12)))
        assert str(content.border_title) != seen, "] goes on to the next changed file"
        await keys(pilot, "v", "v")
        screen.query_one("#tree", LineList).go_to("ticket_triage_mellea/config.py")
        await wait_for(pilot, lambda: str(content.border_title).endswith("config.py"), "the file is in view")
        assert not team()
        await keys(pilot, "v")
        await wait_for(pilot, lambda: team("-"), "it differs from the disk")
        await keys(pilot, "v")
        await wait_for(pilot, lambda: session.defaults is not None, "the defaults are rendered")
        await wait_for(pilot, lambda: team("-"), "it differs from the defaults")
        await keys(pilot, "v")
        await wait_for(pilot, lambda: not team(), "the file alone is in view")
        await keys(pilot, "u")
        await wait_for(pilot, team, "the file in view follows the decision")


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_settings_and_the_output_are_chosen_and_settings_are_acts(
    app: WizardApp, own_world: Path
) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "b")
        (await shown(pilot, FormDialog)).query_one("#field-model_id").focus()
        await typed(pilot, "granite4.1:8b")
        await wait_for(pilot, lambda: len(session.conversion.acts) == 1, "the model is an act")
        assert session.conversion.settings.model_id == "granite4.1:8b"
        await keys(pilot, "m")
        await choose(pilot, "synchronous_oneshot")
        await wait_for(pilot, lambda: len(session.conversion.acts) == 2, "the modality is an act")
        assert session.conversion.classification.modality == "synchronous_oneshot"
        await keys(pilot, "u", "u")
        await wait_for(pilot, lambda: not session.conversion.acts, "both are taken back")
        assert session.conversion.settings.model_id == "granite4.1:3b"
        assert session.conversion.settings.modality is None

        await keys(pilot, "o")
        form = await shown(pilot, FormDialog)
        form.query_one("#field-out", Input).value = str(own_world / "elsewhere")
        form.query_one("#field-name").focus()
        await typed(pilot, "desk_mellea")
        await wait_for(pilot, lambda: bool(session.conversion.acts), "the name is an act")
        await rendered(pilot)
        assert session.out == own_world / "elsewhere"
        assert session.rendered is not None
        assert session.rendered.plan is not None
        assert "desk_mellea/config.py" in session.rendered.files.by_path


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_a_hybrid_of_two_runtimes_can_be_chosen_and_taken_back(own_world: Path) -> None:
    files = {
        "SOUL.md": "# Soul\n\nWarm.\n",
        "CLAUDE.md": "# Project\n\n- Never push to main.\n",
        ".claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}\n',
    }
    session = open_session(write_workspace(own_world / "desk", files))
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        for words, contributors in (("openclaw + claude_code", ("claude_code",)), ("openclaw", ())):
            await keys(pilot, "r")
            choices = (await shown(pilot, ChoiceDialog)).query_one("#choices", LineList)
            [row] = [row for row in choices.all_rows if row.search == words]
            await choose(pilot, row.id)
            await wait_for(
                pilot,
                lambda: session.conversion.classification.hybrid_contributors == contributors,  # noqa: B023
                "the choice holds",
            )
        assert session.conversion.classification.source_runtime == "openclaw"
        await keys(pilot, "r")
        choices = (await shown(pilot, ChoiceDialog)).query_one("#choices", LineList)
        assert all(row.search != "claude_code + agent_skills_std" for row in choices.all_rows)
        assert choices.current is not None
        assert choices.current.search == "openclaw"
        await keys(pilot, "escape", "u")
        await wait_for(
            pilot,
            lambda: session.conversion.classification.hybrid_primary == "openclaw",
            "the hybrid is back",
        )
        await keys(pilot, "u")
        await wait_for(pilot, lambda: session.conversion.settings.source_runtime is None, "nothing is chosen")


@pytest.mark.usefixtures("still_packages")
async def test_a_folder_of_someone_else_is_refused_with_the_next_step(app: WizardApp) -> None:
    app.session.out.mkdir()
    (app.session.out / "letter.txt").write_text("mine")
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "5")
        await rendered(pilot)
        await keys(pilot, "w")
        await shown(pilot, TextDialog)
    assert [path.name for path in app.session.out.iterdir()] == ["letter.txt"]


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_a_signal_while_a_step_opens_is_no_fault(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The widgets of a screen that is being mounted are removed when the wizard ends."""

    mounted = asyncio.Event()

    def mount_as_the_wizard_ends(screen: DecideScreen) -> None:
        app._end_by_signal(143)
        mounted.set()
        screen.query_one("#removed")

    monkeypatch.setattr(DecideScreen, "show_panes", mount_as_the_wizard_ends)
    async with app.run_test(size=SIZE):
        app.simulate_key("3")
        await asyncio.wait_for(mounted.wait(), 30)
    assert (app.fault, app.return_code) == (None, 143)


async def test_quit_asks_when_decisions_are_unsaved_and_can_save_first(
    app: WizardApp, workspace: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "q")
        await choose(pilot, "stay")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the question is over")
        assert app.is_running
        await keys(pilot, "q")
        await shown(pilot, ChoiceDialog)
        await keys(pilot, "enter")
        await shown(pilot, FormDialog)
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not app.is_running, "the wizard has ended")
    assert app.return_code == 0
    assert (workspace / DECISIONS_FILE).is_file()


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_a_decisions_file_is_refused_whole_or_loaded_with_the_state_of_each_entry(
    app: WizardApp, workspace: Path
) -> None:
    session, path = app.session, workspace / DECISIONS_FILE
    gone = "AGENTS.md#rules/long-gone"
    overrides = [
        {"entry_id": entry_of(session, "Never auto-close"), "disposition": "stub"},
        {"key": gone, "disposition": "remove"},
    ]
    wrong = [*overrides, {"entry_id": "dep_001", "disposition": "burn"}]
    async with app.run_test(size=SIZE) as pilot:
        path.write_text(json.dumps({"format_version": "1.0", "overrides": wrong}))
        await keys(pilot, "d")
        await shown(pilot, FormDialog)
        await keys(pilot, "enter")
        await shown(pilot, TextDialog)
        assert session.conversion.acts == ()
        await keys(pilot, "escape")
        await wait_for(pilot, lambda: not app.screen.is_modal, "the refusal is read")
        path.write_text(json.dumps({"format_version": "1.0", "overrides": overrides}))
        await keys(pilot, "d")
        await shown(pilot, FormDialog)
        await keys(pilot, "enter")
        states = await shown(pilot, TextDialog)
        told = states.query_one(Pane).said
        assert "1 applied" in told
        assert "1 orphaned" in told
        assert disposition_of(session, "Never auto-close") is Disposition.STUB
        assert [kept.item.name for kept in session.conversion.decisions.unplaced] == [gone]
        await keys(pilot, "escape", "u")
        await wait_for(
            pilot,
            lambda: disposition_of(session, "Never auto-close") is Disposition.BUNDLE,
            "the load is taken back",
        )


TOO_SMALL = re.compile(r"(60×20|60 columns and +20 rows).*\b(q|Esc)\b")


@pytest.mark.usefixtures("still_packages")
async def test_a_tiny_terminal_gets_a_notice_alone_and_recovers(
    session: WizardSession, tmp_path: Path
) -> None:
    app = WizardApp(session, hints=tmp_path / "hints")
    parts = ("#body", "#hint", "#search")
    async with app.run_test(size=(100, 30)) as pilot:
        await keys(pilot, "3", "/")
        for size in ((1, 1), (16, 3), (20, 5), (40, 10), (59, 19), (59, 30), (100, 19)):
            await resized(pilot, *size)
            assert [name for name in parts if app.screen.query_one(name).display] == [], size
            notice = app.screen.query_one("#too-small")
            assert (notice.display, notice.region.y) == (True, 0), size
            if size != (1, 1):
                lines = app.screen._compositor.render_strips()
                said = " ".join("".join(segment.text for segment in line) for line in lines)
                found = TOO_SMALL.search(said)
                assert found is not None, size
                assert found[2] == "q", size
        await resized(pilot, 100, 30)
        assert all(app.screen.query_one(name).display for name in parts)
        assert not app.screen.query_one("#too-small").display
        assert decide_screen(app).query_one("#entries", LineList).size.height > 5


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_dialogs_in_a_tiny_terminal_give_way_to_a_notice_and_recover(app: WizardApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await rendered(pilot)
        for key, kind in (("?", HelpDialog), ("r", ChoiceDialog), ("o", FormDialog)):
            await keys(pilot, key)
            box = (await shown(pilot, kind)).query_one(".dialog")
            for size in ((59, 30), (100, 19)):
                await resized(pilot, *size)
                assert not box.display, (key, size)
                said = " ".join(str(app.screen.query_one("#too-small", StyledText).content).split())
                found = TOO_SMALL.search(said)
                assert found is not None, (key, size)
                assert found[2] == "Esc", (key, size)
            await resized(pilot, 100, 30)
            assert box.display, key
            assert not app.screen.query_one("#too-small").display, key
            await resized(pilot, 20, 5)
            await keys(pilot, "escape")
            assert not app.screen.is_modal, key
            await resized(pilot, 100, 30)


@pytest.mark.usefixtures("still_packages")
async def test_the_hint_of_a_first_visit_is_dismissed_for_good(
    session: WizardSession, tmp_path: Path
) -> None:
    for visible in (True, False):
        app = WizardApp(session, hints=tmp_path / "hints")
        async with app.run_test(size=SIZE) as pilot:
            await settled(pilot, "the first step is shown")
            assert app.screen.query_one("#hint").display is visible
            await keys(pilot, "h")
            assert not app.screen.query_one("#hint").display


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_keys_that_arrive_all_at_once_are_searched_for_and_decide_nothing(app: WizardApp) -> None:
    """A burst is what a real terminal sends for a paste or a macro; seen first in tests/e2e/test_terminal_wizard.py."""
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "3")
        for character in "/auto-close":
            app.post_message(events.Key("slash" if character == "/" else character, character))
        search = app.screen.query_one("#search", Input)
        await wait_for(
            pilot, lambda: search.value == "auto-close", "every key but the first is in the search"
        )
        await settled(pilot, "the table is narrowed")
        assert app.session.conversion.acts == ()
        rows = decide_screen(app).query_one("#entries", LineList)
        assert ids(rows) == [key_of(app.session, "Never auto-close")]


@pytest.mark.slow
async def test_twelve_acts_are_taken_back_and_done_again(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=SIZE) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, *"sxd" * 4)
        assert len(session.conversion.acts) == 12, standing(pilot)
        last = session.conversion.decisions
        await keys(pilot, *["u"] * 12)
        assert session.conversion.decisions.overrides == {}, standing(pilot)
        await keys(pilot, "2", *["ctrl+r"] * 12)
        assert session.conversion.decisions == last
