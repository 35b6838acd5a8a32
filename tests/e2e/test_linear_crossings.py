"""Line by line: going between source, entries and output, choosing several at once, and what each step tells."""

import json
import re
from pathlib import Path

import pytest

from melleafy_tui.cli.linear import linear_session, write_step
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, SmokeReport
from melleafy_tui.core.smoke.runner import SmokeRequest
from tests.context.workspaces import write_workspace as write_context
from tests.e2e.conftest import Answering
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
RULE = "Never auto-close a ticket without confirmation."


# --- 1 Detect ---------------------------------------------------------------------------------


def test_the_evidence_of_modality_schedule_and_axes_is_said_and_found_by_words(answer: Answering) -> None:
    done = answer("/ schedule", "/ archetype", "/ zzz", "q")
    assert "schedule: 30m, active business hours, HEARTBEAT.md:1" in done.out
    assert re.search(r"archetype: \w+, [^\n]+ \(\w+\), \d+% sure", done.out)
    assert "No matches for zzz." in done.out
    assert "claude_code: score" not in done.out


def test_the_runtimes_of_a_hybrid_say_who_leads(answer: Answering, own_world: Path) -> None:
    files = {"SOUL.md": "# Soul\n\nWarm.\n", "CLAUDE.md": "# Project\n\n- Never push to main.\n"}
    files[".claude/settings.json"] = '{"permissions": {"deny": ["WebFetch"]}}\n'
    desk = write_workspace(own_world / "desk", files)
    done = answer(
        "3", "c", "1", "r", "openclaw + claude_code", "/ score", "3", "c", "p", "q", "discard", at=desk
    )
    assert "There is no conflict: one runtime reads this workspace." in done.out
    assert "There is no conflict: openclaw and claude_code treat every element alike." in done.out
    assert re.search(r"openclaw: score [\d.]+, leads", done.out)
    assert re.search(r"claude_code: score [\d.]+, contributes", done.out)


def test_warnings_count_as_read_one_at_a_time_or_all(answer: Answering, own_world: Path) -> None:
    lines = "".join(f"- Call @include{number}.md\n" for number in range(2))
    keys = f"- key one: {SECRET}\n- key two: {SECRET[:-2]}cd\n"
    files = {**TICKET_TRIAGE, "AGENTS.md": f"# Agents\n\n{lines}{keys}", "TOOLS.md": keys}
    workspace = write_workspace(own_world / "loud", files)
    done = answer("f", "what", "99", "1", "f", "all", "f", "", "q", "discard", at=workspace)
    assert "1 warning: " in done.out
    assert "Marked as reviewed. Type undo to revert." in done.out
    assert "1 warning, reviewed: " in done.out.partition("Marked as reviewed")[2]
    assert done.out.count("is not a number from 1 to") == 2
    assert SECRET not in done.out


# --- 2 Inventory ------------------------------------------------------------------------------


def test_files_are_listed_also_without_elements_and_one_is_said_line_by_line(answer: Answering) -> None:
    done = answer("2", "v", "v SOUL.md", "v Y.md", "v none.md", "q")
    assert "TOOLS.md: no element, absent" in done.out
    assert "line 5: Warm, curious tone; prefers Socratic questioning." in done.out
    assert "2 files match Y.md; type more of the path:" in done.out
    assert "No file matches none.md." in done.out


def test_an_element_is_named_by_its_line_and_its_emitted_lines_are_said(answer: Answering) -> None:
    done = answer("2", "t AGENTS.md:5", "e AGENTS.md:5", "t AGENTS.md:0", f"t AGENTS.md:{'9' * 5000}", "q")
    assert f"line 5: - {RULE}" in done.out
    assert re.search(r"requirements\.py, lines (\d+) to \1:\n +\1: - Never auto-close", done.out)
    assert done.out.count("There is no element AGENTS.md:") == 2
    assert done.code == 0


