"""Line by line: cards and commands answered by a script, in plain text, with the package that screens give."""

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
from melleafy_tui.cli.linear.conversation import commands_for, find, menu
from melleafy_tui.cli.main import main
from tests.e2e.conftest import AS_OF, Answering, tree
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
RULE = "Never auto-close a ticket without confirmation."


def headless(workspace: Path, out: Path, *options: str) -> dict[str, bytes]:
    assert main([str(workspace), "--dependencies=auto", "--as-of", AS_OF, "--out", str(out), *options]) == 0
    return tree(out)


def written(workspace: Path) -> dict[str, bytes]:
    return tree(workspace.parent / f"{workspace.name}_mellea")


def journals(home: Path) -> list[Path]:
    return list((home / ".local" / "state" / "melleafy-tui").glob("*/*.json"))


# --- whole journeys ---------------------------------------------------------------------------


def test_accepting_every_card_writes_the_package_of_a_headless_run_and_saves(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    done = answer("", "", "", "w", "y", "q")
    assert done.code == 0, done.messages
    assert "Nothing is left to review." in done.out
    assert "Written to ~/ticket-triage_mellea." in done.out
    saved = workspace / "melleafy-decisions.json"
    assert "Your decisions are saved in ~/ticket-triage/melleafy-decisions.json." in done.out
    assert "--dependencies=auto --out ~/ticket-triage_mellea" in done.out
    made, moved = written(workspace), saved.rename(tmp_path / "saved.json")
    assert made == headless(workspace, workspace.with_name("headless"), "--decisions", str(moved))


def test_a_card_is_one_question_and_its_rows_keep_their_numbers(answer: Answering, tmp_path: Path) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        *("nothing", "99", "1 nothing", "?", "2", "1 x", "list", "2", "explain AGENTS.md:5", "undo", "-"),
        *("", "p", f"save {saved}", "q"),
    )
    assert done.code == 0, done.messages
    card = done.out.partition("Checked on every reply: ")[2].partition("\nWakes and does")[0]
    assert card.count("Unknown answer:") == 2
    assert "Row 1 has the answers 1 a, 1 x." in card
    assert "3 x: give row 3 the answer x" in card
    assert re.search(r"2\. \[ , answered\]", card), "the second row was turned off"
    assert card.count("Row 2: check every reply.") == 1, "and on again, which was undone"
    assert f"text         - {RULE}" in card or RULE in card
    assert "1 card left to review; type review." in done.out
    judged = json.loads(saved.read_text())["judged"]
    assert [each["answer"] for each in judged] == ["no", "no"]


def test_answers_can_be_asked_for_again(answer: Answering) -> None:
    done = answer("", "", "", "review", "review all", "1", "p", "q", "y")
    assert done.out.count("Nothing is left to review.") == 3
    asked_again = done.out.rpartition("> review all")[2]
    assert "1. [x, answered]" in asked_again
    assert "Row 1: don't check. Type undo to revert." in asked_again


def test_a_row_is_answered_by_its_key_as_plan_says_it(
    answer: Answering, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", str(workspace), "--json", "--as-of", AS_OF]) == 0
    planned = json.loads(capsys.readouterr().out)
    row = next(row for card in planned["review"] for row in card["rows"] if len(row["answers"]) > 1)
    done = answer(f"{row['item']} {row['answers'][1]['name']}", "p", "q", "y")
    assert f"Row 1: {row['answers'][1]['label']}." in done.out


def test_times_and_wordings_are_edited_and_tasks_and_checks_added(answer: Answering, tmp_path: Path) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        *("edit 1", "Tickets stay open.", "edit 9", "", "edit 1", "when it rains", "", "", "", "edit 1"),
        *("every hour", "mon-fri", "", "", "new", "Report", "9:00", "fri", "", "", "Write the report", ""),
        *("check 1", "p", f"save {saved}", "q"),
    )
    assert "Every reply is checked for these words" in done.out
    assert "Unknown answer: edit 9" in done.out
    assert "Not done:" in done.out
    assert "Read as: every hour on mon, tue, wed, thu, fri" in done.out
    assert "Next three runs: " in done.out
    assert "Every reply is checked for it." in done.out
    kept = json.loads(saved.read_text())
    assert kept["judged"][0]["wording"] == "Tickets stay open."
    assert any(
        "Report = " in change and "Write the report" in change for change in kept["settings"]["schedule"]
    )


