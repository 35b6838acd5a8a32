"""The dialect of docs/dialects/writing-one.md, installed as a distribution: no line of this project knows its name."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.engine import open_conversion
from melleafy_tui.wizard.app import WizardApp
from tests.conftest import PROJECT
from tests.dialects.outside.distribution import example, install, lantern_workspace
from tests.ui.conftest import keys, open_session, rendered


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = install(tmp_path / "site", "lantern-dialect", *example())
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    yield folder
    sys.modules.pop("lantern_dialect", None)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return lantern_workspace(tmp_path / "night-watch")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Carry out a command and return the JSON that it printed."""
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_no_file_of_the_project_names_it() -> None:
    sources = [
        *PROJECT.glob("melleafy_tui/**/*.py"),
        *PROJECT.glob("screens/*.py"),
        *PROJECT.glob("generators/**/*"),
    ]
    named = [path for path in sources if path.is_file() and b"lantern" in path.read_bytes().lower()]
    assert named == []


def test_without_the_distribution_the_source_is_of_no_known_runtime(workspace: Path) -> None:
    conversion = open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.classification.source_runtime == "unknown"


def test_detection_finds_it_on_the_command_line(
    site: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = printed(capsys, "detect", str(workspace))
    classification = found.get("classification", found)
    assert classification["source_runtime"] == "lantern"
    assert classification["modality"] == "event_triggered"


def test_inventory_and_plan_follow_its_tables(
    site: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inventory = printed(capsys, "inventory", str(workspace))
    rows = [element["mapping_row"] for element in inventory["elements"] if element["mapping_row"]]
    assert rows == ["lantern.voice", "lantern.rule", "lantern.rule", "lantern.rule", "lantern.command"]
    assert all(not file["uncovered_lines"] for file in inventory["coverage"])
    plan = printed(capsys, "plan", str(workspace))
    assert [(entry["disposition"], entry["target"]) for entry in plan["entries"][:5]] == [
        ("bundle", "config.py:PREFIX_TEXT"),
        *[("bundle", "requirements.py:OPERATING_REQUIREMENTS")] * 3,
        ("stub", "constrained_slots.py:read_tide_table"),
    ]


def package(workspace: Path) -> FileSet:
    conversion = open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.passed
    return conversion.files


def test_the_package_passes_its_lints_and_calls_the_runtime_by_its_title(site: Path, workspace: Path) -> None:
    files = package(workspace)
    texts = {
        file.path.partition("/")[2]: file.data.decode() for file in files.files if file.path.count("/") == 1
    }
    assert "a workspace of Lantern" in texts["__init__.py"]
    assert "Lantern workspace" in texts["mapping_report.md"]
    assert "I speak softly" in texts["config.py"]
    assert "def read_tide_table" in texts["constrained_slots.py"]
    assert not [
        name for name, text in texts.items() if "OpenClaw" in text and name in ("README.md", "SETUP.md")
    ]


@pytest.mark.slow
def test_writing_gives_the_package_that_the_conversion_shows(
    site: Path, workspace: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-m", "melleafy_tui", workspace, "--dependencies=auto", "--out", out],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{site}:{PROJECT}", "HOME": str(site), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    manifest = json.loads(next(out.glob("*/melleafy.json")).read_text(encoding="utf-8"))
    assert manifest["source_runtime"] == "lantern"


@pytest.mark.slow
async def test_the_wizard_shows_and_overrides_it(site: Path, workspace: Path) -> None:
    session = open_session(workspace)
    app = WizardApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        await rendered(pilot)
        assert session.conversion.classification.source_runtime == "lantern"
        await keys(pilot, "3")
        await rendered(pilot)
        await keys(pilot, "G", "up", "up", "m")
        await rendered(pilot)
        (overridden,) = [entry for entry in session.conversion.plan.entries if entry.overridden]
    assert overridden.key.startswith("LANTERN.md#")
    assert overridden.disposition is Disposition.MOCK


def test_the_registry_knows_it(site: Path) -> None:
    dialects = Dialects.default()
    assert dialects.has("lantern")
    assert dialects.known_runtimes[-1] == "lantern"
    assert dialects.problems == ()
