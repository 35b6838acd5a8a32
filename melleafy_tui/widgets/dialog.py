"""What all dialogs share: they end in a value, and a notice stands in their place in a terminal that is too small.

A dialog cut by a small terminal hides its last choices or the line to type in without a word.
"""

from typing import TypeVar

from textual.screen import ModalScreen

from melleafy_tui.keys.table import DIALOG_KEYS
from melleafy_tui.widgets.too_small import HEIGHTS, WIDTHS, Leaving, TooSmall

ResultT = TypeVar("ResultT")


class Dialog(ModalScreen[ResultT]):
    """A box over a screen."""

    CSS_PATH = "dialogs.tcss"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def on_mount(self) -> None:
        """Hold the notice ready; the message of the dialog itself comes to it as well."""
        self.mount(TooSmall(self.way_out()))

    def way_out(self) -> Leaving:
        """Return the key that ends the dialog."""
        return Leaving(DIALOG_KEYS[0].spelled, "close what is open", "closes")
