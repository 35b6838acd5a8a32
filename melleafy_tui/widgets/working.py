"""Shows that long work is running, and the key that stops it."""

from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from melleafy_tui.widgets.dialogs import Dialog
from melleafy_tui.widgets.key_bindings import KEYMAP, binding
from melleafy_tui.widgets.styled_text import StyledText, Tone
from melleafy_tui.widgets.too_small import Leaving


class Working(Dialog[None]):
    """Names the work that is running and the key that stops it.

    Args:
        words: The work, without a full stop.
        stops: The key, as shown to people.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        binding(replace(key, action=f"app.{key.action}")) for key in KEYMAP if key.id == "app.interrupt"
    ]

    def __init__(self, words: str, stops: str) -> None:
        super().__init__()
        self._words, self._stops = words, stops

    def compose(self) -> ComposeResult:
        """Yield the notice."""
        with Vertical(classes="dialog"):
            yield StyledText(id="working")

    def on_mount(self) -> None:
        """Show the text."""
        self.query_one("#working", StyledText).show_lines(
            [
                ((f"{self._words} …", Tone.STRONG),),
                (),
                ((self._stops, Tone.KEY), (" stops; nothing has changed yet.", Tone.MUTED)),
            ]
        )

    def way_out(self) -> Leaving:
        """Return the key that stops the work."""
        return Leaving(self._stops, "stop; nothing has changed yet", "stops")
