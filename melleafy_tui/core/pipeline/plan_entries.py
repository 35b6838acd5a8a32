"""Step 2.5: creates a plan entry for each element with a category, and one for the backend.

Default dispositions come from the dialect's mapping row, else from the general table; the user's overrides win.
"""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import BACKEND_KEY
from melleafy_tui.core.decisions.state import Override
from melleafy_tui.core.errors import DecisionsRefused
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
    SymbolRule,
    allowed_for,
    cell,
    refused_in_steps,
)
from melleafy_tui.core.package.result_schemas import declares_fields
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.pipeline.symbols import element_stems, shared_function, symbol_for, target_for


def has_entry(element: Element, row: MappingRow | None) -> bool:
    """Return whether an element gets a plan entry: it has a category, or a mapping row for elements without one."""
    if row is not None and row.kind is EntryKind.SCHEMA:
        return declares_fields(element)
    return element.category is not Category.NONE or (row is not None and row.category is Category.NONE)


def entry_of(
    entry_id: str,
    key: str,
    element: Element,
    row: MappingRow | None,
    mapping: MappingEntry | None,
    stem: str,
    *,
    retagged: bool,
) -> PlanEntry:
    """Return an element's entry before overrides.

    Args:
        entry_id: Its id.
        key: Its key.
        element: The element.
        row: Its dialect's mapping row, which is ignored if the user chose another category.
        mapping: Its mapping from step 2.
        stem: Its identifier (`symbols.py`).
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
    elif row is not None and cell(kind, row.default).allowed:
        default, setup, source = row.default, row.setup_section, DecisionSource.DIALECT
        reason = row.reason or reason
    elif retagged:
        source = DecisionSource.INFERRED
    held = element.facts[SecretFact]
    tool = element.facts[ToolFact]
    why = tool.denied if kind in TOOLS and default is not Disposition.REMOVE else ""
    if not why and default is Disposition.REAL_IMPL:
        why = held.held_back or tool.missing or foreign_variables(element)
    if why:
        default, reason = Disposition.STUB, why
    if held.secret and not held.is_read:
        default, reason = Disposition.REMOVE, "No code of the package reads it, so nobody is asked for it."
    entry = PlanEntry(
        entry_id=entry_id,
        key=key,
        category=CATEGORIES[element.category].plan_name,
        kind=kind,
        disposition=default,
        default_disposition=default,
        source_of_decision=source,
        source_elements=(element.element_id,),
        target="",
        setup_section=setup,
        summary=element.content_summary,
        reason=reason,
        subtype=subtype,
    )
    return _Draft(entry, element, mapping, stem).placed(default)


def _backend_entry(entry_id: str) -> PlanEntry:
    kind, default = EntryKind.BACKEND, DEFAULTS[EntryKind.BACKEND]
    entry = PlanEntry(
        entry_id=entry_id,
        key=BACKEND_KEY,
        category=CATEGORIES[Category.C8].plan_name,
        kind=kind,
        disposition=default,
        default_disposition=default,
        source_of_decision=DecisionSource.AUTO,
        source_elements=(),
        target="",
        setup_section="",
        summary="Backend and model of the package",
        reason=DEFAULT_REASONS[kind],
    )
    return _Draft(entry).placed(default)


def _kind(element: Element, row: MappingRow | None) -> tuple[EntryKind, str]:
    """Return the kind of an element's entry, and the subtype if it is a tool."""
    if element.category is Category.C8:
        return EntryKind.CROSS_REFERENCE, ""
    if element.category is not Category.C6:
        return (row.kind if row is not None else CATEGORIES[element.category].kind), ""
    tool = element.facts[ToolFact]
    is_skill = tool.skill or (row is not None and row.role is ElementRole.SKILL)
    kind = EntryKind.TOOL_ABSTRACT
    if row is not None:
        kind = row.kind
    elif (tool.url or tool.script or tool.program) and not tool.skill:
        kind = EntryKind.TOOL_CONCRETE
    elif element.tag is not Tag.TOOL_TEMPLATE and not tool.skill:
        kind = EntryKind.TOOL_NARRATIVE
    concrete = (
        "concrete_http" if tool.url else "agent" if tool.agent else "skill" if is_skill else "concrete_script"
    )
    subtypes = {EntryKind.TOOL_NARRATIVE: "narrative", EntryKind.TOOL_CONCRETE: concrete}
    return kind, subtypes.get(kind, "skill" if is_skill else "abstract")


