"""Writing emitted files to a folder and loading packages from there, for tests of the generators."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from melleafy_tui.core.models.package import FileSet


def write_files(files: FileSet, folder: Path) -> Path:
    """Write a file set below a folder and return the package's folder."""
    for file in files.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return folder / files.package_name


@contextmanager
def loaded_package(files: FileSet, folder: Path) -> Iterator[ModuleType]:
    """Write a package, import its pipeline, and forget all of it afterwards."""
    write_files(files, folder)
    with imported(files.package_name, folder) as pipeline:
        yield pipeline


@contextmanager
def imported(name: str, folder: Path) -> Iterator[ModuleType]:
    """Import the pipeline of a package as it stands in a folder, and forget all of it afterwards."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(f"{name}.pipeline")
    finally:
        sys.path.remove(str(folder))
        for module in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
            del sys.modules[module]
