"""Questions that several lints ask of a syntax tree."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module

Function = ast.FunctionDef | ast.AsyncFunctionDef

ASKING_METHODS = (
    "instruct",
    "chat",
    "query",
    "transform",
    "act",
    "ainstruct",
    "achat",
    "aquery",
    "atransform",
    "aact",
)
"""Methods of a session that ask the model."""


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a name or a chain of attributes, else `""`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join(reversed([*parts, node.id]))


def called(call: ast.Call) -> str:
    """Return the name that is called, without what it hangs on: `instruct` for `m.instruct(…)`."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument, or None."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def session_calls(module: Module) -> Iterator[ast.Call]:
    """Yield the calls that ask the model through a session `m`."""
    for call in module.calls:
        if (
            isinstance(call.func, ast.Attribute)
            and dotted(call.func.value) == "m"
            and call.func.attr in ASKING_METHODS
        ):
            yield call


def is_session(item: ast.withitem) -> bool:
    """Return whether a `with` item opens a session."""
    return isinstance(item.context_expr, ast.Call) and called(item.context_expr) == "start_session"


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return the named parameters of a function in order."""
    declared = function.args
    return [*declared.posonlyargs, *declared.args, *declared.kwonlyargs]


def defaults(function: Function) -> dict[str, ast.expr]:
    """Return the default of each parameter that has one."""
    positional = [*function.args.posonlyargs, *function.args.args]
    found = {
        argument.arg: default
        for argument, default in zip(reversed(positional), reversed(function.args.defaults), strict=False)
    }
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = default
    return found


def function_named(module: Module, name: str) -> Function | None:
    """Return a top-level function of a module, or None."""
    found = module.defined.get(name)
    return found if isinstance(found, Function) else None


def texts_in(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the text literals in a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner


def body_of(function: Function) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    body = function.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[1:]
    return body


def is_stub(function: Function) -> bool:
    """Return whether a function only raises NotImplementedError."""
    body = body_of(function)
    if len(body) != 1 or not isinstance(body[0], ast.Raise) or body[0].exc is None:
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return dotted(raised) == "NotImplementedError"
