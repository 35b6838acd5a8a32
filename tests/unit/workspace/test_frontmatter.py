"""Frontmatter: only a mapping counts, lines are real, hostile YAML ends quickly (field-notes.md, Files)."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.workspace.frontmatter import _Loader, split_frontmatter


def test_a_mapping_with_the_lines_of_its_keys() -> None:
    head = split_frontmatter("---\nname: x\n\nclaims:\n  - a\n  - b\n---\nbody\n")
    assert head.data == {"name": "x", "claims": ["a", "b"]}
    assert (head.first_line, head.last_line, head.body_first_line) == (1, 7, 8)
    assert head.key_lines == {"name": 2, "claims": 4}
    assert head.problem == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end(end: str) -> None:
    head = split_frontmatter(end.join(("--- ", "name: x", "---", "body")))
    assert head.data == {"name": "x"}
    assert head.body_first_line == 4


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
            "---\nprose between rules\n---\n", "the block is no mapping", id="two rules round prose"
        ),
        pytest.param("---\n- a\n- b\n---\n", "the block is no mapping", id="a list"),
        pytest.param("---\n---\n", "the block is no mapping", id="empty"),
        pytest.param("---\nname: x\n", "the block is not closed", id="not closed"),
        pytest.param(
            "---\nname: x\ntext: a: b\n---\n", "the block is no YAML on line 3", id="unquoted colon"
        ),
        pytest.param(
            "---\nx: !!python/object/apply:os.system [ls]\n---\n", "the block is no YAML on line 2", id="code"
        ),
        pytest.param("---\na: &b [*b]\n---\n", "", id="an alias of itself"),
        pytest.param(
            "---\na: 0x\n? {b: c}\n: d\n---\n", "the block is no YAML on line 3", id="a mapping as a key"
        ),
    ],
)
def test_what_is_no_frontmatter_is_body(text: str, problem: str) -> None:
    head = split_frontmatter(text)
    if problem or not text.startswith("---\na: &b"):
        assert head.data is None
        assert (head.first_line, head.last_line, head.body_first_line) == (0, 0, 1)
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


@pytest.mark.parametrize(
    "value",
    ["x", "1", "01", "0x1F", "1_000", "1.5", ".5", "-.inf", "yes", "No", "true", "~", "null", "", "'1'", '"a\\nb"', "12:30",
     "2024-01-02", "[1, two, 'x']", "{a: 1, b: [c, ~]}", "|\n  text\n  more", ">\n  fold\n  it", "=", "<<", "a # c", "a: b",
     "\n  - a\n  - b: 2\n    c: yes", "\n  1: one\n  1: uno", "\n  ? k\n  : v", "\n  [a]: b", "...", "- x", "é", "'open", "\t"],
)  # fmt: skip
@pytest.mark.parametrize("key", ["name", "1", "yes", "'q'", "a b", "<<", "2024-01-02"])
def test_a_block_is_read_as_pyyaml_reads_it(key: str, value: str) -> None:
    block = f"{key}: {value}\nlast: 1"
    try:
        expected = yaml.load(block, Loader=_Loader)
    except (yaml.YAMLError, ValueError, TypeError):
        expected = None
    head = split_frontmatter(f"---\n{block}\n---\n")
    if expected is None:
        assert head.data is None
    else:
        assert head.data is not None
        assert repr(dict(head.data)) == repr({str(name): held for name, held in expected.items()})
        assert head.key_lines.get("last", 0) in (0, len(block.split("\n")) + 1)


def test_a_lone_surrogate_is_a_value_that_cannot_be_read() -> None:
    assert "cannot be read" in split_frontmatter("---\nname: \ud800\n---\n").problem
