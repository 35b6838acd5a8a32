"""Finds and resolves the conflicts of a hybrid: elements that two dialects claim but would convert differently.

Each claiming dialect maps the element by its own reading. The leading dialect wins by default, except that a stub wins
over working code. The resolutions are then applied to the inventory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import fold, part_key, text_digest
from melleafy_tui.core.dialects.base import DialectsByRuntime
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.inventory import Decision, Element, Inventory, element_number
from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.vocabulary import (
    CONTRIBUTOR,
    MERGE,
    PRIMARY,
    Category,
    DecisionKind,
    DecisionSource,
    Disposition,
)
from melleafy_tui.core.pipeline.element_mapping import map_element
from melleafy_tui.core.pipeline.plan_entries import entry_of, has_entry
from melleafy_tui.core.pipeline.symbols import element_stems

if TYPE_CHECKING:
    from melleafy_tui.core.decisions.rebase import Place


_TEXT: Final = frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK})
"""Dispositions that only copy an element's text into the package, so the text can have another use too."""


class Disagreement(Struct, frozen=True):
    """A conflict as it stands by default, and the element as the contributor reads it."""

    conflict: Conflict
    reading: Element

    def objection(self, resolution: str) -> str:
        """Return why a resolution isn't possible here, or `""`."""
        return dict(self.conflict.refusals).get(resolution, "")


