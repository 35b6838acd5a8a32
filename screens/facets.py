"""Facets: what a list can be filtered by, with the rows that each lets through."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from melleafy_tui.widgets.dialogs import Choice

ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing to filter by; `ids` are the rows that pass."""

    id: str
    label: str
    ids: frozenset[str]


def facet(
    name: str, label: str, items: Iterable[ItemT], test: Callable[[ItemT], bool], row: Callable[[ItemT], str]
) -> Facet:
    """Return a facet of the items that pass a test."""
    return Facet(name, label, frozenset(row(item) for item in items if test(item)))


def chosen(facets: Sequence[Facet], name: str) -> Facet | None:
    """Return the facet with this id, or None."""
    return next((each for each in facets if each.id == name), None)


def choices(facets: Sequence[Facet], total: int, current: str) -> list[Choice]:
    """Return the facets as a list to choose from, everything first, empty ones left out."""
    return [
        Choice("", "everything", f"{total}", current=not current),
        *(
            Choice(each.id, each.label, f"{len(each.ids)}", current=each.id == current)
            for each in facets
            if each.ids
        ),
    ]
