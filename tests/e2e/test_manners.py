"""What a command line owes its user: addresses, missing names, unknown variables, quiet, keys, answers from a file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from tests.e2e.conftest import AS_OF, Run, rows
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

DAY = f"--as-of={AS_OF}"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return write_workspace(tmp_path / "desk", TICKET_TRIAGE)


@pytest.mark.parametrize("address", ["https://github.com/a/b", "git@github.com:a/b.git", "ssh://host/a"])
def test_an_address_is_to_be_cloned_first(run: Run, address: str) -> None:
    for words in ((address, "--dependencies=auto"), ("lint", address), ("diff", ".", address)):
        done = run(*words)
        assert (done.code, f"Clone it first: `git clone {address}`" in done.messages) == (2, True)


def test_in_the_agent_s_folder_no_name_is_needed(
    run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = run("detect", desk)
    missing = run()
    assert (missing.code, "examples:" in missing.messages) == (2, True)
    assert "this folder holds none of SOUL.md" in run("plan").messages
    monkeypatch.chdir(desk)
    assert run("detect") == named
    assert "The wizard needs a terminal" in run().messages


def test_a_variable_that_is_no_setting_is_said(run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELLEAFY_MODELID", "x")
    said = "warning: MELLEAFY_MODELID is not a setting, so nothing reads it. Did you mean MELLEAFY_MODEL_ID?"
    for words in (("detect", desk), (desk, "--show-settings")):
        done = run(*words)
        assert (done.code, said in done.messages) == (0, True)


PRODUCT = {"completion", "help", "schema", "serve", "run"}
"""Commands whose text is what was asked for, or comes from another program."""


def test_quiet_leaves_nothing_but_errors(run: Run, desk: Path, tmp_path: Path) -> None:
    package = tmp_path / "out"
    assert run(desk, "--dependencies=auto", "--out", package, DAY).code == 0
    given: dict[str, tuple[object, ...]] = {
        "convert": ("--all", tmp_path / "desk", "-n"),
        "explain": (desk, "AGENTS.md:5"),
        "diff": (desk, desk),
        "export": (package, tmp_path / "there"),
        "history": (tmp_path,),
        "materialize": (desk, tmp_path / "surfaces", "--reverse"),
        "doctor": (),
        "smoke": (package,),
        "lint": (package,),
    }
    for name in COMMANDS_BY_NAME.keys() - PRODUCT - {"smoke"}:
        done = run(name, *given.get(name, (desk,)), "--quiet")
        errors = [line for line in done.messages.splitlines() if not line.startswith("error: ")]
        assert (done.out, errors) == ("", []), name
    assert run("help", "plan", "-q").out.startswith("examples:")


def test_what_begins_with_error_ends_with_another_status_than_0(run: Run, desk: Path) -> None:
    (desk / "openclaw.json").write_text("{agents: [")
    done = run("detect", desk)
    assert "openclaw.json" in done.messages
    assert ("error:" in done.messages) == (done.code != 0)


def test_an_interrupt_while_the_program_starts_is_no_traceback() -> None:
    script = "import sys, os, signal\nclass Stop:\n    def find_spec(self, name, *_):\n        if name.startswith('melleafy_tui.cli'):\n            os.kill(os.getpid(), signal.SIGINT)\nsys.meta_path.insert(0, Stop())\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nfrom melleafy_tui.__main__ import command\ncommand()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_plan_lists_the_keys_that_files_name(run: Run, desk: Path) -> None:
    listed = run("plan", desk, "--keys", DAY).out.splitlines()
    document = run("plan", desk, "--json", DAY).document
    keys = [line.split()[0] for line in listed]
    items = [row["item"] for card in rows(document, "review") for row in rows(card, "rows") if row["answers"]]
    assert keys == [*(entry["key"] for entry in rows(document, "entries")), *items]
    assert any("keep | no" in line for line in listed)


def test_a_program_answers_the_review_by_a_file(run: Run, desk: Path, tmp_path: Path) -> None:
    answers, saved = tmp_path / "answers.json", tmp_path / "saved.json"
    document = run("plan", desk, "--json", DAY).document
    found = {
        str(row["item"]): rows(row, "answers")[-1]["name"]
        for card in rows(document, "review")
        for row in rows(card, "rows")
        if row["answers"]
    }
    answers.write_text(json.dumps(found))
    planned = run("plan", desk, "--answers", answers, "--save", saved, "--json", DAY)
    assert planned.code == 0, planned.messages
    settled = [row["settled"] for card in rows(planned.document, "review") for row in rows(card, "rows")]
    assert all(settled)
    again = run("plan", desk, "--decisions", saved, "--json", DAY).document
    assert again["entries"] == planned.document["entries"]
    assert not (desk / DECISIONS_FILE).exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "The answers aren't a JSON object"),
        ("{", "The answers can't be read"),
        ('{"judged:nowhere": "no"}', "No row of the review has the key judged:nowhere"),
        ('{"schedule:HEARTBEAT.md": "nothing"}', "schedule:HEARTBEAT.md has no answer 'nothing'"),
    ],
)
def test_answers_that_fit_nothing_are_refused(
    run: Run, desk: Path, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "answers.json").write_text(text)
    done = run("plan", desk, "--answers", "answers.json", DAY)
    assert (done.code, message in done.messages) == (2, True), done.messages
