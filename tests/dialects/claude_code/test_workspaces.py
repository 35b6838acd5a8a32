"""Six Claude Code workspaces of our own: their reviewed inventories, and the packages made of them."""

import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.dispositions import cell
from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.engine import open_conversion
from tests.dialects.claude_code.goldens import GOLDENS, NAMES, copied, inventory_of, render, snapshot_of
from tests.generators.emitting import write_files

SECRETS = ("stable-4711", "beta-0815", "npm_0123456789", "pgr_live_7f3a", "under the mat")
"""Values that stand in the workspaces and must stand nowhere else."""


def conversion_of(name: str, folder: Path) -> Conversion:
    return open_conversion(copied(name, folder), as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")


@pytest.mark.parametrize("name", NAMES)
def test_inventory_is_the_reviewed_one(name: str, tmp_path: Path) -> None:
    assert render(name, tmp_path) == (GOLDENS / f"{name}.txt").read_text(encoding="utf-8"), (
        f"python -m tests.dialects.claude_code.goldens {name}, then read the difference"
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_line_belongs_to_an_element_and_every_element_has_a_fate(name: str, tmp_path: Path) -> None:
    conversion = conversion_of(name, tmp_path)
    assert [report for report in conversion.inventory.coverage if report.uncovered_lines] == []
    committed = conversion.committed
    assert len(committed.mapping.mappings) == len(committed.inventory.elements)
    for entry in committed.plan.entries:
        assert cell(entry.kind, entry.disposition).allowed, entry


@pytest.mark.parametrize("name", NAMES)
def test_package_has_no_finding_and_no_value_of_the_settings(name: str, tmp_path: Path) -> None:
    conversion = conversion_of(name, tmp_path)
    report = lint_file_set(conversion.files)
    assert report.findings == ()
    text = "\n".join(file.text for file in conversion.files.files)
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_bytes_every_time(name: str, tmp_path: Path) -> None:
    first = conversion_of(name, tmp_path / "a").files
    second = conversion_of(name, tmp_path / "b").files
    assert [(file.path, file.data) for file in first.files] == [
        (file.path, file.data) for file in second.files
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_package_is_clean_and_runs_its_fixtures_on_mellea(name: str, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    from melleafy_tui.core.models.smoke import FixtureStatus
    from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke

    folder = tmp_path / "out"
    package = write_files(conversion_of(name, tmp_path).files, folder)
    for command in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy", "--strict"]):
        done = subprocess.run(
            [sys.executable, "-m", *command, package.name],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    report = run_smoke(SmokeRequest(package))
    assert Counter(fixture.status for fixture in report.runs) == {FixtureStatus.PASSED: len(report.runs)}
    assert len(report.runs) >= 5


def test_snapshot_id_is_that_of_the_same_bytes(tmp_path: Path) -> None:
    one, two = (snapshot_of(copied("monorepo", tmp_path / part)) for part in "ab")
    assert one.snapshot_id == two.snapshot_id
    assert inventory_of(one)[2].elements == inventory_of(two)[2].elements


def test_what_is_not_reproduced_is_said_once(tmp_path: Path) -> None:
    conversion = conversion_of("permissions", tmp_path)
    report = conversion.files.by_path["permissions_mellea/mapping_report.md"].data.decode()
    section = report.partition("## 8. ")[2].partition("## 9. ")[0]
    assert "- **model**: opus (`.claude/settings.json:26`)." in section
    assert section.count("model: opus") == 0
