"""Says how sure a tag is, from its rule, its words, its marks and what is around it.

Rules by hand fit the lines for which they were written, so the number in a rule's row says too much on others.
`confidence_points.tsv` has the points that each piece of evidence gives to each tag, fitted on labelled lines of
workspaces for which no rule was written (`scripts/fit_confidence.py`). Points change no tag: on fresh lines those that
outweighed a rule were right no more often than it. Sums of integers only, so that every machine says the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.confidence_evidence import evidence
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE, Element
from melleafy_tui.core.models.vocabulary import Category, Tag

Points = Mapping[str, int]

KINDS: Final = frozenset({"item", "paragraph", "table_row", "fence", "lead_in"})
"""Forms of elements that have points; a field, a setting or a whole section is what its file makes of it."""
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
CLEAR: Final = 0.8
"""The number in a rule's row from which the review doesn't ask: "under 120 words" is plain to whoever reads it."""
SURE: Final = ((-1000, 0.35), (3, 0.6), (10, 0.77), (15, 0.82), (20, 0.89), (30, 0.97))
"""From so many points on, a tag is so sure: the share of fresh lines on which such a tag was accepted."""


def has_points(element: Element) -> bool:
    """Return whether an element's confidence comes from points: its source declares nothing by its form."""
    return (
        element.kind in KINDS
        and element.dialect_rule_id in FILES
        and element.mapping_row not in DECLARED
        and element.rationale not in KEPT_RULES
        and element.category not in (Category.C7, Category.C8)
        and not (element.template and element.tag is Tag.NO_DECOMPOSE)
    )


def with_confidence(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements of a workspace with the confidence that the points of their evidence give.

    Args:
        elements: What the rules read, with uses.
    """
    return tuple(
        weighed(element, found, points_table()) if found else element
        for element, found in zip(elements, evidence(elements, has_points), strict=True)
    )


class PointsTable(Struct, frozen=True):
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

    def total(self, tag: Tag, found: Iterable[str]) -> int | None:
        """Return the points of a tag for some evidence, or None if no labelled line had it."""
        start = self.of(START).get(tag.value)
        known = (name for name in found if name in self.cells)
        return None if start is None else start + sum(self.of(name).get(tag.value, 0) for name in known)


@lru_cache(maxsize=1)
def points_table() -> PointsTable:
    """Return the table of points."""
    lines = Path(__file__).with_name("confidence_points.tsv").read_text("utf-8").splitlines()
    return PointsTable(dict(line.split("\t") for line in lines))


def weighed(element: Element, found: Sequence[str], table: PointsTable) -> Element:
    """Return an element as sure as the points of its tag make it; stock text and clear rules aren't asked about."""
    points = table.total(element.tag, found)
    if points is None:
        return element
    sure = max(sure for least, sure in SURE if points >= least)
    is_clear = element.template or element.confidence >= CLEAR
    return replace(element, confidence=max(sure, LOW_CONFIDENCE) if is_clear else sure)
