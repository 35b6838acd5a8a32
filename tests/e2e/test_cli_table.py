"""The table of spec/cli.md: each command and common option is there, and progress is drawn on a terminal alone."""

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, CONVERT, NAMED_COMMANDS, arguments_of, parse
from melleafy_tui.core.smoke.scripted_model import Behaviour
from tests.conftest import PROJECT
from tests.safety.chain import run
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
    "--verbose",
    "--wide",
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
    "smoke": ("--fixture", "--all", "--behaviour", "--live", "--local"),
    "run": ("--chat", "--local", "--json"),
    "materialize": (),
    "schema": ("--beside",),
    "check": (),
    "explain": ("--decisions",),
    "diff": ("--format", "--exit-code", "--decisions"),
    "doctor": ("--local",),
    "serve": ("--port", "--host"),
    "completion": (),
    "help": (),
}


SHORT = {"-o": "out", "-n": "dry_run", "-y": "yes", "-f": "force", "-q": "quiet"}


def test_short_options_mean_the_long_ones_and_stand_together(tmp_path: Path) -> None:
    given = parse(["./agent", "-nyfq", "-oplace"])
    assert {name: getattr(given, name) for name in SHORT.values()} == {
        **dict.fromkeys(SHORT.values(), True),
        "out": "place",
    }
    assert run("-V").out == run("--version").out != ""
    example = PROJECT / "examples" / "persona-only"
    done = run(example, "-qn", "--dependencies=auto", "-o", tmp_path / "out")
    assert (done.code, done.out, list(tmp_path.iterdir())) == (0, "", [])


MEANT = (
    (("./agent", "--dry-rn"), "Unrecognized arguments: --dry-rn. Did you mean --dry-run? See"),
    (("plan", "./agent", "--sav=x"), "Unrecognized arguments: --sav=x. Did you mean --save? See"),
    (("detct", "./agent"), "'detct' is neither a command nor a workspace. Did you mean detect? See"),
    (("detct",), "'detct' is neither a command nor a workspace. Did you mean detect? See"),
    (("./detct",), "detct: The workspace cannot be opened: no such file or directory."),
    (("./agent", "other"), "Unrecognized arguments: other. See"),
    (("./agent", "--qqqqq"), "Unrecognized arguments: --qqqqq. See"),
)


def test_what_was_probably_meant_is_named() -> None:
    for words, message in MEANT:
        said = run(*words)
        assert (said.code, message in said.messages) == (2, True), said.messages


def test_each_command_is_there_with_its_options() -> None:
    missing = {
        command: absent
        for command, flags in (*WITH_OPTIONS.items(), (CONVERT, COMMON))
        if (
            absent := set(flags)
            - {flag for each in arguments_of(COMMANDS_BY_NAME[command]) for flag in each.option_strings}
        )
    }
    assert missing == {}


@pytest.mark.slow
def test_every_command_of_the_specification_that_exists_is_named_here(shared: Path) -> None:
    page = (shared / "spec" / "cli.md").read_text(encoding="utf-8")
    specified = set(re.findall(r"^\| `melleafy-tui ([a-z]+)", page, re.MULTILINE))
    assert specified & {row.name for row in NAMED_COMMANDS} <= {*WITH_OPTIONS, "context", "history", "export"}
    assert set(WITH_OPTIONS) <= specified


def test_a_folder_that_is_called_like_a_command_is_named_with_its_path() -> None:
    assert {row.name: parse([f"./{row.name}"]).command for row in NAMED_COMMANDS} == {
        row.name: CONVERT for row in NAMED_COMMANDS
    }


def test_the_value_of_an_option_before_the_command_names_no_command() -> None:
    found = parse(["--out", "detect", "--dry-run", "plan", "./agent"])
    assert (found.command, found.out, found.workspace) == ("plan", "detect", "./agent")
    assert parse(["--out", "detect", "./agent"]).command == CONVERT
    assert parse(["./agent", "--package-name", "detect"]).command == CONVERT


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


BAR = re.compile(r"\x1b\[2K[█·]{24} (\d+)/(\d+) ")


def words(workspace: Path, *options: str) -> list[str]:
    return ["-m", "melleafy_tui", str(workspace), "--dependencies=auto", *options]


@pytest.mark.terminal
@pytest.mark.parametrize(
    ("options", "drawn"),
    [
        pytest.param((), True, id=""),
        pytest.param(("--quiet",), False, id="--quiet", marks=pytest.mark.slow),
    ],
)
def test_long_work_draws_a_bar_on_a_terminal(
    workspace: Path, options: tuple[str, ...], *, drawn: bool
) -> None:
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable, words(workspace, *options), env=dict(os.environ), encoding="utf-8", timeout=120
    )
    child.expect(pexpect.EOF)
    bars = BAR.findall(child.before or "")
    assert bool(bars) is drawn
    if drawn:
        counts = [int(done) for done, _ in bars]
        assert counts == sorted(counts)
        assert bars[-1][0] == bars[-1][1]


def test_a_pipe_gets_no_bar(workspace: Path) -> None:
    done = run(workspace, "--dependencies=auto")
    assert done.code == 0
    assert not {"█", "\x1b"} & set(done.out + done.messages)


def test_the_behaviours_of_the_fake_model_are_all_choices() -> None:
    (flag,) = (each for each in arguments_of(COMMANDS_BY_NAME["smoke"]) if each.dest == "behaviour")
    assert tuple(flag.choices or ()) == tuple(Behaviour)
