"""Every import names something that exists: in Mellea 0.8, in the package itself, or in a declared dependency."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator

from melleafy_tui.core.lint.mellea_table import mellea_table
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.view import PackageView
from melleafy_tui.core.models.package import EmittedFile

ALWAYS_THERE = frozenset({"mellea", "pydantic"})


def check_import_soundness(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the imports of what does not exist."""
    declared = _declared(view)
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _absolute(view, module, node, alias.name, (), declared)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = tuple(alias.name for alias in node.names)
            yield from _absolute(view, module, node, node.module or "", names, declared)
        elif isinstance(node, ast.ImportFrom):
            yield from _relative_import_soundness(view, module, node)


def _absolute(
    view: PackageView,
    module: Module,
    node: ast.stmt,
    name: str,
    names: tuple[str, ...],
    declared: frozenset[str] | None,
) -> Iterator[Problem]:
    top = name.partition(".")[0]
    if top == "mellea":
        yield from _of_mellea(module, node, name, names)
    elif top == view.package:
        inner = name.partition(".")[2]
        yield from _of_package(view, module, node, inner.replace(".", "/"), names)
    elif (
        top not in sys.stdlib_module_names
        and declared is not None
        and _normal(top) not in declared | ALWAYS_THERE
    ):
        hint = "Declare it in pyproject.toml, or do without it."
        yield module.problem(node, f"{top} is neither in the standard library nor declared", hint)


def _of_mellea(module: Module, node: ast.stmt, name: str, names: tuple[str, ...]) -> Iterator[Problem]:
    table = mellea_table()
    known = table.modules.get(name)
    if known is None:
        yield module.problem(node, f"Mellea {table.version} has no module {name}", _nearest(names, name))
        return
    for wanted in names:
        if wanted != "*" and wanted not in known and f"{name}.{wanted}" not in table.modules:
            yield module.problem(
                node, f"{name} has no {wanted} in Mellea {table.version}", _nearest((wanted,), "")
            )


def _nearest(names: tuple[str, ...], module: str) -> str:
    table = mellea_table()
    for wanted in names:
        homes = sorted(
            (home for home, known in table.modules.items() if wanted in known),
            key=lambda home: (home.count("."), home),
        )
        if homes:
            return f"Import {wanted} from {homes[0]}."
    return (
        f"See intermediate/mellea_api_ref.json for what there is{f' instead of {module}' if module else ''}."
    )


def _relative_import_soundness(view: PackageView, module: Module, node: ast.ImportFrom) -> Iterator[Problem]:
    folder = module.name.split("/")[:-1]
    if node.level - 1 > len(folder):
        yield module.problem(node, "the import leaves the package", "Import from within the package.")
        return
    parts = folder[: len(folder) - (node.level - 1)]
    parts += node.module.split(".") if node.module else []
    yield from _of_package(view, module, node, "/".join(parts), tuple(alias.name for alias in node.names))


def _of_package(
    view: PackageView, module: Module, node: ast.stmt, inner: str, names: tuple[str, ...]
) -> Iterator[Problem]:
    home = view.module_at(f"{inner}.py") or view.module_at(f"{inner}/__init__.py" if inner else "__init__.py")
    if home is None:
        if not view.path_of(f"{inner}.py") and not any(
            _is_module(view, f"{inner}/{name}" if inner else name) for name in names
        ):
            hint = "Emit the module, or drop the import."
            yield module.problem(node, f"the package has no module {inner.replace('/', '.')}", hint)
        return
    for wanted in names:
        below = f"{inner}/{wanted}" if inner else wanted
        if wanted != "*" and wanted not in home.names and not _is_module(view, below):
            yield module.problem(node, f"{home.name} has no {wanted}", "Define it there, or drop the import.")


def _is_module(view: PackageView, inner: str) -> bool:
    return view.has(f"{inner}.py") or view.has(f"{inner}/__init__.py")


def _declared(view: PackageView) -> frozenset[str] | None:
    file = view.file("pyproject.toml")
    return None if file is None else _declared_in(file)


def _declared_in(file: EmittedFile) -> frozenset[str] | None:
    try:
        project = tomllib.loads(file.data.decode("utf-8")).get("project", {})
    except ValueError:
        return None
    wanted = [*project.get("dependencies", ())]
    for extra in project.get("optional-dependencies", {}).values():
        wanted += extra
    return frozenset(_normal(re.split(r"[\s<>=!~;\[(@]", line.strip(), maxsplit=1)[0]) for line in wanted)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()
