"""Importing a module only defines: no session, no file, no environment, no network, no output."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem, children
from melleafy_tui.core.lint.syntax import dotted

_IMPORT_SIDE_EFFECTS_HINT = "Move it into a function that is called when it is needed."

EFFECTS = {
    "start_session": "opens a session",
    "print": "prints",
    "input": "waits for input",
    "open": "opens a file",
    "exec": "runs code",
    "eval": "runs code",
    "read_text": "reads a file",
    "read_bytes": "reads a file",
    "write_text": "writes a file",
    "write_bytes": "writes a file",
    "mkdir": "makes a folder",
    "getenv": "reads the environment",
    "urlopen": "opens a connection",
    "basicConfig": "sets up logging",
    "connect": "opens a connection",
    "run_pipeline": "runs the pipeline",
}
"""Calls that have an effect, by the last part of their name."""

EFFECT_MODULES = (
    "subprocess",
    "requests",
    "httpx",
    "socket",
    "shutil",
    "urllib",
    "sqlite3",
    "asyncio",
    "threading",
)


def check_import_side_effects(module: Module) -> Iterator[Problem]:
    """Yield what happens at import time."""
    if module.name != "__main__.py":
        yield from _statements(module, module.tree.body)


def _statements(module: Module, body: list[ast.stmt]) -> Iterator[Problem]:
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for decorator in statement.decorator_list:
                    yield from _effects(module, decorator)
                for default in (*statement.args.defaults, *statement.args.kw_defaults):
                    if default is not None:
                        yield from _effects(module, default)
            case ast.ClassDef(body=inner):
                yield from _statements(module, inner)
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case ast.If(test=test, body=inner, orelse=other):
                if not _is_main_guard(test):
                    yield from _statements(module, [*inner, *other])
            case ast.Try(body=inner, orelse=other, finalbody=last):
                handled = [line for handler in statement.handlers for line in handler.body]
                yield from _statements(module, [*inner, *handled, *other, *last])
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=ast.Call() as call):
                yield module.problem(
                    call, f"{ast.unparse(call.func)} is called at import", _IMPORT_SIDE_EFFECTS_HINT
                )
            case ast.Assign() | ast.AnnAssign() | ast.Raise():
                yield from _effects(module, statement)
            case _:
                yield module.problem(statement, "a statement runs at import", _IMPORT_SIDE_EFFECTS_HINT)


def _is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and dotted(test.left) == "__name__"


def _effects(module: Module, node: ast.AST) -> Iterator[Problem]:
    pending = [node]
    while pending:
        found = pending.pop()
        if isinstance(found, ast.Lambda | ast.Constant | ast.Name):
            continue
        pending += children(found)
        if isinstance(found, ast.Call):
            name = dotted(found.func) or getattr(found.func, "attr", "")
            effect = EFFECTS.get(name.rpartition(".")[2]) if name != "re.compile" else None
            if effect is None and name.partition(".")[0] in EFFECT_MODULES and "." in name:
                effect = "has an effect outside"
            if effect:
                yield module.problem(found, f"{name} {effect} at import", _IMPORT_SIDE_EFFECTS_HINT)
        elif isinstance(found, ast.Attribute) and dotted(found) == "os.environ":
            yield module.problem(found, "the environment is read at import", _IMPORT_SIDE_EFFECTS_HINT)
