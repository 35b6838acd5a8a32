"""Weighs what the rules said about an element against its words, its marks and what is around it.

`reading_weights.tsv` has the points that each piece of evidence gives to each tag, fitted on labelled lines of
workspaces for which no rule was written (`scripts/fit_reading_weights.py`). Where the rule is weak and another tag has
clearly more points, that tag wins. The points also say how sure a tag is. Sums of integers only, so that every machine
reads alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.reading_evidence import NUMBERED, evidence
from melleafy_tui.core.language.use import with_use
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE, Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag, allowed_together

Points = Mapping[str, int]

KINDS: Final = frozenset({"item", "paragraph", "table_row", "fence", "lead_in"})
"""Forms of elements that are weighed; a field, a setting or a whole section is what its file makes of it."""
FILES: Final = frozenset(
    {
        "openclaw.agents",
        "openclaw.agents.scoped",
        "openclaw.soul",
        "openclaw.identity",
        "openclaw.user",
        "openclaw.tools",
        "openclaw.heartbeat",
    }
)
DECLARED: Final = frozenset(
    {"heartbeat.body", "heartbeat.task", "tools.endpoint", "tools.script", "identity.metadata"}
)
"""Mapping rows of what a workspace declares: a cadence, a task with its time, a call, a script, a field."""
KEPT_RULES: Final = frozenset(
    {
        "heartbeat.tasks_entry",
        "heartbeat.tasks_block",
        "heartbeat.template",
        "tools.template",
        "user.template",
    }
)
START: Final = "start"
"""The row of points that every element has."""
MARGIN: Final = 2
"""How many tenths a tag needs more than the rules' to win."""
LEAST: Final = 0
"""How many tenths a tag needs to win at all: as likely right as wrong."""
OUTWEIGHED: Final = frozenset({"openclaw.agents", "openclaw.agents.scoped", "openclaw.tools"})
"""Files in which points win; in the others they read fresh lines no better than the rules, and only say how sure."""
WEAK: Final = 0.7
"""The confidence up to which a rule can be outweighed; the words that others match are clear."""
SURE: Final = ((-1000, 0.35), (3, 0.6), (10, 0.77), (15, 0.82), (20, 0.89), (30, 0.97))
"""From so many points on, a tag is so sure: the share of fresh lines on which such a tag was accepted."""
CLEAR_TAGS: Final = frozenset({Tag.EXTRACT, Tag.CLASSIFY, Tag.TRANSFORM, Tag.GENERATE})
"""Tags of too few labelled lines to be outweighed; their rules read a verb that says what they are."""
CLEAR_RULES: Final = frozenset(
    {"agents.definition", "agents.form_fence", "agents.form_line", "agents.speech"}
)
"""Weak rules of clear forms: a name with its value, a form with its blanks, an order about a reply."""
MOST_REASONS: Final = 3

_FACT_ROW: Final = "agents.rule"
_OF_TOOLS: Final = frozenset({Tag.TOOL_TEMPLATE, Tag.CONFIG, Tag.NO_DECOMPOSE})
"""What text about a tool that forbids and orders nothing can be."""
_FACTS: Final = frozenset({Tag.CONFIG, Tag.TOOL_TEMPLATE})


def is_weighed(element: Element) -> bool:
    """Return whether an element's reading can be outweighed: its source declares nothing by its form."""
    return (
        element.kind in KINDS
        and element.dialect_rule_id in FILES
        and element.mapping_row not in DECLARED
        and element.rationale not in KEPT_RULES
        and element.category not in (Category.C7, Category.C8)
        and not (element.template and element.tag is Tag.NO_DECOMPOSE)
    )