def test_a_masked_secret_is_said_nowhere(answer: Answering, own_world: Path) -> None:
    files = {
        **TICKET_TRIAGE,
        ".env": f"API_TOKEN={SECRET}\n",
        "TOOLS.md": f"# Tools\n\n- Use the token {SECRET} for pushes.\n",
    }
    workspace = write_workspace(own_world / "secret", files)
    numbers = [line for number in range(1, 20) for line in (f"t {number}", f"e {number}", "s")]
    done = answer(
        *("2", "v TOOLS.md", "v .env", "f", "s", "", "s", *numbers, "t TOOLS.md:3", "S TOOLS.md:3", ""),
        *("3", "f", "s", "", "s", "v", "1", "", "t 1", "t 9", "4", "t report", "s", "s config.py", "q"),
        at=workspace,
    )
    assert done.code == 0, done.messages
    assert "••••••" in done.out
    assert SECRET not in done.out
    assert SECRET[4:20] not in done.out


# --- 3 Decide ---------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["4 5 6", "4-6", "4, 5-6", "dep_004"], ids=repr)
def test_several_entries_are_decided_at_once(answer: Answering, tmp_path: Path, typed: str) -> None:
    saved = tmp_path / "mine.json"
    done = answer("3", f"o {typed}", "x", "", f"k {saved}", "q")
    several = "dep" not in typed
    assert ("3 entries to remove. Type undo to revert." in done.out) == several
    assert len(json.loads(saved.read_text())["overrides"]) == (3 if several else 1)


def test_what_filter_and_words_let_through_is_decided_at_once(answer: Answering) -> None:
    done = answer(
        *("3", "o listed", "f never", "disposition:bundle", "o listed", "x", "D", "o listed", "-", "D"),
        *("o listed", "f zzz", "", "o listed", "q"),
    )
    assert done.out.count("No entry is listed yet") == 3
    assert "1 entry to remove" in done.out or "entries to remove" in done.out
    assert re.search(r"auto-close.*remove, chosen by you", done.out)
    assert "Everything is at its default." in done.out.rpartition("> D")[2]


def test_numbers_that_are_none_decide_nothing(answer: Answering) -> None:
    wrong = ("1 999", "3-1", "1 x", "1-", "-", "1-9999999999999", "0 1")
    done = answer("3", *(line for typed in wrong for line in (f"o {typed}", "D")), "q")
    assert done.out.count("There is no entry") == len(wrong)
    assert done.out.count("Everything is at its default.") == len(wrong)


def test_a_group_says_how_it_stands_and_is_decided_as_one(answer: Answering) -> None:
    done = answer(
        *("3", "f auto-close", "1", "o listed", "x", ""),
        *("v", "mapping row", "agents.rule", "s", "v", "1", "", "D", "q", "discard"),
    )
    assert re.search(r"agents\.rule, \d+ entries: .*remove 1, 1 decided by you", done.out)
    assert "Which group?" in done.out
    assert re.search(r"C2 Operating rules, \d+ entries: .*stub \d+, \d+ decided by you", done.out)


def test_what_the_agent_never_saw_is_told_left_out_and_kept_with_one_answer(
    answer: Answering, tmp_path: Path
) -> None:
    workspace = write_context("own-limits", tmp_path)
    done = answer("3", "X", "D", "s", "X", "D", "s", "q", "q", at=workspace)
    assert re.search(r"\d+ entr\w+ that the agent never saw to remove", done.out)
    assert re.search(r"\d+ entr\w+ that the agent never saw: back to the default", done.out)
    assert "Everything is at its default." in done.out


def test_an_entry_tells_its_elements_and_what_could_become_of_it(answer: Answering) -> None:
    done = answer("3", "t 5", "f", "", "s", "/ granite", "q")
    assert re.search(r"Made of: elem_\d+ at AGENTS\.md:\d+; tell on step 2", done.out)
    assert "x or remove: It is left out" in done.out
    assert "not possible here." in done.out


