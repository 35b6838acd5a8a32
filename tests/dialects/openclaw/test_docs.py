"""docs/dialects/openclaw.md is complete against the dialect's tables, and every test and golden it names exists."""

import re
from pathlib import Path

from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES, SIGNALS
from melleafy_tui.core.dialects.row_tables import mapping_rows
from tests.dialects.openclaw.goldens import NAMES
from tests.rows import every_row

PROJECT = Path(__file__).resolve().parents[3]
TEXT = (PROJECT / "docs" / "dialects" / "openclaw.md").read_text(encoding="utf-8")
NODE = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+)(?:\[([^`]+)\])?)?`")


def rows(title: str) -> list[list[str]]:
    """The cells of the tables under a heading that starts so."""
    (body,) = re.findall(rf"^## {title}[^\n]*\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    lines = [line for line in body.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def first_cells(title: str) -> set[str]:
    return {row[0].strip("`") for row in rows(title)}


def test_every_signal_has_a_row() -> None:
    named = [
        row[0].strip("`") for row in rows("Detection signals") if row[0].startswith("`") and len(row) == 3
    ]
    assert named == [signal.name for signal in SIGNALS]


def test_every_file_rule_has_a_row() -> None:
    named = [
        (row[0].strip("`"), row[1].strip("`")) for row in rows("Files") if row[1].startswith("`openclaw.")
    ]
    assert named == [(rule.pattern, rule.rule_id) for rule in FILE_RULES]


def test_every_mapping_row_has_a_row() -> None:
    found = [(row[0].strip("`"), row[1]) for row in rows("Mapping") if row[0].startswith("`")]
    assert found == [(row.row_id, row.default.value) for row in mapping_rows("openclaw")]


def test_every_modality_and_quirk_has_a_row() -> None:
    assert {"heartbeat", "event_triggered", "scheduled", "synchronous_oneshot"} <= {
        row[1] for row in rows("Trigger")
    }
    assert {f"6{letter}" for letter in "abcdef"} <= first_cells("Quirks")


def test_no_row_is_without_a_test() -> None:
    titles = ("Detection signals", "Files", "Mapping", "Trigger", "Quirks", "The report")
    table = [row for title in titles for row in rows(title)]
    bare = [row for row in table if "proven by" not in row and not any(NODE.search(cell) for cell in row)]
    assert bare == []


@every_row(("path", "function", "parameter"), sorted(set(NODE.findall(TEXT))))
def test_a_named_test_exists(path: str, function: str, parameter: str) -> None:
    text = (PROJECT / path).read_text(encoding="utf-8")
    assert not function or f"def {function}(" in text
    assert not parameter or f'"{parameter}"' in text


def test_every_named_golden_exists() -> None:
    named = {
        name.strip()
        for title in ("Files", "Quirks")
        for row in rows(title)
        for name in (row[-1].split(",") if len(row) > 2 else [])
        if row[-1] not in ("", "golden", "all")
    }
    missing = {name for name in named if name not in NAMES and not name.endswith("*")}
    assert missing == set()
