"""The judges of emitted code that are not ours: ruff and mypy, once over all packages in a folder."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from melleafy_tui.core.models.file_set import FileSet
from tests.generators.emitting import write_files


def complaints(packages: Iterable[FileSet], folder: Path, *ruff_options: str) -> str:
    """Write the packages to a folder and return what ruff and `mypy --strict` say against them."""
    names = [write_files(files, folder).name for files in packages]
    assert len(names) == len(set(names)), names
    told = ""
    for command in (
        ["ruff", "check", *ruff_options, "."],
        ["ruff", "format", *ruff_options, "--check", "."],
        ["mypy", "--strict", *(word for name in names for word in ("-p", name))],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
        )
        told += done.stdout + done.stderr if done.returncode else ""
    return told
