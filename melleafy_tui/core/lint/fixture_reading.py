"""Fixtures as the lints read them: each factory with its inputs, id and description, without running it."""

import ast
from collections.abc import Iterator

from msgspec import Struct

from melleafy_tui.core.lint.module import Module
from melleafy_tui.core.lint.syntax import Function, function_named
from melleafy_tui.core.lint.view import NotValidatable, PackageView

INDEX = "fixtures/__init__.py"
LIST = "ALL_FIXTURES"


class Fixture(Struct, frozen=True):
    """One factory of ALL_FIXTURES; parts that cannot be read are None."""

    module: Module
    function: Function
    returned: ast.Tuple | None
    inputs: ast.Dict | None
    fixture_id: str | None


def listed(view: PackageView) -> tuple[Module, list[ast.expr] | None]:
    """Return the index of the fixtures, and the items of ALL_FIXTURES (None where it is no list display).

    Raises:
        NotValidatable: the package has no fixtures.
    """
    if not view.has("fixtures/"):
        raise NotValidatable("the package has no fixtures")
    index = view.module(INDEX)
    found = index.defined.get(LIST)
    value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
    return index, list(value.elts) if isinstance(value, ast.List | ast.Tuple) else None


def fixtures(view: PackageView) -> Iterator[Fixture]:
    """Yield the fixtures that can be found from ALL_FIXTURES."""
    index, items = listed(view)
    for item in items or ():
        found = factory(view, index, item.id) if isinstance(item, ast.Name) else None
        if found is not None:
            yield _read(*found)


def factory(view: PackageView, index: Module, name: str) -> tuple[Module, Function] | None:
    """Return the function that a name in the index stands for, and its module."""
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
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    returned = returns[-1].value if returns and isinstance(returns[-1].value, ast.Tuple) else None
    if returned is None or len(returned.elts) != 3:
        return Fixture(module, function, None, None, None)
    first, second, _ = returned.elts
    inputs = first if isinstance(first, ast.Dict) else _bound(function, first)
    fixture_id = second.value if isinstance(second, ast.Constant) and isinstance(second.value, str) else None
    return Fixture(module, function, returned, inputs, fixture_id)


def _bound(function: Function, name: ast.expr) -> ast.Dict | None:
    if not isinstance(name, ast.Name):
        return None
    for node in ast.walk(function):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        value = getattr(node, "value", None)
        if isinstance(value, ast.Dict) and any(isinstance(t, ast.Name) and t.id == name.id for t in targets):
            return value
    return None
