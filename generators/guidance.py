"""Guidance of a package: rules that nothing judges, as excerpts of their files, one for each section."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.excerpts import Excerpts
from melleafy_tui.generators.package_shape import of_kind
from melleafy_tui.generators.work_orders import orders_by_element


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
    excerpts = Excerpts(committed)
    orders = orders_by_element(committed)
    rules = {item.element.element_id: item for item in of_kind(committed, EntryKind.RULE, Disposition.BUNDLE)}

    def section(item: PlannedElement) -> tuple[str, str, bool]:
        element = item.element
        return element.source_file, excerpts.section_of(element), element.template

    for _, group in groupby(items, section):
        own = list(group)
        steps = [step for item in own for step in orders.get(item.element.element_id, ())]
        parents = excerpts.parents_of((*own, *steps))
        among = (*own, *steps, *(rules[parent] for parent in parents if parent in rules))
        found = {item.position: item for item in among}
        chosen = tuple(found[position] for position in sorted(found))
        yield Guidance(own[0].element.element_id, chosen, excerpts.of(chosen))
