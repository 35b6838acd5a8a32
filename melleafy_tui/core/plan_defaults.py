"""Kind and default of each plan entry: the dialect's row first, then the general table (spec/conversion.md 5)."""

from typing import Final

from msgspec import Struct

from melleafy_tui.core.decisions.keys import BACKEND_KEY
from melleafy_tui.core.dispositions import DEFAULT_REASONS, DEFAULTS, cell
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import MappingRow
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionSource,
    Disposition,
    ElementRole,
    EntryKind,
    Tag,
)
from melleafy_tui.core.report_schemas import declares_fields
from melleafy_tui.core.steps import step_row

KINDS: Final[dict[Category, EntryKind]] = {
    Category.C1: EntryKind.IDENTITY,
    Category.C2: EntryKind.RULE,
    Category.C3: EntryKind.FACT_STABLE,
    Category.C4: EntryKind.STATE,
    Category.C5: EntryKind.MEMORY,
    Category.C6: EntryKind.TOOL_NARRATIVE,
    Category.C7: EntryKind.CREDENTIAL,
    Category.C8: EntryKind.BACKEND,
    Category.C9: EntryKind.SCHEDULE,
    Category.NONE: EntryKind.CROSS_REFERENCE,
}
"""The general table's kind of a category; facts refine tools (`_kind`)."""


class Draft(Struct, frozen=True):
    """An entry before its number, the user's override and its names."""

    key: str
    category: Category
    kind: EntryKind
    default: Disposition
    source: DecisionSource
    reason: str
    summary: str
    subtype: str = ""
    setup_section: str = ""
    element: Element | None = None


BACKEND_DRAFT: Final = Draft(
    key=BACKEND_KEY,
    category=Category.C8,
    kind=EntryKind.BACKEND,
    default=DEFAULTS[EntryKind.BACKEND],
    source=DecisionSource.AUTO,
    reason=DEFAULT_REASONS[EntryKind.BACKEND],
    summary="Backend and model of the package",
)


def has_entry(element: Element, row: MappingRow | None) -> bool:
    """Return whether an element gets a plan entry: it has a category, or its dialect has a row for it without one."""
    if row is not None and row.kind is EntryKind.SCHEMA:
        return declares_fields(element)
    return element.category is not Category.NONE or (row is not None and row.category is Category.NONE)


def draft_entry(element: Element, row: MappingRow | None, key: str, *, retagged: bool) -> Draft:
    """Return an element's entry as it would be without the user.

    Args:
        element: The element.
        row: Its dialect's mapping row, which no longer holds where the user gave it another category.
        key: Its key.
        retagged: The user chose its tag or category.
    """
    if row is not None and row.category is not element.category:
        row = None
    kind, subtype = _kind(element, row)
    default, setup = DEFAULTS[kind], ""
    source, reason = DecisionSource.AUTO, DEFAULT_REASONS[kind]
    if element.runtime_only:
        default, reason = Disposition.REMOVE, element.runtime_only
        source = DecisionSource.DIALECT
    elif row is not None and kind is not EntryKind.STEP and cell(kind, row.default).allowed:
        default, setup, source = row.default, row.setup_section, DecisionSource.DIALECT
        reason = row.reason or reason
    elif retagged:
        source = DecisionSource.INFERRED
    return Draft(
        key=key,
        category=element.category,
        kind=kind,
        default=default,
        source=source,
        reason=reason,
        summary=element.content_summary,
        subtype=subtype,
        setup_section=setup,
        element=element,
    )


def _kind(element: Element, row: MappingRow | None) -> tuple[EntryKind, str]:
    """Return the matrix row of an element, and the subtype of a tool."""
    if element.category is Category.C8:
        return EntryKind.CROSS_REFERENCE, ""
    if step_row(element, claimed=row is not None) is not None:
        return EntryKind.STEP, element.tag.value.lower()
    if element.category is not Category.C6:
        return (row.kind if row is not None else KINDS[element.category]), ""
    tool = element.facts[ToolFact]
    if row is not None:
        kind = row.kind
    elif tool.skill:
        kind = EntryKind.TOOL_ABSTRACT
    elif tool.url or tool.script:
        kind = EntryKind.TOOL_CONCRETE
    else:
        kind = EntryKind.TOOL_ABSTRACT if element.tag is Tag.TOOL_TEMPLATE else EntryKind.TOOL_NARRATIVE
    return kind, _subtype(element, kind, row)


def _subtype(element: Element, kind: EntryKind, row: MappingRow | None) -> str:
    match kind:
        case EntryKind.TOOL_NARRATIVE:
            return "narrative"
        case EntryKind.TOOL_CONCRETE:
            return "concrete_http" if element.facts[ToolFact].url else "concrete_script"
        case _:
            is_skill = element.facts[ToolFact].skill or (row is not None and row.role is ElementRole.SKILL)
            return "skill" if is_skill else "abstract"
