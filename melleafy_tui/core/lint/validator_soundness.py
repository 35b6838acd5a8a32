"""A validator looks at the reply, can fail, and gives back what Mellea understands."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import Function, called, is_stub, keyword, parameters
from melleafy_tui.core.lint.view import PackageView

_VALIDATOR_SOUNDNESS_HINT = (
    "Return (False, reason) for a text that breaks the rule, or leave the rule to the judge."
)


def check_validator_soundness(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the validators that say nothing."""
    for call in module.calls:
        name = called(call)
        if name == "simple_validate" and call.args:
            yield from _judge(view, module, call.args[0])
        if name == "_stubbed" and len(call.args) > 1:
            yield from _judge(view, module, call.args[1])
        given = keyword(call, "validation_fn") if call.keywords else None
        if isinstance(given, ast.Lambda):
            yield from _judge(view, module, given)


def _judge(view: PackageView, module: Module, given: ast.expr) -> Iterator[Problem]:
    if isinstance(given, ast.Lambda):
        used = {node.id for node in ast.walk(given.body) if isinstance(node, ast.Name)}
        if not used & {argument.arg for argument in parameters(given)}:
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
    yield from _judge_function(home, function)


def _judge_function(home: Module, function: Function) -> Iterator[Problem]:
    returns = [node for node in _own_nodes(function) if isinstance(node, ast.Return)]
    names = {argument.arg for argument in parameters(function)}
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    if returns and all(_always_true(node.value) for node in returns):
        yield home.problem(function, f"{function.name} passes every reply", _VALIDATOR_SOUNDNESS_HINT)
    elif not names & used:
        yield home.problem(function, f"{function.name} does not look at the reply", _VALIDATOR_SOUNDNESS_HINT)
    elif not returns:
        yield home.problem(function, f"{function.name} gives nothing back", _VALIDATOR_SOUNDNESS_HINT)
    for node in returns:
        if _wrong_kind(node.value):
            what = f"{function.name} gives back something other than a bool or (bool, reason)"
            yield home.problem(node, what, "Return a bool, (bool, reason) or a ValidationResult.")


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            pending += ast.iter_child_nodes(node)


def _always_true(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    if isinstance(value, ast.Call) and called(value) == "ValidationResult" and value.args:
        value = value.args[0]
    return isinstance(value, ast.Constant) and value.value is True


def _wrong_kind(value: ast.expr | None) -> bool:
    if value is None or isinstance(value, ast.List | ast.Dict | ast.JoinedStr):
        return True
    return isinstance(value, ast.Constant) and not isinstance(value.value, bool)


def _resolved(view: PackageView, module: Module, name: str) -> tuple[Module | None, Function | None]:
    """Return where a function stands; no module at all where the name is unknown."""
    nested = next((found for found in module.functions if found.name == name), None)
    if nested is not None:
        return module, nested
    if any(argument.arg == name for function in module.functions for argument in parameters(function)):
        return module, None
    found = module.defined.get(name)
    if isinstance(found, ast.ImportFrom) and found.level and found.module:
        home = view.module_at(f"{found.module.replace('.', '/')}.py")
        if home is not None:
            target = home.defined.get(name)
            return home, target if isinstance(target, Function) else None
    return (module, None) if found is not None else (None, None)
