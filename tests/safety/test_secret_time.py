"""The search for secrets works in proportion to the length of a text, whatever the text repeats."""

import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType

import pytest

from melleafy_tui.core.source.secrets import detector, judge
from melleafy_tui.core.source.secrets.detector import find_secrets

UNITS = (
    *(
        "a",
        "1",
        "-",
        "=",
        "/",
        ":",
        "_",
        ".",
        '"',
        "[",
        "|",
        "@",
        "密",
        "a.",
        "a-",
        "a_",
        "a/",
        "a:",
        "a=",
        "aA1",
        "1 ",
    ),
    *(
        "a ",
        "a, ",
        "a@b.",
        "a://b:",
        "${a",
        "password: ",
        "pass Qw3rty77 ",
        "- a / b / Quarry77!x\n",
        "seed phrase: ",
    ),
    *(
        "door codes:\n- a: 4471\n",
        "wifi a Heron77x, key Tin77!x ",
        "| a | key |\n",
        "curl -u ",
        "sk-",
        "密码是 ",
    ),
    *("> Say 1 kindly.\n", "word7 ", "say it, the key of the door "),
    *("-----BEGIN PRIVATE KEY-----", "abandon ", "type X1-y ", "L 12 R 34 ", "gate 7731, alarm "),
)
SIZES = (10_000, 20_000, 40_000)
MOST_GROWTH = 3.2
"""Times as much work for a text twice as long; a quadratic search has four."""

LEAST_MEASURED = 0.05
"""Seconds of processor time below which a measurement is too rough to compare."""


def search(unit: str, size: int) -> None:
    detector._CLEAN.clear()
    judge._CLEAN.clear()
    find_secrets(unit * (size // len(unit)) + str(size))


def seconds(unit: str, size: int) -> float:
    begun = time.process_time()
    search(unit, size)
    return time.process_time() - begun


def calls(unit: str, size: int) -> float:
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        search(unit, size)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("work", "least"), [(calls, 5_000), (seconds, LEAST_MEASURED)])
def test_a_search_works_in_proportion_to_the_length(work: Callable[[str, int], float], least: float) -> None:
    too_much = []
    for unit in UNITS:
        search(unit, SIZES[0])  # compiles what it needs
        measured = [work(unit, size) for size in SIZES]
        if grows_too_fast(measured, least):  # or a busy moment of the machine
            measured = [min(first, work(unit, size)) for first, size in zip(measured, SIZES, strict=True)]
            if grows_too_fast(measured, least):
                too_much.append((unit, *measured))
    assert too_much == []


def grows_too_fast(measured: Sequence[float], least: float) -> bool:
    short, middle, long = measured
    return long > least and long > MOST_GROWTH * middle and middle > MOST_GROWTH * short
