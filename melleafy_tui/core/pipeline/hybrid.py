"""Merges the readings of a hybrid's dialects, and finds and resolves their conflicts.

An element that two dialects claim but would convert differently is a conflict. Each claiming dialect maps the element
by its own reading. The leading dialect wins by default, except that a stub wins over working code.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import fold, part_key, text_digest
from melleafy_tui.core.dialects.base import Reading
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.inventory import (
    Claim,
    Decision,
    Element,
    InventoriedFile,
    Inventory,
    element_number,
)
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


CLAIMING: Final = ("read", "listed")
"""The status of files that a dialect claims."""

_MARKERS: Final = frozenset({"heading", "rule", "comment", "other"})
"""Kinds without content of their own: a contributor's larger element around one isn't a reading of it."""

_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？")
"""Endings of a statement that need no full stop before the next statement."""

_TEXT_CATEGORIES: Final = frozenset({Category.C1, Category.C2, Category.C3})
"""Categories whose elements are plain text, so that several can be joined."""


def merge_readings(
    readings: Iterable[tuple[str, Reading]],
) -> tuple[tuple[InventoriedFile, ...], tuple[Element, ...], tuple[Claim, ...]]:
    """Return the files, elements and claims of all readings, each file and each line once.

    The first dialect with elements in a file provides the file's elements; the other readings become claims on them.

    Args:
        readings: Runtime and reading of each dialect, the leading one first.
    """
    files: dict[str, InventoriedFile] = {}
    elements: list[Element] = []
    claims: list[Claim] = []
    for runtime, reading in readings:
        for file in reading.files:
            earlier, is_claimed = files.get(file.path), file.status in CLAIMING
            if earlier is not None and earlier.status in CLAIMING:
                files[file.path] = _claimed_by_both(earlier, file, runtime) if is_claimed else earlier
            elif earlier is None or is_claimed:
                files.pop(file.path, None)  # it stands in the order of the dialect that reads it
                files[file.path] = replace(file, runtimes=file.runtimes or (runtime,))
        cut = {element.source_file for element in elements}
        rules = {file.path: file.dialect_rule_id for file in reading.files if file.status in CLAIMING}
        claims += _claims(runtime, elements, reading.elements)
        elements = [
            replace(each, dialect_rule_id=_joined(each.dialect_rule_id, rules.get(each.source_file, "")))
            for each in elements
        ]
        elements += [element for element in reading.elements if element.source_file not in cut]
    return tuple(files.values()), tuple(elements), tuple(claims)


def _claimed_by_both(earlier: InventoriedFile, file: InventoriedFile, runtime: str) -> InventoriedFile:
    """Merge two dialects' entries for a file: it gets both rule ids, and is read if either dialect reads it."""
    fuller = file if earlier.status == "listed" and file.status == "read" else earlier
    return replace(
        fuller,
        role=earlier.role,
        runtimes=tuple(dict.fromkeys((*earlier.runtimes, *(file.runtimes or (runtime,))))),
        dialect_rule_id=_joined(earlier.dialect_rule_id, file.dialect_rule_id),
        note=earlier.note,
    )


def _joined(first: str, second: str) -> str:
    return first if not second or second in first.split("+") else f"{first}+{second}"


def _claims(runtime: str, elements: Sequence[Element], readings: Sequence[Element]) -> Iterator[Claim]:
    by_line: dict[tuple[str, int], list[int]] = {}
    for number, reading in enumerate(readings):
        for place in _places(reading):
            by_line.setdefault(place, []).append(number)
    for position, element in enumerate(elements):
        numbers = {number for place in _places(element) for number in by_line.get(place, ())}
        near = [readings[number] for number in sorted(numbers) if _is_about(readings[number], element)]
        if near:
            best = max(near, key=lambda reading: _nearness(reading, element))
            yield Claim(element_number(position + 1), runtime, _with_its_like(best, near, element))


def _places(element: Element) -> list[tuple[str, int]]:
    """Return file and number of each line of an element."""
    first, last = element.line_range
    return [(element.source_file, line) for line in range(first, last + 1)]


def _with_its_like(best: Element, near: Iterable[Element], element: Element) -> Element:
    """Join a reading with the contributor's similar readings of the same element's lines.

    Tools and credentials aren't joined, because each has its own name.
    """
    like = [
        reading
        for reading in near
        if (reading.category, reading.mapping_row) == (best.category, best.mapping_row)
        and _shared(reading, element) == _shared(reading, reading)
    ]
    if len(like) < 2 or best.category not in _TEXT_CATEGORIES:
        return best
    said = [reading.statement for reading in like]
    return replace(
        best,
        source_lines=element.source_lines,
        kind=element.kind,
        content_full=element.content_full,
        statement=" ".join(each if each.endswith(_ENDS) else f"{each}." for each in said),
    )


