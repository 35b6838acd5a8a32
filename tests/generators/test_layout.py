"""What the printer writes is what `ruff format` would write (spec/package.md 1)."""

import ast
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.generators import code_layout as layout
from melleafy_tui.generators.code_layout import (
    Expression,
    Group,
    Raw,
    assignment,
    call,
    listing,
    mapping,
    parameters,
    statement,
    tupled,
    value,
)
from tests.generators.emitting import ruff_format_changes


def assert_stable(*modules: list[str]) -> None:
    """Hold modules, each given as its lines, against what ruff makes of them at its defaults."""
    sources = ["\n".join(lines) + "\n" for lines in modules]
    for source in sources:
        ast.parse(source)
    assert ruff_format_changes(source.encode() for source in sources) == ""


TEXT = st.text(
    st.sampled_from("abc \"'\\\n\r\t{}é日🎫\u0301\u200d") | st.characters(codec="utf-8"), max_size=110
) | st.integers(min_value=50, max_value=95).map(lambda length: "x" * length)

NAME = st.sampled_from(["a", "config", "load_working_state", "a_rather_long_name_of_a_function_for_the_host"])


def test_assigned_text_is_stable() -> None:
    modules: list[list[str]] = []

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.tuples(NAME, TEXT), min_size=1, max_size=12))
    def drawn(pairs: list[tuple[str, str]]) -> None:
        modules.append([line for name, text in pairs for line in assignment(f"{name.upper()}: Final", text)])

    drawn()
    assert_stable(*modules)


def _expressions() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(TEXT.map(value), NAME.map(Raw), st.integers().map(value))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(listing),
            st.lists(inner, max_size=4).map(tupled),
            st.lists(st.tuples(TEXT, inner), max_size=4).map(
                lambda pairs: mapping([(value(key).code, item) for key, item in pairs])  # type: ignore[union-attr]
            ),
            st.tuples(NAME, st.lists(inner, max_size=3)).map(lambda parts: call(parts[0], *parts[1])),
            st.tuples(NAME, inner).map(lambda parts: call(parts[0], prefix=parts[1])),
        ),
        max_leaves=12,
    )


def test_expressions_are_stable() -> None:
    modules: list[list[str]] = []

    @settings(max_examples=60, deadline=None)
    @given(st.lists(_expressions(), min_size=1, max_size=6))
    def drawn(expressions: list[Raw | Group]) -> None:
        modules.append([line for expression in expressions for line in statement("name = ", expression)])

    drawn()
    assert_stable(*modules)


def test_function_heads_are_stable() -> None:
    modules: list[list[str]] = []

    @settings(max_examples=40, deadline=None)
    @given(st.lists(NAME, max_size=5), NAME)
    def drawn(names: list[str], function: str) -> None:
        declared = [f'{name}_{number}: str = ""' for number, name in enumerate(names)]
        head = statement("", parameters(f"def {function}", declared), " -> AgentReply:")
        modules.append([*head, "    return None"])

    drawn()
    assert_stable(*modules)


def test_raised_errors_and_returns_are_stable() -> None:
    modules: list[list[str]] = []

    @settings(max_examples=40, deadline=None)
    @given(TEXT, NAME)
    def drawn(text: str, name: str) -> None:
        body = statement("raise ", call(name, value(text)), " from error", indent=1)
        modules.append(["def function(error):", *body])

    drawn()
    assert_stable(*modules)


def test_comments_stand_above_their_items() -> None:
    lines = statement(
        "RULES = ", listing([Raw('"a"'), Raw('"b"')], comments=[("# one",), ("# two", "# three")])
    )
    assert lines == ["RULES = [", "    # one", '    "a",', "    # two", "    # three", '    "b",', "]"]
    assert_stable(lines)


@pytest.mark.skipif(
    sys.platform == "win32", reason="the printer is tested where ruff is installed beside Python"
)
def test_known_widths_are_those_of_ruff() -> None:
    lines: list[str] = []
    for first, last, _ in layout._KNOWN_WIDTHS:
        for code in sorted({first, last, *range(first, last, max(1, (last - first) // 40))}):
            for length in (66, 67, 68, 69, 70, 71, 72, 73, 74):
                filling = "x" * (length - 20) + chr(code) * 10
                lines += statement("NAME = ", call("function", value(filling), value("y")))
                lines += statement("NAME = ", tupled([value(filling)]))
    assert_stable(lines)


def test_one_item_tuples_keep_their_comma() -> None:
    assert statement("X = ", tupled([Raw('"a"')])) == ['X = ("a",)']
