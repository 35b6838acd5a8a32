"""How sure the dialect is of a tag: the confidence of the rule that matched, lowered where its evidence is weak.

A row of `DOUBTS` is evidence on which most tags were wrong in workspaces that nobody had read before;
`docs/dialects/openclaw.md` has the figures. A doubt changes the confidence only, never the tag.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.tag_rules import OPTION_LEAD_IN, RULE_TABLE
from melleafy_tui.core.dialects.tag_rules import Tagged, TagRule, Wording, first_match, is_about_acting
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.models.vocabulary import Polarity

GUESS: Final = 0.4
"""The confidence of a tag that is doubted: low enough that the review asks."""


class Doubt(Struct, frozen=True):
    """Weak evidence: the tag rules that it concerns, what the test reads, and the test."""

    name: str
    rules: frozenset[str]
    looks_at: str
    applies: Callable[[Wording], bool]


def _orders_nothing(wording: Wording) -> bool:
    return wording.own_polarity is Polarity.DESCRIBES and not wording.segment.task


def _is_among_facts(wording: Wording) -> bool:
    segment = wording.segment
    if segment.kind != "table_row" or is_about_acting(segment.header) or RULE_TABLE.search(wording.heading):
        return False
    return polarity_of(segment.lead_in) is Polarity.DESCRIBES and not OPTION_LEAD_IN.search(segment.lead_in)


DOUBTS: Final[tuple[Doubt, ...]] = (
    Doubt(
        "heartbeat_text_without_an_order",
        frozenset(
            {"heartbeat.item", "heartbeat.owners_prose", "heartbeat.thing_to_check", "heartbeat.query"}
        ),
        "text that orders nothing and has no checkbox: only its file or a heading makes it work",
        _orders_nothing,
    ),
    Doubt(
        "row_among_facts",
        frozenset({"agents.directive", "agents.query", "agents.generate", "agents.filing_row"}),
        "a table row, where no column, heading or lead-in is about rules or acting",
        _is_among_facts,
    ),
    Doubt(
        "number_without_a_procedure",
        frozenset({"agents.item"}),
        "an item of a numbered list, where nothing says what the numbers mean",
        lambda wording: wording.segment.ordered,
    ),
)


def tag_of(rules: Sequence[TagRule], wording: Wording) -> Tagged:
    """Return the tag of the first rule that matches, with less confidence where a doubt applies.

    Raises:
        LookupError: no rule matches; the last rule of each table always does.
    """
    tagged = first_match(rules, wording)
    if any(tagged.rationale in doubt.rules and doubt.applies(wording) for doubt in DOUBTS):
        return replace(tagged, confidence=min(tagged.confidence, GUESS))
    return tagged
