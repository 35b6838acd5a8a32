"""The table of spec/cli.md: each command and common option is there, and progress is drawn on a terminal alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from melleafy_tui.commands.arguments import COMMANDS_BY_NAME, CONVERT, NAMED_COMMANDS, options_of, parse
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

COMMON = [
    "--out",
    "--in-place",
    "--package-name",
    "--source-runtime",
    "--contributing-runtimes",
    "--modality",
    "--backend",
    "--model-id",
    "--persona-channel",
    "--openclaw-release",
    "--as-of",
    "--decisions",
    "--dry-run",
    "--force",
    "--json",
    "--quiet",
    "--no-color",
    "--linear",
    "--yes",
    "--show-settings",
    "--strict-decisions",
    "--debug",
    "--dependencies",
]

WITH_OPTIONS = {
    "detect": (),
    "inventory": (),
    "plan": ("--save", "--decisions"),
    "preview": ("--diff",),
    "lint": (),
    "smoke": ("--fixture", "--all", "--live"),
    "materialize": (),
    "schema": (),
    "check": (),
    "doctor": (),
    "serve": ("--port", "--host"),
    "completion": (),
}


@pytest.mark.parametrize("flag", COMMON)
def test_the_conversion_takes_each_common_option(flag: str) -> None:
    assert flag in {option.flag for option in options_of(COMMANDS_BY_NAME[CONVERT])}


@pytest.mark.parametrize(("command", "flags"), WITH_OPTIONS.items(), ids=WITH_OPTIONS)
def test_each_command_is_there_with_its_options(command: str, flags: tuple[str, ...]) -> None:
    assert set(flags) <= {option.flag for option in options_of(COMMANDS_BY_NAME[command])}


def test_every_command_of_the_specification_that_exists_is_named_here(shared: Path) -> None:
    page = (shared / "spec" / "cli.md").read_text(encoding="utf-8")
    specified = set(re.findall(r"^\| `melleafy-tui ([a-z]+)", page, re.MULTILINE))
    assert specified & {row.name for row in NAMED_COMMANDS} <= {*WITH_OPTIONS, "context", "history", "export"}
    assert set(WITH_OPTIONS) <= specified


@pytest.mark.parametrize("row", NAMED_COMMANDS, ids=lambda row: row.name)
def test_a_folder_that_is_called_like_a_command_is_named_with_its_path(row: object) -> None:
    name = next(each.name for each in NAMED_COMMANDS if each is row)
    assert parse([f"./{name}"]).command == CONVERT


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


BAR = re.compile(r"\x1b\[2K[█·]{24} (\d+)/(\d+) ")


def words(workspace: Path, *options: str) -> list[str]:
    return ["-m", "melleafy_tui", str(workspace), "--dependencies=auto", *options]


@pytest.mark.terminal
@pytest.mark.parametrize(("options", "drawn"), [((), True), (("--quiet",), False)], ids=["", "--quiet"])
def test_long_work_draws_a_bar_on_a_terminal(
    workspace: Path, options: tuple[str, ...], *, drawn: bool
) -> None:
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable, words(workspace, *options), env=dict(os.environ), encoding="utf-8", timeout=60
    )
    child.expect(pexpect.EOF)
    bars = BAR.findall(child.before or "")
    assert bool(bars) is drawn
    if drawn:
        counts = [int(done) for done, _ in bars]
        assert counts == sorted(counts)
        assert bars[-1][0] == bars[-1][1]


def test_a_pipe_gets_no_bar(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, *words(workspace)], capture_output=True, text=True, timeout=60, check=True
    )
    assert "█" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout + done.stderr
