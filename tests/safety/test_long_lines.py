"""A long line costs as much whatever it is made of: no pattern takes the square of a row of signs."""

import time
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.engine import open_conversion

LONG: Final = 10_000
FILES: Final = ("AGENTS.md", "SOUL.md", "HEARTBEAT.md", "TOOLS.md", "USER.md", "MEMORY.md")
FORMS: Final = "# Desk\n\n## H {0}\n\ntext {0}\n\n- item {0}\n\n| a {0} | b |\n|--|--|\n| {0} | no |\n"
ROWS: Final = ("(", "-", "*", "`", "\t", "1. ", "sub-agents ", "a.", "${", "|", "[", "：")
LARGEST_RATIO: Final = 10
"""A square of 10,000 signs costs hundreds of times what words cost."""


def seconds(folder: Path, unit: str) -> float:
    """Return the processor time of the conversion of a workspace whose lines are long rows of one text."""
    folder.mkdir()
    for name in FILES:
        (folder / name).write_text(FORMS.format(unit * (LONG // len(unit))), encoding="utf-8")
    start = time.process_time()
    assert open_conversion(folder, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z").files
    return time.process_time() - start


@pytest.mark.slow
def test_no_row_of_signs_costs_its_square(tmp_path: Path) -> None:
    seconds(tmp_path / "warm", "word ")
    floor = seconds(tmp_path / "words", "word ")
    ratios = {unit: seconds(tmp_path / str(at), unit) / floor for at, unit in enumerate(ROWS)}
    assert {unit: ratio for unit, ratio in ratios.items() if ratio > LARGEST_RATIO} == {}


def test_a_bounded_pattern_reads_the_beginning_and_keeps_the_rest() -> None:
    pattern = LazyRegex("b", longest=LONGEST_READ)
    near, far = "a" * (LONGEST_READ - 1) + "b", "a" * LONGEST_READ + "b"
    assert pattern.search(near)
    assert pattern.search(far) is None
    assert pattern.sub("", near) == near[:-1]
    assert pattern.sub("", far) == far
    assert len(list(pattern.finditer("b" + far))) == 1
    assert pattern.match(far, LONGEST_READ)
