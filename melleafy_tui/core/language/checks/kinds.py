"""The table of checkable rule kinds, and the evaluation of each kind on a text.

The generators emit a validator for each kind with the same measures; a property test checks that the two agree.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.checks import measures
from melleafy_tui.core.language.checks.permissions import find_call
from melleafy_tui.core.models.mapping import RuleCheck

Verdict = tuple[bool, str]


class Family(StrEnum):
    """How a kind reaches its verdict."""

    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    EXACTLY = "exactly"
    BETWEEN = "between"
    ABSENT = "absent"
    PRESENT = "present"
    NONE_OF = "none_of"
    EVERY_PHRASE = "every_phrase"
    ANY_PHRASE = "any_phrase"
    NO_PHRASE = "no_phrase"
    PARSES = "parses"
    NO_CALL = "no_call"


class Kind(Struct, frozen=True):
    """One row: the kind's name, its family, its measure, and the words for what it measures.

    `singular` is empty if the thing can't be counted.
    """

    name: str
    family: Family
    measure: str
    noun: str
    singular: str = ""


class Unit(Struct, frozen=True):
    """Something that can be counted in a reply."""

    name: str
    measure: str
    singular: str
    plural: str


UNITS: Final = (
    Unit("words", "count_words", "word", "words"),
    Unit("sentences", "count_sentences", "sentence", "sentences"),
    Unit("characters", "count_characters", "character", "characters"),
    Unit("lines", "count_lines", "line", "lines"),
    Unit("paragraphs", "count_paragraphs", "paragraph", "paragraphs"),
    Unit("bullets", "count_bullets", "bullet", "bullets"),
    Unit("list_items", "count_list_items", "list item", "list items"),
    Unit("questions", "count_questions", "question", "questions"),
    Unit("emoji", "count_emoji", "emoji", "emoji"),
    Unit("exclamation_marks", "count_exclamation_marks", "exclamation mark", "exclamation marks"),
)

FEATURES: Final[dict[str, tuple[str, str]]] = {
    "emoji": ("find_emoji", "emoji"),
    "exclamation_marks": ("find_exclamation_mark", "exclamation marks"),
    "questions": ("find_question", "questions"),
    "links": ("find_link", "links"),
    "tables": ("find_table", "tables"),
    "headings": ("find_heading", "headings"),
    "code_fences": ("find_code_fence", "code fences"),
    "bullets": ("find_bullet", "bullets"),
    "bold": ("find_bold", "bold text"),
    "hashtags": ("find_hashtag", "hashtags"),
    "em_dashes": ("find_em_dash", "em dashes"),
    "first_person": ("find_first_person", "the first person"),
    "markdown": ("find_markdown", "Markdown"),
    "capitals": ("find_capital", "capital letters"),
}
"""Features of a reply: the measure that finds the first occurrence, and the words for it."""

REQUIRABLE: Final = ("emoji", "links", "tables", "headings", "code_fences", "bullets", "questions")
"""The features that a rule may require."""

PERMISSION_DENIED: Final = "permission_denied"
"""The kind for a permission rule that denies calls; its one phrase is the rule, such as `Bash(rm:*)`."""

_COUNTED: Final = {
    "max": Family.AT_MOST,
    "min": Family.AT_LEAST,
    "exact": Family.EXACTLY,
    "between": Family.BETWEEN,
}


def _rows() -> tuple[Kind, ...]:
    rows = [
        Kind(f"{bound}_{unit.name}", family, unit.measure, unit.plural, unit.singular)
        for unit in UNITS
        for bound, family in _COUNTED.items()
    ]
    rows += [
        Kind(f"no_{name}", Family.ABSENT, *FEATURES[name])
        for name in FEATURES
        if name not in ("markdown", "capitals")
    ]
    rows += [Kind(f"has_{name}", Family.PRESENT, *FEATURES[name]) for name in REQUIRABLE]
    rows += [
        Kind("plain_text", Family.ABSENT, *FEATURES["markdown"]),
        Kind("lowercase", Family.ABSENT, *FEATURES["capitals"]),
        Kind("without", Family.NONE_OF, "", "features"),
        Kind("contains", Family.EVERY_PHRASE, "mentions", "contain"),
        Kind("contains_any", Family.ANY_PHRASE, "mentions", "contain"),
        Kind("not_contains", Family.NO_PHRASE, "mentions", "contain"),
        Kind("starts_with", Family.ANY_PHRASE, "starts_with", "start with"),
        Kind("not_starts_with", Family.NO_PHRASE, "starts_with", "start with"),
        Kind("ends_with", Family.ANY_PHRASE, "ends_with", "end with"),
        Kind("not_ends_with", Family.NO_PHRASE, "ends_with", "end with"),
        Kind("json", Family.PARSES, "json_error", "JSON"),
        Kind(PERMISSION_DENIED, Family.NO_CALL, "find_call", "call"),
    ]
    return tuple(rows)


KINDS: Final[dict[str, Kind]] = {kind.name: kind for kind in _rows()}
"""Every kind by name, the `kind` of a RuleCheck."""


def measured_features(check: RuleCheck) -> tuple[tuple[str, str], ...]:
    """Return the measure and the words of each feature that the check looks for, in the check's order."""
    kind = KINDS[check.kind]
    if kind.family is Family.NONE_OF:
        return tuple(FEATURES[name] for name in check.phrases)
    return ((kind.measure, kind.noun),)


