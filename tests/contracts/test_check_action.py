"""The GitHub Action: its steps are run as a runner does, on a repository with a stale package, and the log is read."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from melleafy_tui.cli.main import main
from melleafy_tui.core.output.write_plan import Action
from scripts.check_action import CHANGES, Annotation
from tests.conftest import PROJECT

SCRIPT = PROJECT / "scripts" / "check_action.py"
ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
DAY = "--as-of=2026-11-01"
AUTHOR = ("-c", "user.name=t", "-c", "user.email=t@example.org")


def test_the_inputs_reach_the_shell_as_variables_only() -> None:
    runs = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert len(runs) == 2
    assert [run for run in runs if "${{" in run] == []
    named = " ".join(str(step.get("env", "")) + str(step.get("with", "")) for step in ACTION["runs"]["steps"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in named] == []
    paths = re.findall(r"\$GITHUB_ACTION_PATH/([\w./]+)", " ".join(runs))
    assert paths
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_text_of_a_workspace_is_never_a_workflow_command() -> None:
    hostile = "a:b,c%0A\r\n::add-mask::x"
    printed = str(Annotation("error", hostile, hostile, 3, hostile))
    assert printed == (
        "::error file=a%3Ab%2Cc%250A%0D%0A%3A%3Aadd-mask%3A%3Ax,line=3,title=a%3Ab%2Cc%250A%0D%0A%3A%3Aadd-mask%3A%3Ax"
        "::a:b,c%250A%0D%0A::add-mask::x"
    )
    assert str(Annotation("notice", "fine")) == "::notice::fine"


def test_every_change_that_makes_a_package_stale_has_words() -> None:
    unchanged = {Action.UNTOUCHED, Action.KEEP_EDITS, Action.STAY_DELETED, Action.FORGET, Action.OVERWRITE}
    assert set(CHANGES) == {action.value for action in Action} - unchanged


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a workspace, its package, and a rule that was added to the workspace afterwards."""
    place = tmp_path / "repository"
    shutil.copytree(PROJECT / "examples" / "ticket-triage", place / "desk")
    assert main(["convert", str(place / "desk"), "--yes", "--quiet", DAY]) == 0
    git(place, "init", "--quiet")
    git(place, "add", "--all")
    git(place, *AUTHOR, "commit", "--quiet", "--message", "one")
    return place


