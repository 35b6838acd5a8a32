"""Gives lints access to the files and artifacts of a package; each is read once and shared by all lints of a run."""

import errno
import os
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property, partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final, TypeVar

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.artifacts import JsonObject, read_artifact, rows_of
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile, FileSet
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.result_cache import ResultCache

FactT = TypeVar("FactT")

ENVIRONMENT_EXAMPLE: Final = ".env.example"
"""In the output folder, next to the package."""

PATHS: Final = "<paths>"
"""Declares that a lint reads the list of files, not only their content."""


class NotValidatable(Exception):
    """The package lacks something that a lint needs."""


class UndeclaredFile(LookupError):
    """A lint read a file that its row does not declare; always a bug in melleafy-tui."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is read, but not declared in the table of lints")


class Package:
    """The files of a package and what was parsed from them; shared by all views of one run.

    Args:
        files: The file set; paths are relative to the output folder.
        root: The output folder if the package is on disk.
        results: Remembers between runs which modules do not parse.
    """

    def __init__(self, files: FileSet, root: Path | None, results: ResultCache) -> None:
        self.files = files
        self.name = files.package_name
        self.root = root
        self._results = results
        self._made: dict[tuple[object, ...], object] = {}

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Return the Python files by their path relative to the package, those that do not parse included."""
        return {
            name: Module(file.path, file.data, self._results, static=file.static)
            for file in self.files.files
            if (name := self.within(file.path)).endswith(".py") and not name.startswith(CARRIED_FOLDERS)
        }

    @cached_property
    def printed(self) -> tuple[EmittedFile, ...]:
        """Return the files that aren't static; all files of a package on disk, where any may have been edited."""
        return tuple(file for file in self.files.files if not file.static)

    @cached_property
    def printed_modules(self) -> tuple[Module, ...]:
        """Return the Python files among `printed`, carried ones excepted."""
        printed = {file.path for file in self.printed}
        return tuple(module for module in self.modules.values() if module.path in printed)

    def within(self, path: str) -> str:
        """Return a path relative to the package, or `""` for a file outside it."""
        prefix = f"{self.name}/"
        return path.removeprefix(prefix) if path.startswith(prefix) else ""

    def once(self, key: tuple[object, ...], make: Callable[[], FactT]) -> FactT:
        """Return a value computed once per run; the key names it and determines its type."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value] # the key determines the type


class PackageView:
    """The files of a package that one lint declares; reading any other raises UndeclaredFile.

    Args:
        package: The package.
        reads: Path patterns relative to the package, or to the output folder for files outside the package,
            and `PATHS`.
    """

    def __init__(self, package: Package, reads: tuple[str, ...]) -> None:
        self._package = package
        self._reads = reads
        self.package = package.name
        self.root = package.root

    @cached_property
    def inputs(self) -> tuple[object, ...]:
        """Return everything that the lint can read; with equal inputs it finds the same problems."""
        paths = self._paths if PATHS in self._reads else ()
        return (tuple(paths), [(file.path, file.data) for file in self.every_file])

    @property
    def _paths(self) -> Collection[str]:
        if PATHS not in self._reads:
            raise UndeclaredFile(PATHS)
        return self._package.files.by_path.keys()

    def _declares(self, path: str) -> bool:
        name = self._package.within(path) or path
        return any(name == pattern or fnmatchcase(name, pattern) for pattern in self._reads)

    @property
    def stands_alone(self) -> bool:
        """Return whether the package came without the files next to it, like one generated in place."""
        beside = ("pyproject.toml", ENVIRONMENT_EXAMPLE)
        return not any(path in self._paths for path in beside)

    def file(self, path: str) -> EmittedFile | None:
        """Return a declared file by its path in the output folder, or None."""
        if not self._declares(path):
            raise UndeclaredFile(path)
        return self._package.files.by_path.get(path)

    @cached_property
    def every_file(self) -> tuple[EmittedFile, ...]:
        """Return all declared files, by path."""
        return tuple(file for file in self._package.files.files if self._declares(file.path))

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Return the declared Python files that parse, by their path relative to the package."""
        return {
            name: module
            for name, module in self._package.modules.items()
            if self._declares(module.path) and module.unreadable is None
        }

    def module_at(self, name: str) -> Module | None:
        """Return a Python file that parses, by its path relative to the package, or None."""
        _ = self.file(f"{self.package}/{name}")
        return self.modules.get(name)

    def syntax_of(self, name: str) -> Iterator[Problem]:
        """Yield why a Python file does not parse; yields nothing if it does."""
        module = self._package.modules.get(name)
        if module is not None and module.unreadable is not None:
            yield module.unreadable

    def module(self, name: str) -> Module:
        """Return one Python file.

        Raises:
            NotValidatable: The package has no such file, or it does not parse.
        """
        found = self.module_at(name)
        if found is None:
            raise NotValidatable(f"there is no readable {name}")
        return found

    def has(self, name: str) -> bool:
        """Return whether the package has a file (or a folder, given with a final `/`)."""
        full = f"{self.package}/{name}"
        if name.endswith("/"):
            return any(path.startswith(full) for path in self._paths)
        return full in self._paths

    def path_of(self, name: str) -> str:
        """Return the path in the output folder of a file named relative to it or to the package, or `""`."""
        candidates = (f"{self.package}/{name}", name)
        return next((path for path in candidates if path in self._paths), "")

    def artifact(self, name: str) -> JsonObject:
        """Return a JSON artifact as an object; the rows of a large one stay undecoded.

        Raises:
            NotValidatable: The artifact is missing or is not a JSON object.
        """
        file = self.file(f"{self.package}/{name}")
        if file is None:
            raise NotValidatable(f"{name} is missing")
        try:
            found = self._package.once((read_artifact, name), partial(read_artifact, name, file.data))
        except (ValueError, RecursionError) as error:
            raise NotValidatable(f"{name} is not valid JSON") from error
        if not isinstance(found, dict):
            raise NotValidatable(f"{name} is not a JSON object")
        return found

    def fact(self, name: str, make: Callable[[JsonObject], FactT]) -> FactT:
        """Return a value computed from a JSON artifact, shared by the lints of one run.

        Args:
            name: The artifact.
            make: A module-level function that depends on its argument only.

        Raises:
            NotValidatable: The artifact is missing or is not a JSON object.
        """
        return self._package.once((make, name), partial(make, self.artifact(name)))

    def rows(self, name: str, key: str) -> Iterator[JsonObject]:
        """Yield the objects in a list of an artifact.

        Raises:
            NotValidatable: The artifact or the list is missing.
        """
        found = rows_of(self.artifact(name), key)
        if found is None:
            raise NotValidatable(f"{name} has no list {key!r}")
        yield from found

    def problem(self, name: str, message: str, hint: str) -> Problem:
        """Return a problem of a whole file, named relative to the package."""
        return Problem(f"{self.package}/{name}", 0, 0, message, hint)


