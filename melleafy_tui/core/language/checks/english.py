"""Reads English rules using the wording tables.

A rule that says more than a pattern covers doesn't match, and the model judges it: no check is better than a wrong one.
"""

import re

from melleafy_tui.core.language.checks.english_wordings import (
    ABSENCE_RULES,
    AFTER,
    BOUNDS,
    COUNT_BANS,
    COUNT_RULES,
    FEATURES,
    FIXED_RULES,
    FORBIDDEN_FEATURES,
    MARKUP,
    NAMES_A_FEATURE,
    NAMES_A_QUANTITY,
    NUMBER_WORDS,
    PHRASE_RULES,
    PLAIN_TEXT_WITHOUT,
    REQUIRED_FEATURE,
    UNITS,
)
from melleafy_tui.core.language.checks.kinds import (
    REQUIRABLE,
    RuleReading,
    count_check,
    feature_check,
    has_quote,
    phrases_in,
)
from melleafy_tui.core.models.mapping import RuleCheck


def read_english(text: str) -> RuleReading | None:
    """Return what an English rule demands, or None if no pattern covers all of it.

    Args:
        text: One sentence without lead-in, markers or final stop.
    """
    return (
        (NAMES_A_QUANTITY.search(text) and (_read_count(text) or _read_count_ban(text)))
        or (
            NAMES_A_FEATURE.search(text)
            and (_read_absence(text) or _read_required_feature(text) or _read_plain_text(text))
        )
        or (has_quote(text) and _read_phrases(text))
        or _read_fixed(text)
    )


def read_forbidden_act(text: str) -> RuleReading | None:
    """Return the reading of a bare act that a lead-in forbids, such as "use emoji" under "Must never:"."""
    if NAMES_A_FEATURE.search(text) and (found := FORBIDDEN_FEATURES.fullmatch(text)):
        return _absence(found["features"])
    return read_english(f"never {text}") if re.match(r"[a-z]", text, re.IGNORECASE) else None


def _read_count(text: str) -> RuleReading | None:
    for pattern in COUNT_RULES:
        if found := pattern.fullmatch(text):
            return _count_reading(found)
    return None


def _count_reading(found: re.Match[str]) -> RuleReading | None:
    stated = _stated_bound(found)
    if stated is None:
        return None
    bound, shift = stated
    unit, number = _unit(found["unit"]), _number(found["number"])
    if found["low"] is not None:
        return _range_reading(bound, shift, count=(unit, _number(found["low"]), number))
    bound = bound or _implied_bound(found)
    given = found.groupdict()
    has_no_subject = given.get("subjectless") is not None
    if not bound or (bound == "min" and has_no_subject and not given.get("per")):
        return None
    denies = re.search(r"\b(?:no|not)\b", found["bound"] or "", re.IGNORECASE)
    return RuleReading(count_check(bound, unit, number + shift), negative=None if denies else False)


def _stated_bound(found: re.Match[str]) -> tuple[str, int] | None:
    """Return the bound that the words state and its shift, `""` if they state none; None if two of them do."""
    before, shift = _bound(found["bound"])
    words = found["after"]
    after = words and next(name for name, pattern in AFTER if re.fullmatch(pattern, words, re.IGNORECASE))
    stated = [name for name in (before, after, found["plus"] and "min") if name]
    return None if len(stated) > 1 else ("".join(stated), shift)


def _range_reading(bound: str, shift: int, count: tuple[str, int, int]) -> RuleReading | None:
    unit, least, most = count
    if bound == "max" and not shift:
        return RuleReading(count_check("max", unit, most), negative=False)
    if bound not in ("", "exact"):
        return None
    return RuleReading(count_check("between", unit, most, least=least), negative=False)


def _implied_bound(found: re.Match[str]) -> str:
    """Return the bound of a bare number ("Answer in 3 sentences"), or `""` if it may not be about the reply."""
    given = found.groupdict()
    if given.get("subjectless") is not None:
        return ""
    uses = given.get("use") is not None
    if uses and not re.search("reply|response|answer", found.group(), re.IGNORECASE):
        return ""
    return "max" if given.get("to") is not None else "exact"


def _read_count_ban(text: str) -> RuleReading | None:
    for pattern in COUNT_BANS:
        if found := pattern.fullmatch(text):
            return RuleReading(
                count_check("max", _unit(found["unit"]), _number(found["number"])), negative=True
            )
    return None


def _read_absence(text: str) -> RuleReading | None:
    for pattern in ABSENCE_RULES:
        if found := pattern.fullmatch(text):
            return _absence(found["features"])
    return None


def _absence(words: str) -> RuleReading | None:
    return RuleReading(feature_check(_features(words)), negative=True)


def _features(words: str) -> list[str]:
    named = re.split(r",? (?:or|and|nor) |, |/", words)
    return [_feature(re.sub(r"^(?:any|no) ", "", name, flags=re.IGNORECASE)) for name in named]


def _read_required_feature(text: str) -> RuleReading | None:
    found = REQUIRED_FEATURE.fullmatch(text)
    if found is None:
        return None
    feature = _feature(found["features"])
    return RuleReading(RuleCheck(f"has_{feature}"), negative=False) if feature in REQUIRABLE else None


def _read_plain_text(text: str) -> RuleReading | None:
    found = PLAIN_TEXT_WITHOUT.fullmatch(text)
    if found is None or not MARKUP.issuperset(_features(found["features"])):
        return None
    return RuleReading(RuleCheck("plain_text"), negative=False)


def _read_phrases(text: str) -> RuleReading | None:
    for kind, negative, pattern in PHRASE_RULES:
        if found := pattern.fullmatch(text):
            phrases, joined_by_or = phrases_in(found["quotes"])
            if kind == "contains" and joined_by_or:
                kind = "contains_any"
            if kind in ("starts_with", "ends_with") and len(phrases) > 1 and not joined_by_or:
                return None
            return RuleReading(RuleCheck(kind, phrases=phrases), negative=negative)
    return None


def _read_fixed(text: str) -> RuleReading | None:
    return next(
        (
            RuleReading(check, negative=negative)
            for check, negative, pattern in FIXED_RULES
            if pattern.fullmatch(text)
        ),
        None,
    )


def _number(words: str) -> int:
    spelled = NUMBER_WORDS.get(words.casefold())
    return spelled if spelled is not None else int(words.replace(",", ""))


def _named(words: str, table: tuple[tuple[str, str], ...]) -> str:
    return next(name for name, pattern in table if re.fullmatch(pattern, words, re.IGNORECASE))


def _unit(words: str) -> str:
    return _named(words, UNITS)


def _feature(words: str) -> str:
    return _named(words, FEATURES)


def _bound(words: str | None) -> tuple[str, int]:
    if not words:
        return "", 0
    return next(
        (name, shift) for name, pattern, shift in BOUNDS if re.fullmatch(pattern, words, re.IGNORECASE)
    )
