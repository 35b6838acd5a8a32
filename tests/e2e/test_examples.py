"""Every bundled example through the command line: judged from outside, run on the real Mellea, and the same bytes twice."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from melleafy_tui.core.models.smoke import FixtureStatus, SmokeReport
from melleafy_tui.core.smoke.answers import Behaviour
from melleafy_tui.core.smoke.runner import SmokeRequest, find_package, run_smoke

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.name for path in (PROJECT / "examples").iterdir() if (path / "SOUL.md").is_file())
AS_OF = "2026-11-01"


def melleafy(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1793500000"}
    return subprocess.run(
        [sys.executable, "-m", "melleafy_tui", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def convert(example: str, folder: Path) -> Path:
    out = folder / f"{example}_mellea"
    workspace = folder / example
    shutil.copytree(PROJECT / "examples" / example, workspace, dirs_exist_ok=True)
    done = melleafy(str(workspace), "--dependencies=auto", "--out", str(out), "--as-of", AS_OF, cwd=folder)
    assert done.returncode == 0, done.stderr
    return out


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("examples")
    return {example: convert(example, folder) for example in EXAMPLES}


def judged(command: list[str], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize(
    "judge",
    [
        pytest.param(["ruff", "check", "--isolated", "."], id="ruff-check"),
        pytest.param(["ruff", "format", "--isolated", "--check", "."], id="ruff-format"),
        pytest.param(["mypy", "--strict", "."], id="mypy"),
        pytest.param(["pyright", "."], id="pyright"),
    ],
)
def test_an_outside_judge_has_no_finding(packages: dict[str, Path], example: str, judge: list[str]) -> None:
    program = Path(sys.executable).with_name(judge[0])
    if not program.is_file():
        pytest.skip(f"{judge[0]} is not installed beside this Python")
    extra = ["--pythonpath", sys.executable] if judge[0] == "pyright" else []
    judged([str(program), *judge[1:], *extra], packages[example])


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_our_own_lints_pass(packages: dict[str, Path], example: str) -> None:
    done = melleafy("lint", str(packages[example]), cwd=packages[example].parent)
    assert done.returncode == 0, done.stdout + done.stderr


def smoke(package: Path, behaviour: Behaviour) -> SmokeReport:
    return run_smoke(SmokeRequest(package, behaviour=behaviour))


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_all_fixtures_run_on_mellea_and_the_manifest_counts_their_calls(
    packages: dict[str, Path], example: str
) -> None:
    report = smoke(packages[example], Behaviour.PLAIN)
    assert 5 <= len(report.runs) <= 8
    assert report.passed, [run.error for run in report.runs]
    manifest = json.loads((find_package(packages[example]) / "melleafy.json").read_text(encoding="utf-8"))
    messages = [
        run for run in report.runs if "heartbeat" not in run.fixture_id and run.status is FixtureStatus.PASSED
    ]
    assert messages
    assert {run.calls for run in messages} == {manifest["model_calls_per_run"]["message"]}


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_empty_answer_is_never_a_success(packages: dict[str, Path], example: str) -> None:
    report = smoke(packages[example], Behaviour.EMPTY)
    assert {run.status for run in report.runs} == {FixtureStatus.FAILED}
    assert all("PipelineError" in run.error for run in report.runs)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_judge_that_says_no_is_seen_in_every_reply(packages: dict[str, Path], example: str) -> None:
    requirements = find_package(packages[example]) / "requirements.py"
    report = smoke(packages[example], Behaviour.JUDGE_SAYS_NO)
    if not requirements.is_file():
        assert {run.status for run in report.runs} == {FixtureStatus.PASSED}
        return
    assert {run.status for run in report.runs} == {FixtureStatus.UNMET}
    assert all(run.unmet for run in report.runs)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_same_workspace_gives_the_same_bytes_elsewhere(example: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert tree(convert(example, first)) == tree(convert(example, second))
