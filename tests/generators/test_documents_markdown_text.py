"""Workspace text in Markdown renders as the very same words and opens nothing."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from melleafy_tui.generators.markdown_text import (
    cell,
    code_cell,
    code_span,
    fence,
    inline,
    one_line,
    shortened,
    shown_block,
)

MARKDOWN = MarkdownIt("gfm-like")
HARMLESS = {"text", "code_inline", "softbreak", "text_special"}

pieces = st.sampled_from(
    [
        "`",
        "``",
        "|",
        "*",
        "_",
        "[a](http://x.y)",
        "<b>",
        "&amp;",
        "\\",
        "![i](j)",
        "~~",
        "# ",
        "- ",
        "1. ",
        "> ",
        "---",
        "\n",
        "\r\n",
        "www.example.com",
        "me@example.com",
        "{{ 7*7 }}",
        "{% x %}",
        "[[link]]",
        "\x1b[31m",
        "\u202e",
        "a",
        "word",
        " ",
        "==",
        "<!--",
    ]
)
hostile = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=12).map("".join))


def shown_words(tokens: list[Token]) -> str:
    """Return what a reader sees of inline tokens; fail on any token that does something."""
    assert {token.type for token in tokens} <= HARMLESS, [token.type for token in tokens]
    return re.sub(r"\s+", " ", "".join(token.content for token in tokens)).strip()


def cells_of(row: str) -> list[Token]:
    tokens = MARKDOWN.parse(f"| a | b |\n|---|---|\n{row}\n")
    body = next(i for i, token in enumerate(tokens) if token.type == "tbody_open")
    return [token for token in tokens[body:] if token.type == "inline"]


@settings(max_examples=40)
@given(hostile)
@example("# heading")
@example("1. item")
@example("a_b __init__ _c_")
@example("mail me@example.com or see https://example.com/_x_`y`")
@example("=== \n---")
@example("\\")
def test_inline_text_renders_as_its_own_words(text: str) -> None:
    tokens = MARKDOWN.parse(inline(text))
    blocks = [token for token in tokens if token.type == "inline"]
    assert [
        token.type for token in tokens if token.type not in ("paragraph_open", "paragraph_close", "inline")
    ] == []
    assert shown_words([child for block in blocks for child in block.children or []]) == one_line(text)


@pytest.mark.parametrize("escape", [cell, code_cell], ids=["cell", "code_cell"])
@settings(max_examples=40)
@given(text=hostile)
@example(text="a|b")
@example(text="a\\|b")
@example(text="`|`")
@example(text="https://example.com/a|b")
@example(text="||")
def test_a_table_cell_stays_one_cell(escape: object, text: str) -> None:
    assert callable(escape)
    inlines = cells_of(f"| {escape(text)} | end |")
    assert len(inlines) == 2
    assert shown_words(inlines[0].children or []) == (one_line(text) or "–")
    assert inlines[1].content == "end"


@settings(max_examples=40)
@given(hostile)
@example("```\nx\n```")
@example("``````")
def test_a_fence_holds_its_text_whole(text: str) -> None:
    tokens = MARKDOWN.parse(f"{fence(text)}\n\nafter\n")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content.rstrip("\n") == shown_block(text).rstrip("\n")


@settings(max_examples=40)
@given(hostile.filter(lambda text: one_line(text) != ""))
@example("`a")
@example("a``b`")
def test_a_code_span_holds_its_text_whole(text: str) -> None:
    (block,) = (token for token in MARKDOWN.parse(f"x {code_span(text)} y") if token.type == "inline")
    kinds = [(child.type, child.content) for child in block.children or []]
    assert kinds == [("text", "x "), ("code_inline", one_line(text)), ("text", " y")]


@pytest.mark.parametrize(
    ("hidden", "sign"),
    [
        ("\x1b", "␛"),
        ("\x07", "␇"),
        ("\x7f", "␡"),
        ("\x9b", "<U+009B>"),
        ("\u202e", "<U+202E>"),
        ("\u200b", "<U+200B>"),
        ("\ud800", "<U+D800>"),
        ("\u2028", "<U+2028>"),
        ("\U000e0041", "<U+E0041>"),
        ("\ufeff", "<U+FEFF>"),
    ],
    ids=["esc", "bel", "del", "c1", "bidi", "zero-width", "surrogate", "line-separator", "tag", "bom"],
)
def test_hidden_characters_are_shown_as_signs(hidden: str, sign: str) -> None:
    assert shown_block(f"a{hidden}b") == f"a{sign}b"
    assert one_line(f"a{hidden}b") == f"a{sign}b"


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_nothing_hidden_is_left(text: str) -> None:
    assert all(
        character.isprintable()
        or character in "\n\t"
        or character.isspace()
        or character == "\u200c"
        or ord(character) > 0xA0
        for character in shown_block(text)
    )
    shown_block(text).encode("utf-8")


def test_joiners_of_emoji_and_persian_stay() -> None:
    assert shown_block("👩‍💻 می\u200cخواهم") == "👩‍💻 می\u200cخواهم"


def test_shortened_cuts_after_a_word() -> None:
    assert shortened("one two three", 9) == "one two…"
    assert shortened("one", 9) == "one"
    assert shortened("a" * 20, 5) == "aaaa…"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("see SOUL.md, then go", "see `SOUL.md`, then go"),
        ("(www.example.com)", "(`www.example.com`)"),
        ("heartbeat.every: 30m", "`heartbeat.every`: 30m"),
        ("e.g. this", "e.g. this"),
        ("snake_case and __dunder__", "snake_case and \\_\\_dunder\\_\\_"),
        ("2 * 3 < 7", "2 \\* 3 \\< 7"),
    ],
)
def test_plain_words_stay_readable_in_the_raw_file(text: str, markdown: str) -> None:
    assert inline(text) == markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("filled by m.instruct(format=...)", "filled by `m.instruct(format=...)`"),
        ('run os.system("true") now', 'run `os.system("true")` now'),
        ("(see SOUL.md).", "(see `SOUL.md`)."),
        ('"www.example.com",', '"`www.example.com`",'),
    ],
)
def test_a_call_keeps_its_brackets(text: str, shown: str) -> None:
    assert inline(text) == shown
