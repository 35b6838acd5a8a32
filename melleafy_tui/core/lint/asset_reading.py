"""Paths of bundled files as they stand in code: `Path(__file__).parent / "references" / "x.md"`."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module
from melleafy_tui.core.lint.syntax import dotted


def bundled_paths(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield each path that starts at the module's own file, as a path relative to the package.

    One that leaves the package comes as `""`; a path with a part that is no literal ends there, with a `/`.
    """
    inner = {
        id(node.left) for node in module.nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    }
    for node in module.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and id(node) not in inner:
            parts: list[ast.expr] = []
            left: ast.expr = node
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Div):
                parts.insert(0, left.right)
                left = left.left
            climbs = _climbs(left)
            if climbs is not None:
                yield node, _joined(module.name.split("/")[:-1], climbs, parts)


def _climbs(node: ast.expr) -> int | None:
    """Return how many folders above the module's own the base lies, or None where it is another base."""
    parents = 0
    while isinstance(node, ast.Attribute) and node.attr == "parent":
        parents, node = parents + 1, node.value
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("resolve", "absolute")
    ):
        node = node.func.value
    if (
        isinstance(node, ast.Call)
        and dotted(node.func).endswith("Path")
        and node.args
        and dotted(node.args[0]) == "__file__"
    ):
        return parents - 1 if parents else None
    return None


def _joined(folder: list[str], climbs: int, parts: list[ast.expr]) -> str:
    if climbs > len(folder):
        return ""
    path = folder[: len(folder) - climbs]
    for part in parts:
        if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
            return "/".join([*path, ""])
        path += part.value.strip("/").split("/")
    return "/".join(path)