def _is_about(reading: Element, element: Element) -> bool:
    """Return whether a reading that shares lines with an element says something about it."""
    is_larger = _shared(reading, reading) > _shared(element, element)
    return not (is_larger and element.kind in _MARKERS and element.category is Category.NONE)


def _nearness(reading: Element, element: Element) -> tuple[bool, int, int]:
    """Return how well a reading matches an element: has a category, most shared lines, fewest other lines."""
    shared = _shared(reading, element)
    return reading.category is not Category.NONE, shared, shared - _shared(reading, reading)


def _shared(one: Element, other: Element) -> int:
    """Return how many lines two elements share."""
    (first, last), (start, end) = one.line_range, other.line_range
    return max(0, min(last, end) - max(first, start) + 1)


# --- conflicts ------------------------------------------------------------------------------------------


_TEXT: Final = frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK})
"""Dispositions that only copy an element's text into the package, so the text can have another use too."""


class Composition(Struct, frozen=True):
    """How each dialect of a hybrid would convert the elements that several of them claim.

    Attributes:
        treatments: What each dialect makes of each of these elements.
        conflicts: Where they differ, as it stands by default.
        readings: How the contributor of a conflict reads its element, by `element_id`.
    """

    treatments: tuple[Treatment, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    readings: Mapping[str, Element] = {}


def compose(inventory: Inventory, keys: Mapping[str, str], dialects: Dialects) -> Composition:
    """Return how each dialect would convert the elements that several claim, and where they differ.

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
    conflicts: list[Conflict] = []
    read_otherwise: dict[str, Element] = {}
    for element in inventory.elements:
        if element.element_id not in readings:
            continue
        lead = leading[element.source_file]
        claimed = [(lead, element), *readings[element.element_id]]
        stem = stems[element.element_id]
        each = tuple(_treatment(element.element_id, who, read, stem, dialects) for who, read in claimed)
        treatments += each
        differing = [place for place, other in enumerate(each) if _OUTCOME(other) != _OUTCOME(each[0])]
        if differing:
            chosen = next((place for place in differing if _stub_wins(each[0], each[place])), differing[0])
            conflicts.append(_conflict(keys[element.element_id], each, each[chosen]))
            read_otherwise[element.element_id] = claimed[chosen][1]
    return Composition(tuple(treatments), tuple(conflicts), read_otherwise)


def _conflict(key: str, treatments: tuple[Treatment, ...], contributor: Treatment) -> Conflict:
    """Return the conflict of the leading dialect with a contributor, as it stands by default."""
    lead = treatments[0]
    stub_wins = _stub_wins(lead, contributor)
    default = CONTRIBUTOR if stub_wins else PRIMARY
    contradiction = next(_objections(lead, contributor), "")
    reason = f"{lead.runtime} leads here."
    if stub_wins:
        reason = f"{contributor.runtime} makes a stub of it, and a stub wins over working code."
    return Conflict(
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


def _treatment(element_id: str, runtime: str, element: Element, stem: str, dialects: Dialects) -> Treatment:
    row = dialects.rows_of([runtime]).get(element.mapping_row)
    mapping = map_element("", element, row)
    disposition, target = None, ""
    if has_entry(element, row):
        entry = entry_of("", "", element, row, mapping, stem, retagged=False)
        disposition, target = entry.disposition, entry.target
    kind = element.tag, element.category
    return Treatment(element_id, runtime, *kind, disposition, target, mapping.dialect_row)


_OUTCOME: Final = attrgetter("category", "disposition", "target")
"""What two treatments agree in, if they do."""


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
    texts = [treatment.disposition in _TEXT for treatment in both]
    has_room = all(texts) or (first.category is Category.C6 and any(texts))  # for text and a tool
    if first.category is other.category and not has_room:
        first_word, other_word = (each.disposition.value if each.disposition else "nothing" for each in both)
        yield (
            f"{first.runtime} would make it {first_word} and {other.runtime} {other_word}; only one of them can answer."
        )


def resolve_conflicts(
    unresolved: Sequence[Conflict], choices: Mapping[str, str], elements: int
) -> tuple[Conflict, ...]:
    """Return the conflicts with their resolutions.

    The id of a merged part doesn't depend on how the other conflicts are resolved.

    Args:
        unresolved: The conflicts as they stand by default.
        choices: The user's resolutions by key.
        elements: The number of elements in the inventory.

    Raises:
        DecisionsRefused: a chosen resolution isn't possible.
    """
    conflicts = []
    for number, conflict in enumerate(unresolved, elements + 1):
        if chosen := choices.get(conflict.key, ""):
            if objection := conflict.objection(chosen):
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
    inventory: Inventory, readings: Mapping[str, Element], conflicts: Sequence[Conflict]
) -> Inventory:
    """Return the inventory with its conflicts resolved; the same object if nothing changes."""
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
