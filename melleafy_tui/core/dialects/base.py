"""The base class and the table rows of a dialect: data for the core, and one reader.

A dialect has detection signals, a file inventory, a mapping table, modality evidence and a reader. To support a new
runtime, add a package with these; no other module changes.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Final

import msgspec
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
from melleafy_tui.core.tables import table_beside

INTERFACE: Final = 3
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


def file_rules(module: str) -> tuple[FileRule, ...]:
    """Return the rows of the `file_rules.toml` beside a module, in inventory order.

    A row has the rule, the pattern, the role and the category, then what else is so: `expected`, `budget`, `listed`, or
    the fate of a file that is only listed.

    Args:
        module: The module's `__file__`.
    """
    return tuple(
        FileRule(
            rule,
            pattern,
            role,
            Category(category),
            "listed" not in also,
            "expected" in also,
            "budget" in also,
            "".join({*also} - {"listed", "expected", "budget"}),
        )
        for rule, pattern, role, category, *also in table_beside(module, "file_rules.toml")["rules"]
    )


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


@cache
def mapping_rows(dialect: str) -> tuple[MappingRow, ...]:
    """Return the rows of the `mapping_rows.toml` of a dialect of this project.

    Each is a form of `row_forms.toml` with what the row says otherwise.
    """
    forms = table_beside(__file__, "row_forms.toml")
    rows = table_beside(__file__, f"{dialect}/mapping_rows.toml").items()
    named = ({"row_id": row_id} | forms.get(row.pop("like", ""), {}) | row for row_id, row in rows)
    return msgspec.convert(tuple(named), tuple[MappingRow, ...])


class Dialect:
    """A dialect, which reads one source runtime; what a subclass doesn't say has the default that stands here.

    Attributes:
        runtime: The runtime's name: one of the Runtime vocabulary, or a new one.
        title: Its name for people.
        source_title: The name of one source of it with its article; by default `a workspace of` the title.
        signals: The detection table.
        file_rules: The file inventory table.
        tables: The dialects of this project whose mapping rows it has.
        surfaces: Patterns for every path that `wants` accepts and every file that a file rule lists, so that it isn't
            asked about others; none means that it is asked about all. `*` and `?` match inside one path segment; `**/`
            in front stands for any folder, `/**` at the end for everything below one.
        main_files: The files by which a folder is recognised without being read.
        faults: The errors of a dialect of another distribution, by where they occurred.
    """

    runtime: str
    title: str
    source_title: str = ""
    signals: tuple[Signal, ...] = ()
    file_rules: tuple[FileRule, ...] = ()
    tables: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    main_files: MainFiles | None = None
    faults: Mapping[str, Diagnostic] = MappingProxyType({})

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return tuple(row for table in self.tables for row in mapping_rows(table))

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, the snapshot should open."""
        return OuterFiles()

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        raise NotImplementedError

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:  # noqa: ARG002 - for subclasses
        """Return the paths of files below the root to open because of those that were read; asked until none is new."""
        return ()

    def generation(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - for subclasses
        """Return the generation of the runtime that the source uses, in words, or `""`."""
        return ""

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:  # noqa: ARG002 - for subclasses
        """Return every modality signal in the source; wording alone isn't enough."""
        return ()

    def schedule(self, snapshot: Snapshot) -> Schedule:  # noqa: ARG002 - for subclasses
        """Return the declared schedule, empty if there is none."""
        return Schedule()

    def is_stock_text(self, line: str) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a line is stock text of the runtime's templates, which says nothing about this agent."""
        return False

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of the source."""
        raise NotImplementedError
