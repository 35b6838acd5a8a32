"""The format of `melleafy.json`, the manifest that exporters and hosts read.

It follows version 1.1.0 of the published compiler's manifest; our own fields come after the shared ones.
"""

from typing import Any, Final, Literal

from msgspec import field

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import (
    Archetype,
    DecisionSource,
    Disposition,
    Modality,
    PersonaChannel,
    Shape,
    ToolInvolvement,
)

MANIFEST_VERSION: Final = "1.1.0"
MANIFEST_FORMAT_VERSION: Final = "1.0"
MELLEA_VERSION: Final = "0.8.0"
"""The Mellea release that emitted code targets and is checked against."""

MELLEA_RANGE: Final = ">=0.8,<0.9"
"""The Mellea releases that an emitted package requires."""


class _Part(Record, frozen=True, forbid_unknown_fields=True):
    pass


class PipelineParameter(_Part, frozen=True):
    """One parameter of `run_pipeline`; `default` is a plain JSON value, or None if the parameter is required."""

    name: str
    type: str
    required: bool
    default: str | int | float | bool | None = None


class ResolvedEntry(_Part, frozen=True):
    """The disposition of one plan entry; `description` is one line of prose, for C1 only."""

    entry_id: str
    disposition: Disposition
    source_of_decision: DecisionSource
    target: str
    description: str | None = None


class ResolvedCategory(_Part, frozen=True):
    """The plan entries of one category, and the number of entries with each disposition."""

    count: int
    dispositions: dict[Disposition, int] = field(default_factory=dict)
    description: str | None = None
    entries: tuple[ResolvedEntry, ...] = ()


class Heartbeat(_Part, frozen=True):
    """The heartbeat's interval as the source writes it, such as `30m`."""

    every: str


class ScheduleConfig(_Part, frozen=True):
    """When the source wants the agent to run; `cadence` and `active_hours` are the wording of the source.

    `cadence` is None if a heartbeat declares none. `wake_ups` lists all of them if there are several, `tasks` what has
    a cadence of its own.
    """

    type: str
    cadence: str | None
    active_hours: str
    seconds: int | None = None
    cron: str = ""
    active_start: str = ""
    active_end: str = ""
    timezone: str = ""
    times: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    quiet_hours: str = ""
    wake_ups: tuple[dict[str, Any], ...] = ()
    tasks: tuple[dict[str, Any], ...] = ()
    heartbeat: Heartbeat | None = None


class Manifest(_Part, frozen=True, kw_only=True):
    """`melleafy.json`."""

    manifest_version: Literal["1.1.0"] = MANIFEST_VERSION
    format_version: Literal["1.0"] = MANIFEST_FORMAT_VERSION
    package_name: str
    entry_signature: str
    pipeline_parameters: tuple[PipelineParameter, ...]
    source_runtime: str
    source_runtime_override: str | None = None
    hybrid_primary: str | None = None
    hybrid_contributors: tuple[str, ...] = ()
    modality: Modality
    secondary_modalities: tuple[Modality, ...] = ()
    archetype: Archetype
    shape: Shape
    tool_involvement: ToolInvolvement
    categories_resolved: dict[str, ResolvedCategory]
    declared_env_vars: tuple[str, ...] = ()
    schedule_config: ScheduleConfig
    backend: str
    model_id: str
    persona_channel: PersonaChannel
    model_calls_per_run: dict[str, int] = field(default_factory=dict)
    """Calls per `message`, and per `heartbeat` that acts, if every check passes at the first try."""
    prompt_characters_per_run: int = 0
    """Characters of all requests of a first turn, tools as JSON and memory as it lies included."""

    mellea_version: str = MELLEA_VERSION
    melleafy_tui_version: str
    source_snapshot: str
    generated_at: str


class LaidOutFile(_Part, frozen=True):
    """The layout of one file that was read: everything needed to restore it from the elements.

    Attributes:
        encoding: utf-8, utf-8-sig, utf-16 or binary.
        line_end: The most frequent line ending.
        other_line_ends: Lines with a different ending; the last line has `""` if the file doesn't end with one.
        gaps: Non-empty lines that no element contains verbatim, such as white space, and long lines of JSON that many
            elements share.
        masked: Lines that contain a secret, with the secret replaced by `${VARIABLE}`.
        values_dropped: Values of environment variables or headers were dropped on reading; the digest is that of the
            text without them.
        secrets_masked: The file has secrets; the digest is that of its text with each masked.
    """

    path: str
    sha256: str
    encoding: str = "utf-8"
    lines: int = 0
    line_end: str = "\n"
    other_line_ends: dict[int, str] = field(default_factory=dict)
    gaps: dict[int, str] = field(default_factory=dict)
    masked: dict[int, str] = field(default_factory=dict)
    values_dropped: bool = False
    secrets_masked: bool = False


class SourceLayout(_Part, frozen=True):
    """All files that were read, and the names of the unread ones.

    A folder without any read file is a single name in `not_read`, with a final `/`, so that a new daily note doesn't
    make the package stale.
    """

    format_version: str = "1.0"
    files: tuple[LaidOutFile, ...] = ()
    not_read: tuple[str, ...] = ()
