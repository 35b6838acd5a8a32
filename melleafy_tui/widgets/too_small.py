"""Shows a notice instead of a screen or dialog when the terminal is too small for it."""

from textwrap import wrap
from typing import Final

from msgspec import Struct
from textual import events

from melleafy_tui.widgets.styled_text import Line, StyledText, Tone

SMALLEST: Final = (60, 20)
"""Columns and rows below which only the notice is shown."""

_TONES: Final = (Tone.STRONG, Tone.TEXT, Tone.MUTED)

_COLUMNS, _ROWS = SMALLEST
_WORDS: Final = (
    (
        "This terminal is too small for the wizard.",
        f"It needs {_COLUMNS} columns and {_ROWS} rows.",
        "Make it larger, or press {key} to {ends}.",
    ),
    (f"Too small: {_COLUMNS}×{_ROWS} needed.", "{key} {does}."),
    (f"{_COLUMNS}×{_ROWS} needed", "{key} {does}"),
)
"""The notice in several lengths, longest first."""


class Leaving(Struct, frozen=True):
    """The key that closes what is hidden, as shown to people, and two descriptions of what it does."""

    key: str
    ends: str = "leave; nothing is lost"
    does: str = "leaves"


WIDTHS: Final = [(0, "-too-narrow"), (SMALLEST[0], "-narrow")]
HEIGHTS: Final = [(0, "-too-low"), (SMALLEST[1], "-low")]
"""Minimum columns and rows for each CSS class, in Textual's format."""


def notice(width: int, height: int, leaving: Leaving) -> list[Line]:
    """Return the required size and the key to press, in the longest wording that fits.

    Args:
        width: Columns available to the notice.
        height: Rows available to the notice.
        leaving: The key that closes what is hidden.
    """
    said = [
        [text.format(key=leaving.key, ends=leaving.ends, does=leaving.does) for text in texts]
        for texts in _WORDS
    ]
    fitting = (texts for texts in said if sum(len(wrap(text, max(1, width))) for text in texts) <= height)
    return [((text, tone),) for text, tone in zip(next(fitting, said[-1]), _TONES, strict=False)]


class TooSmall(StyledText):
    """Shows the notice in the longest wording that fits.

    Args:
        leaving: The key that closes what is hidden.
    """

    def __init__(self, leaving: Leaving) -> None:
        super().__init__(id="too-small")
        self._leaving = leaving

    def on_resize(self, event: events.Resize) -> None:
        """Show the wording that fits."""
        self.show_lines(notice(event.size.width, event.size.height, self._leaving))
