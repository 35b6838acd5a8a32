"""The result of step 2, the mapping: where each element goes in the package."""

from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import (
    Category,
    Disposition,
    ElementRole,
    EntryKind,
    Tag,
    ValidationKind,
)

NOT_REPRODUCED: Final = "Runtime-specific constructs not reproduced"
DEFERRED: Final = "Detected but not handled (deferred)"
"""The two report sections for parts of the source that a package doesn't reproduce."""


class UnsupportedPart(Struct, frozen=True):
    """Why a package can't reproduce something, or not all of it; all texts are Markdown.

    `section` is that of the report, NOT_REPRODUCED or DEFERRED.
    """

    section: str
    title: str
    why: str
    to_do: str


class UnsupportedConstruct(UnsupportedPart, frozen=True):
    """A construct in the source that isn't an element and that a package can't reproduce.

    `declared` is what the source says, as plain text; `places` are the files that contain it.
    """

    declared: str
    places: tuple[str, ...]


class MappingRow(Struct, frozen=True):
    """One row of a dialect's mapping table: source signal, category, default disposition, target.

    `role` says more precisely than `kind` what the elements are; `unsupported` is what the report says about them.
    """

    row_id: str
    source_signal: str
    category: Category
    kind: EntryKind
    default: Disposition
    target_file: str
    target_symbol: str
    primitive: str
    mellea_construct: str
    setup_section: str = ""
    reason: str = ""
    role: ElementRole | None = None
    unsupported: UnsupportedPart | None = None


class RuleCheck(Record, frozen=True):
    """The Python check that replaces a model's judgment of a rule.

    `kind` is the package's function for it (`at_most`), `thing` what it counts or forbids; `least` opens a range.
    """

    kind: str
    thing: str = ""
    limit: int = 0
    least: int = 0
    phrases: tuple[str, ...] = ()


class MappingEntry(Record, frozen=True):
    """Where one element goes.

    Attributes:
        mapping_id: `map_001`, … in element order.
        target_file: File in the package, or the document that reports it.
        target_symbol: Python name in that file, or the document's section.
        primitive: bundle, Requirement, delegate, stub, parameter, tool, report, none.
        mellea_construct: A description of the construct ("prefix= argument on all m.instruct").
        final_target_file: The file after dispositions have been applied.
        dialect_row: The dialect row or general row that decided.
        check: The check, for requirements that Python can check.
    """

    mapping_id: str
    element_id: str
    target_file: str
    target_symbol: str
    primitive: str
    mellea_construct: str
    final_target_file: str = ""
    dialect_row: str = ""
    validation_kind: ValidationKind | None = None
    check: RuleCheck | None = None
    note: str = ""

    @property
    def target(self) -> str:
        """Return the target as plan entries write it: `file:symbol`."""
        return f"{self.target_file}:{self.target_symbol}"


class JudgmentCall(Record, frozen=True):
    """A choice between two interpretations of an element, with its reason (report section 4)."""

    element_id: str
    question: str
    chosen: str
    reason: str


class Inlining(Record, frozen=True):
    """Text of BOOTSTRAP.md that was inlined where the source refers to it."""

    element_id: str
    source_file: str
    source_lines: str
    text: str


class Treatment(Record, frozen=True):
    """How one dialect of a hybrid would convert an element that several dialects claim.

    `disposition` is the default one, None if the dialect doesn't convert it; `target` is `file:symbol` then, or `""`.
    `row` is the dialect row or general row that decided.
    """

    element_id: str
    runtime: str
    tag: Tag
    category: Category
    disposition: Disposition | None
    target: str
    row: str


class ElementMapping(Record, frozen=True, dict=True):
    """The result of step 2.

    In a hybrid, `treatments` lists how each dialect would convert the elements that several dialects claim, the
    leading dialect first. Otherwise it is empty.
    """

    mappings: tuple[MappingEntry, ...]
    judgment_calls: tuple[JudgmentCall, ...] = ()
    inlinings: tuple[Inlining, ...] = ()
    treatments: tuple[Treatment, ...] = ()

    @cached_property
    def by_element(self) -> dict[str, MappingEntry]:
        """Return the entries by `element_id`."""
        return {entry.element_id: entry for entry in self.mappings}
