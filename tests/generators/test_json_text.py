"""JSON that is written part by part says byte for byte what the whole at once would say."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from melleafy_tui.generators.literals import (
    json_bytes,
    json_file,
    json_list,
    json_object,
    json_piece,
    json_value,
)

SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(st.characters(codec="utf-8"), max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(("one", "two", "three")), VALUES, max_size=3))
def test_an_object_of_parts_is_the_whole(members: dict[str, object]) -> None:
    parts = json_object({name: json_value(value, 1) for name, value in members.items()})
    assert json_file(parts) == json_bytes(members)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
@pytest.mark.parametrize("item", ["row\u2026 \u00ad ", {"a": [1, {}], "b": " "}, [], "\udcff"])
def test_a_long_list_is_written_as_a_short_one(count: int, item: object) -> None:
    items: Sequence[object] = [item] * count
    whole = json_bytes({"rows": items})
    assert json_file(json_object({"rows": json_value(items, 1)})) == whole
    assert json_file(json_object({"rows": json_value(tuple(items), 1)})) == whole
    assert json_file(json_object({"rows": json_list((json_piece(one, 2) for one in items), 1)})) == whole


def test_plain_values_are_written_as_pydantic_writes_them() -> None:
    value = {"a": [1, 2.5, None, True, "é…"], "b": {}, "c": []}
    assert json_bytes(value) == to_json(value, indent=2) + b"\n"
