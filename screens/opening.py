"""What stands before the first step while a big workspace is read: how far it is, and how to leave."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import ProgressBar

from melleafy_tui.keys.table import KeyTable
from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Line, Tone


class OpeningScreen(Screen[None]):
    """The stages of the reading, with a bar.

    Args:
        name: What the workspace is called.
        stages: What is worked out, one after the other.
        keys: The keys as this user wants them.
    """

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    OpeningScreen {
        background: $background;
        & > Vertical { padding: 1 2; height: auto; }
        & Toned { color: $tone-text; height: auto; }
        & ProgressBar { margin: 1 0; }
        & Bar > .bar--bar { color: $accent; }
        & Bar > .bar--complete { color: $tone-good; }
        & PercentageStatus { color: $tone-text; }
    }
    """

    def __init__(self, name: str, stages: Sequence[str], keys: KeyTable) -> None:
        super().__init__()
        self._title, self._stages, self._keys = name, stages, keys
        self._done = 0

    def compose(self) -> ComposeResult:
        """Show name, bar and stages."""
        with Vertical():
            yield Toned(id="opened")
            yield ProgressBar(total=len(self._stages), show_eta=False)
            yield Toned(id="stages")

    def on_mount(self) -> None:
        """Draw what is known so far."""
        self.query_one("#opened", Toned).show_lines(
            [((self._title, Tone.HEADING), (" is being read", Tone.TEXT))]
        )
        self.show_done(self._done)

    def show_done(self, count: int) -> None:
        """Show that so many stages are done."""
        self._done = count
        if not self.is_mounted:
            return
        self.query_one(ProgressBar).update(progress=count)
        lines = [self._stage_line(place, words) for place, words in enumerate(self._stages)]
        leave = self._keys.spelled("app.quit")
        lines += [(), ((leave, Tone.KEY), (" leaves; nothing has been written.", Tone.MUTED))]
        self.query_one("#stages", Toned).show_lines(lines)

    def _stage_line(self, place: int, words: str) -> Line:
        if place < self._done:
            return (("✓ ", Tone.GOOD), (words, Tone.TEXT))
        if place == self._done:
            return (("▸ ", Tone.ACCENT), (f"{words} …", Tone.STRONG))
        return (("· ", Tone.MUTED), (words, Tone.MUTED))
