"""The search for secrets takes time in proportion to the text, whatever it is made of."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from melleafy_tui.core.source.secrets.detector import find_secrets

MOST_GROWTH = 3.0
"""Twice the text may take so many times the calls."""

PARTS = (
    "password: ",
    "password: Heron-77!x\n\n",
    "| token | key |\n",
    "https://a:b",
    "key = ",
    "sk-ant-",
    "login: a / ",
    "able about above ",
    '"token": "',
)


def calls(work: Callable[[], object]) -> int:
    """Return how many calls some work takes."""
    count = 0

    def called(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("part", PARTS)
def test_a_search_works_in_proportion_to_the_length(part: str) -> None:
    find_secrets(part * 100)  # the tables are read once
    small, large = (part * (length // len(part)) for length in (6_000, 12_000))
    assert calls(lambda: find_secrets(large)) <= MOST_GROWTH * calls(lambda: find_secrets(small)) + 200
