"""Finds the user's folders for state and configuration by the platform's conventions; None without a home folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_state_path

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
    return _named(environment, "XDG_STATE_HOME") or _absolute(user_state_path(APPLICATION, appauthor=False))


def config_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of the configuration (`$XDG_CONFIG_HOME/melleafy-tui`)."""
    return _named(environment, "XDG_CONFIG_HOME") or _absolute(user_config_path(APPLICATION, appauthor=False))


def config_file(environment: Mapping[str, str]) -> Path | None:
    """Return the path of the user's configuration file, or None without a configuration folder."""
    folder = config_folder(environment)
    return folder / CONFIG_NAME if folder is not None else None


def _named(environment: Mapping[str, str], variable: str) -> Path | None:
    value = environment.get(variable, "")
    return Path(value) / APPLICATION if value and Path(value).is_absolute() else None


def _absolute(path: Path) -> Path | None:
    return path if path.is_absolute() else None
