# Static module of melleafy-tui 0.2.0, not to be edited.
"""Where a package keeps what it has to know at its next run."""

import os
from pathlib import Path


class StateError(RuntimeError):
    """What a package keeps between runs can't be read or written."""


def home_folder(package: str) -> Path:
    """Return the folder that <PACKAGE>_HOME names, else one in the user's state folder.

    Raises:
        StateError: the user has no home folder, as in some containers.
    """
    variable = f"{package.upper()}_HOME"
    named = os.environ.get(variable, "")
    if named:
        return Path(named)
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        base = state if state.is_absolute() else Path("~/.local/state").expanduser()
    except RuntimeError as error:
        raise StateError(f"there is no home folder; set {variable}") from error
    return base / package
