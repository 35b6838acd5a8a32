"""A package folder as a file set, for the lints: whichever hand wrote it, and only what lies inside it."""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE
from melleafy_tui.core.models.package import EmittedFile, FileSet

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


def read_package(folder: Path) -> tuple[FileSet, Path]:
    """Return the files of a package, and the output folder they are relative to.

    Args:
        folder: The package itself, or the output folder that holds it.

    Raises:
        UnusableInput: there is no package, there are several, or it cannot be read.
    """
    package = _package_in(folder)
    root = package.parent
    try:
        files = [_emitted(path, root) for path in (*_beside(package), *_below(package))]
    except OSError as error:
        raise UnusableInput(
            f"{error.filename} cannot be read: {error.strerror}",
            hint="Check its permissions.",
            location=str(folder),
        ) from error
    return FileSet(tuple(sorted(files, key=lambda file: file.path)), package.name), root


def _package_in(folder: Path) -> Path:
    if not folder.is_dir():
        raise UnusableInput(
            f"There is no folder {folder}", hint="Name the folder of a package.", location=str(folder)
        )
    folder = folder.resolve()
    if (folder / "__init__.py").is_file() or (folder / "melleafy.json").is_file():
        return folder
    for mark in ("melleafy.json", "pipeline.py", "__init__.py"):
        found = sorted(path.parent for path in folder.glob(f"*/{mark}") if path.parent.name not in SKIPPED)
        if len(found) == 1:
            return found[0]
        if found:
            break
    what = "holds more than one package" if found else "holds no package"
    raise UnusableInput(f"{folder} {what}", hint="Name the folder of a package.", location=str(folder))


def _beside(package: Path) -> tuple[Path, ...]:
    """Return the files beside a package that belong to it; a package inside a workspace has none of its own."""
    project = package.parent / "pyproject.toml"
    if project.is_symlink() or not project.is_file() or project.stat().st_size > LARGEST_FILE:
        return ()
    try:
        settings = tomllib.loads(project.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    listed = settings.get("tool", {}).get("setuptools", {}).get("packages", [])
    if package.name not in listed:
        return ()
    variables = package.parent / ENVIRONMENT_EXAMPLE
    return (project, variables) if variables.is_file() and not variables.is_symlink() else (project,)


def _below(package: Path) -> Iterator[Path]:
    count = 0
    for home, folders, names in os.walk(package):
        folders[:] = sorted(
            name for name in folders if name not in SKIPPED and not name.endswith(".egg-info")
        )
        for name in sorted(names):
            path = Path(home, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_FILE:
                continue
            count += 1
            if count > MOST_FILES:
                return
            yield path


def _emitted(path: Path, root: Path) -> EmittedFile:
    return EmittedFile(path.relative_to(root).as_posix(), path.read_bytes())
