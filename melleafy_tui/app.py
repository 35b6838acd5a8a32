"""The Textual app: it opens the workspace, gives what screens and keys ask for to the part that does it, and ends well.

Screens send commands and draw state; this is the only place where the two meet (docs/wizard.md). The frame is painted
before a workspace is read, so what only an opened workspace needs is imported where it is needed (`wizard_parts.py`).
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from melleafy_tui import opening
from melleafy_tui.keymap import ALL, KEYMAP, bindings, parse_actions
from melleafy_tui.keys.table import KeyTable
from melleafy_tui.screens import screen_of
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.step_app import StepApp
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.wizard_steps import Step

if TYPE_CHECKING:
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.wizard_parts import WizardParts
    from melleafy_tui.wizard_session import WizardSession

INTERRUPTED: Final = 130

LEAVING: Final = ("leave", "interrupt")
"""Actions that wait for nothing, not even for the workspace to be opened."""


class WizardApp(StepApp):
    """The wizard.

    Args:
        session: The conversion in the hands of this user; None where the workspace is opened beside the screen.
        hints: The folder where dismissed hints are remembered; None shows no hints.
        left_behind: Journals of earlier wizards on this workspace that did not end well.
        beside: A decisions file that lies beside the workspace and is not in use.
        watched: Whether to watch the source on the disk.
        to_open: How the workspace is opened, where there is no session yet.
    """

    TITLE = "melleafy-tui"
    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES]  # type: ignore[assignment]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ALL)]

    @dataclass
    class Opened(Message):
        """The workspace is open and worked out."""

        opened: opening.Opened

    @dataclass
    class NotOpened(Message):
        """The workspace cannot be opened."""

        error: Exception

    @dataclass
    class Unwatched(Message):
        """The source cannot be watched here."""

    def __init__(
        self,
        session: "WizardSession | None" = None,
        *,
        hints: Path | None = None,
        left_behind: "Sequence[JournalEntry]" = (),
        beside: Path | None = None,
        watched: bool = False,
        to_open: opening.ToOpen | None = None,
    ) -> None:
        super().__init__(hints=hints)
        self._session = session
        self._left_behind, self._beside = left_behind, beside
        self._to_open = to_open
        self._opening: OpeningScreen | None = None
        self._keys = session.keys if session is not None else to_open.keys if to_open else KeyTable()
        self.set_keymap({key.id: key.keys for key in self._keys.rows if key not in KEYMAP})
        self._watched = watched
        self._unwatched = threading.Event()
        self.fault: Exception | None = None

    @property
    def session(self) -> "WizardSession":
        """Return the conversion in the hands of this user; there is none before the workspace is open."""
        assert self._session is not None
        return self._session

    def get_default_screen(self) -> Screen[Any]:
        """Return the frame without a step where the workspace is still to be opened: it is what is painted first."""
        if self._to_open is None:
            return super().get_default_screen()
        stages = [opening.FILES, *(words for words, _ in opening.STAGES)]
        self._opening = OpeningScreen(self._to_open.name, stages, self._keys)
        return self._opening

    def on_mount(self) -> None:
        """Begin, or open the workspace beside the screen once the frame is painted."""
        if self._to_open is None or self._opening is None:
            parse_actions()
            self._begin()
            return
        self._type_ahead.hold(but=self._leaves)
        self.call_after_refresh(self._open, self._to_open, self._opening)

    def _open(self, to_open: opening.ToOpen, screen: OpeningScreen) -> None:
        parse_actions()
        opening.work_out(
            to_open,
            begun=lambda: screen.post_message(screen.ReadingBegun()),
            reached=lambda count: screen.post_message(screen.StageDone(count)),
            opened=lambda found: self.post_message(self.Opened(found)),
            failed=lambda error: self.post_message(self.NotOpened(error)),
        )

    @on(NotOpened)
    def end_unopened(self, event: NotOpened) -> None:
        """End with what went wrong."""
        self._handle_exception(event.error)

    @on(Opened)
    def begin_when_opened(self, event: Opened) -> None:
        """Show the first step and let the kept keys through."""
        self._session = event.opened.session
        self._left_behind, self._beside = event.opened.left_behind, event.opened.beside
        self._opening = None
        self._begin()
        self._type_ahead.release()

    def _leaves(self, key: events.Key) -> bool:
        return any(row.action in LEAVING for row in self._keys.pressed(key.key))

    def make_screen(self, step: Step) -> StepScreen:
        """Return a new screen of a step."""
        return screen_of(step)(self.session)

    def _begin(self) -> None:
        """Show the first step; what is painted later is made later."""
        self.show_first()
        self.call_after_refresh(self._go_on)

    def _go_on(self) -> None:
        """Start to render, ask what there is to ask, and watch the source."""
        self._parts.rendering.soon()
        self._parts.questions.begin()
        if self._watched:
            self._parts.source.watch(
                found=lambda now: self.post_message(StepScreen.SourceFound(now)),
                failed=lambda: self.post_message(self.Unwatched()),
                stop=self._unwatched,
            )

    @cached_property
    def _parts(self) -> "WizardParts":
        """Return what works on the opened workspace."""
        from melleafy_tui.wizard_parts import WizardParts

        return WizardParts(
            self,
            self.session,
            keys=self._type_ahead,
            left_behind=self._left_behind,
            beside=self._beside,
            leave=lambda: self._end(0),
        )

    def on_unmount(self) -> None:
        """End the watch."""
        self.stop_watching()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let nothing but leaving happen while the workspace is worked out."""
        if self._opening is not None:
            return action in LEAVING
        if self._session is not None and self._parts.apart.at_work:
            return action == "interrupt"
        return super().check_action(action, parameters)

    # --- what screens ask for ------------------------------------------------------------------

    @on(StepScreen.Act)
    def carry_out(self, event: StepScreen.Act) -> None:
        """Carry out a command and draw what follows from it."""
        self._parts.acts.carry_out(event.command, event.done)

    @on(StepScreen.Ask)
    def answer(self, event: StepScreen.Ask) -> None:
        """Do what only the app can do."""
        match event.action:
            case "choose_output":
                self._parts.files.choose_output()
            case "load_decisions":
                self._parts.files.load()
            case "reread":
                self._parts.source.reread()
            case "render_again":
                self._parts.rendering.soon()

    # --- the source on the disk ----------------------------------------------------------------

    def stop_watching(self) -> None:
        """End the thread that watches the source."""
        self._unwatched.set()

    @on(Unwatched)
    def say_unwatched(self) -> None:
        """Say that changes are not noticed at once; the write looks for them in any case."""
        self._parts.source.say_unwatched()

    @on(StepScreen.SourceFound)
    def note_source(self, event: StepScreen.SourceFound) -> None:
        """Say that the source has changed on the disk, once for each change."""
        self._parts.source.note(event.snapshot)

    def action_reread(self) -> None:
        """Go on with the source as it is on the disk."""
        self._parts.source.reread()

    def close_journal(self) -> None:
        """Let go of the journal; it stays for the next start unless it was cleared."""
        if self._session is not None and self._session.journal is not None:
            self._session.journal.close()

    # --- history, files, palette, leaving ------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the last act."""
        self._parts.acts.undo()

    def action_redo(self) -> None:
        """Do the last undone act again."""
        self._parts.acts.redo()

    def action_save(self) -> None:
        """Save the decisions, asking where the first time."""
        self._parts.files.save()

    def action_pick_fixtures(self) -> None:
        """Pick fixtures from the agent's history."""
        self._parts.fixtures.begin()

    def action_export(self) -> None:
        """Make a workspace again from the written package."""
        self._parts.folders.export()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Offer every action of the key table by its name."""
        from melleafy_tui.palette import commands

        yield from commands(
            self,
            screen if isinstance(screen, StepScreen) else self.step_screen,
            unplaced=self._parts.questions.ask_about_unplaced,
            surfaces=self._parts.folders.surfaces,
            workspace=self._parts.folders.workspace,
        )

    def action_leave(self) -> None:
        """Leave, asking when decisions are unsaved."""
        if self._opening is not None:
            self._end(0)
            return
        self._parts.files.leave()

    def action_interrupt(self) -> None:
        """Stop long work, or leave; the journal is kept."""
        if self._opening is None and (self._parts.apart.stop() or self.step_screen.cancel_work()):
            return
        self._end(INTERRUPTED)

    def _end(self, code: int) -> None:
        self.exit(code, return_code=code)

    # --- faults --------------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        """Remember an unexpected fault for the command line, which writes the log and the short message."""
        self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without Textual's traceback, which would print local variables and so the workspace's text."""
        self._close_messages_no_wait()

    @on(Worker.StateChanged)
    def notice_worker_fault(self, event: Worker.StateChanged) -> None:
        """Say that work in the background failed, where no screen expected it."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            from melleafy_tui.fault_dialogs import fault_dialog

            self.push_screen(fault_dialog(event.worker.error, event.worker.description))
