"""How sure the dialect is of a tag: the confidence of the rule that matched, lowered where its evidence is weak.

A row of `DOUBTS` is evidence on which most tags were wrong in workspaces that nobody had read before;
`docs/dialects/openclaw.md` has the figures. A doubt changes the confidence only, never the tag.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.tag_rules import (
    Tagged,
    TagRule,
    Wording,
    anything,
    first_match,
    pattern,
)
from melleafy_tui.core.models.vocabulary import Polarity

GUESS: Final = 0.4
"""The confidence of a doubted tag: low enough that the review asks about it."""


class Doubt(Struct, frozen=True):
    """Weak evidence: the tag rules that it concerns, what the test reads, and the test."""

    name: str
    rules: frozenset[str]
    looks_at: str
    applies: Callable[[Wording], bool]


ASKS: Final = pattern(r"是否|かどうか|\bwhether\b")
"""Words of a check for what may or may not hold."""


def is_no_work_by_itself(wording: Wording) -> bool:
    """Return whether a text orders nothing, asks nothing and has no checkbox."""
    orders = wording.own_polarity is not Polarity.DESCRIBES or bool(wording.segment.task)
    return not orders and not ASKS.search(wording.text)


_LABELLED: Final = re.compile(r"[^:：]{1,40}[:：]\s*\S")


def _is_unlabelled(wording: Wording) -> bool:
    return is_no_work_by_itself(wording) and not _LABELLED.match(wording.text)


DOUBTS: Final[tuple[Doubt, ...]] = (
    Doubt(
        "file_alone",
        frozenset({"heartbeat.item"}),
        "an item of HEARTBEAT.md without a label that neither orders nor asks: only its file makes it work to do",
        _is_unlabelled,
    ),
    Doubt(
        "noun_or_order",
        frozenset({"agents.generate"}),
        "a line of AGENTS.md that seems to order a text: what is written is often part of something else",
        anything,
    ),
    Doubt(
        "address_alone",
        frozenset({"heartbeat.read_only"}),
        "an address in HEARTBEAT.md that nothing orders to read",
        is_no_work_by_itself,
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
