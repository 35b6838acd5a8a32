"""The options and the output of the `materialize` command."""

from typing import Any, Final, Literal

from msgspec import Struct, field

from melleafy_tui.core.models.record import Record

ADAPTER_VERSION: Final = "1.0.0"

Origin = Literal["surface", "skill", "memory", "mapped", "synthesised"]
Code = Literal[
    "missing-surface", "synthesised", "synthesis-refused", "left-out", "never-written", "no-surface"
]


class MaterializeOptions(Record, frozen=True, kw_only=True):
    """The options of the OpenClaw adapter.

    `config` contains hints for a host; the report includes them, but they are never written to `openclaw.json`.
    `memory_file` is the source file that maps to `MEMORY.md` (and back).
    """

    model: str | None = None
    model_params: dict[str, Any] = field(default_factory=dict)
    exact: bool = True
    write_skills: bool = True
    write_memory: bool = True
    write_bootstrap: bool = True
    strict_missing_surfaces: bool = False
    memory_file: str = ""
    config: dict[str, Any] = field(default_factory=dict)


class AdapterConfig(Record, frozen=True, kw_only=True, rename="camel"):
    """The compiled adapter configuration, with its names as the adapter's contract spells them."""

    type: Literal["openclaw"] = "openclaw"
    runtime: Literal["openclaw"] = "openclaw"
    adapter_version: str = ADAPTER_VERSION
    model: str | None = None
    model_params: dict[str, Any] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)


class MaterializedFile(Record, frozen=True, kw_only=True):
    """One file of the target: where it came from, and whether it is an exact copy.

    `sha256` is None for a file with secrets: a short one could be found from it by trying all.
    """

    path: str
    source: str
    origin: Origin
    exact: bool = True
    size: int
    sha256: str | None = None


class MaterializeWarning(Record, frozen=True, kw_only=True):
    """A warning in one sentence about a file of the target or the source."""

    code: Code
    path: str
    message: str


class ExactFile(Struct, frozen=True):
    """A file to write; `path` is relative and POSIX, `executable` is the owner's execute permission."""

    path: str
    data: bytes
    executable: bool = False
