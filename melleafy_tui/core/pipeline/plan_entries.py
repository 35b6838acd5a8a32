"""Step 2.5: creates a plan entry for each element with a category, and one for the backend.

Default dispositions come from the dialect's mapping row, else from the general table; the user's overrides win.
"""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import BACKEND_KEY
from melleafy_tui.core.decisions.state import Override
from melleafy_tui.core.dialects.base import DialectsByRuntime
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.facts import ArgumentFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry, MappingRow
from melleafy_tui.core.models.plan import Conflict, DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    TOOLS,
    Category,
    DecisionKind,
    DecisionSource,
    Disposition,
    ElementRole,
    EntryKind,
    Tag,
)
from melleafy_tui.core.package.dispositions import (
    DEFAULT_REASONS,
    DEFAULTS,
    Cell,
    SymbolRule,
    allowed_for,
    cell,
)
from melleafy_tui.core.package.result_schemas import declares_fields
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.package.separate_steps import step_row
from melleafy_tui.core.pipeline.element_mapping import rows_by_id
from melleafy_tui.core.pipeline.symbols import shared_function, symbol_for, target_for


class Draft(Struct, frozen=True):
    """A plan entry before it gets its number, override and names."""

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
    """Return whether an element gets a plan entry: it has a category, or a mapping row for elements without one."""
    if row is not None and row.kind is EntryKind.SCHEMA:
        return declares_fields(element)
    return element.category is not Category.NONE or (row is not None and row.category is Category.NONE)


def draft_entry(element: Element, row: MappingRow | None, key: str, *, retagged: bool) -> Draft:
    """Return an element's entry before overrides.

    Args:
        element: The element.
        row: Its dialect's mapping row, which is ignored if the user chose another category.
        key: Its key.
        retagged: Whether the user chose its tag or category.
    """
    if row is not None and row.category is not element.category:
        row = None
    kind, subtype = _kind(element, row)
    default, setup = DEFAULTS[kind], ""
    source, reason = DecisionSource.AUTO, DEFAULT_REASONS[kind]
    left_out = element.decided(DecisionKind.LEFT_OUT)
    if left_out is not None and element.category is not Category.NONE:
        default, reason = Disposition.REMOVE, left_out.reason
        source = DecisionSource.DIALECT
    elif row is not None and kind is not EntryKind.STEP and cell(kind, row.default).allowed:
        default, setup, source = row.default, row.setup_section, DecisionSource.DIALECT
        reason = row.reason or reason
    elif retagged:
        source = DecisionSource.INFERRED
    held = element.facts[SecretFact]
    is_tool = kind in TOOLS and default is not Disposition.REMOVE
    why = element.facts[ToolFact].denied if is_tool else ""
    if not why and default is Disposition.REAL_IMPL:
        why = held.held_back or foreign_variables(element)
    if why:
        default, reason = Disposition.STUB, why
    if held.secret and not held.is_read:
        default, reason = Disposition.REMOVE, "No code of the package reads it, so nobody is asked for it."
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
    """Return the kind of an element's entry, and the subtype if it is a tool."""
    if element.category is Category.C8:
        return EntryKind.CROSS_REFERENCE, ""
    if step_row(element, claimed=row is not None) is not None:
        return EntryKind.STEP, element.tag.value.lower()
    if element.category is not Category.C6:
        return (row.kind if row is not None else CATEGORIES[element.category].kind), ""
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


class DraftedPlan(Struct, frozen=True):
    """The plan before overrides. Overrides don't change it, so it can be reused for many acts.

    `keys` contains the keys of all elements, with or without an entry; `positions` is the index of each key's entry.
    """

    drafts: tuple[Draft, ...]
    entries: tuple[PlanEntry, ...]
    mappings: Mapping[str, MappingEntry]
    stems: Mapping[str, str]
    keys: frozenset[str]
    positions: Mapping[str, int]


def draft_plan(
    inventory: Inventory,
    mapping: ElementMapping,
    classification: Classification,
    keys: Mapping[str, str],
    retags: Collection[str],
    dialects: DialectsByRuntime,
    stems: Mapping[str, str],
) -> DraftedPlan:
    """Return the plan before overrides, in source order, the backend last.

    Args:
        inventory: The result of steps 1a and 1b with conflicts resolved and retags applied.
        mapping: The result of step 2.
        classification: The result of step 0.
        keys: Key of each element by `element_id`.
        retags: The keys of the elements the user retagged.
        dialects: The dialects in use.
        stems: The identifier of each element by `element_id` (`symbols.py`), which decisions don't change.
    """
    drafts = _drafts(inventory, rows_by_id(classification, dialects), keys, retags)
    entries = tuple(
        _entry(f"dep_{number:03}", draft, None, mapping.by_element, stems)
        for number, draft in enumerate(drafts, start=1)
    )
    positions = {draft.key: position for position, draft in enumerate(drafts)}
    return DraftedPlan(drafts, entries, mapping.by_element, stems, frozenset(keys.values()), positions)


