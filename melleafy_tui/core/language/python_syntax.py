"""Parses Python text to a syntax tree, in one thread at a time.

Python 3.11 keeps one recursion counter for building trees in the whole process. If the garbage collector runs a
finalizer meanwhile and another thread then parses too, both fail with a `SystemError` (gh-106905). The wizard renders
and lints in threads, and a new one may start before an old one ends.
"""

import ast
from threading import Lock
from typing import Final

_ONE_AT_A_TIME: Final = Lock()


def parse_python(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a Python module.

    Args:
        source: Its text, or its bytes as UTF-8.

    Raises:
        SyntaxError: the source isn't valid Python.
        ValueError: the source contains a null character.
        RecursionError: the source is nested too deeply.
        MemoryError: the source exceeds the parser's own nesting limit.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def text_in(node: ast.AST | None) -> str | None:
    """Return the text of a string literal, or None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def statements(tree: ast.Module) -> list[ast.AST]:
    """Return a module and all statements in it, without their expressions; a tenth of the nodes."""
    found: list[ast.AST] = [tree]
    for node in found:  # the list grows while it is iterated
        for block in ("body", "handlers", "orelse", "finalbody", "cases"):
            found += getattr(node, block, ())
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """Return the direct children of a node; several times faster than `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def all_nodes(tree: ast.AST) -> list[ast.AST]:
    """Return every node of a tree, in the order of `ast.walk`."""
    nodes = [tree]
    for node in nodes:  # the list grows while it is iterated
        nodes += children(node)
    return nodes
