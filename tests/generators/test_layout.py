"""What the printer writes is what `ruff format` would write (spec/package.md 1)."""

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.generators.literals import (
    Group,
    assigned,
    displayed,
    fitted,
    imports,
    string_literal,
    used_names,
)
from tests.generators.emitting import ruff_format_changes


def assert_stable(*sources: str) -> None:
    """Hold modules against what ruff makes of them at its defaults."""
    for source in sources:
        ast.parse(source)
    assert ruff_format_changes(f"{source}\n".encode() for source in sources) == ""


TEXT = st.text(
    st.sampled_from("abc \"'\\\n\r\t{}é日🎫\u0301\u200d") | st.characters(codec="utf-8"), max_size=110
) | st.integers(min_value=50, max_value=95).map(lambda length: "x" * length)

NAME = st.sampled_from(["a", "config", "load_working_state", "a_rather_long_name_of_a_function_for_the_host"])


def test_assigned_text_is_stable() -> None:
    modules: list[str] = []

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.tuples(NAME, TEXT), min_size=1, max_size=12))
    def drawn(pairs: list[tuple[str, str]]) -> None:
        found = [assigned(f"{name.upper()}: Final", text) for name, text in pairs]
        for (_, text), code in zip(pairs, found, strict=True):
            assert ast.literal_eval(code.partition(" = ")[2]) == text
        modules.append("\n".join(found))

    drawn()
    assert_stable(*modules)


def _values() -> st.SearchStrategy[object]:
    leaves = st.one_of(TEXT, st.integers())
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.lists(inner, max_size=4).map(tuple),
            st.dictionaries(TEXT, inner, max_size=4),
        ),
        max_leaves=12,
    )


def test_displayed_values_are_stable() -> None:
    modules: list[str] = []

    @settings(max_examples=60, deadline=None)
    @given(st.lists(_values(), min_size=1, max_size=6))
    def drawn(values: list[object]) -> None:
        modules.append("\n".join(fitted(displayed([value], "name = ")) for value in values))

    drawn()
    assert_stable(*modules)


def test_function_heads_are_stable() -> None:
    modules: list[str] = []

    @settings(max_examples=40, deadline=None)
    @given(st.lists(NAME, max_size=5), NAME)
    def drawn(names: list[str], function: str) -> None:
        declared = tuple(f'{name}_{number}: str = ""' for number, name in enumerate(names))
        head = fitted(Group(f"def {function}(", declared, ") -> AgentReply:"))
        modules.append(f"{head}\n    return None")

    drawn()
    assert_stable(*modules)


def test_calls_are_stable() -> None:
    modules: list[str] = []

    @settings(max_examples=60, deadline=None)
    @given(NAME, st.lists(st.one_of(NAME, TEXT.map(string_literal)), max_size=4), TEXT)
    def drawn(name: str, items: list[str], text: str) -> None:
        nested = Group("parts={", (f"{string_literal(text)}: a",), "}")
        code = fitted(Group(f"return {name}(", (*items, nested), ").text"), "    ")
        raised = fitted(Group("raise NotImplementedError(", (string_literal(text),)), "    ")
        modules.append(f"def function():\n{code}\n\n\ndef other():\n{raised}")

    drawn()
    assert_stable(*modules)


def test_one_item_tuples_keep_their_comma() -> None:
    assert fitted(displayed(("a",), "X = ")) == 'X = ("a",)'


def test_imports_are_grouped_and_only_used_names_are_found() -> None:
    code = (
        'def function() -> Path:\n    """Uses no Callable."""\n    return Path("config") / f"{tools.NAME}"\n'
    )
    names = {".": ["config", "tools"], "collections.abc": ["Callable"], "pathlib": ["Path"]}
    found = imports({module: used_names(code, wanted) for module, wanted in names.items()})
    assert found == "from pathlib import Path\n\nfrom . import tools"
