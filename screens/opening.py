"""The screen before the first step: the frame, and the loading progress of a big workspace."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.message import Message
from textual.widgets import ProgressBar

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.steps import STEPS, Progress, StepState
from melleafy_tui.widgets.background_thread import AT_ONCE
from melleafy_tui.widgets.frame import FRAME_STYLES, Frame, StepRail
from melleafy_tui.widgets.styled_text import Line, StyledText, Tone


class OpeningScreen(Frame[None]):
    """The frame without a step; it shows the loading stages with a bar if they take long enough to be read.

    Args:
        name: The name of the workspace.
        stages: The stages of loading, in order.
        keys: The user's key table.
    """

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES]  # type: ignore[assignment]
    DEFAULT_CSS = """
    OpeningScreen {
        & #body { padding: 1 2; }
        & #opened, & #stages { color: $tone-text; height: auto; }
        & ProgressBar { margin: 1 0; }
        & Bar > .bar--bar { color: $accent; }
        & Bar > .bar--complete { color: $tone-good; }
        & PercentageStatus { color: $tone-text; }
    }
    """

    @dataclass
    class ReadingBegun(Message):
        """Posted when the reader is imported and begins to read."""

    @dataclass
    class StageDone(Message):
        """Posted with the number of loading stages done, a part of the one under way included, and what it has read."""

        count: float
        found: str = ""

    def __init__(self, name: str, stages: Sequence[str], keys: KeyTable) -> None:
        super().__init__(keys)
        self._title, self._stages, self._leaves_with = name, stages, keys.spelled("app.quit")
        self._done, self._found = 0.0, ""
        self._seconds = 0
        """How long the stage under way has taken: what can't tell how far it is isn't told from what hangs."""

    def on_mount(self) -> None:
        """Draw what is known of the workspace before it is read."""
        self.query_one("#title", StyledText).show_lines([((self._title, Tone.HEADING),)])
        self.query_one(StepRail).show_states([StepState(step, Progress.OPEN) for step in STEPS], STEPS[0])

    @on(ReadingBegun)
    def _show_stages_soon(self) -> None:
        self.set_timer(AT_ONCE, self.show_stages)

    @on(StageDone)
    def _show_stage(self, event: StageDone) -> None:
        self.show_done(event.count, event.found)

    async def show_stages(self) -> None:
        """Show the stages with a bar, if the screen is still in view."""
        if not self.is_current:
            return
        body = self.query_one("#body")
        bar = ProgressBar(total=len(self._stages), show_eta=False)
        await body.mount(StyledText(id="opened"), bar, StyledText(id="stages"))
        self.query_one("#opened", StyledText).show_lines(
            [((self._title, Tone.HEADING), (" is being read", Tone.TEXT))]
        )
        self.show_done(self._done, self._found)
        self.set_interval(1, self._tick)

    def _tick(self) -> None:
        self._seconds += 1
        self.show_done(self._done, self._found)

    def show_done(self, count: float, found: str = "") -> None:
        """Show the number of stages done; the bar shows a part of a stage too, and what it has read."""
        self._seconds = self._seconds if int(count) == int(self._done) else 0
        self._done, self._found = count, found
        for bar in self.query(ProgressBar):
            bar.update(progress=count)
        lines = [self._stage_line(place, words) for place, words in enumerate(self._stages)]
        lines += [(), ((self._leaves_with, Tone.KEY), (" leaves; nothing has been written.", Tone.MUTED))]
        for stages in self.query("#stages").results(StyledText):
            stages.show_lines(lines)

    def _stage_line(self, place: int, words: str) -> Line:
        if place < int(self._done):
            return (("✓ ", Tone.GOOD), (words, Tone.TEXT))
        if place == int(self._done):
            said = self._found or (f"{self._seconds} s" if self._seconds else "")
            return (("▸ ", Tone.ACCENT), (f"{words} …  ", Tone.STRONG), (said, Tone.INFO))
        return (("· ", Tone.MUTED), (words, Tone.MUTED))
