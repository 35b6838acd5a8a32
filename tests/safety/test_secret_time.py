"""The search for secrets works in proportion to the length of a text, whatever the text repeats."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from melleafy_tui.core.source.secrets import detector, judge
from melleafy_tui.core.source.secrets.detector import find_secrets, secret_digest
from melleafy_tui.core.source.secrets.forms import form_of, with_names_alike
from melleafy_tui.core.source.secrets.masking import mask_elements
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.vocabulary import hits
from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put

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
    return calls_of(partial(search, text))


def calls_of(work: Callable[[], object]) -> float:
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
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


def test_elements_with_secrets_below_one_heading_are_masked_in_proportion(tmp_path: Path) -> None:
    """What asks each element about each secret of its file makes 7 times as many calls here, what doesn't 4 times."""
    made = []
    for count in (150, 600):
        keys = "".join(f"- Key {number}: sk-Qx{number:04}RtYz8KpLm3VnBw6HsDf2Gj\n" for number in range(count))
        put(
            tmp_path / str(count),
            {"SOUL.md": "Warm.\n", "AGENTS.md": f"# Keys\n\nThe desk's keys:\n\n{keys}"},
        )
        conversion = open_conversion(
            tmp_path / str(count), as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z"
        )
        made.append(calls_of(partial(mask_elements, conversion.inventory.elements, conversion.snapshot)))
    assert made[1] < 5 * made[0]


NUMBERED = (
    *(
        "item",
        "Heron",
        "user",
        "admin",
        "Quarry",
        "PROJ",
        "door",
        "gate",
        "pin",
        "sim",
        "sha",
        "md",
        "secp",
        "llama",
    ),
    *(
        "token",
        "secret",
        "abc",
        "key",
        "argon",
        "pbkdf",
        "chacha",
        "curve",
        "iphone",
        "base",
        "face",
        "deadbeef",
    ),
    *(
        "gpt",
        "claude",
        "qwen",
        "grok",
        "utf",
        "rsa",
        "argonx",
        "tbl",
        "rec",
        "acct",
        "turn",
        "float",
        "uint",
        "cve",
    ),
)


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_behind_a_name_that_count_as_alike_have_the_same_form(name: str) -> None:
    for word in (name, name.capitalize(), name.upper(), f"{name}Nest", f"my{name}"):
        for number in ("123", "256", "512", "384", "000", "1999", "2026", "20000", "731904"):
            text = f"{word}{number}"
            alike = with_names_alike(text)
            assert form_of(alike) == form_of(text)
            assert hits(alike) == hits(text)


def test_a_line_is_a_secret_though_others_like_it_had_none() -> None:
    search("The rope of item1204 is dry.\n\nThe rope of Heron7712 is dry.")
    assert [span.variable for span in find_secrets("The password is Heron7712")] == ["PASSWORD"]


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
