"""`--decisions -`: a decisions file from standard input, read once, and refused where it can't be read or is written to."""

import json
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from melleafy_tui.core.decisions.file import LARGEST_FILE
from tests.e2e.conftest import tree
from tests.e2e.pseudo_terminal import PseudoTerminal
from tests.safety.chain import run
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

Pipe = Callable[[bytes], None]


@pytest.fixture
def workspace(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    monkeypatch.chdir(own_world)
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    def piped(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data), encoding="utf-8"))

    return piped


@pytest.fixture
def decisions(workspace: Path, own_world: Path) -> Path:
    """Return a decisions file that names the package and removes one entry."""
    path = own_world / "my.json"
    assert run("plan", workspace, "--package-name", "desk", "--save", path).code == 0
    key = json.loads(run("plan", workspace, "--json").out)["entries"][8]["key"]
    document = json.loads(path.read_text())
    document["overrides"] = [{"key": key, "disposition": "remove"}]
    path.write_text(json.dumps(document))
    return path


LOOKING = ("detect", "inventory", "plan", "preview", "context", "check")


@pytest.mark.parametrize("command", LOOKING)
def test_it_gives_what_the_file_gives(workspace: Path, decisions: Path, pipe: Pipe, command: str) -> None:
    by_path = run(command, workspace, "--decisions", decisions, "--json")
    pipe(decisions.read_bytes())
    by_pipe = run(command, workspace, "--decisions", "-", "--json")
    assert (by_pipe.code, by_pipe.out) == (by_path.code, by_path.out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [("--dependencies=auto", "--decisions", "-"), ("--dependencies=config:-",)]
)
def test_it_gives_the_same_package(
    workspace: Path, decisions: Path, pipe: Pipe, tmp_path: Path, options: tuple[str, ...]
) -> None:
    written = run(workspace, "--dependencies=auto", "--decisions", decisions, "--out", tmp_path / "by_path")
    assert written.code == 0
    pipe(decisions.read_bytes())
    assert run(workspace, *options, "--out", tmp_path / "by_pipe").code == 0
    assert tree(tmp_path / "by_pipe") == tree(tmp_path / "by_path") != {}


def test_its_settings_come_from_standard_input(workspace: Path, decisions: Path, pipe: Pipe) -> None:
    pipe(decisions.read_bytes())
    shown = run("plan", workspace, "--decisions", "-", "--show-settings", "--json")
    settings = {item["name"]: item for item in json.loads(shown.out)["settings"]}
    assert settings["package_name"] == {"name": "package_name", "value": "desk", "source": "standard input"}


def test_it_can_be_saved_to_a_file(workspace: Path, decisions: Path, pipe: Pipe, own_world: Path) -> None:
    pipe(decisions.read_bytes())
    assert run("plan", workspace, "--decisions", "-", "--save", own_world / "saved.json").code == 0
    saved = json.loads((own_world / "saved.json").read_text())
    assert [item["disposition"] for item in saved["overrides"]] == ["remove"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "standard input:1:1: The decisions file is not valid JSON"),
        (b'{\n"overrides": 1}', "standard input:2: "),
        (b"\xff", "standard input: The decisions file is not UTF-8"),
        (
            b" " * (LARGEST_FILE + 1),
            f"standard input: The decisions file is larger than {LARGEST_FILE:,} bytes",
        ),
    ],
    ids=["empty", "wrong type", "not UTF-8", "too large"],
)
def test_what_is_wrong_is_said_with_its_line(workspace: Path, pipe: Pipe, data: bytes, message: str) -> None:
    pipe(data)
    said = run("plan", workspace, "--decisions", "-")
    assert (said.code, said.out) == (2, "")
    assert message in said.messages


def test_a_refused_entry_is_listed_and_refused(workspace: Path, decisions: Path, pipe: Pipe) -> None:
    document = json.loads(decisions.read_text())
    document["overrides"] = [{"entry_id": "dep_001", "disposition": "real_impl"}]
    decisions.write_text(json.dumps(document))
    by_path = run("plan", workspace, "--decisions", decisions)
    pipe(decisions.read_bytes())
    by_pipe = run("plan", workspace, "--decisions", "-")
    assert (by_pipe.code, by_pipe.out) == (by_path.code, by_path.out)
    assert by_pipe.code == 2


def test_a_closed_standard_input_is_an_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    said = run("plan", workspace, "--decisions", "-")
    assert (said.code, said.out) == (2, "")
    assert "standard input:1:1: The decisions file is not valid JSON" in said.messages


REFUSED = (
    (("{}", "--linear", "--decisions", "-"), "The wizard reads your answers from standard input"),
    (("{}", "--dependencies=auto", "--assist", "--decisions", "-"), "--assist saves the model's answers"),
    (("serve", "{}", "--decisions", "-"), "Each page reads the decisions again"),
    (("plan", "{}", "--save", "-"), "- is standard input, which can't be written; name a file"),
    (("context", "{}", "--drop-unseen", "--save", "-"), "- is standard input"),
    (("history", "{}", "--session", "all", "--pick", "x", "--save", "-"), "- is standard input"),
    (("convert", "--all", "{}", "--decisions", "-"), "--decisions can't be used with --all"),
)


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_it_is_refused_where_it_cannot_work(
    workspace: Path, pipe: Pipe, words: tuple[str, ...], message: str
) -> None:
    pipe(b"{}")
    said = run(*(word.format(workspace) for word in words))
    assert (said.code, said.out) == (2, "")
    assert message in said.messages
    assert not (workspace.parent / "-").exists()


@pytest.mark.terminal
def test_the_wizard_refuses_it_and_keeps_the_terminal(workspace: Path) -> None:
    with PseudoTerminal(str(workspace), "--decisions", "-") as wizard:
        assert wizard.wait_for_end() == 2
        assert b"The wizard reads your keys from standard input" in wizard.written


def test_a_file_of_that_name_is_named_with_its_path(workspace: Path, decisions: Path, pipe: Pipe) -> None:
    decisions.rename("-")
    pipe(b"not read")
    assert run("plan", workspace, "--decisions", "./-").code == 0
