"""Parses the Python files of a package once for all lints, and answers questions about their syntax trees."""

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import parse_python, read_literal
from melleafy_tui.core.result_cache import ResultCache

LEAST: Final = 8_000
"""Shortest code, in bytes, for which an outline saves time."""

RULE_LISTS: Final = ("OPERATING_REQUIREMENTS", "SCOPED_REQUIREMENTS", "OPERATING_NOTES", "HOST_RULES")
_LIST: Final = re.compile(rb"^(?:%s)(?:: [^\n\"'#]*)? = \[$" % "|".join(RULE_LISTS).encode(), re.MULTILINE)
_TEXT: Final = rb"\"[^\"\\\n\0]*(?:\\[\\\"n][^\"\\\n\0]*)*\""
_ITEM: Final = re.compile(
    rb"^    (?:(?P<call>req|check)\((?:"
    + _TEXT
    + rb"|\n(?: {8}"
    + _TEXT
    + rb"\n)+    )\)|"
    + _TEXT
    + rb"),$",
    re.MULTILINE,
)
_ELSEWHERE: Final = (b"\r", b"\f", b"\0", b"mcp__", b"user_variables", b"\xef\xbb\xbf")
"""Text that could change the meaning or the line number of a plain item."""

_IN_LISTS: Final = (b'"""', b"'''", b"\\\n", b"f'", b'f"', b"F'", b'F"')
"""Starts of multi-line strings, in which a line can look like an item."""

_LITERAL: Final = re.compile(_TEXT)


class PlainItem(Struct, frozen=True):
    """An item left out of the outline: its first line and its code."""

    lineno: int
    code: bytes

    @property
    def text(self) -> str:
        """Return the item's text."""
        code = self.code
        if b"\\" not in code and code.count(b'"') == 2:  # one literal, the most common case
            return code.split(b'"')[1].decode()
        parts: list[bytes] = _LITERAL.findall(code)
        return "".join(
            str(read_literal(part.decode())) if b"\\" in part else part[1:-1].decode() for part in parts
        )


class Outline(Struct, frozen=True):
    """Code with some list items blanked, its syntax tree, and those items in order."""

    source: bytes
    tree: ast.Module
    items: tuple[PlainItem, ...]


def outline_of(code: bytes) -> Outline | None:
    """Return the outline of code, or None if the code is short, has no items to leave out, or isn't plain enough.

    The outline parses if and only if the code does: only whole items are blanked, each follows a comma or the
    opening bracket, and the tree confirms that it is in the list itself.
    """
    if len(code) < LEAST or b"coding" in code[:200] or any(mark in code for mark in _ELSEWHERE):
        return None
    parts: list[bytes] = []
    items: list[PlainItem] = []
    position, line = 0, 1
    for start, end in _lists(code):
        for item in _plain_items(code, start, end):
            line += code.count(b"\n", position, item.start())
            items.append(PlainItem(line, item.group()))
            parts += [code[position : item.start()], b"\n" * item.group().count(b"\n")]
            line += parts[-1].count(b"\n")
            position = item.end()
    if not items:
        return None
    source = b"".join((*parts, code[position:]))
    try:
        code.decode("utf-8")
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Outline(source, tree, tuple(items)) if _are_list_items(tree, items) else None


