"""A test over the rows of a table runs on each of them and names each that fails."""

import inspect
from pathlib import Path

import pytest

from tests.rows import every_row


def test_every_row_is_tried_and_every_failing_one_is_named(tmp_path: Path) -> None:
    tried: list[tuple[int, str]] = []

    @every_row(("number", "word"), [(1, "one"), pytest.param(2, "two", id="second"), (3, "three")])
    def check(number: int, word: str, tmp_path: Path) -> None:
        (tmp_path / "once").mkdir()
        tried.append((number, word))
        if number == 1:
            pytest.fail("no one")
        assert number != 3, "no three"

    assert list(inspect.signature(check).parameters) == ["tmp_path"]
    with pytest.raises(AssertionError) as caught:
        check(tmp_path=tmp_path)
    told = str(caught.value)
    assert tried == [(1, "one"), (2, "two"), (3, "three")]
    assert "2 of 3 rows fail" in told
    assert "(1, 'one')" in told
    assert "no three" in told
    assert "second" not in told


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="without rows"):
        every_row("row", [])
