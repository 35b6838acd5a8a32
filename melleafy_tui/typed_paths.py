"""Paths as people type them into a dialog: what they mean, and what is wrong with them."""

from contextlib import suppress
from pathlib import Path


def typed_path(text: str) -> Path:
    """Return the absolute path that was typed, with `~` for the home folder."""
    path = Path(text)
    with suppress(RuntimeError):
        path = path.expanduser()
    return path.absolute()


def path_fault(text: str) -> str:
    """Return what is wrong with a typed path, `""` for nothing."""
    return "" if text else "Type a path."
