"""docs/dialects/agent-skills.md is complete against the dialect's tables, and every test it names exists."""

import re
from pathlib import Path

from melleafy_tui.core.dialects.agent_skills.homes import BODY, FILE_RULES
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.dialects.signals import AGENT_SKILLS_STD
from tests.rows import every_row

PROJECT = Path(__file__).resolve().parents[3]
TEXT = (PROJECT / "docs" / "dialects" / "agent-skills.md").read_text(encoding="utf-8")
NODE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows(title: str) -> list[list[str]]:
    (body,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return [
        [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
        for line in body.split("\n")
        if line.startswith("| ") and NODE.search(line)
    ]


def test_every_row_of_the_tables_is_documented_and_no_other() -> None:
    assert [row[0] for row in rows("Detection signals")] == [signal.name for signal in AGENT_SKILLS_STD]
    assert [(row[0], row[1]) for row in rows("Files")] == [
        (rule.pattern, rule.rule_id) for rule in FILE_RULES
    ]
    assert [(row[0], row[1]) for row in rows("Mapping")] == [
        (row.row_id, row.default.value) for row in mapping_rows("agent_skills")
    ]
    assert [(row[0], row[1]) for row in rows("Homes of the body")] == [
        (form, home.tag.value) for form, home in BODY.items()
    ]


@every_row(("path", "function"), sorted(set(NODE.findall(TEXT))))
def test_a_named_test_exists(path: str, function: str) -> None:
    assert f"def {function}(" in (PROJECT / path).read_text(encoding="utf-8")
