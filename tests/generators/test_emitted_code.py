"""Every package, at every cell of the disposition matrix, passes the judges that others wrote (spec/package.md 9)."""

import ast
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pytest

from melleafy_tui.core.dispositions import allowed_for
from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan
from tests.generators.emitting import write_files
from tests.generators.variants import CELLS, PIECES, VARIED, plan_with, shapes

SCRIPTS = Path(sysconfig.get_path("scripts"))

CELL_IDS = [f"{name}-{disposition}" for name, disposition in CELLS]


def cell_plan(name: str, disposition: Disposition) -> CommittedPlan:
    return plan_with({name: disposition}, name=f"cell {name} {disposition}".replace(".", " "))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, FileSet]]:
    """Write every package into one folder, so that each judge starts once."""
    folder = tmp_path_factory.mktemp("packages")
    plans = {**shapes(), **{f"{n}-{d}": cell_plan(n, d) for n, d in CELLS}, "reference": reference_plan()}
    rendered = {name: render_package(plan) for name, plan in plans.items()}
    for files in rendered.values():
        write_files(files, folder)
    return folder, rendered


def python_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))


def judged(folder: Path, *command: str | Path) -> str:
    """Return what a judge says where it finds something, else `""`."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_finds_nothing(packages: tuple[Path, dict[str, FileSet]]) -> None:
    folder, _ = packages
    assert judged(folder, SCRIPTS / "ruff", "check", "--isolated", "--no-cache", ".") == ""


def test_ruff_would_format_nothing(packages: tuple[Path, dict[str, FileSet]]) -> None:
    folder, _ = packages
    said = judged(
        folder, SCRIPTS / "ruff", "format", "--isolated", "--no-cache", "--diff", *python_files(folder)
    )
    assert said == ""


@pytest.mark.slow
def test_mypy_strict_finds_nothing(packages: tuple[Path, dict[str, FileSet]]) -> None:
    pytest.importorskip("mellea")
    folder, rendered = packages
    names = sorted(files.package_name for files in rendered.values())
    cache = folder.parent / "mypy-cache"
    said = judged(
        folder, sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", *names
    )
    assert said == ""


@pytest.mark.slow
def test_pyright_finds_nothing(packages: tuple[Path, dict[str, FileSet]]) -> None:
    pytest.importorskip("mellea")
    folder, _ = packages
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


def test_import_has_no_side_effects(packages: tuple[Path, dict[str, FileSet]]) -> None:
    pytest.importorskip("mellea")
    folder, rendered = packages
    names = sorted(files.package_name for files in rendered.values())
    assert judged(folder, sys.executable, "-c", IMPORT_ALL, str(folder), *names) == ""


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


@pytest.mark.parametrize(("name", "disposition"), CELLS, ids=CELL_IDS)
def test_every_target_of_the_plan_exists(name: str, disposition: Disposition) -> None:
    plan = cell_plan(name, disposition)
    files = render_package(plan)
    for file, symbol in targets(plan):
        text = files.by_path[f"{plan.package_name}/{file}"].text
        if file == "main.py":
            assert f'"{symbol}"' in text
        elif file == "pipeline.py":
            assert f"{symbol}: Callable[[str], str] | None = None" in text
        else:
            name, _, key = symbol.partition("[")
            assert name in defined(text), (file, symbol)
            assert key.rstrip("]") in text, (file, symbol)


@pytest.mark.parametrize(("name", "disposition"), CELLS, ids=CELL_IDS)
def test_our_own_lints_find_nothing(name: str, disposition: Disposition) -> None:
    plan = cell_plan(name, disposition)
    assert lint_file_set(render_package(plan)).findings == ()


@pytest.mark.parametrize("name", sorted(shapes()))
def test_our_own_lints_find_nothing_in_any_shape(name: str) -> None:
    plan = shapes()[name]
    assert lint_file_set(render_package(plan)).findings == ()


@pytest.mark.parametrize("name", VARIED)
def test_every_disposition_has_its_own_effect(name: str) -> None:
    kind = PIECES[name].kind
    assert kind is not None
    code: dict[str, Disposition] = {}
    for disposition in allowed_for(kind):
        files = render_package(plan_with({name: disposition}))
        text = "\0".join(
            f"{file.path}\0{file.text}"
            for file in files.files
            if "/intermediate/" not in file.path and "melleafy.json" not in file.path
        )
        assert text not in code, (disposition, code.get(text))
        code[text] = disposition


@pytest.mark.parametrize(("name", "disposition"), CELLS, ids=CELL_IDS)
def test_emitted_lines_carry_what_they_are_said_to_carry(name: str, disposition: Disposition) -> None:
    plan = cell_plan(name, disposition)
    elements = plan.inventory.by_id
    for file in render_package(plan).files:
        lines = file.text.split("\n")
        for mark in file.provenance:
            assert 1 <= mark.first <= mark.last <= len(lines), (file.path, mark)
            assert elements[mark.element_id].source_file == mark.source_file


@pytest.mark.parametrize("name", VARIED)
def test_what_is_removed_leaves_no_code(name: str) -> None:
    plan = plan_with({name: Disposition.REMOVE})
    gone = next(
        item.element
        for item in plan.planned
        if item.element.source_file == PIECES[name].file and item.element.source_lines == PIECES[name].lines
    )
    for file in render_package(plan).files:
        if file.path.endswith(".py") and "/fixtures/" not in file.path:
            assert not [mark for mark in file.provenance if mark.element_id == gone.element_id], file.path


def test_every_kind_of_entry_is_varied() -> None:
    kinds = {PIECES[name].kind for name in VARIED}
    assert kinds == set(EntryKind) - {EntryKind.BACKEND, EntryKind.CROSS_REFERENCE}


def test_the_same_plan_gives_the_same_bytes() -> None:
    once, again = render_package(plan_with({})), render_package(plan_with({}))
    assert [(file.path, file.data) for file in once.files] == [(file.path, file.data) for file in again.files]
