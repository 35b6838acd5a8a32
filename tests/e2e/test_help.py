"""`--help` and `help`: the examples come first and work, and every line fits the terminal."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from melleafy_tui.cli.argument_table import (
    COMMANDS,
    COMMANDS_BY_NAME,
    CONVERT,
    PROGRAM,
    Command,
    arguments_of,
    parse,
)
from tests.conftest import PROJECT
from tests.safety.chain import run

EXAMPLES = [
    pytest.param(command, example.words, id=example.words)
    for command in COMMANDS
    for example in command.examples
]
IDS = [command.name for command in COMMANDS]
WIDTHS = (80, 60, 40)


def help_of(command: Command) -> str:
    return run(*([] if command.name == CONVERT else [command.name]), "--help").out


def examples_in(text: str) -> list[str]:
    """Return the command lines of the examples at the start of a help text, as a shell reads them."""
    block = text.partition("\n\n")[0].removeprefix("examples:\n").replace(" \\\n", " ")
    lines = [line.split() for line in block.splitlines()]
    return [" ".join(words[1:]) for words in lines if words[0] == PROGRAM]


@pytest.mark.parametrize("command", COMMANDS, ids=IDS)
def test_help_begins_with_the_examples(command: Command) -> None:
    text = help_of(command)
    assert text.startswith("examples:\n")
    assert examples_in(text) == [example.words for example in command.examples]
    assert 1 <= len(command.examples) <= 3


@pytest.mark.parametrize(("command", "words"), EXAMPLES)
def test_every_example_is_a_command_line_of_its_command(command: Command, words: str) -> None:
    assert parse(shlex.split(words)).command == command.name


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS, ids=IDS)
def test_no_line_of_help_is_wider_than_the_terminal(
    command: Command, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = help_of(command)
    assert [line for line in text.splitlines() if len(line) > width] == []
    assert examples_in(text) == [example.words for example in command.examples]


def test_help_is_no_wider_than_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    for width in ("200", "0", "nonsense"):
        monkeypatch.setenv("COLUMNS", width)
        assert max(len(line) for command in COMMANDS for line in help_of(command).splitlines()) <= 80


@pytest.mark.parametrize("command", COMMANDS, ids=IDS)
def test_help_lists_every_option_of_the_command_in_a_group(command: Command) -> None:
    text = help_of(command)
    flags = [flag for each in arguments_of(command) for flag in each.option_strings]
    assert set(flags) <= set(re.findall(r"(?<= )--?[a-zA-Z][a-z-]*", text))
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize("command", COMMANDS, ids=IDS)
def test_the_command_help_prints_the_same(command: Command) -> None:
    assert run("help", command.name).out == help_of(command)


def test_help_without_a_command_is_that_of_the_program() -> None:
    assert run("help").out == run("--help").out
    assert "commands:\n  detect " in run("help").out


def test_help_for_an_unknown_command_names_the_one_that_was_meant() -> None:
    said = run("help", "inventroy")
    assert (said.code, said.out) == (2, "")
    assert "COMMAND is 'inventroy', which is not one of convert, detect," in said.messages
    assert "Did you mean inventory? See `melleafy-tui help --help`." in said.messages


NOT_TAKEN = (
    (("detect", "./agent", "--force"), "--force"),
    (("inventory", "./agent", "--model-id", "x"), "--model-id"),
    (("check", "./agent", "--dry-run"), "--dry-run"),
    (("serve", "./agent", "--json"), "--json"),
)


@pytest.mark.parametrize(("words", "flag"), NOT_TAKEN)
def test_an_option_of_other_commands_is_refused(words: tuple[str, ...], flag: str) -> None:
    said = run(*words)
    assert said.code == 2
    assert f"melleafy-tui {words[0]} doesn't take {flag}, other commands do." in said.messages
    assert flag not in help_of(COMMANDS_BY_NAME[words[0]])


RUN = (
    *("detect", "inventory", "plan", "preview", "explain", "context", "lint", "check", "export"),
    *("schema", "completion", "help", CONVERT),
)
"""Commands whose examples run here; the others need a model server, Mellea or an agent's state folder."""


@pytest.mark.slow
def test_the_examples_run(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own_world)
    shutil.copytree(PROJECT / "examples" / "ticket-triage", own_world / "my-agent")
    shutil.copytree(PROJECT / "examples" / "persona-only", own_world / "agents" / "one")
    assert run("plan", "./my-agent", "--save", "my.json").code == 0
    assert run("./my-agent", "--dependencies=auto", "--decisions", "my.json").code == 0
    failed = {}
    for name in RUN:
        for example in COMMANDS_BY_NAME[name].examples:
            shutil.rmtree("copy", ignore_errors=True)
            said = run(*shlex.split(example.words))
            opens_the_wizard = example.words == "./my-agent"
            if said.code != (2 if opens_the_wizard else 0):
                failed[example.words] = said.messages
    assert failed == {}


def test_the_examples_of_materialize_run(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own_world)
    shutil.copytree(PROJECT / "examples" / "ticket-triage", own_world / "my-agent")
    write, rehearse, reverse = COMMANDS_BY_NAME["materialize"].examples
    assert run(*shlex.split(reverse.words)).code == 0
    Path("my-agent").rename("old-agent")
    for example in (rehearse, write):
        assert run(*shlex.split(example.words)).code == 0
    assert (own_world / "my-agent" / "AGENTS.md").is_file()
