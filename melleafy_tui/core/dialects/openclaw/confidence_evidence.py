"""Lists the evidence for how sure a tag is: what the rules said, an element's words, its marks and what is around it.

Each piece of evidence is a short text ("heading: never"), so that a table of points can name it
(`confidence_points.tsv`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.directives import IMPERATIVES, has_condition
from melleafy_tui.core.language.scripts import HAN, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag

LONGEST: Final = 600
"""Characters of an element that are read: what a long one is shows in its opening."""
MOST_WORDS: Final = 40
MOST_WORDS_ABOVE: Final = 20

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_PAIRED: Final = ("\u3040", "\u9fff")
_RUN: Final = LazyRegex(r"[\u3040-\u9fff]+|[^\u3040-\u9fff]+")
_OWN_NAME: Final = re.compile(
    r"\b(?:SOUL|IDENTITY|AGENTS|USER|TOOLS|HEARTBEAT|MEMORY|BOOTSTRAP|BOOT|SKILL)\.md\b|\bmemory/|\bheartbeat-state|\bHEARTBEAT_OK\b|\bNO_REPLY\b|\bsessions?_[a-z]+|\bopenclaw\b|\bcron\b|\bheartbeat\b",
    re.IGNORECASE,
)
"""Names of OpenClaw's files, tokens and commands."""
_LATIN_SENTENCE: Final = re.compile(r"[.!?。！？]\s*[A-Z]")
_HAN_SENTENCE: Final = LazyRegex(r"[.!?。！？]\s*[\u3400-\u9fff]")
_NUMBERED: Final = re.compile(r"\s*\d+[.)、]")
_LABEL: Final = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s*)?(?P<name>[^:：—–\n]{1,48}?)(?:[:：][*_]*|[*_]*\s[—–-]\s)[ \t]*(?P<value>\S)"
)


class Mark(Struct, frozen=True):
    """A mark in an element's text, with its test."""

    name: str
    stands_in: Callable[[str], object]


def _marks(*rows: tuple[str, str]) -> tuple[Mark, ...]:
    return tuple(Mark(name, re.compile(pattern).search) for name, pattern in rows)


MARKS: Final = (
    Mark("code", lambda text: "`" in text),
    Mark("address", lambda text: "://" in text),
    Mark("condition", has_condition),
    Mark("several lines", lambda text: "\n" in text),
    *_marks(
        ("arrow", r"→|->|=>|⇒|➜"),
        ("colon at the end", r"[:：][*_]*\s*$"),
        ("question at the end", r"[?？][*_]*\s*$"),
        ("stop at the end", r"[.。!！][*_]*\s*$"),
        ("box", r"^\s*[-*+]\s+\[ \]"),
        ("ticked box", r"^\s*[-*+]\s+\[[xX]\]"),
        ("number first", _NUMBERED.pattern),
        ("bold first", r"^\s*(?:[-*+]\s|\d+[.)]\s)?\s*(?:\[.\]\s)?\W{0,3}\*\*"),
        ("code first", r"^\s*(?:[-*+]\s|\d+[.)]\s)?\s*[*_]*`"),
        ("quote first", r"^\s*(?:[-*+]\s|\d+[.)]\s)?\s*[*_]*[\"“「]"),
        ("quote", r"[\"“「]"),
        ("file name", r"\w\.(?:md|jsonl?|ya?ml|py|sh|js|ts|txt|csv)\b"),
        ("path", r"(?:^|[\s`(])[~.]?/[\w.-]+/"),
        ("option", r"\s--?[a-z]"),
        ("figure", r"\d"),
        ("time of day", r"\d{1,2}:\d\d"),
        ("date", r"20\d\d-\d\d"),
        ("percent or money", r"\d ?%|[$€¥£] ?\d"),
        ("comparison", r"[<>≥≤] ?\d"),
        ("blank", r"<[\w .-]+>|\{[\w .-]+\}|\[[A-Z][\w .-]+\](?!\()|_{3}|\.\.\.$"),
        ("emoji", r"[\U0001f300-\U0001faff\u2600-\u27bf]"),
        ("cross", r"[❌🚫⛔✗]"),
        ("tick", r"[✅✔✓]"),
        ("capitals", r"\b[A-Z]{4,}\b"),
        ("italics", r"^\s*[*_](?![*_])[^*_]+[*_]\s*$"),
        ("you", r"\b(?i:you|your|you're)\b|你|您"),
        ("I", r"\b(?:I|my|I'm|me)\b|我"),
        ("several items", r",[^,]+,|、[^、]+、"),
    ),
    Mark(
        "several sentences",
        lambda text: _LATIN_SENTENCE.search(text) or (has_any(text, HAN) and _HAN_SENTENCE.search(text)),
    ),
)


class _Around(Struct, frozen=True):
    """What the elements of one list have in common: how many there are, and counts of their readings."""

    number: int
    counts: Counter[str]


def evidence(elements: Sequence[Element], wanted: Callable[[Element], bool]) -> Iterator[list[str]]:
    """Yield the evidence for each element, in order; none for one that isn't wanted.

    Args:
        elements: All elements of a workspace, as the rules read them.
        wanted: Whether the evidence for an element is wanted.
    """
    lists = _grouped(elements, _list_of)
    sections = _grouped(elements, _section_of)
    last = len(elements) - 1
    for position, element in enumerate(elements):
        if not wanted(element):
            yield []
            continue
        found = [*_readings(element), *_places(element)]
        found += _words(element)
        text = element.content_full[:LONGEST]
        found += [f"mark: {mark.name}" for mark in MARKS if mark.stands_in(text)]
        found += _of_neighbours("list", element, lists[_list_of(element)])
        found += _of_neighbours("section", element, sections[_section_of(element)])
        found += _next_to("before", element, elements[position - 1] if position else None)
        found += _next_to("after", element, elements[position + 1] if position < last else None)
        yield found


