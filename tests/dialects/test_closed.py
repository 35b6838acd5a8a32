"""Dialects are closed: no module outside of them, but those about OpenClaw itself, knows one of their rows."""

import ast
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Runtime
from tests.conftest import PROJECT

OF_OPENCLAW: Final = ("context", "export", "history", "materialize", "openclaw")
"""Folders of the core about what stands around OpenClaw; they know its tables by their nature."""


ALLOWED_HEADS: Final = frozenset({"tools."})
"""The module of a package, `tools.`, begins like rows about tools."""


def row_ids() -> frozenset[str]:
    """Return the ids of all mapping rows and file rules of the built-in dialects, the generic one included."""
    known = Dialects.default()
    dialects = [known.get(runtime) for runtime in (*Runtime, UNKNOWN_RUNTIME)]
    rows = (row.row_id for dialect in dialects for row in dialect.mapping_rows)
    return frozenset((*rows, *(rule.rule_id for dialect in dialects for rule in dialect.file_rules)))


def modules() -> list[Path]:
    """Return every module of the product that is to know no row."""
    core = PROJECT / "melleafy_tui" / "core"
    exempt = (core / "dialects", *(core / folder for folder in OF_OPENCLAW))
    folders = (PROJECT / "melleafy_tui", PROJECT / "generators", PROJECT / "screens")
    found = {path.resolve() for folder in folders for path in folder.rglob("*.py")}
    return sorted(path for path in found if not any(path.is_relative_to(folder) for folder in exempt))


def rows_named_in(source: str, ids: frozenset[str]) -> list[str]:
    """Return the row ids that stand in a module as strings, whole or as the beginning of several."""
    strings = {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    heads = {row[: place + 1] for row in ids for place, letter in enumerate(row) if letter == "."}
    return sorted(strings & (ids | heads - ALLOWED_HEADS))


def test_no_module_outside_the_dialects_names_a_row() -> None:
    ids = row_ids()
    assert len(ids) > 100
    named = {
        str(path.relative_to(PROJECT)): found
        for path in modules()
        if (found := rows_named_in(path.read_text(encoding="utf-8"), ids))
    }
    assert named == {}


@pytest.mark.parametrize("planted", ['ROW = "user.stable"', 'x.startswith("skill.")', 'IDS = ("wiki.file",)'])
def test_a_planted_row_is_found(planted: str) -> None:
    assert rows_named_in(planted, row_ids())
