"""Reads the items of a list together: what one is read as by weak evidence gives way to what its neighbours are.

Each segment is read by itself first; here lists are compared as a whole.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.tag_rules import BINDS
from melleafy_tui.core.language.directives import has_condition, polarity_of
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Polarity, Tag
from melleafy_tui.core.source.segments import Segment

_FACTS: Final = frozenset({"agents.labelled_fact", "agents.bare_noun", "agents.statement"})
"""Rules that read an item as a fact because it has the form of one."""
_FALLBACKS: Final = frozenset({"agents.item", "agents.numbered"})
"""Rules for an item that neither orders nor has the form of a fact."""
_BY_VERB: Final = frozenset(
    {
        "agents.directive",
        "agents.query",
        "agents.generate",
        "agents.classify",
        "agents.extract",
        "agents.transform",
        "agents.speech",
    }
)
"""Rules for orders, which a noun that looks like a verb can meet ("Start date: May")."""
_FEWEST: Final = 3
"""A shorter list shows nothing about its items."""
_LABEL: Final = re.compile(r"(?P<name>[^.!?。:：—–]{1,60}?)(?:[:：]|\s[—–-]\s)\s*(?P<value>\S.*)", re.DOTALL)
_LONGEST_NAME: Final = 2
"""Words in a label that is a name rather than an order ("Write it down — …")."""
_PLACE: Final = re.compile(r"`[^`\n]+`|\w/\w|\.\w{2,4}\b|\d")


def with_list_readings(segments: Sequence[Segment], elements: list[Element]) -> list[Element]:
    """Return elements with items of weak evidence read as most of their list is: as facts, or as rules.

    Args:
        segments: The segments of one file.
        elements: What each of them was read as.

    Returns:
        The elements, in the same order.
    """
    for positions in lists_of_items(segments).values():
        items = [position for position in positions if elements[position].tag is not Tag.NO_DECOMPOSE]
        if len(items) < _FEWEST or any(elements[position].template for position in items):
            continue
        names = {position for position in items if _is_name(segments[position], elements[position])}
        facts = {position for position in items if elements[position].rationale in _FACTS}
        open_items = {position for position in items if elements[position].rationale in _FALLBACKS}
        firm = len(items) - len(names) - len(facts) - len(open_items)
        if 2 * len(facts) >= len(items) and 4 * firm <= len(items):
            for position in (*names, *open_items):
                if not _binds(segments[position]):
                    elements[position] = _as_fact(elements[position])
        elif 3 * firm >= 2 * len(items):
            for position in facts:
                if not _PLACE.search(segments[position].text):
                    elements[position] = _as_rule(elements[position])
    return elements


def _is_name(segment: Segment, element: Element) -> bool:
    """Return whether the only order in an item is in the name of what it states ("Code review — of all changes")."""
    label = _LABEL.match(segment.words)
    return (
        element.rationale in _BY_VERB
        and label is not None
        and len(label["name"].split()) <= _LONGEST_NAME
        and not has_condition(label["value"])
        and polarity_of(label["value"]) is Polarity.DESCRIBES
    )


def _binds(segment: Segment) -> bool:
    """Return whether an item binds or has a condition, in whichever place of its sentence."""
    return has_condition(segment.words) or bool(BINDS.search(segment.words))


def _as_fact(element: Element) -> Element:
    return replace(
        element,
        tag=Tag.CONFIG,
        polarity=Polarity.DESCRIBES,
        rationale="agents.list_of_facts",
        confidence=0.65,
    )


def _as_rule(element: Element) -> Element:
    polarity = Polarity.OBLIGES if element.polarity is Polarity.DESCRIBES else element.polarity
    return replace(
        element, tag=Tag.DECIDE, polarity=polarity, rationale="agents.list_of_rules", confidence=0.65
    )


def lists_of_items(segments: Sequence[Segment]) -> dict[int, list[int]]:
    """Return the positions of the items of each list."""
    lists: dict[int, list[int]] = {}
    for position, segment in enumerate(segments):
        if segment.kind == "item" and segment.list_number:
            lists.setdefault(segment.list_number, []).append(position)
    return lists
