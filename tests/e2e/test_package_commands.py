"""Every command that SETUP.md and README.md of a package give is run as it stands, against the stand-in model server.

Only what needs the network is changed or left out: pip takes the libraries that are here, and no model is pulled.
"""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from tests.e2e.test_examples import convert

pytestmark = pytest.mark.slow

EXAMPLES = (
    "ticket-triage",
    "invoice-intake",
    # These say the same commands, with fewer variables and schedules.
    *(pytest.param(name, marks=pytest.mark.long) for name in ("persona-only", "tool-heavy", "release-desk")),
)
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
CRON = re.compile(r"^\S+ \S+ \S+ \S+ \S+ cd /path/to/this/folder && (?P<command>.+)$", re.MULTILINE)
LIBRARIES = sysconfig.get_path("purelib")
ROOT = Path(__file__).resolve().parents[2]

BORROWING = (
    f'"{sys.executable}" -m venv .venv && '
    f'echo "{LIBRARIES}" > "$(echo .venv/lib/python*/site-packages)/borrowed.pth" && '
    # An old one comes with Python 3.11 and would stand before the borrowed one; without `wheel` it builds nothing.
    ".venv/bin/python -m pip uninstall --quiet --yes setuptools"
)
"""Makes an environment that has the libraries of this one."""

OFFLINE = (
    ("python3 -m venv .venv", BORROWING),
    ("pip install -e .", "pip install --quiet --no-deps --no-build-isolation --no-index -e ."),
    ("melleafy-tui ", f'PYTHONPATH="{ROOT}" "{sys.executable}" -m melleafy_tui '),
)
"""Commands as the documents give them, and what stands for them without a network."""


@dataclass(frozen=True)
class Project:
    """An emitted project with its environment, and what its documents say to run."""

    folder: Path

    @property
    def package(self) -> Path:
        return find_package(self.folder)

    def blocks(self, language: str) -> list[str]:
        texts = [
            (self.package / name).read_text(encoding="utf-8")
            for name in ("SETUP.md", "README.md")
            if (self.package / name).is_file()
        ]
        return [
            found["body"] for text in texts for found in FENCE.finditer(text) if found["language"] == language
        ]

    def shell(self, script: str, server: FakeModelServer) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "OLLAMA_HOST": server.url, "NO_PROXY": "127.0.0.1"}
        return subprocess.run(
            ["bash", "-eu", "-c", script],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def offline(script: str) -> str:
    lines = [line for line in script.splitlines() if not line.startswith("ollama pull")]
    text = "\n".join(lines)
    for written, stands_for in OFFLINE:
        text = text.replace(written, stands_for)
    return text


@pytest.fixture(scope="module")
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as started:
        yield started


@pytest.fixture(scope="module", params=EXAMPLES)
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: FakeModelServer
) -> Project:
    """Return a project installed the way its SETUP.md, or else its README.md, says."""
    made = Project(convert(request.param, tmp_path_factory.mktemp("commands")))
    (install, *_) = (block for block in made.blocks("bash") if "pip install" in block)
    if "venv" not in install:
        install = f"python3 -m venv .venv\n. .venv/bin/activate\n{install}"
    done = made.shell(offline(install), server)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_each_shell_command_runs(project: Project, server: FakeModelServer) -> None:
    blocks = project.blocks("bash")
    assert blocks
    for block in blocks:
        before = "" if "venv" in block else ". .venv/bin/activate\n"
        done = project.shell(before + offline(block), server)
        # A fixture holds its expectation only with the answers of its script, which `smoke` plays.
        allowed = (0, 1) if "--fixture" in block else (0,)
        assert done.returncode in allowed, block + done.stdout + done.stderr


def test_each_python_example_runs(project: Project, server: FakeModelServer) -> None:
    for number, block in enumerate(project.blocks("python")):
        program = project.folder / f"example_{number}.py"
        program.write_text(block, encoding="utf-8")
        done = project.shell(f". .venv/bin/activate\npython {program.name}", server)
        program.unlink()
        assert done.returncode == 0, block + done.stderr
        if "print(reply" in block:
            assert "Understood" in done.stdout


def test_each_line_for_cron_runs(project: Project, server: FakeModelServer) -> None:
    commands = [found["command"] for block in project.blocks("text") for found in CRON.finditer(block)]
    if not commands:
        pytest.skip("the package has no schedule")
    for command in commands:
        done = project.shell(command, server)
        assert done.returncode == 0, command + done.stderr
        assert '"skipped"' in done.stdout


def test_fixtures_run_with_the_package_as_a_module(project: Project, server: FakeModelServer) -> None:
    done = project.shell(f".venv/bin/python -m {project.package.name} --message Hello --json", server)
    assert done.returncode == 0, done.stderr
    assert '"text"' in done.stdout


def test_the_environment_example_is_read_by_a_shell(project: Project, server: FakeModelServer) -> None:
    if not (project.folder / ".env.example").is_file():
        pytest.skip("the package reads no variables")
    done = project.shell("set -a; . ./.env.example; set +a; env", server)
    assert done.returncode == 0, done.stderr
    named = re.findall(r"^([A-Z_]+)=", (project.folder / ".env.example").read_text(), re.MULTILINE)
    assert named
    assert all(f"\n{name}=" in f"\n{done.stdout}" for name in named)
