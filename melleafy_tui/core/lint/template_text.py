"""No text is rendered as a template: Mellea's `user_variables` is never passed, and nothing else renders text."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import session_calls

_TEMPLATE_TEXT_HINT = "Pass the text itself, as a plain string (spec/safety.md 2)."


def check_template_text(module: Module) -> Iterator[Problem]:
    """Yield the places where text could become a template."""
    for call in module.calls:
        if any(given.arg == "user_variables" for given in call.keywords):
            yield module.problem(
                call, "user_variables renders every text of the call as a template", _TEMPLATE_TEXT_HINT
            )
    for call in session_calls(module):
        if any(given.arg is None for given in call.keywords):
            yield module.problem(call, "unpacked keywords could hide user_variables", "Name each argument.")
    for node in module.nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
        if any(name.partition(".")[0] in ("jinja2", "mako", "chevron") for name in names):
            yield module.problem(node, "a template engine is imported", _TEMPLATE_TEXT_HINT)
        if isinstance(node, ast.Constant) and node.value == "user_variables":
            yield module.problem(node, "user_variables is named in a text", _TEMPLATE_TEXT_HINT)
