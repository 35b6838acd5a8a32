"""Parses the Python files of a package for the lints, and answers questions about their syntax trees."""

import ast
import symtable
from collections.abc import Iterator
from functools import cached_property, lru_cache
from io import BytesIO
from tokenize import detect_encoding
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import all_nodes, children, parse_python
from melleafy_tui.core.tables import table_beside

Function = ast.FunctionDef | ast.AsyncFunctionDef
NAMES: Final[dict[str, list[str]]] = table_beside(__file__, "names.toml")
"""Names that mean something to the lints."""


class Problem(Struct, frozen=True):
    """One finding of a lint; line and column are 1-based, 0 for the whole file.

    Without a hint, the finding has the one of its lint.
    """

    file: str
    line: int
    column: int
    message: str
    hint: str = ""


class Module:
    """One Python file of the package.

    Args:
        path: Relative to the output folder.
        data: The file's bytes.
        static: Whether it is the same in every package.
    """

    def __init__(self, path: str, data: bytes, *, static: bool) -> None:
        self.path = path
        self.name = path.partition("/")[2]
        """Relative to the package (`fixtures/heartbeat.py`)."""
        self.data = data
        self.static = static

    @cached_property
    def unreadable(self) -> Problem | None:
        """Return why the file can't be parsed, or None if it can."""
        try:
            _ = self.tree
        except SyntaxError as error:
            said = f"it is not valid Python: {error.msg}"
            return Problem(self.path, error.lineno or 0, error.offset or 0, said)
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
    def functions(self) -> tuple[Function, ...]:
        """Return every function, methods and nested ones included."""
        return tuple(node for node in self.nodes if isinstance(node, Function))

    @cached_property
    def bindings(self) -> dict[str, list[ast.stmt]]:
        """Return all statements that bind each name at the top level, in any branch; `*` is a name, too."""
        found: dict[str, list[ast.stmt]] = {}
        for statement in _statements(self.tree.body):
            for name in _names(statement):
                found.setdefault(name, []).append(statement)
        return found

    @cached_property
    def defined(self) -> dict[str, ast.stmt]:
        """Return the top-level statement that defines each name last, imports included."""
        return {name: statements[-1] for name, statements in self.bindings.items()}

    def problem(self, node: ast.AST | int, message: str, hint: str = "") -> Problem:
        """Return a problem at a node or a line of this file."""
        if isinstance(node, int):
            return Problem(self.path, node, 0, message, hint)
        line = getattr(node, "lineno", 0)
        return Problem(self.path, line, getattr(node, "col_offset", -1) + 1, message, hint)


module_of: Final = lru_cache(maxsize=64)(Module)
"""Returns a Python file, which is parsed once and never changed: in the wizard, most are the same after each act."""


def defined_in(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """Return the statement that defines each name last, in any branch."""
    return {name: statement for statement in _statements(body) for name in _names(statement)}


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of all branches."""
    for statement in body:
        match statement:
            case ast.If():
                yield from _statements([*statement.body, *statement.orelse])
            case ast.Try():
                caught = [line for handler in statement.handlers for line in handler.body]
                others = (*caught, *statement.orelse, *statement.finalbody)
                yield from _statements([*statement.body, *others])
            case _:
                yield statement


def _names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.Assign(targets=targets):
            yield from sorted(set().union(*map(names_in, targets)))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def names_in(node: ast.AST) -> set[str]:
    """Return the names in a node, without attributes."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module or function, without what is inside the functions in it."""
    pending = children(scope)
    for node in pending:  # the list grows while it is iterated
        yield node
        if not isinstance(node, Function):
            pending += children(node)


ASKING_METHODS = frozenset(NAMES["asking_methods"])
"""Session methods that call the model."""


def dotted(node: ast.AST | None) -> str:
    """Return `a.b.c` for a name or a chain of attributes, else `""`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def called(call: ast.Call) -> str:
    """Return the called name without its object: `instruct` for `m.instruct(…)`."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument, or None."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def session_calls(module: Module) -> Iterator[ast.Call]:
    """Yield the calls of the model through a session `m`."""
    for call in module.calls:
        session, _, method = dotted(call.func).partition(".")
        if session == "m" and method in ASKING_METHODS:
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
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [*zip(reversed(positional), reversed(given.defaults), strict=False)]
    pairs += [(name, value) for name, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    return {argument.arg: value for argument, value in pairs}


def function_named(module: Module | None, name: str) -> Function | None:
    """Return a top-level function of a module, or None."""
    found = module.defined.get(name) if module is not None else None
    return found if isinstance(found, Function) else None


def first_line(node: ast.AST) -> int:
    """Return the first line of a node, a function's decorators included."""
    first: int = min(each.lineno for each in (*getattr(node, "decorator_list", ()), node))
    return first


def body_of(function: Function) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def is_stub(function: Function) -> bool:
    """Return whether a function only raises NotImplementedError."""
    match body_of(function):
        case [ast.Raise(exc=ast.Call(func=raised) | raised)]:
            return dotted(raised) == "NotImplementedError"
    return False
