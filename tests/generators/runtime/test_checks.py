"""The checks that packages get: texts that pass and texts that fail each of them, in tables."""

import json
from typing import get_args

import pytest
from pydantic import BaseModel

from melleafy_tui.core.language.checks.kinds import KINDS, Family, evaluate
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.generators.code_layout import statement
from melleafy_tui.generators.requirements import check_expression
from melleafy_tui.generators.runtime import checks, permissions
from melleafy_tui.generators.runtime.checks import (
    Check,
    Feature,
    Unit,
    amounts_printed_in,
    at_least,
    at_most,
    at_most_characters,
    at_most_questions,
    at_most_sentences,
    at_most_words,
    between,
    exactly,
    field_is,
    field_is_not,
    has,
    in_field,
    in_model,
    in_texts,
    is_json,
    lowercase,
    must_contain,
    must_contain_any,
    must_end_with,
    must_not_contain,
    must_not_end_with,
    must_not_start_with,
    must_start_with,
    no_exclamation_marks,
    no_links,
    plain_text,
    without,
)
from melleafy_tui.generators.runtime.permissions import shows_no_call

TWO_OF: dict[Unit, list[str]] = {
    "words": ["good morning", "你好", "- - good (morning)!"],
    "sentences": [
        "It works, e.g. today. Version 3.5 is out!",
        "见。好！",
        "# Title\n- one item",
        "See x.org/a.b. Dr. Who…",
    ],
    "characters": ["  ab\n", "你好"],
    "lines": ["one\n\n  \ntwo\n", "a\r\nb", "a\rb"],
    "paragraphs": ["one\nstill one\n\ntwo", "a\r\n\r\nb\r\n \r\n"],
    "bullets": ["List:\n- one\n* two\n1. no bullet", "- a\n```\n- code\n```\n  • b"],
    "list items": ["List:\n- one\n2. two", "1) a\n2) b\n-5 degrees"],
    "questions": ["Why?? See https://x.org/?q=1. Where？", "`a?` What? 何？？"],
    "emoji": ["Fine 👍 and ❤️, not ✓ or © or 3", "1️⃣ ☀️"],
    "exclamation marks": ["Hi! `a != b` Oh！", "!! and ![alt](x.png)"],
}

WITH_AND_WITHOUT: dict[Feature, tuple[list[str], list[str]]] = {
    "emoji": (["ok 🎉", "ok ☀️", "1️⃣", "🇮🇪", "`🎉`"], ["ok ✓ → ™ 1 * #", "好的，没问题。"]),
    "exclamation marks": (["Hi!", "好！"], ["a != b", "![alt](x.png) is markup", "Calm.", "`rm!`"]),
    "questions": (["Why?", "为什么？"], ["https://x.org/?a=b", "No."]),
    "links": (["see https://x.org", "www.x.org", "[a](b.md)", "`http://x`"], ["see x", "[a] (b)"]),
    "tables": (
        ["a | b\n--- | ---\n1 | 2", "| a |\n|:-:|\n| 1 |", "a | b\r\n--- | ---\r\n", "|---"],
        ["a | b", "a\n---\nb", "```\na | b\n--- | ---\n```", "|", "--- | --- x", "a - b | c"],
    ),
    "headings": (["# One", "text\n### Two"], ["#tag", "```\n# comment\n```", "# "]),
    "code fences": (["```\nx\n```", "~~~\nx"], ["`x`", "text"]),
    "bullets": (["- a", "* a", "• a"], ["a - b", "1. a", "-5 degrees", "```\n- a\n```"]),
    "bold text": (["**a**", "__a__"], ["a ** b", "snake__case__name", "2**3", "`**a**`"]),
    "hashtags": (["#topic"], ["# heading", "issue #12", "a#b", "https://x.org/#top"]),
    "em dashes": (["a — b"], ["a - b", "a – b"]),
    "the first person": (
        ["I think", "that is my view", "We did", "我认为"],
        ["You think", "i.e. this", "the US", "You did", "`I`"],
    ),
    "Markdown": (
        ["**a**", "`a`", "- a", "# a", "[a](b)", "~~~\nx", "a | b\n- | -"],
        ["Plain words, 2 * 3 and a_b."],
    ),
    "capital letters": (["Hi", "ÉTÉ"], ["hi, 你好 `CODE`"]),
}


