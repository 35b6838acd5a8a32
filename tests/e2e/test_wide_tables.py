"""Tables of the commands on a terminal: no row is wider than it, and `--wide` prints them whole."""

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest
from rich.cells import cell_len

from melleafy_tui.cli.argument_table import COMMANDS, COMMANDS_BY_NAME, arguments_of
from tests.safety.chain import run
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

TEXT = "请用中文回答客户的问题,语气要温和,不要使用术语,也不要重复问题,并且总是说明理由和下一步 " * 3


@pytest.fixture
def workspace(own_world: Path) -> Path:
    files = {**TICKET_TRIAGE, "SOUL.md": f"# Soul\n\n{TEXT}\n"}
    return write_workspace(own_world / "ticket-triage", files)


def on_terminal(width: int, *words: str) -> list[str]:
    """Run a command in a terminal of this width and return the lines that it printed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "melleafy_tui", *words, "--no-color"],
        env=environment,
        encoding="utf-8",
        timeout=120,
        dimensions=(50, width),
    )
    child.expect(pexpect.EOF)
    return (child.before or "").replace("\r\n", "\n").splitlines()


def rows_of(lines: list[str], start: str) -> list[str]:
    return [line for line in lines if line.startswith(f"  {start}_0")]


@pytest.mark.slow
@pytest.mark.terminal
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(("command", "start"), [("plan", "dep"), ("inventory", "elem")])
def test_no_row_is_wider_than_the_terminal(workspace: Path, command: str, start: str, width: int) -> None:
    rows = rows_of(on_terminal(width, command, str(workspace)), start)
    whole = rows_of(run(command, workspace).out.splitlines(), start)
    assert len(rows) == len(whole) > 10
    assert [row for row in rows if cell_len(row) > width] == []
    assert max(map(cell_len, whole)) > 80
    assert any("…" in row for row in rows)
    assert [row.split()[0] for row in rows] == [row.split()[0] for row in whole], "no number is cut"


@pytest.mark.slow
@pytest.mark.terminal
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(("command", "start", "column"), [("plan", "dep", 2), ("inventory", "elem", 2)])
def test_dispositions_and_tags_stay_whole(
    workspace: Path, command: str, start: str, column: int, width: int
) -> None:
    rows = rows_of(on_terminal(width, command, str(workspace)), start)
    whole = rows_of(run(command, workspace).out.splitlines(), start)
    said = [re.split(r"  +", row.strip()) for row in whole]
    assert command == "inventory" or "delegate_to_runtime" in {words[column] for words in said}
    assert [words[column] for words in said if words[column] not in rows[said.index(words)]] == []
    assert "C2" in {word for row in rows for word in row.split()}


@pytest.mark.terminal
def test_wide_prints_whole_tables(workspace: Path) -> None:
    wide = rows_of(on_terminal(60, "plan", str(workspace), "--wide"), "dep")
    assert wide == rows_of(run("plan", workspace).out.splitlines(), "dep")


def test_wide_belongs_to_the_commands_that_print_tables() -> None:
    takes = {
        command.name
        for command in COMMANDS
        if any("--wide" in each.option_strings for each in arguments_of(command))
    }
    assert takes == {command.name for command in COMMANDS if command.tables}
    assert not takes & {"smoke", "export", "doctor", "serve", "schema", "completion", "help"}
    assert "cut" in next(
        str(each.help) for each in arguments_of(COMMANDS_BY_NAME["plan"]) if "--wide" in each.option_strings
    )