def test_settings_are_set_by_their_names(answer: Answering, own_world: Path) -> None:
    done = answer(
        *("p", "set", "set modality scheduled", "set backend", "set backend nonsense", "set modle x"),
        *("set source_runtime claude_code", "where", "undo", "set modality", "where", "q", "y"),
    )
    assert "model_id" in done.out
    assert "modality: scheduled. Type undo to revert." in done.out
    assert done.out.count("Not done:") == 2
    assert "Source runtime: claude_code, chosen by you" in done.out
    assert "Trigger: scheduled" not in done.out.rpartition("> where")[2]


def test_the_output_never_goes_into_the_source_or_above_it(answer: Answering, workspace: Path) -> None:
    before = tree(workspace)
    tried = ("output ~/ticket-triage", "output ~/ticket-triage/out", "output ~")
    done = answer("p", *tried, "set package_name other", "w", "y", "undo", "q")
    assert done.out.count("Not done: The output folder") == 3
    assert {name: text for name, text in tree(workspace).items() if name in before} == before
    assert "other/pipeline.py" in tree(workspace.with_name("ticket-triage_mellea"))


# --- decisions on entries and elements --------------------------------------------------------


@pytest.mark.parametrize("typed", ["4 5 6", "4-6", "4, 5-6", "dep_004"], ids=repr)
def test_several_entries_are_decided_at_once(answer: Answering, tmp_path: Path, typed: str) -> None:
    saved = tmp_path / "mine.json"
    done = answer("p", f"x {typed}", f"save {saved}", "q")
    several = "dep" not in typed
    assert ("3 entries to remove. Type undo to revert." in done.out) == several
    assert len(json.loads(saved.read_text())["overrides"]) == (3 if several else 1)


def test_a_choice_says_its_change_takes_a_reason_and_is_undone_and_redone(
    answer: Answering, tmp_path: Path
) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        *("p", "why 5 too early", "x 5", "why 5 our desk closes them", "D", "undo", "u", "D", "redo", "redo"),
        *("m 5", "remove 99", f"save {saved}", "default 5", "default 5", "q", "y"),
    )
    assert "Only an override can have a reason." in done.out
    assert "Change in the output, against the default, bundle:" in done.out
    assert "Undone: rationale." in done.out
    assert "No matching entry." in done.out
    assert "Not done:" in done.out
    assert "No entry is called 99." in done.out
    assert "Already at the default." in done.out
    [override] = json.loads(saved.read_text())["overrides"]
    assert (override["disposition"], override["override_rationale"]) == ("remove", "our desk closes them")


