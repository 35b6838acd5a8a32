"""Lints that compare the files of a package with the paths in its code, its mapping and its inventory."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeGuard

from melleafy_tui.core.lint.artifacts import JsonObject, rows_of, text_of
from melleafy_tui.core.lint.modules import Module, Problem, dotted, function_named, parameter_names
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, PackageView
from melleafy_tui.core.models.vocabulary import Category

_OWN_PATH = re.compile(r"(?:\w+\.)*\w*Path\(__file__\)(?:\.(?:resolve|absolute)\(\))?")


def bundled_paths(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield each path built from `__file__`, relative to the package, with its node.

    A path that leaves the package is `""`. A path with a part that isn't a literal ends before it, with a `/`.
    """
    divisions = [node for node in module.nodes if _is_division(node)]
    inner = {id(node.left) for node in divisions}
    for node in divisions:
        if id(node) in inner:
            continue
        parts: list[ast.expr] = []
        left: ast.expr = node
        while _is_division(left):
            parts.insert(0, left.right)
            left = left.left
        climbs = _levels_up(left)
        if climbs is not None:
            yield node, _joined(module.name.split("/")[:-1], climbs, parts)


def _is_division(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _levels_up(node: ast.expr) -> int | None:
    """Return how many folders the base is above the module's own, or None if it isn't built from `__file__`."""
    parents = 0
    while isinstance(node, ast.Attribute) and node.attr == "parent":
        parents, node = parents + 1, node.value
    return parents - 1 if parents and _OWN_PATH.fullmatch(ast.unparse(node)) else None


def _joined(folder: list[str], climbs: int, parts: list[ast.expr]) -> str:
    if climbs > len(folder):
        return ""
    path = folder[: len(folder) - climbs]
    for part in parts:
        if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
            return "/".join([*path, ""])
        path += part.value.strip("/").split("/")
    return "/".join(path)


BUNDLED = ("references/", "scripts/", "assets/", "./references/", "./scripts/", "./assets/")
_ASSET_PATHS_HINT = 'Write Path(__file__).parent / "references" / "x.md".'


def check_asset_paths(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the bundled paths that do not exist."""
    yield from _relative_asset_paths(module)
    if module.name.startswith("fixtures/"):
        return
    for node, path in bundled_paths(module):
        if path and not path.startswith(BUNDLED):
            continue
        if not path:
            yield module.problem(node, "a path leaves the package", _ASSET_PATHS_HINT)
        elif not (view.has(path) or view.has(f"{path.rstrip('/')}/")):
            yield module.problem(node, f"{path} is not in the package", "Bundle the file, or drop the path.")


def _relative_asset_paths(module: Module) -> Iterator[Problem]:
    for call in module.calls:
        name = dotted(call.func)
        if name not in ("open", "Path", "pathlib.Path", "os.path.join") or not call.args:
            continue
        first = call.args[0]
        if (
            isinstance(first, ast.Constant)
            and isinstance(first.value, str)
            and f"{first.value}/".startswith(BUNDLED)
        ):
            yield module.problem(call, f"{first.value} is looked up in the current folder", _ASSET_PATHS_HINT)


MAPPING = "intermediate/element_mapping.json"
PLAN = "intermediate/dependency_plan.json"
_CROSS_REFERENCE_HINT = "Emit it, or correct the target."
NO_TARGET = ("", "none", "report")


def check_cross_reference(view: PackageView) -> Iterator[Problem]:
    """Yield the targets of the mapping that do not exist in the package."""
    targets = view.fact(MAPPING, _targets)
    planned: dict[str, str] = {}
    missing: dict[str, str] = {}
    for entry in view.rows(PLAN, "entries"):
        target = text_of(entry, "target")
        planned.update(dict.fromkeys(_source_elements(entry), target))
        if target not in missing:
            missing[target] = _missing(view, target)
        if said := missing[target]:
            yield view.problem(
                PLAN, f"{text_of(entry, 'entry_id')} names {target}: {said}", _CROSS_REFERENCE_HINT
            )
    if targets is not None and not any(_missing(view, target) for target in targets):
        return
    yield from _missing_targets(view, planned)


def _missing_targets(view: PackageView, planned: Mapping[str, str]) -> Iterator[Problem]:
    for row in view.rows(MAPPING, "mappings"):
        target = _target(row)
        amended = planned.get(text_of(row, "element_id"), target)
        if amended != target or text_of(row, "primitive") in NO_TARGET:
            continue
        if said := _missing(view, target):
            yield view.problem(
                MAPPING, f"{text_of(row, 'mapping_id')} names {target}: {said}", _CROSS_REFERENCE_HINT
            )


def _source_elements(entry: JsonObject) -> list[str]:
    elements = entry.get("source_elements")
    return [str(element) for element in elements] if isinstance(elements, list) else []


def _targets(mapping: JsonObject) -> frozenset[str] | None:
    """Return the distinct targets that the rows of the mapping name."""
    rows = rows_of(mapping, "mappings")
    if rows is None:
        return None
    return frozenset(_target(row) for row in rows if text_of(row, "primitive") not in NO_TARGET)


def _target(row: JsonObject) -> str:
    return f"{text_of(row, 'target_file')}:{text_of(row, 'target_symbol')}"


def _missing(view: PackageView, target: str) -> str:
    """Return the missing part of a target, or `""` if it is complete."""
    file, _, symbol = target.partition(":")
    if not file or (file == ENVIRONMENT_EXAMPLE and view.stands_alone):
        return ""
    if not view.path_of(file):
        return "there is no such file" if not view.has(f"{file.rstrip('/')}/") else ""
    if not symbol:
        return ""
    if file == "main.py" and symbol.startswith("--"):
        return _missing_flag(view, symbol)
    return _missing_symbol(view, file, symbol)


def _missing_symbol(view: PackageView, file: str, symbol: str) -> str:
    if file.endswith(".py"):
        module = view.module_at(file)
        return "" if module is None or _has(module, symbol) else f"the file has no {symbol}"
    emitted = view.file(view.path_of(file))
    if emitted is not None and symbol.encode() in emitted.data:
        return ""
    return f"the file does not mention {symbol}"


def _missing_flag(view: PackageView, flag: str) -> str:
    """Return what is missing of a flag: the command line takes one for each parameter of run_pipeline."""
    pipeline, main = view.module_at("pipeline.py"), view.module_at("main.py")
    entry = function_named(pipeline, "run_pipeline") if pipeline else None
    name = flag.removeprefix("--").replace("-", "_")
    if entry is not None and any(given.arg == name for given in entry.args.args):
        return ""
    switched = main is not None and any(k.arg == name for call in main.calls for k in call.keywords)
    return "" if switched else f"run_pipeline has no parameter {name}"


def _has(module: Module, symbol: str) -> bool:
    name = re.match(r"\w*", symbol)
    found = module.defined.get(name.group() if name else "")
    if found is not None:
        keys = {first or second for first, second in re.findall(r"\[[\"'](\w+)[\"']\]|[:.](\w+)$", symbol)}
        return not keys or keys <= _constants(ast.walk(found))
    entry = function_named(module, "run_pipeline")
    if entry is not None and symbol in parameter_names(entry):
        return True
    return symbol in _constants(module.nodes)


def _constants(nodes: Iterable[ast.AST]) -> set[object]:
    return {node.value for node in nodes if isinstance(node, ast.Constant)}


REPORT = "intermediate/coverage_report.json"
INVENTORY = "intermediate/inventory.json"
_COVERAGE_HINT = "Convert again; if it stays, report it with the source file."


def check_coverage(view: PackageView) -> Iterator[Problem]:
    """Yield the elements of the inventory that the plan or the mapping lacks."""
    for row in view.rows(REPORT, "files"):
        lines = row.get("uncovered_lines")
        if isinstance(lines, list) and lines:
            what = f"{text_of(row, 'path')}: no element has line {_first_few(lines)}"
            yield view.problem(REPORT, what, _COVERAGE_HINT)
    elements, mapped = view.fact(INVENTORY, _elements), view.fact(MAPPING, _mapped)
    planned = set(chain.from_iterable(map(_source_elements, view.rows(PLAN, "entries"))))
    if (
        elements is None
        or mapped is None
        or not mapped >= elements.keys() >= mapped | planned
        or not planned.issuperset(element_id for element_id, is_planned in elements.items() if is_planned)
    ):
        yield from _lost(view, planned)


def _first_few(lines: list[object]) -> str:
    return ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")


def _elements(inventory: JsonObject) -> dict[str, bool] | None:
    """Return the element ids, each with whether the plan must name it."""
    rows = rows_of(inventory, "elements")
    if rows is None:
        return None
    elements: dict[str, bool] = {}
    for row in rows:
        element_id = text_of(row, "element_id")
        is_planned = text_of(row, "category") != Category.NONE
        elements[element_id] = is_planned or elements.get(element_id, False)
    return elements


def _mapped(mapping: JsonObject) -> frozenset[str] | None:
    rows = rows_of(mapping, "mappings")
    return None if rows is None else frozenset(text_of(row, "element_id") for row in rows)


def _lost(view: PackageView, planned: set[str]) -> Iterator[Problem]:
    elements = [*view.rows(INVENTORY, "elements")]
    mapped = {text_of(row, "element_id") for row in view.rows(MAPPING, "mappings")}
    for element in elements:
        element_id = text_of(element, "element_id")
        place = f"{element_id} ({text_of(element, 'source_file')}:{text_of(element, 'source_lines')})"
        if element_id not in mapped:
            yield view.problem(MAPPING, f"{place} has no mapping", _COVERAGE_HINT)
        if text_of(element, "category") != Category.NONE and element_id not in planned:
            yield view.problem(PLAN, f"{place} has no plan entry", _COVERAGE_HINT)
    known = {text_of(element, "element_id") for element in elements}
    for lost in sorted((mapped | planned) - known):
        yield view.problem(MAPPING, f"{lost} is in no inventory", _COVERAGE_HINT)
