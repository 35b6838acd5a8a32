"""Every package, at every cell of the disposition matrix, passes the judges that others wrote (spec/package.md 9)."""

import ast
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pytest

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan
from tests.generators.emitting import write_files
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

SCRIPTS = Path(sysconfig.get_path("scripts"))

Packages = tuple[Path, list[str]]


def named_for_its_cell(name: str, disposition: Disposition) -> CommittedPlan:
    """Return the plan of a cell under a name of its own, so that its package can stand beside the others."""
    return plan_with({name: disposition}, name=f"cell {name} {disposition}".replace(".", " "))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """Write a package of each shape into one folder, so that each judge starts once; return their names too."""
    folder = tmp_path_factory.mktemp("packages")
    rendered = [*map(shape_files, shapes()), render_package(reference_plan())]
    return folder, sorted(write_files(files, folder).name for files in rendered)


@pytest.fixture(scope="module")
def every_package(packages: Packages) -> Packages:
    """Write a package of each cell beside those of the shapes."""
    pytest.importorskip("mellea")
    folder, names = packages
    rendered = [render_package(named_for_its_cell(*cell)) for cell in CELLS]
    return folder, sorted([*names, *(write_files(files, folder).name for files in rendered)])


def python_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))


def judged(folder: Path, *command: str | Path) -> str:
    """Return what a judge says where it finds something, else `""`."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing_and_would_format_nothing(packages: Packages) -> None:
    folder, _ = packages
    assert judged(folder, SCRIPTS / "ruff", "check", "--isolated", "--no-cache", ".") == ""
    form = (SCRIPTS / "ruff", "format", "--isolated", "--no-cache", "--diff")
    assert judged(folder, *form, *python_files(folder)) == ""


@pytest.mark.slow
def test_ruff_finds_nothing_in_any_cell(every_package: Packages) -> None:
    test_ruff_finds_nothing_and_would_format_nothing(every_package)


@pytest.mark.slow
def test_mypy_strict_finds_nothing(every_package: Packages) -> None:
    pytest.importorskip("mellea")
    folder, names = every_package
    cache = folder.parent / "mypy-cache"
    said = judged(
        folder, sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", *names
    )
    assert said == ""


@pytest.mark.slow
def test_pyright_finds_nothing(every_package: Packages) -> None:
    pytest.importorskip("mellea")
    folder, _ = every_package
    pyright = SCRIPTS / "pyright"
    if not pyright.exists():
        pytest.skip("pyright is not installed")
    assert judged(folder, pyright, "--pythonpath", sys.executable, ".") == ""


IMPORT_ALL = """
import importlib, pathlib, sys
folder, names = sys.argv[1], sys.argv[2:]
import mellea, mellea.stdlib.sampling, mellea.stdlib.requirements
sys.path.insert(0, folder)
watched = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        watched.append((event, arguments[0]))
    if event.startswith(("socket.", "subprocess.", "os.system", "os.putenv", "os.mkdir", "os.remove", "sqlite3.")):
        watched.append((event, arguments))
sys.dont_write_bytecode = True
import sqlite3, subprocess
sys.addaudithook(watch)
for name in names:
    package = pathlib.Path(folder, name)
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if parts[-1] == "__main__":
            continue
        importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
assert not watched, watched
"""


def test_import_has_no_side_effects(packages: Packages) -> None:
    pytest.importorskip("mellea")
    folder, names = packages
    assert judged(folder, sys.executable, "-c", IMPORT_ALL, str(folder), *names) == ""


@pytest.mark.slow
def test_import_has_no_side_effects_in_any_cell(every_package: Packages) -> None:
    test_import_has_no_side_effects(every_package)


def defined(source: str) -> set[str]:
    """Return the names that a module defines at its top."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def targets(plan: CommittedPlan) -> Iterable[tuple[str, str]]:
    for entry in plan.plan.entries:
        file, _, symbol = entry.target.partition(":")
        if file.endswith(".py"):
            yield file, symbol


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIED)
def test_every_target_of_the_plan_exists_at_any_disposition(name: str) -> None:
    for cell in (cell for cell in CELLS if cell[0] == name):
        plan, files = cell_plan(*cell), cell_files(*cell)
        for file, symbol in targets(plan):
            text = files.by_path[f"{plan.package_name}/{file}"].text
            if file == "main.py":
                name = symbol.removeprefix("--").replace("-", "_")
                pipeline = files.by_path[f"{plan.package_name}/pipeline.py"].text
                assert f"\n    {name}: " in pipeline or f"\n        {name}=" in text, cell
            elif file == "pipeline.py":
                assert f"{symbol}: Callable[[str], str] | None = None" in text, cell
            else:
                constant, _, key = symbol.partition("[")
                assert constant in defined(text), (cell, file, symbol)
                assert key.rstrip("]") in text, (cell, file, symbol)


@pytest.mark.parametrize(
    "cells",
    [CELLS[::12], *(pytest.param(CELLS[start::12], marks=pytest.mark.slow) for start in range(1, 12))],
    ids=["sample", *map(str, range(2, 13))],
)
def test_our_own_lints_find_nothing_at_any_disposition(cells: list[tuple[str, Disposition]]) -> None:
    for cell in cells:
        assert lint_file_set(cell_files(*cell)).findings == (), cell


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shapes()))
def test_our_own_lints_find_nothing_in_any_shape(name: str) -> None:
    assert lint_file_set(shape_files(name)).findings == ()


@pytest.mark.parametrize("name", VARIED)
def test_every_disposition_has_its_own_effect(name: str) -> None:
    kind = PIECES[name].kind
    assert kind is not None
    code: dict[str, Disposition] = {}
    for disposition in allowed_for(kind):
        files = cell_files(name, disposition)
        text = "\0".join(
            f"{file.path}\0{file.text}"
            for file in files.files
            if "/intermediate/" not in file.path and "melleafy.json" not in file.path
        )
        assert text not in code, (disposition, code.get(text))
        code[text] = disposition


def test_emitted_lines_carry_what_they_are_said_to_carry() -> None:
    for cell in CELLS:
        elements = cell_plan(*cell).inventory.by_id
        for file in cell_files(*cell).files:
            lines = file.text.count("\n") + 1
            for mark in file.provenance:
                assert 1 <= mark.first <= mark.last <= lines, (cell, file.path, mark)
                assert elements[mark.element_id].source_file == mark.source_file, cell


def test_what_is_removed_leaves_no_code() -> None:
    for name in VARIED:
        gone = next(
            item.element
            for item in cell_plan(name, Disposition.REMOVE).planned
            if (item.element.source_file, item.element.source_lines)
            == (PIECES[name].file, PIECES[name].lines)
        )
        for file in cell_files(name, Disposition.REMOVE).files:
            if file.path.endswith(".py") and "/fixtures/" not in file.path:
                marks = [mark for mark in file.provenance if mark.element_id == gone.element_id]
                assert not marks, (name, file.path)


def test_every_kind_of_entry_is_varied() -> None:
    kinds = {PIECES[name].kind for name in VARIED}
    assert kinds == set(EntryKind) - {EntryKind.BACKEND, EntryKind.CROSS_REFERENCE}


def test_the_same_plan_gives_the_same_bytes() -> None:
    once, again = render_package(plan_with({})), render_package(plan_with({}))
    assert [(file.path, file.data) for file in once.files] == [(file.path, file.data) for file in again.files]
