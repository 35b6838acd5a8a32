"""Calls of Mellea's functions, classes and session methods pass what those take."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.mellea_table import Signature, mellea_table
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import dotted


def check_stdlib_arity(module: Module) -> Iterator[Problem]:
    """Yield the calls with too many, unknown or missing arguments."""
    imported = _imported_stdlib_arity(module)
    for call in module.calls:
        name = dotted(call.func)
        if name.startswith("m.") and name.count(".") == 1:
            method = name.partition(".")[2]
            signature = mellea_table().session_methods.get(method)
            if signature is None:
                yield module.problem(
                    call, f"a session has no method {method}", "See intermediate/mellea_api_ref.json."
                )
                continue
        else:
            known = imported.get(name)
            signature = mellea_table().calls.get(known) if known else None
        if signature is not None:
            yield from _judged_stdlib_arity(module, call, name, signature)


def _imported_stdlib_arity(module: Module) -> dict[str, str]:
    return {
        alias.asname or alias.name: alias.name
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        and node.level == 0
        and (node.module or "").partition(".")[0] == "mellea"
        for alias in node.names
    }


def _judged_stdlib_arity(
    module: Module, call: ast.Call, name: str, signature: Signature
) -> Iterator[Problem]:
    starred = any(isinstance(given, ast.Starred) for given in call.args)
    unpacked = any(given.arg is None for given in call.keywords)
    named = {given.arg for given in call.keywords if given.arg}
    if signature.positional is not None and not starred and len(call.args) > len(signature.positional):
        most = len(signature.positional)
        yield module.problem(
            call, f"{name} takes at most {most} positional arguments", "Pass the others by name."
        )
    if signature.keywords is not None:
        for unknown in sorted(named - signature.keywords):
            hint = f"It takes: {', '.join(sorted(signature.keywords)) or 'none'}."
            yield module.problem(call, f"{name} has no parameter {unknown}", hint)
    if not starred and not unpacked:
        given = named | set((signature.positional or ())[: len(call.args)])
        for missing in [wanted for wanted in signature.required if wanted not in given]:
            yield module.problem(call, f"{name} needs {missing}", f"Pass {missing}.")
