"""Lints of the fixtures, which are read from the code without running it."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from msgspec import Struct

from melleafy_tui.core.lint.files import bundled_paths
from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    defaults,
    dotted,
    function_named,
    parameters,
    text_in,
)

INDEX: Final = "fixtures/__init__.py"
LIST: Final = "ALL_FIXTURES"
CASE: Final = "Case"
CASE_ARGUMENTS: Final = (
    *("id", "description", "inputs", "script", "expect", "unmet", "error", "web", "environment", "now"),
)


class Fixture(Struct, frozen=True):
    """One fixture of ALL_FIXTURES, a case or a factory; parts that can't be read are None.

    Attributes:
        module: Its module.
        node: The call of Case, or the function.
        name: What findings call it.
        inputs: Its inputs.
        fixture_id: Its id.
        problem: What makes it no fixture, or `""`.
    """

    module: Module
    node: ast.expr | Function
    name: str
    inputs: ast.Dict | None = None
    fixture_id: str | None = None
    problem: str = ""


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


def _fixtures(package: Package) -> Iterator[Fixture]:
    """Yield the fixtures that ALL_FIXTURES lists and that can be found."""
    index, items = _listed(package)
    for item in items or ():
        if _is_case(item):
            yield _read_case(index, item)
        elif isinstance(item, ast.Name) and (found := _factory(package, index, item.id)) is not None:
            yield _read(*found)


def _is_case(item: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == CASE


def _read_case(module: Module, call: ast.Call) -> Fixture:
    given = dict(zip(CASE_ARGUMENTS, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    inputs, fixture_id = given.get("inputs"), text_in(given.get("id"))
    unknown = [keyword.arg for keyword in call.keywords if keyword.arg not in CASE_ARGUMENTS]
    absent = [name for name in CASE_ARGUMENTS[:3] if name not in given]
    problem = f"lacks {absent[0]}" if absent else ""
    if unknown or len(call.args) > len(CASE_ARGUMENTS):
        problem = f"takes no {unknown[0]}" if unknown and unknown[0] else "has too many arguments"
    name = f"{CASE} {fixture_id or 'without an id'}"
    return Fixture(module, call, name, inputs if isinstance(inputs, ast.Dict) else None, fixture_id, problem)


def _factory(package: Package, index: Module, name: str) -> tuple[Module, Function] | None:
    """Return the function that a name in the index refers to, and its module."""
    home: Module | None = index
    found = index.defined.get(name)
    if isinstance(found, ast.ImportFrom) and found.module:
        inner = found.module.removeprefix(f"{package.name}.fixtures.").replace(".", "/")
        home = package.modules.get(f"fixtures/{inner}.py")
        name = next((alias.name for alias in found.names if (alias.asname or alias.name) == name), name)
    function = function_named(home, name)
    return (home, function) if home is not None and function is not None else None


def _read(module: Module, function: Function) -> Fixture:
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    returned = returns[-1].value if returns and isinstance(returns[-1].value, ast.Tuple) else None
    if isinstance(function, ast.AsyncFunctionDef) or returned is None or len(returned.elts) != 3:
        return Fixture(module, function, function.name, problem="does not return three values")
    first, second, _ = returned.elts
    inputs = first if isinstance(first, ast.Dict) else _bound(function, first)
    problem = "takes arguments" if parameters(function) else ""
    return Fixture(module, function, function.name, inputs, text_in(second), problem)


def _bound(function: Function, name: ast.expr) -> ast.Dict | None:
    """Return the dict that a function binds to a name, or None."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(name, ast.Name) and name.id in map(dotted, targets):
                return node.value
    return None


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
    entry = function_named(package.module("pipeline.py"), "run_pipeline")
    if entry is None:
        raise NotValidatable("pipeline.py has no run_pipeline")
    declared = {argument.arg: argument for argument in parameters(entry)}
    required = declared.keys() - defaults(entry)
    for fixture in _fixtures(package):
        if fixture.inputs is not None:
            yield from _judged_inputs(fixture.module, fixture.inputs, declared)
            given = {text_in(key) for key in fixture.inputs.keys}
            for name in sorted(required - given):
                yield fixture.module.problem(fixture.inputs, f"the inputs lack {name}", f"Add {name!r}.")


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
        is_known = isinstance(item, ast.Name) and _factory(package, index, item.id) is not None
        if not (_is_case(item) or is_known):
            code = ast.unparse(item)
            shown = code if len(code) <= _LONGEST_CODE else f"{code[:_LONGEST_CODE]}…"
            what = f"{shown} in {LIST} is no case, and leads to no function of fixtures/"
            yield index.problem(item, what)
    if package.has("melleafy.json") and not FEWEST <= len(items) <= MOST:
        what = f"there are {len(items)} fixtures"
        yield index.problem(index.defined[LIST], what, f"Keep {FEWEST} to {MOST}.")
    seen: set[str] = set()
    for fixture in _fixtures(package):
        yield from _judged_contract(fixture, seen)
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


def _judged_contract(fixture: Fixture, seen: set[str]) -> Iterator[Problem]:
    module, node, name = fixture.module, fixture.node, fixture.name
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
