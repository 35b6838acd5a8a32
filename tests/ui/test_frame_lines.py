"""The line of counts fits the narrowest common terminal, and says all of them there."""

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
            assert text.count(" · ") == 6, text


def test_words_are_as_long_as_the_view_allows() -> None:
    assert "overridden" in line_text(status_line(SMALL, 100))
    assert "overridden" not in line_text(status_line(SMALL, 80))
