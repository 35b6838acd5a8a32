"""Writing emitted files to a folder, judging and loading packages from there, for tests of the generators."""

import importlib
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from melleafy_tui.core.models.file_set import EmittedFile, FileSet


def write_files(files: FileSet, folder: Path) -> Path:
    """Write a file set below a folder and return the package's folder."""
    for file in files.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return folder / files.package_name


def with_text(files: FileSet, path: str, text: str) -> FileSet:
    """Return a file set in which one file of the package has another text."""
    changed = f"{files.package_name}/{path}"
    assert changed in files.by_path
    kept = (EmittedFile(changed, text.encode()) if file.path == changed else file for file in files.files)
    return FileSet(tuple(kept), files.package_name)


RUFF = Path(sysconfig.get_path("scripts")) / "ruff"


def ruff_format_changes(modules: Iterable[bytes], *, lint: bool = False) -> str:
    """Return what `ruff format` would change in modules and, if asked, what `ruff check` finds; `""` is nothing.

    All modules are judged at once, each in a file of its own.
    """
    commands = [["format", "--diff"], ["check"]] if lint else [["format", "--diff"]]
    said = ""
    with TemporaryDirectory() as folder:
        for number, module in enumerate(modules):
            Path(folder, f"module_{number}.py").write_bytes(module)
        for command in commands:
            done = subprocess.run(
                [RUFF, *command, "--isolated", "--no-cache", folder],
                capture_output=True,
                text=True,
                check=False,
            )
            said += "" if done.returncode == 0 else done.stdout + done.stderr
    return said


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
