"""Lints of the fixtures, which are read from the code without running it."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from msgspec import Struct

from melleafy_tui.core.lint.files import bundled_paths
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    defaults,
    dotted,
    function_named,
    parameters,
)
from melleafy_tui.core.lint.view import NotValidatable, PackageView

INDEX = "fixtures/__init__.py"
LIST = "ALL_FIXTURES"


CASE = "Case"
CASE_ARGUMENTS = ("id", "description", "inputs", "expect", "script", "web", "environment")


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


def listed(view: PackageView) -> tuple[Module, list[ast.expr] | None]:
    """Return the module with ALL_FIXTURES and the items of that list (None if it isn't a list display).

    Raises:
        NotValidatable: The package has no fixtures.
    """
    if not view.has("fixtures/"):
        raise NotValidatable("the package has no fixtures")
    index = view.module(INDEX)
    found = index.defined.get(LIST)
    value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
    return index, list(value.elts) if isinstance(value, ast.List | ast.Tuple) else None


def fixtures(view: PackageView) -> Iterator[Fixture]:
    """Yield the fixtures that ALL_FIXTURES lists and that can be found."""
    index, items = listed(view)
    for item in items or ():
        if is_case(item):
            yield _read_case(index, item)
        elif isinstance(item, ast.Name) and (found := factory(view, index, item.id)) is not None:
            yield _read(*found)


def is_case(item: ast.expr) -> TypeGuard[ast.Call]:
    """Return whether an item of the list is a case as data."""
    return isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id == CASE


def _read_case(module: Module, call: ast.Call) -> Fixture:
    given = dict(zip(CASE_ARGUMENTS, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    inputs = given.get("inputs")
    fixture_id = _text(given.get("id"))
    return Fixture(
        module,
        call,
        f"{CASE} {fixture_id or 'without an id'}",
        inputs if isinstance(inputs, ast.Dict) else None,
        fixture_id,
        _case_problem(call, given),
    )


def _case_problem(call: ast.Call, given: Mapping[str, ast.expr]) -> str:
    """Return what is wrong with the arguments of a case, or `""`."""
    unknown = [keyword.arg for keyword in call.keywords if keyword.arg not in CASE_ARGUMENTS]
    if unknown and unknown[0]:
        return f"takes no {unknown[0]}"
    if unknown or len(call.args) > len(CASE_ARGUMENTS):
        return "has too many arguments"
    absent = next((name for name in CASE_ARGUMENTS[:3] if name not in given), "")
    return f"lacks {absent}" if absent else ""


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def factory(view: PackageView, index: Module, name: str) -> tuple[Module, Function] | None:
    """Return the function that a name in the index refers to, and its module."""
    own = function_named(index, name)
    if own is not None:
        return index, own
    found = index.defined.get(name)
    if isinstance(found, ast.ImportFrom) and found.module:
        inner = found.module.removeprefix(f"{view.package}.fixtures.").replace(".", "/")
        home = view.module_at(f"fixtures/{inner}.py")
        original = next((alias.name for alias in found.names if (alias.asname or alias.name) == name), name)
        function = function_named(home, original) if home else None
        if home is not None and function is not None:
            return home, function
    return None


def _read(module: Module, function: Function) -> Fixture:
    name = function.name
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    returned = returns[-1].value if returns and isinstance(returns[-1].value, ast.Tuple) else None
    if isinstance(function, ast.AsyncFunctionDef) or returned is None or len(returned.elts) != 3:
        return Fixture(module, function, name, problem="does not return three values")
    first, second, _ = returned.elts
    inputs = first if isinstance(first, ast.Dict) else _bound(function, first)
    problem = "takes arguments" if parameters(function) else ""
    return Fixture(module, function, name, inputs, _text(second), problem)


def _bound(function: Function, name: ast.expr) -> ast.Dict | None:
    if not isinstance(name, ast.Name):
        return None
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(dotted(target) == name.id for target in targets):
                return node.value
    return None


def check_fixture_files(view: PackageView) -> Iterator[Problem]:
    """Yield the data files that fixtures name and that are missing."""
    if not view.has("fixtures/"):
        raise NotValidatable("the package has no fixtures")
    for name, module in view.modules.items():
        if not name.startswith("fixtures/"):
            continue
        for node, path in bundled_paths(module):
            if not path or not (view.has(path) or view.has(f"{path.rstrip('/')}/")):
                what = f"the data file {path or 'outside the package'} does not exist"
                yield module.problem(node, what, "Add the file beside the fixture, or give the text itself.")


PLAIN: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
}


def check_fixture_inputs(view: PackageView) -> Iterator[Problem]:
    """Yield the fixture inputs that `run_pipeline` does not accept."""
    entry = function_named(view.module("pipeline.py"), "run_pipeline")
    if entry is None:
        raise NotValidatable("pipeline.py has no run_pipeline")
    declared = {argument.arg: argument for argument in parameters(entry)}
    required = [name for name in declared if name not in defaults(entry)]
    for fixture in fixtures(view):
        if fixture.inputs is not None:
            yield from _judged_inputs(fixture.module, fixture.inputs, declared, required)


def _judged_inputs(
    module: Module, inputs: ast.Dict, declared: Mapping[str, ast.arg], required: Sequence[str]
) -> Iterator[Problem]:
    given: set[str] = set()
    for key, value in zip(inputs.keys, inputs.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            yield module.problem(key or inputs, "a key of the inputs is not a string", "Name a parameter.")
            continue
        given.add(key.value)
        if key.value not in declared:
            hint = f"It takes: {', '.join(declared)}."
            yield module.problem(key, f"run_pipeline has no parameter {key.value}", hint)
        elif not _fits(declared[key.value], value):
            wanted = ast.unparse(declared[key.value].annotation or ast.Name("object"))
            what = f"{key.value} takes {wanted}"
            yield module.problem(value, what, "Give a plain value of that type, or leave it out.")
    for name in required:
        if name not in given:
            yield module.problem(inputs, f"the inputs lack {name}", f"Add {name!r}.")


def _fits(parameter: ast.arg, value: ast.expr) -> bool:
    if parameter.annotation is None:
        return True
    options = ast.unparse(parameter.annotation).split(" | ")
    plain = tuple(kind for option in options for kind in PLAIN.get(option, ()))
    if not isinstance(value, ast.Constant):
        return bool(plain) or any(option.startswith(("list", "dict", "object")) for option in options)
    if value.value is None:
        return "None" in options
    if isinstance(value.value, bool):
        return bool in plain or not plain
    return isinstance(value.value, plain)


FEWEST, MOST = 5, 8
_FIXTURES_CONTRACT_HINT = (
    "Write Case(id, description, inputs, …), or a function that returns (inputs, id, description)."
)


def check_fixtures_contract(view: PackageView) -> Iterator[Problem]:
    """Yield the fixtures that are listed wrongly, depend on other code, or give no inputs, id and description."""
    index, items = listed(view)
    if items is None:
        yield view.problem(INDEX, f"{LIST} is not a list", "Write ALL_FIXTURES = [Case(…), Case(…)].")
        return
    for item in items:
        if not is_case(item) and (not isinstance(item, ast.Name) or factory(view, index, item.id) is None):
            what = (
                f"{shortened(ast.unparse(item))} in {LIST} is no case, and leads to no function of fixtures/"
            )
            yield index.problem(item, what, _FIXTURES_CONTRACT_HINT)
    if view.has("melleafy.json") and not FEWEST <= len(items) <= MOST:
        yield index.problem(
            index.defined[LIST], f"there are {len(items)} fixtures", f"Keep {FEWEST} to {MOST}."
        )
    seen: set[str] = set()
    for fixture in fixtures(view):
        yield from _judged_fixtures_contract(fixture, seen)
    for name, module in view.modules.items():
        if name.startswith("fixtures/"):
            yield from _imports_from_above(view, module)


def shortened(code: str) -> str:
    """Return the start of a piece of code."""
    return code if len(code) <= _LONGEST_CODE else f"{code[:_LONGEST_CODE]}…"


_LONGEST_CODE: Final = 60


def _imports_from_above(view: PackageView, module: Module) -> Iterator[Problem]:
    for node in module.nodes:
        above = isinstance(node, ast.ImportFrom) and (
            node.level > 1 or (node.level == 0 and (node.module or "").partition(".")[0] == view.package)
        )
        if above:
            yield module.problem(
                node, "a fixture imports from above fixtures/", "Keep fixtures self-contained."
            )


def _judged_fixtures_contract(fixture: Fixture, seen: set[str]) -> Iterator[Problem]:
    module, node, name = fixture.module, fixture.node, fixture.name
    if fixture.problem:
        yield module.problem(node, f"{name} {fixture.problem}", _FIXTURES_CONTRACT_HINT)
        return
    if fixture.inputs is None:
        yield module.problem(node, f"the inputs of {name} are not a dict", _FIXTURES_CONTRACT_HINT)
    if not fixture.fixture_id:
        yield module.problem(node, f"{name} has no id", _FIXTURES_CONTRACT_HINT)
    elif fixture.fixture_id in seen:
        yield module.problem(node, f"two fixtures are called {fixture.fixture_id}", "Give each its own id.")
    seen.add(fixture.fixture_id or "")
