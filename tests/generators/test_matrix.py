"""The disposition matrix cell by cell: what changes in the emitted code against the entry's default (spec/package.md 4).

The differences are kept under snapshots/emitted/matrix, one file a cell. Write them anew with UPDATE_GOLDEN=1.
"""

import difflib
import os
from pathlib import Path

import pytest

from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.generators.render import render_package
from tests.generators.variants import CELLS, PIECES, plan_with

GOLDEN = Path(__file__).resolve().parents[2] / "snapshots" / "emitted" / "matrix"
COMPARED = (
    "config.py",
    "schemas.py",
    "pipeline.py",
    "main.py",
    "slots.py",
    "mobjects.py",
    "constrained_slots.py",
    "tools.py",
    "loader.py",
    "fixtures/mock_tools.py",
)
"""The code that the generators of Python emit; requirements, fixtures and documents have tests of their own."""

CHANGE_NO_CODE = (
    ("rule", Disposition.DELEGATE_TO_RUNTIME),
    ("rule", Disposition.REMOVE),
    ("schedule", Disposition.BUNDLE),
)
"""Cells whose effect is in requirements.py or in the documents alone."""

OTHER_CELLS = [
    (name, disposition) for name, disposition in CELLS if PIECES[name].disposition is not disposition
]


def compared(files: FileSet) -> dict[str, list[str]]:
    """Return the compared files by their path in the package, as lines."""
    prefix = f"{files.package_name}/"
    texts = {file.path.removeprefix(prefix): file.text for file in files.files}
    return {
        path: text.splitlines(keepends=True)
        for path, text in sorted(texts.items())
        if path in COMPARED or path.startswith(("references/", "scripts/"))
    }


def difference(name: str, disposition: Disposition) -> str:
    before, after = (
        compared(render_package(plan_with({}))),
        compared(render_package(plan_with({name: disposition}))),
    )
    lines: list[str] = []
    for path in sorted({*before, *after}):
        lines += difflib.unified_diff(
            before.get(path, []),
            after.get(path, []),
            path if path in before else "/dev/null",
            path if path in after else "/dev/null",
            n=1,
        )
    return "".join(lines)


@pytest.mark.parametrize(
    ("name", "disposition"), OTHER_CELLS, ids=[f"{name}-{cell}" for name, cell in OTHER_CELLS]
)
def test_the_difference_of_a_cell(name: str, disposition: Disposition) -> None:
    path = GOLDEN / f"{name}-{disposition}.diff"
    found = difference(name, disposition)
    assert found or (name, disposition) in CHANGE_NO_CODE, "the cell changes no code"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert path.is_file(), "run the tests once with UPDATE_GOLDEN=1"
    assert found == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == {f"{name}-{cell}" for name, cell in OTHER_CELLS}
