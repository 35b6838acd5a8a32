"""Plain words, summaries and directives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.wording import first_sentence, plain_text, shorten, summarise


@given(st.text(max_size=400), st.sampled_from(["", "Rule: "]))
def test_a_summary_has_at_most_a_hundred_characters_and_one_line(text: str, prefix: str) -> None:
    summary = summarise(text, prefix=prefix)
    assert len(summary) <= 100
    assert "\n" not in summary


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=20), min_size=1, max_size=40))
def test_a_summary_is_never_cut_inside_a_word(words: list[str]) -> None:
    cut = shorten(" ".join(words))
    assert all(word in words for word in cut.removesuffix("…").split())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**bold** and _it_ and `code`", "bold and it and code"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("[words](https://x.example) ![alt](a.png)", "words alt"),
        ("[[page|alias]] stays", "[[page|alias]] stays"),
        ("a <!-- note --> b", "a b"),
        ("`**kept**`", "**kept**"),
        ("***both*** ~~gone~~", "both gone"),
        ("{{ braces }} stay", "{{ braces }} stay"),
        ("lone ** star", "lone ** star"),
    ],
)
def test_plain_text(text: str, plain: str) -> None:
    assert plain_text(text) == plain


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "Never auto-close a ticket without confirmation.",
            "Rule: never auto-close a ticket without confirmation",
        ),
        ("GitHub issues come first.", "Rule: GitHub issues come first"),
        ("I speak softly.", "Rule: I speak softly"),
        ("API keys stay private.", "Rule: API keys stay private"),
        ("Rule: be kind.", "Rule: be kind"),
    ],
)
def test_the_prefix_goes_on_in_lower_case(text: str, summary: str) -> None:
    assert summarise(text, prefix="Rule: ") == summary


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("Use e.g. Bread. Then eat.", "Use e.g. Bread."),
        ("你好。再见。", "你好。"),
        ("v1.2 is out", "v1.2 is out"),
        ("不说“好的！”这种话。直接做。", "不说“好的！”这种话。"),
    ],
)
def test_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Never lie.", Polarity.FORBIDS),
        ("Don't shout.", Polarity.FORBIDS),
        ("When unsure, never guess.", Polarity.FORBIDS),
        ("You must not open it.", Polarity.FORBIDS),
        ("Emails: never send twice", Polarity.FORBIDS),
        ("No emojis.", Polarity.FORBIDS),
        ("不要发送", Polarity.FORBIDS),
        ("Никогда не удаляй", Polarity.FORBIDS),
        ("Nunca borres nada", Polarity.FORBIDS),
        ("Don't forget the keys.", Polarity.OBLIGES),
        ("No need to ask.", Polarity.PERMITS),
        ("You may leave.", Polarity.PERMITS),
        ("A short note may not leave out the greeting.", Polarity.FORBIDS),
        ("Feel free to explore.", Polarity.PERMITS),
        ("可以查看文件", Polarity.PERMITS),
        ("You may not leave.", Polarity.FORBIDS),
        ("You can only leave at noon.", Polarity.DESCRIBES),
        ("Keep replies short.", Polarity.OBLIGES),
        ("If it rains, close the window.", Polarity.OBLIGES),
        ("Tickets must be read.", Polarity.OBLIGES),
        ("必须先读", Polarity.OBLIGES),
        ("Siempre responde en español", Polarity.OBLIGES),
        ("The queue is handled elsewhere.", Polarity.DESCRIBES),
        ("Test results are on the board.", Polarity.DESCRIBES),
        ("Notes: none", Polarity.DESCRIBES),
        ("This is private: it holds what must not leak.", Polarity.DESCRIBES),
        ("It is for safety, because keys should never leak.", Polarity.DESCRIBES),
        ("Over time, review your notes.", Polarity.OBLIGES),
        ("When asked for bread → name the price", Polarity.OBLIGES),
        ("Tests first. No code without tests.", Polarity.FORBIDS),
        ("Small changes. Keep them under 300 lines.", Polarity.OBLIGES),
    ],
)
def test_polarity(text: str, polarity: Polarity) -> None:
    assert polarity_of(text) is polarity


def test_long_texts_take_time_in_proportion() -> None:
    text = "if x, " * 20_000 + "*a" * 20_000
    assert polarity_of(text) in Polarity
    assert len(summarise(text)) <= 100
