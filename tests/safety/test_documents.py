"""docs/safety.md names tests that exist, and each promise of spec/safety.md has its row."""

import ast
import re

import pytest

from tests.conftest import PROJECT

TEXT = (PROJECT / "docs" / "safety.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_named_test_exists(file: str, name: str) -> None:
    module = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    found = [node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert name in {function.name for function in found}


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
