"""Filters for elements and entries: facets with the ids of the rows that pass."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from msgspec import Struct

from melleafy_tui.actions.choices import decision_words
from melleafy_tui.actions.display_names import category_title, element_title
from melleafy_tui.actions.traceability import elements_of
from melleafy_tui.core.models.context import VISIBILITY_LABELS, Visibility
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    DISPOSITIONS,
    Category,
    DecisionKind,
    Disposition,
    Severity,
    Tag,
)
from melleafy_tui.core.openclaw.prompt.visibility import unseen_entries
from melleafy_tui.core.pipeline.conversion import Conversion

ItemT = TypeVar("ItemT")

WARNED: Final = "a warning about its lines"

GROUPINGS: Final = ("category", "mapping row", "nothing")
"""What entries can be grouped by."""


class Facet(Struct, frozen=True):
    """One filter; `ids` are the rows that pass."""

    id: str
    label: str
    ids: frozenset[str]


def facet(
    name: str, label: str, items: Iterable[ItemT], test: Callable[[ItemT], bool], row: Callable[[ItemT], str]
) -> Facet:
    """Return a facet with the items that pass a test."""
    return Facet(name, label, frozenset(row(item) for item in items if test(item)))


def chosen(facets: Sequence[Facet], name: str) -> Facet | None:
    """Return the facet with this id, or None."""
    return next((each for each in facets if each.id == name), None)


def element_facets(conversion: Conversion) -> list[Facet]:
    """Return the filters for elements."""
    elements = conversion.inventory.elements
    retagged = retagged_ids(conversion)
    seen = conversion.seen

    def made(name: str, label: str, test: Callable[[Element], bool]) -> Facet:
        return facet(name, label, elements, test, lambda element: element.element_id)

    def saw(visibility: Visibility, element: Element) -> bool:
        return element.element_id in seen and seen[element.element_id].visibility is visibility

    def of_file(file: str) -> Facet:
        return made(f"file:{file}", f"file {file}", lambda element: element.source_file == file)

    def of_category(category: Category) -> Facet:
        label = f"{category.value} {CATEGORIES[category].title}"
        return made(f"category:{category.value}", label, lambda element: element.category is category)

    def of_tag(tag: Tag) -> Facet:
        return made(f"tag:{tag.value}", f"tag {tag.value}", lambda element: element.tag is tag)

    def of_decision(kind: DecisionKind) -> Facet:
        label = decision_words(kind)
        return made(f"decision:{kind.value}", label, lambda element: element.decided(kind) is not None)

    becomes = conversion.plan.by_element

    def of_disposition(disposition: Disposition) -> Facet:
        name, label = f"disposition:{disposition.value}", f"disposition {DISPOSITIONS[disposition].label}"
        return made(
            name,
            label,
            lambda element: (
                element.element_id in becomes and becomes[element.element_id].disposition is disposition
            ),
        )

    return [
        *(of_file(file) for file in sorted({element.source_file for element in elements})),
        *(of_category(category) for category in sorted({element.category for element in elements})),
        *(of_tag(tag) for tag in sorted({element.tag for element in elements})),
        *(of_disposition(disposition) for disposition in Disposition),
        made(
            "overridden",
            "decided by you",
            lambda element: element.element_id in becomes and becomes[element.element_id].overridden,
        ),
        made("warned", WARNED, partial(_is_warned, _warnings_by_file(conversion))),
        made("template", "stock text", lambda element: element.template),
        *(of_decision(kind) for kind in DecisionKind),
        *(
            made(
                f"visibility:{visibility.value}",
                f"the agent: {VISIBILITY_LABELS[visibility]}",
                partial(saw, visibility),
            )
            for visibility in Visibility
        ),
        made("retagged", "retagged by you", lambda element: element.element_id in retagged),
    ]


def entry_facets(conversion: Conversion, to_review: Collection[str]) -> list[Facet]:
    """Return the filters for entries.

    Args:
        conversion: The conversion with its plan.
        to_review: The ids of the entries that need review.
    """
    entries = conversion.plan.entries
    by_id = conversion.inventory.by_id
    elements = {entry.entry_id: elements_of(entry, by_id) for entry in entries}

    def made(name: str, label: str, test: Callable[[PlanEntry], bool]) -> Facet:
        return facet(name, label, entries, test, lambda entry: entry.entry_id)

    def of_disposition(disposition: Disposition) -> Facet:
        name, label = f"disposition:{disposition.value}", f"disposition {DISPOSITIONS[disposition].label}"
        return made(name, label, lambda entry: entry.disposition is disposition)

    def of_category(category: str) -> Facet:
        return made(
            f"category:{category}", category_title(category), lambda entry: entry.category == category
        )

    def of_elements(name: str, label: str, test: Callable[[Element], bool]) -> Facet:
        return made(name, label, lambda entry: any(map(test, elements[entry.entry_id])))

    def of_file(file: str) -> Facet:
        return of_elements(f"file:{file}", f"file {file}", lambda element: element.source_file == file)

    def of_tag(tag: Tag) -> Facet:
        return of_elements(f"tag:{tag.value}", f"tag {tag.value}", lambda element: element.tag is tag)

    unseen = {entry.entry_id for entry in unseen_entries(conversion.plan, conversion.seen)}
    every = [element for held in elements.values() for element in held]
    return [
        made("attention", "needs attention", lambda entry: entry.entry_id in to_review),
        made("overridden", "decided by you", lambda entry: entry.overridden),
        *(of_disposition(disposition) for disposition in Disposition),
        *(of_category(category) for category in sorted({entry.category for entry in entries})),
        *(of_file(file) for file in sorted({element.source_file for element in every})),
        *(of_tag(tag) for tag in sorted({element.tag for element in every})),
        of_elements("warned", WARNED, partial(_is_warned, _warnings_by_file(conversion))),
        of_elements("template", "stock text", lambda element: element.template),
        made("unseen", "never seen by the agent", lambda entry: entry.entry_id in unseen),
    ]


def group_of(entry: PlanEntry, elements: Sequence[Element], grouping: str) -> str:
    """Return the group of an entry with these elements; `grouping` is one of GROUPINGS."""
    if grouping == "category":
        return category_title(entry.category)
    return (elements[0].mapping_row or elements[0].rationale or "general row") if elements else "settings"


def _warnings_by_file(conversion: Conversion) -> dict[str, list[Diagnostic]]:
    found: dict[str, list[Diagnostic]] = {}
    for finding in conversion.diagnostics:
        if finding.severity is not Severity.INFO:
            found.setdefault(finding.file, []).append(finding)
    return found


def _is_warned(warnings: Mapping[str, Sequence[Diagnostic]], element: Element) -> bool:
    """Return whether a warning is about lines of an element, or about its whole file."""
    first, last = element.line_range
    for finding in warnings.get(element.source_file, ()):
        start, _, end = finding.lines.partition("-")
        if not start or (int(start) <= last and int(end or start) >= first):
            return True
    return False


def element_search_text(element: Element) -> str:
    """Return the text that a search for elements looks in, case folded, without the values of secrets."""
    words = (
        element.element_id,
        element.location,
        element.tag,
        element.category,
        element_title(element),
        *element.section,
        element.statement,
    )
    return " ".join(words).casefold()


def entry_search_text(entry: PlanEntry, elements: Sequence[Element]) -> str:
    """Return the text that a search for entries looks in, case folded."""
    words = [
        entry.entry_id,
        entry.summary,
        entry.disposition,
        entry.target,
        entry.category,
        entry.override_rationale,
    ]
    if elements:
        words.append(elements[0].location)
    words += [element.statement for element in elements]
    return " ".join(words).casefold()


def retagged_ids(conversion: Conversion) -> frozenset[str]:
    """Return the ids of the elements whose tag or category the user changed."""
    keys = conversion.keys
    retags = conversion.decisions.retags
    return (
        frozenset(element_id for element_id, key in keys.items() if key in retags) if retags else frozenset()
    )
