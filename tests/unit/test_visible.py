"""Untrusted text on its way to a terminal: nothing of it acts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.models.visible_text import visible

ROWS = [
    pytest.param("\x1b[31mred\x1b[0m", "␛[31mred␛[0m", id="csi"),
    pytest.param("\x1b]0;title\x07", "␛]0;title␇", id="osc-and-bell"),
    pytest.param("\x9b31m", "<U+009B>31m", id="c1"),
    pytest.param("a\nb\tc\r", "a␊b␉c␍", id="line-ends-and-tabs"),
    pytest.param("\x7f", "␡", id="delete"),
    pytest.param("user\u202etxt.exe", "user<U+202E>txt.exe", id="bidi-override"),
    pytest.param("\u2066x\u2069", "<U+2066>x<U+2069>", id="bidi-isolate"),
    pytest.param("a\u200bb\ufeff", "a<U+200B>b<U+FEFF>", id="zero-width"),
    pytest.param("a\u2028b", "a<U+2028>b", id="line-separator"),
    pytest.param("\udcff.md", "<U+DCFF>.md", id="lone-surrogate"),
    pytest.param("\U000e0041", "<U+E0041>", id="tag"),
    pytest.param("a" + "\u0301" * 40, "a" + "\u0301" * 4 + "<36 marks>", id="combining-run"),
]
PLAIN = ["", "plain", "Ünïcödé", "规则：必须", "שלום", "🧪 👩‍👩‍👧", "[bold]not markup[/bold]", "e\u0301"]


@pytest.mark.parametrize(("text", "shown"), ROWS)
def test_what_would_act_is_shown_as_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_text_of_any_language_stays(text: str) -> None:
    assert visible(text) == text


def test_a_block_keeps_line_feeds_and_tabs_alone() -> None:
    assert visible("a\n\tb\r\x1b", block=True) == "a\n\tb␍␛"


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


@given(ANY_TEXT)
def test_nothing_that_acts_comes_through_and_everything_can_be_encoded(text: str) -> None:
    shown = visible(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_it_is_the_same_done_twice(text: str) -> None:
    assert visible(visible(text)) == visible(text)
