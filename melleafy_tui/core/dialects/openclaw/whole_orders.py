"""What an order of work, a table or a router keeps of lines about OpenClaw, so that no part of it goes alone."""

# ruff: noqa: E501 - a pattern is easier to read in one segment

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.runtime_only import names_tool, starts_session
from melleafy_tui.core.dialects.openclaw.siblings import lists_of_items
from melleafy_tui.core.dialects.tag_rules import is_step_list, pattern
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.source.segments import Segment


def with_siblings(segments: Sequence[Segment], elements: list[Element]) -> list[Element]:
    """Return elements with the steps, rows and branches kept that those around them can't do without.

    A step that goes alone leaves others that rest on it ("After the restart, wait"). So no step goes from the middle of
    a numbered order, none of what is nested in a step, and none that names a tool of OpenClaw while most of its list
    stays. What only reads OpenClaw's files when a session starts isn't such an order. Of stock text the rest of a
    list goes with the greater part of it. A lead-in goes with all that it introduces, and so does a remark that only
    urges to do it.

    Args:
        segments: The segments of one file.
        elements: What each of them was read as.

    Returns:
        The elements, in the same order.
    """
    by_number = lists_of_items(segments)
    lists = list(by_number.values())
    for positions in lists:
        if _goes_whole([elements[position] for position in positions]):
            for position in positions:
                elements[position] = _gone_with_its_list(elements[position])
        for position in _kept_steps(segments, elements, positions):
            elements[position] = _kept_with_its_list(elements[position])
    for position in [*_in_tables(segments, elements), *_in_routers(segments, elements)]:
        elements[position] = _kept_with_its_list(elements[position])
    for child, step in _nested_in_steps(segments, lists):
        if elements[child].runtime_only and not elements[step].runtime_only:
            elements[child] = _kept_with_its_list(elements[child])
    for position in _lead_ins_without_items(segments, elements):
        elements[position] = replace(
            elements[position], runtime_only="All that it introduces makes sense on OpenClaw only."
        )
    for position in _remarks_without_lists(segments, elements, by_number):
        elements[position] = replace(
            elements[position], runtime_only="All that it urges to do makes sense on OpenClaw only."
        )
    return elements


# --- orders ---------------------------------------------------------------------------------------


def _kept_steps(
    segments: Sequence[Segment], elements: Sequence[Element], positions: Sequence[int]
) -> list[int]:
    """Return the positions of the steps of a list that would go without the others."""
    items = [segments[position] for position in positions]
    gone, stays = _parted(elements, positions)
    if not gone or not _are_steps(items):
        return []
    tools = [position for position in gone if names_tool(elements[position].runtime_only)]
    between = _between(gone, stays) if _is_order(items[0]) else []
    return list(dict.fromkeys((*between, *(tools if len(stays) >= len(tools) else ()))))


