"""Lints of the fixtures, which are read from the code without running it."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from melleafy_tui.core.language.python_syntax import text_in
from melleafy_tui.core.lint.files import bundled_paths
from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import Module, Problem, called, defaults, parameters

INDEX: Final = "fixtures/__init__.py"
LIST: Final = "ALL_FIXTURES"
CASE: Final = "Case"
CASE_ARGUMENTS: Final = (
    *("id", "description", "inputs", "script", "expect", "unmet", "error", "web", "environment", "now"),
)
FEWEST, MOST = 5, 8
_LONGEST_CODE: Final = 60

Given = Mapping[str, ast.expr]
"""The arguments of one case by name."""


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
    value = getattr(index.defined.get(LIST), "value", None)
    return index, list(value.elts) if isinstance(value, ast.List | ast.Tuple) else None


def _cases(items: Iterable[ast.expr]) -> Iterator[tuple[ast.Call, Given]]:
    """Yield the cases among the items of ALL_FIXTURES, each with its arguments."""
    for item in items:
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and called(item) == CASE:
            by_place = dict(zip(CASE_ARGUMENTS, item.args, strict=False))
            yield item, by_place | {given.arg: given.value for given in item.keywords if given.arg}


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
    declared = {argument.arg: argument.annotation for argument in parameters(package.entry)}
    required = declared.keys() - defaults(package.entry)
    index, items = _listed(package)
    for _, given in _cases(items or ()):
        inputs = given.get("inputs")
        if not isinstance(inputs, ast.Dict):
            continue
        for key, value in zip(inputs.keys, inputs.values, strict=True):
            name, place = text_in(key), key or inputs
            if name is None:
                yield index.problem(place, "a key of the inputs is not a string", "Name a parameter.")
            elif name not in declared:
                hint = f"It takes: {', '.join(declared)}."
                yield index.problem(place, f"run_pipeline has no parameter {name}", hint)
            elif (annotation := declared[name]) is not None and not _fits(annotation, value):
                yield index.problem(value, f"{name} takes {ast.unparse(annotation)}")
        for name in sorted(required - set(map(text_in, inputs.keys))):
            yield index.problem(inputs, f"the inputs lack {name}", f"Add {name!r}.")


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


def check_fixtures_contract(package: Package) -> Iterator[Problem]:
    """Yield the fixtures that are listed wrongly, depend on other code, or give no inputs, id and description."""
    index, items = _listed(package)
    if items is None:
        yield package.problem(INDEX, f"{LIST} is not a list", "Write ALL_FIXTURES = [Case(…), Case(…)].")
        return
    if package.has("melleafy.json") and not FEWEST <= len(items) <= MOST:
        what = f"there are {len(items)} fixtures"
        yield index.problem(index.defined[LIST], what, f"Keep {FEWEST} to {MOST}.")
    cases = list(_cases(items))
    for item in set(items) - {node for node, _ in cases}:
        code = ast.unparse(item)
        shown = code if len(code) <= _LONGEST_CODE else f"{code[:_LONGEST_CODE]}…"
        yield index.problem(item, f"{shown} in {LIST} is no case")
    seen: set[str | None] = set()
    for node, given in cases:
        yield from _judged_case(index, node, given, seen)
        seen.add(text_in(given.get("id")))
    for module in _modules(package):
        for statement in module.nodes:
            if isinstance(statement, ast.ImportFrom) and _leaves_fixtures(statement, package.name):
                what = "a fixture imports from above fixtures/"
                yield module.problem(statement, what, "Keep fixtures self-contained.")


def _leaves_fixtures(statement: ast.ImportFrom, package: str) -> bool:
    return statement.level > 1 or (
        statement.level == 0 and (statement.module or "").partition(".")[0] == package
    )


def _judged_case(module: Module, node: ast.Call, given: Given, seen: set[str | None]) -> Iterator[Problem]:
    case_id = text_in(given.get("id"))
    name = f"{CASE} {case_id or 'without an id'}"
    if unknown := [key for key in given if key not in CASE_ARGUMENTS]:
        yield module.problem(node, f"{name} takes no {unknown[0]}")
    elif len(node.args) > len(CASE_ARGUMENTS):
        yield module.problem(node, f"{name} has too many arguments")
    elif absent := [key for key in CASE_ARGUMENTS[:3] if key not in given]:
        yield module.problem(node, f"{name} lacks {absent[0]}")
    elif not isinstance(given["inputs"], ast.Dict):
        yield module.problem(node, f"the inputs of {name} are not a dict")
    elif not case_id:
        yield module.problem(node, f"{name} has no id")
    elif case_id in seen:
        yield module.problem(node, f"two fixtures are called {case_id}", "Give each its own id.")
