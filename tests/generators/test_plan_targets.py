"""Every target that a plan names is in the package that it becomes (`file:symbol`, a section, a parameter, a variable)."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from tests.conftest import PROJECT
from tests.converted import conversion_of
from tests.generators.variants import CELLS, cell_files, cell_plan

FOLDERS = sorted(
    folder
    for pattern in ("tests/dialects/*/workspaces/*", "examples/*", "tests/cases/*/input")
    for folder in PROJECT.glob(pattern)
    if folder.is_dir() and "lower-case-skill-file" not in str(folder)
)


def places_in(files: FileSet, name: str) -> set[str] | None:
    """Return what a target can name in a file, None if the package has no such file."""
    file = files.file(f"{files.package_name}/{name}") or files.file(name)
    if file is None:
        return None
    if not name.endswith(".py"):
        headings = [line.lstrip("# ") for line in file.text.splitlines() if line.startswith("#")]
        variables = (line.partition("=")[0].lstrip("# ") for line in file.text.splitlines())
        return {part for each in headings for part in (each, *each.split(" ", 1))} | {*variables}
    module = ast.parse(file.text)
    parameters = parameters_of(ast.parse(files.by_path[f"{files.package_name}/pipeline.py"].text))
    if name == "main.py":  # a flag is a parameter of the pipeline, or switched on by a keyword
        keywords = (node.arg or "" for node in ast.walk(module) if isinstance(node, ast.keyword))
        return {f"--{each.replace('_', '-')}" for each in (*parameters, *keywords)}
    return {*defined_in(module), *(parameters if name == "pipeline.py" else ())}


def parameters_of(pipeline: ast.Module) -> list[str]:
    (run,) = (each for each in pipeline.body if getattr(each, "name", "") == "run_pipeline")
    assert isinstance(run, ast.FunctionDef)
    return [each.arg for each in (*run.args.args, *run.args.kwonlyargs)]


def defined_in(module: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines or imports."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (each.asname or each.name for each in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for each in targets if isinstance(each, ast.Name))


def lacking(entries: Iterable[PlanEntry], files: FileSet) -> list[str]:
    found = []
    for entry in entries:
        name, _, symbol = entry.target.partition(":")
        places = places_in(files, name)
        if places is None or (symbol and symbol not in places):
            found.append(f"{entry.key} {entry.disposition.value}: {entry.target}")
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(PROJECT)))
def test_the_package_of_a_workspace_has_every_target(folder: Path) -> None:
    inner = folder / "workspace"
    conversion = conversion_of(inner if inner.is_dir() else folder)
    assert lacking(conversion.plan.entries, conversion.files) == []


@pytest.mark.parametrize(("name", "disposition"), CELLS)
def test_the_package_of_a_decision_has_every_target(name: str, disposition: Disposition) -> None:
    assert lacking(cell_plan(name, disposition).plan.entries, cell_files(name, disposition)) == []