def test_what_a_list_holds_is_decided_after_a_question_and_is_the_file_s_package(
    answer: Answering, workspace: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "mine.json"
    done = answer(
        *("p", "stub listed", "plan c5_long_term_memory", "i listed", "plan auto-close", "x listed"),
        *("plan never", "x listed", "n", f"save {saved}", "w", "y", "q"),
    )
    assert done.code == 0, done.messages
    assert "No entry is called listed." in done.out
    chosen = {item["key"]: item["disposition"] for item in json.loads(saved.read_text())["overrides"]}
    assert sorted(chosen.values()) == ["real_impl", "remove"]
    assert written(workspace) == headless(
        workspace, workspace.with_name("headless"), "--decisions", str(saved)
    )


def test_numbers_that_are_none_decide_nothing(answer: Answering) -> None:
    wrong = ("1 999", "3-1", "1 x", "1-", "-", "1-9999999999999", "0 1")
    done = answer("p", *(f"x {typed}" for typed in wrong), "D", "q")
    assert done.out.count("No entry is called") == len(wrong)
    assert "No matching entry." in done.out


def test_an_element_is_read_otherwise_within_what_is_allowed(answer: Answering) -> None:
    done = answer(
        *("p", "retag AGENTS.md:5", "retag 8 C1", "retag 8 schema", "retag 8 judged", "retag 8 default"),
        *("retag 999 C1", "q", "y"),
    )
    listed = done.out.partition("Type one of these behind it:")[2].partition("> retag 8")[0]
    assert "SCHEMA" not in listed
    assert "judged: " in listed
    assert "Unknown answer: schema" in done.out
    assert "elem_008: judged. Type undo to revert." in done.out
    assert "No element is called 999." in done.out


# --- what can be looked at --------------------------------------------------------------------


def test_lines_are_explained_both_ways_and_everything_is_found_by_words(answer: Answering) -> None:
    first = answer("p", "explain AGENTS.md:5", "explain AGENTS.md:0", f"explain AGENTS.md:{'9' * 5000}", "q")
    assert f"text         - {RULE}" in first.out
    found = re.search(r"requirements\.py:(\d+)", first.out)
    assert found is not None
    assert first.out.count("Not done:") == 2
    done = answer(
        *("p", f"explain requirements.py:{found[1]}", "explain requirements.py:1", "entry 5"),
        *("inventory AUTO-close", "inventory zzz", "detect", "findings", "findings zzz", "?write", "q"),
    )
    assert re.search(r"requirements\.py:\S+ comes from elem_\d+", done.out)
    assert "generated code, no source line" in done.out
    assert "  remove: It is left out" in done.out
    assert "not possible here." in done.out
    assert "No matching element." in done.out
    assert "schedule: 30m" in done.out
    assert "w or write: Write the package." in done.out


def test_files_of_source_and_package_are_listed_and_shown(answer: Answering) -> None:
    done = answer(
        *("p", "v", "preview .py", "preview none.md", "preview", "preview config.py", "w", "y", "x 5"),
        *("diff", "diff requirements.py", "w", "y", "diff requirements.py", "q"),
    )
    assert "TOOLS.md" in done.out
    assert "files match .py; type more of the path:" in done.out
    assert "No file matches none.md." in done.out
    assert re.search(r"All \d+ lints pass\.", done.out)
    assert "1: " in done.out.partition("> preview config.py")[2]
    assert re.search(r"^-.*auto-close", done.out.partition("> diff\n")[2], re.MULTILINE)
    assert "Same as on disk." in done.out


def test_warnings_are_marked_as_reviewed(answer: Answering, own_world: Path) -> None:
    keys = f"- key one: {SECRET}\n- key two: {SECRET[:-2]}cd\n"
    files = {**TICKET_TRIAGE, "AGENTS.md": f"# Agents\n\n- Call @include1.md\n{keys}", "TOOLS.md": keys}
    workspace = write_workspace(own_world / "loud", files)
    done = answer(
        *(
            "p",
            "findings",
            "findings reviewed 99",
            "findings reviewed 1",
            "findings",
            "findings reviewed all",
        ),
        *("where", "q", "y"),
        at=workspace,
    )
    assert "1 warning: " in done.out
    assert "1 warning, reviewed: " in done.out.partition("Marked as reviewed")[2]
    assert "0 warnings to review" in done.out
    assert SECRET not in done.out


def test_a_masked_secret_is_said_nowhere_and_nothing_is_drawn(answer: Answering, own_world: Path) -> None:
    files = {
        **TICKET_TRIAGE,
        "AGENTS.md": "# Agents\n\n- Never \x1b[31mshout\x1b[0m \u202e[bold]red[/bold].\n",
        ".env": f"API_TOKEN={SECRET}\n",
        "TOOLS.md": f"# Tools\n\n- Use the token {SECRET} for pushes.\n",
    }
    workspace = write_workspace(own_world / "secret", files)
    numbers = [f"explain {number}" for number in range(1, 20)]
    done = answer(
        *("", "", "", "", "files", "inventory", "explain TOOLS.md:3", *numbers),
        *("plan", "entry 1-9", "preview report", "preview config.py", "plan token", "q", "y"),
        at=workspace,
    )
    assert done.code == 0, done.messages
    assert "Use the token ${GITHUB_TOKEN} for pushes." in done.out
    assert "[bold]red[/bold]" in done.out
    assert SECRET[4:20] not in done.out
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2500-\u259f]", done.out) == []


