"""Text of a workspace enters emitted code only as literals that come back exactly."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.generators.literals import (
    block_lines,
    block_literal,
    displayed,
    fitted,
    identifier,
    literal,
    path_words,
    plain_words,
    string_literal,
)

ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("\"'\\\n\r\t\0{}\u2028\ud800\u202e🎫"))

HOSTILE = {
    "triple quotes": 'a """ b """',
    "ends in a quote": 'say "hello"',
    "ends in two quotes": 'x""',
    "many quotes": '"' * 7,
    "trailing backslash": "path\\",
    "backslashes before quotes": '\\"\\\\"',
    "carriage returns": "one\r\ntwo\rthree\n",
    "lone surrogate": "a\ud800b",
    "nul": "a\0b1",
    "line separator": "a\u2028b\u2029c\x85d\x0ce\x0bf",
    "bidirectional": "a\u202eb\u2066c",
    "braces": "{{ config }} {% x %} {0} %s",
    "emoji": "🎫 👩‍💻",
    "only newlines": "\n\n\n",
    "spaces at line ends": "a  \n  b\t\n",
    "empty": "",
}


def evaluated(source: str) -> object:
    return ast.literal_eval(ast.parse(f"({source})", mode="eval").body)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_comes_back_from_both_forms(text: str) -> None:
    for source in (string_literal(text), block_literal(text)):
        data = source.encode("utf-8")
        assert evaluated(data.decode("utf-8")) == text


@given(ANY_TEXT)
def test_any_text_comes_back_from_a_line(text: str) -> None:
    source = string_literal(text)
    assert "\n" not in source
    assert evaluated(source.encode().decode()) == text


@given(ANY_TEXT)
def test_any_text_comes_back_from_a_block(text: str) -> None:
    source = block_literal(text)
    assert evaluated(source.encode().decode()) == text
    assert len(block_lines(text)) == text.count("\n") + 1


@given(ANY_TEXT)
def test_a_literal_shows_nothing_invisible(text: str) -> None:
    assert all(character.isprintable() or character == "\n" for character in block_literal(text))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(ANY_TEXT, inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_plain_values_come_back(plain: object) -> None:
    assert evaluated(fitted(displayed(plain))) == plain


@pytest.mark.parametrize("refused", [object(), b"x", float("nan"), float("inf"), {1, 2}, [1]])
def test_what_is_no_plain_value_is_refused(refused: object) -> None:
    with pytest.raises(TypeError):
        literal(refused)


@given(ANY_TEXT)
def test_words_of_a_docstring_cannot_end_it(text: str) -> None:
    for words in (plain_words(text), path_words(text)):
        assert evaluated(f'"""{words}."""') == f"{words}." or "\\" in words
        assert "\n" not in words
        assert '"' not in words
        words.encode("utf-8")


@given(ANY_TEXT)
def test_an_identifier_is_one(text: str) -> None:
    import keyword

    name = identifier(text, fallback="thing")
    assert name.isidentifier()
    assert not keyword.iskeyword(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploy Notes!", "deploy_notes"),
        ("class", "class_"),
        ("2fa", "n2fa"),
        ("部署", "thing"),
        ("match", "match_"),
    ],
)
def test_identifiers(text: str, expected: str) -> None:
    assert identifier(text, fallback="thing") == expected
