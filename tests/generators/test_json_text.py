"""JSON files are written as pydantic writes them, with misleading characters escaped."""

import json

import pytest
from pydantic_core import to_json

from melleafy_tui.generators.literals import json_bytes


@pytest.mark.parametrize("item", ["row\u2026 \u00ad ", {"a": [1, {}], "b": "\u202e"}, [], "\udcff", 2**70])
def test_any_value_comes_back_in_visible_characters(item: object) -> None:
    written = json_bytes({"rows": [item] * 3})
    assert json.loads(written) == {"rows": [item] * 3}
    assert all(each.isprintable() or each == "\n" for each in written.decode())


def test_plain_values_are_written_as_pydantic_writes_them() -> None:
    value = {"a": [1, 2.5, None, True, "é…"], "b": {}, "c": []}
    assert json_bytes(value) == to_json(value, indent=2) + b"\n"
