"""A package as the lints see it: each Python file parsed once, each artifact read once, shared among all lints."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, field

from melleafy_tui.core.lint.artifacts import JsonObject, read_artifact, rows_of
from melleafy_tui.core.lint.outline import Outline, PlainItem, outline_of
from melleafy_tui.core.models.package import EmittedFile, FileSet
from melleafy_tui.core.python_syntax import parse_python

FactT = TypeVar("FactT")

ENVIRONMENT_EXAMPLE: Final = ".env.example"
"""Lies beside the package, in the output folder."""

FOREIGN_FOLDERS: Final = ("scripts/", "references/", "assets/")
"""Folders of a package that hold the workspace's own files, which are no generated code."""


EVERY_FILE: Final = "*"
EVERY_MODULE: Final = "*.py"
"""What a lint looked at that went through all of them, beside single paths."""


class NotValidatable(Exception):
    """The package lacks what a lint needs to judge."""


class Problem(Struct, frozen=True):
    """One thing that a lint found; line and column are 1-based, 0 for the whole file."""

    file: str
    line: int
    column: int
    message: str
    hint: str


class Kept(Struct, frozen=True):
    """What a lint found, and the bytes of every file that it looked at (None for one that is not there)."""

    read: dict[str, object]
    found: tuple[Problem, ...]


class Linted(Struct, eq=False):
    """What the last lints of a conversion left: what those of the whole package found, and the files."""

    found: dict[object, Kept] = field(default_factory=dict)
    files: Mapping[str, EmittedFile] = field(default_factory=dict)


