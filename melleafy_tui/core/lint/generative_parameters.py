"""Slots of `@generative` name no parameter that Mellea keeps for itself, have types, and have no body."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import Function, body_of, dotted, is_stub, parameters

RESERVED = frozenset(
    {
        "m",
        "context",
        "backend",
        "model_options",
        "strategy",
        "precondition_requirements",
        "requirements",
        "f_args",
        "f_kwargs",
    }
)
"""Names that a slot may not give a parameter (spec/package.md 2)."""


def check_generative_parameters(module: Module) -> Iterator[Problem]:
    """Yield the slots that Mellea would refuse or misread."""
    slots = [function for function in module.functions if _is_slot(function)]
    for slot in slots:
        yield from _judged_generative_parameters(module, slot)
    if slots:
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                what = "annotations become texts in a file with slots"
                yield module.problem(node, what, "Drop the import from __future__.")


def _is_slot(function: Function) -> bool:
    return any(
        dotted(found.func if isinstance(found, ast.Call) else found).rpartition(".")[2] == "generative"
        for found in function.decorator_list
    )


def _judged_generative_parameters(module: Module, slot: Function) -> Iterator[Problem]:
    for argument in parameters(slot):
        if argument.arg in RESERVED:
            what = f"{slot.name} has a parameter {argument.arg}, which Mellea keeps for itself"
            yield module.problem(argument, what, "Rename the parameter.")
        if argument.annotation is None:
            yield module.problem(argument, f"{argument.arg} of {slot.name} has no type", "Annotate it.")
    if slot.returns is None:
        yield module.problem(slot, f"{slot.name} has no return type", "Annotate what the slot gives back.")
    body = body_of(slot)
    empty = not body or (
        len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    )
    if not is_stub(slot) and not empty:
        yield module.problem(slot, f"{slot.name} has a body", "Let the slot raise NotImplementedError.")
