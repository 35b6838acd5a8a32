"""Runs what the user asks for: commands, long operations in a thread, rendering, and watching the source.

Threads work on a copy of the conversion and only post messages or return a result to a worker on the event
loop; only the event loop changes widgets and the session.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from textual import events
from textual.app import App
from textual.timer import Timer
from textual.worker import Worker, WorkType

from melleafy_tui.actions.steps import figures_of
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.widgets.background_thread import AT_ONCE, Working, background_thread
from melleafy_tui.widgets.dialogs import Dialog, error_dialog
from melleafy_tui.widgets.frame import Frame, StepScreen, step_in_view
from melleafy_tui.wizard.key_queue import KeyQueue

if TYPE_CHECKING:  # the frame is painted before the core is imported
    from melleafy_tui.actions.session import AssistOffer, Rendered, WizardSession
    from melleafy_tui.core.decisions.commands import Command
    from melleafy_tui.core.models.snapshot import Snapshot
    from melleafy_tui.core.pipeline.conversion import Conversion

ResultT = TypeVar("ResultT")

SETTLE: Final = 0.05
"""Seconds without a command before the package is rendered again."""

COMPARED: Final = 8.0
"""Seconds that changed counts are shown with those before the act."""

STOP_KEY: Final = "app.interrupt"


def is_expensive(command: "Command") -> bool:
    """Return whether a command touches every element or entry, and so may take seconds in a big workspace."""
    from melleafy_tui.core.decisions import commands

    kinds = (commands.SetTag, commands.ChangeSettings, commands.ReleaseSecret, commands.ReplaceDecisions)
    return command.includes(*kinds)


class Operations:
    """The operations of one wizard; at most one long operation runs at a time.

    Args:
        app: Runs the workers and shows notices.
        session: The user's session.
        keys: Holds keys back during a long operation.
    """

    def __init__(self, app: App[int], session: "WizardSession", keys: KeyQueue) -> None:
        self.session = session
        self._app, self._keys = app, keys
        self._worker: Worker[None] | None = None
        self._notice: Working | None = None
        self._waiting: deque[Callable[[], None]] = deque()
        self._settling: Timer | None = None
        self._comparing: Timer | None = None
        self._unwatched = threading.Event()

    def redraw(self) -> None:
        """Redraw the step in view from the session, and a dialog over it."""
        screen = self._app.screen
        if not isinstance(screen, Frame):  # a dialog covers the step in part only
            step_in_view(self._app).show_state()
        if isinstance(screen, Frame | Dialog):
            screen.show_state()

    def fail(self, title: str, error: MelleafyError) -> None:
        """Show an error with its place and the next step."""
        self._app.push_screen(error_dialog(title, error))

    # --- commands ------------------------------------------------------------------------------

    def carry_out(self, command: "Command", done: str = "") -> None:
        """Carry out a command, after the operation that is running.

        Args:
            command: The command.
            done: What to say when it is done.
        """
        if self.running:
            self._waiting.append(partial(self.carry_out, command, done))
            return
        if is_expensive(command):
            self.run(
                command.label,
                lambda conversion: conversion.act(command),
                done=lambda changed: self._announce(done, changed=changed),
                refused=self._refuse,
            )
            return
        try:
            changed = self.session.conversion.act(command)
        except MelleafyError as error:
            self._refuse(error)
        else:
            self._announce(done, changed=changed)

    def undo(self) -> None:
        """Undo the last command."""
        acts = self.session.conversion.acts
        self._move(acts, "Undone", "Nothing to undo.", lambda conversion: conversion.undo())

    def redo(self) -> None:
        """Redo the last command that was undone."""
        acts = self.session.conversion.undone_acts
        self._move(acts, "Redone", "Nothing to redo.", lambda conversion: conversion.redo())

    def _move(
        self, acts: "Sequence[Command]", done: str, nothing: str, move: "Callable[[Conversion], object]"
    ) -> None:
        """Undo or redo one command."""
        if not acts:
            self._app.notify(nothing, markup=False)
            return
        label = f"{done}: {acts[-1].label}"
        if is_expensive(acts[-1]):
            self.run(label, move, done=lambda _: self._announce(label, changed=True), refused=self._refuse)
        else:
            move(self.session.conversion)
            self._announce(label, changed=True)

    def _announce(self, label: str, *, changed: bool) -> None:
        if changed:
            if label:
                self._app.notify(label, timeout=4, markup=False)
            self.decisions_changed()

    def _refuse(self, error: MelleafyError) -> None:
        self._app.bell()
        reason = f"{error.message} {error.hint}".strip()
        self._app.notify(reason, title="Not done", severity="warning", markup=False)
        self.redraw()

    def decisions_changed(self) -> None:
        """Record the decisions in the journal, draw them, and render the package."""
        if fault := self.session.keep_journal(datetime.now(UTC)):
            self._app.notify(
                f"Can't write the journal ({fault}); a crash loses your decisions. Save them with ^s.",
                severity="warning",
                markup=False,
            )
        if self._comparing is not None:
            self._comparing.stop()
        if self.session.note_figures():
            self._comparing = self._app.set_timer(COMPARED, self._end_comparison)
        self.redraw()
        self.render_soon()

    def _end_comparison(self) -> None:
        """Show the counts alone again."""
        self.session.compared_figures = None
        step_in_view(self._app).show_figures()

    def assist(self, offer: "AssistOffer") -> None:
        """Ask a model about the open decisions; nothing is kept of what is stopped."""
        stopped = threading.Event()

        def tell(number: int, total: int) -> None:
            if self._notice is not None:
                self._app.call_later(
                    self._notice.show_words, f"{label}, call {min(number + 1, total)} of {total}"
                )

        def done(words: str) -> None:
            self._announce(words, changed=True)

        label = f"Asking {offer.model}"
        self.run(
            label,
            lambda conversion: offer.ask(conversion, tell, stopped.is_set),
            done=done,
            refused=self._refuse,
            stopped=stopped.set,
        )

    # --- long operations -----------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Return whether a long operation is running."""
        return self._worker is not None

    def run(
        self,
        label: str,
        work: "Callable[[Conversion], ResultT]",
        *,
        done: Callable[[ResultT], object],
        refused: Callable[[MelleafyError], object],
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        """Run a long operation on a copy that replaces the conversion when done; keys are queued meanwhile.

        Args:
            label: What the notice says is being done.
            work: The operation; it gets the copy and runs in a thread.
            done: Called with the result after the copy has replaced the original.
            refused: Called with the error if the operation failed; nothing has changed then.
            stopped: Called when nobody waits for it any more.
        """
        self._keys.hold(but=self._stops)
        self._worker = self._app.run_worker(
            self._run(label, work, done, refused, stopped),
            group="operation",
            description=label,
            exit_on_error=False,
        )

    def stop(self) -> bool:
        """Cancel the long operation and those queued behind it; return whether there was one."""
        if self._worker is None:
            return False
        self._waiting.clear()
        self._worker.cancel()
        return True

    def _stops(self, key: events.Key) -> bool:
        return any(row.id == STOP_KEY for row in self.session.keys.pressed(key.key))

    async def _run(
        self,
        label: str,
        work: "Callable[[Conversion], ResultT]",
        done: Callable[[ResultT], object],
        refused: Callable[[MelleafyError], object],
        stopped: Callable[[], object],
    ) -> None:
        self._notice = notice = Working(label, self.session.keys.spelled(STOP_KEY))
        soon = self._app.set_timer(AT_ONCE, lambda: self._app.push_screen(notice))
        copy = self.session.conversion.copy()

        def work_on_copy() -> ResultT:
            result = work(copy)
            figures_of(copy)  # drawn next
            return result

        follow: Callable[[], object]
        try:
            result = await background_thread(work_on_copy, name=label)
        except MelleafyError as error:
            follow = partial(refused, error)
        else:
            self.session.conversion.take_over(copy)
            follow = partial(done, result)
        finally:
            self._worker = self._notice = None
            stopped()
            soon.stop()
            if notice.is_current:
                self._app.pop_screen()
            self._keys.release()
        follow()
        while self._waiting and not self.running:
            self._waiting.popleft()()

    # --- rendering -----------------------------------------------------------------------------

    def render_soon(self) -> None:
        """Render the package once no command has followed for a moment."""
        if self._settling is not None:
            self._settling.stop()
        self._settling = self._app.set_timer(SETTLE + self.session.settle_seconds, self.render)

    def render(self) -> None:
        """Render the package for the current decisions; cancels a rendering that is still running."""
        work: WorkType[None] = self._render
        self._app.run_worker(
            work,
            exclusive=True,
            group="render",
            exit_on_error=False,
            description="render the package",
        )

    async def _render(self) -> None:
        from melleafy_tui.actions.session import refused, render

        session = self.session
        work = partial(
            render,
            session.copy(),
            session.out,
            now=session.now,
            force=session.force,
            settlements=session.settlements,
        )
        try:
            rendered = await background_thread(work, name="render the package")
        except MelleafyError as error:
            self._app.call_later(self._show_rendered, refused(session.conversion, error), error)
        else:
            self._app.call_later(self._show_rendered, rendered)

    def _show_rendered(self, rendered: "Rendered", error: MelleafyError | None = None) -> None:
        """Keep and draw the rendered package or its error, unless the decisions have changed since."""
        if self.session.keep(rendered) or error is not None:
            self.redraw()
        if error is not None:  # the steps show it instead of the files
            self._app.notify(str(error), title="The package cannot be made", severity="error", markup=False)

    # --- the source on disk --------------------------------------------------------------------

    def watch_source(self) -> None:
        """Watch the source; each changed reading is posted to the app as `SourceFound`."""
        if self.session.read_source is not None:
            threading.Thread(
                target=self._watch,
                args=(self.session.conversion.snapshot, self.session.read_source),
                name="watch the source",
                daemon=True,  # not a worker: it runs as long as the wizard, and nobody waits for it
            ).start()

    def stop_watching(self) -> None:
        """Stop the thread that watches the source."""
        self._unwatched.set()

    def _watch(self, snapshot: "Snapshot", read_source: "Callable[[], Snapshot]") -> None:
        from melleafy_tui.actions.source_watch import watch_source

        def found(now: "Snapshot") -> None:
            self._app.post_message(StepScreen.SourceFound(now))

        watch_source(snapshot, read_source, found, self._unwatched)

    def note_source(self, snapshot: "Snapshot") -> None:
        """Say that the source changed on disk, once per change."""
        from melleafy_tui.actions.display_names import changed_words

        changed = self.session.note_newer(snapshot)
        self.redraw()
        if changed:
            reread = self.session.keys.spelled("source.reread")
            self._app.notify(
                f"{changed_words(changed)}. {reread} reads it again; your decisions are kept.",
                title="The source has changed",
                severity="warning",
                markup=False,
            )