# --- the table of commands --------------------------------------------------------------------


def test_each_command_is_understood_by_letter_and_word_named_and_explained(answer: Answering) -> None:
    commands = commands_for(KeyTable())
    tried = [line for each in commands for typed in (each.letter, each.word) for line in (typed, "back")]
    done = answer("p", "?", *tried, "q", "q")
    assert "Unknown answer" not in done.out
    assert done.code == 0, done.messages
    for line in menu(commands):
        assert done.out.count(f"{line}\n") == 1, "the menu is shown once"
    assert all(each.help_line in done.out for each in commands)
    words, letters = ([getattr(each, name) for each in commands] for name in ("word", "letter"))
    assert len(set(words)) == len(words)
    assert not [letter for letter in letters if letter and letters.count(letter) > 1]


def test_letters_are_those_of_the_wizard_also_where_a_user_remapped_them() -> None:
    table = KeyTable()
    letters = {each.word: each.letter for each in commands_for(table)}
    assert (letters["write"], letters["stub"], letters["bundle"]) == ("w", "s", "b")
    rows = tuple(
        replace(key, keys="k", display="k") if key.id == "write.write" else key for key in table.rows
    )
    assert {each.word for each in commands_for(KeyTable(rows)) if each.letter == "k"} == {"write"}


@pytest.mark.parametrize(
    ("typed", "word", "rest"),
    [
        ("T 8", "retag", "8"),
        ("Explain 8", "explain", "8"),
        ("read again", "read again", ""),
        ("plan Never  Close", "plan", "Never  Close"),
        ("filters", None, ""),
        ("write to Maren", None, ""),
        ("w it", None, ""),
    ],
)
def test_the_case_of_a_letter_counts_where_both_mean_something(
    typed: str, word: str | None, rest: str
) -> None:
    found = find(commands_for(KeyTable()), typed)
    assert (found and (found[0].word, found[1])) == (word and (word, rest))


# --- writing ----------------------------------------------------------------------------------


def test_a_conflict_with_your_edits_leaves_your_file_and_writes_the_new_text_beside_it(
    answer: Answering, own_world: Path
) -> None:
    file = own_world / "ticket-triage_mellea" / "ticket_triage_mellea" / "requirements.py"

    def edit() -> None:
        file.write_text(file.read_text().replace("\n", "  # mine\n"))

    done = answer("p", "w", "y", edit, "x 5", "w", "y", "q", "y")
    assert "Your file stays, the new text is written to .new." in done.out
    assert "# mine" in file.read_text()
    assert file.with_name("requirements.py.new").exists()


def test_a_write_over_edits_says_what_the_lints_find_on_disk(answer: Answering, own_world: Path) -> None:
    def edit() -> None:
        tools = own_world / "ticket-triage_mellea" / "ticket_triage_mellea" / "config.py"
        tools.write_text(
            tools.read_text().replace("from typing import Final\n", "from typing import Final, Finally\n")
        )

    done = answer("p", "w", "y", edit, "x 5", "w", "y", "y", "q", "y")
    before, _, after = done.out.partition("> w\n")[2].partition("> w\n")
    assert "lint finding" not in before
    assert re.search(r"With your edits, the files on disk have \d+ lint finding", after), after


# --- leaving, the journal, the decisions file -------------------------------------------------


def test_the_end_of_the_input_keeps_the_journal_and_the_next_start_offers_it(
    answer: Answering, workspace: Path, own_world: Path
) -> None:
    done = answer("p", "x 5")
    assert done.code == 130
    assert "The input ended; your decisions are in the journal," in done.messages
    assert len(journals(own_world)) == 1
    done = answer("y", "p", "D", "save", "q")
    assert "1 change). Restore them?" in done.out
    assert re.search(r"remove\*.*auto-close", done.out)
    assert json.loads((workspace / "melleafy-decisions.json").read_text())["overrides"]
    assert journals(own_world) == []


