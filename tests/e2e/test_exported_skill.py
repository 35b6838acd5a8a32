"""The skill of an exported workspace: what it tells the agent to run is run, on real Mellea against the stand-in."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.cli.main import main
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from tests.e2e.test_examples import convert
from tests.e2e.test_package_commands import BORROWING

pytestmark = pytest.mark.slow

HOSTILE = "$(touch owned) `touch owned` \"; touch owned; ' {{ 7 * 7 }} \x1b[31m\n--help\n"
"""A message that would do something if it were ever part of the command line."""


def _environment(server: FakeModelServer, folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "OLLAMA_HOST": server.url,
        "NO_PROXY": "127.0.0.1",
    }


def _shell(command: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-eu", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "example",
    # The other one has no flags; the rest is the same.
    ["ticket-triage", pytest.param("release-desk", marks=pytest.mark.long)],
)
def test_each_command_of_the_skill_runs(example: str, tmp_path: Path) -> None:
    out = convert(example, tmp_path)
    workspace = tmp_path / "again"
    assert main(["export", "--host=openclaw", str(out), str(workspace)]) == 0
    [skill] = [path for path in workspace.glob("skills/*/SKILL.md") if "mellea" in path.parent.name]
    text = skill.read_text("utf-8")
    install, command = re.findall(r"`(python3 -m [^`]+)`", text)
    flags = re.findall(r"^\| `(--[a-z-]+)` \| its default \|$", text, re.MULTILINE)
    assert bool(flags) == (example == "ticket-triage")
    with FakeModelServer() as server:
        environment = _environment(server, tmp_path)
        made = _shell(BORROWING, tmp_path, environment)
        assert made.returncode == 0, made.stderr
        done = _shell(
            install.replace(" .", " --quiet --no-deps --no-build-isolation --no-index ."), out, environment
        )
        assert done.returncode == 0, done.stderr

        for message in ("Where does ticket 7 stand?\n", HOSTILE):
            (workspace / "message.txt").write_text(message, "utf-8")
            done = _shell(command, workspace, environment)
            assert done.returncode == 0, done.stderr
            reply = json.loads(done.stdout)
            assert {"text", "unmet", "notes"} <= set(reply)
            assert reply["text"]
            assert not (workspace / "owned").exists()
            assert message.split("\n")[0].strip() in "".join(call.prompt for call in server.calls)

        for flag in flags:
            done = _shell(f"{command} {flag} 'as given'", workspace, environment)
            assert done.returncode == 0, flag + done.stderr

    with FakeModelServer(Behaviour.REFUSE) as refusing:
        done = _shell(command, workspace, _environment(refusing, tmp_path))
        assert done.returncode != 0
        assert not done.stdout
        assert done.stderr
