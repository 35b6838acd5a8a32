"""The skills on disk: each reads as its golden says, and every line is held.

A golden changes only by hand: `python -m tests.dialects.agent_skills.goldens [name …]`, then a person reads the difference.
"""

from tests.dialects.agent_skills.goldens import GOLDENS, NAMES, reading_of, render
from tests.dialects.readings import differences
from tests.rows import every_row


def test_inventory_is_the_golden() -> None:
    """Read the differences; where they are right: `python -m tests.dialects.agent_skills.goldens [name …]`."""
    assert differences(GOLDENS, NAMES, render) == ""


def test_every_golden_has_its_workspace() -> None:
    assert {path.stem for path in GOLDENS.glob("*.txt")} == set(NAMES)


@every_row("name", NAMES)
def test_coverage_is_complete_and_lines_are_held_once(name: str) -> None:
    reading = reading_of(name)
    snapshot, inventory = reading.snapshot, reading.inventory
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
        assert all(
            element.content_full == source.cut(*element.line_range)
            for element in inventory.elements
            if element.source_file == source.path
        )
