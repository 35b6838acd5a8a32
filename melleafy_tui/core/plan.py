"""Step 2.5: every element with a category gets one plan entry, and the backend one of its own (spec/conversion.md 5).

Defaults come from the dialect's mapping row, else from the general table; the user's overrides win over both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from melleafy_tui.core.decisions.keys import BACKEND_KEY
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.dialects.base import Dialect, MappingRow
from melleafy_tui.core.dispositions import (
    DEFAULT_REASONS,
    DEFAULTS,
    allowed_for,
    cell,
)
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import (
    PLAN_CATEGORIES,
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Tag,
)
from melleafy_tui.core.symbols import element_stems, symbol_for, target_for

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

CONFLICT_RESOLUTIONS: Final = ("primary", "contributor", "merge")


class DialectsByRuntime(Protocol):
    """What the plan needs of the registry: the dialect of a runtime."""

    def get(self, runtime: str) -> Dialect:
        """Return the dialect of a runtime."""
        ...


def make_plan(
    inventory: Inventory,
    mapping: ElementMapping,
    classification: Classification,
    keys: Mapping[str, str],
    decisions: Decisions,
    dialects: DialectsByRuntime,
) -> DependencyPlan:
    """Return what becomes of each dependency of the agent, in source order, the backend last.

    Args:
        inventory: Steps 1a and 1b's result with retags applied.
        mapping: Step 2's result.
        classification: Step 0's result.
        keys: Key of each element by `element_id`.
        decisions: The user's decisions.
        dialects: The dialects in use.

    Raises:
        DecisionsRefused: an override is not allowed where it stands, or its key names nothing.
    """
    rows = _rows(classification, dialects)
    mappings = mapping.by_element
    stems = element_stems(inventory.elements, mappings)
    drafts = [
        _draft(element, rows.get(element.mapping_row), keys[element.element_id], decisions)
        for element in inventory.elements
        if _has_entry(element, rows.get(element.mapping_row))
    ]
    drafts.append(_BACKEND)
    planned = {draft.key for draft in drafts}
    for key in decisions.overrides:
        if key not in planned:
            raise _no_entry(key, exists=key in keys.values())
    entries = tuple(
        _entry(f"dep_{number:03}", draft, decisions.overrides.get(draft.key), mappings, stems)
        for number, draft in enumerate(drafts, start=1)
    )
    return DependencyPlan(entries=entries)


def check_override(kind: EntryKind, disposition: Disposition, key: str) -> None:
    """Raise the refusal of a cell that is not allowed.

    Raises:
        DecisionsRefused: the matrix does not allow the disposition for this kind of entry.
    """
    chosen = cell(kind, disposition)
    if not chosen.allowed:
        raise DecisionsRefused(
            f"{key!r} cannot be set to {disposition.value}: {chosen.refusal[0].lower()}{chosen.refusal[1:]}",
            hint=f"Choose one of {', '.join(allowed.value for allowed in allowed_for(kind))}.",
            location=key,
        )


def _no_entry(key: str, *, exists: bool) -> DecisionsRefused:
    if exists:
        return DecisionsRefused(
            f"{key!r} has no category, so nothing is decided about it",
            hint="Give the element a category, or take its override back.",
            location=key,
        )
    return DecisionsRefused(
        f"No entry of the plan has the key {key!r}",
        hint="Load the decisions file again, which matches its keys to the workspace as it is.",
        location=key,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
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


_BACKEND: Final = _Draft(
    key=BACKEND_KEY,
    category=Category.C8,
    kind=EntryKind.BACKEND,
    default=DEFAULTS[EntryKind.BACKEND],
    source=DecisionSource.AUTO,
    reason=DEFAULT_REASONS[EntryKind.BACKEND],
    summary="Backend and model of the package",
)


def _rows(classification: Classification, dialects: DialectsByRuntime) -> dict[str, MappingRow]:
    rows: dict[str, MappingRow] = {}
    for runtime in classification.dialect_runtimes:
        for row in dialects.get(runtime).mapping_rows:
            rows.setdefault(row.row_id, row)
    return rows


def _has_entry(element: Element, row: MappingRow | None) -> bool:
    return element.category is not Category.NONE or (row is not None and row.category is Category.NONE)


def _draft(element: Element, row: MappingRow | None, key: str, decisions: Decisions) -> _Draft:
    if row is not None and row.category is not element.category:
        row = None
    kind, subtype = _kind(element, row)
    default, setup = DEFAULTS[kind], ""
    source, reason = DecisionSource.AUTO, DEFAULT_REASONS[kind]
    if element.runtime_only:
        default, reason = Disposition.REMOVE, element.runtime_only
        source = DecisionSource.DIALECT
    elif row is not None and cell(kind, row.default).allowed:
        default, setup, source = row.default, row.setup_section, DecisionSource.DIALECT
        reason = row.reason or reason
    elif key in decisions.retags:
        source = DecisionSource.INFERRED
    return _Draft(
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
    if element.category is not Category.C6:
        return (row.kind if row is not None else KINDS[element.category]), ""
    if row is not None:
        kind = row.kind
    elif element.facts.get("skill"):
        kind = EntryKind.TOOL_ABSTRACT
    elif element.facts.get("url") or element.facts.get("script"):
        kind = EntryKind.TOOL_CONCRETE
    else:
        kind = EntryKind.TOOL_ABSTRACT if element.tag is Tag.TOOL_TEMPLATE else EntryKind.TOOL_NARRATIVE
    return kind, _subtype(element, kind, row)


def _subtype(element: Element, kind: EntryKind, row: MappingRow | None) -> str:
    match kind:
        case EntryKind.TOOL_NARRATIVE:
            return "narrative"
        case EntryKind.TOOL_CONCRETE:
            return "concrete_http" if element.facts.get("url") else "concrete_script"
        case _:
            is_skill = element.facts.get("skill") or (row is not None and row.row_id.startswith("skill."))
            return "skill" if is_skill else "abstract"


def _entry(
    entry_id: str,
    draft: _Draft,
    override: Override | None,
    mappings: Mapping[str, MappingEntry],
    stems: Mapping[str, str],
) -> PlanEntry:
    disposition, source = draft.default, draft.source
    if override is not None and override.disposition is not None:
        check_override(draft.kind, override.disposition, draft.key)
        disposition = override.disposition
        if override_counts(override, draft.default):
            source = override.decided_by
    chosen = cell(draft.kind, disposition)
    is_default = disposition is draft.default
    element = draft.element
    if element is None:
        target, symbol = f"{chosen.target_file}:{chosen.symbol}", ""
    else:
        stem = stems[element.element_id]
        mapping = mappings.get(element.element_id)
        target = target_for(chosen, stem, element, mapping, is_default=is_default)
        symbol = symbol_for(chosen, stem)
    return PlanEntry(
        entry_id=entry_id,
        key=draft.key,
        category=PLAN_CATEGORIES[draft.category],
        kind=draft.kind,
        disposition=disposition,
        default_disposition=draft.default,
        source_of_decision=source,
        source_elements=() if element is None else (element.element_id,),
        target=target,
        setup_section=(draft.setup_section if is_default else "") or chosen.setup_section,
        summary=draft.summary,
        reason=draft.reason,
        override_rationale=override.rationale if override else "",
        subtype=draft.subtype,
        symbol=symbol,
        judge_individually=bool(override and override.judge_individually),
    )


def override_counts(override: Override, default: Disposition) -> bool:
    """Return whether an override says more than the default does: another disposition, or a reason for this one."""
    return override.disposition is not None and (
        override.disposition is not default or bool(override.rationale)
    )
