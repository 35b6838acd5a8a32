"""Texts of several elements as lists, with the words that they share and the headings of their source above them."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, islice, takewhile
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.generators.package_shape import whole_statement_of

_LONGEST_LEAD: Final = 160
_MOST_LEADS: Final = 3
"""Letters and colons of a statement within which neighbours may share a lead; more is no heading."""
_NO_MARKS: Final = str.maketrans("", "", "`*_")
_CELLS: Final = LazyRegex(r"(?:`[^`\n]*`|[^:;`\n])*+; [^:;\n]*+: ")
"""What follows the label of a table row's first cell, which is part of the row and no lead."""
_TITLE: Final = re.compile(r"\s*#\s|[^\n]*\n\s*=")


def lines_below_headings(
    committed: CommittedPlan, items: Sequence[PlannedElement], *, bullets: bool
) -> list[str]:
    """Return the statements of elements below the headings of their source, which say whose, when or why.

    Args:
        committed: The committed plan.
        items: The elements, in source order.
        bullets: Whether statements without a heading are a list too.
    """
    titles = _titles(committed.inventory.elements)
    lines: list[str] = []
    for headings, group in groupby(items, key=lambda item: _headings(item.element, titles)):
        texts = [whole_statement_of(item.element) for item in group]
        if headings:
            lines.append(f"{': '.join(headings)}:")
            texts = [_without_heading(text, headings[-1]) for text in texts]
        lines += bullet_list(texts) if headings or bullets else texts
    return lines


def _headings(element: Element, titles: dict[str, str]) -> tuple[str, ...]:
    """Return the headings above an element without the title of its file."""
    is_titled = element.section[:1] == (titles.get(element.source_file),)
    return element.section[1:] if is_titled else element.section


def _titles(elements: Iterable[Element]) -> dict[str, str]:
    """Return the title of each file that has one: its only heading of the first level."""
    titles: dict[str, list[str]] = {}
    for element in elements:
        if element.kind == "heading" and not element.section and _TITLE.match(element.content_full):
            titles.setdefault(element.source_file, []).append(element.statement)
    return {file: found[0] for file, found in titles.items() if len(found) == 1}


def _without_heading(text: str, heading: str) -> str:
    """Return a statement without the heading that the line above it says."""
    if text.startswith((f"{heading}: ", f"{heading} (")):
        return text.removeprefix(heading).lstrip(": ")
    return text


def bullet_list(statements: Iterable[str], depth: int = 0) -> list[str]:
    """Return statements as lines of a list; words that neighbours begin with stand once, above them."""
    lines: list[str] = []
    left = list(statements)
    while left:
        lead, followers = _shared_lead(left)
        is_whole = lead == left[0]
        members = left[is_whole : followers + 1]
        bullet = f"- {lead}" if is_whole else f"- {lead}:"
        first, *others = bullet.split("\n")
        lines.append(f"{'  ' * depth}{first}")
        lines += [f"{'  ' * depth}  {line}" if line.strip() else "" for line in others]
        lines += bullet_list([_after_lead(member, lead) or member for member in members], depth + 1)
        del left[: followers + 1]
    return lines


def _shared_lead(statements: Sequence[str]) -> tuple[str, int]:
    """Return the words before a colon that most of the next statements begin with too, and how many these are.

    If the next statement begins otherwise, the whole first statement and 0 are returned.
    """
    first = statements[0]
    colons = islice(re.finditer(": ", first[:_LONGEST_LEAD]), _MOST_LEADS)
    ends = (match.start() for match in colons if not _CELLS.match(first, match.end()))
    found = [(_followers(statements, lead), lead) for lead in (first, *(first[:end] for end in ends))]
    followers, lead = max(found, key=lambda pair: (pair[0], len(pair[1])))
    return lead, followers


def _followers(statements: Sequence[str], lead: str) -> int:
    """Return how many statements after the first, without a gap, begin with a lead."""
    return sum(1 for _ in takewhile(lambda text: _after_lead(text, lead), statements[1:]))


def _after_lead(statement: str, lead: str) -> str:
    """Return what follows a lead and its colon, emphasis and code marks apart; `""` without the lead."""
    words = lead.translate(_NO_MARKS).rstrip(":. ")
    for match in re.finditer(": ", statement[: 2 * len(lead) + 2]):
        if statement[: match.start()].translate(_NO_MARKS).rstrip(":. ") == words:
            return statement[match.end() :]
    return ""
