"""docs/dialects/claude-code.md is complete against the dialect's tables, and every test and golden it names exists."""

import re
from pathlib import Path

from melleafy_tui.core.dialects.claude_code.file_rules import FILE_RULES
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.dialects.signals import CLAUDE_CODE
from tests.dialects.claude_code.goldens import NAMES
from tests.rows import every_row

PROJECT = Path(__file__).resolve().parents[3]
TEXT = (PROJECT / "docs" / "dialects" / "claude-code.md").read_text(encoding="utf-8")
NODE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
TITLES = ("Detection signals", "Files", "Mapping", "Frontmatter", "Trigger", "The package")


def rows(title: str) -> list[list[str]]:
    """The cells of the tables under a heading that starts so."""
    (body,) = re.findall(rf"^## {title}[^\n]*\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    lines = [line for line in body.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_signal_has_a_row() -> None:
    named = [
        row[0].strip("`") for row in rows("Detection signals") if row[0].startswith("`") and len(row) == 3
    ]
    assert named == [signal.name for signal in CLAUDE_CODE]


def test_every_file_rule_has_a_row() -> None:
    named = [(row[0].strip("`"), row[1].strip("`")) for row in rows("Files") if row[1].startswith("`claude.")]
    assert named == [(rule.pattern, rule.rule_id) for rule in FILE_RULES]


def test_every_mapping_row_has_a_row() -> None:
    found = [(row[0].strip("`"), row[1]) for row in rows("Mapping") if row[0].startswith("`")]
    assert found == [(row.row_id, row.default.value) for row in mapping_rows("claude_code")]


def test_every_modality_has_a_row() -> None:
    assert {"event_triggered", "scheduled", "review_gated", "synchronous_oneshot"} <= {
        row[1] for row in rows("Trigger")
    }


@every_row(
    "field",
    [
        "disable-model-invocation",
        "user-invocable",
        "context",
        "agent",
        "hooks",
        "paths",
        "shell",
        "argument-hint",
        "arguments",
        "model",
        "effort",
    ],
)
def test_every_frontmatter_field_has_a_row(field: str) -> None:
    assert any(f"`{field}`" in row[0] for row in rows("Frontmatter"))


def test_no_row_is_without_a_test() -> None:
    table = [row for title in TITLES for row in rows(title)]
    assert [
        row for row in table if "proven by" not in row and not any(NODE.search(cell) for cell in row)
    ] == []


@every_row(("path", "function"), sorted(set(NODE.findall(TEXT))))
def test_a_named_test_exists(path: str, function: str) -> None:
    assert f"def {function}(" in (PROJECT / path).read_text(encoding="utf-8")


def test_every_named_golden_exists() -> None:
    named = {row[-1] for title in ("Files", "Mapping") for row in rows(title)} - {"", "golden", "proven by"}
    assert named <= set(NAMES)
