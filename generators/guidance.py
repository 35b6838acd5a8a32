"""Guidance of a package: rules that nothing judges, as excerpts of their files, one for each section."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.excerpts import excerpt, parents_of, sections_of
from melleafy_tui.generators.package_shape import of_kind
from melleafy_tui.generators.work_orders import in_their_order


class Guidance(Struct, frozen=True):
    """The guidance of one section.

    Attributes:
        first: The id of its first rule.
        items: Its elements, in source order, with the steps and parent items that stand among them.
        text: Their text, below its headings and lead-ins.
    """

    first: str
    items: tuple[PlannedElement, ...]
    text: str


def guidance_by_section(committed: CommittedPlan, items: Sequence[PlannedElement]) -> Iterator[Guidance]:
    """Yield guidance section by section; stock text, which stands last, has sections of its own.

    Args:
        committed: The committed plan.
        items: The rules that are guidance.
    """
    sections = dict(_sections(committed, items))

    def section(item: PlannedElement) -> tuple[str, str, bool]:
        element = item.element
        return element.source_file, sections[element.element_id], element.template

    for _, group in groupby(items, section):
        own = list(group)
        found = _with_parents(committed, in_their_order(committed, own))
        yield Guidance(own[0].element.element_id, tuple(found), excerpt(committed, found))


def _sections(committed: CommittedPlan, items: Iterable[PlannedElement]) -> Iterator[tuple[str, str]]:
    for file in {item.element.source_file for item in items}:
        yield from sections_of(_elements(committed, file))


def _elements(committed: CommittedPlan, file: str) -> list[Element]:
    return [element for element in committed.inventory.elements if element.source_file == file]


def _with_parents(committed: CommittedPlan, items: Sequence[PlannedElement]) -> list[PlannedElement]:
    """Return elements together with the rules that they are nested in, in source order."""
    found = {item.position: item for item in items}
    rules = {item.element.element_id: item for item in of_kind(committed, EntryKind.RULE, Disposition.BUNDLE)}
    for file in {item.element.source_file for item in items}:
        chosen = {item.element.element_id for item in items if item.element.source_file == file}
        above = parents_of(_elements(committed, file), chosen)
        found |= {rules[parent].position: rules[parent] for parent in above if parent in rules}
    return [found[position] for position in sorted(found)]
