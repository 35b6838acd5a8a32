"""What the resolution of a hybrid's conflict does to the inventory, from which mapping and plan follow.

`primary` leaves the element as it is, `contributor` reads it as the contributor does, `merge` adds the contributor's
part as an element of its own on the same lines, with a mapping and a plan entry of its own (spec/conversion.md 6).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from melleafy_tui.core.conflicts import Disagreement
from melleafy_tui.core.decisions.keys import fold, part_key, text_digest
from melleafy_tui.core.inventory import element_number
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.vocabulary import CONTRIBUTOR, MERGE

if TYPE_CHECKING:  # needed for a decisions file alone
    from melleafy_tui.core.decisions.rebase import Place


def resolve_conflicts(
    disagreements: Sequence[Disagreement], choices: Mapping[str, str], elements: int
) -> tuple[Conflict, ...]:
    """Return the conflicts with what holds for each.

    A conflict's part has the same id whatever becomes of the other conflicts.

    Args:
        disagreements: The conflicts before anyone has resolved them.
        choices: The user's resolutions by key.
        elements: How many elements the inventory has.

    Raises:
        DecisionsRefused: a chosen resolution is not possible there.
    """
    return tuple(
        difference.conflict(choices.get(difference.key), element_number(elements + number))
        for number, difference in enumerate(disagreements, 1)
    )


def resolved_inventory(
    inventory: Inventory, disagreements: Sequence[Disagreement], conflicts: Sequence[Conflict]
) -> Inventory:
    """Return the inventory as it is after its conflicts are resolved; the same one where nothing changes."""
    readings = {difference.primary.element_id: difference.reading for difference in disagreements}
    changing = {
        conflict.element_id: conflict for conflict in conflicts if conflict.resolution in (CONTRIBUTOR, MERGE)
    }
    if not changing:
        return inventory
    elements: list[Element] = []
    for element in inventory.elements:
        conflict = changing.get(element.element_id)
        if conflict is None:
            elements.append(element)
            continue
        read = _as_read_by(conflict.contributor, element, readings[element.element_id])
        if conflict.resolution == MERGE:
            note = f"Merged: the part of {conflict.contributor}, beside {element.element_id}."
            read = replace(read, element_id=conflict.merged_element_id, aggregation_hint="", notes=(note,))
            elements.append(element)
        elements.append(read)
    return Inventory(
        files=inventory.files,
        elements=tuple(elements),
        coverage=inventory.coverage,
        diagnostics=inventory.diagnostics,
        claims=inventory.claims,
        unsupported=inventory.unsupported,
    )


def keys_with_parts(keys: Mapping[str, str], conflicts: Iterable[Conflict]) -> dict[str, str]:
    """Return the keys by `element_id`, those of merged parts included."""
    parts = {
        conflict.merged_element_id: part_key(conflict.key, conflict.contributor)
        for conflict in conflicts
        if conflict.merged_element_id
    }
    return {**keys, **parts}


def places_with_parts(places: "Mapping[str, Place]", conflicts: Iterable[Conflict]) -> "dict[str, Place]":
    """Return the places of all elements by key, each merged part behind its element.

    A part has a digest of its own, so that a decision on it never lands on the element and the other way round.
    """
    merged = {conflict.key: conflict.contributor for conflict in conflicts if conflict.merged_element_id}
    if not merged:
        return dict(places)
    found: dict[str, Place] = {}
    for key, place in places.items():
        found[key] = place
        if key in merged:
            part = part_key(key, merged[key])
            text = fold(f"{place.text} ({merged[key]})")
            found[part] = structs.replace(place, key=part, text=text, digest=text_digest(text))
    return found


def _as_read_by(runtime: str, element: Element, reading: Element) -> Element:
    """Return an element as a contributor treats it.

    Where the contributor cut other lines, only its treatment is taken: the words stay those of the element's own lines.
    """
    note = f"Read as {runtime} reads it, since the conflict was resolved so."
    if reading.source_lines == element.source_lines:
        return replace(
            reading,
            element_id=element.element_id,
            dialect_rule_id=element.dialect_rule_id,
            aggregation_hint=element.aggregation_hint,
            notes=(*reading.notes, note),
        )
    first, last = element.line_range
    start, end = reading.line_range
    inside = first <= start and end <= last
    return replace(
        element,
        tag=reading.tag,
        category=reading.category,
        confidence=reading.confidence,
        mapping_row=reading.mapping_row,
        rationale=reading.rationale,
        scope=reading.scope,
        runtime_only=reading.runtime_only,
        suggested_category=None,
        suggestion_reason="",
        facts=reading.facts | element.facts if inside else element.facts,
        notes=(*element.notes, note),
    )
