"""The search for secrets works in proportion to the length of a text, whatever the text repeats."""

import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType

import pytest

from melleafy_tui.core.source.secrets import detector, judge
from melleafy_tui.core.source.secrets.detector import find_secrets, secret_digest
from melleafy_tui.core.source.secrets.spans import SecretSpan

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


def repeated(unit: str, size: int) -> str:
    return unit * (size // len(unit)) + str(size)


def search(text: str) -> tuple[SecretSpan, ...]:
    detector._CLEAN.clear()
    detector._FOUND.clear()
    judge._CLEAN.clear()
    return find_secrets(text)


def seconds(text: str) -> float:
    begun = time.process_time()
    search(text)
    return time.process_time() - begun


def calls(text: str) -> float:
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        search(text)
    finally:
        sys.setprofile(None)
    return count


def test_many_secrets_of_one_name_are_numbered_in_proportion() -> None:
    def listed(count: int) -> str:
        return "\n\n".join(f"password: Heron{number:04}!x" for number in range(count))

    names = [span.variable for span in search(f"{listed(3)}\n\npassword: Heron0001!x")]
    assert names == ["PASSWORD", "PASSWORD_2", "PASSWORD_3", "PASSWORD_2"]
    assert calls(listed(1200)) < MOST_GROWTH * calls(listed(600))


def test_a_long_text_is_searched_once_and_masked_each_time() -> None:
    text = f"password: Heron0001!x\n\n{'The ropes are dry. ' * 200}"
    first, again = search(text), find_secrets(text)
    assert [span.variable for span in first] == ["PASSWORD"]
    assert again is first
    assert find_secrets(text, {secret_digest("Heron0001!x")}) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("work", "least"), [(calls, 5_000), (seconds, LEAST_MEASURED)])
def test_a_search_works_in_proportion_to_the_length(work: Callable[[str], float], least: float) -> None:
    too_much = []
    for unit in UNITS:
        texts = [repeated(unit, size) for size in SIZES]
        search(texts[0])  # compiles what it needs
        measured = list(map(work, texts))
        if grows_too_fast(measured, least):  # or a busy moment of the machine
            measured = [min(first, work(text)) for first, text in zip(measured, texts, strict=True)]
            if grows_too_fast(measured, least):
                too_much.append((unit, *measured))
    assert too_much == []


def grows_too_fast(measured: Sequence[float], least: float) -> bool:
    short, middle, long = measured
    return long > least and long > MOST_GROWTH * middle and middle > MOST_GROWTH * short
