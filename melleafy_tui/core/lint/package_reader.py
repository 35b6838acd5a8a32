"""Reads a package from disk for the lints, which must see all code that an import of it could run."""

import errno
import os
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.linted_package import ENVIRONMENT_EXAMPLE
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.source.limits import NEVER_A_SOURCE

SKIPPED: Final = NEVER_A_SOURCE | {"build", "dist"}
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
    package = find_package(folder, "__init__.py")
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


_LIBRARIES: Final = {"httpx", "mellea", "pydantic", "pydantic_core", "typing_extensions"}
_SHADOWED: Final = sys.stdlib_module_names | _LIBRARIES | {"sitecustomize", "usercustomize"}


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
