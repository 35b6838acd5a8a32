"""NO_COLOR is obeyed, and what a colour says is also said by a mark, a word or a style."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import STEPS, Progress
from melleafy_tui.screens.vocabulary_marks import ACTION_MARKS
from melleafy_tui.screens.write_texts import FIXTURE_SPANS
from melleafy_tui.widgets.frame import StepRail
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import AsciiGlyphs, StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered
from tests.ui.test_pictures import override_a_rule

pytestmark = pytest.mark.usefixtures("still_packages")

FILL = re.compile(r"-r\d+ \{ fill: (#[0-9a-f]{6})")


def greys(picture: str) -> Iterable[Color]:
    return (Color.parse(fill) for fill in FILL.findall(picture))


@pytest.mark.slow
async def test_no_colour_is_drawn(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = WizardApp(open_session(workspace))
    async with app.run_test(size=(120, 30)) as pilot:
        await rendered(pilot)
        for step in range(1, len(STEPS) + 1):
            await keys(pilot, str(step))
            await rendered(pilot)
            drawn = list(greys(app.export_screenshot(title="melleafy-tui", simplify=True)))
            rows = app.screen.query(LineList).first()
            strip = rows.render_line(rows.cursor - rows.scroll_offset.y)
            cursor = [segment.style for segment in strip if segment.style is not None]
            assert len(drawn) > 2, step
            assert all(max(colour.rgb) - min(colour.rgb) <= 3 for colour in drawn), step
            assert all(style.bold or style.reverse for style in cursor), "the cursor is told by its style"


async def test_colours_are_drawn_and_an_override_and_a_step_say_their_state_in_marks_too(
    app: WizardApp,
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await keys(pilot, "3")
        await override_a_rule(pilot)
        await rendered(pilot)
        rows = app.step_screen.query_one("#entries", LineList)
        assert rows.current is not None
        line = rows.current.line(100) if callable(rows.current.line) else rows.current.line
        text = "".join(words for words, _ in line)
        assert "◆" in text
        rail = [str(each.visual) for each in app.step_screen.query_one(StepRail).query(StyledText)]
        assert ["▸" in each for each in rail].count(True) == 1
        assert "✓" in rail[0]
        assert "!3" in rail[2], "three rows are open, as before the override: what the user decided is not"
        assert "·" in rail[4]
        picture = app.export_screenshot(title="melleafy-tui", simplify=True)
    assert any(max(colour.rgb) - min(colour.rgb) > 60 for colour in greys(picture))


def test_states_that_differ_in_colour_differ_in_mark_or_word() -> None:
    said = [(mark, words) for mark, words, _ in ACTION_MARKS.values()]
    assert len(set(said)) == len(said)
    marks = [mark for mark, _ in FIXTURE_SPANS.values()]
    assert len(set(marks)) == len(marks)
    assert len({progress.value for progress in Progress}) == len(Progress)


async def test_a_terminal_without_utf_8_gets_ascii_signs_of_the_same_width(
    session: WizardSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "__stdout__", SimpleNamespace(encoding="iso8859-1"))
    app = WizardApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        for pressed in ("exclamation_mark", "escape", "3", "question_mark"):
            await keys(pilot, pressed)
            lines = [strip.text for strip in app.screen._compositor.render_strips()]
            filtered = [
                "".join(each.text for each in AsciiGlyphs().apply([Segment(line)], Color(0, 0, 0)))
                for line in lines
            ]
            assert all(line.isascii() and "?" not in line.replace("? Help", "") for line in filtered[:4])
            assert [cell_len(line) for line in filtered] == [cell_len(line) for line in lines]
    assert any(isinstance(each, AsciiGlyphs) for each in app.get_line_filters())
