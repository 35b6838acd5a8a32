"""Step 2: maps each element to its place in the package, by dialect row, else general table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import mapping_rows
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
    as_llm = {"check": None, "validation_kind": ValidationKind.LLM_JUDGED}
    entries = (replace(each, **as_llm) if each.element_id in wanted else each for each in mapping.mappings)
    return replace(mapping, mappings=tuple(entries))


def map_elements(
    inventory: Inventory, rows: Mapping[str, MappingRow], treatments: tuple[Treatment, ...] = ()
) -> ElementMapping:
    """Return where each element goes, in element order, with judgment calls and inlinings.

    Args:
        inventory: The result of steps 1a and 1b with retags applied.
        rows: The mapping rows of the dialects that read the source, by id.
        treatments: How each dialect of a hybrid would convert shared elements (`core/pipeline/hybrid.py`).
    """
    alone = [
        map_element(f"map_{number:03}", element, rows.get(element.mapping_row))
        for number, element in enumerate(inventory.elements, 1)
    ]
    entries = tuple(_placed(inventory.elements, alone, in_steps=inventory.procedure is not None))
    calls = (
        JudgmentCall(element.element_id, found.question, found.chosen, found.reason)
        for element, entry in zip(inventory.elements, entries, strict=True)
        if (found := element.facts[JudgmentFact]).question and entry.dialect_row == element.mapping_row
    )
    inlinings = (
        Inlining(element.element_id, text.inlined_file, text.inlined_lines, text.inlined_text)
        for element in inventory.elements
        if (text := element.facts[InliningFact]).inlined_file and element.category is not Category.NONE
    )
    return ElementMapping(entries, tuple(calls), tuple(inlinings), treatments)


def map_element(mapping_id: str, element: Element, row: MappingRow | None) -> MappingEntry:
    """Return where one element goes.

    Args:
        mapping_id: The entry's id.
        element: The element.
        row: The dialect row that applies to it, if any.
    """
    if row is not None and row.category is not element.category:
        row = None
    if element.category is Category.NONE and (
        row is None or (row.kind is EntryKind.SCHEMA and not declares_fields(element))
    ):
        return MappingEntry(
            mapping_id, element.element_id, "", "", "none", "not decomposed", dialect_row="no_decompose"
        )
    chosen = row or GENERAL_ROWS[element.category]
    step = element.facts[StepFact].step
    is_rule = element.category is Category.C2 and chosen.primitive == "Requirement"
    kind, check = _validation(element) if is_rule else (None, None)
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
        note=GUIDANCE if is_rule and kind is None else "",
    )


def _validation(element: Element) -> tuple[ValidationKind | None, RuleCheck | None]:
    """Return how a rule is validated: by its check, else by a model; not at all unless a decision says so.

    A rule that its runtime denies calls by is checked, too.
    """
    denied, decided = element.facts[PermissionFact].denies, element.decided(DecisionKind.CHECKED)
    check = RuleCheck("shows_no_call", phrases=(denied,)) if denied else decided.check if decided else None
    if check is not None:
        return ValidationKind.EXECUTABLE, check
    is_judged = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    return (ValidationKind.LLM_JUDGED if is_judged else None), None


def _placed(
    elements: Sequence[Element], entries: Sequence[MappingEntry], *, in_steps: bool
) -> Iterator[MappingEntry]:
    """Yield the entries with the class of each field of a result, and text about tools in a section of rules there.

    Steps are told the rules and nothing beside them, so that text about tools is one of these.
    """
    schemas = report_schemas(elements)
    classes = {element.element_id: schema.class_name for schema in schemas for element in schema.elements}
    sections: dict[tuple[str, tuple[str, ...]], MappingEntry] = {}
    for element, entry in zip(elements, entries, strict=True):
        if entry.primitive == "Requirement" and element.kind != PART:
            sections.setdefault((element.source_file, element.section), entry)
    for element, entry in zip(elements, entries, strict=True):
        around = _RULES if in_steps else sections.get((element.source_file, element.section))
        if entry.target_symbol == _GUIDANCE and around is not None:
            file, symbol = around.target_file, around.target_symbol
            yield replace(entry, target_file=file, final_target_file=file, target_symbol=symbol)
        elif entry.primitive == "schema" and entry.element_id in classes:
            yield replace(entry, target_symbol=classes[entry.element_id])
        else:
            yield entry


_GUIDANCE: Final = GENERAL_ROWS[Category.C6].target_symbol
_RULES: Final = GENERAL_ROWS[Category.C2]
