"""Block structure and segments: exact lines for any text, and what surrounds an item."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.markdown import MAX_NESTING, is_blank, parse_markdown
from melleafy_tui.core.source.segments import cut_sections, cut_segments


def source(text: str) -> SourceFile:
    return SourceFile("X.md", text.encode("utf-8", "surrogatepass"), text)


LINES = st.sampled_from(
    [
        "", "   ", "\t", "# One", "## Two #", "Title", "===", "---", "***", "- item", "* other", "+ plus", "-", "1. first", "2) second",
        "  - nested", "    deeper", "      - deepest", "> quote", "> - quoted item", ">", ">> twice", "```sh", "```", "~~~", "~~~~", "    code",
        "| a | b |", "|---|---|", "| 1 | 2 |", "<!-- one -->", "<!-- open", "-->", "<div>", "</div>", "[ref]: http://x.example", "**Bold**",
        "**Label:**", "Lead-in:", "plain words", "- [ ] task", "- [x] done", "\f", "\x0b", "\u2028", "\u00a0", "a\fb", "x\u0085y", "- **Name:** v",
        "- - twice", "- # heading in item", "1. > quote in item", "- ```", "\ufeff", "\\", "a: b", "tasks:", "*", "+", "0.",
    ]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def markdown(draw: st.DrawFn) -> str:
    count = draw(st.integers(0, 25))
    text = "".join(draw(LINES) + draw(ENDS) for _ in range(count))
    return text + (draw(LINES) if draw(st.booleans()) else "")


@given(markdown())
def test_every_line_that_shows_something_is_in_exactly_one_block(text: str) -> None:
    file = source(text)
    blocks = parse_markdown(file.lines).blocks
    held = [number for block in blocks for number in range(block.first, block.last + 1)]
    assert len(held) == len(set(held))
    filled = {number for number, line in enumerate(file.lines, 1) if not is_blank(line)}
    assert filled <= set(held)
    assert [block.first for block in blocks] == sorted(block.first for block in blocks)
    assert all(
        not is_blank(file.lines[block.first - 1]) and not is_blank(file.lines[block.last - 1])
        for block in blocks
    )


@given(markdown())
def test_pieces_and_sections_hold_every_line_once(text: str) -> None:
    file = source(text)
    filled = {number for number, line in enumerate(file.lines, 1) if not is_blank(line)}
    for cuts in (cut_segments(file), cut_sections(file)):
        held = [number for cut in cuts for number in range(cut.first, cut.last + 1)]
        assert len(held) == len(set(held))
        assert filled <= set(held)


@given(st.text(max_size=200))
def test_any_text_at_all_is_cut(text: str) -> None:
    file = source(text)
    held = {number for segment in cut_segments(file) for number in range(segment.first, segment.last + 1)}
    assert {number for number, line in enumerate(file.lines, 1) if not is_blank(line)} <= held


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_line_numbers_are_those_of_an_editor(end: str) -> None:
    text = end.join(["# A", "", "word\fword", "x\u2028y", "", "- item", "  wrapped"])
    kinds = [(segment.kind, segment.first, segment.last) for segment in cut_segments(source(text))]
    assert kinds == [("heading", 1, 1), ("paragraph", 3, 4), ("item", 6, 7)]


def test_frontmatter_counts_lines_and_a_rule_round_prose_is_body() -> None:
    assert [(b.kind, b.first, b.last) for b in parse_markdown(["---", "a: 1", "---", "text"]).blocks] == [
        ("frontmatter", 1, 3),
        ("paragraph", 4, 4),
    ]
    assert parse_markdown(["---", "", "prose", "", "---", "", "more"]).blocks[0].kind == "rule"


def test_a_hash_in_a_fence_is_no_heading_and_an_open_fence_is_told() -> None:
    blocks = parse_markdown(["```", "# no", "```", "~~~", "# no"]).blocks
    assert [(block.kind, block.closed) for block in blocks] == [("fence", True), ("fence", False)]


def test_depth_is_bounded_and_nothing_is_lost() -> None:
    file = source("\n".join("  " * depth + "- x" for depth in range(MAX_NESTING * 2)))
    held = {number for segment in cut_segments(file) for number in range(segment.first, segment.last + 1)}
    assert held == set(range(1, MAX_NESTING * 2 + 1))


def test_hard_wrapped_items_are_joined_and_cjk_gets_no_space() -> None:
    texts = [segment.text for segment in cut_segments(source("- one\n  two\n- 不要\n  删除"))]
    assert texts == ["one two", "不要删除"]


def test_lead_in_parents_and_heading_reach_the_nested_item() -> None:
    segments = cut_segments(source("## Mail\n\nMust never:\n\n- send letters to:\n  - strangers\n"))
    nested = segments[-1]
    assert nested.section == ("Mail",)
    assert nested.context == ("Must never:", "send letters to:")
    assert segments[1].kind == "lead_in"


def test_bold_only_lines_are_headings_below_the_real_ones() -> None:
    segments = cut_segments(source("# Top\n\n**Mail**\n\n- a\n\n**Post**\n\n- b\n\n# Next\n\n- c\n"))
    assert [segment.section for segment in segments if segment.kind == "item"] == [
        ("Top", "Mail"),
        ("Top", "Post"),
        ("Next",),
    ]


def test_a_fence_is_joined_with_the_text_that_introduces_it() -> None:
    (segment,) = cut_segments(source("Use this form:\n\n```\nx\n```\n"))
    assert (segment.kind, segment.first, segment.last, segment.lead_in) == ("fence", 1, 5, "Use this form:")


def test_table_rows_carry_their_header_and_items_their_list() -> None:
    segments = cut_segments(source("Limits:\n\n| what | most |\n|---|---|\n| words | 9 |\n\n1. a\n2. b\n"))
    row = next(segment for segment in segments if segment.kind == "table_row")
    assert (row.cells, row.header, row.lead_in) == (("words", "9"), ("what", "most"), "Limits:")


def test_a_long_line_takes_time_in_proportion() -> None:
    text = "- " + "*a `b " * 60_000 + "\n" + re.sub("x", "[", "x" * 50_000)
    assert cut_segments(source(text))[-1].last == 2
