"""Sessions stand one after another, `with start_session(…) as m:`, never nested, with one `format=` class in each."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem, children
from melleafy_tui.core.lint.syntax import called, dotted, is_session, keyword, parameters

_SESSION_BOUNDARY_HINT = "Write: with start_session(config.BACKEND, config.MODEL_ID) as m:"


def check_session_boundary(module: Module) -> Iterator[Problem]:
    """Yield the breaches of the session's boundary."""
    opened = {
        id(item.context_expr)
        for node in module.nodes
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
    }
    for call in module.calls:
        if called(call) == "start_session" and id(call) not in opened:
            yield module.problem(call, "a session is opened outside a with statement", _SESSION_BOUNDARY_HINT)
    if any(_is_about_sessions(node) for node in module.nodes):
        yield from _walk(module, module.tree, inside=False, known=False)


def _is_about_sessions(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return dotted(node.value) == "m"
    return isinstance(node, ast.With | ast.AsyncWith) and any(map(is_session, node.items))


def _walk(module: Module, node: ast.AST, *, inside: bool, known: bool) -> Iterator[Problem]:
    for child in children(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            takes = any(argument.arg == "m" for argument in parameters(child))
            yield from _walk(module, child, inside=False, known=takes)
        elif isinstance(child, ast.With | ast.AsyncWith) and any(map(is_session, child.items)):
            yield from _session(module, child, inside=inside)
            yield from _walk(module, child, inside=True, known=True)
        else:
            if not known and isinstance(child, ast.Attribute) and dotted(child.value) == "m":
                yield module.problem(
                    child, "the session m is used outside its with statement", _SESSION_BOUNDARY_HINT
                )
            yield from _walk(module, child, inside=inside, known=known)


def _session(module: Module, node: ast.With | ast.AsyncWith, *, inside: bool) -> Iterator[Problem]:
    for item in node.items:
        if is_session(item) and (
            not isinstance(item.optional_vars, ast.Name) or item.optional_vars.id != "m"
        ):
            yield module.problem(item.context_expr, "the session is not named m", _SESSION_BOUNDARY_HINT)
    if inside or sum(map(is_session, node.items)) > 1:
        yield module.problem(
            node, "a session is opened inside another", "Close the first session before the second."
        )
    formats = {
        ast.unparse(chosen)
        for line in node.body
        for call in ast.walk(line)
        if isinstance(call, ast.Call) and (chosen := keyword(call, "format")) is not None
    }
    if len(formats) > 1:
        named = " and ".join(sorted(formats))
        yield module.problem(
            node, f"one session has more than one format: {named}", "Open a session for each."
        )
