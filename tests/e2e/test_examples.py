"""Every bundled example through the command line: judged from outside, run on the real Mellea, and the same bytes twice."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from melleafy_tui.core.lint.table import lint_package
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, SmokeReport
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.generators.static_modules import own_modules
from tests.conftest import PROJECT
from tests.safety.chain import run as run_main

EXAMPLES = sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_dir())
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
    """Convert an example in this process and return its output folder."""
    (out,) = convert_each((example,), folder)
    return out


def convert_each(examples: Sequence[str], folder: Path) -> list[Path]:
    """Convert examples below a folder and return their output folders."""
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1793500000")
        for example in examples:
            workspace, out = folder / example, folder / f"{example}_mellea"
            shutil.copytree(PROJECT / "examples" / example, workspace, dirs_exist_ok=True)
            done = run_main(workspace, "--dependencies=auto", "--out", out, "--as-of", AS_OF)
            assert done.code == 0, done.messages
            made.append(out)
    return made


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("examples")
    return dict(zip(EXAMPLES, convert_each(EXAMPLES, folder), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    "judge",
    [
        pytest.param(["ruff", "check", "--isolated"], id="ruff-check"),
        pytest.param(["ruff", "format", "--isolated", "--check"], id="ruff-format"),
        # A carried script finds its helper beside it when it runs; to mypy it is no package.
        pytest.param(["mypy", "--strict", "--exclude", "/scripts/deadline.py$"], id="mypy"),
        pytest.param(["pyright", "--pythonpath", sys.executable], id="pyright"),
    ],
)
def test_an_outside_judge_has_no_finding(packages: dict[str, Path], judge: list[str]) -> None:
    program = Path(sys.executable).with_name(judge[0])
    if not program.is_file():
        pytest.skip(f"{judge[0]} is not installed beside this Python")
    # All at once: most of what a judge of types does is to read Mellea.
    judged = [str(find_package(out)) for out in packages.values()]
    done = subprocess.run(
        [str(program), *judge[1:], *judged],
        cwd=packages["hostile"].parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


AT_FAULT = [
    example
    if example in ("invoice-intake", "ticket-triage")
    else pytest.param(example, marks=pytest.mark.long)
    for example in EXAMPLES
]
"""Two of the examples have, among them, each kind of call; `generators/test_on_the_wire.py` tries the faults on all."""


def smoke(package: Path, behaviour: Behaviour) -> SmokeReport:
    return run_smoke(SmokeRequest(package, behaviour=behaviour))


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_all_fixtures_hold_on_mellea_and_the_manifest_counts_their_calls(
    packages: dict[str, Path], example: str
) -> None:
    report = run_smoke(SmokeRequest(packages[example]))
    assert report.passed, [(run.fixture_id, run.faults) for run in report.runs if run.faults]
    assert {run.status for run in report.runs} <= {FixtureStatus.PASSED, FixtureStatus.EXPECTED}
    assert 5 <= len(report.runs) <= 8
    manifest = json.loads((find_package(packages[example]) / "melleafy.json").read_text(encoding="utf-8"))
    kinds = {"message_is_answered": "message", "every_step": "message", "heartbeat_acts": "heartbeat"}
    calls = {kinds[run.fixture_id]: run.calls for run in report.runs if run.fixture_id in kinds}
    assert calls == manifest["model_calls_per_run"]


def without_empty(report: SmokeReport) -> list[FixtureRun]:
    """Return the runs but the one that is refused before any call."""
    return [run for run in report.runs if run.fixture_id not in ("empty_message", "no_message")]


@pytest.mark.slow
@pytest.mark.parametrize("example", AT_FAULT)
def test_an_empty_answer_is_never_a_success(packages: dict[str, Path], example: str) -> None:
    runs = without_empty(smoke(packages[example], Behaviour.EMPTY))
    assert {run.status for run in runs} == {FixtureStatus.FAILED}
    assert all("PipelineError" in run.error for run in runs)


@pytest.mark.slow
@pytest.mark.parametrize("example", AT_FAULT)
def test_a_judge_that_says_no_is_seen_in_every_reply(packages: dict[str, Path], example: str) -> None:
    runs = [
        run for run in without_empty(smoke(packages[example], Behaviour.JUDGE_SAYS_NO)) if not run.skipped
    ]
    fixtures = find_package(packages[example]) / "fixtures" / "__init__.py"
    if "JUDGED = [" not in fixtures.read_text(encoding="utf-8"):  # only what Python checks can be unmet
        assert {run.status for run in runs} <= {FixtureStatus.PASSED, FixtureStatus.UNMET}
        assert all(run.status is FixtureStatus.PASSED for run in runs if not run.unmet)
        return
    assert {run.status for run in runs} == {FixtureStatus.UNMET}
    assert all(run.unmet for run in runs)


@pytest.mark.slow
@pytest.mark.parametrize("example", AT_FAULT)
def test_broken_json_is_a_typed_error_wherever_a_run_is_structured(
    packages: dict[str, Path], example: str
) -> None:
    package = find_package(packages[example])
    pipeline = (package / "pipeline.py").read_text(encoding="utf-8")
    typed = "run.fill(" in pipeline or "format=" in pipeline.replace("format=HeartbeatDecision", "")
    for run in without_empty(smoke(packages[example], Behaviour.BROKEN_JSON)):
        structured = typed or run.fixture_id.startswith("heartbeat")
        assert (run.status is FixtureStatus.FAILED) is structured, run
        told = "PipelineError: no valid" in run.error or "PipelineError: no usable answer" in run.error
        assert told is structured, run.error


@pytest.mark.slow
@pytest.mark.parametrize("example", AT_FAULT)
def test_a_refusing_backend_is_a_typed_error(packages: dict[str, Path], example: str) -> None:
    runs = without_empty(smoke(packages[example], Behaviour.REFUSE))
    assert {run.status for run in runs} == {FixtureStatus.FAILED}
    assert all("BackendError: the model server answered 503" in run.error for run in runs)


@pytest.mark.parametrize("imports", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_our_own_lints_pass_and_every_target_exists_and_every_constant_names_its_lines(
    packages: dict[str, Path], imports: bool
) -> None:
    wrong = {}
    for example, out in packages.items():
        report = lint_package(out, own_modules(), import_modules=imports)
        status = {found.lint: found.status for found in report.results}
        mapping = json.loads((find_package(out) / "intermediate" / "element_mapping.json").read_bytes())
        told = (status["cross-reference"], status["provenance-complete"], report.findings)
        if told != ("passed", "passed", ()) or not report.passed or not mapping["mappings"]:
            wrong[example] = told
    assert wrong == {}


HOSTILE_MESSAGE = (
    "{{ 7 * 7 }} {% for x in range(9) %}{{ x }}{% endfor %} {{ cycler.__init__.__globals__ }} {x}"
)


@pytest.fixture
def wire() -> Iterator[FakeModelServer]:
    with FakeModelServer() as server:
        yield server


def run_command(package: Path, wire: FakeModelServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OLLAMA_HOST": wire.url, "NO_PROXY": "127.0.0.1"}
    return subprocess.run(
        [sys.executable, "-m", package.name, *arguments],
        cwd=package.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_braces_of_workspace_and_message_reach_the_model_as_typed(
    packages: dict[str, Path], tmp_path: Path, wire: FakeModelServer
) -> None:
    package = find_package(shutil.copytree(packages["hostile"], tmp_path / "out"))  # a run writes __pycache__
    for message in (HOSTILE_MESSAGE, "heartbeat"):
        done = run_command(package, wire, f"--message={message}")
        assert done.returncode == 0, done.stderr
    prompts = [call.prompt for call in wire.calls]
    assert HOSTILE_MESSAGE in prompts[0]
    written = (PROJECT / "examples" / "hostile").glob("*.md")
    lines = {
        line.lstrip("#-* ").strip()
        for path in written
        if path.name in ("SOUL.md", "HEARTBEAT.md", "AGENTS.md")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "{{" in line or "{%" in line
    }
    assert len(lines) >= 6
    everything = "\n".join(prompts)
    assert {line for line in lines if line not in everything} == set()
    evaluated = re.sub("answer-[0-9a-f]+", "", everything)  # the judge's tag is drawn
    assert "49" not in evaluated
    assert "012345678" not in evaluated


@pytest.mark.slow
def test_a_stub_that_the_user_fills_in_is_called_and_seen_on_the_wire(
    packages: dict[str, Path], tmp_path: Path, wire: FakeModelServer
) -> None:
    out = shutil.copytree(packages["ticket-triage"], tmp_path / "out")
    package = find_package(out)
    slots = package / "constrained_slots.py"
    code = slots.read_text(encoding="utf-8")
    start = code.index("def recall_memory(query: str) -> str:")
    end = code.index("    folder = ", start)
    last = "return recall(query, folder)"
    closing = code.index(last, end) + len(last)
    slots.write_text(f"{code[:end]}    return 'asked: ' + query{code[closing:]}", encoding="utf-8")
    after = melleafy("smoke", str(out), "--all", "--json", cwd=tmp_path)
    failed = [
        run["fixture_id"]
        for run in json.loads(after.stdout)["runs"]
        if run["status"] not in ("passed", "expected")
    ]
    assert failed in ([], ["memory_is_found"]), after.stderr  # that one proves the search that was replaced
    assert "recall_memory" not in notes_of(after)
    done = run_command(package, wire, "--message=Where is order 7?", "--json")
    assert "asked: Where is order 7?" in wire.calls[0].prompt
    assert "recall_memory" not in "".join(json.loads(done.stdout)["notes"])
    lints = melleafy("lint", str(out), cwd=tmp_path)
    assert lints.returncode == 0, lints.stdout


def notes_of(done: subprocess.CompletedProcess[str]) -> str:
    return "\n".join(note for run in json.loads(done.stdout)["runs"] for note in run["notes"])


ELSEWHERE = """
import sys
from pathlib import Path
from tests.e2e.test_examples import EXAMPLES, convert_each
convert_each(EXAMPLES, Path(sys.argv[1]))
"""
"""Another process: sets are in another order there, and nothing is left of earlier conversions."""


@pytest.mark.slow
def test_the_same_workspace_gives_the_same_bytes_elsewhere(packages: dict[str, Path], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "random", "PYTHONPATH": str(PROJECT)}
    subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path)],
        cwd=tmp_path,
        env=environment,
        timeout=300,
        check=True,
    )
    different = [name for name, out in packages.items() if tree(out) != tree(tmp_path / out.name)]
    assert different == []
