"""The disposition matrix cell by cell: what changes in code, SETUP, report and manifest against the default (spec/package.md 4).

The differences are kept under snapshots/emitted/matrix, one file a cell. Write them anew with UPDATE_GOLDEN=1.
"""

import difflib
import os
import re
from pathlib import Path

import pytest

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.package.setup_sections import stubs_by_category
from melleafy_tui.generators.render import render_package
from tests.converted import conversion_of, files_of
from tests.generators.variants import (
    CELLS,
    PIECES,
    VARIED,
    cell_files,
    cell_plan,
    plan_with,
    shape_files,
    shapes,
)

GOLDEN = Path(__file__).resolve().parents[2] / "snapshots" / "emitted" / "matrix"
EXAMPLES = sorted(place for place in (GOLDEN.parents[2] / "examples").iterdir() if place.is_dir())
COMPARED = (
    "config.py",
    "schemas.py",
    "pipeline.py",
    "main.py",
    "requirements.py",
    "constrained_slots.py",
    "tools.py",
    "fixtures/mock_tools.py",
    "SETUP.md",
    "mapping_report.md",
    "dependencies.yaml",
    "melleafy.json",
)
"""The code, and the documents that say what was decided; the README repeats them, fixtures have tests of their own."""

APPENDIX = re.compile(r"^## 6\. .*?(?=^## 7\. )", re.MULTILINE | re.DOTALL)
"""The report's table of emitted lines, which moves with every line of code."""

OTHER_CELLS = [
    (name, disposition) for name, disposition in CELLS if PIECES[name].disposition is not disposition
]
OTHER_CELLS.append(("backend", Disposition.EXTERNAL_INPUT))


LINES_OF_CODE = re.compile(r"(?<=\.py)(?::\d+(?:-\d+)?(?=`)|#L\d+(?:-L\d+)?)")


def settled(document: str) -> str:
    """Return a document without what every changed line of code moves."""
    return LINES_OF_CODE.sub("", APPENDIX.sub("", document))


def compared(files: FileSet) -> dict[str, list[str]]:
    """Return the compared files by their path in the package, as lines."""
    prefix = f"{files.package_name}/"
    texts = {file.path.removeprefix(prefix): file.text for file in files.files}
    static = {file.path.removeprefix(prefix): ["(a static module)\n"] for file in files.files if file.static}
    return static | {
        path: (settled(text) if path.endswith(".md") else text).splitlines(keepends=True)
        for path, text in sorted(texts.items())
        if path in (*COMPARED, ".env.example", "pyproject.toml")
        or path.startswith(("references/", "scripts/"))
    }


def kind_of(name: str) -> EntryKind:
    kind = EntryKind.BACKEND if name == "backend" else PIECES[name].kind
    assert kind is not None
    return kind


WITHOUT_CATEGORY = ("schema",)
"""Entries of no category, which the manifest does not count."""


def difference(before: dict[str, list[str]], after: dict[str, list[str]]) -> str:
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


@pytest.mark.parametrize("name", [*VARIED, "backend"])
def test_the_difference_of_each_cell(name: str) -> None:
    before = compared(render_package(plan_with({})))
    for disposition in (disposition for entry, disposition in OTHER_CELLS if entry == name):
        path = GOLDEN / f"{name}-{disposition}.diff"
        after = compared(cell_files(name, disposition))
        found = difference(before, after)
        changed = set(re.findall(r"(?m)^\+\+\+ (\S+)", found))
        said = {"mapping_report.md"} if name in WITHOUT_CATEGORY else {"mapping_report.md", "melleafy.json"}
        assert said <= changed, f"{path.stem}: report and manifest say what was decided"
        setup = cell(kind_of(name), disposition).setup_section
        guide = "".join(after["SETUP.md"])
        assert not setup or f"## {setup} " in guide, f"{path.stem}: SETUP.md says what is left to do"
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found, encoding="utf-8")
        assert path.is_file(), f"{path.stem}: run the tests once with UPDATE_GOLDEN=1"
        assert found == path.read_text(encoding="utf-8"), path.stem


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.diff")} == {f"{name}-{cell}" for name, cell in OTHER_CELLS}


def functions_to_write(files: FileSet) -> dict[str, int]:
    """Return how many functions each document of a package says are left to write."""
    texts = {file.path.removeprefix(f"{files.package_name}/"): file.text for file in files.files}
    section = re.search(r"^## §8 .*?(?=^## |\Z)", texts.get("SETUP.md", ""), re.MULTILINE | re.DOTALL)
    own = texts["README.md"].partition("## What is yours to do")[2]
    written = re.search(r"Write (\d+) functions? in", own)
    more = re.search(r"^- and (\d+) more functions? that", own, re.MULTILINE)
    reported = re.search(r"(\d+) functions? (?:is|are) left to write", texts["mapping_report.md"])
    return {
        "code": texts.get("constrained_slots.py", "").count("raise NotImplementedError("),
        "SETUP": section[0].count("\n| `") if section else 0,
        "README": int(written[1]) if written else 0,
        "report": int(reported[1]) if reported else 0,
        "README list": len(re.findall(r"^- `.*\(`SETUP.md` §", own, re.MULTILINE))
        + int(more[1] if more else 0),
    }


def assert_counts_agree(committed: CommittedPlan, files: FileSet) -> None:
    recap = sum(
        stubs_by_category(committed.plan.entries, committed.inventory).values()
    )  # and the wizard's figure
    told = functions_to_write(files)
    assert set(told.values()) == {recap}, (files.package_name, recap, told)


def test_recap_wizard_setup_and_readme_count_the_same_functions_to_write() -> None:
    for name, disposition in OTHER_CELLS:
        assert_counts_agree(cell_plan(name, disposition), cell_files(name, disposition))
    for shape in ("all_stubs", "all_delegated"):
        assert_counts_agree(shapes()[shape], shape_files(shape))


@pytest.mark.slow
def test_the_counts_agree_in_the_examples() -> None:
    for place in EXAMPLES:
        assert_counts_agree(conversion_of(place).committed, files_of(place))
