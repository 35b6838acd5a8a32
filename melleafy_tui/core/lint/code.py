"""Lints of the emitted code: syntax, static modules, template text, validators and undefined names."""

import ast
import builtins
import json
import tomllib
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    called,
    is_parameter,
    is_stub,
    keyword,
    names_in,
    own_nodes,
    parameter_names,
    session_calls,
)
from melleafy_tui.core.source.json5 import read_json


def check_parseable(package: Package) -> Iterator[Problem]:
    """Yield why a file does not parse."""
    yield from (module.unreadable for module in package.every_module.values() if module.unreadable)
    for file in package.printed:
        if package.is_carried(file.path.removeprefix(f"{package.name}/")):
            continue
        try:
            if file.path.endswith(".json"):
                read_json(file.data)
            elif file.path.endswith(".toml"):
                tomllib.loads(file.data.decode("utf-8"))
        except json.JSONDecodeError as error:
            yield Problem(file.path, error.lineno, error.colno, f"it is not valid JSON: {error.msg}")
        except (ValueError, RecursionError) as error:
            yield Problem(file.path, 0, 0, f"it cannot be read: {error}")


def check_static_modules(package: Package) -> Iterator[Problem]:
    """Yield the static modules that have other bytes than those of this release."""
    for file in package.edited:
        yield Problem(file.path, 0, 0, "it says that it is a static module, and differs from this release's")


_TEMPLATE_ENGINES: Final = frozenset({"jinja2", "mako", "chevron"})


def check_template_text(module: Module) -> Iterator[Problem]:
    """Yield the calls in which source text could be rendered as a template."""
    for call in module.calls:
        if keyword(call, "user_variables") is not None:
            yield module.problem(call, "user_variables renders every text of the call as a template")
    for call in session_calls(module):
        if any(given.arg is None for given in call.keywords):
            yield module.problem(call, "unpacked keywords could hide user_variables", "Name each argument.")
    for node in module.nodes:
        if not _TEMPLATE_ENGINES.isdisjoint(_imported(node)):
            yield module.problem(node, "a template engine is imported")
        if isinstance(node, ast.Constant) and node.value == "user_variables":
            yield module.problem(node, "user_variables is named in a text")


def _imported(node: ast.AST) -> list[str]:
    """Return the top-level packages that a statement imports, if it is an import."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [(node.module or "").partition(".")[0]]
    return []


def check_validator_soundness(package: Package, module: Module) -> Iterator[Problem]:
    """Yield the validators that can't fail or are missing."""
    for call in module.calls:
        name = called(call)
        if name == "simple_validate" and call.args:
            yield from _judge(package, module, call.args[0])
        if name == "Piece" and (check := keyword(call, "check")) is not None:
            yield from _judge(package, module, check, passing="")
        given = keyword(call, "validation_fn")
        if isinstance(given, ast.Lambda):
            yield from _judge(package, module, given)


def _judge(
    package: Package, module: Module, given: ast.expr, *, passing: bool | str = True
) -> Iterator[Problem]:
    """Yield what is wrong with a validator; `passing` is what it returns for a text that keeps its rule."""
    if isinstance(given, ast.Lambda):
        if names_in(given.body).isdisjoint(parameter_names(given)):
            yield module.problem(given, "the validator does not look at the reply")
    elif isinstance(given, ast.Name):
        home, function = _resolved(package, module, given.id)
        if home is None:
            yield module.problem(
                given, f"the validator {given.id} is not defined", "Define it, or import it."
            )
        elif function is not None and not is_stub(function):
            yield from _judge_function(home, function, passing)


def _judge_function(home: Module, function: Function, passing: bool | str) -> Iterator[Problem]:
    returns = [node for node in own_nodes(function) if isinstance(node, ast.Return)]
    if returns and all(_keeps_all(node.value, passing) for node in returns):
        yield home.problem(function, f"{function.name} passes every reply")
    elif names_in(function).isdisjoint(parameter_names(function)):
        yield home.problem(function, f"{function.name} does not look at the reply")
    elif not returns:
        yield home.problem(function, f"{function.name} returns nothing")
    for node in returns:
        if _wrong_kind(node.value, passing):
            kinds, hint = _KINDS[type(passing)]
            yield home.problem(node, f"{function.name} returns something other than {kinds}", hint)


_KINDS: Final = {
    bool: ("a bool or (bool, reason)", "Return a bool, (bool, reason) or a ValidationResult."),
    str: ("a reason or an empty text", "Return why the text breaks the rule, or an empty text."),
}


def _keeps_all(value: ast.expr | None, passing: bool | str) -> bool:
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    if isinstance(value, ast.Call) and called(value) == "ValidationResult" and value.args:
        value = value.args[0]
    return isinstance(value, ast.Constant) and value.value == passing


def _wrong_kind(value: ast.expr | None, passing: bool | str) -> bool:
    others = ast.Tuple if isinstance(passing, str) else ast.JoinedStr
    if value is None or isinstance(value, ast.List | ast.Dict | others):
        return True
    return isinstance(value, ast.Constant) and not isinstance(value.value, type(passing))


def _resolved(package: Package, module: Module, name: str) -> tuple[Module | None, Function | None]:
    """Return the module and function that a name refers to; the module is None if the name is unknown."""
    nested = next((found for found in module.functions if found.name == name), None)
    if nested is not None or is_parameter(module, name):
        return module, nested
    found = package.definition(module, name)
    if found is None:
        return None, None
    home, statement = found
    return home, statement if isinstance(statement, Function) and not home.static else None


_KNOWN: Final = frozenset(dir(builtins)) | {"__file__", "__path__", "__annotations__"}
"""Names that every module has."""


def check_variable_safety(module: Module) -> Iterator[Problem]:
    """Yield the names that are used but never defined."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in module.tree.body):
        return
    seen = set(_KNOWN)
    unknown = _unknown(module)
    for node in sorted(
        (node for node in module.nodes if isinstance(node, ast.Name) and node.id in unknown),
        key=lambda node: (node.lineno, node.col_offset),
    ):
        if node.id not in seen and isinstance(node.ctx, ast.Load):
            seen.add(node.id)
            yield module.problem(node, f"{node.id} is not defined")


def _unknown(module: Module) -> set[str]:
    """Return the names that are read as globals and that no scope of the module binds."""
    read, bound = set[str](), set[str]()
    top = module.scopes[0]
    for scope in module.scopes:
        for symbol in scope.get_symbols():
            is_bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
            if is_bound and (scope is top or symbol.is_declared_global()):
                bound.add(symbol.get_name())
            if symbol.is_referenced() and (symbol.is_global() or scope is top):
                read.add(symbol.get_name())
    return read - bound
