"""Reads a written package: its files with the source lines that they come from, and what the conversion recorded."""

import re
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, ValidationError

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.linted_package import INVENTORY, PLAN, PROVENANCE
from melleafy_tui.core.lint.package_reader import read_package
from melleafy_tui.core.lint.recorded_places import RecordedPlaces
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.inventory import RecordedInventory
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.output.emitted import EMITTED_NAME, MANIFEST_NAME, package_folders, read_recorded
from melleafy_tui.core.source.json5 import read_record
from melleafy_tui.core.source.sources_below import HERE, sources_among

ModelT = TypeVar("ModelT")

_LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


class RecordedPackage(Struct, frozen=True):
    """A written package: its files with their recorded provenance, and what the conversion recorded."""

    files: FileSet
    inventory: RecordedInventory
    plan: DependencyPlan


def is_package(path: Path) -> bool:
    """Return whether a folder is a package or the output folder of one, not a workspace that holds a package."""
    if any((path / name).is_file() for name in (MANIFEST_NAME, EMITTED_NAME)):
        return True
    if not path.is_dir() or not package_folders(path):
        return False
    names = [found.name for found in path.iterdir()]
    return all(found.path != HERE for found in sources_among(names, Dialects.default().main_files))


def read_recorded_package(folder: Path) -> RecordedPackage:
    """Read a package from disk, which may have been edited or downloaded; nothing of it runs.

    Args:
        folder: The package, or the output folder that holds it.

    Raises:
        UnusableInput: There is no package, or its records are missing or damaged.
    """
    files, out = read_package(folder)
    package = out / files.package_name
    inventory = _record(package, INVENTORY, RecordedInventory)
    plan = _record(package, PLAN, DependencyPlan)
    if not all(_LINES.fullmatch(element.source_lines) for element in inventory.elements):
        raise _unreadable(package, f"{INVENTORY} isn't what a conversion writes (an element has no lines)")
    placed = with_recorded_places(files)
    if placed is None:
        raise _unreadable(package, f"The package has no readable {PROVENANCE}")
    return RecordedPackage(placed, inventory, plan)


def with_recorded_places(files: FileSet) -> FileSet | None:
    """Return the files of a package with the places in its record, or None if it has no readable one."""
    recorded = RecordedPlaces.of(files.by_path, files.package_name)
    if recorded is None:
        return None
    placed = (
        EmittedFile(file.path, file.data, recorded.places(file.path), file.static) for file in files.files
    )
    return FileSet(tuple(placed), files.package_name)


def recorded_manifest(package: RecordedPackage, folder: Path) -> Manifest:
    """Return the manifest of a package.

    Args:
        package: The package.
        folder: Where it was read from, for the message of an error.

    Raises:
        UnusableInput: The manifest is missing or damaged.
    """
    file = package.files.by_path.get(f"{package.files.package_name}/{MANIFEST_NAME}")
    try:
        return read_record(file.data if file is not None else b"", Manifest)
    except (ValidationError, ValueError, RecursionError) as error:
        raise _unreadable(folder, f"{MANIFEST_NAME} isn't what a conversion writes") from error


def _record(package: Path, name: str, model: type[ModelT]) -> ModelT:
    try:
        return read_record(read_recorded(package / name), model)
    except (ValidationError, ValueError, RecursionError) as error:
        raise _unreadable(package, f"{name} isn't what a conversion writes ({error})") from error
    except OSError as error:
        message = f"The package has no readable {name}, which says where its lines come from"
        raise _unreadable(package, message) from error


def _unreadable(package: Path, message: str) -> UnusableInput:
    hint = "Convert the workspace again, or name the workspace instead of the package."
    return UnusableInput(message, hint=hint, location=str(package))
