"""What the model answered is read through `str(…)` or `Model.model_validate_json(…)` only."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem, children
from melleafy_tui.core.lint.syntax import called, dotted, keyword, session_calls

_RESULT_PARSE_HINT = "Read it with str(result), or Model.model_validate_json(str(result))."

SAMPLING_FIELDS = frozenset(
    {"success", "result", "result_index", "result_action", "result_ctx", "result_validations"}
    | {"sample_generations", "sample_validations", "sample_contexts", "sample_actions"}
)
"""What may be asked of the result of `return_sampling_results=True`."""


def check_result_parse(module: Module) -> Iterator[Problem]:
    """Yield the readings of an answer that do not hold."""
    asked = {id(call): call for call in session_calls(module)}
    if not asked:
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute | ast.Subscript) and id(node.value) in asked:
            yield module.problem(node, "an answer is taken apart without str(…)", _RESULT_PARSE_HINT)
    for scope in (module.tree, *module.functions):
        yield from _scope(module, scope, asked)


def _scope(module: Module, scope: ast.AST, asked: dict[int, ast.Call]) -> Iterator[Problem]:
    names: dict[str, bool] = {}
    nodes = list(_own(scope))
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or id(node.value) not in asked:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        given = keyword(asked[id(node.value)], "return_sampling_results")
        sampled = isinstance(given, ast.Constant) and given.value is True
        names |= {target.id: sampled for target in targets if isinstance(target, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and dotted(node.value) in names:
            if not (names[dotted(node.value)] and node.attr in SAMPLING_FIELDS):
                yield module.problem(node, f"{dotted(node)} is read from an answer", _RESULT_PARSE_HINT)
        elif isinstance(node, ast.Subscript) and dotted(node.value) in names:
            yield module.problem(
                node, f"{dotted(node.value)} is indexed as if it were text", _RESULT_PARSE_HINT
            )
        elif isinstance(node, ast.Call) and called(node) in (
            "loads",
            "model_validate_json",
            "model_validate",
        ):
            for argument in node.args:
                if dotted(argument) in names:
                    yield module.problem(
                        argument, f"{dotted(argument)} is parsed without str(…)", _RESULT_PARSE_HINT
                    )


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    pending = children(scope)
    while pending:
        node = pending.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += children(node)