def _lists(code: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end of the items of each top-level list."""
    for opening in _LIST.finditer(code):
        end = code.find(b"\n]\n", opening.end())
        if end >= 0 and not any(code.find(mark, opening.end(), end) >= 0 for mark in _IN_LISTS):
            yield opening.end(), end + 1


def _plain_items(code: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield the plain items of a list, except the first of each kind."""
    seen: set[bytes | None] = set()
    before = start
    for item in _ITEM.finditer(code, start, end):
        if item["call"] in seen and _ends_an_item(code[before : item.start()]):
            yield item
        seen.add(item["call"])
        before = item.end()


def _ends_an_item(code: bytes) -> bool:
    """Return whether the code between two items is only comments, or other items with their commas."""
    between = code.strip()
    if b"\n" not in between and between.startswith(b"#"):  # most items have one comment
        return True
    lines = [line for line in code.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    return not lines or (lines[-1].endswith(b",") and b"#" not in lines[-1])


def _are_list_items(tree: ast.Module, items: list[PlainItem]) -> bool:
    """Return whether each item is a direct item of a top-level list, not part of another item."""
    free: set[int] = set()
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if isinstance(value, ast.List):
            free.update(range(value.lineno + 1, value.end_lineno or 0))
            for kept in value.elts:
                free.difference_update(range(kept.lineno, (kept.end_lineno or kept.lineno) + 1))
    return all(item.lineno in free for item in items)


class Problem(Struct, frozen=True):
    """One finding of a lint; line and column are 1-based, 0 for the whole file."""

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
        results: Remembers between runs whether the file can be parsed.
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
        """Return why the file can't be parsed, or None if it can."""
        return self._results.result(("syntax", self.path), (self.data,), self._fault)

    def _fault(self) -> Problem | None:
        try:
            _ = self.tree
        except SyntaxError as error:
            line, column = error.lineno or 0, error.offset or 0
            said = f"it is not valid Python: {error.msg}"
            return Problem(self.path, line, column, said, "Fix the syntax there.")
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
        """Return the code without the plain items of its long lists, or None if the file is read whole."""
        return None if self._whole else outline_of(self.data)

    def unfold(self) -> bool:
        """Read the whole file from now on, and return whether it was only read as an outline before."""
        folded = self.outline is not None
        if folded:
            self._whole = True
            for name in _READ:
                self.__dict__.pop(name, None)
        return folded

    @cached_property
    def source(self) -> bytes:
        """Return the code that `tree` was parsed from."""
        return self.data if self.outline is None else self.outline.source

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree, without the items that the outline leaves out."""
        return parse_python(self.data) if self.outline is None else self.outline.tree

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines, as `ast` numbers them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the tree, in the order of `ast.walk`."""
        nodes: list[ast.AST] = [self.tree]
        for node in nodes:  # the list grows while it is iterated
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
        """Return the statement that defines each name of the module, imports included."""
        return dict(_definitions(self.tree.body))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that the module defines, imports included."""
        return frozenset(self.defined)

    def problem(self, node: ast.AST | PlainItem | int, message: str, hint: str) -> Problem:
        """Return a problem at a node or a line of this file."""
        if isinstance(node, int):
            return Problem(self.path, node, 0, message, hint)
        line = getattr(node, "lineno", 0)
        return Problem(self.path, line, getattr(node, "col_offset", -1) + 1, message, hint)


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
                for name in sorted(set().union(*map(names_in, targets))):
                    yield name, statement
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement
            case ast.If() | ast.Try():
                yield from _definitions(branches(statement))


def branches(statement: ast.If | ast.Try) -> list[ast.stmt]:
    """Return the statements of all branches."""
    if isinstance(statement, ast.If):
        return [*statement.body, *statement.orelse]
    caught = [line for handler in statement.handlers for line in handler.body]
    return [*statement.body, *caught, *statement.orelse, *statement.finalbody]


def names_in(node: ast.AST) -> set[str]:
    """Return the names in a node, without attributes."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


Function = ast.FunctionDef | ast.AsyncFunctionDef

ASKING_METHODS = (
    "instruct",
    "chat",
    "query",
    "transform",
    "act",
    "ainstruct",
    "achat",
    "aquery",
    "atransform",
    "aact",
)
"""Session methods that call the model."""


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a name or a chain of attributes, else `""`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join(reversed([*parts, node.id]))


def called(call: ast.Call) -> str:
    """Return the called name without its object: `instruct` for `m.instruct(…)`."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument, or None."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def session_calls(module: Module) -> Iterator[ast.Call]:
    """Yield the calls of the model through a session `m`."""
    for call in module.calls:
        if (
            isinstance(call.func, ast.Attribute)
            and dotted(call.func.value) == "m"
            and call.func.attr in ASKING_METHODS
        ):
            yield call


def is_session(item: ast.withitem) -> bool:
    """Return whether a `with` item opens a session."""
    return isinstance(item.context_expr, ast.Call) and called(item.context_expr) == "start_session"


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return the parameters of a function in order, without `*args` and `**kwargs`."""
    declared = function.args
    return [*declared.posonlyargs, *declared.args, *declared.kwonlyargs]


def parameter_names(function: Function | ast.Lambda) -> set[str]:
    """Return the names of a function's parameters."""
    return {argument.arg for argument in parameters(function)}


def is_parameter(module: Module, name: str) -> bool:
    """Return whether a function of the module has a parameter of this name."""
    return any(name in parameter_names(function) for function in module.functions)


def defaults(function: Function) -> dict[str, ast.expr]:
    """Return the default of each parameter that has one."""
    positional = [*function.args.posonlyargs, *function.args.args]
    found = {
        argument.arg: default
        for argument, default in zip(reversed(positional), reversed(function.args.defaults), strict=False)
    }
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = default
    return found


def function_named(module: Module, name: str) -> Function | None:
    """Return a top-level function of a module, or None."""
    found = module.defined.get(name)
    return found if isinstance(found, Function) else None


def texts_in(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the text literals in a node."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner


def body_of(function: Function) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    body = function.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[1:]
    return body


def is_stub(function: Function) -> bool:
    """Return whether a function only raises NotImplementedError."""
    body = body_of(function)
    if len(body) != 1 or not isinstance(body[0], ast.Raise) or body[0].exc is None:
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return dotted(raised) == "NotImplementedError"
