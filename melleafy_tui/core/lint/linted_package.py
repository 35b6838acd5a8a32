"""The package that is linted: its files, each Python file parsed once, and the records of its conversion."""

import ast
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, ValidationError

from melleafy_tui.core.lint.modules import Function, Module, Problem, module_of
from melleafy_tui.core.models.file_set import EmittedFile, FileSet, is_carried
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.manifest import SourceLayout
from melleafy_tui.core.output.emitted import is_static
from melleafy_tui.core.source.json5 import read_record

RecordT = TypeVar("RecordT")

ENVIRONMENT_EXAMPLE: Final = ".env.example"
"""In the output folder, next to the package."""

INVENTORY: Final = "intermediate/inventory.json"
MAPPING: Final = "intermediate/element_mapping.json"
PLAN: Final = "intermediate/dependency_plan.json"
PROVENANCE: Final = "intermediate/provenance.json"


class NotValidatable(Exception):
    """The package lacks something that a lint needs."""


class Inventory(Struct, frozen=True):
    """The fields of `inventory.json` that lints read."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    released_secrets: tuple[str, ...] = ()


class Package:
    """The files of a package.

    Args:
        files: The file set; paths are relative to the output folder.
        root: The output folder if the package is on disk.
        own_modules: SHA-256 of the static modules of this release.
    """

    def __init__(
        self, files: FileSet, root: Path | None = None, own_modules: Collection[str] = frozenset()
    ) -> None:
        self.name = files.package_name
        self.files = files.by_path
        self.root = root
        self._own_modules = own_modules
        self._records: dict[tuple[str, object], object] = {}

    @cached_property
    def printed(self) -> tuple[EmittedFile, ...]:
        """Return the files that aren't static."""
        return tuple(file for file in self.files.values() if not is_static(file.path, file.data))

    @cached_property
    def edited(self) -> tuple[EmittedFile, ...]:
        """Return the files that say that they are static modules, and aren't those of this release."""
        marked = (file for file in self.files.values() if is_static(file.path, file.data))
        return tuple(file for file in marked if not (file.static or file.sha256 in self._own_modules))

    @cached_property
    def every_module(self) -> dict[str, Module]:
        """Return the Python files by their path in the package, those that don't parse included.

        Files that are carried from the source are no code of the package.
        """
        found = (file for file in self.files.values() if file.path.startswith(f"{self.name}/"))
        printed = {file.path for file in self.printed}
        modules = (
            module_of(file.path, file.data, static=file.path not in printed)
            for file in found
            if file.path.endswith(".py")
        )
        return {module.name: module for module in modules if not self.is_carried(module.name)}

    def is_carried(self, name: str) -> bool:
        """Return whether a file of the package, named relative to it, was carried from the source."""
        return is_carried(name, self._source_paths)

    @cached_property
    def _source_paths(self) -> frozenset[str]:
        """Return the paths of the source's files, those of a skill relative to its folder."""
        try:
            layout = self.record("intermediate/source_layout.json", SourceLayout)
        except NotValidatable:
            return frozenset()
        paths = [file.path for file in layout.files]
        folders = {path.removesuffix("SKILL.md") for path in paths if path.endswith("SKILL.md")}
        return frozenset(path.removeprefix(folder) for folder in (*folders, "") for path in paths)

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Return the Python files that parse, by their path in the package."""
        return {name: module for name, module in self.every_module.items() if module.unreadable is None}

    @cached_property
    def printed_modules(self) -> dict[str, Module]:
        """Return the Python files of this agent that parse, by their path in the package."""
        return {name: module for name, module in self.modules.items() if not module.static}

    def module(self, name: str) -> Module:
        """Return one Python file.

        Raises:
            NotValidatable: The package has no such file, or it does not parse.
        """
        if name not in self.modules:
            raise NotValidatable(f"there is no readable {name}")
        return self.modules[name]

    @cached_property
    def entry(self) -> Function:
        """Return `run_pipeline`.

        Raises:
            NotValidatable: The package has none, or it can't be read.
        """
        found = self.module("pipeline.py").defined.get("run_pipeline")
        if not isinstance(found, Function):
            raise NotValidatable("pipeline.py has no run_pipeline")
        return found

    def imported(self, folder: str, levels: int, name: str) -> str | None:
        """Return the path in the package, without `.py`, of what an import names, or None if it is outside.

        Args:
            folder: The folder of the importing module in the package.
            levels: The dots before the name; none for a full name.
            name: The dotted name.
        """
        parts = name.split(".") if name else []
        if not levels:
            return "/".join(parts[1:]) if parts[:1] == [self.name] else None
        above = folder.split("/") if folder else []
        if levels - 1 > len(above):
            return None
        return "/".join([*above[: len(above) - (levels - 1)], *parts])

    def definition(self, module: Module, name: str, hops: int = 8) -> tuple[Module, ast.stmt] | None:
        """Return what defines a name of a module, where the package defines it, or None if nothing does."""
        found = module.defined.get(name)
        if isinstance(found, ast.ImportFrom) and hops:
            inner = self.imported(module.name.rpartition("/")[0], found.level, found.module or "")
            home = None if inner is None else self.module_at(inner)
            if home is not None and name in home.defined:
                return self.definition(home, name, hops - 1)
        return (module, found) if found is not None else None

    def module_at(self, inner: str) -> Module | None:
        """Return the module or package at a path without `.py`, or None."""
        init = f"{inner}/__init__.py" if inner else "__init__.py"
        return self.modules.get(f"{inner}.py") or self.modules.get(init)

    @property
    def stands_alone(self) -> bool:
        """Return whether the package came without the files next to it, like one generated in place."""
        return not any(path in self.files for path in ("pyproject.toml", ENVIRONMENT_EXAMPLE))

    def has(self, name: str) -> bool:
        """Return whether the package has a file or folder of this name."""
        path = f"{self.name}/{name}".rstrip("/")
        return path in self.files or f"{path}/" in self._folders

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(
            path[: end + 1] for path in self.files for end, letter in enumerate(path) if letter == "/"
        )

    def path_of(self, name: str) -> str:
        """Return the path in the output folder of a file named relative to it or to the package, or `""`."""
        return next((path for path in (f"{self.name}/{name}", name) if path in self.files), "")

    def record(self, name: str, kind: type[RecordT]) -> RecordT:
        """Return a JSON record of the conversion.

        Raises:
            NotValidatable: It is missing, or isn't what a conversion writes.
        """
        file = self.files.get(f"{self.name}/{name}")
        if file is None:
            raise NotValidatable(f"{name} is missing")
        if (name, kind) not in self._records:
            try:
                self._records[name, kind] = read_record(file.data, kind)
            except ValidationError as error:
                raise NotValidatable(f"{name} is not what a conversion writes: {error}") from error
            except (ValueError, RecursionError) as error:
                raise NotValidatable(f"{name} is not valid JSON") from error
        return self._records[name, kind]  # type: ignore[return-value] # the key has the type

    def problem(self, name: str, message: str, hint: str = "") -> Problem:
        """Return a problem of a whole file, named relative to the package."""
        return Problem(f"{self.name}/{name}", 0, 0, message, hint)
