"""What holds for every dialect whose sources are steps: crews and graphs of our own."""

from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from tests.conftest import PROJECT
from tests.converted import conversion_of
from tests.generators.emitting import write_files

DIALECTS: Final = Path(__file__).parent
SOURCES: Final = [
    pytest.param(folder, id=f"{dialect}-{folder.name}")
    for dialect in ("crewai", "langgraph")
    for folder in sorted((DIALECTS / dialect / "workspaces").iterdir())
]


@pytest.mark.parametrize("source", SOURCES)
def test_all_lines_belong_to_an_element_and_no_lint_fails(source: Path) -> None:
    conversion = conversion_of(source)
    assert all(not file.uncovered_lines for file in conversion.inventory.coverage)
    assert [finding for result in conversion.lints.results for finding in result.findings] == []


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_the_fixtures_hold_on_mellea(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    package = write_files(conversion_of(source).rendered, tmp_path)
    report = run_smoke(SmokeRequest(package))
    assert report.passed, report.runs


@pytest.mark.parametrize(
    "source",
    [
        PROJECT / "examples" / "invoice-intake",
        DIALECTS / "crewai" / "workspaces" / "launch",
        DIALECTS / "langgraph" / "workspaces" / "triage",
    ],
    ids=["skill", "crew", "graph"],
)
def test_each_way_of_a_package_of_steps_is_clean_or_refused(source: Path) -> None:
    """A disposition that steps can't carry out made a plan whose targets nothing emits, which ended in a lint."""
    conversion = conversion_of(source)
    refused = 0
    for entry in {(each.kind, each.subtype): each for each in conversion.plan.entries}.values():
        for disposition in allowed_for(entry.kind):
            tried = conversion.copy()
            try:
                tried.act(SetDisposition((entry.key,), disposition, "a try"))
            except DecisionsRefused:
                refused += 1
                continue
            found = [each for result in tried.lints.results for each in result.findings]
            assert found == [], (entry.kind, disposition)
    assert refused
