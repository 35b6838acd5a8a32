"""Resolves settings from flags, environment, decisions file, configuration file and defaults, with their sources.

A flag wins over `MELLEAFY_…`, which wins over the decisions file, over
`$XDG_CONFIG_HOME/melleafy-tui/config.toml`, and over the default.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from melleafy_tui.actions.key_table import SECTION, KeyTable
from melleafy_tui.core.errors import UsageError, did_you_mean, quoted_names

if TYPE_CHECKING:  # the wizard's frame needs its keys before the models are imported
    from melleafy_tui.core.models.conversion_settings import Settings
    from melleafy_tui.core.models.decisions import DecidedSettings

VARIABLE_PREFIX: Final = "MELLEAFY_"
DEFAULT: Final = "default"
"""The source of a setting that nothing sets."""


class SettingRow(Struct, frozen=True):
    """One setting: its name in files, its kind, and what separates the parts of a list in one text.

    The flag is `--name-with-dashes`, the variable `MELLEAFY_NAME`. `decided` settings are part of the
    decisions.
    """

    name: str
    kind: Literal["a string", "a list of strings", "true or false"] = "a string"
    decided: bool = True
    separator: str = ","

    @property
    def flag(self) -> str:
        """Return the command line option."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Return the environment variable."""
        return VARIABLE_PREFIX + self.name.upper()

    @property
    def is_switch(self) -> bool:
        """Return whether it is on or off."""
        return self.kind == "true or false"

    def read(self, text: str) -> object:
        """Return the value that a text has; one that is none stays a text, which is refused later."""
        if self.is_switch:
            return _SWITCH_WORDS.get(text.strip().lower(), text)
        if self.kind == "a list of strings":
            return tuple(part.strip() for part in text.split(self.separator) if part.strip())
        return text

    def fits(self, value: object) -> bool:
        """Return whether a value of a configuration file is of this kind."""
        if self.kind == "a list of strings":
            return isinstance(value, list) and all(isinstance(part, str) for part in value)
        return isinstance(value, bool if self.is_switch else str)


_SWITCH_WORDS: Final = {
    **dict.fromkeys(("1", "true", "yes"), True),
    **dict.fromkeys(("0", "false", "no", ""), False),
}

SETTING_ROWS: Final = (
    SettingRow("source_runtime"),
    SettingRow("contributing_runtimes", "a list of strings"),
    SettingRow("modality"),
    SettingRow("package_name"),
    SettingRow("backend"),
    SettingRow("model_id"),
    SettingRow("persona_channel"),
    SettingRow("openclaw_release"),
    SettingRow("keep_stock_text", "true or false"),
    SettingRow("schedule", "a list of strings", separator=";"),
    SettingRow("out", decided=False),
    SettingRow("as_of", decided=False),
    SettingRow("decisions", decided=False),
    SettingRow("dependencies", decided=False),
    SettingRow("in_place", "true or false", decided=False),
    SettingRow("strict_decisions", "true or false", decided=False),
)
_ROWS_BY_NAME: Final = {row.name: row for row in SETTING_ROWS}


class Resolved(Struct, frozen=True):
    """One setting with its value and source."""

    name: str
    value: object
    source: str

    @property
    def text(self) -> str:
        """Return the value for people, `-` for none."""
        if self.value is None or self.value == () or self.value == []:
            return "-"
        return ", ".join(map(str, self.value)) if isinstance(self.value, (list, tuple)) else str(self.value)


class Configuration(Struct, frozen=True):
    """All settings of one run."""

    resolved: tuple[Resolved, ...]
    settings: "Settings"
    keys: KeyTable = KeyTable()
    """The user's key table."""

    def __getitem__(self, name: str) -> object:
        """Return the value of one setting."""
        return next(item.value for item in self.resolved if item.name == name)

    def text(self, name: str) -> str:
        """Return a text setting, `""` if it is not set."""
        value = self[name]
        return value if isinstance(value, str) else ""

    def given(self, name: str) -> bool:
        """Return whether any source sets a setting."""
        return next(item.source for item in self.resolved if item.name == name) != DEFAULT


