"""Arithmetic checks of packages: passed, failed, or not made when a value is missing."""

from decimal import Decimal
from itertools import product

import pytest

from melleafy_tui.generators.runtime.calculations import (
    Comparison,
    Outcome,
    compare,
    difference_within,
    equals_sum,
    number,
    percentage_of,
    present,
    same_text,
    total_of,
)


def test_only_what_is_a_number_is_read_as_one() -> None:
    read = {"12.50": number("12.50"), " 7 ": number(" 7 "), 3: number(3), 0.1: number(0.1)}
    assert read == {"12.50": Decimal("12.50"), " 7 ": Decimal(7), 3: Decimal(3), 0.1: Decimal("0.1")}
    for none in (None, True, "1,000", "twelve", "", "NaN", float("inf"), [1], {"a": 1}):
        assert number(none) is None, none


def test_no_number_of_a_document_or_a_model_ends_a_run() -> None:
    extremes = (
        "1e999999999",
        "-1e400",
        "1e-999999999",
        10**5000,
        "0",
        "-0",
        "1e12",
        "1e-12",
        "9" * 12,
        "0.1",
        "x",
    )
    for first, second in product(extremes, repeat=2):
        difference_within("x", first, second, percent=5)
        difference_within("x", first, second, amount=first)
        equals_sum("x", first, [second, first])
        compare("x", first, "<", second)
        percentage_of(first, second)
        total_of([first, second, "1e12"])
    assert number("1e13") is None
    assert number("-999999999999.99") == Decimal("-999999999999.99")


def test_sums_and_percentages_are_exact_and_none_when_a_part_is_missing() -> None:
    assert total_of([0.1, "0.2", Decimal("0.3")]) == Decimal("0.6")
    assert total_of([1, None]) is None
    assert total_of([]) is None
    assert percentage_of("1000", 19) == Decimal("190.00")
    assert percentage_of("0.05", 50) == Decimal("0.02")
    assert percentage_of(None, 19) is None
    assert percentage_of(5, "many") is None


def test_a_difference_is_held_against_percent_or_amount() -> None:
    rows = [
        (difference_within("net", 102, 100, percent=2), True, "102 against 100, 2.0 % apart"),
        (difference_within("net", 97, 100, percent=2), False, "97 against 100, 3.0 % apart"),
        (difference_within("net", -103, -100, percent=2), False, "-103 against -100, 3.0 % apart"),
        (difference_within("net", "10.05", 10, amount="0.05"), True, "10.05 against 10.00, 0.05 apart"),
        (difference_within("net", "10.06", 10, amount="0.05"), False, "10.06 against 10.00, 0.06 apart"),
        (difference_within("net", 10, 10), True, "10 against 10, 0 apart"),
        (difference_within("net", 10, 0, percent=2), None, "a percentage of zero can't be taken"),
        (difference_within("net", None, 10, percent=2), None, "the value is missing"),
        (difference_within("net", "x", None), None, "the value and the expected value is missing"),
    ]
    for found, passed, detail in rows:
        assert found == Outcome("net", passed, detail)


def test_a_total_is_held_against_the_sum_of_its_parts() -> None:
    assert equals_sum("gross", "119.00", [100, 19]) == Outcome(
        "gross", True, "the parts make 119, printed is 119.00"
    )
    assert equals_sum("gross", 119.02, [100, 19]).passed is False
    assert equals_sum("gross", 119.02, [100, 19], tolerance=Decimal("0.02")).passed is True
    assert equals_sum("gross", 119, [100, None]) == Outcome("gross", None, "the part is missing")


@pytest.mark.parametrize(
    ("relation", "below", "same", "above"),
    [
        (">", False, False, True),
        (">=", False, True, True),
        ("<", True, False, False),
        ("<=", True, True, False),
        ("==", False, True, False),
        ("!=", True, False, True),
    ],
)
def test_comparisons(relation: Comparison, below: bool, same: bool, above: bool) -> None:
    assert [compare("", left, relation, 5).passed for left in (4, 5, 6)] == [below, same, above]
    assert compare("", None, relation, 5).passed is None


def test_the_detail_of_a_comparison_is_true() -> None:
    details = [compare("", left, ">=", 5).detail for left in (4, 5)]
    assert details == ["4 is below 5", "5 is at least 5"]
    assert compare("", 6, "<=", 5).detail == "6 is above 5"
    assert compare("", 5, "==", 5).detail == "5 is equal to 5"


def test_texts_are_the_same_apart_from_case_and_spaces() -> None:
    assert same_text("name", " Rivera  Ltd", "rivera ltd").passed is True
    assert same_text("name", "Rivera", "Ltd") == Outcome("name", False, "Rivera is not Ltd")
    assert same_text("name", "Rivera", None) == Outcome("name", None, "the second text is missing")
    assert same_text("name", "", "Ltd") == Outcome("name", None, "the first text is missing")


def test_presence() -> None:
    assert str(present("order", "4500123", "an order number")) == "order: passed, an order number is there"
    assert str(present("order", " ", "an order number")) == "order: failed, an order number is missing"
    values: list[object] = [None, [], {}, 0, False, [0]]
    assert [present("", value, "").passed for value in values] == [False, False, False, True, True, True]


def test_an_outcome_reads_as_a_line_of_the_report() -> None:
    words = [str(Outcome("a", passed, "b")) for passed in (True, False, None)]
    assert words == ["a: passed, b", "a: failed, b", "a: not made, b"]