class Report(BaseModel):
    low: int
    high: int


def ordered(report: Report) -> str:
    return "" if report.low <= report.high else "low is above high"


def field(**fields: object) -> str:
    return json.dumps(fields)


INVOICE = "Qty 40 1,000.00, net 1.190,00 EUR, 12 500,50, 1'234.5, page 1.234, rate 19 %, 0.125 t, 7."

ROWS: list[tuple[str, Check, list[str], list[str]]] = [
    ("words", at_most_words(2), ["a b", ""], ["a b c", "你好吗"]),
    ("sentences", at_most_sentences(1), ["It is 3.5, see x.org/a.b now."], ["One. Two."]),
    ("characters", at_most_characters(3), [" abc "], ["abcd"]),
    ("one question", at_most_questions(1), ["Why? https://x.org/?a=b"], ["Why? Who?"]),
    ("calm", no_exclamation_marks(), ["a != b"], ["Hi!"]),
    ("no links", no_links(), ["see x"], ["www.x.org"]),
    ("several", without("emoji", "links"), ["plain"], ["see www.x.org", "🎉"]),
    ("plain", plain_text(), ["Plain."], ["**a**"]),
    ("lower", lowercase(), ["hi"], ["Hi"]),
    ("JSON", is_json(), ['{"a": [1]}', "3"], ["Here it is: {}", "", "[" * 200_000]),
    ("contains", must_contain("Regards", "Yours"), ["yours, regards"], ["regards only", ""]),
    ("contains any", must_contain_any("Yes", "No"), ["no."], ["nothing, yesterday"]),
    ("quotes", must_contain("it’s fine"), ["It's  FINE."], ["it is fine"]),
    ("Chinese", must_contain("谢谢"), ["非常谢谢你"], ["谢"]),
    ("lacks", must_not_contain("as an AI", "sorry"), ["it was an airplane"], ["Well, AS  AN\nAI.", "sorry"]),
    ("punctuation", must_not_contain("C++"), ["C+"], ["c++!"]),
    ("starts", must_start_with("Hello", "Hi"), ["hi there"], ["High time", "Oh, hi"]),
    ("starts not", must_not_start_with("Sure"), ["Surely"], ["sure, done"]),
    ("ends", must_end_with("Over"), ["Done. Over."], ["Overt", "over and out"]),
    ("ends not", must_not_end_with("?", "？"), ["What? That."], ["What？"]),
    (
        "denied call",
        shows_no_call("Bash(rm:*)"),
        ["`rm` is denied, so I did not run it."],
        ["Run `rm -rf build`."],
    ),
    (
        "in a field",
        in_field("reason", at_most_words(2)),
        [field(reason="a b", other="a b c"), field(other="a b c"), field(reason=None), "no JSON", "[1]"],
        [field(reason="a b c"), field(reason=["a b", {"x": "c"}])],
    ),
    (
        "in a field of a field",
        in_field("report.reason", must_contain("because")),
        [field(report={"reason": "because"}), field(report="x")],
        [field(report={"reason": "so"}), field(report={"reason": []})],
    ),
    (
        "in all texts",
        in_texts(no_exclamation_marks()),
        [field(a="Hi", b=[1, {"c": "x"}], d=True), "!", "[" * 200_000],
        [field(a="Hi", b=[1, {"c": "x!"}])],
    ),
    ("in a model", in_model(Report, ordered), [field(low=1, high=2), "{}"], [field(low=3, high=2)]),
    (
        "field is",
        field_is("kind", "pay"),
        [field(kind="pay"), field(other=1), "no JSON"],
        [field(kind="hold"), field(kind=None)],
    ),
    (
        "field is a number",
        field_is("report.rate", 19),
        [field(report={"rate": 19.0})],
        [field(report={"rate": 7})],
    ),
    ("field is not", field_is_not("kind", "pay"), [field(kind="hold"), field(other=1)], [field(kind="pay")]),
    ("field is not empty", field_is_not("kind", None), [field(kind=""), field()], [field(kind=None)]),
    (
        "amounts",
        amounts_printed_in(INVOICE, "amount"),
        [
            *(
                field(amount=amount)
                for amount in (40, 1000, 1190.0, 12500.5, 1234.5, 1234, 1.23, 19, 0.12, 7)
            ),
            *(field(amount=amount) for amount in (-1190, "1190.00", None, True, "much", [1])),
            "no JSON",
        ],
        [field(amount=amount) for amount in (119000, 1190.5, 401000, 125, 0, "1191", float("inf"))],
    ),
]