def make_plan(
    drafted: DraftedPlan,
    overrides: Mapping[str, Override],
    conflicts: tuple[Conflict, ...] = (),
) -> DependencyPlan:
    """Return the plan with overrides applied, in source order, the backend last.

    Args:
        drafted: The plan before overrides.
        overrides: The user's overrides, by key.
        conflicts: The resolved conflicts of a hybrid.

    Raises:
        DecisionsRefused: an override isn't allowed for its entry, or its key is unknown.
    """
    for key in overrides:
        if key not in drafted.positions:
            raise _no_entry(key, exists=key in drafted.keys)
    entries = list(drafted.entries)
    for key, override in overrides.items():
        position = drafted.positions[key]
        entries[position] = _entry(
            entries[position].entry_id, drafted.drafts[position], override, drafted.mappings, drafted.stems
        )
    return DependencyPlan(entries=tuple(entries), conflicts=conflicts)


def _drafts(
    inventory: Inventory,
    rows: Mapping[str, MappingRow],
    keys: Mapping[str, str],
    retags: Collection[str],
) -> tuple[Draft, ...]:
    """Return the entries before overrides."""
    drafts = [
        draft_entry(element, row, key, retagged=key in retags)
        for element in inventory.elements
        if has_entry(element, row := rows.get(element.mapping_row))
        for key in (keys[element.element_id],)
    ]
    return (*drafts, BACKEND_DRAFT)


def check_override(kind: EntryKind, disposition: Disposition, key: str) -> None:
    """Check that a disposition is allowed for a kind of entry.

    Raises:
        DecisionsRefused: the matrix doesn't allow the disposition for this kind of entry.
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
            f"{key!r} has no category, so it can't have an override",
            hint="Give the element a category, or undo its override.",
            location=key,
        )
    return DecisionsRefused(
        f"No entry of the plan has the key {key!r}",
        hint="Load the decisions file again, which matches its keys to the workspace as it is.",
        location=key,
    )


def _entry(
    entry_id: str,
    draft: Draft,
    override: Override | None,
    mappings: Mapping[str, MappingEntry],
    stems: Mapping[str, str],
) -> PlanEntry:
    disposition, source = _decided(draft, override)
    chosen = _cell_of(draft, disposition)
    is_default = disposition is draft.default
    element = draft.element
    if element is None:
        target, symbol = f"{chosen.target_file}:{chosen.symbol}", ""
    else:
        stem = stems[element.element_id]
        mapping = mappings.get(element.element_id)
        target = target_for(chosen, stem, element, mapping, is_default=is_default)
        symbol = symbol_for(chosen, stem) or shared_function(target)
    return PlanEntry(
        entry_id=entry_id,
        key=draft.key,
        category=CATEGORIES[draft.category].plan_name,
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


def _decided(draft: Draft, override: Override | None) -> tuple[Disposition, DecisionSource]:
    """Return the disposition of an entry, and who decided it."""
    if override is None or override.disposition is None:
        return draft.default, draft.source
    check_override(draft.kind, override.disposition, draft.key)
    held = draft.element.facts[SecretFact].held_back if draft.element else ""
    if held and override.disposition is Disposition.REAL_IMPL:
        raise DecisionsRefused(
            f"{draft.key!r} cannot be real_impl: {held}",
            hint="Release the value if it is no secret, or take it out of the script.",
            location=draft.key,
        )
    return override.disposition, override.decided_by if override_counts(
        override, draft.default
    ) else draft.source


def _cell_of(draft: Draft, disposition: Disposition) -> Cell:
    chosen = cell(draft.kind, disposition)
    is_command = draft.element is not None and bool(draft.element.facts[ArgumentFact].argument)
    if chosen.symbol_rule is SymbolRule.FLAG and is_command:
        return replace(chosen, symbol="")  # each argument of a command is a separate parameter
    return chosen


def override_counts(override: Override, default: Disposition) -> bool:
    """Return whether an override adds something to the default: another disposition, or a rationale."""
    return override.disposition is not None and (
        override.disposition is not default or bool(override.rationale)
    )
