"""What a person does with the keyboard alone, from the first screen to the package on the disk."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from melleafy_tui.app import WizardApp
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.decisions.state import DECISIONS_FILE
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, Tag
from melleafy_tui.provenance import provenance_at
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.inventory import InventoryScreen
from melleafy_tui.screens.preview import PreviewScreen
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog, HelpDialog, TextDialog
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.toned import Toned
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import Progress, Step
from tests.ui.conftest import (
    AS_OF,
    EPOCH,
    keys,
    open_session,
    rendered,
    standing,
    typed,
    wait_for,
    write_workspace,
)

SIZES = [(80, 24), (160, 48)]


def entry_of(session: WizardSession, words: str) -> str:
    return next(
        entry.entry_id
        for entry in session.conversion.plan.entries
        if any(words in element.content_full for element in session.elements_of(entry))
    )


def disposition_of(session: WizardSession, words: str) -> Disposition:
    return session.conversion.plan.by_id[entry_of(session, words)].disposition


def decide_screen(app: WizardApp) -> DecideScreen:
    screen = app.step_screen
    assert isinstance(screen, DecideScreen)
    return screen


async def at_entry(pilot: Pilot[int], app: WizardApp, words: str) -> None:
    """Stand on a row of the table, by searching for its words."""
    await keys(pilot, "3", "slash", *words.replace(" ", "_").split("_")[0], "enter")
    decide_screen(app).query_one("#entries", LineList).go_to(entry_of(app.session, words))
    await keys(pilot, "escape")
    await pilot.pause()


async def write_anyway(pilot: Pilot[int], app: WizardApp) -> None:
    await keys(pilot, "5")
    await rendered(pilot)
    await keys(pilot, "w")
    if isinstance(app.screen, ChoiceDialog):
        await keys(pilot, "down", "enter")
    await wait_for(pilot, lambda: app.session.is_written, "the package is written")


def manifest(session: WizardSession) -> dict[str, object]:
    [path] = session.out.glob("*/melleafy.json")
    loaded: dict[str, object] = json.loads(path.read_text())
    return loaded


def planned(session: WizardSession) -> list[dict[str, str]]:
    [path] = session.out.glob("*/intermediate/dependency_plan.json")
    entries: list[dict[str, str]] = json.loads(path.read_text())["entries"]
    return entries


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_accept_all_defaults_and_write(app: WizardApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await keys(pilot, "n", "n", "n", "n")
        await rendered(pilot)
        await write_anyway(pilot, app)
    assert (app.session.out / "pyproject.toml").is_file()
    assert manifest(app.session)["package_name"] == "ticket_triage_mellea"
    assert all(entry["source_of_decision"] != "user" for entry in planned(app.session))


async def test_override_two_rows_undo_one_save_preview_and_write(app: WizardApp, workspace: Path) -> None:
    """Issue 2, "It must show" 4, on the screens; tests/e2e has it in a real terminal."""
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s")
        assert disposition_of(session, "Never auto-close") is Disposition.STUB
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x")
        assert disposition_of(session, "Team:") is Disposition.REMOVE
        await keys(pilot, "u")
        assert disposition_of(session, "Team:") is Disposition.BUNDLE
        await keys(pilot, "ctrl+s")
        assert isinstance(app.screen, FormDialog)
        await keys(pilot, "enter")
        assert not session.conversion.unsaved
        await keys(pilot, "4")
        await rendered(pilot)
        assert session.rendered is not None
        assert "constrained_slots.py" in "".join(session.rendered.files.by_path)
        await write_anyway(pilot, app)
    saved = json.loads((workspace / DECISIONS_FILE).read_text())
    assert [override["disposition"] for override in saved["overrides"]] == ["stub"]
    [chosen] = [entry for entry in planned(session) if entry["source_of_decision"] == "user"]
    assert chosen["disposition"] == "stub"
    slots = session.out / "ticket_triage_mellea" / "constrained_slots.py"
    assert "NotImplementedError" in slots.read_text()


async def test_twelve_acts_are_taken_back_and_done_again(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        for key in "sxd" * 4:
            await keys(pilot, key)
        assert len(session.conversion.acts) == 12, standing(pilot)
        last = session.conversion.decisions
        await keys(pilot, *["u"] * 12)
        assert session.conversion.decisions.overrides == {}, standing(pilot)
        await keys(pilot, "2", *["ctrl+r"] * 12)
        assert session.conversion.decisions == last


async def test_backspace_goes_back_to_the_default(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "backspace")
        assert app.session.conversion.decisions.overrides == {}, standing(pilot)


async def test_a_note_said_again_stands_once(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "m", "m", "m")
        assert ["not allowed" in note.title for note in app._notifications] == [True]


async def test_a_refused_key_says_why_and_changes_nothing(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "m")
        assert app.session.conversion.decisions.overrides == {}
        [note] = [note for note in app._notifications if "not allowed" in note.title]
        assert note.message == "A made-up check would pass or fail replies for no reason."


async def test_a_whole_group_is_decided_in_bulk_as_one_act(own_world: Path) -> None:
    memory = "# Memory\n\n" + "".join(f"## Topic {number}\n\nFact {number}.\n\n" for number in range(6))
    session = open_session(
        write_workspace(own_world / "desk", {"SOUL.md": "# Soul\n\nKind.\n", "MEMORY.md": memory})
    )
    app = WizardApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3")
        rows = decide_screen(app).query_one("#entries", LineList)
        first = next(
            entry for entry in session.conversion.plan.entries if entry.category == "c5_long_term_memory"
        )
        rows.go_to(first.entry_id)
        await keys(pilot, "asterisk", "i")
        held = [entry for entry in session.conversion.plan.entries if entry.category == "c5_long_term_memory"]
        assert len(held) >= 6
        assert {entry.disposition for entry in held} == {Disposition.REAL_IMPL}
        assert len(session.conversion.acts) == 1
        await keys(pilot, "u")
        assert session.conversion.decisions.overrides == {}


async def test_a_reason_is_kept_with_the_override(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "a")
        await typed(pilot, "our ticket system enforces this")
        entry = app.session.conversion.plan.by_id[entry_of(app.session, "Never auto-close")]
        assert entry.override_rationale == "our ticket system enforces this"


async def test_only_differences_are_shown(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "D")
        rows = decide_screen(app).query_one("#entries", LineList)
        shown = [row.id for row in rows.visible_rows if not row.group]
        assert shown == [entry_of(app.session, "Never auto-close")]
        await keys(pilot, "D")
        assert len([row for row in rows.visible_rows if not row.group]) == len(
            app.session.conversion.plan.entries
        )


async def test_w_walks_through_what_needs_attention(app: WizardApp) -> None:
    session = app.session
    for words in ("Never auto-close", "Keep every reply"):
        key = session.conversion.plan.by_id[entry_of(session, words)].key
        session.act(SetDisposition((key,), Disposition.STUB))
    waiting = [entry.entry_id for entry in session.attention_entries]
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3")
        seen: list[str] = []
        for _ in waiting:
            await keys(pilot, "w")
            current = decide_screen(app).current
            assert current is not None
            seen.append(current.entry_id)
    assert sorted(seen) == sorted(waiting)


async def test_the_side_pane_shows_the_exact_change(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(160, 48)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s")
        entry = session.conversion.plan.by_id[entry_of(session, "Never auto-close")]
        await wait_for(pilot, lambda: session.known_effect(entry) is not None, "the change is worked out")
        found = session.known_effect(entry)
        assert found is not None
        assert any(line.startswith("+") and "NotImplementedError" in line for line in found.lines)
        assert any(path.endswith("constrained_slots.py") for path in found.files)


async def test_search_narrows_as_you_type_and_escape_clears(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3", "slash", *"120")
        rows = decide_screen(app).query_one("#entries", LineList)
        assert [row.id for row in rows.visible_rows if not row.group] == [entry_of(app.session, "120 words")]
        await keys(pilot, "escape")
        assert len([row for row in rows.visible_rows if not row.group]) == len(
            app.session.conversion.plan.entries
        )


async def test_the_filter_shows_one_category(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2", "f")
        assert isinstance(app.screen, ChoiceDialog)
        rows = app.screen.query_one("#choices", LineList)
        rows.go_to("category:C2")
        await keys(pilot, "enter")
        tree = app.screen.query_one("#tree", LineList)
        by_id = app.session.conversion.inventory.by_id
        shown = [by_id[row.id].category for row in tree.visible_rows if row.id in by_id]
        assert shown
        assert set(shown) == {Category.C2}


async def test_source_and_tree_follow_each_other(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2")
        screen = app.step_screen
        assert isinstance(screen, InventoryScreen)
        wanted = next(e for e in app.session.conversion.inventory.elements if "120 words" in e.content_full)
        screen.query_one("#tree", LineList).go_to(wanted.element_id)
        await pilot.pause()
        source = screen.query_one("#source", FileView)
        assert source.line_number == wanted.line_range[0]
        await keys(pilot, "tab", "down")
        await pilot.pause()
        assert screen.current is not None
        assert screen.current.line_range[0] == source.line_number


async def test_retag_offers_only_what_may_stand_together(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2")
        wanted = next(e for e in session.conversion.inventory.elements if "120 words" in e.content_full)
        app.step_screen.query_one("#tree", LineList).go_to(wanted.element_id)
        await keys(pilot, "T")
        offered = [row.id for row in app.screen.query_one("#choices", LineList).all_rows]
        assert "SCHEMA" not in offered
        assert "NO_DECOMPOSE" not in offered
        app.screen.query_one("#choices", LineList).go_to("DECIDE")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: bool(session.conversion.acts), "the retag is an act")
        assert session.conversion.inventory.by_id[wanted.element_id].tag is Tag.DECIDE
        await keys(pilot, "backspace")
        assert session.conversion.inventory.by_id[wanted.element_id].tag is wanted.tag


async def test_enter_goes_from_element_to_decision_and_back(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2")
        wanted = next(e for e in app.session.conversion.inventory.elements if "120 words" in e.content_full)
        app.step_screen.query_one("#tree", LineList).go_to(wanted.element_id)
        await keys(pilot, "enter")
        await pilot.pause()
        current = decide_screen(app).current
        assert current is not None
        assert current.source_elements == (wanted.element_id,)
        await keys(pilot, "enter")
        await pilot.pause()
        screen = app.step_screen
        assert isinstance(screen, InventoryScreen)
        assert screen.current is wanted


async def test_a_line_of_the_preview_leads_to_its_source_and_back(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "4")
        await rendered(pilot)
        wanted = next(e for e in session.conversion.inventory.elements if "120 words" in e.content_full)
        screen = app.step_screen
        assert isinstance(screen, PreviewScreen)
        screen.reveal(wanted.element_id)
        await pilot.pause()
        assert screen.current_file is not None
        origin = provenance_at(screen.current_file, screen.query_one("#content", FileView).line_number)
        assert origin is not None
        assert (origin.source_file, origin.source_lines) == ("AGENTS.md", wanted.source_lines)
        await keys(pilot, "enter")
        await pilot.pause()
        there = app.step_screen
        assert isinstance(there, InventoryScreen)
        assert there.current is wanted
        await keys(pilot, "e")
        await pilot.pause()
        assert isinstance(app.step_screen, PreviewScreen)


async def test_the_preview_follows_a_decision_at_once(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "4")
        await rendered(pilot)
        assert session.rendered is not None
        before = session.rendered.files.by_path["ticket_triage_mellea/config.py"].text
        assert "Platform support" in before
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x", "4")
        await rendered(pilot)
        after = session.rendered.files.by_path["ticket_triage_mellea/config.py"].text
        assert "Platform support" not in after


async def test_the_file_in_view_changes_before_the_package_is_rendered(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x", "4")
        await rendered(pilot)
        screen = app.step_screen
        assert isinstance(screen, PreviewScreen)
        screen.query_one("#tree", LineList).go_to("ticket_triage_mellea/config.py")
        content = screen.query_one("#content", FileView)
        await wait_for(pilot, lambda: str(content.border_title).endswith("config.py"), "the file is in view")
        assert not any("platform support" in row.search for row in content.all_rows)
        monkeypatch.setattr(app.operations, "render", lambda: None)
        await keys(pilot, "u")
        await wait_for(
            pilot, lambda: any("platform support" in row.search for row in content.all_rows), "it has changed"
        )
        assert not app.session.rendered_is_current
        assert screen.current_file is not None
        assert any("Platform support" in line for line in screen.current_file.text.split("\n"))


async def test_the_preview_shows_the_difference_against_the_disk(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await write_anyway(pilot, app)
        await at_entry(pilot, app, "Team:")
        await keys(pilot, "x", "4")
        await rendered(pilot)
        app.step_screen.query_one("#tree", LineList).go_to("ticket_triage_mellea/config.py")
        await keys(pilot, "v")
        content = app.step_screen.query_one("#content", FileView)
        assert any(
            row.search.startswith("-") and "platform support" in row.search for row in content.all_rows
        )
        await keys(pilot, "v")
        await wait_for(pilot, lambda: session.defaults is not None, "the defaults are rendered")
        assert any(
            row.search.startswith("-") and "platform support" in row.search for row in content.all_rows
        )


async def test_settings_are_acts_too(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "b")
        assert isinstance(app.screen, FormDialog)
        app.screen.query_one("#field-model_id").focus()
        await typed(pilot, "granite4.1:8b")
        await wait_for(pilot, lambda: len(session.conversion.acts) == 1, "the model is an act")
        assert session.conversion.settings.model_id == "granite4.1:8b"
        await keys(pilot, "m")
        app.screen.query_one("#choices", LineList).go_to("synchronous_oneshot")
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: len(session.conversion.acts) == 2, "the modality is an act")
        assert session.conversion.classification.modality == "synchronous_oneshot"
        await keys(pilot, "u", "u")
        assert session.conversion.settings.model_id == "granite4.1:3b"
        assert session.conversion.settings.modality is None


async def test_a_hybrid_of_two_runtimes_can_be_chosen_and_taken_back(own_world: Path) -> None:
    files = {
        "SOUL.md": "# Soul\n\nWarm.\n",
        "CLAUDE.md": "# Project\n\n- Never push to main.\n",
        ".claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}\n',
    }
    session = open_session(write_workspace(own_world / "desk", files))
    app = WizardApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        for words, contributors in (("openclaw + claude_code", ("claude_code",)), ("openclaw", ())):
            await keys(pilot, "r")
            choices = app.screen.query_one("#choices", LineList)
            [row] = [row for row in choices.all_rows if row.search == words]
            choices.go_to(row.id)
            await keys(pilot, "enter")
            await wait_for(
                pilot,
                lambda: session.conversion.classification.hybrid_contributors == contributors,  # noqa: B023
                "the choice holds",
            )
        assert session.conversion.classification.source_runtime == "openclaw"
        await keys(pilot, "r")
        assert all(row.search != "claude_code + agent_skills_std" for row in choices.all_rows)
        current = app.screen.query_one("#choices", LineList).current
        assert current is not None
        assert current.search == "openclaw"
        await keys(pilot, "escape", "u")
        assert session.conversion.classification.hybrid_primary == "openclaw"
        await keys(pilot, "u")
        assert session.conversion.settings.source_runtime is None


async def test_the_preview_shows_a_new_file_as_added_whole(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "4")
        await rendered(pilot)
        await keys(pilot, "v")
        content = app.step_screen.query_one("#content", LineList)
        lines = [row.search for row in content.all_rows]
        assert lines[2].startswith("@@ -0,0 +1,")
        assert all(line.startswith("+") for line in lines[3:])


async def test_the_output_and_the_package_name_can_be_chosen(app: WizardApp, own_world: Path) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "o")
        assert isinstance(app.screen, FormDialog)
        app.screen.query_one("#field-out").value = str(own_world / "elsewhere")  # type: ignore[attr-defined]
        app.screen.query_one("#field-name").focus()
        await typed(pilot, "desk_mellea")
        await wait_for(pilot, lambda: bool(app.session.conversion.acts), "the name is an act")
        await write_anyway(pilot, app)
    assert (own_world / "elsewhere" / "desk_mellea" / "pipeline.py").is_file()


async def test_a_package_that_is_written_again_changes_nothing(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await write_anyway(pilot, app)
        before = {path: path.stat().st_mtime_ns for path in app.session.out.rglob("*") if path.is_file()}
        await keys(pilot, "4", "5")
        app.step_screen.post_message(app.step_screen.Ask("render_again"))
        await rendered(pilot)
        await keys(pilot, "w")
        if isinstance(app.screen, ChoiceDialog):
            await keys(pilot, "down", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
    after = {path: path.stat().st_mtime_ns for path in app.session.out.rglob("*") if path.is_file()}
    assert after == before


async def test_a_folder_of_someone_else_is_refused_with_the_next_step(app: WizardApp) -> None:
    app.session.out.mkdir()
    (app.session.out / "letter.txt").write_text("mine")
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "5")
        await rendered(pilot)
        await keys(pilot, "w")
        assert isinstance(app.screen, TextDialog)
    assert [path.name for path in app.session.out.iterdir()] == ["letter.txt"]


async def test_quit_asks_when_decisions_are_unsaved(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "q")
        assert isinstance(app.screen, ChoiceDialog)
        app.screen.query_one("#choices", LineList).go_to("stay")
        await keys(pilot, "enter")
        assert app.is_running
        await keys(pilot, "u", "q")
    assert app.return_code == 0


async def test_quit_can_save_first(app: WizardApp, workspace: Path) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "q", "enter")
        assert isinstance(app.screen, FormDialog)
        await keys(pilot, "enter")
    assert (workspace / DECISIONS_FILE).is_file()


async def test_a_decisions_file_is_loaded_with_the_state_of_each_entry(
    app: WizardApp, workspace: Path
) -> None:
    document = {
        "format_version": "1.0",
        "overrides": [
            {"entry_id": entry_of(app.session, "Never auto-close"), "disposition": "stub"},
            {"key": "AGENTS.md#rules/long-gone", "disposition": "remove"},
        ],
    }
    (workspace / DECISIONS_FILE).write_text(json.dumps(document))
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "d", "enter")
        assert isinstance(app.screen, TextDialog)
        assert disposition_of(app.session, "Never auto-close") is Disposition.STUB
        assert [kept.item.name for kept in app.session.conversion.decisions.unplaced] == [
            "AGENTS.md#rules/long-gone"
        ]
        await keys(pilot, "escape", "u")
        assert disposition_of(app.session, "Never auto-close") is Disposition.BUNDLE


async def test_a_refused_decisions_file_changes_nothing(app: WizardApp, workspace: Path) -> None:
    (workspace / DECISIONS_FILE).write_text(
        '{"format_version": "1.0", "overrides": [{"entry_id": "dep_001", "disposition": "burn"}]}'
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "d", "enter")
        assert isinstance(app.screen, TextDialog)
        assert app.session.conversion.acts == ()


async def test_help_finds_a_key_by_what_it_does(app: WizardApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3", "question_mark")
        assert isinstance(app.screen, HelpDialog)
        await keys(pilot, *"attention")
        rows = app.screen.query_one("#help-rows", LineList)
        assert "decide.attention" in [row.id for row in rows.visible_rows]
        assert "decide.bundle" not in [row.id for row in rows.visible_rows]
        await keys(pilot, "escape")
        assert app.step_screen.STEP is Step.DECIDE


async def test_the_rail_says_how_far_each_step_is(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2")
        states = {state.step: state.progress for state in session.step_states}
        assert states[Step.INVENTORY] is Progress.DONE
        assert states[Step.WRITE] is Progress.OPEN
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s")
        states = {state.step: state.progress for state in session.step_states}
        assert states[Step.DECIDE] is Progress.ATTENTION
        assert (
            session.conversion.plan.by_id[entry_of(session, "Never auto-close")].source_of_decision
            is DecisionSource.USER
        )


async def test_every_figure_of_the_status_line_follows_a_decision(app: WizardApp) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        before = session.figures
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s")
        after = session.figures
        assert (after.overrides, after.stubs) == (before.overrides + 1, before.stubs + 1)
        assert after.prompt_tokens != before.prompt_tokens


@pytest.mark.parametrize("size", [(1, 1), (16, 3), (20, 5), (40, 10), (59, 19)], ids=str)
async def test_a_tiny_terminal_gets_a_notice_and_recovers(app: WizardApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await keys(pilot, "3")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert app.screen.query_one("#too-small").display
        assert not app.screen.query_one("#body").display
        if size != (1, 1):
            lines = app.screen._compositor.render_strips()
            said = " ".join("".join(segment.text for segment in line) for line in lines)
            assert re.search(r"(60×20|60 columns and +20 rows).*\bq\b", said)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert app.screen.query_one("#body").display
        assert decide_screen(app).query_one("#entries", LineList).size.height > 5


@pytest.mark.parametrize("key", ["?", "r", "o"], ids=["help", "choice", "form"])
async def test_a_dialog_in_a_tiny_terminal_gives_way_to_a_notice_and_recovers(
    app: WizardApp, key: str
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await keys(pilot, key)
        box = app.screen.query_one(".dialog")
        for size in ((59, 30), (100, 19), (20, 5)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert not box.display
            said = " ".join(str(app.screen.query_one("#too-small", Toned).content).split())
            assert re.search(r"(60×20|60 columns and 20 rows).*\bEsc\b", said)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert box.display
        assert not app.screen.query_one("#too-small").display
        await pilot.resize_terminal(40, 10)
        await keys(pilot, "escape")
        assert not app.screen.is_modal


async def test_the_notice_of_a_tiny_terminal_stands_alone_with_hint_and_search_open(
    session: WizardSession, tmp_path: Path
) -> None:
    app = WizardApp(session, hints=tmp_path / "hints")
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "2", "/")
        shown = ("#hint", "#search")
        assert all(app.screen.query_one(name).display for name in shown)
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert not any(app.screen.query_one(name).display for name in shown)
        assert app.screen.query_one("#too-small").region.y == 0
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert all(app.screen.query_one(name).display for name in shown)


async def test_the_hint_of_a_first_visit_is_dismissed_for_good(
    session: WizardSession, tmp_path: Path
) -> None:
    for visible in (True, False):
        app = WizardApp(session, hints=tmp_path / "hints")
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            assert app.screen.query_one("#hint").display is visible
            await keys(pilot, "h")
            assert not app.screen.query_one("#hint").display


async def test_keys_that_arrive_all_at_once_are_searched_for_and_decide_nothing(app: WizardApp) -> None:
    """A burst is what a real terminal sends for a paste or a macro; seen first in tests/e2e/test_terminal_wizard.py."""
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3")
        for character in "/auto-close":
            app.post_message(events.Key("slash" if character == "/" else character, character))
        search = app.screen.query_one("#search", Input)
        await wait_for(
            pilot, lambda: search.value == "auto-close", "every key but the first is in the search"
        )
        assert app.session.conversion.acts == ()
        rows = decide_screen(app).query_one("#entries", LineList)
        found = [row.id for row in rows.visible_rows if not row.group]
        assert found == [entry_of(app.session, "Never auto-close")]


async def test_the_command_line_at_the_end_gives_the_same_package(app: WizardApp, workspace: Path) -> None:
    session = app.session
    async with app.run_test(size=(120, 40)) as pilot:
        await at_entry(pilot, app, "Never auto-close")
        await keys(pilot, "s", "ctrl+s", "enter")
        await wait_for(pilot, lambda: not session.conversion.unsaved, "saved")
        await write_anyway(pilot, app)
    before = {path: path.read_bytes() for path in sorted(session.out.rglob("*")) if path.is_file()}
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
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    after = {path: path.read_bytes() for path in sorted(session.out.rglob("*")) if path.is_file()}
    assert after == before
