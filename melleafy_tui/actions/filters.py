"""Filters for elements and entries: facets with the ids of the rows that pass."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.choices import category_words, decision_words
from melleafy_tui.actions.display_names import category_title, element_title
from melleafy_tui.actions.traceability import elements_of
from melleafy_tui.core.models.context import VISIBILITY_LABELS, Visibility
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, DecisionKind, Disposition, Severity
from melleafy_tui.core.openclaw.prompt.visibility import unseen_entries
from melleafy_tui.core.pipeline.conversion import Conversion

GROUPINGS: Final = ("category", "mapping row", "nothing")
"""What entries can be grouped by."""

_ELEMENT_KINDS: Final = (
    *("file", "category", "tag", "disposition", "overridden", "warned", "template", "decision"),
    *("visibility", "retagged"),
)
_ENTRY_KINDS: Final = (
    *("attention", "overridden", "disposition", "category", "file", "tag", "warned", "template", "unseen"),
)
"""The kinds of facets in the order of the list."""

_RANK: Final[dict[str, int]] = {
    value: place for values in (Disposition, DecisionKind, Visibility) for place, value in enumerate(values)
}
"""The place of a value among those of its kind; other kinds are sorted by name."""

_Mark = tuple[str, str]
"""The id of a facet, `kind:value` or the kind alone, and its label."""


class Facet(Struct, frozen=True):
    """One filter; `ids` are the rows that pass."""

    id: str
    label: str
    ids: frozenset[str]


def chosen(facets: Sequence[Facet], name: str) -> Facet | None:
    """Return the facet with this id, or None."""
    return next((each for each in facets if each.id == name), None)


def element_facets(conversion: Conversion) -> list[Facet]:
    """Return the filters for elements; each has rows."""
    becomes, seen = conversion.plan.by_element, conversion.seen
    warned, retagged = _warned_ids(conversion), retagged_ids(conversion)

    def marks(element: Element) -> Iterator[_Mark]:
        name = element.element_id
        yield from _source_marks(element, warned)
        yield f"category:{element.category.value}", category_words(element.category)
        if name in becomes:
            yield from _disposition_marks(becomes[name])
        for decision in element.decisions:
            yield f"decision:{decision.kind.value}", decision_words(decision.kind)
        if name in seen:
            visibility = seen[name].visibility
            yield f"visibility:{visibility.value}", f"the agent: {VISIBILITY_LABELS[visibility]}"
        if name in retagged:
            yield "retagged", "retagged by you"

    rows = ((element.element_id, marks(element)) for element in conversion.inventory.elements)
    return _facets(_ELEMENT_KINDS, rows)


def entry_facets(conversion: Conversion, to_review: Collection[str]) -> list[Facet]:
    """Return the filters for entries; each has rows.

    Args:
        conversion: The conversion with its plan.
        to_review: The ids of the entries that need review.
    """
    by_id, warned = conversion.inventory.by_id, _warned_ids(conversion)
    unseen = {entry.entry_id for entry in unseen_entries(conversion.plan, conversion.seen)}

    def marks(entry: PlanEntry) -> Iterator[_Mark]:
        if entry.entry_id in to_review:
            yield "attention", "needs attention"
        yield from _disposition_marks(entry)
        yield f"category:{entry.category}", category_title(entry.category)
        for element in elements_of(entry, by_id):
            yield from _source_marks(element, warned)
        if entry.entry_id in unseen:
            yield "unseen", "never seen by the agent"

    return _facets(_ENTRY_KINDS, ((entry.entry_id, marks(entry)) for entry in conversion.plan.entries))


def _source_marks(element: Element, warned: Collection[str]) -> Iterator[_Mark]:
    yield f"file:{element.source_file}", f"file {element.source_file}"
    yield f"tag:{element.tag.value}", f"tag {element.tag.value}"
    if element.element_id in warned:
        yield "warned", "a warning about its lines"
    if element.template:
        yield "template", "stock text"


def _disposition_marks(entry: PlanEntry) -> Iterator[_Mark]:
    name = entry.disposition.value
    yield f"disposition:{name}", f"disposition {DISPOSITIONS[entry.disposition].label}"
    if entry.overridden:
        yield "overridden", "decided by you"


def _facets(kinds: Sequence[str], rows: Iterable[tuple[str, Iterable[_Mark]]]) -> list[Facet]:
    """Return the facets of rows, each given by its id and its marks."""
    ids: dict[_Mark, set[str]] = {}
    for row, marks in rows:
        for mark in marks:
            ids.setdefault(mark, set()).add(row)

    def order(mark: _Mark) -> tuple[int, int, str]:
        kind, _, value = mark[0].partition(":")
        return kinds.index(kind), _RANK.get(value, 0), value

    return [Facet(*mark, frozenset(ids[mark])) for mark in sorted(ids, key=order)]


def group_of(entry: PlanEntry, elements: Sequence[Element], grouping: str) -> str:
    """Return the group of an entry with these elements; `grouping` is one of GROUPINGS."""
    if grouping == "category":
        return category_title(entry.category)
    return (elements[0].mapping_row or elements[0].rationale or "general row") if elements else "settings"


def _warned_ids(conversion: Conversion) -> frozenset[str]:
    """Return the ids of the elements whose lines or file a warning is about."""
    warnings: dict[str, list[Diagnostic]] = {}
    for finding in conversion.diagnostics:
        if finding.severity is not Severity.INFO:
            warnings.setdefault(finding.file, []).append(finding)
    elements = conversion.inventory.elements
    return frozenset(each.element_id for each in elements if _is_warned(warnings, each))


def _is_warned(warnings: Mapping[str, Sequence[Diagnostic]], element: Element) -> bool:
    first, last = element.line_range
    for finding in warnings.get(element.source_file, ()):
        start, _, end = finding.lines.partition("-")
        if not start or (int(start) <= last and int(end or start) >= first):
            return True
    return False


def element_search_text(element: Element) -> str:
    """Return the text that a search for elements looks in, case folded, without the values of secrets."""
    words = (element.element_id, element.location, element.tag, element.category, element_title(element))
    return " ".join((*words, *element.section, element.statement)).casefold()


def entry_search_text(entry: PlanEntry, elements: Sequence[Element]) -> str:
    """Return the text that a search for entries looks in, case folded."""
    words = (entry.entry_id, entry.summary, entry.disposition, entry.target, entry.category)
    places = (element.location for element in elements[:1])
    said = (element.statement for element in elements)
    return " ".join((*words, entry.override_rationale, *places, *said)).casefold()


def retagged_ids(conversion: Conversion) -> frozenset[str]:
    """Return the ids of the elements whose tag or category the user changed."""
    retags = conversion.decisions.retags
    return (
        frozenset(name for name, key in conversion.keys.items() if key in retags) if retags else frozenset()
    )
