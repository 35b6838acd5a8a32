"""English wordings of checkable rules, each matched from its first to its last word (spec/package.md 3).

A rule that says more than a pattern knows matches none, and the model judges it: prefer none to a wrong one.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.rules.kinds import REQUIRABLE
from melleafy_tui.core.rules.reading import QUOTED, Reading, count_check, feature_check, phrases_in

_NUMBER_WORDS: Final = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
        ]
    )
} | {
    "a": 1,
    "an": 1,
    "a single": 1,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "a hundred": 100,
    "one hundred": 100,
}

_UNITS: Final[tuple[tuple[str, str], ...]] = (
    ("words", r"words?"),
    ("sentences", r"(?:short |complete |full )?sentences?"),
    ("characters", r"(?:characters?|chars?)"),
    ("lines", r"lines?"),
    ("paragraphs", r"(?:short )?paragraphs?"),
    ("bullets", r"(?:short )?bullet(?:ed)?(?: points?| items?)?s?|(?:short )?bullets"),
    ("list_items", r"(?:list )?items?"),
    ("questions", r"(?:clarifying |follow-up )?questions?(?: marks?)?"),
    ("emoji", r"emojis?"),
    ("exclamation_marks", r"exclamation (?:marks?|points?)"),
)

_FEATURES: Final[tuple[tuple[str, str], ...]] = (
    ("emoji", r"emojis?"),
    ("exclamation_marks", r"exclamation[ -](?:marks?|points?)|exclamations"),
    ("links", r"(?:hyper)?links?|urls?|web addresses"),
    ("tables", r"(?:markdown )?tables?"),
    ("headings", r"(?:markdown )?(?:headings?|headers?)"),
    ("code_fences", r"code[ -](?:fences?|blocks?)|fenced code(?: blocks?)?"),
    ("bullets", r"bullets?(?:[ -]points?)?(?: lists?)?|bullet(?:ed)? lists?"),
    ("bold", r"bold(?: text| type| formatting)?|bolding"),
    ("hashtags", r"hashtags?"),
    ("em_dashes", r"em[ -]?dash(?:es)?"),
    (
        "first_person",
        r"the first[ -]person(?: singular)?|first[ -]person(?: singular)?(?: pronouns?| voice)?",
    ),
    ("questions", r"question marks"),
    ("markdown", r"markdown(?: formatting| syntax| markup)?"),
)

_NUMBER: Final = r"\d{1,3}(?:,\d{3})+|\d{1,6}|" + "|".join(
    sorted(map(re.escape, _NUMBER_WORDS), key=len, reverse=True)
)
_UNIT: Final = "|".join(f"(?:{pattern})" for _, pattern in _UNITS)
_FEATURE: Final = "|".join(f"(?:{pattern})" for _, pattern in _FEATURES)
_SUBJECT: Final = (
    r"(?:(?:all|every|each|any|your|the|a|an|our|its|my)(?: of your| of the| single)? )?(?:final |written |own )?"
    r"(?:repl(?:y|ies)|answers?|responses?|outputs?|messages?|reply text|output text)"
)
_IT: Final = r"(?:it|them|things|everything|everything you (?:say|write|send))"
_IN_SUBJECT: Final = (
    rf"(?: (?:in|from|to|per|for|within) {_SUBJECT}| per turn| at (?:a|one) time| at once|,? ever| anywhere)?"
)
_MODAL: Final = r"(?:must|should|shall|may|can|need to|have to|has to|will|are to|is to)"
_NOT: Final = (
    r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|may not|shall not)(?: ever)?"
)

_BOUNDS: Final[tuple[tuple[str, str, int], ...]] = (
    (
        "max",
        r"(?:at most|no more than|not more than|up to|a maximum of|maximum(?: of)?|max\.?(?: of)?|within|<=|≤|no longer than|not longer than)",
        0,
    ),
    ("max", r"(?:under|below|less than|fewer than|shorter than|<)", -1),
    (
        "min",
        r"(?:at least|a minimum of|minimum(?: of)?|min\.?(?: of)?|no fewer than|no less than|not less than|not fewer than|>=|≥)",
        0,
    ),
    ("min", r"(?:more than|over|longer than|>)", 1),
    ("exact", r"(?:exactly|precisely|only)", 0),
)
_AFTER: Final[tuple[tuple[str, str], ...]] = (
    ("max", r"(?:or (?:less|fewer|shorter)|at most|max(?:imum)?|tops)"),
    ("min", r"(?:or more|at least|min(?:imum)?|and up)"),
)


def _quantity_pattern() -> str:
    bounds = "|".join(pattern for _, pattern, _ in _BOUNDS)
    after = "|".join(pattern for _, pattern in _AFTER)
    return (
        rf"(?:(?P<bound>{bounds}) )?(?:between )?(?:(?P<low>{_NUMBER})(?:\s?[-–—]\s?| to | and | or ))?"
        rf"(?P<number>{_NUMBER})(?P<plus>\+)?[ -](?P<unit>{_UNIT})(?: long| in length)?(?: (?P<after>{after}))?"
    )


_QUANTITY: Final = _quantity_pattern()
_LIST: Final = (
    rf"(?P<features>(?:{_FEATURE})(?:(?:,? (?:or|and|nor) (?:any )?|, |/)(?:any )?(?:{_FEATURE}))*)"
)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_COUNT_RULES: Final = tuple(
    _compiled(pattern)
    for pattern in (
        rf"(?:keep|limit|restrict|cap|hold|make|write) (?:{_SUBJECT}|{_IT}) (?:(?:to|at|within|in|short,) )?(?P<to>){_QUANTITY}",
        rf"{_SUBJECT} (?:{_MODAL} )?(?:be|is|are|stay|remain|have|has|contain|contains|use|consist of|fit in|fit within) (?:limited to |kept to |kept |capped at )?(?P<to>)?{_QUANTITY}",
        rf"(?:reply|answer|respond|write|speak) (?:in|with|using|within) {_QUANTITY}",
        rf"(?:use|write|ask|send|give|include|make) (?P<use>){_QUANTITY}{_IN_SUBJECT}",
        rf"(?:(?P<subjectless>)(?:(?:reply|answer|response|message) length[: ]\s*)?){_QUANTITY}(?P<per>{_IN_SUBJECT})",
    )
)

_COUNT_BANS: Final = tuple(
    _compiled(pattern)
    for pattern in (
        rf"(?:{_SUBJECT} )?(?:{_NOT}) (?:exceed|go over|go beyond|be longer than|be over|run over) (?P<number>{_NUMBER})[ -](?P<unit>{_UNIT}){_IN_SUBJECT}",
        rf"(?:{_SUBJECT} )?(?:{_NOT}) (?:use|write|send|ask|include|contain|have|reply with|answer with|respond with|give) more than (?P<number>{_NUMBER})[ -](?P<unit>{_UNIT}){_IN_SUBJECT}",
    )
)

_VERB: Final = r"(?:use|using|include|including|contain|add|adding|put|write|writing(?: in)?|send|sending|post|have|reply with|respond with|answer with|write in)"
_ABSENCE_RULES: Final = tuple(
    _compiled(pattern)
    for pattern in (
        rf"(?:you )?(?:{_NOT}) {_VERB} (?:any )?{_LIST}{_IN_SUBJECT}",
        rf"(?:avoid|no|without|refrain from|skip|omit|leave out|absolutely no|zero)(?: {_VERB})? (?:any )?{_LIST}{_IN_SUBJECT}(?: (?:please|at all))?",
        rf"{_SUBJECT} (?:{_NOT}) (?:contain|include|use|have) (?:any )?{_LIST}",
        rf"{_SUBJECT} (?:{_MODAL} )?(?:contain|include|have|use) no {_LIST}",
        rf"(?:keep|write) (?:{_SUBJECT} )(?:free of|free from|without) (?:any )?{_LIST}",
        rf"(?:reply|answer|respond|write) without (?:using |any )?{_LIST}",
        rf"(?:use|write|send) no {_LIST}{_IN_SUBJECT}",
        rf"{_LIST} (?:are|is) (?:not allowed|forbidden|prohibited|banned|off[ -]limits){_IN_SUBJECT}",
    )
)
_FORBIDDEN_FEATURES: Final = _compiled(rf"(?:{_VERB} )?(?:any )?{_LIST}{_IN_SUBJECT}")
_REQUIRED_FEATURE: Final = _compiled(
    rf"(?:{_SUBJECT} (?:must|should|shall|has to|have to|needs to|need to) (?:always )?(?:contain|include|have) "
    rf"|include (?=.* in {_SUBJECT}$))(?:an? |at least one |some )?(?P<features>{_FEATURE})(?: in {_SUBJECT})?"
)

_WORD: Final = r"(?:the )?(?:exact )?(?:words?|phrases?|terms?|expressions?|sentences?|text)"
_QUOTES: Final = rf"(?P<quotes>{QUOTED}(?:(?:,? (?:or|and|nor) |, |/| / ){QUOTED})*)"
_PHRASE_RULES: Final[tuple[tuple[str, bool, re.Pattern[str]], ...]] = tuple(
    (kind, negative, _compiled(pattern))
    for kind, negative, pattern in (
        (
            "not_contains",
            True,
            rf"(?:{_NOT}) (?:say|saying|utter){_IN_SUBJECT}(?: {_WORD})? {_QUOTES}{_IN_SUBJECT}",
        ),
        (
            "not_contains",
            True,
            rf"(?:avoid|refrain from) (?:saying|{_WORD}|(?:using|writing) {_WORD}) {_QUOTES}{_IN_SUBJECT}",
        ),
        ("not_contains", True, rf"(?:{_NOT}) (?:use|write|include|mention) {_WORD} {_QUOTES}{_IN_SUBJECT}"),
        ("not_contains", True, rf"(?:{_NOT}) (?:use|write|include|mention) {_QUOTES} in {_SUBJECT}"),
        (
            "not_contains",
            True,
            rf"{_SUBJECT} (?:{_NOT}) (?:contain|include|say|mention|use) (?:{_WORD} )?{_QUOTES}",
        ),
        (
            "contains",
            False,
            rf"{_SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:contain|include|say|mention|use) (?:{_WORD} )?{_QUOTES}",
        ),
        ("contains", False, rf"(?:include|use|mention|write) (?:{_WORD} )?{_QUOTES} in {_SUBJECT}"),
        ("contains", False, rf"(?:include|use) {_WORD} {_QUOTES}"),
        ("starts_with", False, rf"(?:start|begin|open) {_SUBJECT} with (?:{_WORD} )?{_QUOTES}"),
        (
            "starts_with",
            False,
            rf"{_SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:start|begin|open) with (?:{_WORD} )?{_QUOTES}",
        ),
        ("not_starts_with", True, rf"(?:{_NOT}) (?:start|begin|open) {_SUBJECT} with (?:{_WORD} )?{_QUOTES}"),
        ("not_starts_with", True, rf"{_SUBJECT} (?:{_NOT}) (?:start|begin|open) with (?:{_WORD} )?{_QUOTES}"),
        ("ends_with", False, rf"(?:end|close|finish|conclude) {_SUBJECT} with (?:{_WORD} )?{_QUOTES}"),
        (
            "ends_with",
            False,
            rf"{_SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:end|close|finish) with (?:{_WORD} )?{_QUOTES}",
        ),
        ("ends_with", False, r"sign off with (?P<quotes>" + QUOTED + ")"),
        (
            "not_ends_with",
            True,
            rf"(?:{_NOT}) (?:end|close|finish|conclude) {_SUBJECT} with (?:{_WORD} )?{_QUOTES}",
        ),
        ("not_ends_with", True, rf"{_SUBJECT} (?:{_NOT}) (?:end|close|finish) with (?:{_WORD} )?{_QUOTES}"),
    )
)

_FIXED_RULES: Final[tuple[tuple[RuleCheck, bool | None, re.Pattern[str]], ...]] = tuple(
    (check, negative, _compiled(pattern))
    for check, negative, pattern in (
        (
            RuleCheck("plain_text"),
            False,
            r"(?:(?:always )?(?:use|write|reply|answer|respond)(?: (?:only|in|with|as))* )?plain[ -]text(?: only)?(?:,? no markdown(?: formatting)?)?",
        ),
        (
            RuleCheck("plain_text"),
            False,
            rf"{_SUBJECT} (?:must|should|shall) be (?:in )?plain[ -]text(?: only)?|{_SUBJECT} (?:is|are) plain[ -]text(?: only)?",
        ),
        (
            RuleCheck("json"),
            False,
            r"(?:(?:only )?(?:reply|answer|respond|output|return)(?: (?:only|in|with|as))* )(?:valid |strict |pure )?json(?: only)?(?: objects?)?(?:,? (?:and )?nothing else)?",
        ),
        (
            RuleCheck("json"),
            False,
            rf"{_SUBJECT} (?:must|should|shall) be (?:in )?(?:valid |strict |pure )?json(?: only)?|(?:valid )?json only",
        ),
        (
            RuleCheck("lowercase"),
            False,
            r"(?:write|reply|answer|respond|type)(?: only)?(?: everything)? in (?:all )?lower[ -]?case(?: letters)?(?: only)?",
        ),
        (
            RuleCheck("lowercase"),
            True,
            rf"(?:(?:{_NOT}) use|no) (?:capital letters|capitals|upper[ -]?case(?: letters)?){_IN_SUBJECT}",
        ),
        (
            RuleCheck("no_first_person"),
            True,
            rf"(?:{_NOT}) (?:speak|write|reply|answer|respond|talk) in the first[ -]person",
        ),
        (RuleCheck("no_questions"), True, rf"(?:{_NOT}) ask (?:any )?questions{_IN_SUBJECT}"),
        (
            RuleCheck("ends_with", phrases=("?", "？")),
            False,
            rf"(?:end|close|finish) {_SUBJECT} with a question",
        ),
        (
            RuleCheck("not_ends_with", phrases=("?", "？")),
            True,
            rf"(?:{_NOT}) (?:end|close|finish) {_SUBJECT} with a question",
        ),
    )
)


def read_english(text: str) -> Reading | None:
    """Return what an English rule demands, or None where no pattern covers all of it.

    Args:
        text: One sentence without lead-in, markers and final stop.
    """
    return (
        _read_count(text)
        or _read_count_ban(text)
        or _read_absence(text)
        or _read_required_feature(text)
        or _read_phrases(text)
        or _read_fixed(text)
    )


def read_forbidden_act(text: str) -> Reading | None:
    """Return what follows from a bare act that a lead-in forbids, such as "use emoji" under "Must never:"."""
    if found := _FORBIDDEN_FEATURES.fullmatch(text):
        return _absence(found["features"])
    return read_english(f"never {text}") if re.match(r"[a-z]", text, re.IGNORECASE) else None


def _read_count(text: str) -> Reading | None:
    for pattern in _COUNT_RULES:
        if found := pattern.fullmatch(text):
            return _count_reading(found)
    return None


def _count_reading(found: re.Match[str]) -> Reading | None:
    unit = _unit(found["unit"])
    number, low = _number(found["number"]), found["low"]
    given = found.groupdict()
    bound, shift = _bound(found["bound"])
    if found["after"]:
        if bound:
            return None
        bound = next(name for name, pattern in _AFTER if re.fullmatch(pattern, found["after"], re.IGNORECASE))
    if found["plus"]:
        bound = "min" if not bound else ""
        if not bound:
            return None
    if low is not None:
        if bound == "max" and not shift:
            return Reading(count_check("max", unit, number), negative=False)
        if bound not in ("", "exact"):
            return None
        return Reading(count_check("between", unit, number, least=_number(low)), negative=False)
    if not bound:
        if "subjectless" in given and given["subjectless"] is not None:
            return None
        if (
            "use" in given
            and given["use"] is not None
            and not re.search("reply|response|answer", found.group(), re.IGNORECASE)
        ):
            return None
        bound = "max" if given.get("to") is not None else "exact"
    if bound == "min" and given.get("subjectless") is not None and not given.get("per"):
        return None
    denies = re.search(r"\b(?:no|not)\b", found["bound"] or "", re.IGNORECASE)
    return Reading(count_check(bound, unit, number + shift), negative=None if denies else False)


def _read_count_ban(text: str) -> Reading | None:
    for pattern in _COUNT_BANS:
        if found := pattern.fullmatch(text):
            return Reading(count_check("max", _unit(found["unit"]), _number(found["number"])), negative=True)
    return None


def _read_absence(text: str) -> Reading | None:
    for pattern in _ABSENCE_RULES:
        if found := pattern.fullmatch(text):
            return _absence(found["features"])
    return None


def _absence(words: str) -> Reading | None:
    named = re.split(r",? (?:or|and|nor) |, |/", words)
    return Reading(
        feature_check([_feature(re.sub(r"^any ", "", name, flags=re.IGNORECASE)) for name in named]),
        negative=True,
    )


def _read_required_feature(text: str) -> Reading | None:
    found = _REQUIRED_FEATURE.fullmatch(text)
    if found is None:
        return None
    feature = _feature(found["features"])
    return Reading(RuleCheck(f"has_{feature}"), negative=False) if feature in REQUIRABLE else None


def _read_phrases(text: str) -> Reading | None:
    for kind, negative, pattern in _PHRASE_RULES:
        if found := pattern.fullmatch(text):
            phrases, joined_by_or = phrases_in(found["quotes"])
            if kind == "contains" and joined_by_or:
                kind = "contains_any"
            if kind in ("starts_with", "ends_with") and len(phrases) > 1 and not joined_by_or:
                return None
            return Reading(RuleCheck(kind, phrases=phrases), negative=negative)
    return None


def _read_fixed(text: str) -> Reading | None:
    return next(
        (
            Reading(check, negative=negative)
            for check, negative, pattern in _FIXED_RULES
            if pattern.fullmatch(text)
        ),
        None,
    )


def _number(words: str) -> int:
    spelled = _NUMBER_WORDS.get(words.casefold())
    return spelled if spelled is not None else int(words.replace(",", ""))


def _named(words: str, table: tuple[tuple[str, str], ...]) -> str:
    return next(name for name, pattern in table if re.fullmatch(pattern, words, re.IGNORECASE))


def _unit(words: str) -> str:
    return _named(words, _UNITS)


def _feature(words: str) -> str:
    return _named(words, _FEATURES)


def _bound(words: str | None) -> tuple[str, int]:
    if not words:
        return "", 0
    return next(
        (name, shift) for name, pattern, shift in _BOUNDS if re.fullmatch(pattern, words, re.IGNORECASE)
    )
