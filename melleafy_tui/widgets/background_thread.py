"""Runs work in a thread that the program doesn't wait for when it exits, so that leaving is immediate.

Textual's thread workers and `asyncio.to_thread` use the loop's executor, whose threads are joined when the
loop closes and again when the interpreter exits: leaving would wait seconds for a rendering. Use those for
work that must finish (writing, the smoke run). Everything else runs here, awaited by an ordinary Textual
worker that can be cancelled.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ClassVar, Final, TypeVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from melleafy_tui.actions.key_table import KEYMAP
from melleafy_tui.widgets.dialogs import Dialog
from melleafy_tui.widgets.footer import binding
from melleafy_tui.widgets.styled_text import Line, StyledText, Tone

ResultT = TypeVar("ResultT")

AT_ONCE: Final = 0.4
"""Seconds after which the screen says that work is still running."""


async def background_thread(work: Callable[[], ResultT], *, name: str) -> ResultT:
    """Run work in a daemon thread and return its result; if this is cancelled, the result is dropped.

    Args:
        work: The work; it must be safe to abandon halfway.
        name: The name of the thread.

    Raises:
        Exception: whatever the work raised.
    """
    done: Future[ResultT] = Future()
    done.set_running_or_notify_cancel()  # so that nothing cancels it: the thread goes on to its end

    def run() -> None:
        try:
            result = work()
        except Exception as error:
            done.set_exception(error)
        else:
            done.set_result(result)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await asyncio.wrap_future(done)


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
        self.WAY_OUT = (stops, "stops; nothing has changed yet")

    def compose(self) -> ComposeResult:
        """Yield the notice."""
        with Vertical(classes="dialog"):
            yield StyledText(id="working")

    def on_mount(self) -> None:
        """Show the text."""
        self.show_words(self._words)

    def show_words(self, words: str) -> None:
        """Name the work, or how far it is."""
        self._words = words
        stops: Line = ((self._stops, Tone.KEY), (" stops; nothing has changed yet.", Tone.MUTED))
        for text in self.query("#working").results(StyledText):
            text.show_lines([((f"{words} …", Tone.STRONG),), (), stops])