def counted(kind: Kind, number: int) -> str:
    """Return a number with its noun, such as "1 sentence" or "120 words"."""
    return f"{number} {kind.singular if number == 1 else kind.noun}"


def evaluate(check: RuleCheck, text: str) -> Verdict:
    """Return whether the text follows the rule, with the reason.

    Args:
        check: The rule's check.
        text: A reply.
    """
    family = KINDS[check.kind].family
    if family in (Family.AT_MOST, Family.AT_LEAST, Family.EXACTLY, Family.BETWEEN):
        return _evaluate_count(check, text)
    if family in (Family.EVERY_PHRASE, Family.ANY_PHRASE, Family.NO_PHRASE):
        return _evaluate_phrases(check, text)
    if family is Family.PRESENT:
        return _evaluate_presence(check, text)
    if family is Family.NO_CALL:
        call = find_call(text, check.phrases[0])
        return not call, f"{check.phrases[0]} denies {call!r}" if call else ""
    if family is Family.PARSES:
        error = measures.json_error(text)
        return not error, f"the reply is no JSON: {error}" if error else ""
    for measure, noun in measured_features(check):
        found = _finder(measure)(text)
        if found:
            return False, f"the reply has {found!r}; leave out {noun}"
    return True, ""


def _evaluate_count(check: RuleCheck, text: str) -> Verdict:
    kind = KINDS[check.kind]
    count = _counter(kind.measure)(text)
    has = f"the reply has {count} {kind.noun}"
    if kind.family is Family.AT_MOST:
        return count <= check.limit, f"{has}; at most {check.limit} allowed"
    if kind.family is Family.AT_LEAST:
        return count >= check.limit, f"{has}; at least {check.limit} needed"
    if kind.family is Family.BETWEEN:
        return check.least <= count <= check.limit, f"{has}; {check.least} to {check.limit} needed"
    return count == check.limit, f"{has}; exactly {check.limit} needed"


def _evaluate_phrases(check: RuleCheck, text: str) -> Verdict:
    kind = KINDS[check.kind]
    holds = _matcher(kind.measure)
    present = [phrase for phrase in check.phrases if holds(text, phrase)]
    if kind.family is Family.EVERY_PHRASE:
        missing = [phrase for phrase in check.phrases if phrase not in present]
        return not missing, f"the reply must {kind.noun} {missing[0]!r}" if missing else ""
    if kind.family is Family.NO_PHRASE:
        return not present, f"the reply must not {kind.noun} {present[0]!r}" if present else ""
    allowed = " or ".join(map(repr, check.phrases))
    return bool(present), "" if present else f"the reply must {kind.noun} {allowed}"


def _evaluate_presence(check: RuleCheck, text: str) -> Verdict:
    kind = KINDS[check.kind]
    if _finder(kind.measure)(text):
        return True, ""
    return False, f"the reply has no {kind.noun}"


def _counter(name: str) -> Callable[[str], int]:
    counter: Callable[[str], int] = getattr(measures, name)
    return counter


def _finder(name: str) -> Callable[[str], str]:
    finder: Callable[[str], str] = getattr(measures, name)
    return finder


def _matcher(name: str) -> Callable[[str, str], bool]:
    matcher: Callable[[str, str], bool] = getattr(measures, name)
    return matcher


_QUOTE_PAIRS: Final = (('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("「", "」"), ("『", "』"), ("«", "»"))

QUOTED: Final = (
    "(?:" + "|".join(f"{left}[^{left}{right}]{{1,120}}?{right}" for left, right in _QUOTE_PAIRS) + ")"
)
"""A phrase in quotes; code spans don't count, since they mostly name commands."""


class RuleReading(Struct, frozen=True):
    """What a wording demands.

    `negative` is True for a prohibition, False for an obligation, None if the wording can be either ("no more than
    three sentences"); an element with the opposite polarity is not compiled.
    """

    check: RuleCheck | None
    negative: bool | None = None


def count_check(bound: str, unit: str, number: int, least: int = 0) -> RuleCheck | None:
    """Return the check for a number, or None if no text or every text would pass."""
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
    """Return whether the text may contain a quoted phrase."""
    return any(left in text for left, _ in _QUOTE_PAIRS)


def phrases_in(quotes: str) -> tuple[tuple[str, ...], bool]:
    """Return the quoted phrases, and whether "or" joins them."""
    phrases = [found[1:-1].strip() for found in re.findall(QUOTED, quotes)]
    between = re.sub(QUOTED, " ", quotes)
    return tuple(phrase for phrase in phrases if phrase), bool(
        re.search(r"\bor\b|/|或", between, re.IGNORECASE)
    )
