"""The contract of `melleafy.json`, the manifest that exporters and hosts read beside the code (spec/package.md 5).

Version 1.1.0 of the published compiler's manifest; what is ours alone comes after what is theirs.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict

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
"""The Mellea release that emitted code is written for and checked against."""

MELLEA_RANGE: Final = ">=0.8,<0.9"
"""The Mellea releases that an emitted package asks for."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class PipelineParameter(_Part):
    """One parameter of `run_pipeline`; `default` is a plain JSON value and None where the parameter is required."""

    name: str
    type: str
    required: bool
    default: str | int | float | bool | None = None


@dataclass(frozen=True, slots=True)
class ResolvedEntry:
    """What became of one plan entry; `description` is plain prose on one line, for C1 only.

    A record, as there is one for each entry.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    entry_id: str
    disposition: Disposition
    source_of_decision: DecisionSource
    target: str
    description: str | None = None


class ResolvedCategory(_Part):
    """The plan entries of one category, and how many have which disposition."""

    count: int
    dispositions: dict[Disposition, int] = {}
    description: str | None = None
    entries: tuple[ResolvedEntry, ...] = ()


class Heartbeat(_Part):
    """The interval in the source's own form, such as `30m`."""

    every: str


class ScheduleConfig(_Part):
    """When the source wanted the agent to be woken; `active_hours` keeps the declared words."""

    type: str
    cadence: str
    active_hours: str
    seconds: int | None = None
    cron: str = ""
    active_start: str = ""
    active_end: str = ""
    timezone: str = ""
    heartbeat: Heartbeat | None = None


class Manifest(_Part):
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
    model_calls_per_run: dict[str, int] = {}
    """`message`, and `heartbeat` for a wake-up that acts, where every check passes at the first try."""

    mellea_version: str = MELLEA_VERSION
    melleafy_tui_version: str
    source_snapshot: str
    generated_at: str


class LaidOutFile(_Part):
    """One file that was read.

    Attributes:
        path: Path relative to the workspace.
        sha256: Digest of its bytes.
        encoding: utf-8, utf-8-sig, utf-16 or binary.
        lines: How many lines it has.
        line_end: The most frequent line end.
        other_line_ends: Line ends that differ from it; the last line has `""` where the file ends without one.
        gaps: Text of the lines that no element has verbatim and that are not empty, such as blanks, and long lines of
            JSON that many elements share.
        masked: Lines that hold a secret, with the secret replaced by `${VARIABLE}`.
        values_dropped: It held values of environment variables or headers, which were never kept; the digest is that
            of the text without them.
    """

    path: str
    sha256: str
    encoding: str = "utf-8"
    lines: int = 0
    line_end: str = "\n"
    other_line_ends: dict[int, str] = {}
    gaps: dict[int, str] = {}
    masked: dict[int, str] = {}
    values_dropped: bool = False


class SourceLayout(_Part):
    """All files that were read, and the names of those that were not.

    `not_read` names files, and folders of which nothing was read as one name with a final `/`, so that a new daily note
    makes no package stale.
    """

    format_version: str = "1.0"
    files: tuple[LaidOutFile, ...] = ()
    not_read: tuple[str, ...] = ()
