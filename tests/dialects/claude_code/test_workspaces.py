"""Six Claude Code workspaces of our own: their reviewed inventories, and the packages made of them."""

import shutil
from pathlib import Path

import pytest

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.engine import open_conversion
from tests.converted import DAY, conversion_of, repository_of
from tests.dialects.claude_code.goldens import GOLDENS, NAMED, NAMES, WORKSPACES, render, root_of
from tests.dialects.judges import complaints
from tests.dialects.readings import differences
from tests.generators.emitting import write_files
from tests.rows import every_row

SECRETS = ("stable-4711", "beta-0815", "npm_0123456789", "pgr_live_7f3a", "under the mat")
"""Values that stand in the workspaces and must stand nowhere else."""


def converted(name: str) -> Conversion:
    return conversion_of(root_of(name))


def test_inventory_is_the_reviewed_one() -> None:
    """Read the differences; where they are right: `python -m tests.dialects.claude_code.goldens [name …]`."""
    assert differences(GOLDENS, NAMES, render) == ""


@every_row("name", NAMES)
def test_every_line_belongs_to_an_element_and_every_element_has_a_fate(name: str) -> None:
    conversion = converted(name)
    assert [report for report in conversion.inventory.coverage if report.uncovered_lines] == []
    committed = conversion.committed
    assert len(committed.mapping.mappings) == len(committed.inventory.elements)
    for entry in committed.plan.entries:
        assert cell(entry.kind, entry.disposition).allowed, entry


@every_row("name", NAMES)
def test_package_has_no_finding_and_no_value_of_the_settings(name: str) -> None:
    conversion = converted(name)
    report = lint_file_set(conversion.files)
    assert report.findings == ()
    text = "\n".join(file.text for file in conversion.files.files)
    assert [secret for secret in SECRETS if secret in text] == []


@every_row("name", NAMES)
def test_the_same_bytes_every_time(name: str, tmp_path: Path) -> None:
    first = converted(name).files
    shutil.copytree(repository_of(WORKSPACES / name), tmp_path / name)
    second = open_conversion(
        tmp_path / name / NAMED.get(name, ""), as_of=DAY, generated_at=f"{DAY.isoformat()}T00:00:00Z"
    )
    assert first == second.files


@pytest.mark.slow
def test_packages_are_clean_code(tmp_path: Path) -> None:
    assert complaints([converted(name).files for name in NAMES], tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_package_runs_its_fixtures_on_mellea(name: str, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    report = run_smoke(SmokeRequest(write_files(converted(name).files, tmp_path)))
    assert {fixture.status for fixture in report.runs} <= {FixtureStatus.PASSED, FixtureStatus.EXPECTED}
    assert len(report.runs) >= 5


def test_what_is_not_reproduced_is_said_once() -> None:
    conversion = converted("permissions")
    report = conversion.files.by_path["permissions_mellea/mapping_report.md"].data.decode()
    section = report.partition("## 8. ")[2].partition("## 9. ")[0]
    assert "- **model**: opus (`.claude/settings.json:26`)." in section
    assert section.count("model: opus") == 0
