"""Takes the words out of what the package doesn't carry: no report or record shipped with it may hold them."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.facts import Facts, MemoryPageFact
from melleafy_tui.core.models.findings import DIAGNOSTICS, Diagnostic
from melleafy_tui.core.models.inventory import PART, Element, Inventory
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind

MEMORY_COPIED: Final = (Disposition.BUNDLE, Disposition.REAL_IMPL, Disposition.LOAD_FROM_DISK)
"""Dispositions with which memory files are bundled in the package."""


def without_left_texts(inventory: Inventory, plan: DependencyPlan) -> tuple[Inventory, DependencyPlan]:
    """Return inventory and plan with names in place of memory that isn't copied and facts that don't travel."""
    behind = {element.element_id for element in inventory.elements if element.stays_behind}
    left = {
        element_id
        for entry in plan.entries
        for element_id in entry.source_elements
        if (entry.kind is EntryKind.MEMORY and entry.disposition not in MEMORY_COPIED)
        or (element_id in behind and entry.disposition is Disposition.EXTERNAL_INPUT)
    }
    if not left:
        return inventory, plan
    files = {element.source_file for element in inventory.elements if element.element_id in left}
    # Headings of a file that is in the package as well stand in its text.
    shared = {
        e.source_file
        for e in inventory.elements
        if e.element_id in plan.by_element and e.element_id not in left
    }
    left |= {
        element.element_id  # a part that nobody decided on, front matter, a comment: what nothing is planned for
        for element in inventory.elements
        if element.source_file in files
        and not (element.source_file in shared and element.kind in ("heading", "lead_in", "table_header"))
        and not (element.decisions if element.kind == PART else element.element_id in plan.by_element)
    }
    elements = tuple(
        _named_only(element) if element.element_id in left else element for element in inventory.elements
    )
    names = {element.element_id: element.content_summary for element in elements}
    entries = tuple(
        _named_after(entry, names) if left.intersection(entry.source_elements) else entry
        for entry in plan.entries
    )
    return replace(inventory, elements=elements), replace(plan, entries=entries)


def without_left_words(
    found: Iterable[Diagnostic], read: Inventory, shipped: Inventory
) -> tuple[Diagnostic, ...]:
    """Return the findings; one that quotes text which the shipped inventory lacks only says where it is about.

    Args:
        found: The findings.
        read: The inventory with all texts.
        shipped: The inventory of the package.
    """
    hidden: dict[str, str] = {}
    for element, named in zip(read.elements, shipped.elements, strict=True):
        if element.content_full != named.content_full:
            hidden[element.source_file] = hidden.get(element.source_file, "") + element.content_full
    return tuple(
        replace(each, message=_QUOTED_NOWHERE) if _quotes(each, hidden.get(each.file, "")) else each
        for each in found
    )


_QUOTED_NOWHERE: Final = "This is about text that stays with the host; the conversion says what it is."


def _quotes(found: Diagnostic, text: str) -> bool:
    row = DIAGNOSTICS.get(found.code)
    if row is None or found.code.startswith("secret-"):  # which names a variable, and never a value
        return row is None and bool(text)
    return any(
        word.strip(",.;:") in text for word in found.message.split() if word not in row.message.split()
    )


def _named_only(element: Element) -> Element:
    """Return an element that keeps place and heading, or the label of a fact, and of its text nothing."""
    name = element.section[-1] if element.section else f"Memory in {element.source_file}"
    if element.stays_behind:
        name = element.label.capitalize() or f"A fact in {element.source_file}"
    return replace(
        element,
        content_summary=name,
        content_full="",
        statement=name,
        context=(),
        label="",
        value="",
        notes=(),
        facts=Facts(*(fact for fact in element.facts if isinstance(fact, MemoryPageFact))),
    )


def _named_after(entry: PlanEntry, names: Mapping[str, str]) -> PlanEntry:
    first = entry.source_elements[0]
    return replace(entry, summary=names[first], key=f"{entry.key.partition('#')[0]}#{first}")
