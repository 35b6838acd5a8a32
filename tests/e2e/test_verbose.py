"""`--verbose`: what is read, where settings come from and how long it took, on standard error and nowhere else."""

import re
from pathlib import Path

import pytest

from melleafy_tui.cli.argument_table import COMMANDS, arguments_of
from melleafy_tui.cli.workspace_conversion import STAGES
from tests.e2e.conftest import tree
from tests.safety.chain import run
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

TIME = re.compile(r"time: (.+), \d+\.\d{3} s")


@pytest.fixture
def workspace(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


LOOKING = ("detect", "inventory", "plan", "preview", "context")


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["lines", "json"])
@pytest.mark.parametrize("command", LOOKING)
def test_standard_output_stays_the_same(workspace: Path, command: str, options: tuple[str, ...]) -> None:
    quiet, verbose = run(command, workspace, *options), run(command, workspace, "-v", *options)
    assert verbose.out == quiet.out
    more = verbose.messages.splitlines()
    told = [line for line in more if line.startswith(("read: ", "setting: ", "time: "))]
    assert [line for line in more if line not in told] == quiet.messages.splitlines()
    assert told[-1].startswith("time: all, ")


def test_every_file_that_is_read_is_told(workspace: Path) -> None:
    said = run("detect", workspace, "--verbose").messages.splitlines()
    assert f"read: {workspace}, {len(TICKET_TRIAGE)} files" in said
    sizes = {name: len((workspace / name).read_bytes()) for name in TICKET_TRIAGE}
    assert {f"read: {name}, {size:,} bytes" for name, size in sizes.items()} <= set(said)


def test_each_setting_is_told_with_its_source(
    workspace: Path, own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions = own_world / "my.json"
    assert run("plan", workspace, "--package-name", "desk", "--save", decisions).code == 0
    config = own_world / "config" / "melleafy-tui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('persona_channel = "system"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own_world / "config"))
    monkeypatch.setenv("MELLEAFY_MODEL_ID", "granite4.1:8b")
    words = ("plan", workspace, "--decisions", decisions, "--openclaw-release", "2026.4.1", "-v")
    said = run(*words).messages.splitlines()
    assert {
        f"read: {decisions}",
        f"read: {config}",
        "setting: openclaw_release = 2026.4.1, from --openclaw-release",
        "setting: model_id = granite4.1:8b, from MELLEAFY_MODEL_ID",
        f"setting: package_name = desk, from {decisions}",
        f"setting: persona_channel = system, from {config}",
    } <= set(said)
    assert "setting: every setting has its default" not in said


def test_defaults_are_told_in_one_line(workspace: Path) -> None:
    said = run("detect", workspace, "-v").messages
    assert re.findall("setting: .*", said) == ["setting: every setting has its default"]


def test_each_stage_is_told_once_with_its_time(workspace: Path, tmp_path: Path) -> None:
    said = run(workspace, "--dependencies=auto", "--out", tmp_path / "out", "-v").messages
    assert sorted(TIME.findall(said)) == sorted(["reading", *STAGES, "writing", "all"])


def test_the_package_is_the_same(workspace: Path, tmp_path: Path) -> None:
    assert run(workspace, "--dependencies=auto", "--out", tmp_path / "one").code == 0
    assert run(workspace, "--dependencies=auto", "--out", tmp_path / "two", "-v").code == 0
    assert tree(tmp_path / "one") == tree(tmp_path / "two") != {}


def test_a_command_on_a_package_tells_what_it_reads(workspace: Path, tmp_path: Path) -> None:
    assert run(workspace, "--dependencies=auto", "--out", tmp_path / "out").code == 0
    said = run("lint", tmp_path / "out", "-v").messages.splitlines()
    assert said[0] == f"read: {tmp_path / 'out'}"
    assert TIME.findall(said[-1]) == ["all"]


def test_quiet_and_verbose_contradict_each_other(workspace: Path) -> None:
    said = run("detect", workspace, "-q", "-v")
    assert (said.code, said.out) == (2, "")
    assert "not allowed with argument" in said.messages


def test_names_that_act_on_a_terminal_are_shown_as_signs(workspace: Path) -> None:
    renamed = workspace.rename(workspace.parent / "desk\x1b[31m\ntime: b")
    said = run("detect", renamed, "-v").messages
    assert "\x1b" not in said
    assert "\ntime: b" not in said
    assert "␛[31m␊time: b, 6 files\n" in said


@pytest.mark.slow
def test_many_workspaces_are_told_one_by_one(workspace: Path, tmp_path: Path) -> None:
    said = run("convert", "--all", workspace.parent, "--jobs", "1", "--out", tmp_path / "out", "-v").messages
    assert "converted: ticket-triage, exit status 0\n" in said


def test_the_commands_that_read_something_take_it() -> None:
    takes = {
        command.name
        for command in COMMANDS
        if any("--verbose" in each.option_strings for each in arguments_of(command))
    }
    assert {command.name for command in COMMANDS} - takes == {"schema", "completion", "help"}
