"""docs/evidence/safety.md names tests that exist, and each promise of spec/safety.md has its row."""

import re

from tests.conftest import PROJECT

TEXT = (PROJECT / "docs" / "evidence" / "safety.md").read_text(encoding="utf-8")


def test_each_named_test_exists() -> None:
    named = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))
    assert named
    texts = {file: (PROJECT / file).read_text(encoding="utf-8") for file, _ in named}
    gone = [
        (file, name)
        for file, name in named
        if not re.search(rf"^(async )?def {name}\(", texts[file], re.MULTILINE)
    ]
    assert gone == []


def test_every_row_of_the_tables_names_a_test() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("|") and not set(line) <= set("|- ")]
    heads = ("| promise |", "| fault |", "| what |")
    assert [
        row
        for row in rows
        if "tests/" not in row
        and "benchmarks" not in row
        and "xargs" not in row
        and not row.startswith(heads)
    ] == []
