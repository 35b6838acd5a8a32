"""Step 2.5: every element with a category gets one plan entry, and the backend one of its own (spec/conversion.md 5).

Defaults come from the dialect's mapping row, else from the general table; the user's overrides win over both.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from melleafy_tui.core.conflicts import CONTRIBUTOR, Disagreement, Treatment, disagreement_on
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.dialects.base import Dialect, MappingRow
from melleafy_tui.core.dispositions import (
    allowed_for,
    cell,
)
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.plan import Conflict, DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import (
    PLAN_CATEGORIES,
    Disposition,
    EntryKind,
)
from melleafy_tui.core.plan_defaults import BACKEND_DRAFT, Draft, draft_entry, has_entry
from melleafy_tui.core.symbols import element_stems, shared_function, symbol_for, target_for


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
    drafts, conflicts = _drafts(inventory, mapping, classification, keys, decisions, dialects)
    planned = {draft.key for draft in drafts}
    for key in decisions.overrides:
        if key not in planned:
            raise _no_entry(key, exists=key in keys.values())
    mappings = mapping.by_element
    stems = element_stems(inventory.elements, mappings)
    entries = tuple(
        _entry(f"dep_{number:03}", draft, decisions.overrides.get(draft.key), mappings, stems)
        for number, draft in enumerate(drafts, start=1)
    )
    return DependencyPlan(entries=entries, conflicts=conflicts)


def disagreements(
    inventory: Inventory,
    mapping: ElementMapping,
    classification: Classification,
    keys: Mapping[str, str],
    dialects: DialectsByRuntime,
) -> dict[str, Disagreement]:
    """Return the conflicts of a hybrid by key, before anyone has resolved them."""
    primary, *others = classification.dialect_runtimes
    contributors = [dialects.get(runtime) for runtime in others]
    rows = _rows(classification, dialects)
    found: dict[str, Disagreement] = {}
    for element in inventory.elements if contributors else ():
        entry = mapping.by_element.get(element.element_id)
        row = rows.get(element.mapping_row)
        if entry is None or not has_entry(element, row):
            continue
        draft = draft_entry(element, row, keys[element.element_id], retagged=False)
        target = f"{entry.target_file}:{entry.target_symbol}"
        treatment = Treatment(dialects.get(primary).runtime, element.category, draft.default, target)
        difference = disagreement_on(element, treatment, contributors)
        if difference is not None:
            found[draft.key] = difference
    return found


def _drafts(
    inventory: Inventory,
    mapping: ElementMapping,
    classification: Classification,
    keys: Mapping[str, str],
    decisions: Decisions,
    dialects: DialectsByRuntime,
) -> tuple[list[Draft], tuple[Conflict, ...]]:
    """Return the entries as they would be without overrides, and the conflicts that were resolved on the way."""
    rows = _rows(classification, dialects)
    differences = disagreements(inventory, mapping, classification, keys, dialects)
    drafts: list[Draft] = []
    conflicts: list[Conflict] = []
    for element in inventory.elements:
        row, key = rows.get(element.mapping_row), keys[element.element_id]
        if not has_entry(element, row):
            continue
        draft = draft_entry(element, row, key, retagged=key in decisions.retags)
        difference = differences.get(key)
        if difference is not None:
            conflict = difference.conflict(key, element.element_id, decisions.conflicts.get(key))
            conflicts.append(conflict)
            draft = _resolved(draft, difference, conflict)
        drafts.append(draft)
    return [*drafts, BACKEND_DRAFT], tuple(conflicts)


def _resolved(draft: Draft, difference: Disagreement, conflict: Conflict) -> Draft:
    objection = difference.objection(conflict.resolution)
    if objection:
        raise DecisionsRefused(
            f"The conflict on {draft.key!r} cannot be resolved with {conflict.resolution}",
            hint=objection,
            location=draft.key,
        )
    other = difference.contributor
    if conflict.resolution != CONTRIBUTOR or not cell(draft.kind, other.default).allowed:
        return draft
    reason = f"{other.runtime} contributes this file and treats it so."
    return replace(draft, default=other.default, reason=reason, setup_section="")


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


def _rows(classification: Classification, dialects: DialectsByRuntime) -> dict[str, MappingRow]:
    rows: dict[str, MappingRow] = {}
    for runtime in classification.dialect_runtimes:
        for row in dialects.get(runtime).mapping_rows:
            rows.setdefault(row.row_id, row)
    return rows


def _entry(
    entry_id: str,
    draft: Draft,
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
        symbol = symbol_for(chosen, stem) or shared_function(target)
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