def _parted(elements: Sequence[Element], positions: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the positions of the elements that go, and of those that stay."""
    gone: list[int] = []
    stays: list[int] = []
    for position in positions:
        (gone if elements[position].runtime_only else stays).append(position)
    return gone, stays


def _between(gone: Sequence[int], stays: Sequence[int]) -> list[int]:
    return [position for position in gone if stays[0] < position < stays[-1]] if stays else []


def _is_order(first: Segment) -> bool:
    """Return whether a numbered list is an order of work, by its first item; what starts a session is none."""
    return first.ordered and not starts_session((*first.section, first.lead_in, first.above))


def _goes_whole(items: Sequence[Element]) -> bool:
    """Return whether a list of stock text loses so much that the rest says nothing."""
    gone = sum(bool(element.runtime_only) for element in items)
    return 2 * gone > len(items) > gone and all(element.template for element in items)


def _nested_in_steps(
    segments: Sequence[Segment], lists: Iterable[Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Yield the position of each item that is nested in a step of an order, and that of the step."""
    orders = {each for positions in lists if _is_order(segments[positions[0]]) for each in positions}
    above: list[int] = []
    for position, segment in enumerate(segments):
        if segment.kind != "item":
            above = above if segment.depth else []
            continue
        above = [each for each in above if segments[each].depth < segment.depth]
        if above and above[-1] in orders:
            yield position, above[-1]
        above.append(position)


def _lead_ins_without_items(segments: Sequence[Segment], elements: Sequence[Element]) -> Iterator[int]:
    """Yield the positions of lead-ins that would stay alone: all that they introduce goes ("Before anything else:")."""
    for position, segment in enumerate(segments):
        element = elements[position]
        if segment.kind == "lead_in" and not element.runtime_only and element.tag is not Tag.NO_DECOMPOSE:
            gone, stays = _parted(elements, _introduced(segments, position))
            if gone and not stays:
                yield position


_URGES: Final = pattern(
    r"^\W*(?:(?:don['’]t|do not|never|no need to|without) ask(?:ing)?(?: for)? permission|(?:just )?do (?:it|this|these|so)(?: \w+){0,3}|no exceptions?|(?:always|every (?:time|session))"
    r"|(?:this is|these are) (?:mandatory|required|automatic|not optional|non-negotiable)|(?:do not|don['’]t|never) skip (?:it|this|these|them|any)(?: \w+){0,2})\W*$"
)
"""A sentence that says nothing but that what is above it is to be done."""


def _remarks_without_lists(
    segments: Sequence[Segment], elements: Sequence[Element], lists: Mapping[int, Sequence[int]]
) -> Iterator[int]:
    """Yield the positions of remarks below a list for the start of a session of which nothing stays.

    "Don't ask permission. Just do it." means the reading of files; without them it would mean all that the agent does.
    """
    for position, segment in enumerate(segments[1:], start=1):
        above = segments[position - 1]
        if segment.kind != "paragraph" or above.kind != "item" or not starts_session(segment.section):
            continue
        if not all(elements[item].runtime_only for item in lists[above.list_number]):
            continue
        if elements[position].template or all(map(_URGES.search, sentences(segment.words))):
            yield position


def _introduced(segments: Sequence[Segment], position: int) -> Iterator[int]:
    """Yield the positions of the items below a lead-in."""
    above = segments[position].context
    for below in range(position + 1, len(segments)):
        found = segments[below]
        if found.section != segments[position].section or not (
            len(found.context) > len(above) and found.context[: len(above)] == above
        ):
            return
        yield below


# --- tables and routers ---------------------------------------------------------------------------


def _in_tables(segments: Sequence[Segment], elements: Sequence[Element]) -> Iterator[int]:
    """Yield the positions of rows that would go from a table most of whose rows stay."""
    tables = (
        (segment.section, segment.header) if segment.kind == "table_row" else None for segment in segments
    )
    for table, found in groupby(enumerate(tables), key=itemgetter(1)):
        gone, stays = _parted(elements, (position for position, _ in found))
        if table is not None and len(gone) <= len(stays):
            yield from gone


_BRANCH: Final = re.compile(r"\*\*[^*\n]{1,40}\*\*.{0,400}?(?:→|->|=>|⇒)", re.DOTALL)
"""A paragraph that names a case and says what follows from it."""


def _in_routers(segments: Sequence[Segment], elements: Sequence[Element]) -> Iterator[int]:
    """Yield the positions of branches of a router, neighbouring paragraphs, that name a tool while others don't."""
    branches = (
        segment.section if segment.kind == "paragraph" and _BRANCH.match(segment.text) else None
        for segment in segments
    )
    for section, found in groupby(enumerate(branches), key=itemgetter(1)):
        positions = [position for position, _ in found]
        gone = [position for position in positions if names_tool(elements[position].runtime_only)]
        if section is not None and len(gone) < len(positions):
            yield from gone


def _gone_with_its_list(element: Element) -> Element:
    reason = "Most of its list only makes sense on OpenClaw."
    return element if element.runtime_only else replace(element, runtime_only=reason)


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
