"""English wording tables: numbers, units, features, and the patterns that each match a whole rule."""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.language.checks.kinds import QUOTED
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.mapping import RuleCheck

NUMBER_WORDS: Final = {
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

UNITS: Final[tuple[tuple[str, str], ...]] = (
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

FEATURES: Final[tuple[tuple[str, str], ...]] = (
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

NUMBER: Final = r"\d{1,3}(?:,\d{3})+|\d{1,6}|" + "|".join(
    sorted(map(re.escape, NUMBER_WORDS), key=len, reverse=True)
)
UNIT: Final = "|".join(f"(?:{pattern})" for _, pattern in UNITS)
FEATURE: Final = "|".join(f"(?:{pattern})" for _, pattern in FEATURES)
SUBJECT: Final = (
    r"(?:(?:all|every|each|any|your|the|a|an|our|its|my)(?: of your| of the| single)? )?(?:final |written |own )?"
    r"(?:repl(?:y|ies)|answers?|responses?|outputs?|messages?|reply text|output text)"
)
IT: Final = r"(?:it|them|things|everything|everything you (?:say|write|send))"
IN_SUBJECT: Final = (
    rf"(?: (?:in|from|to|per|for|within) {SUBJECT}| per turn| at (?:a|one) time| at once|,? ever| anywhere)?"
)
MODAL: Final = r"(?:must|should|shall|may|can|need to|have to|has to|will|are to|is to)"
NOT: Final = (
    r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|may not|shall not)(?: ever)?"
)

BOUNDS: Final[tuple[tuple[str, str, int], ...]] = (
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
AFTER: Final[tuple[tuple[str, str], ...]] = (
    ("max", r"(?:or (?:less|fewer|shorter)|at most|max(?:imum)?|tops)"),
    ("min", r"(?:or more|at least|min(?:imum)?|and up)"),
)


def _quantity_pattern() -> str:
    bounds = "|".join(pattern for _, pattern, _ in BOUNDS)
    after = "|".join(pattern for _, pattern in AFTER)
    return (
        rf"(?:(?P<bound>{bounds}) )?(?:between )?(?:(?P<low>{NUMBER})(?:\s?[-–—]\s?| to | and | or ))?"
        rf"(?P<number>{NUMBER})(?P<plus>\+)?[ -](?P<unit>{UNIT})(?: long| in length)?(?: (?P<after>{after}))?"
    )


QUANTITY: Final = _quantity_pattern()
LIST: Final = rf"(?P<features>(?:{FEATURE})(?:(?:,? (?:or|and|nor) |, |/)(?:any |no )?(?:{FEATURE}))*)"


NAMES_A_QUANTITY: Final = LazyRegex(rf"\b(?:{NUMBER})\+?[ -](?:{UNIT})", re.IGNORECASE)
NAMES_A_FEATURE: Final = LazyRegex(rf"\b(?:{FEATURE})", re.IGNORECASE)
"""Words of the patterns below; most rules contain neither, so the long patterns needn't be compiled for them."""

COUNT_RULES: Final = (
    LazyRegex(
        rf"(?:keep|limit|restrict|cap|hold|make|write) (?:{SUBJECT}|{IT}) (?:(?:to|at|within|in|short,) )?(?P<to>){QUANTITY}",
        re.IGNORECASE,
    ),
    LazyRegex(
        rf"{SUBJECT} (?:{MODAL} )?(?:be|is|are|stay|remain|have|has|contain|contains|use|consist of|fit in|fit within) (?:limited to |kept to |kept |capped at )?(?P<to>)?{QUANTITY}",
        re.IGNORECASE,
    ),
    LazyRegex(rf"(?:reply|answer|respond|write|speak) (?:in|with|using|within) {QUANTITY}", re.IGNORECASE),
    LazyRegex(
        rf"(?:(?:reply|answer|respond) with|compose|draft|give|prepare|produce|send|write) {SUBJECT} (?:(?:of|with|that (?:is|has)) )?{QUANTITY}",
        re.IGNORECASE,
    ),
    LazyRegex(rf"(?:use|write|ask|send|give|include|make) (?P<use>){QUANTITY}{IN_SUBJECT}", re.IGNORECASE),
    LazyRegex(
        rf"(?:(?P<subjectless>)(?:(?:reply|answer|response|message) length[: ]\s*)?){QUANTITY}(?P<per>{IN_SUBJECT})",
        re.IGNORECASE,
    ),
)

COUNT_BANS: Final = (
    LazyRegex(
        rf"(?:{SUBJECT} )?(?:{NOT}) (?:exceed|go over|go beyond|be longer than|be over|run over) (?P<number>{NUMBER})[ -](?P<unit>{UNIT}){IN_SUBJECT}",
        re.IGNORECASE,
    ),
    LazyRegex(
        rf"(?:{SUBJECT} )?(?:{NOT}) (?:use|write|send|ask|include|contain|have|reply with|answer with|respond with|give) more than (?P<number>{NUMBER})[ -](?P<unit>{UNIT}){IN_SUBJECT}",
        re.IGNORECASE,
    ),
    LazyRegex(
        rf"(?:{NOT}) (?:compose|draft|give|produce|send|write) {SUBJECT} (?:(?:of|with) )?(?:more than|longer than|over) (?P<number>{NUMBER})[ -](?P<unit>{UNIT}){IN_SUBJECT}",
        re.IGNORECASE,
    ),
)

VERB: Final = r"(?:use|using|include|including|contain|add|adding|put|write|writing(?: in)?|send|sending|post|have|reply with|respond with|answer with|write in)"
ABSENCE_RULES: Final = (
    LazyRegex(rf"(?:you )?(?:{NOT}) {VERB} (?:any )?{LIST}{IN_SUBJECT}", re.IGNORECASE),
    LazyRegex(
        rf"(?:avoid|no|without|refrain from|skip|omit|leave out|absolutely no|zero)(?: {VERB})? (?:any )?{LIST}{IN_SUBJECT}(?: (?:please|at all))?",
        re.IGNORECASE,
    ),
    LazyRegex(rf"{SUBJECT} (?:{NOT}) (?:contain|include|use|have) (?:any )?{LIST}", re.IGNORECASE),
    LazyRegex(rf"{SUBJECT} (?:{MODAL} )?(?:contain|include|have|use) no {LIST}", re.IGNORECASE),
    LazyRegex(rf"(?:keep|write) (?:{SUBJECT} )(?:free of|free from|without) (?:any )?{LIST}", re.IGNORECASE),
    LazyRegex(rf"(?:reply|answer|respond|write) without (?:using |any )?{LIST}", re.IGNORECASE),
    LazyRegex(rf"(?:use|write|send) no {LIST}{IN_SUBJECT}", re.IGNORECASE),
    LazyRegex(
        rf"{LIST} (?:are|is) (?:not allowed|forbidden|prohibited|banned|off[ -]limits){IN_SUBJECT}",
        re.IGNORECASE,
    ),
)
FORBIDDEN_FEATURES: Final = LazyRegex(rf"(?:{VERB} )?(?:any )?{LIST}{IN_SUBJECT}", re.IGNORECASE)
REQUIRED_FEATURE: Final = LazyRegex(
    rf"(?:{SUBJECT} (?:must|should|shall|has to|have to|needs to|need to) (?:always )?(?:contain|include|have) "
    rf"|include (?=.* in {SUBJECT}$))(?:an? |at least one |some )?(?P<features>{FEATURE})(?: in {SUBJECT})?",
    re.IGNORECASE,
)

WORD: Final = r"(?:the )?(?:exact )?(?:words?|phrases?|terms?|expressions?|sentences?|text)"
QUOTES: Final = rf"(?P<quotes>{QUOTED}(?:(?:,? (?:or|and|nor) |, |/| / ){QUOTED})*)"
PHRASE_RULES: Final[tuple[tuple[str, bool, LazyRegex], ...]] = (
    (
        "not_contains",
        True,
        LazyRegex(
            rf"(?:{NOT}) (?:say|write|utter){IN_SUBJECT}(?: {WORD})? {QUOTES}{IN_SUBJECT}", re.IGNORECASE
        ),
    ),
    (
        "not_contains",
        True,
        LazyRegex(
            rf"(?:avoid|refrain from) (?:saying|{WORD}|(?:using|writing) {WORD}) {QUOTES}{IN_SUBJECT}",
            re.IGNORECASE,
        ),
    ),
    (
        "not_contains",
        True,
        LazyRegex(rf"(?:{NOT}) (?:use|write|include|mention) {WORD} {QUOTES}{IN_SUBJECT}", re.IGNORECASE),
    ),
    (
        "not_contains",
        True,
        LazyRegex(rf"(?:{NOT}) (?:use|write|include|mention) {QUOTES} in {SUBJECT}", re.IGNORECASE),
    ),
    (
        "not_contains",
        True,
        LazyRegex(
            rf"{SUBJECT} (?:{NOT}) (?:contain|include|say|mention|use) (?:{WORD} )?{QUOTES}", re.IGNORECASE
        ),
    ),
    (
        "contains",
        False,
        LazyRegex(
            rf"{SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:contain|include|say|mention|use) (?:{WORD} )?{QUOTES}",
            re.IGNORECASE,
        ),
    ),
    (
        "contains",
        False,
        LazyRegex(rf"(?:include|use|mention|write) (?:{WORD} )?{QUOTES} in {SUBJECT}", re.IGNORECASE),
    ),
    ("contains", False, LazyRegex(rf"(?:include|use) {WORD} {QUOTES}", re.IGNORECASE)),
    (
        "starts_with",
        False,
        LazyRegex(rf"(?:start|begin|open) (?:{SUBJECT} )?with (?:{WORD} )?{QUOTES}", re.IGNORECASE),
    ),
    (
        "starts_with",
        False,
        LazyRegex(
            rf"{SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:start|begin|open) with (?:{WORD} )?{QUOTES}",
            re.IGNORECASE,
        ),
    ),
    (
        "not_starts_with",
        True,
        LazyRegex(rf"(?:{NOT}) (?:start|begin|open) (?:{SUBJECT} )?with (?:{WORD} )?{QUOTES}", re.IGNORECASE),
    ),
    (
        "not_starts_with",
        True,
        LazyRegex(rf"{SUBJECT} (?:{NOT}) (?:start|begin|open) with (?:{WORD} )?{QUOTES}", re.IGNORECASE),
    ),
    (
        "ends_with",
        False,
        LazyRegex(rf"(?:end|close|finish|conclude) (?:{SUBJECT} )?with (?:{WORD} )?{QUOTES}", re.IGNORECASE),
    ),
    (
        "ends_with",
        False,
        LazyRegex(
            rf"{SUBJECT} (?:must|should|shall|has to|have to) (?:always )?(?:end|close|finish) with (?:{WORD} )?{QUOTES}",
            re.IGNORECASE,
        ),
    ),
    ("ends_with", False, LazyRegex(r"sign off with (?P<quotes>" + QUOTED + ")", re.IGNORECASE)),
    (
        "not_ends_with",
        True,
        LazyRegex(
            rf"(?:{NOT}) (?:end|close|finish|conclude) (?:{SUBJECT} )?with (?:{WORD} )?{QUOTES}",
            re.IGNORECASE,
        ),
    ),
    (
        "not_ends_with",
        True,
        LazyRegex(rf"{SUBJECT} (?:{NOT}) (?:end|close|finish) with (?:{WORD} )?{QUOTES}", re.IGNORECASE),
    ),
)

PLAIN_TEXT_WITHOUT: Final = LazyRegex(
    rf"(?:(?:use|write|reply|answer|respond)(?: (?:only|in|with|as))* )?plain[ -]text(?: only)?[,;:]? (?:and )?(?:no|without) {LIST}",
    re.IGNORECASE,
)
MARKUP: Final = frozenset({"markdown", "headings", "tables", "code_fences", "bullets", "bold"})
"""Features that plain text never has."""

FIXED_RULES: Final[tuple[tuple[RuleCheck, bool | None, LazyRegex], ...]] = (
    (
        RuleCheck("plain_text"),
        False,
        LazyRegex(
            r"(?:(?:always )?(?:use|write|reply|answer|respond)(?: (?:only|in|with|as))* )?plain[ -]text(?: only)?",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("plain_text"),
        False,
        LazyRegex(
            rf"{SUBJECT} (?:must|should|shall) be (?:in )?plain[ -]text(?: only)?|{SUBJECT} (?:is|are) plain[ -]text(?: only)?",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("json"),
        False,
        LazyRegex(
            r"(?:(?:only )?(?:reply|answer|respond|output|return)(?: (?:only|in|with|as))* )(?:valid |strict |pure )?json(?: only)?(?: objects?)?(?:,? (?:and )?nothing else)?",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("json"),
        False,
        LazyRegex(
            rf"{SUBJECT} (?:must|should|shall) be (?:in )?(?:valid |strict |pure )?json(?: only)?|(?:valid )?json only",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("lowercase"),
        False,
        LazyRegex(
            r"(?:write|reply|answer|respond|type)(?: only)?(?: everything)? in (?:all )?lower[ -]?case(?: letters)?(?: only)?",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("lowercase"),
        True,
        LazyRegex(
            rf"(?:(?:{NOT}) use|no) (?:capital letters|capitals|upper[ -]?case(?: letters)?){IN_SUBJECT}",
            re.IGNORECASE,
        ),
    ),
    (
        RuleCheck("no_first_person"),
        True,
        LazyRegex(
            rf"(?:{NOT}) (?:speak|write|reply|answer|respond|talk) in the first[ -]person", re.IGNORECASE
        ),
    ),
    (
        RuleCheck("no_questions"),
        True,
        LazyRegex(rf"(?:{NOT}) ask (?:any )?questions{IN_SUBJECT}", re.IGNORECASE),
    ),
    (
        RuleCheck("ends_with", phrases=("?", "？")),
        False,
        LazyRegex(rf"(?:end|close|finish) {SUBJECT} with a question", re.IGNORECASE),
    ),
    (
        RuleCheck("not_ends_with", phrases=("?", "？")),
        True,
        LazyRegex(rf"(?:{NOT}) (?:end|close|finish) {SUBJECT} with a question", re.IGNORECASE),
    ),
)