def test_without_a_journal_nobody_is_told_that_decisions_are_in_it(
    answer: Answering, own_world: Path
) -> None:
    (own_world / ".local/state").mkdir(parents=True)
    (own_world / ".local/state/melleafy-tui").touch()
    done = answer("p", "x 5", "x 6")
    assert done.messages.count("your unsaved decisions are lost") == 1
    assert done.out.count("Can't write the journal") == 1
    assert "your unsaved decisions are lost" in answer("p", "x 5", "q", "").out


def test_leaving_keeps_the_decisions_until_they_are_given_up(answer: Answering, own_world: Path) -> None:
    done = answer("p", "x 5", "q", "n", "x 6", "q", "y")
    assert done.code == 0
    assert len(journals(own_world)) == 1
    answer("", "y", "p", "q")
    assert journals(own_world) == []


def test_loading_a_file_says_what_became_of_each_decision_and_the_review_asks(
    answer: Answering, tmp_path: Path
) -> None:
    place = tmp_path / "theirs.json"
    keys = ["AGENTS.md#agents/rules/never-auto-close-a-ticket", "AGENTS.md#agents/rules/gone"]
    place.write_text(json.dumps({"overrides": [{"key": key, "disposition": "remove"} for key in keys]}))
    done = answer(
        *("p", f"load {place}", f"load {tmp_path / 'none.json'}", f"load {tmp_path}", "review", "", "", ""),
        *("1 drop", "p", "q", "y"),
    )
    assert "decisions: 1 applied, 1 orphaned" in done.out
    assert "orphaned: AGENTS.md#agents/rules/gone" in done.out
    assert "Row 1: drop it. Type undo to revert." in done.out
    assert done.out.count("Not done:") == 2


def test_an_answer_that_is_no_text_is_no_fault(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "melleafy_tui", str(workspace), "--linear"],
        input=b"\xff\xfe\x00\np\nplan \xc3\nq\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_it_asks_and_so_contradicts_what_does_not_ask(answer: Answering) -> None:
    done = answer(options=("--dependencies=strict",))
    assert done.code == 2
    assert "--linear asks" in done.messages


@pytest.mark.slow
def test_textual_is_not_imported(workspace: Path) -> None:
    script = (
        "import sys; from melleafy_tui.cli.main import main; code = main(sys.argv[1:]); "
        "print(sorted(name for name in sys.modules if name in ('textual', 'rich', 'mellea'))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(workspace), "--linear"],
        input="p\nplan\npreview\nq\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


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
def test_a_terminal_gets_plain_lines_and_ctrl_c_keeps_the_journal(
    start: Callable[..., "pexpect.spawn[str]"],
    own_world: Path,
    options: tuple[str, ...],
    environment: dict[str, str],
) -> None:
    child = start(*options, **environment)
    # Each answer waits for the prompt: what comes before it is said while the program still works, and an interrupt
    # at such a moment may meet code that cannot pass it on.
    steps = (
        ("Enter accepts all rows", "p"),
        ("What next?", "x 5"),
        ("What next?", ""),
    )
    read = ""
    for said, line in steps:
        for awaited in (said, "> "):
            child.expect_exact(awaited)
            read += child.before or ""
        child.sendline(line)
    child.expect_exact("> ")
    assert "\x1b" not in read
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert len(journals(own_world)) == 1


@pytest.mark.terminal
def test_what_is_typed_before_a_question_is_shown_answers_nothing(
    start: Callable[..., "pexpect.spawn[str]"], own_world: Path
) -> None:
    child = start("--linear")
    for _ in range(8):
        child.sendline("")
    child.expect_exact("Enter accepts all rows")
    child.expect_exact("> ")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert journals(own_world) == []
