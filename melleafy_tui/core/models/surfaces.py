"""The contract of `materialize`: what was asked for, and what becomes of each file (seed 001)."""

from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

ADAPTER_VERSION: Final = "1.0.0"

Origin = Literal["surface", "skill", "memory", "mapped", "synthesised"]
Code = Literal[
    "missing-surface",
    "synthesised",
    "synthesis-refused",
    "left-out",
    "never-written",
    "no-surface",
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class MaterializeOptions(_Part):
    """The options of the seed's adapter interface.

    `config` are hints for a host; they are passed on in the report and never written to `openclaw.json`. `memory_file`
    maps one file of the source to `MEMORY.md` (and back).
    """

    model: str | None = None
    model_params: dict[str, JsonValue] = {}
    exact: bool = True
    write_skills: bool = True
    write_memory: bool = True
    write_bootstrap: bool = True
    strict_missing_surfaces: bool = False
    memory_file: str = ""
    config: dict[str, JsonValue] = {}


class AdapterConfig(_Part):
    """The compiled adapter configuration."""

    type: Literal["openclaw"] = "openclaw"
    runtime: Literal["openclaw"] = "openclaw"
    adapter_version: str = ADAPTER_VERSION
    model: str | None = None
    model_params: dict[str, JsonValue] = {}
    config: dict[str, JsonValue] = {}


class MaterializedFile(_Part):
    """One file of the target: where it came from, and whether its bytes are those of the source."""

    path: str
    source: str
    origin: Origin
    exact: bool = True
    size: int
    sha256: str


class MaterializeWarning(_Part):
    """One thing the user should know: the file of the target (or of the source) it is about, and one sentence."""

    code: Code
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class ExactFile:
    """One file; `path` is relative and POSIX, `executable` is the owner's permission to run it."""

    path: str
    data: bytes = field(repr=False)
    executable: bool = False
