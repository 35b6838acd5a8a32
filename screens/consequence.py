"""The side pane of the disposition table: it says what a row does, and works its exact change out in a thread."""

from dataclasses import dataclass
from typing import Final

from textual import on, work
from textual.message import Message
from textual.timer import Timer

from melleafy_tui.background_thread import background_thread
from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.effects import Effect, effect
from melleafy_tui.screens.entry_words import entry_lines
from melleafy_tui.widgets.toned import Pane
from melleafy_tui.widgets.tones import Tone
from melleafy_tui.wizard_session import WizardSession

_SETTLE: Final = 0.12
"""Seconds that the cursor rests on a row before its exact change is worked out."""


class Consequence(Pane):
    """What the row under the cursor does.

    Args:
        session: What the wizard knows; the pane only reads it.
    """

    @dataclass
    class Worked(Message):
        """A thread has worked out what a row changes."""

        plan_id: int
        entry: PlanEntry
        effect: Effect

    def __init__(self, session: WizardSession, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._session = session
        self._entry: PlanEntry | None = None
        self._settling: Timer | None = None

    def show_entry(self, entry: PlanEntry) -> None:
        """Show a row; its exact change follows when the cursor rests there."""
        same = self._entry is not None and self._entry.entry_id == entry.entry_id
        self._stop()
        self._entry = entry
        known = self._session.known_effect(entry)
        self.show_lines(entry_lines(self._session, entry, known), from_top=not same)
        if known is None:
            self._settling = self.set_timer(_SETTLE + self._session.patience, self._start)

    def show_group(self, count: int) -> None:
        """Show what can be done with the rows of a group."""
        self._stop()
        self._entry = None
        if not count:
            self.show_lines([(("Move to a row to read what it does.", Tone.MUTED),)])
            return
        self.show_lines(
            [
                ((f"{count} {'entry' if count == 1 else 'entries'} in this group", Tone.STRONG),),
                (("A disposition key decides all of them at once, where it is allowed.", Tone.TEXT),),
                (("⏎ folds and unfolds, ␣ marks.", Tone.MUTED),),
            ]
        )

    def _stop(self) -> None:
        if self._settling is not None:
            self._settling.stop()
            self._settling = None

    def _start(self) -> None:
        if self._entry is not None and self.screen.is_current:
            self._work_out(self._session.copy(), id(self._session.conversion.plan), self._entry)

    @work(
        exclusive=True,
        group="effect",
        exit_on_error=False,
        description="work out what a row changes",
    )
    async def _work_out(self, conversion: Conversion, plan_id: int, entry: PlanEntry) -> None:
        found = await background_thread(lambda: effect(conversion, entry), name="work out what a row changes")
        self.post_message(self.Worked(plan_id, entry, found))

    @on(Worked)
    def show_effect(self, event: Worked) -> None:
        """Show what was worked out, where the cursor still stands there."""
        event.stop()
        if event.plan_id != id(self._session.conversion.plan):
            return
        self._session.keep_effect(event.entry, event.effect)
        if self._entry is not None and self._entry.entry_id == event.entry.entry_id:
            self.show_lines(entry_lines(self._session, self._entry, event.effect), from_top=False)