SKIPPED: Final = frozenset(
    {
        ".git",
        ".venv",
        "venv",
        "node_modules",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        "build",
        "dist",
    }
)
LARGEST_FILE: Final = 10_000_000
MOST_FILES: Final = 5_000
MOST_BYTES: Final = 200_000_000

_CODE: Final = (".py", ".pyc", *EXTENSION_SUFFIXES, ".pyd", ".so")
"""How the names of files end that an import can run."""


def read_package(folder: Path) -> tuple[FileSet, Path]:
    """Read a package from disk; return its files and the output folder that their paths are relative to.

    Args:
        folder: The package itself, or the output folder that holds it.

    Raises:
        UnusableInput: There is no package, there are several, or the package can't be read.
    """
    package = _package_in(folder)
    root = package.parent
    try:
        beside = _beside(package)
        if beside:
            _refuse_shadows(root)
        files = list(_read((*beside, *_below(package)), root))
    except OSError as error:
        raise UnusableInput(
            f"{error.filename} can't be read: {error.strerror}",
            hint="The lints judge all code that an import of the package could run: put it right, or move it away.",
            location=str(folder),
        ) from error
    return FileSet(tuple(sorted(files, key=lambda file: file.path)), package.name), root


def _package_in(folder: Path) -> Path:
    if not folder.is_dir():
        raise UnusableInput(
            "There is no such folder", hint="Name the folder of a package.", location=str(folder)
        )
    folder = folder.resolve()
    if (folder / "__init__.py").is_file() or (folder / "melleafy.json").is_file():
        return folder
    for mark in ("melleafy.json", "pipeline.py", "__init__.py"):
        found = sorted(
            path.parent
            for path in folder.glob(f"*/{mark}")
            if path.parent.name not in SKIPPED and not path.parent.is_symlink()
        )
        if len(found) == 1:
            return found[0]
        if found:
            break
    what = "holds more than one package" if found else "holds no package"
    raise UnusableInput(f"The folder {what}", hint="Name the folder of a package.", location=str(folder))