class Composition(Struct, frozen=True):
    """How each dialect of a hybrid would convert the elements that several of them claim."""

    treatments: tuple[Treatment, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


def compose(inventory: Inventory, keys: Mapping[str, str], dialects: DialectsByRuntime) -> Composition:
    """Return how each dialect would convert the elements that several claim, and where they disagree.

    Args:
        inventory: The result of steps 1a and 1b before the user's decisions.
        keys: Key of each element by `element_id`.
        dialects: The dialects in use.
    """
    if not inventory.claims:
        return Composition()
    readings: dict[str, list[tuple[str, Element]]] = {}
    for claim in inventory.claims:
        readings.setdefault(claim.element_id, []).append((claim.runtime, claim.reading))
    leading = {file.path: file.runtimes[0] for file in inventory.files if file.runtimes}
    stems = element_stems(inventory.elements, {})
    treatments: list[Treatment] = []
    disagreements: list[Disagreement] = []
    for element in inventory.elements:
        if element.element_id not in readings:
            continue
        lead = leading[element.source_file]
        claimed = [(lead, element), *readings[element.element_id]]
        stem = stems[element.element_id]
        each = tuple(_treatment(element.element_id, who, read, stem, dialects) for who, read in claimed)
        treatments += each
        disagreements += _disagreement(keys[element.element_id], each, [read for _, read in claimed])
    return Composition(tuple(treatments), tuple(disagreements))


def _disagreement(
    key: str, treatments: tuple[Treatment, ...], readings: Sequence[Element]
) -> Iterator[Disagreement]:
    """Yield the disagreement of the leading dialect with the others, if there is one."""
    lead = treatments[0]
    differing = [
        (treatment, reading)
        for treatment, reading in zip(treatments[1:], readings[1:], strict=True)
        if not _agree(lead, treatment)
    ]
    if not differing:
        return
    contributor, reading = next((found for found in differing if _stub_wins(lead, found[0])), differing[0])
    stub_wins = _stub_wins(lead, contributor)
    default = CONTRIBUTOR if stub_wins else PRIMARY
    contradiction = next(_objections(lead, contributor), "")
    reason = f"{lead.runtime} leads here."
    if stub_wins:
        reason = f"{contributor.runtime} makes a stub of it, and a stub wins over working code."
    conflict = Conflict(
        key=key,
        element_id=lead.element_id,
        primary=lead.runtime,
        contributor=contributor.runtime,
        resolution=default,
        resolved_by=DecisionSource.AUTO,
        refusals=((MERGE, contradiction),) if contradiction else (),
        treatments=treatments,
        reason=reason,
        default_resolution=default,
    )
    yield Disagreement(conflict, reading)


def _treatment(
    element_id: str, runtime: str, element: Element, stem: str, dialects: DialectsByRuntime
) -> Treatment:
    rows = dialects.get(runtime).mapping_rows
    row = next((row for row in rows if row.row_id == element.mapping_row), None)
    mapping = map_element("", element, row)
    disposition, target = None, ""
    if has_entry(element, row):
        entry = entry_of("", "", element, row, mapping, stem, retagged=False)
        disposition, target = entry.disposition, entry.target
    kind = element.tag, element.category
    return Treatment(element_id, runtime, *kind, disposition, target, mapping.dialect_row)


def _agree(first: Treatment, other: Treatment) -> bool:
    return (first.category, first.disposition, first.target) == (
        other.category,
        other.disposition,
        other.target,
    )


def _stub_wins(first: Treatment, other: Treatment) -> bool:
    return first.disposition is Disposition.REAL_IMPL and other.disposition is Disposition.STUB


def _objections(first: Treatment, other: Treatment) -> Iterator[str]:
    """Yield why two treatments can't be merged."""
    both = (first, other)
    for one, against in (both, both[::-1]):
        if one.disposition is None:
            yield f"{one.runtime} does not convert it, so there is nothing to add to what {against.runtime} does."
        if one.disposition is Disposition.REMOVE:
            yield f"{one.runtime} leaves it out and {against.runtime} keeps it; both cannot hold."
        if one.category is Category.C7:
            yield f"{one.runtime} takes it for a credential, which may stand nowhere else."
    if first.target == other.target:
        yield f"Both put it at {first.target}, and one place has one content."
    if first.category is other.category and not _leaves_room(first, other):
        yield (
            f"{first.runtime} would make it {_named(first)} and {other.runtime} {_named(other)}; "
            "only one of them can answer."
        )


def _leaves_room(first: Treatment, other: Treatment) -> bool:
    """Return whether two dispositions of one category are compatible: text in two places, or text and a tool."""
    texts = [treatment.disposition in _TEXT for treatment in (first, other)]
    return all(texts) or (first.category is Category.C6 and any(texts))


def _named(treatment: Treatment) -> str:
    return treatment.disposition.value if treatment.disposition else "nothing"


def resolve_conflicts(
    disagreements: Sequence[Disagreement], choices: Mapping[str, str], elements: int
) -> tuple[Conflict, ...]:
    """Return the conflicts with their resolutions.

    The id of a merged part doesn't depend on how the other conflicts are resolved.

    Args:
        disagreements: The unresolved conflicts.
        choices: The user's resolutions by key.
        elements: The number of elements in the inventory.

    Raises:
        DecisionsRefused: a chosen resolution isn't possible.
    """
    conflicts = []
    for number, each in enumerate(disagreements, elements + 1):
        conflict = each.conflict
        if chosen := choices.get(conflict.key, ""):
            if objection := each.objection(chosen):
                raise DecisionsRefused(
                    f"The conflict on {conflict.key!r} cannot be resolved with {chosen}",
                    hint=objection,
                    location=conflict.key,
                )
            conflict = replace(conflict, resolution=chosen, resolved_by=DecisionSource.USER)
        merged = element_number(number) if conflict.resolution == MERGE else ""
        conflicts.append(replace(conflict, merged_element_id=merged))
    return tuple(conflicts)


def resolved_inventory(
    inventory: Inventory, disagreements: Sequence[Disagreement], conflicts: Sequence[Conflict]
) -> Inventory:
    """Return the inventory with its conflicts resolved; the same object if nothing changes."""
    readings = {each.conflict.element_id: each.reading for each in disagreements}
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
        if read.category is Category.NONE:  # the chosen runtime sees nothing in it, so no text has it
            read = replace(read, decisions=(Decision(DecisionKind.LEFT_OUT, read.notes[-1]),))
        if conflict.resolution == MERGE:
            note = f"Merged: the part of {conflict.contributor}, beside {element.element_id}."
            read = replace(read, element_id=conflict.merged_element_id, aggregation_hint="", notes=(note,))
            elements.append(element)
        elements.append(read)
    return replace(inventory, elements=tuple(elements))


def keys_with_parts(keys: Mapping[str, str], conflicts: Iterable[Conflict]) -> dict[str, str]:
    """Return the keys by `element_id`, including those of merged parts."""
    parts = {
        conflict.merged_element_id: part_key(conflict.key, conflict.contributor)
        for conflict in conflicts
        if conflict.merged_element_id
    }
    return {**keys, **parts}


def places_with_parts(places: "Mapping[str, Place]", conflicts: Iterable[Conflict]) -> "dict[str, Place]":
    """Return the places of all elements by key, each merged part after its element.

    A part has its own digest, so that decisions on a part and on its element are never confused.
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
            found[part] = replace(place, key=part, text=text, digest=text_digest(text))
    return found


def _as_read_by(runtime: str, element: Element, reading: Element) -> Element:
    """Return an element with a contributor's classification.

    If the contributor's element has other lines, the text stays that of the original element.
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
        mapping_row=reading.mapping_row,
        rationale=reading.rationale,
        scope=reading.scope,
        decisions=reading.decisions,
        facts=reading.facts | element.facts if inside else element.facts,
        notes=(*element.notes, note),
    )
