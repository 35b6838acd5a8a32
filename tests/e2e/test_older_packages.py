"""A re-run over a package of the older shape: the user's edits are kept, and one sentence says what moved."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.output.emitted import with_reports
from melleafy_tui.core.output.plan import plan_write
from melleafy_tui.core.output.writer import write
from tests.conftest import PROJECT

WORKSPACE = PROJECT / "examples/ticket-triage"
NAME = "ticket_triage_mellea"
SLOTS = '''"""Functions that the host provides."""


def recall_memory(query: str) -> str:
    """Return what long-term memory holds about the query."""
    raise NotImplementedError("recall_memory: see SETUP.md")
'''
PARSER = '''"""Command line of the agent."""

import argparse


def main() -> int:
    """Run the agent."""
    parser = argparse.ArgumentParser("ticket-triage")
    parser.add_argument("--message")
    parser.parse_args()
    return 0
'''
FIXTURE = '"""A sample input."""\n\n\ndef heartbeat() -> tuple[dict[str, str], str, str]:\n    return {}, "a", "b"\n'
LOADER = '"""Reads the texts beside the code."""\n\nMEMORY_FILES = ("notes.md",)\n'
OLDER = {
    "melleafy.json": '{\n  "melleafy_tui_version": "0.2.0"\n}\n',
    "constrained_slots.py": SLOTS,
    "main.py": PARSER,
    "memory_store.py": LOADER,
    "permissions.py": LOADER,
    "loader.py": LOADER,
    "slots.py": LOADER,
    "fixtures/__init__.py": '"""Sample inputs."""\n\nfrom .heartbeat import heartbeat\n',
    "fixtures/heartbeat.py": FIXTURE,
    "fixtures/introduction.py": FIXTURE,
}
"""The modules of a package before there were static ones, shortened to what a merge sees."""

EDITS = {
    "constrained_slots.py": SLOTS.replace(
        'raise NotImplementedError("recall_memory: see SETUP.md")', 'return "mine"'
    ),
    "main.py": PARSER.replace('"--message"', '"--message", "--text"'),
    "memory_store.py": LOADER + "MINE = 1\n",
    "slots.py": LOADER + "MINE = 1\n",
    "fixtures/heartbeat.py": FIXTURE + "MINE = 1\n",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def call(*words: object) -> tuple[int, str]:
        capsys.readouterr()
        code = main([*map(str, words), "--as-of", "2026-11-01"])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


@pytest.mark.slow
def test_edits_of_an_older_package_are_kept_and_told(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    workspace, out = tmp_path / "ticket-triage", tmp_path / "out"
    shutil.copytree(WORKSPACE, workspace)
    texts = tuple(EmittedFile(f"{NAME}/{path}", text.encode()) for path, text in sorted(OLDER.items()))
    write(plan_write(with_reports(FileSet(texts, NAME), LintReport(results=())), out))
    package = out / NAME
    for path, text in EDITS.items():
        (package / path).write_text(text)

    code, told = run("check", workspace, "--out", out)
    assert code == 15
    assert "was made by an older release" in told
    code, told = run("check", workspace, "--out", out, "--json")
    assert json.loads(told.partition("\nerror")[0])["older_release"] is True

    code, told = run(workspace, "--dependencies=auto", "--out", out)
    assert code == 14
    assert {path: (package / path).read_text() for path in EDITS} == EDITS
    rows = {
        path: next(row for row in told.splitlines() if f" {NAME}/{path} " in row) for path in sorted(EDITS)
    }
    assert "this release has the options of the command line in command_line.py" in rows["main.py"]
    assert "a default search of the memory files in memory_store.py" in rows["constrained_slots.py"]
    assert "it is now the same in every package" in rows["memory_store.py"]
    assert "the sample inputs are now data in fixtures/__init__.py" in rows["fixtures/heartbeat.py"]
    assert "it is no longer emitted; it stays as it is" in rows["slots.py"]
    for path in ("main.py", "constrained_slots.py", "memory_store.py"):
        assert (package / f"{path}.new").is_file()
    gone = ("permissions.py", "loader.py", "fixtures/introduction.py")
    assert not [path for path in gone if (package / path).exists()]

    code, told = run(workspace, "--dependencies=auto", "--out", out, "--force")
    assert code == 0
    backup = out / ".melleafy-backup" / NAME
    for path in ("main.py", "constrained_slots.py", "memory_store.py"):
        assert "run_command" in (package / "main.py").read_text()
        assert EDITS[path] in [kept.read_text() for kept in backup.parent.rglob(Path(path).name)], path

    # A static module is kept like any other file with edits, and isn't in the merge base.
    checks = package / "checks.py"
    mine = checks.read_text() + "\nMINE = 1\n"
    checks.write_text(mine)
    code, told = run(workspace, "--dependencies=auto", "--out", out)
    assert (code, checks.read_text()) == (0, mine)
    assert "older release" not in told
    assert f"{NAME}/checks.py" not in json.loads((package / "intermediate/emitted_texts.json").read_text())
    assert run("check", workspace, "--out", out)[0] == 0

    # A later release has another text of it: the user's stays, the new one is written beside it.
    record = package / "intermediate/emitted.json"
    recorded = json.loads(record.read_text())
    recorded["files"][f"{NAME}/checks.py"] = "0" * 64
    record.write_text(json.dumps(recorded))
    code, told = run(workspace, "--dependencies=auto", "--out", out)
    assert (code, checks.read_text()) == (14, mine)
    assert (package / "checks.py.new").is_file()


def test_a_merge_that_breaks_the_package_is_not_called_a_success(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    workspace, out = tmp_path / "ticket-triage", tmp_path / "out"
    shutil.copytree(WORKSPACE, workspace)
    assert run(workspace, "--dependencies=auto", "--out", out)[0] == 0
    config = out / NAME / "config.py"
    config.write_text(config.read_text() + "SIGNED = AGENT_NAMES\n")
    soul = workspace / "AGENTS.md"
    soul.write_text(soul.read_text().replace("120 words", "130 words"))
    identity = workspace / "IDENTITY.md"
    identity.write_text(identity.read_text().replace("First-line", "Second-line"))
    code, told = run(workspace, "--dependencies=auto", "--out", out)
    assert code == 11
    assert "With your edits, the package" in told
