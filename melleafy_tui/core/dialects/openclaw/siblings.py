"""Reads the items of a list together: what one is read as by weak evidence gives way to what its neighbours are.

Each segment is read by itself first; here lists are compared as a whole.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.runtime_only import STARTUP_HEADING, names_tool
from melleafy_tui.core.dialects.tag_rules import BINDS, is_step_list, pattern
from melleafy_tui.core.language.directives import has_condition, polarity_of
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Polarity, Tag
from melleafy_tui.core.source.segments import Segment

_FACTS: Final = frozenset({"agents.labelled_fact", "agents.bare_noun", "agents.statement"})
"""Rules that read an item as a fact because it has the form of one."""
_FALLBACK: Final = "agents.item"
"""The rule for an item that neither orders nor has the form of a fact."""
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
    for positions in _lists_of_items(segments).values():
        items = [position for position in positions if elements[position].tag is not Tag.NO_DECOMPOSE]
        if len(items) < _FEWEST or any(elements[position].template for position in items):
            continue
        names = {position for position in items if _is_name(segments[position], elements[position])}
        facts = {position for position in items if elements[position].rationale in _FACTS}
        open_items = {position for position in items if elements[position].rationale == _FALLBACK}
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


def with_siblings(segments: Sequence[Segment], elements: list[Element]) -> list[Element]:
    """Return elements with the steps kept that an order of work can't lose.

    A step that goes alone leaves others that rest on it ("After the restart, wait"). So no step goes from the middle of
    a numbered order, and none that names a tool of OpenClaw while most of its list stays. What only reads OpenClaw's
    files when a session starts isn't such an order.

    Args:
        segments: The segments of one file.
        elements: What each of them was read as.

    Returns:
        The elements, in the same order.
    """
    for positions in _lists_of_items(segments).values():
        items = [segments[position] for position in positions]
        gone = [position for position in positions if elements[position].runtime_only]
        if gone and _are_steps(items):
            stays = [position for position in positions if position not in gone]
            tools = [position for position in gone if names_tool(elements[position].runtime_only)]
            kept = [*_between(gone, stays, items), *(tools if len(stays) >= len(tools) else ())]
            for position in dict.fromkeys(kept):
                elements[position] = _kept_with_its_list(elements[position])
    for positions in _routers(segments):
        gone = [position for position in positions if names_tool(elements[position].runtime_only)]
        for position in gone if len(gone) < len(positions) else ():
            elements[position] = _kept_with_its_list(elements[position])
    return elements


_BRANCH: Final = re.compile(r"\*\*[^*\n]{1,40}\*\*.{0,400}?(?:→|->|=>|⇒)", re.DOTALL)
"""A paragraph that names a case and says what follows from it."""


def _routers(segments: Sequence[Segment]) -> Iterator[list[int]]:
    """Yield the positions of neighbouring paragraphs that are the branches of one router."""
    branches = (
        segment.section if segment.kind == "paragraph" and _BRANCH.match(segment.text) else None
        for segment in segments
    )
    for section, found in groupby(enumerate(branches), key=itemgetter(1)):
        if section is not None:
            yield [position for position, _ in found]


def _between(gone: Sequence[int], stays: Sequence[int], items: Sequence[Segment]) -> list[int]:
    """Return the steps that would go from between others that stay, in a numbered order that starts no session."""
    first = items[0]
    above = (*first.section[-1:], first.lead_in, first.above)
    if not first.ordered or not stays or any(map(STARTUP_HEADING.search, above)):
        return []
    return [position for position in gone if stays[0] < position < stays[-1]]


def _lists_of_items(segments: Sequence[Segment]) -> dict[int, list[int]]:
    """Return the positions of the items of each list."""
    lists: dict[int, list[int]] = {}
    for position, segment in enumerate(segments):
        if segment.kind == "item" and segment.list_number:
            lists.setdefault(segment.list_number, []).append(position)
    return lists


def _kept_with_its_list(element: Element) -> Element:
    note = f"Kept with the other steps of its list. {element.runtime_only}"
    return replace(element, runtime_only="", notes=(*element.notes, note))


_LATER: Final = pattern(
    r"^\W*(?:after|once|then|afterwards?|next|finally|when (?:it|that|this)|之后|之後|然后|然後|接着|再|完成后|その後|次に|después|luego|depois|ensuite|puis|danach|dann|затем|потом|после)\b"
)
"""Openings of a step that rests on the one before it."""


def _are_steps(items: Sequence[Segment]) -> bool:
    """Return whether the items of a list are steps: numbered orders, or one that rests on another."""
    return is_step_list(items) or any(_LATER.search(item.words) for item in items)
