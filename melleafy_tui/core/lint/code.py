"""Lints of the emitted code: syntax, template text, validators and undefined names."""

import ast
import builtins
import json
import tomllib
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lint.artifacts import check_json
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    called,
    is_parameter,
    is_stub,
    keyword,
    names_in,
    parameter_names,
    session_calls,
)
from melleafy_tui.core.lint.view import PackageView
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile

_PARSEABLE_HINT = "Fix the syntax there."


def check_parseable(view: PackageView, file: EmittedFile) -> Iterator[Problem]:
    """Yield why a file does not parse."""
    name = file.path.removeprefix(f"{view.package}/")
    if name.startswith(CARRIED_FOLDERS) or not name.endswith((".py", ".json", ".toml")):
        return
    if name.endswith(".py"):
        yield from view.syntax_of(name)
        return
    try:
        if file.path.endswith(".json"):
            check_json(file.data)
        else:
            tomllib.loads(file.data.decode("utf-8"))
    except json.JSONDecodeError as error:
        yield Problem(
            file.path, error.lineno, error.colno, f"it is not valid JSON: {error.msg}", _PARSEABLE_HINT
        )
    except (ValueError, RecursionError) as error:
        yield Problem(file.path, 0, 0, f"it cannot be read: {error}", _PARSEABLE_HINT)


_TEMPLATE_ENGINES = frozenset({"jinja2", "mako", "chevron"})
_TEMPLATE_TEXT_HINT = "Pass the text itself, as a plain string."


def check_template_text(module: Module) -> Iterator[Problem]:
    """Yield the calls in which source text could be rendered as a template."""
    for call in module.calls:
        if _passes(call, "user_variables"):
            yield module.problem(
                call, "user_variables renders every text of the call as a template", _TEMPLATE_TEXT_HINT
            )
    for call in session_calls(module):
        if _passes(call, None):
            yield module.problem(call, "unpacked keywords could hide user_variables", "Name each argument.")
    for node in module.nodes:
        if not _TEMPLATE_ENGINES.isdisjoint(_imported(node)):
            yield module.problem(node, "a template engine is imported", _TEMPLATE_TEXT_HINT)
        if isinstance(node, ast.Constant) and node.value == "user_variables":
            yield module.problem(node, "user_variables is named in a text", _TEMPLATE_TEXT_HINT)


def _passes(call: ast.Call, name: str | None) -> bool:
    """Return whether a call has a keyword argument of this name, or unpacked ones for None."""
    return any(given.arg == name for given in call.keywords)


def _imported(node: ast.AST) -> list[str]:
    """Return the top-level packages that a statement imports, if it is an import."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [(node.module or "").partition(".")[0]]
    return []


_VALIDATOR_SOUNDNESS_HINT = "Return a reason for a text that breaks the rule, or leave the rule to the judge."


def check_validator_soundness(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the validators that can't fail or are missing."""
    for call in module.calls:
        name = called(call)
        if name == "simple_validate" and call.args:
            yield from _judge(view, module, call.args[0])
        if name == "stubbed" and len(call.args) > 1:
            yield from _judge(view, module, call.args[1], passing="")
        given = keyword(call, "validation_fn") if call.keywords else None
        if isinstance(given, ast.Lambda):
            yield from _judge(view, module, given)


def _judge(
    view: PackageView, module: Module, given: ast.expr, *, passing: bool | str = True
) -> Iterator[Problem]:
    """Yield what is wrong with a validator; `passing` is what it returns for a text that keeps its rule."""
    if isinstance(given, ast.Lambda):
        if names_in(given.body).isdisjoint(parameter_names(given)):
            yield module.problem(given, "the validator does not look at the reply", _VALIDATOR_SOUNDNESS_HINT)
        return
    if not isinstance(given, ast.Name):
        return
    home, function = _resolved(view, module, given.id)
    if function is None:
        if home is None:
            yield module.problem(
                given, f"the validator {given.id} is not defined", "Define it, or import it."
            )
        return
    if is_stub(function) or home is None:
        return
    yield from _judge_function(home, function, passing)


