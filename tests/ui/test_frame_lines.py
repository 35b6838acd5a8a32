"""The line of counts fits the narrowest common terminal, and says all of them there."""

from msgspec.structs import replace
from rich.cells import cell_len

from melleafy_tui.actions.steps import Figures
from melleafy_tui.widgets.frame import status_line
from melleafy_tui.widgets.styled_text import line_text

SMALL = Figures(16, 14, 1, 1, 3, 0, 2, 128)
LARGE = Figures(3000, 2800, 300, 120, 300, 20, 12, 45_000)


def test_all_counts_are_in_view() -> None:
    for figures in (SMALL, LARGE):
        for width in (80, 100, 160):
            text = line_text(status_line(figures, width))
            assert cell_len(text) <= width - 2, text
            assert text.count(" · ") == (5 if figures is SMALL else 6), text


def test_what_is_none_is_shown_only_where_it_has_just_become_so() -> None:
    assert "warning" not in line_text(status_line(SMALL, 160))
    assert "2 → 0 warnings" in line_text(status_line(SMALL, 160, replace(SMALL, warnings=2)))


def test_words_are_as_long_as_the_view_allows() -> None:
    assert "left to the host" in line_text(status_line(LARGE, 160))
    assert "left to the host" not in line_text(status_line(LARGE, 100))
