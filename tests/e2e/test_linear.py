"""The wizard line by line: the five steps answered by a script, in plain text, with the package that screens give."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pexpect
import pytest
from msgspec.structs import replace

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.steps import STEPS, Step, spoken_terms
from melleafy_tui.cli.linear.conversation import AT_EVERY_QUESTION, EVERYWHERE, NAVIGATION, answers_on
from melleafy_tui.cli.linear.typed_commands import commands_of, find, word_of
from melleafy_tui.cli.main import main
from tests.e2e.conftest import AS_OF, Answering, tree
from tests.ui.conftest import TICKET_TRIAGE, write_workspace


def headless(workspace: Path, out: Path, *options: str) -> dict[str, bytes]:
    assert main([str(workspace), "--dependencies=auto", "--as-of", AS_OF, "--out", str(out), *options]) == 0
    return tree(out)


def written(workspace: Path) -> dict[str, bytes]:
    return tree(workspace.parent / f"{workspace.name}_mellea")


def journals(home: Path) -> list[Path]:
    return list((home / ".local" / "state" / "melleafy-tui").glob("*/*.json"))


# --- whole journeys ---------------------------------------------------------------------------


def test_accepting_every_default_writes_the_package_of_a_headless_run(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    done = answer("n", "n", "n", "n", "w", "y", "q")
    assert done.code == 0, done.messages
    for number, title in enumerate(("Detect", "Inventory", "Decide", "Preview", "Write"), 1):
        assert f"Step {number} of {len(STEPS)}, {title}." in done.out
    assert "Written to ~/ticket-triage_mellea." in done.out
    assert "--dependencies=auto --out ~/ticket-triage_mellea" in done.out
    made = written(workspace)
    assert made == headless(workspace, workspace.with_name("headless"))


def test_the_review_asks_card_by_card_with_the_letters_of_the_wizard(
    answer: Answering, workspace: Path
) -> None:
    kept_in = workspace.with_name("kept.json")
    done = answer(
        "!", "nothing", "-", "-", "-", "!", "", "a", "", "undo", "undo", "review", "1 x", "-",
        f"save {kept_in}", "q",
    )  # fmt: skip
    assert "Checked on every reply. 3 cards left." in done.out
    assert "Unknown answer: nothing" in done.out
    assert "3 cards skipped." in done.out
    assert "Nothing is left to review. Ready to write." in done.out
    kept = json.loads(kept_in.read_text(encoding="utf-8"))
    assert kept["settings"] == {"modality": "synchronous_oneshot"}


def test_a_hybrid_of_two_runtimes_can_be_chosen(answer: Answering, own_world: Path) -> None:
    files = {
        "SOUL.md": "# Soul\n\nWarm.\n",
        "CLAUDE.md": "# Project\n\n- Never push to main.\n",
        ".claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}\n',
    }
    done = answer("r", "openclaw + claude_code", "q", "n", at=write_workspace(own_world / "desk", files))
    assert "a hybrid; openclaw leads" in done.out
    assert "Source runtime: hybrid, chosen by you" in done.out


def test_a_bulk_choice_by_filter_is_the_decisions_file_s_package(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        "3",
        "A",
        "category:c5_long_term_memory",
        "i",
        "",
        "A never auto-close",
        "x",
        "",
        f"k {saved}",
        "5",
        "w",
        "y",
        "q",
    )
    assert done.code == 0, done.messages
    assert "1 entry to real_impl. Type undo to revert." in done.out
    chosen = {item["key"]: item["disposition"] for item in json.loads(saved.read_text())["overrides"]}
    assert sorted(chosen.values()) == ["real_impl", "remove"]
    assert written(workspace) == headless(
        workspace, workspace.with_name("headless"), "--decisions", str(saved)
    )


def test_a_choice_says_its_change_takes_a_reason_and_is_undone_and_redone(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        "3",
        "/ auto-close",
        "o 5",
        "x",
        "our desk closes them",
        "D",
        "u",
        "u",
        "D",
        "z",
        "z",
        f"k {saved}",
        "q",
    )
    assert "Change in the output, against the default, bundle:" in done.out
    assert re.search(r"^-.*auto-close", done.out, re.MULTILINE)
    assert "Undone: rationale." in done.out
    assert "Undone: remove for 1 entry." in done.out
    assert "Everything is at its default." in done.out
    [override] = json.loads(saved.read_text())["overrides"]
    assert (override["disposition"], override["override_rationale"]) == ("remove", "our desk closes them")


def test_the_walk_asks_about_each_entry_that_needs_attention(answer: Answering, own_world: Path) -> None:
    rules = "# Agents\n\n## Rules\n\n- Run `openclaw gateway restart` when stuck.\n- Use the message tool to reach people.\n"
    # A name or a zone of the user that travels would need attention too.
    plain = {"SOUL.md": "# Soul\n\nWarm.\n", "USER.md": "# User\n\nFour people.\n", "AGENTS.md": rules}
    workspace = write_workspace(own_world / "two", {**TICKET_TRIAGE, **plain})
    done = answer("3", "w", "-", "b", "w", "b", "", "q", "keep", at=workspace)
    assert "2 of 2." in done.out
    assert "Needs attention: The openclaw command line does not exist where the package runs." in done.out
    assert "That was the last one; 0 still need attention." in done.out
    assert done.code == 0


def test_a_letter_that_is_not_allowed_says_why_and_asks_again(answer: Answering) -> None:
    done = answer("3", "o 5", "m", "", "q")
    assert "Not done:" in done.out
    assert done.code == 0


def test_retagging_offers_only_what_may_stand_together(answer: Answering) -> None:
    done = answer("2", "/ auto-close", "T 8", "", "C 8", "C1", "- 8", "q", "discard")
    assert "SCHEMA" not in done.out.partition("Which tag for")[2].partition("Which category")[0]
    assert "is in C1 now" in done.out
    assert "tag, category and decisions reset" in done.out


def test_the_smoke_run_is_on_request_and_needs_a_written_package(answer: Answering) -> None:
    done = answer("5", "s", "q")
    assert "Write the package first" in done.out


@pytest.mark.slow
def test_the_smoke_run_says_each_fixture(answer: Answering) -> None:
    done = answer("5", "w", "y", "s", "q")
    assert re.search(r"heartbeat_[a-z]+: (passed|unmet|expected)", done.out)
    assert "completed." in done.out


# --- the table of answers ---------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS)
def test_each_answer_of_each_step_is_understood_by_letter_and_word(answer: Answering, step: Step) -> None:
    number = str(STEPS.index(step) + 1)
    rows = answers_on(step, KeyTable())
    tried = [line for row in rows for typed in (row.letter, row.word) for line in (number, typed, "back")]
    done = answer(*tried, "q", "q")
    refused = re.findall("Unknown answer: (.*)", done.out)
    assert set(refused) <= {"back"}, refused
    assert done.code == 0, done.messages


@pytest.mark.parametrize("step", STEPS)
def test_the_question_names_every_answer_and_help_says_what_each_does(answer: Answering, step: Step) -> None:
    done = answer(str(STEPS.index(step) + 1), "?", "q")
    for row in answers_on(step, KeyTable()):
        assert f"{row.letter} {row.word}" in done.out
        assert f"{row.letter} or {row.word}" in done.out
        assert row.does in done.out
    said = done.out.partition("Words of this step:\n")[2].partition("Anywhere: p")[0].splitlines()
    assert said == spoken_terms(step) != []
    assert not re.search("[●≡✎◆✓⌫▏]", "".join(said))


def test_no_letter_means_two_things_on_one_step() -> None:
    table = KeyTable()
    going = [table.row(name) for name in (*NAVIGATION, *AT_EVERY_QUESTION)]
    taken = [key.letter for key in going] + [
        word_of(table.row(name)) for name in ("step.next", *AT_EVERY_QUESTION)
    ]
    for step in STEPS:
        typed = [name for row in answers_on(step, table) for name in (row.letter, row.word)] + taken
        assert [name for name in set(typed) if typed.count(name) > 1] == [], step


def test_letters_are_those_of_the_wizard_also_where_a_user_remapped_them() -> None:
    table = KeyTable()
    for step in STEPS:
        for action, row in zip(
            (*commands_of(step).actions, *EVERYWHERE), answers_on(step, table), strict=True
        ):
            letter = table.row(action.row).letter if action.row else ""
            assert row.letter == (letter or action.letter) != "", row.word
    rows = tuple(
        replace(key, keys="z", display="z") if key.id == "detect.runtime" else key for key in table.rows
    )
    answers = answers_on(Step.DETECT, KeyTable(rows))
    assert {row.word: row.letter for row in answers if row.word in ("runtime", "redo")} == {
        "runtime": "z",
        "redo": "",
    }
    assert [row.word for row in answers if row.letter == "z"] == ["runtime"]


@pytest.mark.parametrize(
    ("typed", "word", "rest"),
    [
        ("T 8", "retag", "8"),
        ("t 8", "tell", "8"),
        ("W", None, ""),
        ("Emitted 8", "emitted", "8"),
        ("no secret 8", "no secret", "8"),
        ("/Never  Close", "search", "Never  Close"),
        ("V AGENTS.md", "files", "AGENTS.md"),
        ("-8", "reset", "8"),
        ("filters", None, ""),
    ],
)
def test_the_case_of_a_letter_counts_where_both_mean_something(
    typed: str, word: str | None, rest: str
) -> None:
    found = find(answers_on(Step.INVENTORY, KeyTable()), typed)
    assert (found and (found[0].word, found[1])) == (word and (word, rest))


def test_entries_take_a_disposition_by_its_letter_at_once(answer: Answering, tmp_path: Path) -> None:
    saved = tmp_path / "mine.json"
    done = answer("3", "x 5", "not ours", "x 5", "stub 4-6", "- 6", "m 5", "l 99", f"save {saved}", "q")
    assert "Change in the output, against the default, bundle:" in done.out
    assert "2 entries to stub; 1 stay: " in done.out
    assert "1 entry back to the default" in done.out
    assert "Not done:" in done.out
    assert "There is no entry 99." in done.out
    chosen = [item["disposition"] for item in json.loads(saved.read_text())["overrides"]]
    assert chosen == ["stub"]


# --- plain text -------------------------------------------------------------------------------


def test_nothing_acts_on_the_terminal_and_nothing_is_drawn(answer: Answering, own_world: Path) -> None:
    hostile = {
        **TICKET_TRIAGE,
        "AGENTS.md": "# Agents\n\n- Never \x1b[31mshout\x1b[0m \u202e[bold]red[/bold].\n",
        ".env": "API_TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\n",
    }
    workspace = write_workspace(own_world / "hostile", hostile)
    done = answer(
        "s",
        "s",
        "2",
        "f",
        "",
        "s",
        "/ shout",
        "t 8",
        "3",
        "f",
        "",
        "s",
        "4",
        "t config.py",
        "s",
        "q",
        at=workspace,
    )
    assert done.code == 0, done.messages
    assert "[bold]red[/bold]" in done.out
    assert "0123456789abcdef" not in done.out
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2500-\u259f]", done.out) == []


def test_a_long_list_stops_to_ask(answer: Answering, own_world: Path) -> None:
    rules = "".join(f"- Never say word{number}.\n" for number in range(60))
    workspace = write_workspace(own_world / "many", {**TICKET_TRIAGE, "AGENTS.md": f"# Agents\n\n{rules}"})
    done = answer("2", "/ word", "", "what", "s", "q", at=workspace)
    assert "Showing 40 of 60 lines." in done.out
    assert "Unknown answer: what" in done.out
    assert "word45" not in done.out


@pytest.mark.slow
def test_textual_is_not_imported(workspace: Path) -> None:
    script = (
        "import sys; from melleafy_tui.cli.main import main; code = main(sys.argv[1:]); "
        "print(sorted(name for name in sys.modules if name in ('textual', 'rich', 'mellea'))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(workspace), "--linear"],
        input="3\nw\n4\nq\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


# --- leaving, the journal, the decisions file -------------------------------------------------


def test_the_end_of_the_input_keeps_the_journal_and_the_next_start_offers_it(
    answer: Answering, workspace: Path, own_world: Path
) -> None:
    done = answer("3", "o 5", "x", "")
    assert done.code == 130
    assert "The input ended; your decisions are in the journal." in done.messages
    assert len(journals(own_world)) == 1
    done = answer("restore", "3", "D", "q", "save", "")
    assert "1 change). Restore them?" in done.out
    assert re.search(r"auto-close.*remove, chosen by you", done.out)
    assert json.loads((workspace / "melleafy-decisions.json").read_text())["overrides"]
    assert journals(own_world) == []


def test_without_a_journal_nobody_is_told_that_decisions_are_in_it(
    answer: Answering, own_world: Path
) -> None:
    (own_world / ".local/state").mkdir(parents=True)
    (own_world / ".local/state/melleafy-tui").touch()
    done = answer("3", "o 5", "x", "", "o 6", "x")
    assert done.messages.count("your unsaved decisions are lost") == 1
    assert done.out.count("Can't write the journal") == 1
    assert "your decisions will be lost: the state folder" in answer("3", "o 5", "x", "", "q", "").out


@pytest.mark.parametrize(("leaving", "kept"), [("keep", 1), ("discard", 0), ("", 1)])
def test_leaving_keeps_the_decisions_unless_they_are_given_up(
    answer: Answering, own_world: Path, leaving: str, kept: int
) -> None:
    done = answer("3", "o 5", "x", "", "q", leaving)
    assert done.code == 0
    assert len(journals(own_world)) == kept


def test_staying_goes_on(answer: Answering) -> None:
    done = answer("3", "o 5", "x", "", "q", "stay", "u", "q")
    assert done.code == 0
    assert "Undone: remove for 1 entry." in done.out


def test_loading_a_file_says_what_became_of_each_decision(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    place = tmp_path / "theirs.json"
    keys = [
        "AGENTS.md#agents/rules/never-auto-close-a-ticket",
        "AGENTS.md#agents/rules/gone",
    ]
    place.write_text(json.dumps({"overrides": [{"key": key, "disposition": "remove"} for key in keys]}))
    done = answer(f"d {place}", "3", "g", "drop", "q", "discard")
    assert "Decisions of the file: 1 applied, 1 orphaned." in done.out
    assert "orphaned: AGENTS.md#agents/rules/gone" in done.out
    assert "Dropped. Type undo to revert." in done.out


def test_a_fault_in_an_answer_is_said_and_the_dialogue_goes_on(answer: Answering, tmp_path: Path) -> None:
    done = answer(f"d {tmp_path / 'none.json'}", "d", str(tmp_path), "q")
    assert done.out.count("Not done:") == 2
    assert done.code == 0


@pytest.mark.parametrize("typed", ["~/ticket-triage", "~/ticket-triage/out", "~"])
def test_the_output_never_goes_into_the_source_or_above_it(
    answer: Answering, workspace: Path, typed: str
) -> None:
    before = tree(workspace)
    done = answer("5", "o", typed, "other", "y", "w", "y", "q", "discard")
    assert "Not done: The output folder" in done.out
    assert tree(workspace) == before
    assert "ticket_triage_mellea/pipeline.py" in tree(workspace.with_name("ticket-triage_mellea"))


def test_an_answer_that_is_no_text_is_no_fault(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "melleafy_tui", str(workspace), "--linear"],
        input=b"\xff\xfe\x00\n2\n/ \xc3\nq\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_it_asks_and_so_contradicts_what_does_not_ask(answer: Answering) -> None:
    done = answer(options=("--dependencies=strict",))
    assert done.code == 2
    assert "--linear asks" in done.messages


# --- a real terminal --------------------------------------------------------------------------


@pytest.fixture
def start(workspace: Path) -> Iterator[Callable[..., "pexpect.spawn[str]"]]:
    started: list[pexpect.spawn[str]] = []

    def call(*options: str, **environment: str) -> "pexpect.spawn[str]":
        child: pexpect.spawn[str] = pexpect.spawn(
            sys.executable,
            ["-m", "melleafy_tui", str(workspace), *options],
            env={**os.environ, "TERM": "xterm-256color", **environment},
            encoding="utf-8",
            timeout=120,
            dimensions=(24, 80),
            # A suite that runs in the background of a shell hands down that Ctrl+C is ignored.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
        )
        started.append(child)
        return child

    yield call
    for child in started:
        child.close(force=True)


@pytest.mark.terminal
@pytest.mark.parametrize(
    ("options", "environment"),
    [
        pytest.param(("--linear",), {}, id="--linear", marks=pytest.mark.slow),
        pytest.param((), {"ACCESSIBLE": "1"}, id="ACCESSIBLE=1", marks=pytest.mark.slow),
        pytest.param((), {"TERM": "dumb"}, id="TERM=dumb"),
    ],
)
def test_a_terminal_gets_lines_and_ctrl_c_keeps_the_journal(
    start: Callable[..., "pexpect.spawn[str]"],
    own_world: Path,
    options: tuple[str, ...],
    environment: dict[str, str],
) -> None:
    child = start(*options, **environment)
    # Each answer waits for the prompt: what comes before it is said while the program still works, and an interrupt
    # at such a moment may meet code that cannot pass it on.
    steps = (
        (f"Step 1 of {len(STEPS)}, Detect.", "3"),
        (f"Step 3 of {len(STEPS)}, Decide.", "o 5"),
        ("Which disposition?", "x"),
        ("Why remove?", ""),
    )
    read = ""
    for said, line in steps:
        for awaited in (said, "> "):
            child.expect_exact(awaited)
            read += child.before or ""
        if line:
            child.sendline(line)
    assert "\x1b" not in read
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert len(journals(own_world)) == 1


@pytest.mark.terminal
@pytest.mark.slow
def test_ctrl_c_in_a_terminal_stops_the_smoke_run_alone(start: Callable[..., "pexpect.spawn[str]"]) -> None:
    child = start("--linear")
    for line, said in (("5", f"Step 5 of {len(STEPS)}, Write."), ("w", "Write this to"), ("y", "Try it:")):
        child.expect_exact("> ")
        child.sendline(line)
        child.expect_exact(said)
    child.expect_exact("> ")
    child.sendline("s")
    child.expect_exact("Ctrl+C stops it.")
    child.sendintr()
    child.expect("Stopped after [0-9]+ fixture")
    child.expect_exact("> ")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
