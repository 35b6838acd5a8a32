"""Lints that compare the files of a package with the paths in its code, its mapping and its inventory."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, TypeGuard

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import text_in
from melleafy_tui.core.lint.linted_package import (
    ENVIRONMENT_EXAMPLE,
    INVENTORY,
    MAPPING,
    PLAN,
    Inventory,
    NotValidatable,
    Package,
)
from melleafy_tui.core.lint.modules import Module, Problem, dotted, function_named, parameter_names
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import FileCoverage
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.secrets.detector import certain_secrets, is_free

_OWN_PATH: Final = re.compile(r"(?:\w+\.)*\w*Path\(__file__\)(?:\.(?:resolve|absolute)\(\))?")


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
        text = text_in(part)
        if text is None:
            return "/".join([*path, ""])
        path += text.strip("/").split("/")
    return "/".join(path)


BUNDLED: Final = ("references/", "scripts/", "assets/", "./references/", "./scripts/", "./assets/")


def check_asset_paths(package: Package, module: Module) -> Iterator[Problem]:
    """Yield the bundled paths that do not exist."""
    for call in module.calls:
        first = text_in(call.args[0]) if call.args else None
        opens = dotted(call.func) in ("open", "Path", "pathlib.Path", "os.path.join")
        if opens and first is not None and f"{first}/".startswith(BUNDLED):
            yield module.problem(call, f"{first} is looked up in the current folder")
    if module.name.startswith("fixtures/"):
        return
    for node, path in bundled_paths(module):
        if not path:
            yield module.problem(node, "a path leaves the package")
        elif path.startswith(BUNDLED) and not package.has(path):
            yield module.problem(node, f"{path} is not in the package", "Bundle the file, or drop the path.")


NO_TARGET: Final = ("", "none", "report")


def check_cross_reference(package: Package) -> Iterator[Problem]:
    """Yield the targets of the plan and the mapping that do not exist in the package."""
    mappings = package.record(MAPPING, ElementMapping).mappings
    entries = package.record(PLAN, DependencyPlan).entries
    planned = {element: entry.target for entry in entries for element in entry.source_elements}
    amended = (row for row in mappings if planned.get(row.element_id, row.target) == row.target)
    rows = [(PLAN, entry.entry_id, entry.target) for entry in entries]
    rows += [(MAPPING, row.mapping_id, row.target) for row in amended if row.primitive not in NO_TARGET]
    missing = {target: _missing(package, target) for target in {target for _, _, target in rows}}
    for file, row_id, target in rows:
        if said := missing[target]:
            yield package.problem(file, f"{row_id} names {target}: {said}")


def _missing(package: Package, target: str) -> str:
    """Return the missing part of a target, or `""` if it is complete."""
    file, _, symbol = target.partition(":")
    if not file or (file == ENVIRONMENT_EXAMPLE and package.stands_alone):
        return ""
    path = package.path_of(file)
    if not path:
        return "" if package.has(file) else "there is no such file"
    if not symbol:
        return ""
    if file == "main.py" and symbol.startswith("--"):
        return _missing_flag(package, symbol)
    if file.endswith(".py"):
        module = package.modules.get(file)
        return "" if module is None or _has(module, symbol) else f"the file has no {symbol}"
    held = symbol.encode() in package.files[path].data
    return "" if held else f"the file does not mention {symbol}"


def _missing_flag(package: Package, flag: str) -> str:
    """Return what is missing of a flag: the command line takes one for each parameter of run_pipeline."""
    entry = function_named(package.modules.get("pipeline.py"), "run_pipeline")
    main = package.modules.get("main.py")
    name = flag.removeprefix("--").replace("-", "_")
    switches = {given.arg for call in main.calls for given in call.keywords} if main else set()
    known = name in switches or (entry is not None and name in parameter_names(entry))
    return "" if known else f"run_pipeline has no parameter {name}"


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


class Coverage(Struct, frozen=True):
    """The fields of `coverage_report.json` that lints read."""

    files: tuple[FileCoverage, ...]


REPORT: Final = "intermediate/coverage_report.json"
_SHOWN_LINES: Final = 5


def check_coverage(package: Package) -> Iterator[Problem]:
    """Yield the elements of the inventory that the plan or the mapping lacks."""
    for file in package.record(REPORT, Coverage).files:
        if file.uncovered_lines:
            shown = ", ".join(map(str, file.uncovered_lines[:_SHOWN_LINES]))
            more = ", …" if len(file.uncovered_lines) > _SHOWN_LINES else ""
            yield package.problem(REPORT, f"{file.path}: no element has line {shown}{more}")
    elements = package.record(INVENTORY, Inventory).elements
    mapped = {row.element_id for row in package.record(MAPPING, ElementMapping).mappings}
    entries = package.record(PLAN, DependencyPlan).entries
    planned = set(chain.from_iterable(entry.source_elements for entry in entries))
    for element in elements:
        place = f"{element.element_id} ({element.source_file}:{element.source_lines})"
        if element.element_id not in mapped:
            yield package.problem(MAPPING, f"{place} has no mapping")
        if element.category != Category.NONE and element.element_id not in planned:
            yield package.problem(PLAN, f"{place} has no plan entry")
    for lost in sorted((mapped | planned) - {element.element_id for element in elements}):
        yield package.problem(MAPPING, f"{lost} is in no inventory")


UNQUALIFIED: Final = re.compile(r"mcp__(?!\w+?__\w)\w*")
LARGEST: Final = 2_000_000


def check_secrets(package: Package, file: EmittedFile) -> Iterator[Problem]:
    """Yield the secrets in a file, except values that the user released."""
    if len(file.data) > LARGEST or b"\0" in file.data:
        return
    text = file.data.decode("utf-8", "replace")
    for found in certain_secrets(text):
        if not is_free(found.kind, text[found.start : found.end], _released(package)):
            line, column = (
                text.count("\n", 0, found.start) + 1,
                found.start - text.rfind("\n", 0, found.start),
            )
            yield Problem(file.path, line, column, f"it holds what looks like a secret ({found.kind})")


def _released(package: Package) -> frozenset[str]:
    """Return the released digests that the package records."""
    try:
        return frozenset(package.record(INVENTORY, Inventory).released_secrets)
    except NotValidatable:
        return frozenset()


def check_tool_names(module: Module) -> Iterator[Problem]:
    """Yield the names of MCP tools that lack their server."""
    for node in module.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and UNQUALIFIED.fullmatch(node.value)
        ):
            hint = "Write mcp__<server>__<tool>."
            yield module.problem(node, f"{node.value} does not name server and tool", hint)