def _readings(element: Element) -> Iterator[str]:
    """Yield what the rules said."""
    name, tag, use = _file(element), element.tag.value, element.use.value
    yield f"rule: {element.rationale}"
    yield f"use rule: {element.use_rationale}"
    yield f"tag: {tag}"
    yield f"use: {use}"
    yield f"{name} tag: {tag}"
    yield f"{name} use: {use}"
    yield f"{element.kind} tag: {tag}"
    yield f"confidence: {int(element.confidence * 20)}"
    if element.template:
        yield "stock text"
    if element.runtime_only:
        yield "of OpenClaw alone"


def _places(element: Element) -> Iterator[str]:
    name = _file(element)
    yield f"file: {name}"
    yield f"form: {element.kind}"
    yield f"{name} form: {element.kind}"
    yield f"polarity: {element.polarity.value}"
    yield f"{name} polarity: {element.polarity.value}"
    yield f"headings: {len(element.section)}"
    yield f"lead-ins: {min(len(element.context), 3)}"
    yield f"length: {len(element.content_full).bit_length()}"


def _words(element: Element) -> Iterator[str]:
    name = _file(element)
    text = element.content_full[:LONGEST]
    own = words(text)[:MOST_WORDS]
    yield from {f"word: {word}" for word in own}
    if own:
        yield f"first: {own[0]}"
        yield f"{name} first: {own[0]}"
        if own[0] in IMPERATIVES:
            yield f"{name} first: verb"
    if len(own) > 1:
        yield f"first: {own[0]} {own[1]}"
    label = _LABEL.match(text)
    if label:
        named = words(label["name"])
        yield f"{name} label: {min(len(named), 4)} words"
        yield from {f"label: {word}" for word in named}
        value = words(text[label.start("value") :][:60])[:1]
        yield from (f"value: {word}" for word in value)
        if value and value[0] in IMPERATIVES:
            yield "value: verb"
    for place, above in (
        ("heading", element.section[-1:]),
        ("higher heading", element.section[1:-1]),
        ("lead-in", element.context[-1:]),
    ):
        yield from {f"{place}: {word}" for line in above for word in words(line)[:MOST_WORDS_ABOVE]}
    if element.section:
        yield from {f"{name} heading: {word}" for word in words(element.section[-1])[:MOST_WORDS_ABOVE]}
    names = _OWN_NAME.findall(text)
    yield from {f"names: {each.lower()}" for each in names}
    yield f"names: {min(len(names), 3)}"
    above = (*element.section[1:], *element.context)
    yield from {f"above: {each.lower()}" for line in above for each in _OWN_NAME.findall(line)}


@lru_cache(maxsize=256)  # headings and lead-ins are shared by many elements
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case; of Chinese and Japanese, pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word.isascii():
            found.append(word)
            continue
        for run in _RUN.findall(word):
            is_paired = _PAIRED[0] <= run[0] <= _PAIRED[1] and len(run) > 1
            found += map("".join, pairwise(run)) if is_paired else (run,)
    return tuple(found)


def _file(element: Element) -> str:
    return element.source_file.rpartition("/")[2]


def _list_of(element: Element) -> tuple[object, ...]:
    return element.source_file, element.section, element.context, element.kind


def _section_of(element: Element) -> tuple[object, ...]:
    return element.source_file, element.section


def _grouped(
    elements: Iterable[Element], key: Callable[[Element], tuple[object, ...]]
) -> dict[tuple[object, ...], _Around]:
    groups: dict[tuple[object, ...], list[Element]] = {}
    for element in elements:
        groups.setdefault(key(element), []).append(element)
    return {
        name: _Around(len(group), Counter(trait for each in group for trait in _traits(each)))
        for name, group in groups.items()
    }


def _traits(element: Element) -> tuple[str, ...]:
    """Return what a list or section is compared by."""
    return (
        element.tag.value,
        element.use.value,
        element.polarity.value,
        *(("stock text",) if element.template else ()),
        *(("of OpenClaw alone",) if element.runtime_only else ()),
        *(("numbered",) if _NUMBERED.match(element.content_full) else ()),
    )


def _of_neighbours(place: str, element: Element, around: _Around) -> Iterator[str]:
    """Yield what most and what some of the other elements of a list or section are."""
    others = around.number - 1
    if not others:
        yield f"{place}: alone"
        return
    yield f"{place}: {min(others, 4)} others"
    own = _traits(element)
    for trait, count in around.counts.items():
        count -= trait in own
        if count:
            yield f"{place} {'mostly' if 2 * count > others else 'partly'}: {trait}"


def _next_to(place: str, element: Element, other: Element | None) -> Iterator[str]:
    if other is None or other.source_file != element.source_file:
        yield f"{place}: nothing"
        return
    yield f"{place}: {other.kind}"
    if other.tag is not Tag.NO_DECOMPOSE:
        yield f"{place}: {other.tag.value}"
    if other.template:
        yield f"{place}: stock text"
    if other.runtime_only:
        yield f"{place}: of OpenClaw alone"
