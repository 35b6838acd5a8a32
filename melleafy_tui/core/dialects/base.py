"""The protocols and table rows that define a dialect: data for the core, and one reader.

A dialect has detection signals, a file inventory, a mapping table, modality evidence and a reader. To support a new
runtime, add a package with these; no other module changes.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.mapping import MappingRow as MappingRow
from melleafy_tui.core.models.mapping import UnsupportedConstruct
from melleafy_tui.core.models.procedure import Procedure
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Strength
from melleafy_tui.core.source.outer_files import OuterFiles
from melleafy_tui.core.source.sources_below import MainFiles

INTERFACE: Final = 2
"""The version of what dialects of other distributions are made of; one for another version is refused."""


class Match(Struct, frozen=True):
    """One place where a signal was found; line 0 means the whole file or folder."""

    file: str
    line: int = 0
    note: str = ""


Matcher = Callable[[Snapshot], Iterable[Match]]
"""Finds one signal in a snapshot; the first match is shown as the evidence."""


class Signal(Struct, frozen=True):
    """One row of a detection table.

    Attributes:
        name: A stable name that is shown as evidence: `SOUL.md`, `openclaw.json agents.defaults.heartbeat`.
        strength: Its weight class.
        matcher: The function that finds it; the matchers of `core/dialects/matchers.py` cover most needs.
        ambient: Whether it is outside the workspace, so that it only counts together with a workspace signal.
        note: Its meaning, in one sentence.
    """

    name: str
    strength: Strength
    matcher: Matcher
    ambient: bool = False
    note: str = ""


class FileRule(Struct, frozen=True):
    """One row of a file inventory table.

    `pattern` is a POSIX path in which `*` matches inside one path segment; `contents` is False if only the file's
    existence is recorded; `expected` files are recorded as absent when missing; `counts_in_budget` marks bootstrap
    files. `fate` is what the account of files says of one that is only listed: `carried`, or a reason.
    """

    rule_id: str
    pattern: str
    role: str
    category: Category
    contents: bool = True
    expected: bool = False
    counts_in_budget: bool = False
    fate: str = ""


class ReadingContext(Struct, frozen=True):
    """What a reader knows besides the snapshot."""

    as_of: date
    options: dict[str, str]
    """Dialect options by name, for example `{"openclaw_release": "dialect-1.0"}`."""


class Reading(Struct, frozen=True):
    """The result of a dialect's reader; element ids are empty, order is source order."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    unsupported: tuple[UnsupportedConstruct, ...] = ()
    """Parts of the source that aren't elements and that a package can't contain."""
    procedure: Procedure | None = None
    """The order of the work, whose words are the elements with a `StepFact`; without one there is a single call."""


@runtime_checkable
class ReadsOuterFiles(Protocol):
    """Optional part of a dialect: it reads files outside the root."""

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, the snapshot should open."""
        ...


@runtime_checkable
class OpensMore(Protocol):
    """Optional part of a dialect: what it read says which further files it opens."""

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the paths of files below the root to open because of those that were read; asked until none is new."""
        ...


@runtime_checkable
class DeclaresSurfaces(Protocol):
    """Optional part of a dialect: it says where the files that it reads can be, so that it isn't asked about others."""

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return patterns for every path that `wants` accepts and every file that a file rule lists.

        `*` and `?` match inside one path segment; `**/` in front stands for any folder, `/**` at the end for everything
        below one.
        """
        ...


class Dialect(Protocol):
    """The interface of a dialect, which reads one source runtime."""

    @property
    def runtime(self) -> str:
        """Return the runtime's name: one of the Runtime vocabulary, or a new one."""
        ...

    @property
    def title(self) -> str:
        """Return the runtime's display name."""
        ...

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table."""
        ...

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        ...

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        ...

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        ...

    def generation(self, snapshot: Snapshot) -> str:
        """Return the generation of the runtime that the source uses, in words, or `""`."""
        ...

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        ...

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty if there is none."""
        ...

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of the source."""
        ...


@runtime_checkable
class HasStockText(Protocol):
    """Optional part of a dialect: it recognises the stock text of its runtime's templates.

    Stock text says nothing about this agent, so archetype, shape and tools are not inferred from it.
    """

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text."""
        ...


@runtime_checkable
class HasSourceTitle(Protocol):
    """Optional part of a dialect: it names one source of its runtime; the default is `a workspace of` its title."""

    @property
    def source_title(self) -> str:
        """Return the name of a source with its article: `an OpenClaw workspace`."""
        ...


@runtime_checkable
class HasMainFiles(Protocol):
    """Optional part of a dialect: it names the files by which a folder is recognised without being read."""

    @property
    def main_files(self) -> MainFiles:
        """Return the files that make a folder a source of this runtime."""
        ...


@runtime_checkable
class CollectsFaults(Protocol):
    """Implemented by dialects of other distributions: their errors are caught and collected."""

    @property
    def faults(self) -> Mapping[str, Diagnostic]:
        """Return the errors so far, by the method or table that raised them."""
        ...


def one_generation(_snapshot: Snapshot) -> str:
    """Return `""`, for a runtime that has one generation, or whose generation is unknown."""
    return ""


def no_schedule(_snapshot: Snapshot) -> Schedule:
    """Return an empty schedule, for a runtime that declares none."""
    return Schedule()


class DialectsByRuntime(Protocol):
    """The part of the registry that mapping and planning use: the dialect of a runtime."""

    def get(self, runtime: str) -> Dialect:
        """Return the dialect of a runtime."""
        ...
