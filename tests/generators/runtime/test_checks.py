"""The checks that packages get: texts that pass and texts that fail each of them, in tables."""

import json

import pytest

from melleafy_tui.core.package.permissions import shows_no_call
from melleafy_tui.generators.runtime.checks import (
    COUNTERS,
    PATTERNS,
    Check,
    at_least,
    at_most,
    between,
    has,
    in_texts,
    is_json,
    must_contain,
    must_end_with,
    must_not_contain,
    must_not_end_with,
    must_not_start_with,
    must_start_with,
    plain_text,
    without,
)
from melleafy_tui.generators.runtime.language_check import LITTLE_WORDS, SCRIPTS, in_language

TWO_OF: dict[str, list[str]] = {
    "words": ["good morning", "你好", "- - good (morning)!"],
    "sentences": [
        "It works, e.g. today. Version 3.5 is out!",
        "见。好！",
        "# Title\n- one item",
        "See x.org/a.b. Dr. Who…",
    ],
    "characters": ["  ab\n", "你好"],
    "lines": ["one\n\n  \ntwo\n", "a\r\nb", "a\rb"],
    "bullets": ["List:\n- one\n* two\n1. no bullet", "- a\n```\n- code\n```\n  • b"],
    "questions": ["Why?? See https://x.org/?q=1. Where？", "`a?` What? 何？？"],
    "emoji": ["Fine 👍 and ❤️, not ✓ or © or 3", "1️⃣ ☀️"],
    "exclamation marks": ["Hi! `a != b` Oh！", "!! and ![alt](x.png)"],
}

WITH_AND_WITHOUT: dict[str, tuple[list[str], list[str]]] = {
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
    "lists": (["1. a", "2) b", "- a"], ["a - b", "-5 degrees"]),
    "Markdown": (
        ["**a**", "`a`", "- a", "# a", "[a](b)", "~~~\nx", "a | b\n- | -"],
        ["Plain words, 2 * 3 and a_b."],
    ),
}


def field(**fields: object) -> str:
    return json.dumps(fields)


ROWS: list[tuple[str, Check, list[str], list[str]]] = [
    ("words", at_most(2, "words"), ["a b", ""], ["a b c", "你好吗"]),
    ("sentences", at_most(1, "sentences"), ["It is 3.5, see x.org/a.b now."], ["One. Two."]),
    ("characters", at_most(3, "characters"), [" abc "], ["abcd"]),
    ("one question", at_most(1, "questions"), ["Why? https://x.org/?a=b"], ["Why? Who?"]),
    ("calm", without("exclamation marks"), ["a != b"], ["Hi!"]),
    ("no links", without("links"), ["see x"], ["www.x.org"]),
    ("several", without("emoji", "links"), ["plain"], ["see www.x.org", "🎉"]),
    ("plain", plain_text(), ["Plain."], ["**a**"]),
    ("JSON", is_json(), ['{"a": [1]}', "3"], ["Here it is: {}", "", "[" * 200_000]),
    ("contains", must_contain("Regards", "Yours"), ["yours, regards"], ["regards only", ""]),
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
        "in all texts",
        in_texts(without("exclamation marks")),
        [field(a="Hi", b=[1, {"c": "x"}], d=True), "!", "[" * 200_000],
        [field(a="Hi", b=[1, {"c": "x!"}])],
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
    assert TWO_OF.keys() >= COUNTERS.keys()
    for unit, texts in TWO_OF.items():
        for text in texts:
            for kept in (at_most(2, unit), at_least(2, unit), between(1, 2, unit)):
                assert kept(text) == "", (unit, text)
            broken = (
                at_most(1, unit),
                at_least(3, unit),
                between(3, 4, unit),
            )
            assert [check(text).partition(";")[0] for check in broken] == [f"it has 2 {unit}"] * 3


def test_features_are_found_where_they_are_and_nowhere_else() -> None:
    of_markdown = {"bold text", "code spans", "links in Markdown"}
    assert WITH_AND_WITHOUT.keys() == (PATTERNS.keys() | {"Markdown"}) - of_markdown
    for feature, (found, missed) in WITH_AND_WITHOUT.items():
        for text in found:
            assert f"leave out {feature}" in without(feature)(text), (feature, text)
            assert has(feature)(text) == "", (feature, text)
        for text in missed:
            assert without(feature)(text) == "", (feature, text)
            assert has(feature)(text) == f"it has no {feature}"


IN_LANGUAGE: dict[str, str] = {
    "English": "The order is on its way, and you will have it by noon with all of the parts.",
    "German": "Die Bestellung ist unterwegs, und Sie haben sie bis Mittag mit einer Liste auf dem Tisch.",
    "Spanish": "El pedido está en camino y los datos del envío llegan con una nota por la tarde.",
    "Portuguese": "O pedido já não está em casa, os dados da entrega chegam com uma nota do armazém.",
    "French": "Le colis est en route et vous avez les papiers dans une lettre pour le client.",
    "Italian": "Il pacco è in viaggio e gli altri sono con il corriere, che non è in ritardo di molto.",
    "Russian": "Заказ уже в пути, и к полудню он будет у вас.",
    "Chinese": "订单已经在路上了，中午之前您就会收到全部零件。",
    "Japanese": "ご注文の品は配送中で、正午までにすべての部品が届きます。",
    "Korean": "주문하신 물건은 배송 중이며 정오까지 모두 도착합니다.",
}


def test_a_language_is_seen_where_it_shows_and_nowhere_else() -> None:
    assert IN_LANGUAGE.keys() == SCRIPTS.keys() | LITTLE_WORDS.keys()
    for told in IN_LANGUAGE:
        for language, text in IN_LANGUAGE.items():
            expected = "" if language == told else f"it is in {language}, not in {told}"
            assert in_language(told)(text) == expected, (told, language)
        for unclear in (
            "OK",
            "42",
            "```\nthe code and the rest is not for you, it is this\n```",
            "Wi-Fi: SSID Norte 5G",
        ):
            assert in_language(told)(unclear) == ""


def test_reasons_say_what_to_change() -> None:
    assert at_most(2, "words")("a b c") == "it has 3 words; at most 2 allowed"
    assert must_contain("a", "b")("a") == "it must contain 'b'"
    assert in_language("German")("This is the answer that you wanted, and it is not in German.").startswith(
        "it is in"
    )
    assert must_start_with("Hi", "Hey")("Oh") == "it must start with 'Hi' or 'Hey'"
