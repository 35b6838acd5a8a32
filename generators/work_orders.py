"""Numbered orders of work: their steps stay together and in order, whatever each of them is besides."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.package_shape import of_kind

_NUMBER: Final = LazyRegex(r"\s*(?P<number>\d{1,3})[.)\u3001]")
_WORDED: Final = (EntryKind.RULE, EntryKind.TOOL_NARRATIVE, EntryKind.STEP)
"""Kinds whose text may be part of an order; code does the rest of the work."""


def in_their_order(
    committed: CommittedPlan, items: Sequence[PlannedElement], *, without: Iterable[PlannedElement] = ()
) -> list[PlannedElement]:
    """Return elements together with the rules and tool texts of the numbered lists they belong to, in source order.

    Args:
        committed: The committed plan.
        items: The elements that a text is made of.
        without: Elements whose lists are already whole elsewhere.
    """
    wanted, done = set(_ids(items)), set(_ids(without))
    found = {item.position: item for item in items}
    for order in _numbered_lists(committed):
        ids = set(_ids(order))
        if ids & wanted and not ids & done:
            found |= {item.position: item for item in order if item.entry.kind is not EntryKind.STEP}
    return [found[position] for position in sorted(found)]


def orders_by_element(committed: CommittedPlan) -> dict[str, list[PlannedElement]]:
    """Return the rules and tool texts of the numbered list that each element belongs to, by its id."""
    return {
        name: [item for item in order if item.entry.kind is not EntryKind.STEP]
        for order in _numbered_lists(committed)
        for name in _ids(order)
    }


def _ids(items: Iterable[PlannedElement]) -> list[str]:
    return [item.element.element_id for item in items]


def _numbered_lists(committed: CommittedPlan) -> Iterator[list[PlannedElement]]:
    """Yield the elements of each numbered list, in source order."""
    run: list[PlannedElement] = []
    for item in of_kind(committed, _WORDED, Disposition.BUNDLE):
        if item.element.scope:
            continue
        if run and not _continues(run, item):
            yield run
            run = []
        if run or _number(item):
            run.append(item)
    yield run


def _continues(run: Sequence[PlannedElement], item: PlannedElement) -> bool:
    """Return whether an element is the next item of a list, or stands indented below one."""
    before, element = run[-1].element, item.element
    if (before.source_file, before.section) != (element.source_file, element.section):
        return False
    return _number(item) > max(map(_number, run)) or element.content_full[:1] in (" ", "\t")


def _number(item: PlannedElement) -> int:
    """Return the number of an item in a numbered list, 0 for other elements."""
    found = _NUMBER.match(item.element.content_full) if item.element.kind == "item" else None
    return int(found["number"]) if found else 0