class Module:
    """One Python file of the package, with what lints that look at files one by one found in it.

    It lives as long as the file. Its tree does not: `forget` drops it once the lints are through.

    Args:
        path: Relative to the output folder.
        data: The file's bytes.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.name = path.partition("/")[2]
        """Relative to the package (`fixtures/heartbeat.py`)."""
        self.data = data
        self.kept: dict[object, Kept] = {}
        self._whole = False
        self.unreadable = self._fault()
        """Why the file cannot be parsed, None for one that can."""

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

    def forget(self) -> None:
        """Drop what was read of the file; it is read again where it is asked for."""
        for name in _READ:
            self.__dict__.pop(name, None)

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
            self.forget()
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
        """Return the names that the module gives a meaning, imports included; they stay when the tree is dropped."""
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
    for value in node.__dict__.values():
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


class PackageView:
    """What the lints read.

    Args:
        files: The file set; paths are relative to the output folder.
        root: The output folder where the package is on disk.
        last: The files by path that were linted before these.
    """

    def __init__(
        self, files: FileSet, root: Path | None = None, last: Mapping[str, EmittedFile] | None = None
    ) -> None:
        self.files = files
        self.package = files.package_name
        self.root = root
        self.last: Mapping[str, EmittedFile] = last or {}
        self._parsed: dict[str, object] = {}
        self._shared: dict[object, object] = {}
        self._reading: list[dict[str, object]] = []

    @property
    def stands_alone(self) -> bool:
        """Return whether the package came without the files beside it, as one made in place does."""
        return self.file("pyproject.toml") is None and self.file(ENVIRONMENT_EXAMPLE) is None

    def file(self, path: str) -> EmittedFile | None:
        """Return a file by its path in the output folder, or None."""
        found = self.files.by_path.get(path)
        for read in self._reading:
            read[path] = None if found is None else found.data
        return found

    @property
    def every_file(self) -> tuple[EmittedFile, ...]:
        """Return all files, by path."""
        for read in self._reading:
            read[EVERY_FILE] = self._answer(EVERY_FILE)
        return self.files.files

    @cached_property
    def _python(self) -> dict[str, Module]:
        return {
            module.name: module
            for file in self.files.files
            if (name := self._within(file.path)).endswith(".py") and not name.startswith(FOREIGN_FOLDERS)
            for module in (file.piece(_module),)
        }

    @property
    def unparsable(self) -> tuple[Problem, ...]:
        """Return what is wrong with the Python files that do not parse."""
        return tuple(module.unreadable for module in self._python.values() if module.unreadable)

    @property
    def modules(self) -> dict[str, Module]:
        """Return the parsable Python files by their path relative to the package."""
        found = {name: module for name, module in self._python.items() if module.unreadable is None}
        for read in self._reading:
            read[EVERY_MODULE] = self._answer(EVERY_MODULE)
            read |= {module.path: module.data for module in self._python.values()}
        return found

    def module_at(self, name: str) -> Module | None:
        """Return one parsable Python file by its path relative to the package, or None."""
        _ = self.file(f"{self.package}/{name}")
        module = self._python.get(name)
        return module if module is not None and module.unreadable is None else None

    def kept(
        self, kept: dict[object, Kept], key: object, check: Callable[[], Iterable[Problem]]
    ) -> Iterator[Problem]:
        """Yield what a lint finds, or what it found before where all that it looked at then is the same.

        Args:
            kept: Where it is kept.
            key: The lint.
            check: Finds it.
        """
        last = kept.get(key)
        if last is not None and all(self._answer(path) == answer for path, answer in last.read.items()):
            yield from last.found
            return
        read: dict[str, object] = {}
        found: list[Problem] = []
        self._reading.append(read)
        try:
            for problem in check():
                found.append(problem)
                yield problem
        finally:
            self._reading.remove(read)
        kept[key] = Kept(read, tuple(found))

    def _answer(self, path: str) -> object:
        if path == EVERY_FILE:
            return tuple((file.path, file.data) for file in self.files.files)
        if path == EVERY_MODULE:
            return tuple(self._python)
        if path.endswith("/"):
            return self._holds(path)
        file = self.files.by_path.get(path)
        return None if file is None else file.data

    def forget(self) -> None:
        """Drop what was read of the files and is not worth its memory."""
        self._parsed.clear()
        self._shared.clear()
        for module in self._python.values():
            module.forget()

    def module(self, name: str) -> Module:
        """Return one Python file.

        Raises:
            NotValidatable: the package has no such file, or it does not parse.
        """
        found = self.module_at(name)
        if found is None:
            raise NotValidatable(f"there is no readable {name}")
        return found

    def has(self, name: str) -> bool:
        """Return whether the package has a file (or a folder, given with a final `/`)."""
        full = f"{self.package}/{name}"
        if not name.endswith("/"):
            return self.file(full) is not None
        found = self._holds(full)
        for read in self._reading:
            read[full] = found
        return found

    def _holds(self, folder: str) -> bool:
        return any(path.startswith(folder) for path in self.files.by_path)

    def path_of(self, name: str) -> str:
        """Return where a file lies that is named relative to the package or to the output folder, or `""`."""
        for candidate in (f"{self.package}/{name}", name):
            if self.file(candidate) is not None:
                return candidate
        return ""

    def artifact(self, name: str) -> JsonObject:
        """Return a JSON artifact as an object, read once, the rows of a large one not yet.

        Raises:
            NotValidatable: it is missing or is no JSON object.
        """
        file = self.file(f"{self.package}/{name}")
        if file is None:
            raise NotValidatable(f"{name} is missing")
        if name not in self._parsed:
            try:
                self._parsed[name] = read_artifact(name, file.data)
            except (ValueError, RecursionError) as error:
                raise NotValidatable(f"{name} is no JSON") from error
        found = self._parsed[name]
        if not isinstance(found, dict):
            raise NotValidatable(f"{name} holds no JSON object")
        return found

    def fact(self, name: str, make: Callable[[JsonObject], FactT]) -> FactT:
        """Return what is made of a JSON artifact, made once as long as its file lives.

        Args:
            name: The artifact.
            make: A function at the top of a module that looks at nothing but its argument.

        Raises:
            NotValidatable: the artifact is missing or is no JSON object.
        """
        file = self.file(f"{self.package}/{name}")
        facts = {} if file is None else file.piece(_facts)
        if make not in facts:
            facts[make] = make(self.artifact(name))
        return facts[make]  # type: ignore[return-value] # the function fixes the type

    def shared(self, make: Callable[[JsonObject], FactT], name: str) -> FactT:
        """Return what is made of a JSON artifact, shared among the lints of one run.

        Raises:
            NotValidatable: the artifact is missing or is no JSON object.
        """
        artifact = self.artifact(name)
        if make not in self._shared:
            self._shared[make] = make(artifact)
        return self._shared[make]  # type: ignore[return-value] # the function fixes the type

    def rows(self, name: str, key: str) -> Iterator[JsonObject]:
        """Yield the objects in a list of an artifact.

        Raises:
            NotValidatable: the artifact or the list is missing.
        """
        found = rows_of(self.artifact(name), key)
        if found is None:
            raise NotValidatable(f"{name} has no list {key!r}")
        yield from found

    def problem(self, name: str, message: str, hint: str) -> Problem:
        """Return a problem of a whole file, named relative to the package."""
        return Problem(f"{self.package}/{name}", 0, 0, message, hint)

    def _within(self, path: str) -> str:
        prefix = f"{self.package}/"
        return path.removeprefix(prefix) if path.startswith(prefix) else ""


def findings(file: EmittedFile) -> dict[object, Kept]:
    """Return where findings about one file are kept; a piece of the file."""
    del file
    return {}


def _facts(file: EmittedFile) -> dict[object, object]:
    del file
    return {}


def _module(file: EmittedFile) -> Module:
    return Module(file.path, file.data)
