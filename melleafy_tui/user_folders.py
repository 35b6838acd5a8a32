"""Finds the user's folders for state and configuration by the platform's conventions; None without a home folder."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

APPLICATION: Final = "melleafy-tui"
CONFIG_NAME: Final = "config.toml"


def home_folder() -> Path | None:
    """Return the home folder, or None if there is none."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home if home.is_absolute() else None


def state_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of journals and logs (`$XDG_STATE_HOME/melleafy-tui`)."""
    return _folder(environment, "state", ".local/state")


def config_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the configuration (`$XDG_CONFIG_HOME/melleafy-tui`)."""
    return _folder(environment, "config", ".config")


def config_file(environment: Mapping[str, str]) -> Path | None:
    """Return the path of the user's configuration file, or None without a configuration folder."""
    folder = config_folder(environment)
    return folder / CONFIG_NAME if folder is not None else None


def _folder(environment: Mapping[str, str], kind: str, on_linux: str) -> Path | None:
    """Return our folder of a kind: the one that a variable names, or where the platform has such folders."""
    named = environment.get(f"XDG_{kind.upper()}_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / APPLICATION
    if not named and sys.platform == "linux" and (home := home_folder()) is not None:
        return home / on_linux / APPLICATION
    from platformdirs import user_config_path, user_state_path  # 3 ms

    path = (user_state_path if kind == "state" else user_config_path)(APPLICATION, appauthor=False)
    return path if path.is_absolute() else None
