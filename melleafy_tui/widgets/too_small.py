"""The notice that stands in a screen's place where the terminal is too small for it."""

from textwrap import wrap
from typing import Final

from textual import events

from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Line, Tone

SMALLEST: Final = (60, 20)
"""Columns and rows below which only the notice is shown."""

_TONES: Final = (Tone.STRONG, Tone.TEXT, Tone.MUTED)

_COLUMNS, _ROWS = SMALLEST
_WORDS: Final = (
    (
        "This terminal is too small for the wizard.",
        f"It needs {_COLUMNS} columns and {_ROWS} rows.",
        "Make it larger, or press {leave} to leave; nothing is lost.",
    ),
    (f"Too small: {_COLUMNS}×{_ROWS} needed.", "{leave} leaves."),
    (f"{_COLUMNS}×{_ROWS} needed", "{leave} leaves"),
)
"""What it says, the longest first."""


def notice(width: int, height: int, leave: str) -> list[Line]:
    """Return the size that is needed and the key that leaves, in the most words that fit.

    Args:
        width: Columns that the notice has.
        height: Rows that it has.
        leave: The key that leaves, as people read it.
    """
    said = [[text.format(leave=leave) for text in texts] for texts in _WORDS]
    fitting = (texts for texts in said if sum(len(wrap(text, max(1, width))) for text in texts) <= height)
    return [((text, tone),) for text, tone in zip(next(fitting, said[-1]), _TONES, strict=False)]


class TooSmall(Toned):
    """The notice, in the words that fit.

    Args:
        leave: The key that leaves, as people read it.
    """

    def __init__(self, leave: str) -> None:
        super().__init__(id="too-small")
        self._leave = leave

    def on_resize(self, event: events.Resize) -> None:
        """Say it in the words that fit."""
        self.show_lines(notice(event.size.width, event.size.height, self._leave))
