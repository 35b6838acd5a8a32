"""Parses the Python files of a package once for all lints, and answers questions about their syntax trees."""

import ast
import re
import symtable
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from tokenize import detect_encoding
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import (
    all_nodes,
    children,
    parse_python,
    parse_static,
    statements,
)
from melleafy_tui.core.result_cache import ResultCache

RULE_LISTS: Final = ("OPERATING_REQUIREMENTS", "SCOPED_REQUIREMENTS", "HOST_RULES")


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
        static: Whether it is the same in every package.
        results: Remembers between runs whether the file can be parsed.
    """

    def __init__(self, path: str, data: bytes, results: ResultCache, *, static: bool) -> None:
        self.path = path
        self.static = static
        self.name = path.partition("/")[2]
        """Relative to the package (`fixtures/heartbeat.py`)."""
        self.data = data
        self._results = results

    @property
    def unreadable(self) -> Problem | None:
        """Return why the file can't be parsed, or None if it can, as each static module can."""
        if self.static:
            return None
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
    def tree(self) -> ast.Module:
        """Return the syntax tree.

        Raises:
            ValueError: the file declares another encoding than UTF-8, so that Python reads another text than people.
        """
        if self.static:
            return parse_static(self.data)
        encoding, _ = detect_encoding(BytesIO(self.data).readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            raise ValueError(f"it declares the encoding {encoding}")
        return parse_python(self.data)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines, as `ast` numbers them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the tree, in the order of `ast.walk`."""
        return tuple(all_nodes(self.tree))

    @cached_property
    def scopes(self) -> tuple[symtable.SymbolTable, ...]:
        """Return the symbol tables of the module, its functions and its classes; that of the module comes first."""
        found = [symtable.symtable(self.text, self.path, "exec")]
        for scope in found:  # the list grows while it is iterated
            found += scope.get_children()
        return tuple(found)

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

    @cached_property
    def bindings(self) -> dict[str, list[ast.AST]]:
        """Return all statements that bind each name at the top level, in any branch; `*` stands for itself."""
        found: dict[str, list[ast.AST]] = {}
        pending: list[ast.AST] = list(self.tree.body)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    found.setdefault(alias.asname or alias.name.partition(".")[0], []).append(node)
            else:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.setdefault(node.id, []).append(node)
                pending += children(node)
        return found

    def bound(self, name: str) -> Sequence[ast.AST]:
        """Return all statements that bind a name at the top level; of a static module only its definition is parsed."""
        found = definition_in(self.data, name) if self.static else None
        return [found] if found is not None else self.bindings.get(name, ())

    def defines(self, name: str) -> bool:
        """Return whether the module defines a name, imports included."""
        return (self.static and name in _definitions_in(self.data)) or name in self.names

    @cached_property
    def methods(self) -> frozenset[str]:
        """Return the names of the methods of all classes."""
        classes = (node for node in statements(self.tree) if isinstance(node, ast.ClassDef))
        return frozenset(line.name for each in classes for line in each.body if isinstance(line, Function))

    def may_define(self, name: str) -> bool:
        """Return whether the module can define a function of this name; of a static one its bytes say so."""
        return not self.static or f"def {name}(".encode() in self.data

    def may_call(self, *names: str) -> bool:
        """Return whether the module can have a call of one of these names; of a static one its bytes say so."""
        return not self.static or any(f"{name}(".encode() in self.data for name in names)

    def problem(self, node: ast.AST | int, message: str, hint: str) -> Problem:
        """Return a problem at a node or a line of this file."""
        if isinstance(node, int):
            return Problem(self.path, node, 0, message, hint)
        line = getattr(node, "lineno", 0)
        return Problem(self.path, line, getattr(node, "col_offset", -1) + 1, message, hint)


_DEFINITION: Final = re.compile(
    rb"^(?:@[^\n]*\n(?:[ )][^\n]*\n)*)*(?:async )?(?:def|class) (?P<name>\w+)[^\n]*\n(?:(?:[ )][^\n]*)?\n)*",
    re.MULTILINE,
)
"""A function or class of a static module: up to the next line that isn't indented."""


@lru_cache(maxsize=64)
def _definitions_in(data: bytes) -> dict[str, tuple[int, int]]:
    """Return where the functions and classes of a static module begin and end, by name."""
    found: dict[str, tuple[int, int]] = {}
    for match in _DEFINITION.finditer(data):
        found.setdefault(match["name"].decode(), match.span())
    return found


@lru_cache(maxsize=64)
def definition_in(data: bytes, name: str) -> ast.stmt | None:
    """Return the function or class of a name in a static module, without parsing the rest of it.

    Args:
        data: The module's bytes.
        name: The name.
    """
    found = _definitions_in(data).get(name)
    if found is None:
        return None
    start, end = found
    return parse_python(b"\n" * data.count(b"\n", 0, start) + data[start:end]).body[0]


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
    for call in module.calls if module.may_call(*ASKING_METHODS) else ():
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
