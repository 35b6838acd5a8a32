"""Every target that the mapping and the plan name exists in the file they name."""

import ast
import re
from collections.abc import Iterator

from melleafy_tui.core.lint.artifacts import JsonObject, rows_of, text_of
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import function_named, parameters
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, PackageView

MAPPING = "intermediate/element_mapping.json"
PLAN = "intermediate/dependency_plan.json"
_CROSS_REFERENCE_HINT = "Emit it, or correct the target."
NO_TARGET = ("", "none", "report")


def check_cross_reference(view: PackageView) -> Iterator[Problem]:
    """Yield the targets that do not exist."""
    targets = view.fact(MAPPING, _targets)
    entries = view.rows(PLAN, "entries")
    planned: dict[str, str] = {}
    missing: dict[str, str] = {}
    for entry in entries:
        target = text_of(entry, "target")
        elements = entry.get("source_elements")
        for element in elements if isinstance(elements, list) else ():
            planned[str(element)] = target
        if target not in missing:
            missing[target] = _missing(view, target)
        if said := missing[target]:
            yield view.problem(
                PLAN, f"{text_of(entry, 'entry_id')} names {target}: {said}", _CROSS_REFERENCE_HINT
            )
    if targets is not None and not any(_missing(view, target) for target in targets):
        return
    for row in view.rows(MAPPING, "mappings"):
        target = _target(row)
        amended = planned.get(text_of(row, "element_id"), target)
        if amended != target or text_of(row, "primitive") in NO_TARGET:
            continue
        if said := _missing(view, target):
            yield view.problem(
                MAPPING, f"{text_of(row, 'mapping_id')} names {target}: {said}", _CROSS_REFERENCE_HINT
            )


def _targets(mapping: JsonObject) -> frozenset[str] | None:
    """Return what the rows of the mapping name, once each."""
    rows = rows_of(mapping, "mappings")
    if rows is None:
        return None
    return frozenset(_target(row) for row in rows if text_of(row, "primitive") not in NO_TARGET)


def _target(row: JsonObject) -> str:
    return f"{text_of(row, 'target_file')}:{text_of(row, 'target_symbol')}"


def _missing(view: PackageView, target: str) -> str:
    """Return what of a target is missing, or `""`."""
    file, _, symbol = target.partition(":")
    if not file or (file == ENVIRONMENT_EXAMPLE and view.stands_alone):
        return ""
    path = view.path_of(file)
    if not path:
        return "there is no such file" if not view.has(f"{file.rstrip('/')}/") else ""
    if not symbol:
        return ""
    if file.endswith(".py"):
        module = view.module_at(file)
        if module is None or _has(module, symbol) or (module.unfold() and _has(module, symbol)):
            return ""
        return f"the file has no {symbol}"
    emitted = view.file(path)
    if emitted is not None and symbol.encode() in emitted.data:
        return ""
    return f"the file does not mention {symbol}"


def _has(module: Module, symbol: str) -> bool:
    name = re.match(r"\w*", symbol)
    found = module.defined.get(name.group() if name else "")
    keys = re.findall(r"\[[\"'](\w+)[\"']\]|[:.](\w+)$", symbol)
    if found is not None and keys:
        texts = {node.value for node in ast.walk(found) if isinstance(node, ast.Constant)}
        return all((first or second) in texts for first, second in keys)
    if found is not None:
        return True
    entry = function_named(module, "run_pipeline")
    if entry is not None and symbol in {argument.arg for argument in parameters(entry)}:
        return True
    words = {
        node.value for node in module.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return symbol in words
