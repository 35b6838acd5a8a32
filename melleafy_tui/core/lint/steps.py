"""The lint of a procedure: each step can be reached, ends, and reads what a step before it returned."""

import ast
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.language.python_syntax import text_in
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    called,
    dotted,
    function_named,
    keyword,
    parameter_names,
)

_TAKEN: Final = ("run.ask", "run.fill", "run.call", "run.read")
_GIVEN: Final = frozenset({"message", "now", "item"})
"""What a step can read without a step before it."""


def check_steps(package: Package) -> Iterator[Problem]:
    """Yield each step that no run takes, that reads what isn't there, has no persona, or is repeated without end."""
    pipeline = package.modules.get("pipeline.py")
    entry = function_named(pipeline, "run_pipeline")
    if pipeline is None or entry is None:
        return
    steps = {name: found for name, node in pipeline.defined.items() if (found := _step(node)) is not None}
    if not steps:
        return
    loops = any(isinstance(node, ast.For) and dotted(node.target) == "_" for node in ast.walk(entry))
    order = {name: _first_use(entry, name) for name in steps}
    kept = {text_in(node.args[0]) for node in _calls(entry, "run.keep") if node.args}
    given = (keyword(node, "known") for node in _calls(entry, "Steps"))
    pages = {text_in(key) for node in given if isinstance(node, ast.Dict) for key in node.keys if key}
    known = _GIVEN | parameter_names(entry) | kept | pages
    personas = package.module("config.py").defined
    for name, call in steps.items():
        if not order[name]:
            yield pipeline.problem(
                pipeline.defined[name], f"no run takes the step {name}", "Call it, or remove it."
            )
        for read in _reads(call):
            before = read in steps and (loops or 0 < order[read] < order[name])
            if not before and read not in known:
                said = f"the step {name} reads {read}, which no step before it returns"
                yield pipeline.problem(call, said, "Take that step first, or don't read it.")
        prefix = keyword(call, "prefix")
        symbol = dotted(prefix).removeprefix("config.") if prefix is not None else ""
        if dotted(call.func) not in ("run.call", "run.read") and symbol not in personas:
            said = f"the step {name} has no persona of config.py"
            yield pipeline.problem(call, said, "Pass prefix=config.PREFIX_TEXT.")
    yield from _endless(pipeline, entry)


def _step(node: ast.stmt) -> ast.Call | None:
    """Return the call that takes a step, if a statement is the function of one."""
    if not isinstance(node, ast.FunctionDef):
        return None
    return next((call for name in _TAKEN for call in _calls(node, name)), None)


def _calls(function: Function, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and dotted(node.func) == name:
            yield node


def _first_use(entry: Function, name: str) -> int:
    lines = (node.lineno for node in ast.walk(entry) if isinstance(node, ast.Call) and called(node) == name)
    return min(lines, default=0)


def _reads(call: ast.Call) -> Iterator[str]:
    listed = keyword(call, "reads")
    for node in listed.elts if isinstance(listed, ast.List | ast.Tuple) else ():
        if (name := text_in(node)) is not None:
            yield name
    fills = keyword(call, "fills")
    for node in fills.values if isinstance(fills, ast.Dict) else ():
        if (name := text_in(node)) is not None:
            yield name.partition(".")[0]
    for given in (
        node for node in call.args if isinstance(node, ast.Call) and dotted(node.func) == "run.given"
    ):
        yield from filter(None, map(text_in, given.args))


def _endless(pipeline: Module, entry: Function) -> Iterator[Problem]:
    """Yield the loops without a bound of config.py."""
    for node in ast.walk(entry):
        if isinstance(node, ast.While):
            yield pipeline.problem(node, "a loop has no bound", "Write: for _ in range(config.MAX_STEPS):")
        elif isinstance(node, ast.For) and "config.MAX_" not in ast.unparse(node.iter):
            yield pipeline.problem(
                node, "a loop has no bound of config.py", "Take run.items(…, config.MAX_ITEMS)."
            )
