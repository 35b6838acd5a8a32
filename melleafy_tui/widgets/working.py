"""The notice that long work is being done, and the key that stops it."""

from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from melleafy_tui.keymap import KEYMAP, binding
from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Tone


class Working(ModalScreen[None]):
    """What is being done.

    Args:
        words: What it is, without a full stop.
        stops: The key that stops it, as people read it.
    """

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        binding(replace(key, action=f"app.{key.action}")) for key in KEYMAP if key.id == "app.interrupt"
    ]

    def __init__(self, words: str, stops: str) -> None:
        super().__init__()
        self._words, self._stops = words, stops

    def compose(self) -> ComposeResult:
        """Show the words."""
        with Vertical(classes="dialog"):
            yield Toned(id="working")

    def on_mount(self) -> None:
        """Fill them in."""
        self.query_one("#working", Toned).show_lines(
            [
                ((f"{self._words} …", Tone.STRONG),),
                (),
                ((self._stops, Tone.KEY), (" stops; nothing has changed yet.", Tone.MUTED)),
            ]
        )
