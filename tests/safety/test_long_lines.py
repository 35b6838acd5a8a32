"""Regular expressions that once took the square of a line: four times the text may cost four times as much."""

import importlib
import re
import time
from collections.abc import Callable

import pytest

from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex

MENDED = (
    ("core.dialects.agent_skills.wordings", "SCRIPT", "./scripts/a."),
    ("core.dialects.openclaw.cadences_of_line", "_NUMBER_IN_BRACKETS", "("),
    ("core.dialects.openclaw.fields", "_FIELD", " "),
    ("core.dialects.openclaw.rules", "_NAMES_PLACE", "1."),
    ("core.dialects.openclaw.rule_wordings", "_ARROW", " "),
    ("core.dialects.openclaw.wake_words", "TIME_LABELLED", "-"),
    ("core.language.actions", "_HOST", "a."),
    ("core.language.use", "OUT_OF_SIGHT", "sub-agents"),
    ("core.package.known_calls", "_VARIABLE", "A"),
    ("core.package.model_steps", "_ASIDE", " "),
    ("core.package.model_steps", "_LISTED_ASIDE", " "),
    ("core.package.result_schemas", "_BETWEEN", " "),
    ("core.pipeline.inferred_axes", "_DECORATOR", "\t"),
)
SHORT, LONG = 5_000, 20_000
LARGEST_RATIO = 8
"""A square costs sixteen times."""
NOTICEABLE = 0.1


def seconds(run: Callable[[str], object], text: str) -> float:
    """Return the processor time of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.slow
def test_no_mended_pattern_takes_the_square_of_a_line() -> None:
    slow = []
    for module, name, unit in MENDED:
        pattern: re.Pattern[str] | LazyRegex = getattr(
            importlib.import_module(f"melleafy_tui.{module}"), name
        )
        short, long = (unit * (length // len(unit)) for length in (SHORT, LONG))
        cost = seconds(pattern.search, long)
        if cost > NOTICEABLE and cost > LARGEST_RATIO * seconds(pattern.search, short):
            slow.append((name, cost))
    assert slow == []


def test_a_bounded_pattern_reads_the_beginning_and_keeps_the_rest() -> None:
    pattern = LazyRegex("b", longest=LONGEST_READ)
    near, far = "a" * (LONGEST_READ - 1) + "b", "a" * LONGEST_READ + "b"
    assert pattern.search(near)
    assert pattern.search(far) is None
    assert pattern.sub("", near) == near[:-1]
    assert pattern.sub("", far) == far
    assert len(list(pattern.finditer("b" + far))) == 1
    assert pattern.match(far, LONGEST_READ)
