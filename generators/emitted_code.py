"""Reads functions, line numbers and imports from the emitted code with `ast`, for documents and manifest.

This keeps the signature in SETUP.md, the parameters in the manifest and the dependencies in pyproject.toml correct.
"""

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.python_syntax import parse_python, statements
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile
from melleafy_tui.core.models.manifest import PipelineParameter

_PLAIN_DEFAULT: Final = re.compile(r"[^()\[\]{},=\"'\\\x00-\x1f\x7f]*")
"""Text defaults that every reader of `entry_signature` parses correctly."""

_FIXTURES: Final = "ALL_FIXTURES"


class EmittedFunction(Struct, frozen=True):
    """A function of the package; `file` is relative to the package, `summary` the first line of its docstring."""

    file: str
    name: str
    line: int
    parameters: tuple[PipelineParameter, ...]
    returns: str
    summary: str

    @property
    def signature(self) -> str:
        """Return `name(a: str, b: str = "x") -> Reply`; a text default that could be misread as syntax becomes `""`."""
        declared = list(map(_declaration, self.parameters))
        flags = [parameter.required for parameter in self.parameters]
        optional = flags.index(False) if False in flags else len(flags)
        if True in flags[optional:]:  # one without a default after others is given by name
            declared.insert(flags.index(True, optional), "*")
        return f"{self.name}({', '.join(declared)}) -> {self.returns}"


class EmittedCode:
    """The Python files of a package, by their path relative to the package.

    Args:
        emitted: The files emitted so far; all but the package's Python files are ignored.
        package_name: The package's folder.
    """

    def __init__(self, emitted: Iterable[EmittedFile], package_name: str) -> None:
        prefix = f"{package_name}/"
        self._files = {
            file.path.removeprefix(prefix): file
            for file in sorted(emitted, key=lambda file: file.path)
            if file.path.startswith(prefix) and file.path.endswith(".py")
        }

    def functions(self, file: str) -> tuple[EmittedFunction, ...]:
        """Return the top-level functions of a file, in order; none if there is no such file."""
        return tuple(self._facts(file).functions.values())

    def function(self, file: str, name: str) -> EmittedFunction | None:
        """Return a top-level function of a file, or None."""
        return self._facts(file).functions.get(name)

    def has(self, file: str) -> bool:
        """Return whether the package has this Python file."""
        return file in self._files

    def line_of(self, file: str, symbol: str) -> int:
        """Return the line that defines a top-level symbol of a file, or 0."""
        return self._facts(file).definitions.get(symbol, 0)

    def _facts(self, file: str) -> "ModuleFacts":
        found = self._files.get(file)
        if found is None:
            return _NO_MODULE
        if file.startswith(CARRIED_FOLDERS):
            return _read_carried(file, found.data)
        return read_module(file, found.data)

    @property
    def fixtures(self) -> tuple[str, ...]:
        """Return the ids of the fixtures, in order."""
        return self._facts("fixtures/__init__.py").fixtures

    @cached_property
    def third_party(self) -> frozenset[str]:
        """Return the top-level names of the third-party packages that the code imports anywhere.

        Static modules import only what every package has.
        """
        own = (self._facts(name).imports for name, file in self._files.items() if not file.static)
        return frozenset[str]().union(*own) - sys.stdlib_module_names


class ModuleFacts(Struct, frozen=True):
    """Facts about a module.

    Attributes:
        functions: Its top-level functions by name.
        definitions: The line that defines each top-level name.
        imports: The top-level names of the packages that it imports anywhere.
        fixtures: The ids of its fixtures, in order.
    """

    functions: dict[str, EmittedFunction]
    definitions: dict[str, int]
    imports: frozenset[str] = frozenset()
    fixtures: tuple[str, ...] = ()


_NO_MODULE: Final = ModuleFacts({}, {})


@lru_cache(maxsize=64)  # five documents read the same modules, and a command changes one or two
def read_module(name: str, code: bytes) -> ModuleFacts:
    """Return the facts about a module.

    Its tree isn't kept, as it is a hundred times larger than the text.

    Args:
        name: The module's path relative to the package.
        code: Its bytes.

    Raises:
        SyntaxError: it isn't valid Python.
        ValueError: it contains a null character.
        RecursionError: it is nested too deeply.
        MemoryError: it exceeds the parser's own nesting limit.
    """
    tree = parse_python(code)
    functions: dict[str, EmittedFunction] = {}
    definitions: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, _read(name, node))
    for symbol, line in _definitions(tree):
        definitions.setdefault(symbol, line)
    return ModuleFacts(functions, definitions, frozenset(_imports(tree)), tuple(_fixture_ids(tree)))


def _fixture_ids(tree: ast.Module) -> Iterator[str]:
    """Yield the first argument of each case in ALL_FIXTURES."""
    for node in tree.body:
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.target) == _FIXTURES
            and isinstance(node.value, ast.List)
        ):
            for item in node.value.elts:
                if isinstance(item, ast.Call) and item.args and isinstance(item.args[0], ast.Constant):
                    yield str(item.args[0].value)


def _read_carried(name: str, code: bytes) -> ModuleFacts:
    """Return the facts about a script of the workspace; empty if this Python can't parse it."""
    try:
        return read_module(name, code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _NO_MODULE


def _read(file: str, node: ast.FunctionDef) -> EmittedFunction:
    positional = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(node.args.defaults))
    defaults += node.args.defaults
    pairs = [
        *zip(positional, defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    return EmittedFunction(
        file=file,
        name=node.name,
        line=node.lineno,
        parameters=tuple(_parameter(argument, default) for argument, default in pairs),
        returns=ast.unparse(node.returns) if node.returns else "None",
        summary=(ast.get_docstring(node) or "").partition("\n")[0],
    )


def _parameter(argument: ast.arg, default: ast.expr | None) -> PipelineParameter:
    annotation = ast.unparse(argument.annotation) if argument.annotation else "object"
    value = default.value if isinstance(default, ast.Constant) else None
    plain = value if isinstance(value, str | int | float | bool) else None
    return PipelineParameter(name=argument.arg, type=annotation, required=default is None, default=plain)


def _declaration(parameter: PipelineParameter) -> str:
    declared = f"{parameter.name}: {parameter.type}"
    return declared if parameter.required else f"{declared} = {_default(parameter.default)}"


def _default(value: str | int | float | bool | None) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if _PLAIN_DEFAULT.fullmatch(value) else '""'
    return repr(value)


def _definitions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.lineno
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node.lineno) for target in node.targets if isinstance(target, ast.Name))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in statements(tree):  # expressions import nothing
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]
