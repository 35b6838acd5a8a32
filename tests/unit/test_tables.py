"""Tables in lines: padded by the cells of a terminal, and cut where there is no room."""

import random
from io import StringIO

import pytest
from rich.cells import cell_len

from melleafy_tui.cli.console import Console
from melleafy_tui.cli.tables import cells, cut, laid_out

ROWS = (
    (
        "dep_001",
        "c1_identity",
        "bundle",
        "config.py:PREFIX_TEXT",
        "Warm, curious tone; prefers Socratic questions",
    ),
    (
        "dep_002",
        "c2_operating_rules",
        "stub",
        "tools.py:发票を読む",
        "请用中文回答,语气要温和,不要使用术语,也不要重复问题",
    ),
    ("dep_003", "c6_tools", "delegate_to_runtime", "", "🎫 Ticket ❤️ " * 8),
)
WIDTHS = (200, 120, 80, 60, 40, 30, 20, 10, 3, 1)
TEXTS = ("", "plain", "é", "e\u0301clair", "한국어", "ｱｲｳ", "naïve…", "🎫🎫", "日本")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    lines = laid_out(ROWS, indent="  ", width=width)
    assert len(lines) == len(ROWS)
    assert [line for line in lines if cell_len(line) > width] == []


def test_columns_start_in_the_same_cell() -> None:
    for width in (None, 80, 60):
        rows = [(first, "|", last) for _, _, _, first, last in ROWS[:2]]
        starts = {cells(line.partition("|")[0]) for line in laid_out(rows, width=width)}
        assert len(starts) == 1


def test_what_fits_is_not_cut() -> None:
    for width in (None, 10_000):
        whole = laid_out(ROWS, indent="  ", width=width)
        assert all(cell.strip() in line for line, row in zip(whole, ROWS, strict=True) for cell in row)
    fitting = max(map(cells, laid_out(ROWS[:2])))
    assert laid_out(ROWS[:2], width=fitting + 1) == laid_out(ROWS[:2])


def test_the_widest_columns_are_cut_first() -> None:
    line = laid_out([("dep_001", "bundle", "x" * 90, "y" * 60)], width=60)[0]
    first, second, third, fourth = line.split("  ")
    assert (first, second) == ("dep_001", "bundle")
    assert third.endswith("…")
    assert fourth.endswith("…")
    assert abs(len(third) - len(fourth)) <= 1
    assert 58 <= len(line) <= 60


def test_widths_agree_with_rich() -> None:
    assert [cells(text) for text in TEXTS] == [cell_len(text) for text in TEXTS]


def test_a_cut_text_fits_and_says_that_it_was_cut() -> None:
    chance = random.Random(7)
    for _ in range(500):
        text = "".join(chance.choices("ab 日本한🎫é\u0301", k=chance.randrange(30)))
        width = chance.randrange(1, 30)
        short = cut(text, width)
        assert cells(short) <= width
        assert short == text if cells(text) <= width else short.endswith("…") and text.startswith(short[:-1])


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def printed(out: StringIO, *, wide: bool = False, width: int | None = None) -> list[str]:
    Console(out=out, messages=StringIO(), wide=wide, width=width).table(ROWS)
    return out.getvalue().splitlines()


def test_a_table_is_cut_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    whole = laid_out(ROWS, indent="  ")
    assert printed(StringIO()) == whole
    assert printed(Terminal(), wide=True) == whole
    assert printed(Terminal()) == laid_out(ROWS, indent="  ", width=60) != whole
    assert printed(StringIO(), width=80) == laid_out(ROWS, indent="  ", width=80)
