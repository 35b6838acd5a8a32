"""A package as the lints see it: its files and artifacts, each read once and shared among all lints."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, field

from melleafy_tui.core.lint.artifacts import JsonObject, read_artifact, rows_of
from melleafy_tui.core.lint.module import Kept, Module, Problem
from melleafy_tui.core.models.package import CARRIED_FOLDERS, EmittedFile, FileSet

FactT = TypeVar("FactT")

ENVIRONMENT_EXAMPLE: Final = ".env.example"
"""Lies beside the package, in the output folder."""

EVERY_FILE: Final = "*"
EVERY_MODULE: Final = "*.py"
"""What a lint looked at that went through all of them, beside single paths."""


class NotValidatable(Exception):
    """The package lacks what a lint needs to judge."""


class Linted(Struct, eq=False):
    """What the last lints of a conversion left: what those of the whole package found, and the files."""

    found: dict[object, Kept] = field(default_factory=dict)
    files: Mapping[str, EmittedFile] = field(default_factory=dict)


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
            if (name := self._within(file.path)).endswith(".py") and not name.startswith(CARRIED_FOLDERS)
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

    def artifact(self, name: str, *, keep: bool = True) -> JsonObject:
        """Return a JSON artifact as an object, the rows of a large one unread.

        Args:
            name: The artifact.
            keep: Keep it for the other lints.

        Raises:
            NotValidatable: it is missing or is no JSON object.
        """
        file = self.file(f"{self.package}/{name}")
        if file is None:
            raise NotValidatable(f"{name} is missing")
        found = self._parsed.get(name)
        if found is None:
            try:
                found = read_artifact(name, file.data)
            except (ValueError, RecursionError) as error:
                raise NotValidatable(f"{name} is no JSON") from error
            if keep:
                self._parsed[name] = found
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
