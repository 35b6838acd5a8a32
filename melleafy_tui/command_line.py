"""The command line that does without the wizard what was done in it, in words that a shell takes."""

import shlex
from pathlib import Path


def command_line(workspace: Path, out: Path, *, decisions_path: Path | None, force: bool) -> str:
    """Return the command line that does the same without the wizard.

    Args:
        workspace: The folder that is converted.
        out: The output folder.
        decisions_path: The decisions file in use, where there is one.
        force: Whether edited files may be overwritten (with a backup).
    """
    parts = ["melleafy-tui", shell_path(workspace)]
    if decisions_path is not None:
        parts.append(f"--decisions {shell_path(decisions_path)}")
    parts.extend(("--dependencies=auto", "--out", shell_path(out)))
    if force:
        parts.append("--force")
    return " ".join(parts)


def shell_path(path: Path) -> str:
    """Return a path as a shell takes it, with `~` for the home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return shlex.quote(str(path))
    if path != home and path.is_relative_to(home):
        return f"~/{shlex.quote(path.relative_to(home).as_posix())}"
    return shlex.quote(str(path))
