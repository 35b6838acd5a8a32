"""Merges the readings of a hybrid's dialects, so that each file and each line occurs only once.

The first dialect with elements in a file provides the file's elements; the other readings become claims on them.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import Reading
from melleafy_tui.core.models.inventory import Claim, Element, InventoriedFile, element_number
from melleafy_tui.core.models.vocabulary import Category

CLAIMING: Final = ("read", "listed")
"""The status of files that a dialect claims."""

_MARKERS: Final = frozenset({"heading", "rule", "comment", "other"})
"""Kinds without content of their own: a contributor's larger element around one isn't a reading of it."""

_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？")
"""Endings of a statement that need no full stop before the next statement."""

_TEXT_CATEGORIES: Final = frozenset({Category.C1, Category.C2, Category.C3})
"""Categories whose elements are plain text, so that several can be joined."""


class MergedReadings(Struct, frozen=True):
    """The files and elements of all readings, and the other dialects' claims on the elements."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    claims: tuple[Claim, ...]


def merge_readings(readings: Sequence[tuple[str, Reading]]) -> MergedReadings:
    """Return the files, elements and claims of all readings.

    Args:
        readings: Runtime and reading of each dialect, the leading one first.
    """
    files: dict[str, InventoriedFile] = {}
    elements: list[Element] = []
    claims: list[Claim] = []
    for runtime, reading in readings:
        for file in reading.files:
            earlier = files.get(file.path)
            if earlier is not None and earlier.status not in CLAIMING and file.status in CLAIMING:
                del files[file.path]  # it stands in the order of the dialect that reads it
            files[file.path] = _merged_file(earlier, file, runtime)
        cut = {element.source_file for element in elements}
        rules = {file.path: file.dialect_rule_id for file in reading.files if file.status in CLAIMING}
        claims += _claims(runtime, elements, reading.elements)
        elements = [_with_rule(element, rules.get(element.source_file)) for element in elements]
        elements += [element for element in reading.elements if element.source_file not in cut]
    return MergedReadings(tuple(files.values()), tuple(elements), tuple(claims))


def _merged_file(earlier: InventoriedFile | None, file: InventoriedFile, runtime: str) -> InventoriedFile:
    if earlier is None or (earlier.status not in CLAIMING and file.status in CLAIMING):
        return replace(file, runtimes=file.runtimes or (runtime,))
    return _claimed_by_both(earlier, file, runtime) if file.status in CLAIMING else earlier


def _with_rule(element: Element, rule_id: str | None) -> Element:
    if rule_id is None:
        return element
    return replace(element, dialect_rule_id=_joined(element.dialect_rule_id, rule_id))


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
    return first if second in first.split("+") else f"{first}+{second}"


def _claims(runtime: str, elements: Sequence[Element], readings: Iterable[Element]) -> Iterable[Claim]:
    readings = tuple(readings)
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


def _places(element: Element) -> Iterable[tuple[str, int]]:
    """Return file and number of each line of an element."""
    first, last = element.line_range
    return ((element.source_file, line) for line in range(first, last + 1))


def _with_its_like(best: Element, near: Iterable[Element], element: Element) -> Element:
    """Join a reading with the contributor's similar readings of the same element's lines.

    Tools and credentials aren't joined, because each has its own name.
    """
    like = [
        reading
        for reading in near
        if (reading.category, reading.mapping_row) == (best.category, best.mapping_row)
        and _shared_lines(reading, element) == _lines(reading)
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
    larger = _lines(reading) > _lines(element)
    return not (larger and element.kind in _MARKERS and element.category is Category.NONE)


def _nearness(reading: Element, element: Element) -> tuple[bool, int, int]:
    """Return how well a reading matches an element: has a category, most shared lines, fewest other lines."""
    shared = _shared_lines(reading, element)
    return reading.category is not Category.NONE, shared, shared - _lines(reading)


def _shared_lines(reading: Element, element: Element) -> int:
    first, last = element.line_range
    start, end = reading.line_range
    return max(0, min(last, end) - max(first, start) + 1)


def _lines(element: Element) -> int:
    first, last = element.line_range
    return last - first + 1
