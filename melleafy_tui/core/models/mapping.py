"""Step 2's contract: where each element goes in the package (spec/conversion.md 4)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec import Struct

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
"""The two sections of the report for what the source has and a package doesn't."""


class UnsupportedPart(Struct, frozen=True):
    """Why a package doesn't carry what falls under a mapping row, or not all of it; every text is Markdown.

    Attributes:
        section: The section of the report, NOT_REPRODUCED or DEFERRED.
        title: What it is called.
        why: Why it isn't carried over.
        to_do: What to do instead.
    """

    section: str
    title: str
    why: str
    to_do: str


class UnsupportedConstruct(UnsupportedPart, frozen=True):
    """Something in the source that is no element and that a package can't carry.

    `declared` is what the source says, as plain text; `places` are the files that hold it.
    """

    declared: str
    places: tuple[str, ...]


class MappingRow(Struct, frozen=True):
    """One row of a dialect's mapping table: source signal, category, default disposition, target.

    `role` says what its elements are where their kind doesn't; `unsupported` is shown in the report for them.
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


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """A rule whose wording Python can check (spec/package.md 3).

    `kind` names a row of the table in `core/rules.py`, for example `max_words`; `limit` and `phrases` are its
    arguments, as far as the kind has them; `least` is the lower end of a range whose upper end is `limit`.
    """

    kind: str
    limit: int = 0
    phrases: tuple[str, ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class MappingEntry:
    """Where one element goes.

    Attributes:
        mapping_id: `map_001`, … in element order.
        element_id: The element.
        target_file: File in the package, or the document that reports it.
        target_symbol: Python name in that file, or the document's section.
        primitive: bundle, Requirement, delegate, stub, parameter, tool, report, none.
        mellea_construct: The construct in words, as in the seed's section 7 ("prefix= argument on all m.instruct").
        final_target_file: The file after dispositions have been applied.
        dialect_row: The dialect row, the tag rule or the general row that decided.
        validation_kind: For requirements.
        check: For requirements that Python can check.
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


@dataclass(frozen=True, slots=True)
class JudgmentCall:
    """A choice between two readings, said with its reason (report section 4)."""

    element_id: str
    question: str
    chosen: str
    reason: str


@dataclass(frozen=True, slots=True)
class Inlining:
    """Text of BOOTSTRAP.md that was inlined where the source refers to it (spec/conversion.md 4.1)."""

    element_id: str
    source_file: str
    source_lines: str
    text: str


@dataclass(frozen=True, slots=True)
class Treatment:
    """What one dialect of a hybrid makes of an element that several claim (spec/conversion.md 6).

    Attributes:
        element_id: The element.
        runtime: The dialect's runtime.
        tag: Its tag.
        category: Its category.
        disposition: What becomes of it by default; None where the dialect does not convert it.
        target: `file:symbol` in the package, `""` where it is not converted.
        row: The dialect row, tag rule or general row that decided.
    """

    element_id: str
    runtime: str
    tag: Tag
    category: Category
    disposition: Disposition | None
    target: str
    row: str


@dataclass(frozen=True)
class ElementMapping:
    """The result of step 2.

    `treatments` is empty but for a hybrid: there it holds, for each element that several dialects claim, what each of
    them makes of it, the leading dialect first.
    """

    mappings: tuple[MappingEntry, ...]
    judgment_calls: tuple[JudgmentCall, ...] = ()
    inlinings: tuple[Inlining, ...] = ()
    treatments: tuple[Treatment, ...] = ()

    @cached_property
    def by_element(self) -> dict[str, MappingEntry]:
        """Return the entries by `element_id`."""
        return {entry.element_id: entry for entry in self.mappings}
