"""Patterns that name words: none of them refuses a text for its words that it would match."""

import re
import string
from collections.abc import Iterable, Iterator
from re import _parser as re_parser  # type: ignore[attr-defined] # nothing public tells a pattern's alternatives
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from melleafy_tui.core import across, directives, inference, lead_ins
from melleafy_tui.core.dialects import tag_words
from melleafy_tui.core.dialects.openclaw import runtime_only, suggestions
from melleafy_tui.core.rules import english_wordings
from melleafy_tui.core.wording_pattern import WordingPattern, openings

MODULES = (across, directives, lead_ins, inference, tag_words, runtime_only, suggestions, english_wordings)


def _patterns(value: object) -> Iterator[WordingPattern]:
    """Yield a pattern, or those of a table's rows."""
    if isinstance(value, tuple):
        for part in value:
            yield from _patterns(part)
    else:
        pattern = getattr(value, "pattern", value)
        if isinstance(pattern, WordingPattern):
            yield pattern


NAMING = {
    f"{module.__name__.rpartition('.')[2]}.{name}.{number}": pattern
    for module in MODULES
    for name, value in vars(module).items()
    for number, pattern in enumerate(_patterns(value))
    if pattern.names_words
}


def test_patterns_that_name_words_are_found() -> None:
    assert {name.partition(".")[0] for name in NAMING} == {
        module.__name__.rpartition(".")[2] for module in MODULES
    }


def _texts(parsed: Iterable[tuple[object, Any]]) -> list[str]:
    """Return texts that a parsed pattern may match, at least one for each of its alternatives."""
    parts = [_texts_of(str(kind), value) for kind, value in parsed]
    plainest = [part[0] for part in parts]
    found = ["".join(plainest)]
    for place, part in enumerate(parts):
        found += ["".join((*plainest[:place], text, *plainest[place + 1 :])) for text in part[1:]]
    return found


def _texts_of(kind: str, value: Any) -> list[str]:
    match kind:
        case "LITERAL":
            return [chr(value)]
        case "BRANCH":
            return [text for branch in value[1] for text in _texts(branch)]
        case "SUBPATTERN":
            return _texts(value[-1])
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, _, repeated = value
            texts = _texts(repeated)
            if least:
                return [text * least for text in texts]
            return texts if texts == [" "] else ["", *texts]
        case "ANY" | "NOT_LITERAL" | "IN":
            chosen = re.compile("[^\n]" if kind == "ANY" else _class(kind, value), re.IGNORECASE)
            return [next(filter(chosen.fullmatch, " x1.,:;\"'`[(/#-*"), "")]
        case _:
            return [""]


def _class(kind: str, value: Any) -> str:
    """Return a class of characters as it is written."""
    if kind == "NOT_LITERAL":
        return f"[^{re.escape(chr(value))}]"
    written = ""
    for member, what in value:
        match str(member):
            case "NEGATE":
                written += "^"
            case "LITERAL":
                written += re.escape(chr(what))
            case "RANGE":
                written += f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}"
            case _:
                written += CATEGORIES[str(what)]
    return f"[{written}]"


CATEGORIES = {
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_DIGIT": r"\d",
}


def test_no_text_is_refused_for_its_words_that_an_alternative_matches() -> None:
    for name, pattern in NAMING.items():
        texts = [
            text
            for text in _texts(re_parser.parse(pattern.text, pattern.flags))
            if openings(text) is not None and pattern.compiled.search(text)
        ]
        assert len(texts) >= 2, f"{name}: so few alternatives were reached that the test says nothing"
        assert [text for text in texts if pattern.cannot_match(text)] == [], name


SEARCHED = {name: pattern for name, pattern in NAMING.items() if not name.startswith("english_wordings.")}
"""Patterns that are looked for anywhere in a text; what covers a text whole is drawn in `test_compile_rule.py`."""


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SEARCHED.values(), ids=SEARCHED)
@given(data=st.data())
@settings(
    max_examples=3, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None
)
def test_no_text_is_refused_for_its_words_that_a_pattern_matches(
    pattern: WordingPattern, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(pattern.compiled, alphabet=string.printable + "’“”‘—–…→✅≤"))
    assert not pattern.cannot_match(text)
    assert pattern.search(text)


def test_a_text_without_the_words_is_not_held_against_the_pattern() -> None:
    pattern = WordingPattern(r"\bask(?:ing)?\b|先问", words="ask asking")
    assert pattern.cannot_match("Send it to the guests.")
    assert not pattern.cannot_match("ASK the guests.")
    assert pattern.search("先问客人")
    assert "compiled" not in vars(WordingPattern(r"\bask\b", words="ask"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't send-offs", {"don", "t", "send", "offs"}),
        ("60words of HEARTBEAT_OK", {"word", "of", "hear", "ok"}),
        ("", set()),
        ("Don’t — “ever” → ✅", {"don", "t", "ever"}),
        ("回复 briefly", None),
        ("Résumé", None),
    ],
)
def test_openings_are_the_first_letters_of_each_english_word(text: str, found: set[str] | None) -> None:
    assert openings(text) == found


def test_case_of_a_pattern_that_reads_it_stays() -> None:
    pattern = WordingPattern(r"\bNO_REPLY\b", re.NOFLAG, words="reply")
    assert pattern.search("Say NO_REPLY.")
    assert not pattern.search("Say no_reply.")
