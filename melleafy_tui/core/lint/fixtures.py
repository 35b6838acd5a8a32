"""Lints of the fixtures, which are read from the code without running it."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import text_in
from melleafy_tui.core.lint.files import bundled_paths
from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import (
    Module,
    Problem,
    defaults,
    parameters,
)

INDEX: Final = "fixtures/__init__.py"
LIST: Final = "ALL_FIXTURES"
CASE: Final = "Case"
CASE_ARGUMENTS: Final = (
    *("id", "description", "inputs", "script", "expect", "unmet", "error", "web", "environment", "now"),
)


class _Fixture(Struct, frozen=True):
    """One case of ALL_FIXTURES; parts that can't be read are None, `problem` says what makes it no fixture."""

    node: ast.Call
    name: str
    inputs: ast.Dict | None
    fixture_id: str | None
    problem: str


def _modules(package: Package) -> list[Module]:
    """Return the printed modules of the fixtures.

    Raises:
        NotValidatable: The package has no fixtures.
    """
    if not package.has("fixtures/"):
        raise NotValidatable("the package has no fixtures")
    return [found for name, found in package.printed_modules.items() if name.startswith("fixtures/")]


def _listed(package: Package) -> tuple[Module, list[ast.expr] | None]:
    """Return the module with ALL_FIXTURES and the items of that list (None if it isn't a list display).

    Raises:
        NotValidatable: The package has no fixtures.
    """
    _ = _modules(package)
    index = package.module(INDEX)
    found = index.defined.get(LIST)
    value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
    return index, list(value.elts) if isinstance(value, ast.List | ast.Tuple) else None


def _is_case(item: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == CASE


def _read_case(call: ast.Call) -> _Fixture:
    given = dict(zip(CASE_ARGUMENTS, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    inputs, fixture_id = given.get("inputs"), text_in(given.get("id"))
    unknown = [keyword.arg for keyword in call.keywords if keyword.arg not in CASE_ARGUMENTS]
    absent = [name for name in CASE_ARGUMENTS[:3] if name not in given]
    problem = f"lacks {absent[0]}" if absent else ""
    if unknown or len(call.args) > len(CASE_ARGUMENTS):
        problem = f"takes no {unknown[0]}" if unknown and unknown[0] else "has too many arguments"
    name = f"{CASE} {fixture_id or 'without an id'}"
    return _Fixture(call, name, inputs if isinstance(inputs, ast.Dict) else None, fixture_id, problem)


def check_fixture_files(package: Package) -> Iterator[Problem]:
    """Yield the data files that fixtures name and that are missing."""
    for module in _modules(package):
        for node, path in bundled_paths(module):
            if not path or not package.has(path):
                yield module.problem(node, f"the data file {path or 'outside the package'} does not exist")


PLAIN: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
}


def check_fixture_inputs(package: Package) -> Iterator[Problem]:
    """Yield the fixture inputs that `run_pipeline` does not accept."""
    declared = {argument.arg: argument for argument in parameters(package.entry)}
    required = declared.keys() - defaults(package.entry)
    index, items = _listed(package)
    for fixture in map(_read_case, filter(_is_case, items or ())):
        if fixture.inputs is not None:
            yield from _judged_inputs(index, fixture.inputs, declared)
            given = {text_in(key) for key in fixture.inputs.keys}
            for name in sorted(required - given):
                yield index.problem(fixture.inputs, f"the inputs lack {name}", f"Add {name!r}.")


def _judged_inputs(module: Module, inputs: ast.Dict, declared: Mapping[str, ast.arg]) -> Iterator[Problem]:
    for key, value in zip(inputs.keys, inputs.values, strict=True):
        name = text_in(key)
        if name is None:
            yield module.problem(key or inputs, "a key of the inputs is not a string", "Name a parameter.")
        elif name not in declared:
            hint = f"It takes: {', '.join(declared)}."
            yield module.problem(key or inputs, f"run_pipeline has no parameter {name}", hint)
        elif (annotation := declared[name].annotation) is not None and not _fits(annotation, value):
            yield module.problem(value, f"{name} takes {ast.unparse(annotation)}")


def _fits(annotation: ast.expr, value: ast.expr) -> bool:
    options = ast.unparse(annotation).split(" | ")
    plain = tuple(kind for option in options for kind in PLAIN.get(option, ()))
    if not isinstance(value, ast.Constant):
        return bool(plain) or any(option.startswith(("list", "dict", "object")) for option in options)
    if value.value is None:
        return "None" in options
    if isinstance(value.value, bool):
        return bool in plain or not plain
    return isinstance(value.value, plain)


FEWEST, MOST = 5, 8
_LONGEST_CODE: Final = 60


def check_fixtures_contract(package: Package) -> Iterator[Problem]:
    """Yield the fixtures that are listed wrongly, depend on other code, or give no inputs, id and description."""
    index, items = _listed(package)
    if items is None:
        yield package.problem(INDEX, f"{LIST} is not a list", "Write ALL_FIXTURES = [Case(…), Case(…)].")
        return
    for item in items:
        if not _is_case(item):
            code = ast.unparse(item)
            shown = code if len(code) <= _LONGEST_CODE else f"{code[:_LONGEST_CODE]}…"
            yield index.problem(item, f"{shown} in {LIST} is no case")
    if package.has("melleafy.json") and not FEWEST <= len(items) <= MOST:
        what = f"there are {len(items)} fixtures"
        yield index.problem(index.defined[LIST], what, f"Keep {FEWEST} to {MOST}.")
    seen: set[str] = set()
    for fixture in map(_read_case, filter(_is_case, items)):
        yield from _judged_contract(index, fixture, seen)
    for module in _modules(package):
        yield from _imports_from_above(package, module)


def _imports_from_above(package: Package, module: Module) -> Iterator[Problem]:
    for node in module.nodes:
        if not isinstance(node, ast.ImportFrom):
            continue
        by_name = node.level == 0 and (node.module or "").partition(".")[0] == package.name
        if node.level > 1 or by_name:
            what = "a fixture imports from above fixtures/"
            yield module.problem(node, what, "Keep fixtures self-contained.")


def _judged_contract(module: Module, fixture: _Fixture, seen: set[str]) -> Iterator[Problem]:
    node, name = fixture.node, fixture.name
    if fixture.problem:
        yield module.problem(node, f"{name} {fixture.problem}")
        return
    if fixture.inputs is None:
        yield module.problem(node, f"the inputs of {name} are not a dict")
    if not fixture.fixture_id:
        yield module.problem(node, f"{name} has no id")
    elif fixture.fixture_id in seen:
        yield module.problem(node, f"two fixtures are called {fixture.fixture_id}", "Give each its own id.")
    seen.add(fixture.fixture_id or "")