def git(place: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=place, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Ran:
    """What one run left: its exit code, its log, the outputs and the summary."""

    def __init__(self, place: Path, command: list[str], **inputs: str) -> None:
        """Run a command as the runner does, with files for outputs and summary."""
        files = {name: place.parent / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        done = subprocess.run(
            command,
            cwd=place,
            env={
                **os.environ,
                **{name: str(file) for name, file in files.items()},
                "GITHUB_WORKSPACE": str(place),
                "INPUT_OPTIONS": DAY,
                **inputs,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.code, self.log, self.errors = done.returncode, done.stdout, done.stderr
        self.outputs, self.summary = (file.read_text(encoding="utf-8") for file in files.values())
        token = ""
        self.commands: list[str] = []
        for line in self.log.splitlines():
            if token:
                token = "" if line == f"::{token}::" else token
            elif line.startswith("::stop-commands::"):
                token = line.removeprefix("::stop-commands::")
            elif line.startswith("::"):
                self.commands.append(line)


def script(place: Path, **inputs: str) -> Ran:
    return Ran(place, [sys.executable, str(SCRIPT)], **inputs)


@pytest.mark.slow
def test_a_stale_package_fails_with_annotations_and_the_differences(repository: Path) -> None:
    before = git(repository, "rev-parse", "HEAD")
    with (repository / "desk" / "AGENTS.md").open("a", encoding="utf-8") as rules:
        rules.write("- Never promise `::add-mask::x` to anybody.\n")
    ran = script(repository, INPUT_WORKSPACES="desk", INPUT_COMPARE=before)
    assert ran.code == 15, ran.errors
    assert ran.outputs == "up-to-date=false\nexit-code=15\n"
    errors = [line for line in ran.commands if line.startswith("::error ")]
    assert errors[0].startswith("::error file=desk,title=Stale package::")
    package = "desk_mellea/ticket_triage_mellea"
    lines = (repository / package / "requirements.py").read_text("utf-8").splitlines()
    (at,) = re.findall(rf"::error file={package}/requirements\.py,line=(\d+),title=Stale file::", ran.log)
    assert "4. The rest, oldest first" in "".join(lines[int(at) - 4 : int(at)]), (
        "the new rule goes after the end of the document"
    )
    number = len((repository / "desk" / "AGENTS.md").read_text("utf-8").splitlines())
    notice = f"::notice file=desk/AGENTS.md,line={number},title=Rules%3A added::"
    assert [line for line in ran.commands if line.startswith(notice)]
    assert not any(line.startswith("::add-mask") for line in ran.commands)
    assert f"## What changed: `{before}/desk` → `desk`" in ran.summary
    assert "### Rules: 1 added" in ran.summary
    assert not any("intermediate" in line for line in ran.commands)
    assert git(repository, "worktree", "list").count("\n") == 0


@pytest.mark.slow
def test_a_package_that_is_up_to_date_passes(repository: Path) -> None:
    ran = script(repository, INPUT_WORKSPACES="\n desk \n", INPUT_COMPARE="none")
    assert (ran.code, ran.commands, ran.errors) == (0, [], "")
    assert ran.outputs == "up-to-date=true\nexit-code=0\n"
    assert "Every package is up to date." in ran.summary


@pytest.mark.slow
def test_an_edit_fails_only_if_asked(repository: Path) -> None:
    config = repository / "desk_mellea" / "ticket_triage_mellea" / "config.py"
    config.write_text(config.read_text("utf-8") + "\n# mine\n", encoding="utf-8")
    assert script(repository, INPUT_WORKSPACES="desk").code == 0
    ran = script(repository, INPUT_WORKSPACES="desk", INPUT_EXACT="true")
    assert ran.code == 15
    named = "::error file=desk_mellea/ticket_triage_mellea/config.py,title=Not what is emitted::edited"
    assert named in ran.commands


@pytest.mark.slow
def test_a_workspace_that_cannot_be_read_and_one_that_can(repository: Path) -> None:
    ran = script(repository, INPUT_WORKSPACES="desk\nnowhere", INPUT_COMPARE="0" * 40)
    assert ran.code == 2
    (error, warning) = ran.commands
    assert error.startswith("::error file=nowhere,title=melleafy-tui check::The workspace cannot be opened")
    assert warning.startswith("::warning title=melleafy-tui diff::")
    assert "fetch-depth: 0" in warning
    assert script(repository, INPUT_COMPARE="--help").code == 2


@pytest.mark.slow
def test_the_repository_cannot_put_its_own_code_in_the_place_of_the_program(repository: Path) -> None:
    (repository / "melleafy_tui").mkdir()
    (repository / "melleafy_tui" / "__main__.py").write_text("raise SystemExit('ran the repository')\n")
    (repository / "json.py").write_text("raise SystemExit('ran the repository')\n")
    ran = script(repository, INPUT_WORKSPACES="desk")
    assert (ran.code, "ran the repository" in ran.log + ran.errors) == (0, False)


@pytest.mark.slow
@pytest.mark.long
def test_the_steps_of_the_action_run_from_a_clone(repository: Path, tmp_path: Path) -> None:
    """Stands in for a runner: every step with a shell, with the variables that GitHub sets."""
    clone = tmp_path / "action"
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(clone)], check=True, capture_output=True)
    for file in ("action.yml", "scripts/check_action.py"):
        shutil.copy(PROJECT / file, clone / file)
    steps = [step for step in ACTION["runs"]["steps"] if "run" in step]
    paths = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(clone), "PYTHONPATH": ""}
    for step in steps:
        assert step["shell"] == "bash"
        ran = Ran(
            repository,
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            INPUT_WORKSPACES="desk",
            INPUT_EXACT=json.dumps(False),
            INPUT_COMPARE=git(repository, "rev-parse", "HEAD"),
            **paths,
        )
        assert ran.code == 0, ran.log + ran.errors
    assert ran.outputs == "up-to-date=true\nexit-code=0\n"
    assert "No differences." in ran.summary