class _Draft(Struct, frozen=True):
    """An entry before overrides, with what another disposition needs."""

    entry: PlanEntry
    element: Element | None = None
    mapping: MappingEntry | None = None
    stem: str = ""
    in_steps: bool = False

    def placed(self, disposition: Disposition) -> PlanEntry:
        """Return the entry with a disposition, and the place and the name in the package that it then has."""
        entry, element, chosen = self.entry, self.element, cell(self.entry.kind, disposition)
        is_default = disposition is entry.default_disposition
        target, symbol = f"{chosen.target_file}:{chosen.symbol}", ""
        if element is not None:
            if chosen.symbol_rule is SymbolRule.FLAG and element.facts[ArgumentFact].argument:
                chosen = replace(chosen, symbol="")  # each argument of a command is a separate parameter
            target = target_for(chosen, self.stem, element, self.mapping, is_default=is_default)
            symbol = symbol_for(chosen, self.stem) or shared_function(target)
        setup = (entry.setup_section if is_default else "") or chosen.setup_section
        return replace(entry, disposition=disposition, target=target, symbol=symbol, setup_section=setup)


class DraftedPlan(Struct, frozen=True):
    """The plan before overrides, by key in order, and the keys of all elements; it can be reused for many acts."""

    drafts: Mapping[str, _Draft]
    keys: frozenset[str]


def draft_plan(
    inventory: Inventory,
    mapping: ElementMapping,
    rows: Mapping[str, MappingRow],
    keys: Mapping[str, str],
    retags: Collection[str],
) -> DraftedPlan:
    """Return the plan before overrides, in source order, the backend last.

    Args:
        inventory: The result of steps 1a and 1b with conflicts resolved and retags applied.
        mapping: The result of step 2.
        rows: The mapping rows of the dialects that read the source, by id.
        keys: Key of each element by `element_id`.
        retags: The keys of the elements the user retagged.
    """
    stems = element_stems(inventory.elements, mapping.by_element)
    drafts: dict[str, _Draft] = {}
    in_steps = inventory.procedure is not None
    for element in inventory.elements:
        row = rows.get(element.mapping_row)
        if has_entry(element, row):
            name, key = element.element_id, keys[element.element_id]
            mapped, stem, entry_id = mapping.by_element.get(name), stems[name], f"dep_{len(drafts) + 1:03}"
            entry = entry_of(entry_id, key, element, row, mapped, stem, retagged=key in retags)
            drafts[key] = _Draft(entry, element, mapped, stem, in_steps)
    drafts[BACKEND_KEY] = _Draft(_backend_entry(f"dep_{len(drafts) + 1:03}"))
    return DraftedPlan(drafts, frozenset(keys.values()))


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
        if key not in drafted.drafts:
            said = f"No entry of the plan has the key {key!r}"
            hint = "Load the decisions file again, which matches its keys to the workspace as it is."
            if key in drafted.keys:
                said = f"{key!r} has no category, so it can't have an override"
                hint = "Give the element a category, or undo its override."
            raise DecisionsRefused(said, hint=hint, location=key)
    entries = tuple(
        _overridden(draft, overrides[key]) if key in overrides else draft.entry
        for key, draft in drafted.drafts.items()
    )
    return DependencyPlan(entries=entries, conflicts=conflicts)


def _overridden(draft: _Draft, override: Override) -> PlanEntry:
    """Return an entry with an override applied."""
    disposition, source = _decided(draft, override)
    is_default = disposition is draft.entry.default_disposition
    return replace(
        draft.entry if is_default else draft.placed(disposition),
        source_of_decision=source,
        override_rationale=override.rationale,
        judge_individually=bool(override.judge_individually),
    )


_RELEASE: Final = "Release the value if it is no secret, or take it out of the script."


def _decided(draft: _Draft, override: Override) -> tuple[Disposition, DecisionSource]:
    """Return the disposition that an override gives an entry, and who decided it."""
    entry, element, wanted = draft.entry, draft.element, override.disposition
    if wanted is None:
        return entry.default_disposition, entry.source_of_decision
    refusal = cell(entry.kind, wanted).refusal or (
        refused_in_steps(entry.kind, wanted) if draft.in_steps else ""
    )
    said = f"set to {wanted.value}: {refusal[:1].lower()}{refusal[1:]}" if refusal else ""
    hint = f"Choose one of {', '.join(allowed.value for allowed in allowed_for(entry.kind))}."
    held = element.facts[SecretFact].held_back if element is not None else ""
    if held and not refusal and wanted is Disposition.REAL_IMPL:
        said, hint = f"real_impl: {held}", _RELEASE
    if said:
        raise DecisionsRefused(f"{entry.key!r} cannot be {said}", hint=hint, location=entry.key)
    adds = wanted is not entry.default_disposition or bool(override.rationale)
    return wanted, DecisionSource.USER if adds else entry.source_of_decision