def resolve(
    arguments: argparse.Namespace,
    *,
    environment: Mapping[str, str],
    config_file: Path | None,
    decided: "DecidedSettings | None" = None,
    decisions_source: str = "",
) -> Configuration:
    """Return the settings of a run.

    Args:
        arguments: The command line.
        environment: The environment.
        config_file: The user's configuration file, if there may be one.
        decided: The settings of the decisions file in use.
        decisions_source: Name of that file, for messages.

    Raises:
        UsageError: a source has an unknown name or an invalid value; the message names the source.
    """
    from melleafy_tui.core.models.conversion_settings import Settings, checked_settings

    configured, keys = _configured(config_file)
    decisions = (
        decided.model_dump(mode="json", exclude_none=True, exclude_unset=True) if decided is not None else {}
    )
    defaults = Settings()
    resolved: list[Resolved] = []
    for row in SETTING_ROWS:
        said = _said(row, arguments, environment)
        if said is not None:
            resolved.append(said)
        elif row.decided and row.name in decisions:
            resolved.append(Resolved(row.name, decisions[row.name], decisions_source))
        elif row.name in configured:
            resolved.append(Resolved(row.name, configured[row.name], str(config_file)))
        else:
            undecided = False if row.is_switch else None
            value = getattr(defaults, row.name) if row.decided else undecided
            resolved.append(Resolved(row.name, value, DEFAULT))
    for item in resolved:
        _check(item)
    given = (item for item in resolved if _ROWS_BY_NAME[item.name].decided and item.source != DEFAULT)
    settings = checked_settings({item.name: item.value for item in given})
    defaults_of = {key.id: key for key in KeyTable().rows}
    resolved.extend(
        Resolved(f"{SECTION}.{key.id}", key.keys, str(config_file))
        for key in keys.rows
        if key != defaults_of[key.id]
    )
    return Configuration(tuple(resolved), settings, keys)


def first_look(
    arguments: argparse.Namespace, *, environment: Mapping[str, str], config_file: Path | None
) -> tuple[str, KeyTable]:
    """Return the value of `dependencies` (`""` if not set) and the user's keys, before `resolve` reads the rest.

    Raises:
        UsageError: the configuration file is invalid.
    """
    configured, keys = _configured(config_file)
    row = _ROWS_BY_NAME["dependencies"]
    said = _said(row, arguments, environment)
    value = said.value if said is not None else configured.get(row.name)
    return value if isinstance(value, str) else "", keys


def _configured(config_file: Path | None) -> tuple[dict[str, object], KeyTable]:
    configured = read_config(config_file) if config_file is not None else {}
    keys = configured.pop(SECTION, KeyTable())
    assert isinstance(keys, KeyTable)
    return configured, keys


def _said(row: SettingRow, arguments: argparse.Namespace, environment: Mapping[str, str]) -> Resolved | None:
    """Return a setting's value from the command line, or else from the environment."""
    flag = getattr(arguments, row.name, None)
    variable = environment.get(row.variable)
    if flag not in (None, False):
        return Resolved(row.name, row.read(flag) if isinstance(flag, str) else flag, row.flag)
    return Resolved(row.name, row.read(variable), row.variable) if variable is not None else None


def read_config(place: Path) -> dict[str, object]:
    """Return the names and values of a configuration file, empty if there is none; `keys` as a key table.

    Raises:
        UsageError: it can't be read, is not valid TOML, or has an unknown name.
    """
    try:
        text = place.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(
            f"The configuration file cannot be read ({error.strerror})",
            hint="Check its permissions.",
            location=str(place),
        ) from error
    except UnicodeDecodeError as error:
        raise _no_toml(place, error) from error
    import tomllib  # most users have no configuration file

    try:
        document: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(place, error) from error
    for name, value in document.items():
        if name != SECTION:
            _check_entry(name, value, place)
    if SECTION in document:
        from melleafy_tui.actions.key_remapping import remapped

        document[SECTION] = remapped(document[SECTION], file=str(place), text=text)
    return document


def _check_entry(name: str, value: object, place: Path) -> None:
    row = _ROWS_BY_NAME.get(name)
    if row is None:
        raise UsageError(
            f"Unknown name in the configuration file: {name!r}",
            hint=f"{did_you_mean(name, _ROWS_BY_NAME)} Known names: {', '.join(_ROWS_BY_NAME)}.".lstrip(),
            location=str(place),
        )
    if not row.fits(value):
        raise UsageError(f"{name!r} must be {row.kind}", hint="Correct it.", location=str(place))


def _no_toml(place: Path, error: ValueError) -> UsageError:
    return UsageError(
        f"The configuration file is not valid TOML: {error}", hint="Correct it.", location=str(place)
    )


def _check(item: Resolved) -> None:
    row = _ROWS_BY_NAME[item.name]
    if row.is_switch and not isinstance(item.value, bool):
        raise UsageError(
            f"{item.source} is {item.value!r}, which is neither true nor false", hint="Set it to 1 or 0."
        )
    if not row.decided or item.source == DEFAULT:
        return
    from melleafy_tui.core.models.conversion_settings import InvalidSetting, checked_settings

    try:
        checked_settings({item.name: item.value})
    except InvalidSetting as error:
        reason = error.reason
        meant = did_you_mean(str(item.value), quoted_names(reason))
        raise UsageError(
            f"{item.source} has the value {item.value!r}: {reason[:1].lower()}{reason[1:]}",
            hint=f"{meant} See {row.flag} in `melleafy-tui --help`.".lstrip(),
        ) from error
    if item.name in ("backend", "model_id"):
        from melleafy_tui.core.package.backends import objection_to

        if objection := objection_to(item.name, item.value):
            raise UsageError(f"{item.source}: {objection}", hint=f"Correct {item.source}.")