# --- 4 Preview, 5 Write -----------------------------------------------------------------------


def test_the_source_of_one_emitted_line_is_said(answer: Answering) -> None:
    first = answer("2", "e AGENTS.md:5", "q")
    found = re.search(r"requirements\.py, lines (\d+) to", first.out)
    assert found is not None
    done = answer("4", f"s requirements.py:{found[1]}", "s requirements.py:1", "q")
    assert re.search(r"lines \d+ to \d+: AGENTS\.md:5, elem_\d+", done.out)
    assert "Generated code, no source line." in done.out


def test_the_plan_of_a_write_says_edited_files_first(answer: Answering, own_world: Path) -> None:
    def edit() -> None:
        pipeline = own_world / "ticket-triage_mellea" / "ticket_triage_mellea" / "pipeline.py"
        pipeline.write_text(pipeline.read_text() + "# mine\n")

    done = answer("5", "w", "y", edit, "3", "o 5", "x", "", "5", "l", "s", "q", "discard")
    listed = done.out.rpartition("> l\n")[2].splitlines()
    assert re.fullmatch(
        r"ticket_triage_mellea/pipeline\.py: (merged with|kept as|conflict with).*", listed[0]
    )


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["mine", "new", ""])
def test_a_conflict_with_your_edits_is_settled_before_the_write(
    answer: Answering, own_world: Path, choice: str
) -> None:
    file = own_world / "ticket-triage_mellea" / "ticket_triage_mellea" / "requirements.py"

    def edit() -> None:
        file.write_text(file.read_text().replace("\n", "  # mine\n"))

    done = answer("5", "w", "y", edit, "3", "o 5", "x", "", "5", "w", choice, "y", "q", "discard")
    question = done.out.rpartition("What becomes of it?")
    assert "both sides changed the same lines" in question[0][-200:]
    text, beside = file.read_text(), file.with_name("requirements.py.new")
    assert ("# mine" in text) == (choice != "new")
    assert beside.exists() == (not choice)


def test_a_write_over_edits_says_what_the_lints_find_on_disk(answer: Answering, own_world: Path) -> None:
    def edit() -> None:
        tools = own_world / "ticket-triage_mellea" / "ticket_triage_mellea" / "config.py"
        tools.write_text(
            tools.read_text().replace("from typing import Final\n", "from typing import Final, Finally\n")
        )

    done = answer("5", "w", "y", edit, "3", "o 5", "x", "", "5", "w", "y", "y", "q", "discard")
    before, _, after = done.out.partition("> w\n")[2].partition("> w\n")
    assert "lint finding" not in before
    assert re.search(r"With your edits, the files on disk have \d+ lint finding", after), after
    assert "Finally" in after


def test_work_that_takes_long_is_said_before(answer: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Rendering the package" not in answer("4", "q").out
    monkeypatch.setattr(linear_session, "MANY", 3)
    done = answer("4", "5", "q")
    assert done.out.count("Rendering the package; with this many entries that takes a moment.") == 1


def test_emitted_lines_are_found_by_a_text(answer: Answering) -> None:
    done = answer("4", "/ - never AUTO-close", "/ zzz", "/", "", "q")
    assert re.search(r"requirements\.py:\d+: +.*- Never auto-close", done.out)
    assert "No matches for zzz." in done.out


def test_ctrl_c_stops_the_smoke_run_and_the_dialogue_goes_on(
    answer: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: SmokeRequest, *, on_run: object) -> SmokeReport:
        assert callable(on_run)
        on_run(FixtureRun("first", FixtureStatus.PASSED, "The first", 1))
        raise KeyboardInterrupt

    monkeypatch.setattr(write_step, "run_smoke", interrupted)
    done = answer("5", "w", "y", "s", "h", "q")
    assert "Ctrl+C stops it." in done.out
    assert "Stopped after 1 fixture." in done.out
    assert "Decisions: nothing unsaved." in done.out
    assert done.code == 0
