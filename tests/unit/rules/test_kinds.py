"""Every kind of check with text that passes and text that fails."""

import pytest

from melleafy_tui.core.language.checks.kinds import FEATURES, KINDS, UNITS, evaluate
from melleafy_tui.core.models.mapping import RuleCheck

TWO_OF: dict[str, str] = {
    "words": "good morning",
    "sentences": "It works, e.g. today. Version 3.5 is out!",
    "characters": "  ab\n",
    "lines": "one\n\n  \ntwo\n",
    "paragraphs": "one\nstill one\n\ntwo",
    "bullets": "List:\n- one\n* two\n1. no bullet",
    "list_items": "List:\n- one\n2. two",
    "questions": "Why?? See https://x.org/?q=1. Where？",
    "emoji": "Fine 👍 and ❤️, not ✓ or © or 3",
    "exclamation_marks": "Hi! `a != b` Oh！",
}
"""For each unit a text that has two of it."""

WITH_AND_WITHOUT: dict[str, tuple[list[str], list[str]]] = {
    "emoji": (["ok 🎉", "ok ☀️", "1️⃣", "🇮🇪"], ["ok ✓ → ™ 1 * #", "好的，没问题。"]),
    "exclamation_marks": (["Hi!", "好！"], ["a != b", "![alt](x.png) is markup", "Calm."]),
    "questions": (["Why?", "为什么？"], ["https://x.org/?a=b", "No."]),
    "links": (["see https://x.org", "www.x.org", "[a](b.md)"], ["see x", "[a] (b)"]),
    "tables": (
        ["a | b\n--- | ---\n1 | 2", "| a |\n|:-:|\n| 1 |"],
        ["a | b", "a\n---\nb", "```\na | b\n--- | ---\n```"],
    ),
    "headings": (["# One", "text\n### Two"], ["#tag", "```\n# comment\n```"]),
    "code_fences": (["```\nx\n```", "~~~\nx"], ["`x`", "text"]),
    "bullets": (["- a", "* a", "• a"], ["a - b", "1. a", "-5 degrees"]),
    "bold": (["**a**", "__a__"], ["a ** b", "snake__case__name", "2**3"]),
    "hashtags": (["#topic"], ["# heading", "issue #12", "a#b", "https://x.org/#top"]),
    "em_dashes": (["a — b"], ["a - b", "a – b"]),
    "first_person": (
        ["I think", "that is my view", "We did", "我认为"],
        ["You think", "i.e. this", "the US", "You did"],
    ),
    "markdown": (["**a**", "`a`", "- a", "# a", "[a](b)"], ["Plain words, 2 * 3 and a_b."]),
    "capitals": (["Hi"], ["hi, 你好 `CODE`"]),
}

PHRASES: list[tuple[RuleCheck, str, str]] = [
    (RuleCheck("contains", phrases=("Regards", "Yours")), "yours, regards", "regards only"),
    (RuleCheck("contains_any", phrases=("Yes", "No")), "no.", "nothing, yesterday"),
    (RuleCheck("not_contains", phrases=("as an AI", "sorry")), "it was an airplane", "Well, AS  AN\nAI."),
    (RuleCheck("starts_with", phrases=("Hello", "Hi")), "hi there", "High time"),
    (RuleCheck("not_starts_with", phrases=("Sure",)), "Surely", "sure, done"),
    (RuleCheck("ends_with", phrases=("Over",)), "Done. Over.", "Overt"),
    (RuleCheck("not_ends_with", phrases=("?", "？")), "What? That.", "What？"),
    (RuleCheck("without", phrases=("emoji", "links")), "plain", "see www.x.org"),
    (
        RuleCheck("permission_denied", phrases=("Bash(rm:*)",)),
        "`rm` is denied, so I did not run it.",
        "Run `rm -rf build`.",
    ),
    (RuleCheck("json"), '{"a": [1]}', "Here it is: {}"),
]


@pytest.mark.parametrize("unit", [unit.name for unit in UNITS])
def test_counted_kinds_pass_at_their_limit_and_fail_beyond(unit: str) -> None:
    text = TWO_OF[unit]
    for kind, passing, failing in (
        ("max", {"limit": 2}, {"limit": 1}),
        ("min", {"limit": 2}, {"limit": 3}),
        ("exact", {"limit": 2}, {"limit": 3}),
        ("between", {"least": 1, "limit": 2}, {"least": 3, "limit": 4}),
    ):
        assert evaluate(
            RuleCheck(f"{kind}_{unit}", limit=passing["limit"], least=passing.get("least", 0)), text
        )[0], kind
        kept, reason = evaluate(
            RuleCheck(f"{kind}_{unit}", limit=failing["limit"], least=failing.get("least", 0)), text
        )
        assert not kept, kind
        assert "has 2 " in reason


@pytest.mark.parametrize("feature", FEATURES)
def test_features_are_found_where_they_are_and_nowhere_else(feature: str) -> None:
    has, has_not = WITH_AND_WITHOUT[feature]
    absent = {"markdown": "plain_text", "capitals": "lowercase"}.get(feature, f"no_{feature}")
    for text in has:
        kept, reason = evaluate(RuleCheck(absent), text)
        assert not kept, text
        assert "leave out" in reason
    for text in has_not:
        assert evaluate(RuleCheck(absent), text) == (True, ""), text
    if f"has_{feature}" in KINDS:
        assert all(evaluate(RuleCheck(f"has_{feature}"), text)[0] for text in has)
        assert not any(evaluate(RuleCheck(f"has_{feature}"), text)[0] for text in has_not)


@pytest.mark.parametrize(
    ("check", "passing", "failing"), PHRASES, ids=[check.kind for check, _, _ in PHRASES]
)
def test_phrases_and_formats(check: RuleCheck, passing: str, failing: str) -> None:
    assert evaluate(check, passing) == (True, "")
    kept, reason = evaluate(check, failing)
    assert not kept
    assert reason
