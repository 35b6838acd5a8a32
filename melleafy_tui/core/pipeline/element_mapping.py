"""Step 2: maps each element to its place in the package, by dialect row, else general table."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import DialectsByRuntime, mapping_rows
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.facts import InliningFact, JudgmentFact, PermissionFact, StepFact
from melleafy_tui.core.models.inventory import PART, Element, Inventory
from melleafy_tui.core.models.mapping import (
    ElementMapping,
    Inlining,
    JudgmentCall,
    MappingEntry,
    MappingRow,
    RuleCheck,
    Treatment,
)
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionKind,
    Disposition,
    EntryKind,
    ValidationKind,
)
from melleafy_tui.core.package.result_schemas import declares_fields, report_schemas

GENERAL_ROWS: Final = {row.category: row for row in mapping_rows("generic")}
"""The general table, by category."""

GUIDANCE: Final = "No decision makes it a requirement: it is text of the prompt."


_OF_EACH_TEXT: Final = ("shows_no_call", "must_not_contain", "without", "plain_text")
"""Starts of the kinds of check that hold for a form if they hold for all its texts."""


def as_judged(mapping: ElementMapping, plan: DependencyPlan) -> ElementMapping:
    """Return the mapping with the rules judged that Python could check, but that the user wants judged individually.

    In a package that fills a form, so are those about the whole reply, such as its length: a form has no such whole.

    Args:
        mapping: The mapping before this choice.
        plan: The plan with the user's overrides.
    """
    filled = any(e.kind is EntryKind.SCHEMA and e.disposition is Disposition.BUNDLE for e in plan.entries)
    chosen = {name for entry in plan.entries if entry.judge_individually for name in entry.source_elements}
    wanted = {
        entry.element_id
        for entry in mapping.mappings
        if entry.check is not None
        and (entry.element_id in chosen or (filled and not entry.check.kind.startswith(_OF_EACH_TEXT)))
    }
    if not wanted:
        return mapping
    judged = tuple(
        replace(entry, check=None, validation_kind=ValidationKind.LLM_JUDGED)
        if entry.element_id in wanted
        else entry
        for entry in mapping.mappings
    )
    return ElementMapping(
        mappings=judged,
        judgment_calls=mapping.judgment_calls,
        inlinings=mapping.inlinings,
        treatments=mapping.treatments,
    )


def map_elements(
    inventory: Inventory,
    classification: Classification,
    dialects: DialectsByRuntime,
    treatments: tuple[Treatment, ...] = (),
) -> ElementMapping:
    """Return where each element goes, in element order, with judgment calls and inlinings.

    Args:
        inventory: The result of steps 1a and 1b with retags applied.
        classification: The result of step 0.
        dialects: The dialects in use.
        treatments: How each dialect of a hybrid would convert shared elements (`core/pipeline/hybrid.py`).
    """
    rows = rows_by_id(classification, dialects)
    entries = tuple(
        map_element(f"map_{number:03}", element, rows.get(element.mapping_row))
        for number, element in enumerate(inventory.elements, 1)
    )
    entries = named_schemas(inventory.elements, entries)
    entries = in_their_sections(inventory.elements, entries)
    return ElementMapping(
        mappings=entries,
        judgment_calls=tuple(_judgment_calls(inventory.elements, entries)),
        inlinings=tuple(_inlinings(inventory.elements)),
        treatments=treatments,
    )


def is_requirement(element: Element) -> bool:
    """Return whether a C2 element is a requirement on replies; one that its runtime denies calls by is checked too."""
    decided = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    return decided or bool(element.facts[PermissionFact].denies)


def permission_check(element: Element) -> RuleCheck | None:
    """Return the check for a permission rule that denies calls, or None for other rules."""
    rule = element.facts[PermissionFact].denies
    return RuleCheck("shows_no_call", phrases=(rule,)) if rule else None


def rows_by_id(classification: Classification, dialects: DialectsByRuntime) -> dict[str, MappingRow]:
    """Return the mapping rows of the dialects that read the source."""
    rows: dict[str, MappingRow] = {}
    for runtime in classification.dialect_runtimes:
        for row in dialects.get(runtime).mapping_rows:
            rows.setdefault(row.row_id, row)
    return rows


def map_element(mapping_id: str, element: Element, row: MappingRow | None) -> MappingEntry:
    """Return where one element goes.

    Args:
        mapping_id: The entry's id.
        element: The element.
        row: The dialect row that applies to it, if any.
    """
    if row is not None and row.category is not element.category:
        row = None
    if element.category is Category.NONE and (row is None or _declares_nothing(element, row)):
        return MappingEntry(
            mapping_id, element.element_id, "", "", "none", "not decomposed", dialect_row="no_decompose"
        )
    chosen, note = row or GENERAL_ROWS[element.category], ""
    step = element.facts[StepFact].step
    kind: ValidationKind | None = None
    check: RuleCheck | None = None
    if element.category is Category.C2 and chosen.primitive == "Requirement":
        if is_requirement(element):
            kind, check = _validation(element)
        else:
            note = GUIDANCE
    return MappingEntry(
        mapping_id,
        element.element_id,
        chosen.target_file,
        step.upper() if step and chosen.primitive == "Requirement" else chosen.target_symbol,
        chosen.primitive,
        chosen.mellea_construct,
        final_target_file=chosen.target_file,
        dialect_row=chosen.row_id,
        validation_kind=kind,
        check=check,
        note=note,
    )


def _validation(element: Element) -> tuple[ValidationKind, RuleCheck | None]:
    """Return how a requirement is validated: by its check, else by a model."""
    decided = element.decided(DecisionKind.CHECKED)
    check = permission_check(element) or (decided.check if decided else None)
    return (ValidationKind.EXECUTABLE if check else ValidationKind.LLM_JUDGED), check


def _declares_nothing(element: Element, row: MappingRow) -> bool:
    return row.kind is EntryKind.SCHEMA and not declares_fields(element)


def named_schemas(elements: Sequence[Element], entries: tuple[MappingEntry, ...]) -> tuple[MappingEntry, ...]:
    """Return the entries with the class name set for each field of a result."""
    classes = {
        element.element_id: schema.class_name
        for schema in report_schemas(elements)
        for element in schema.elements
    }
    return tuple(
        replace(entry, target_symbol=classes[entry.element_id])
        if entry.element_id in classes and entry.primitive == "schema"
        else entry
        for entry in entries
    )


def in_their_sections(
    elements: Sequence[Element], entries: tuple[MappingEntry, ...]
) -> tuple[MappingEntry, ...]:
    """Return the entries with text about tools kept in its section, if that has rules."""
    sections: dict[tuple[str, tuple[str, ...]], MappingEntry] = {}
    for element, entry in zip(elements, entries, strict=True):
        place = element.source_file, element.section
        if entry.primitive == "Requirement" and element.kind != PART:
            sections.setdefault(place, entry)
    return tuple(
        replace(
            entry,
            target_file=around.target_file,
            final_target_file=around.target_file,
            target_symbol=around.target_symbol,
        )
        if entry.target_symbol == _GUIDANCE
        and (around := sections.get((element.source_file, element.section))) is not None
        else entry
        for element, entry in zip(elements, entries, strict=True)
    )


_GUIDANCE: Final = GENERAL_ROWS[Category.C6].target_symbol


def _judgment_calls(elements: Iterable[Element], entries: Iterable[MappingEntry]) -> Iterator[JudgmentCall]:
    for element, entry in zip(elements, entries, strict=True):
        judgment = element.facts[JudgmentFact]
        if judgment.question and entry.dialect_row == element.mapping_row:
            yield JudgmentCall(element.element_id, judgment.question, judgment.chosen, judgment.reason)


def _inlinings(elements: Iterable[Element]) -> Iterator[Inlining]:
    for element in elements:
        found = element.facts[InliningFact]
        if found.inlined_file and element.category is not Category.NONE:
            yield Inlining(element.element_id, found.inlined_file, found.inlined_lines, found.inlined_text)
