"""Patterns that are compiled late find what plain ones find, and are compiled no earlier."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.dialects.tag_words import NON_LATIN
from melleafy_tui.core.late_pattern import LatePattern, ScriptPattern
from melleafy_tui.generators.fixture_phrases import CHINESE

MIXED = st.text(st.sampled_from("a b\n→é—йあ一鿿\U0001f600"))


def test_a_pattern_is_compiled_when_a_text_is_held_against_it() -> None:
    late = LatePattern(r"b+", re.IGNORECASE)
    assert "compiled" not in vars(late)
    assert late.search("aBb")
    assert "compiled" in vars(late)


def test_a_pattern_of_a_script_is_not_compiled_for_a_text_without_it() -> None:
    script = ScriptPattern("[\u4e00-\u9fff]", first="\u4e00", last="\u9fff")
    assert not script.search("plain, — ’ é \U0001f600")
    assert script.sub("", "plain — ") == "plain — "
    assert "compiled" not in vars(script)


@given(MIXED)
def test_a_late_pattern_finds_what_a_plain_one_finds(text: str) -> None:
    for late in (LatePattern(r"\w+"), ScriptPattern("[\u4e00-\u9fff]+", first="\u4e00", last="\u9fff")):
        plain = re.compile(late.text)
        assert bool(late.search(text)) == bool(plain.search(text))
        assert bool(late.match(text)) == bool(plain.match(text))
        assert bool(late.fullmatch(text)) == bool(plain.fullmatch(text))
        assert late.sub("*", text) == plain.sub("*", text)
        assert [found.span() for found in late.finditer(text)] == [
            found.span() for found in plain.finditer(text)
        ]


@pytest.mark.parametrize("pattern", [CHINESE, NON_LATIN])
@given(character=st.characters())
def test_the_first_character_stands_before_all_that_a_pattern_names(
    pattern: ScriptPattern, character: str
) -> None:
    assert bool(pattern.search(character)) == bool(re.search(pattern.text, character))
