"""A re-run over a package with the user's edits: they are kept, and a package that they break is not called good."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from tests.conftest import PROJECT

NAME = "ticket_triage_mellea"
Convert = Callable[[], tuple[int, str]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    place = tmp_path / "ticket-triage"
    shutil.copytree(PROJECT / "examples/ticket-triage", place)
    return place


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return tmp_path / "out" / NAME


@pytest.fixture
def convert(capsys: pytest.CaptureFixture[str], workspace: Path, package: Path) -> Convert:
    def call() -> tuple[int, str]:
        capsys.readouterr()
        options = ("--dependencies=auto", "--out", str(package.parent), "--as-of", "2026-11-01")
        code = main([str(workspace), *options])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


@pytest.mark.slow
def test_an_edited_static_module_is_kept_until_a_release_has_another_text(
    convert: Convert, package: Path
) -> None:
    assert convert()[0] == 0
    checks = package / "_runtime/checks.py"
    mine = checks.read_text() + "\nMINE = 1\n"
    checks.write_text(mine)
    assert convert()[0] == 0
    assert checks.read_text() == mine
    assert f"{NAME}/_runtime/checks.py" not in json.loads(
        (package / "intermediate/emitted_texts.json").read_text()
    )

    record = package / "intermediate/emitted.json"
    recorded = json.loads(record.read_text())
    recorded["files"][f"{NAME}/_runtime/checks.py"] = "0" * 64
    record.write_text(json.dumps(recorded))
    assert (convert()[0], checks.read_text()) == (14, mine)
    assert (package / "_runtime/checks.py.new").is_file()


def test_modules_of_the_root_move_and_what_imports_them_is_told(convert: Convert, package: Path) -> None:
    assert convert()[0] == 0
    record = package / "intermediate/emitted.json"
    recorded = record.read_text()
    for module in (package / "_runtime").glob("[!_]*.py"):  # as packages were before they had the folder
        module.rename(package / module.name)
        recorded = recorded.replace(f"{NAME}/_runtime/{module.name}", f"{NAME}/{module.name}")
    shutil.rmtree(package / "_runtime")
    mine = (package / "checks.py").read_text() + "\nMINE = 1\n"
    slots = (package / "constrained_slots.py").read_text() + "\nfrom .runtime import listed as listed\n"
    (package / "checks.py").write_text(mine)
    (package / "constrained_slots.py").write_text(slots)
    record.write_text(recorded.replace(f'    "{NAME}/_runtime/__init__.py"', f'    "{NAME}/gone.py"'))
    code, told = convert()
    assert (code, (package / "checks.py").read_text()) == (11, mine)
    assert (package / "constrained_slots.py").read_text() == slots
    assert not (package / "runtime.py").exists()
    assert f"it stays as it is; the package reads {NAME}/_runtime/checks.py instead" in told
    assert f"removed: the package reads {NAME}/_runtime/runtime.py instead" in told
    assert "the package has no module runtime It has moved: import from _runtime." in told


def test_a_merge_that_breaks_the_package_is_not_called_a_success(
    convert: Convert, workspace: Path, package: Path
) -> None:
    assert convert()[0] == 0
    config = package / "config.py"
    config.write_text(config.read_text() + "SIGNED = AGENT_NAMES\n")
    soul = workspace / "AGENTS.md"
    soul.write_text(soul.read_text().replace("120 words", "130 words"))
    identity = workspace / "IDENTITY.md"
    identity.write_text(identity.read_text().replace("First-line", "Second-line"))
    code, told = convert()
    assert code == 11
    assert "With your edits, the package" in told
