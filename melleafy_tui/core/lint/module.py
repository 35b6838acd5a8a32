"""One Python file of a package as the lints see it, parsed once, and what they found in it."""

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint.outline import Outline, PlainItem, outline_of
from melleafy_tui.core.python_syntax import parse_python
from melleafy_tui.core.result_cache import ResultCache


class Problem(Struct, frozen=True):
    """One thing that a lint found; line and column are 1-based, 0 for the whole file."""

    file: str
    line: int
    column: int
    message: str
    hint: str


class Module:
    """One Python file of the package.

    Args:
        path: Relative to the output folder.
        data: The file's bytes.
        results: Keeps from run to run whether the file can be parsed.
    """

    def __init__(self, path: str, data: bytes, results: ResultCache) -> None:
        self.path = path
        self.name = path.partition("/")[2]
        """Relative to the package (`fixtures/heartbeat.py`)."""
        self.data = data
        self._results = results
        self._whole = False

    @property
    def unreadable(self) -> Problem | None:
        """Return why the file cannot be parsed, None for one that can."""
        return self._results.result(("syntax", self.path), (self.data,), self._fault)

    def _fault(self) -> Problem | None:
        try:
            _ = self.tree
        except SyntaxError as error:
            line, column = error.lineno or 0, error.offset or 0
            said = f"it is no valid Python: {error.msg}"
            return Problem(self.path, line, column, said, "Mend the syntax there.")
        except (ValueError, RecursionError, MemoryError) as error:
            said = f"it cannot be parsed: {error}"
            return Problem(self.path, 0, 0, said, "Make the file plain, readable Python.")
        return None

    @cached_property
    def text(self) -> str:
        """Return the file as text."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def outline(self) -> Outline | None:
        """Return the code without the plain items of its long lists, None where it is read whole."""
        return None if self._whole else outline_of(self.data)

    def unfold(self) -> bool:
        """Read the file whole from now on, and return whether that is more than was read before."""
        folded = self.outline is not None
        if folded:
            self._whole = True
            for name in _READ:
                self.__dict__.pop(name, None)
        return folded

    @cached_property
    def source(self) -> bytes:
        """Return the code that `tree` is of."""
        return self.data if self.outline is None else self.outline.source

    @cached_property
    def tree(self) -> ast.Module:
        """Return the file parsed, without the items that its outline lacks."""
        return parse_python(self.data) if self.outline is None else self.outline.tree

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines, as `ast` numbers them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the tree, in the order of `ast.walk`."""
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:  # it grows meanwhile
            nodes += children(node)
        return tuple(nodes)

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """Return every call."""
        return tuple(node for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """Return every function, methods and nested ones included."""
        return tuple(node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    @cached_property
    def defined(self) -> dict[str, ast.stmt]:
        """Return the statement that gives each name of the module its meaning, imports included."""
        return dict(_definitions(self.tree.body))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that the module gives a meaning, imports included."""
        return frozenset(self.defined)

    def problem(self, node: ast.AST | PlainItem | int, message: str, hint: str) -> Problem:
        """Return a problem at a node or a line of this file."""
        if isinstance(node, int):
            return Problem(self.path, node, 0, message, hint)
        line = getattr(node, "lineno", 0)
        return Problem(self.path, line, getattr(node, "col_offset", -1) + 1, message, hint)


def children(node: ast.AST) -> list[ast.AST]:
    """Return the nodes right below one, as `ast.iter_child_nodes` does in several times the time."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


_READ: Final = ("text", "outline", "source", "tree", "lines", "nodes", "calls", "functions", "defined")


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, statement
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield alias.asname or alias.name.partition(".")[0], statement
            case ast.Assign(targets=targets):
                for target in targets:
                    for node in ast.walk(target):
                        if isinstance(node, ast.Name):
                            yield node.id, statement
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement
            case ast.If(body=inner, orelse=other):
                yield from _definitions([*inner, *other])
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                caught = [line for handler in handlers for line in handler.body]
                yield from _definitions([*inner, *caught, *other, *last])
            case _:
                pass
