"""Reads a rules document, whichever runtime's: one element a list item, paragraph, table row and fence.

A numbered item below a heading or lead-in of steps is a step; headings, lead-ins, links, dates and table headers carry
others; everything else is a rule. Which category and mapping row that means is the dialect's table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, own_words, standing_alone
from melleafy_tui.core.language import wording
from melleafy_tui.core.language.words import topic_pattern
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.source.segments import Segment

_WORDS: Final = Path(wording.__file__).with_name("lead_words.toml")
CARRIERS: Final = frozenset({"heading", "lead_in", "comment", "rule", "other", "frontmatter", "table_header"})
"""Forms that carry other lines, or say nothing themselves."""
CARRIER_NAMES: Final[Mapping[str, str]] = {
    "heading": "a heading",
    "lead_in": "a lead-in",
    "comment": "a comment",
    "rule": "a separator",
    "other": "a marker",
    "frontmatter": "front matter",
    "table_header": "a table's header",
}
_LINK: Final = re.compile(r"\W*(?:!?\[[^\[\]\n]{0,200}\]\([^()\s]{1,400}\)|<?https?://\S+>?)\W*")
_DATE: Final = re.compile(
    r"[\W_]*(?:[^\W\d_]+(?: [^\W\d_]+){0,2}[:：]?\s*)?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日)[\W_]*"
)
"""A line with a date and nothing else, or a label and a date ("Last updated: 2026-05-01")."""


class RulesPlaces(Struct, frozen=True):
    """Where the lines of a rules document belong.

    Attributes:
        rule: What is neither a step nor carries other lines.
        step: A numbered item below a heading or lead-in of steps.
    """

    rule: Home
    step: Home


def form_of(segment: Segment) -> str:
    """Return what a segment is in a rules document: `carrier`, `step` or `rule`."""
    if segment.kind in CARRIERS or not own_words(segment).strip():
        return "carrier"
    if _LINK.fullmatch(segment.text) or _DATE.fullmatch(segment.text):
        return "carrier"
    return "step" if is_step(segment) else "rule"


def carrier_name(segment: Segment) -> str:
    """Return what a line that carries others is, in words."""
    if segment.kind in CARRIER_NAMES:
        return CARRIER_NAMES[segment.kind]
    return "a date" if _DATE.fullmatch(segment.text) else "a link" if segment.text else "markup"


def is_step(segment: Segment) -> bool:
    """Return whether a segment is a numbered item whose nearest heading or lead-in announces steps."""
    if segment.kind != "item" or not segment.ordered:
        return False
    above = (segment.lead_in, segment.above, *reversed(segment.section))
    for text in filter(None, above):
        if topic_pattern(_WORDS, "rules").search(text):
            return False
        if topic_pattern(_WORDS, "steps").search(text):
            return True
    return False


Marks = Callable[[Segment], tuple[bool, tuple[Decision, ...]]]
"""Says whether a segment is text of the runtime's templates, and what is decided about it."""


def unmarked(_segment: Segment) -> tuple[bool, tuple[Decision, ...]]:
    """Return that a segment is its owner's, and that nothing is decided about it."""
    return False, ()


def rule_elements(
    segments: Iterable[Segment],
    factory: ElementFactory,
    places: RulesPlaces,
    *,
    scope: str = "",
    marks: Marks = unmarked,
) -> Iterator[Element]:
    """Yield the elements of a rules document, one a segment.

    Args:
        segments: The segments.
        factory: The factory for the file's elements.
        places: Where the lines belong.
        scope: The folder that the rules apply to, `""` for all.
        marks: What is known of a segment beside its place.
    """
    for segment in segments:
        template, decisions = marks(segment)
        form = form_of(segment)
        if form == "carrier":
            yield factory.unconverted(segment, carrier_name(segment), template=template, decisions=decisions)
            continue
        home = places.step if form == "step" else places.rule
        yield factory.make(
            segment,
            standing_alone(segment),
            home,
            summary=wording.summarise(
                segment.lead_in or own_words(segment) if segment.kind == "fence" else own_words(segment),
                prefix="Rule: " if home.tag is Tag.DECIDE else "",
            ),
            scope=scope,
            template=template,
            decisions=decisions,
        )
