"""A package as the lints see it: each Python file parsed once, each artifact read once, shared among all lints."""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.package import EmittedFile, FileSet

JsonObject = Mapping[str, object]

ENVIRONMENT_EXAMPLE: Final = ".env.example"
"""Lies beside the package, in the output folder."""

FOREIGN_FOLDERS: Final = ("scripts/", "references/", "assets/")
"""Folders of a package that hold the workspace's own files, which are no generated code."""


class NotValidatable(Exception):
    """The package lacks what a lint needs to judge."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a lint found; line and column are 1-based, 0 for the whole file."""

    file: str
    line: int
    column: int
    message: str
    hint: str


@dataclass(frozen=True)
class Module:
    """One Python file of the package.

    `path` is relative to the output folder, `name` to the package (`fixtures/heartbeat.py`).
    """

    path: str
    name: str
    text: str
    tree: ast.Module

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines, as `ast` numbers them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the tree."""
        return tuple(ast.walk(self.tree))

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

    def problem(self, node: ast.AST | int, message: str, hint: str) -> Problem:
        """Return a problem at a node or a line of this file."""
        if isinstance(node, int):
            return Problem(self.path, node, 0, message, hint)
        line = getattr(node, "lineno", 0)
        return Problem(self.path, line, getattr(node, "col_offset", -1) + 1, message, hint)


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


class PackageView:
    """What the lints read.

    Args:
        files: The file set; paths are relative to the output folder.
        root: The output folder where the package is on disk.
    """

    def __init__(self, files: FileSet, root: Path | None = None) -> None:
        self.files = files
        self.package = files.package_name
        self.root = root
        self.unparsable: list[Problem] = []
        self._parsed: dict[str, object] = {}

    @property
    def stands_alone(self) -> bool:
        """Return whether the package came without the files beside it, as one made in place does."""
        return not {"pyproject.toml", ENVIRONMENT_EXAMPLE} & self.files.by_path.keys()

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Return the parsable Python files by their path relative to the package."""
        found: dict[str, Module] = {}
        for file in self.files.files:
            name = self._within(file.path)
            if not name.endswith(".py") or name.startswith(FOREIGN_FOLDERS):
                continue
            tree = self._tree(file)
            if tree is not None:
                found[name] = Module(file.path, name, file.text, tree)
        return found

    def module(self, name: str) -> Module:
        """Return one Python file.

        Raises:
            NotValidatable: the package has no such file, or it does not parse.
        """
        found = self.modules.get(name)
        if found is None:
            raise NotValidatable(f"there is no readable {name}")
        return found

    def has(self, name: str) -> bool:
        """Return whether the package has a file (or a folder, given with a final `/`)."""
        full = f"{self.package}/{name}"
        if name.endswith("/"):
            return any(path.startswith(full) for path in self.files.by_path)
        return full in self.files.by_path

    def path_of(self, name: str) -> str:
        """Return where a file lies that is named relative to the package or to the output folder, or `""`."""
        for candidate in (f"{self.package}/{name}", name):
            if candidate in self.files.by_path:
                return candidate
        return ""

    def artifact(self, name: str) -> JsonObject:
        """Return a JSON artifact as an object.

        Raises:
            NotValidatable: it is missing or is no JSON object.
        """
        if name not in self._parsed:
            file = self.files.by_path.get(f"{self.package}/{name}")
            if file is None:
                raise NotValidatable(f"{name} is missing")
            try:
                self._parsed[name] = json.loads(file.data)
            except (ValueError, RecursionError) as error:
                raise NotValidatable(f"{name} is no JSON") from error
        found = self._parsed[name]
        if not isinstance(found, dict):
            raise NotValidatable(f"{name} holds no JSON object")
        return found

    def rows(self, name: str, key: str) -> list[JsonObject]:
        """Return the objects in a list of an artifact.

        Raises:
            NotValidatable: the artifact or the list is missing.
        """
        found = self.artifact(name).get(key)
        if not isinstance(found, list):
            raise NotValidatable(f"{name} has no list {key!r}")
        return [row for row in found if isinstance(row, dict)]

    def problem(self, name: str, message: str, hint: str) -> Problem:
        """Return a problem of a whole file, named relative to the package."""
        return Problem(f"{self.package}/{name}", 0, 0, message, hint)

    def _within(self, path: str) -> str:
        prefix = f"{self.package}/"
        return path.removeprefix(prefix) if path.startswith(prefix) else ""

    def _tree(self, file: EmittedFile) -> ast.Module | None:
        try:
            return ast.parse(file.data)
        except SyntaxError as error:
            line, column = error.lineno or 0, error.offset or 0
            said = f"it is no valid Python: {error.msg}"
            self.unparsable.append(Problem(file.path, line, column, said, "Mend the syntax there."))
        except (ValueError, RecursionError, MemoryError) as error:
            said = f"it cannot be parsed: {error}"
            self.unparsable.append(Problem(file.path, 0, 0, said, "Make the file plain, readable Python."))
        return None


def text_of(row: JsonObject, key: str) -> str:
    """Return a text field of a JSON object, `""` where there is none."""
    found = row.get(key)
    return found if isinstance(found, str) else ""
