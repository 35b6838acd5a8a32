"""The shape of a dialect: tables that the core reads, and one reader (spec/conversion.md 7).

Seed 000 (the OpenClaw dialect) is the template: detection signals, file inventory, mapping table,
modality signals, quirks. A new runtime is a new package of this shape, never a change elsewhere.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Protocol, runtime_checkable

from msgspec import Struct

from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.mapping import MappingRow as MappingRow
from melleafy_tui.core.models.mapping import UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Strength
from melleafy_tui.core.source.outer_files import Surroundings


class Match(Struct, frozen=True):
    """One place where a signal was found; line 0 means the whole file or folder."""

    file: str
    line: int = 0
    note: str = ""


Matcher = Callable[[Snapshot], Iterable[Match]]
"""Looks for one signal in a snapshot; the first match is the evidence that is shown."""


class Signal(Struct, frozen=True):
    """One row of a detection table.

    Attributes:
        name: Stable, shown as evidence: `SOUL.md`, `openclaw.json agents.defaults.heartbeat`.
        strength: Its weight class.
        matcher: How it is looked for; the matchers of `core/dialects/matchers.py` cover most needs.
        ambient: It lies outside the workspace and only counts beside a workspace signal.
        note: What it means, one sentence.
    """

    name: str
    strength: Strength
    matcher: Matcher
    ambient: bool = False
    note: str = ""


class FileRule(Struct, frozen=True):
    """One row of a file inventory table (step 1a).

    `pattern` is a POSIX path with `*` for one path segment's characters; `contents` is False where only the file's
    existence is recorded; `expected` rows are recorded as absent when missing; `counts_in_budget` marks bootstrap
    files.
    """

    rule_id: str
    pattern: str
    role: str
    category: Category
    contents: bool = True
    expected: bool = False
    counts_in_budget: bool = False


class ReadingContext(Struct, frozen=True):
    """What a reader may know beside the snapshot."""

    as_of: date
    options: dict[str, str]
    """Dialect options by name, for example `{"openclaw_release": "dialect-1.0"}`."""


class Reading(Struct, frozen=True):
    """What a dialect's reader found: element ids are still empty, order is source order."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    unsupported: tuple[UnsupportedConstruct, ...] = ()
    """What the source has beside its elements and a package can't carry."""


@runtime_checkable
class LooksAround(Protocol):
    """What a dialect may offer beside its shape: files around the root that it reads."""

    @property
    def surroundings(self) -> Surroundings:
        """Return which files above the root, and which imported ones, the snapshot is to open."""
        ...


class Dialect(Protocol):
    """One source runtime."""

    @property
    def runtime(self) -> str:
        """The runtime's name, as in the Runtime vocabulary, or a new one."""
        ...

    @property
    def title(self) -> str:
        """The runtime's name for people."""
        ...

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The detection table."""
        ...

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """The file inventory table."""
        ...

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """The mapping table."""
        ...

    def wants(self, path: str) -> bool:
        """Return whether the snapshot is to open the file at this path."""
        ...

    def generation(self, snapshot: Snapshot) -> str:
        """Return which generation of the runtime the source shows, in words, or `""`."""
        ...

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        ...

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty where there is none."""
        ...

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return files and elements of the source."""
        ...


@runtime_checkable
class KnowsStockText(Protocol):
    """What a dialect may have besides: it knows the stock text of its runtime's own templates.

    A line of stock text says nothing about this agent, so archetype, shape and tools are not inferred from it.
    """

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text."""
        ...


@runtime_checkable
class NamesItsSource(Protocol):
    """What a dialect may have besides: words for one source of its runtime; else it's `a workspace of` its title."""

    @property
    def source_title(self) -> str:
        """Return what a source is called, with its article: `an OpenClaw workspace`."""
        ...


@runtime_checkable
class KeepsFaults(Protocol):
    """What a dialect of another distribution has besides: it is kept from harming a conversion."""

    @property
    def faults(self) -> Mapping[str, Diagnostic]:
        """Return what went wrong so far, by the place where it did."""
        ...


class DialectsByRuntime(Protocol):
    """What mapping and plan need of the registry: the dialect of a runtime."""

    def get(self, runtime: str) -> Dialect:
        """Return the dialect of a runtime."""
        ...
