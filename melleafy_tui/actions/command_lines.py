"""Builds command lines for people to copy: the same run without the wizard, and the next commands to try."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.file_set import FileSet

_MESSAGE: Final = "Hello, what can you do?"


def command_line(workspace: Path, out: Path, *, decisions_path: Path | None, force: bool) -> str:
    """Return the command line that does the same without the wizard.

    Args:
        workspace: The folder that is converted.
        out: The output folder.
        decisions_path: The decisions file in use, if there is one.
        force: Whether edited files may be overwritten (with a backup).
    """
    parts = ["melleafy-tui", shell_path(workspace)]
    if decisions_path is not None:
        parts.append(f"--decisions {shell_path(decisions_path)}")
    parts.extend(("--dependencies=auto", "--out", shell_path(out)))
    if force:
        parts.append("--force")
    return " ".join(parts)


def next_commands(out: Path, files: FileSet) -> tuple[str, ...]:
    """Return the three commands to try on a written package: install it, ask the agent something, run its fixtures.

    Args:
        out: The output folder.
        files: The files that were written there.
    """
    folder = shell_path(out)
    return (
        f"cd {folder} && python -m pip install -e .",
        f'python -m {files.package_name} --message "{_MESSAGE}"',
        f"melleafy-tui smoke {folder}",
    )


def shell_path(path: Path) -> str:
    """Return a path quoted for a shell, with `~` for the home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return shlex.quote(str(path))
    if path != home and path.is_relative_to(home):
        return f"~/{shlex.quote(path.relative_to(home).as_posix())}"
    return shlex.quote(str(path))


def typed_path(text: str) -> Path:
    """Return the absolute form of a typed path, expanding `~`."""
    path = Path(text)
    with suppress(RuntimeError):
        path = path.expanduser()
    return path.absolute()


def path_fault(text: str) -> str:
    """Return what is wrong with a typed path, or `""`."""
    return "" if text else "Type a path."