@pytest.mark.parametrize(
    ("check", "passing", "failing"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_each_check_passes_and_fails_where_it_should(
    check: Check, passing: list[str], failing: list[str]
) -> None:
    assert {text: check(text) for text in passing} == dict.fromkeys(passing, "")
    assert [text for text in failing if not check(text)] == []


def test_counted_checks_pass_at_their_limit_and_fail_beyond() -> None:
    assert TWO_OF.keys() == set(get_args(Unit))
    for unit, texts in TWO_OF.items():
        for text in texts:
            for kept in (at_most(2, unit), at_least(2, unit), exactly(2, unit), between(1, 2, unit)):
                assert kept(text) == "", (unit, text)
            broken = (
                at_most(1, unit),
                at_least(3, unit),
                exactly(3, unit),
                between(3, 4, unit),
                exactly(1, unit),
            )
            assert [check(text).partition(";")[0] for check in broken] == [f"it has 2 {unit}"] * 5


def test_features_are_found_where_they_are_and_nowhere_else() -> None:
    assert WITH_AND_WITHOUT.keys() == set(get_args(Feature))
    for feature, (found, missed) in WITH_AND_WITHOUT.items():
        for text in found:
            assert f"leave out {feature}" in without(feature)(text), (feature, text)
            assert has(feature)(text) == "", (feature, text)
        for text in missed:
            assert without(feature)(text) == "", (feature, text)
            assert has(feature)(text) == f"it has no {feature}"


def test_reasons_say_what_to_change() -> None:
    assert at_most_words(2)("a b c") == "it has 3 words; at most 2 allowed"
    assert must_contain("a", "b")("a") == "it must contain 'b'"
    assert must_start_with("Hi", "Hey")("Oh") == "it must start with 'Hi' or 'Hey'"
    assert (
        in_field("reason", at_most_words(1))(field(reason="a b"))
        == "reason: it has 2 words; at most 1 allowed"
    )
    assert field_is("kind", "pay")(field(kind="hold")) == "kind is not 'pay'"
    assert field_is_not("kind", "pay")(field(kind="pay")) == "kind is 'pay'"
    assert amounts_printed_in("1", "a", "b")(field(a=2, b=3)) == (
        "a 2.0 does not appear in the text; b 3.0 does not appear in the text"
    )
    assert field_is("kind", "pay", when=False)(field(kind="hold")) == ""
    assert field_is_not("kind", "pay", when=False)(field(kind="pay")) == ""


def sample(kind: str) -> RuleCheck:
    phrases: tuple[str, ...] = ()
    if kind == "without":
        phrases = ("emoji", "markdown")
    elif kind == "permission_denied":
        phrases = ("WebFetch(domain:x.org)",)
    elif "contains" in kind or kind.endswith("_with"):
        phrases = ("a {b} \\", 'say "x"')
    return RuleCheck(kind, limit=2, least=1 if KINDS[kind].family is Family.BETWEEN else 0, phrases=phrases)


TEXTS = [
    "",
    "abc",
    "{}",
    'a {b} \\ say "x"',
    'say "x"',
    "One. Two. Three!",
    "- A!? **b** 🎉 https://x.org I — #tag\n" * 3 + "```\n# x\n```\n\n# H\n\n| a |\n|---|\n\nx\n\n1. y",
    "A? b? c?",
    *(text for texts in TWO_OF.values() for text in texts if "- code" not in text),
    *(
        text
        for found, missed in WITH_AND_WITHOUT.values()
        for text in (*found, *missed)
        if "\n- a" not in text
    ),
]
"""None has a list in a code block: packages don't count it."""


def test_what_a_rule_says_is_printed_as_a_check_that_says_the_same() -> None:
    for kind in KINDS:
        code = "\n".join(statement("made = ", check_expression(sample(kind)))).removeprefix("made = ")
        check: Check = eval(code, {**vars(checks), **vars(permissions)})
        verdicts = {text: not check(text) for text in TEXTS}
        assert set(verdicts.values()) == {True, False}, kind
        assert verdicts == {text: evaluate(sample(kind), text)[0] for text in TEXTS}, kind
