"""Frontmatter: only a mapping counts, lines are real, hostile YAML ends quickly (field-notes.md, Files)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.frontmatter import split_frontmatter


def test_a_mapping_with_the_lines_of_its_keys() -> None:
    head = split_frontmatter("---\nname: x\n\nclaims:\n  - a\n  - b\n---\nbody\n")
    assert head.data == {"name": "x", "claims": ["a", "b"]}
    assert (head.first_line, head.last_line) == (1, 7)
    assert head.key_lines == {"name": 2, "claims": 4}
    assert head.problem == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end(end: str) -> None:
    head = split_frontmatter(end.join(("--- ", "name: x", "---", "body")))
    assert head.data == {"name": "x"}
    assert head.last_line == 3


def test_dates_stay_as_they_are_written() -> None:
    head = split_frontmatter("---\nday: 2026-02-03\nat: 2026-02-03T10:00:00Z\n---\n")
    assert head.data == {"day": "2026-02-03", "at": "2026-02-03T10:00:00Z"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("no block\n---\n", "", id="none"),
        pytest.param("text\n---\na: 1\n---\n", "", id="not at the head"),
        pytest.param("----\na: 1\n----\n", "", id="a longer rule"),
        pytest.param(
            "---\nprose between rules\n---\n", "the block is not a mapping", id="two rules round prose"
        ),
        pytest.param("---\n- a\n- b\n---\n", "the block is not a mapping", id="a list"),
        pytest.param("---\n---\n", "the block is not a mapping", id="empty"),
        pytest.param("---\nname: x\n", "the block is not closed", id="not closed"),
        pytest.param(
            "---\nname: x\ntext: a: b\n---\n", "the block is not valid YAML on line 3", id="unquoted colon"
        ),
        pytest.param(
            "---\nx: !!python/object/apply:os.system [ls]\n---\n",
            "the block is not valid YAML on line 2",
            id="code",
        ),
        pytest.param("---\na: &b [*b]\n---\n", "", id="an alias of itself"),
        pytest.param(
            "---\na: 0x\n? {b: c}\n: d\n---\n",
            "the block is not valid YAML on line 3",
            id="a mapping as a key",
        ),
    ],
)
def test_what_is_no_frontmatter_is_body(text: str, problem: str) -> None:
    head = split_frontmatter(text)
    if problem or not text.startswith("---\na: &b"):
        assert head.data is None
        assert (head.first_line, head.last_line) == (0, 0)
    assert head.problem == problem


def test_fields_of_a_block_with_an_unquoted_colon() -> None:
    head = split_frontmatter('---\nname: tidy\ndescription: Use when: the desk is full\nkind: "x"\n---\n')
    assert head.simple_fields == {"name": "tidy", "description": "Use when: the desk is full", "kind": "x"}


def test_prose_between_rules_has_no_fields() -> None:
    assert split_frontmatter("---\nHello: there\nand more\n---\n").simple_fields == {}


@pytest.mark.parametrize(
    ("block", "problem"),
    [
        pytest.param("a: " + "[" * 5_000, "nested too deep", id="nested lists"),
        pytest.param(
            "\n".join("  " * depth + "a:" for depth in range(40)), "nested too deep", id="nested mappings"
        ),
        pytest.param("- " * 5_000 + "a", "nested too deep", id="nested items"),
        pytest.param(
            "a: &a [x]\n" + "\n".join(f"b{n}: [{', '.join(['*a'] * 5)}]" for n in range(9)),
            "too many aliases",
            id="laughs",
        ),
        pytest.param("a: " + "x" * 200_000, "larger than the limit", id="size"),
    ],
)
def test_bounds(block: str, problem: str) -> None:
    head = split_frontmatter(f"---\n{block}\n---\n")
    assert head.data is None
    assert problem in head.problem


@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!#\"' \n"), max_size=80))
def test_any_block_is_read_or_refused(block: str) -> None:
    head = split_frontmatter(f"---\n{block}\n---\nbody\n")
    assert (head.data is None) == (head.last_line == 0)


def test_values_are_of_the_types_that_yaml_gives_them() -> None:
    block = "text: 12:30x\ncount: 0x1F\nshare: -0.5\nheld: No\nnone: ~\n1: [yes, '1']\nlong: >\n  a\n  b\n<<: {base: 1}"
    head = split_frontmatter(f"---\n{block}\nlast: a # note\n---\n")
    assert repr(head.data) == repr(
        {"base": 1, "text": "12:30x", "count": 31, "share": -0.5, "held": False, "none": None,
         "1": [True, "1"], "long": "a b\n", "last": "a"}
    )  # fmt: skip
    assert head.key_lines["last"] == 12


@pytest.mark.parametrize("value", ["!!int ''", "!!bool maybe", "!!float x", '"\ud800"'])
def test_a_value_that_cannot_be_read(value: str) -> None:
    assert "cannot be read" in split_frontmatter(f"---\nname: {value}\n---\n").problem


@pytest.mark.parametrize("end", ["\x0c", "\xa0"])
def test_white_space_that_yaml_does_not_know_closes_nothing(end: str) -> None:
    assert split_frontmatter(f"---\nname: x\n---{end}").problem == "the block is not closed"


@pytest.mark.parametrize(
    "rest",
    ["", "\n", "\n\n# Bread\n\nBake it.\n", "\n# Bread\n", "\n\nBake it.\n\n---\n\n- Cool it: slowly.\n"],
)
def test_the_fields_of_a_block_that_nobody_closed_are_read(rest: str) -> None:
    head = split_frontmatter(f"---\nname: bread\ndescription: Bakes.{rest}")
    assert (head.data, head.simple_fields) == (None, {"name": "bread", "description": "Bakes."})
    assert head.simple_last_line == 3