def with_weighed_readings(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements of a workspace with the readings that have most points.

    Args:
        elements: What the rules read, with uses.
    """
    return tuple(
        weighed(element, found, weights()) if found else element
        for element, found in zip(elements, evidence(elements, is_weighed), strict=True)
    )


class Weights(Struct, frozen=True):
    """The table of points: the cells of each piece of evidence as they are written, and those that were needed."""

    cells: dict[str, str]
    needed: dict[str, Points] = field(default_factory=dict)

    def of(self, name: str) -> Points:
        """Return the points of a piece of evidence, in tenths, by tag."""
        found = self.needed.get(name)
        if found is None:
            cells = self.cells.get(name, "").split()
            found = dict(zip(cells[::2], map(int, cells[1::2]), strict=True))
            self.needed[name] = found
        return found

    def totals(self, found: Iterable[str]) -> dict[str, int]:
        """Return the points of each tag for some evidence."""
        totals = dict(self.of(START))
        for name in found:
            if name in self.cells:
                for outcome, points in self.of(name).items():
                    totals[outcome] += points
        return totals


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the table of points."""
    lines = Path(__file__).with_name("reading_weights.tsv").read_text("utf-8").splitlines()
    return Weights(dict(line.split("\t") for line in lines))


def weighed(element: Element, found: Sequence[str], table: Weights) -> Element:
    """Return an element as the points of its evidence read it, and how sure that is; stock text isn't asked about."""
    totals = table.totals(found)
    if element.tag.value not in totals:
        return element
    best = max(
        (tag for tag in Tag if tag.value in totals and _can_be(element, tag)),
        key=lambda tag: totals[tag.value],
        default=element.tag,
    )
    least = max(totals[element.tag.value] + MARGIN, LEAST)
    wins = _is_weak(element) and totals[best.value] >= least
    tag = best if wins else element.tag
    sure = sureness(totals[tag.value])
    read = replace(element, confidence=max(sure, LOW_CONFIDENCE) if element.template else sure)
    return with_use(_with_tag(read, tag, _reasons(found, tag, element.tag, table))) if wins else read


def _is_weak(element: Element) -> bool:
    """Return whether points can outweigh a rule; a numbered list is what the line above it makes of it."""
    is_clear = (
        element.confidence > WEAK
        or element.tag in CLEAR_TAGS
        or element.rationale in CLEAR_RULES
        or NUMBERED.match(element.content_full)
    )
    return element.dialect_rule_id in OUTWEIGHED and not is_clear


def _can_be(element: Element, tag: Tag) -> bool:
    if not allowed_together(tag, element.category) and tag is not Tag.NO_DECOMPOSE and tag is not Tag.SCHEMA:
        return element.category is Category.NONE and tag is not Tag.TOOL_TEMPLATE
    if element.category is Category.C6:
        return tag in _OF_TOOLS
    if element.category is Category.NONE:
        return element.dialect_rule_id not in ("openclaw.user", "openclaw.tools") or tag is Tag.NO_DECOMPOSE
    return tag is not Tag.SCHEMA or element.kind == "fence"


def _with_tag(element: Element, tag: Tag, reasons: str) -> Element:
    """Return an element with another tag than the rules', and with the category and mapping row that go with it."""
    category, row = _place(element, tag)
    return replace(
        element,
        tag=tag,
        category=category,
        mapping_row=row,
        polarity=Polarity.DESCRIBES if category is Category.NONE or tag in _FACTS else element.polarity,
        rationale=f"{element.rationale.partition('.')[0]}.weighed",
        aggregation_hint="" if tag is not Tag.ORCHESTRATE else element.aggregation_hint,
        suggested_category=None if category is element.suggested_category else element.suggested_category,
        notes=(
            *element.notes,
            f"The rule {element.rationale} reads it as {element.tag.value}; {reasons} more.",
        ),
    )


def _place(element: Element, tag: Tag) -> tuple[Category, str]:
    if tag in (Tag.NO_DECOMPOSE, Tag.SCHEMA):
        return Category.NONE, ""
    if element.category is not Category.NONE:
        return element.category, element.mapping_row
    if element.kind == "lead_in":
        return Category.C2, ""
    return Category.C2, "agents.scoped" if element.scope else _FACT_ROW


def sureness(points: int) -> float:
    """Return how sure a tag with so many points is."""
    return max(sure for least, sure in SURE if points >= least)


def _reasons(found: Iterable[str], tag: Tag, other: Tag, table: Weights) -> str:
    """Return the evidence that speaks most for one tag against another, in words."""
    gains = {name: table.of(name).get(tag.value, 0) - table.of(name).get(other.value, 0) for name in found}
    most = sorted(gains, key=lambda name: (-gains[name], name))[:MOST_REASONS]
    return f"{', '.join(f'“{name}”' for name in most)} {'weighs' if len(most) == 1 else 'weigh'}"
