"""What a wording table gives back, and the parts that the tables of all languages share."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.mapping import RuleCheck

_QUOTE_PAIRS: Final = (('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("「", "」"), ("『", "』"), ("«", "»"))

QUOTED: Final = (
    "(?:" + "|".join(f"{left}[^{left}{right}]{{1,120}}?{right}" for left, right in _QUOTE_PAIRS) + ")"
)
"""A phrase in quotes; code spans are none, since they mostly name commands."""


class Reading(Struct, frozen=True):
    """What a wording demands.

    `negative` says whether the wording is a prohibition, an obligation, or can be either (None, "no more than three
    sentences"); an element whose polarity says the opposite is not compiled.
    """

    check: RuleCheck | None
    negative: bool | None = None


def count_check(bound: str, unit: str, number: int, least: int = 0) -> RuleCheck | None:
    """Return the check of a number, or None where no text or every text would keep it."""
    if (
        number < 0
        or (bound == "min" and number < 1)
        or (bound in ("max", "exact") and number == 0 and unit in _ALWAYS)
    ):
        return None
    if bound == "between" and not 0 <= least < number:
        return None
    return RuleCheck(f"{bound}_{unit}", limit=number, least=least)


_ALWAYS: Final = ("words", "sentences", "characters", "lines", "paragraphs")


def feature_check(features: Sequence[str]) -> RuleCheck | None:
    """Return the check that a reply has none of the features."""
    names = tuple(dict.fromkeys(features))
    if len(names) > 1:
        return RuleCheck("without", phrases=names)
    return RuleCheck("plain_text" if names == ("markdown",) else f"no_{names[0]}")


def has_quote(text: str) -> bool:
    """Return whether something may be in quotes."""
    return any(left in text for left, _ in _QUOTE_PAIRS)


def phrases_in(quotes: str) -> tuple[tuple[str, ...], bool]:
    """Return the quoted phrases, and whether "or" joins them."""
    phrases = [found[1:-1].strip() for found in re.findall(QUOTED, quotes)]
    between = re.sub(QUOTED, " ", quotes)
    return tuple(phrase for phrase in phrases if phrase), bool(
        re.search(r"\bor\b|/|或", between, re.IGNORECASE)
    )