def _beside(package: Path) -> tuple[Path, ...]:
    """Return the files next to a package that belong to it; a package inside a workspace has none."""
    project = package.parent / "pyproject.toml"
    if project.is_symlink() or not project.is_file() or project.stat().st_size > LARGEST_FILE:
        return ()
    try:
        settings = tomllib.loads(project.read_text(encoding="utf-8"))
        listed = settings["tool"]["setuptools"]["packages"]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return ()
    if not isinstance(listed, list) or package.name not in listed:
        return ()
    variables = package.parent / ENVIRONMENT_EXAMPLE
    return (project, variables) if variables.is_file() and not variables.is_symlink() else (project,)


def _refuse_shadows(root: Path) -> None:
    """Refuse modules beside a package that Python imports instead of a library, when it runs in that folder.

    Raises:
        OSError: there is one.
    """
    for place in sorted(root.iterdir()):
        inits = (place / f"__init__{ending}" for ending in _CODE)
        if place.name.partition(".")[0] in _SHADOWED and (
            place.name.endswith(_CODE) or any(init.exists() for init in inits)
        ):
            raise OSError(errno.EINVAL, "Python would import it instead of a library", str(place))


_SHADOWED: Final = sys.stdlib_module_names | {
    "mellea",
    "pydantic",
    "pydantic_core",
    "sitecustomize",
    "typing_extensions",
    "usercustomize",
}


def _below(package: Path) -> Iterator[Path]:
    """Yield the files of a package.

    Raises:
        OSError: an import could run something that the lints can't read.
    """
    for home, folders, names in os.walk(package, onerror=_raise):
        for name in folders:
            place = Path(home, name)
            if name.isidentifier() and name not in _NEVER_CODE and (name in SKIPPED or place.is_symlink()):
                why = (
                    "it is a symbolic link"
                    if place.is_symlink()
                    else "a folder of this name holds no package"
                )
                raise OSError(errno.EINVAL, why, str(place))
        folders[:] = sorted(
            name for name in folders if name not in SKIPPED and not name.endswith(".egg-info")
        )
        for name in sorted(names):
            path = Path(home, name)
            why = _not_read(path)
            if why and name.endswith(_CODE):
                raise OSError(errno.EINVAL, why, str(path))
            if not why:
                yield path


_NEVER_CODE: Final = frozenset({"__pycache__"})
"""A cache is made from the code beside it; `check --exact` lists what is in one."""


def _not_read(path: Path) -> str:
    """Return why a file isn't read, or `""`."""
    if path.is_symlink():
        return "it is a symbolic link"
    if not path.is_file():
        return "it is not a regular file"
    if path.stat().st_size > LARGEST_FILE:
        return f"it is larger than {LARGEST_FILE:,} bytes"
    return "it is compiled code" if path.name.endswith(_CODE[1:]) else ""


def _read(paths: Iterable[Path], root: Path) -> Iterator[EmittedFile]:
    size = 0
    for number, path in enumerate(paths):
        data = read_without_links(path)
        size += len(data)
        if number >= MOST_FILES or size > MOST_BYTES:
            most = f"a package with more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes isn't read"
            raise OSError(errno.EFBIG, most, str(path))
        yield EmittedFile(path.relative_to(root).as_posix(), data)


def _raise(error: OSError) -> None:
    raise error