def _judge_function(home: Module, function: Function, passing: bool | str) -> Iterator[Problem]:
    returns = [node for node in _own_nodes(function) if isinstance(node, ast.Return)]
    if returns and all(_keeps_all(node.value, passing) for node in returns):
        yield home.problem(function, f"{function.name} passes every reply", _VALIDATOR_SOUNDNESS_HINT)
    elif names_in(function).isdisjoint(parameter_names(function)):
        yield home.problem(function, f"{function.name} does not look at the reply", _VALIDATOR_SOUNDNESS_HINT)
    elif not returns:
        yield home.problem(function, f"{function.name} returns nothing", _VALIDATOR_SOUNDNESS_HINT)
    for node in returns:
        if _wrong_kind(node.value, passing):
            kinds, hint = _KINDS[type(passing)]
            yield home.problem(node, f"{function.name} returns something other than {kinds}", hint)


_KINDS: Final = {
    bool: ("a bool or (bool, reason)", "Return a bool, (bool, reason) or a ValidationResult."),
    str: ("a reason or an empty text", "Return why the text breaks the rule, or an empty text."),
}


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            pending += ast.iter_child_nodes(node)


def _keeps_all(value: ast.expr | None, passing: bool | str) -> bool:
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    if isinstance(value, ast.Call) and called(value) == "ValidationResult" and value.args:
        value = value.args[0]
    return isinstance(value, ast.Constant) and value.value == passing


def _wrong_kind(value: ast.expr | None, passing: bool | str) -> bool:
    if value is None or isinstance(value, ast.List | ast.Dict):
        return True
    others = ast.Tuple if isinstance(passing, str) else ast.JoinedStr
    if isinstance(value, others):
        return True
    return isinstance(value, ast.Constant) and not isinstance(value.value, type(passing))


def _resolved(view: PackageView, module: Module, name: str) -> tuple[Module | None, Function | None]:
    """Return the module and function that a name refers to; the module is None if the name is unknown."""
    nested = next((found for found in module.functions if found.name == name), None)
    if nested is not None:
        return module, nested
    if is_parameter(module, name):
        return module, None
    found = module.defined.get(name)
    home = _sibling(view, found)
    if home is not None:
        target = home.defined.get(name)
        return home, target if isinstance(target, Function) else None
    return (module, None) if found is not None else (None, None)


def _sibling(view: PackageView, found: ast.stmt | None) -> Module | None:
    """Return the module of the package that a relative import names, or None."""
    if isinstance(found, ast.ImportFrom) and found.level and found.module:
        return view.module_at(f"{found.module.replace('.', '/')}.py")
    return None


_MODULE_NAMES = frozenset(
    {
        "__file__",
        "__name__",
        "__doc__",
        "__package__",
        "__path__",
        "__spec__",
        "__loader__",
        "__annotations__",
        "__builtins__",
    }
)
_KNOWN = frozenset(dir(builtins)) | _MODULE_NAMES


def check_variable_safety(module: Module) -> Iterator[Problem]:
    """Yield the names that are used but never defined."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in module.tree.body):
        return
    unknown = _unknown(module)
    if unknown:
        yield from _reported(module, unknown)


def _reported(module: Module, unknown: set[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for node in sorted(
        (node for node in module.nodes if isinstance(node, ast.Name) and node.id in unknown),
        key=lambda node: (node.lineno, node.col_offset),
    ):
        if node.id not in seen and isinstance(node.ctx, ast.Load):
            seen.add(node.id)
            yield module.problem(node, f"{node.id} is not defined", "Define it, or import it.")


def _unknown(module: Module) -> set[str]:
    read, declared = set[str](), set[str]()
    table = module.scopes[0]
    for scope in module.scopes:
        for symbol in scope.get_symbols():
            if symbol.is_declared_global() and symbol.is_assigned():
                declared.add(symbol.get_name())
            if symbol.is_referenced() and (symbol.is_global() or scope is table):
                read.add(symbol.get_name())
    bound = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }
    return read - bound - declared - _KNOWN
