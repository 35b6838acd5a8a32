"""Step 2's contract: where each element goes in the package (spec/conversion.md 4)."""

from dataclasses import dataclass
from functools import cached_property

from melleafy_tui.core.models.vocabulary import Category, Disposition, Tag, ValidationKind


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
