"""The settings of a conversion, which flags, environment, decisions file and configuration can set (docs/cli.md)."""

from collections.abc import Mapping
from enum import EnumType, StrEnum
from typing import Any, Final, get_args

from msgspec import ValidationError, convert, structs

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Modality, PersonaChannel

DEFAULT_BACKEND: Final = "ollama"
DEFAULT_MODEL_ID: Final = "granite4.1:3b"
DEFAULT_OPENCLAW_RELEASE: Final = "dialect-1.0"


class Settings(Record, frozen=True, forbid_unknown_fields=True):
    """The settings that affect what is emitted.

    None means "use what the source says". The decisions file contains only settings that differ from the defaults.
    """

    source_runtime: str | None = None
    contributing_runtimes: tuple[str, ...] = ()
    modality: Modality | None = None
    package_name: str | None = None
    backend: str = DEFAULT_BACKEND
    model_id: str = DEFAULT_MODEL_ID
    persona_channel: PersonaChannel = PersonaChannel.PREFIX
    openclaw_release: str = DEFAULT_OPENCLAW_RELEASE
    keep_stock_text: bool = False
    """Read the runtime's stock text as if the owner had written it."""

    schedule: tuple[str, ...] = ()
    """Changes of the schedule, each as `NAME = WHEN` (core/pipeline/schedule_changes.py)."""

    @property
    def changed(self) -> dict[str, object]:
        """Return the settings that differ from the defaults, by name."""
        defaults = structs.asdict(Settings())
        return {name: value for name, value in structs.asdict(self).items() if value != defaults[name]}


class InvalidSetting(ValueError):
    """A setting's name is unknown or its value is invalid.

    Args:
        name: The setting.
        value: Its value.
        reason: What is wrong, as a sentence without a full stop.
    """

    def __init__(self, name: str, value: object, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.value, self.reason = name, value, reason


def checked_settings(values: Mapping[str, object]) -> Settings:
    """Return settings with the given values, checked; all others keep their defaults.

    Raises:
        InvalidSetting: a name is unknown or a value is invalid.
    """
    kinds = {field.name: field.type for field in structs.fields(Settings)}
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name not in kinds:
            raise InvalidSetting(name, value, "There is no such setting")
        try:
            found[name] = convert(value, kinds[name])
        except ValidationError as error:
            parts = (kinds[name], *get_args(kinds[name]))
            options = [
                str(each) for part in parts if isinstance(part, EnumType) for each in list[StrEnum](part)
            ]
            reason = f"It should be one of {', '.join(map(repr, options))}" if options else str(error)
            raise InvalidSetting(name, value, reason) from error
    return Settings(**found)
