"""Checks across all elements: duplicate rules and names, chains of steps, contradictions."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.wording import words_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag

SHORTEST_RULE: Final = 3
"""Words; shorter rules are often similar by chance."""

LONGEST_RULE: Final = 60
SHORTEST_CHAIN: Final = 3

_EMPTY_WORDS: Final = frozenset(
    """
    a an the to of and or please always never must should not do don t dont you your it is are be will shall rule ever
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)
_ALWAYS: Final = LazyRegex(
    r"\b(?:always|must(?! not| never))\b|必须|总是|всегда|\bsiempre\b|\bsempre\b", re.IGNORECASE
)
_NEVER: Final = LazyRegex(
    r"\b(?:never|must not|do not|don['’]t|avoid)\b|不要|禁止|绝不|никогда|\bnunca\b|\bjamás\b", re.IGNORECASE
)


_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?P<text>\S.*)")


class _Said(Struct, frozen=True):
    """An instruction, its words and its location."""

    text: str
    words: tuple[str, ...]
    file: str
    lines: str


_Rule = tuple[Element, tuple[str, ...]]
"""An element that gives an instruction, with the words of its statement."""


def hints_across(elements: Sequence[Element]) -> tuple[tuple[Element, ...], tuple[Diagnostic, ...]]:
    """Return the elements with aggregation hints added, and a diagnostic for each contradiction among them."""
    hints: dict[str, list[str]] = {}
    rules = tuple(_rules(elements))
    _said_twice(rules, hints)
    _named_twice(elements, hints)
    _chains(elements, hints)
    hinted = tuple(
        replace(element, aggregation_hint="; ".join(filter(None, (element.aggregation_hint, *found))))
        if (found := hints.get(element.element_id))
        else element
        for element in elements
    )
    return hinted, tuple(_contradictions(_orders(elements, rules)))


def _rules(elements: Iterable[Element]) -> Iterable[_Rule]:
    for element in elements:
        if element.category is not Category.C2 or element.kind in ("file", "section", "json"):
            continue
        words = words_of(element.statement)
        if SHORTEST_RULE <= len(words) <= LONGEST_RULE:
            yield element, words


def _said_twice(rules: Iterable[_Rule], hints: dict[str, list[str]]) -> None:
    groups: dict[tuple[str, tuple[str, ...]], list[Element]] = {}
    for element, words in rules:
        core = tuple(sorted({word for word in words if word not in _EMPTY_WORDS}))
        if len(core) >= SHORTEST_RULE - 1:
            groups.setdefault((element.scope, core), []).append(element)
    for group in groups.values():
        if len(group) > 1:
            for element in group:
                others = ", ".join(other.element_id for other in group if other is not element)
                hints.setdefault(element.element_id, []).append(f"near-identical: {others}")


def _named_twice(elements: Sequence[Element], hints: dict[str, list[str]]) -> None:
    groups: dict[tuple[Category, str], list[Element]] = {}
    for element in elements:
        if element.tag is Tag.CONFIG and element.label and element.category is not Category.NONE:
            groups.setdefault((element.category, element.label), []).append(element)
    for (_, label), group in groups.items():
        if len(group) > 1:
            for element in group:
                others = ", ".join(other.element_id for other in group if other is not element)
                hints.setdefault(element.element_id, []).append(f"same name “{label}”: {others}")


def _chains(elements: Sequence[Element], hints: dict[str, list[str]]) -> None:
    run: list[Element] = []
    for element in elements:
        is_step = element.tag is Tag.ORCHESTRATE and element.kind != "json"
        if is_step and run and _same_section(run[-1], element):
            run.append(element)
        else:
            _hint_chain(run, hints)
            run = [element] if is_step else []
    _hint_chain(run, hints)


def _hint_chain(run: Sequence[Element], hints: dict[str, list[str]]) -> None:
    if len(run) >= SHORTEST_CHAIN:
        hint = f"chain: {run[0].element_id} to {run[-1].element_id}"
        for member in run:
            if not member.aggregation_hint:
                hints.setdefault(member.element_id, []).append(hint)


def _same_section(previous: Element, element: Element) -> bool:
    return (element.source_file, element.section) == (previous.source_file, previous.section)


def _contradictions(orders: Iterable[_Said]) -> Iterable[Diagnostic]:
    always: dict[tuple[str, ...], _Said] = {}
    never: dict[tuple[str, ...], _Said] = {}
    for said in orders:
        wanted = bool(_ALWAYS.search(said.text))
        forbidden = bool(_NEVER.search(said.text))
        if wanted is forbidden:
            continue
        core = tuple(word for word in said.words if word not in _EMPTY_WORDS)
        if not core:
            continue
        mine, theirs = (always, never) if wanted else (never, always)
        other = theirs.get(core)
        if other is not None:
            yield diagnose("contradiction", said.file, said.lines, other=f"{other.file}:{other.lines}")
        mine.setdefault(core, said)


def _orders(elements: Iterable[Element], rules: Iterable[_Rule]) -> Iterable[_Said]:
    """Return the instructions in rules and in list items of prose sections."""
    for element, words in rules:
        yield _Said(element.statement, words, element.source_file, element.source_lines)
    for element in elements:
        if element.category is not Category.C1 or element.kind != "section":
            continue
        for number, line in enumerate(_LINE_END.split(element.content_full), element.line_range[0]):
            item = _ITEM.match(line)
            words = words_of(item["text"]) if item else ()
            if item and SHORTEST_RULE <= len(words) <= LONGEST_RULE:
                yield _Said(item["text"], words, element.source_file, str(number))
