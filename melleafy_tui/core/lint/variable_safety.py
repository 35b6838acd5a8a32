"""Every name that is read is bound somewhere: in the function, around it, in the module, or among the builtins."""

import ast
import builtins
import symtable
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem

_MODULE_NAMES = frozenset(
    {
        "__file__",
        "__name__",
        "__doc__",
        "__package__",
        "__path__",
        "__spec__",
        "__loader__",
        "__annotations__",
        "__builtins__",
    }
)
_KNOWN = frozenset(dir(builtins)) | _MODULE_NAMES


def check_variable_safety(module: Module) -> Iterator[Problem]:
    """Yield the names without a meaning."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in module.tree.body):
        return
    unknown = _unknown(symtable.symtable(module.source.decode("utf-8", "replace"), module.path, "exec"))
    if unknown:
        yield from _reported(module, unknown)


def _reported(module: Module, unknown: set[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for node in sorted(
        (node for node in module.nodes if isinstance(node, ast.Name) and node.id in unknown),
        key=lambda node: (node.lineno, node.col_offset),
    ):
        if node.id not in seen and isinstance(node.ctx, ast.Load):
            seen.add(node.id)
            yield module.problem(node, f"{node.id} is not defined", "Define it, or import it.")


def _unknown(table: symtable.SymbolTable) -> set[str]:
    bound = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }
    pending, read, declared = [table], set[str](), set[str]()
    while pending:
        scope = pending.pop()
        pending += scope.get_children()
        for symbol in scope.get_symbols():
            if symbol.is_declared_global() and symbol.is_assigned():
                declared.add(symbol.get_name())
            if symbol.is_referenced() and symbol.is_global():
                read.add(symbol.get_name())
            if scope is table and symbol.is_referenced() and not symbol.is_assigned():
                read.add(symbol.get_name())
    return read - bound - declared - _KNOWN
