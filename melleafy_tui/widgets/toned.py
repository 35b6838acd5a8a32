"""Wrapped text in tones, for everything that is read and not chosen from."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from melleafy_tui.widgets.tones import Line, content


class Toned(Static):
    """Lines of spans, wrapped to the width."""

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines."""
        self.update(content(lines))


class Pane(VerticalScroll, can_focus=True):
    """A scrolling pane with one piece of toned text."""

    DEFAULT_CSS = """
    Pane { scrollbar-size-vertical: 1; padding: 0 1; }
    Pane > Toned { height: auto; }
    """

    def compose(self) -> ComposeResult:
        """Hold the text."""
        yield Toned()

    def show_lines(self, lines: Sequence[Line], *, from_top: bool = True) -> None:
        """Show these lines, from the top or where the reader was."""
        self.query_one(Toned).show_lines(lines)
        if from_top:
            self.scroll_home(animate=False)
