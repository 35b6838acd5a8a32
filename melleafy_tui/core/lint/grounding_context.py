"""`grounding_context` is a dict of texts: each key a literal, each value made by `str(…)` or a text literal."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import dotted, keyword, parameters

_GROUNDING_CONTEXT_HINT = 'Write grounding_context={"name": str(value)}.'


def check_grounding_context(module: Module) -> Iterator[Problem]:
    """Yield the grounding contexts that are no texts."""
    for call in module.calls:
        given = keyword(call, "grounding_context")
        if given is not None:
            yield from _judged_grounding_context(module, given)


def _judged_grounding_context(module: Module, given: ast.expr) -> Iterator[Problem]:
    match given:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                    yield module.problem(
                        key or given, "a key of grounding_context is no text literal", _GROUNDING_CONTEXT_HINT
                    )
                if not _is_text(value):
                    yield module.problem(
                        value, "a value of grounding_context is not made by str(…)", _GROUNDING_CONTEXT_HINT
                    )
        case ast.Constant(value=None):
            pass
        case ast.Name(id=name) if _is_declared(module, name):
            pass
        case _:
            yield module.problem(given, "grounding_context is no dict display", _GROUNDING_CONTEXT_HINT)


def _is_text(value: ast.expr) -> bool:
    if isinstance(value, ast.JoinedStr):
        return True
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str)
    return isinstance(value, ast.Call) and dotted(value.func) == "str"


def _is_declared(module: Module, name: str) -> bool:
    """Return whether a name is annotated as `dict[str, str]` or bound to a display of texts."""
    for node in module.nodes:
        if isinstance(node, ast.AnnAssign) and dotted(node.target) == name:
            return ast.unparse(node.annotation) == "dict[str, str]"
        if isinstance(node, ast.Assign) and any(dotted(target) == name for target in node.targets):
            return isinstance(node.value, ast.Dict | ast.DictComp) and (
                all(_is_text(value) for value in node.value.values)
                if isinstance(node.value, ast.Dict)
                else _is_text(node.value.value)
            )
    return any(
        argument.arg == name
        and argument.annotation is not None
        and ast.unparse(argument.annotation) == "dict[str, str]"
        for function in module.functions
        for argument in parameters(function)
    )
