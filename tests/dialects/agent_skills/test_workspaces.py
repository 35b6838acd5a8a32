"""The skills on disk: each reads as its golden says, and every line is held.

A golden changes only by hand: `python -m tests.dialects.agent_skills.goldens [name …]`, then a person reads the difference.
"""

import pytest

from melleafy_tui.core.models.snapshot import SourceFile
from tests.dialects.agent_skills.goldens import GOLDENS, NAMES, inventory_of, render, snapshot_of


@pytest.mark.parametrize("name", NAMES)
def test_inventory_is_the_golden(name: str) -> None:
    golden = (GOLDENS / f"{name}.txt").read_text(encoding="utf-8")
    assert render(name).split("\n") == golden.split("\n"), (
        f"read the difference; where it is right: python -m tests.dialects.agent_skills.goldens {name}"
    )


def test_every_golden_has_its_workspace() -> None:
    assert {path.stem for path in GOLDENS.glob("*.txt")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_coverage_is_complete_and_lines_are_held_once(name: str) -> None:
    snapshot = snapshot_of(name)
    inventory = inventory_of(snapshot)[2]
    assert [report.path for report in inventory.coverage if report.uncovered_lines] == []
    for file in inventory.files:
        source = snapshot.file(file.path)
        if file.status != "read" or source is None:
            continue
        held = [
            number
            for element in inventory.elements
            if element.source_file == file.path and element.kind != "grant"
            for number in range(element.line_range[0], element.line_range[1] + 1)
        ]
        assert len(held) == len(set(held)), file.path
        assert _verbatim(source, name)


def _verbatim(source: SourceFile, name: str) -> bool:
    inventory = inventory_of(snapshot_of(name))[2]
    return all(
        element.content_full == source.cut(*element.line_range)
        for element in inventory.elements
        if element.source_file == source.path
    )
