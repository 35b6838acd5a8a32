"""What the user does and takes back: at once, or apart from the screen where it reaches far."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import App

from melleafy_tui.apart import Apart, LongAct, reaches_far
from melleafy_tui.core.errors import MelleafyError

if TYPE_CHECKING:
    from melleafy_tui.core.conversion import Conversion
    from melleafy_tui.core.decisions.commands import Command
    from melleafy_tui.core.decisions.history import Act
    from melleafy_tui.wizard_session import WizardSession


class Acts:
    """The acts of one wizard.

    Args:
        app: Says what was done, or why it was not.
        session: The conversion in the hands of this user.
        apart: Carries out long acts.
        changed: Called after the decisions have changed.
    """

    def __init__(
        self, app: App[int], session: "WizardSession", *, apart: Apart, changed: Callable[[], None]
    ) -> None:
        self._app, self._session = app, session
        self._apart, self._changed = apart, changed

    def carry_out(self, command: "Command", done: str = "") -> None:
        """Carry out a command, after the one that is under way.

        Args:
            command: The command.
            done: What to say when it is done.
        """
        if self._apart.at_work:
            self._apart.after(lambda: self.carry_out(command, done))
            return
        if reaches_far(command):
            self._apart.begin(
                LongAct(
                    command.label,
                    lambda conversion: conversion.act(command),
                    done=lambda changed: self._done(done, changed=changed),
                    refused=self._not_done,
                )
            )
            return
        try:
            changed = self._session.act(command)
        except MelleafyError as error:
            self._not_done(error)
        else:
            self._done(done, changed=changed)

    def undo(self) -> None:
        """Take back the last act."""
        acts = self._session.conversion.acts
        self._move(acts, "Taken back", "Nothing to take back.", lambda conversion: conversion.undo())

    def redo(self) -> None:
        """Do the last undone act again."""
        acts = self._session.conversion.undone_acts
        self._move(acts, "Done again", "Nothing to do again.", lambda conversion: conversion.redo())

    def _move(
        self, acts: "Sequence[Act]", done: str, nothing: str, move: "Callable[[Conversion], object]"
    ) -> None:
        """Go one act back or forth in the history."""
        if not acts:
            self._app.notify(nothing, markup=False)
            return
        words = f"{done}: {acts[-1].command.label}"
        if reaches_far(acts[-1].command):
            self._apart.begin(
                LongAct(words, move, done=lambda _: self._done(words, changed=True), refused=self._not_done)
            )
        else:
            move(self._session.conversion)
            self._done(words, changed=True)

    def _done(self, words: str, *, changed: bool) -> None:
        if changed:
            if words:
                self._app.notify(words, timeout=4, markup=False)
            self._changed()

    def _not_done(self, error: MelleafyError) -> None:
        self._app.bell()
        words = f"{error.message} {error.hint}".strip()
        self._app.notify(words, title="Not done", severity="warning", markup=False)
