"""The Textual app: it carries out what screens ask for, renders in the background, and shows errors.

Screens send commands and draw state; this is the only place where the two meet (docs/wizard.md). The frame is painted
before a workspace is read, so what only an opened workspace needs is imported where it is needed.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on, work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from melleafy_tui import opening
from melleafy_tui.beside import AT_ONCE, beside
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.keymap import ALL, KEYMAP, bindings, parse_actions
from melleafy_tui.keys.table import KeyTable
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.step_app import StepApp
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.wizard_steps import Step

if TYPE_CHECKING:
    from melleafy_tui.apart import Apart
    from melleafy_tui.core.conversion import Conversion
    from melleafy_tui.core.decisions.history import Act
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.core.decisions.rebase import OverrideState
    from melleafy_tui.decision_questions import DecisionQuestions
    from melleafy_tui.file_questions import FileQuestions
    from melleafy_tui.fixture_questions import FixtureQuestions
    from melleafy_tui.folder_questions import FolderQuestions
    from melleafy_tui.rendering import Rendered
    from melleafy_tui.wizard_session import WizardSession

SETTLE: Final = 0.05
"""Seconds without an act after which the package is rendered anew."""

INTERRUPTED: Final = 130

LEAVING: Final = ("leave", "interrupt")
"""Actions that wait for nothing, not even for the workspace to be opened."""

SCREENS: Final[dict[Step, tuple[str, str]]] = {
    Step.DETECT: ("detect", "DetectScreen"),
    Step.INVENTORY: ("inventory", "InventoryScreen"),
    Step.DECIDE: ("decide", "DecideScreen"),
    Step.PREVIEW: ("preview", "PreviewScreen"),
    Step.WRITE: ("write", "WriteScreen"),
}
"""Module and class of each step's screen."""


def screen_of(step: Step) -> type[StepScreen]:
    """Return the class of a step's screen; its module is imported when it is first asked for."""
    module, name = SCREENS[step]
    kind: type[StepScreen] = getattr(import_module(f"melleafy_tui.screens.{module}"), name)
    return kind


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
    class Rerendered(Message):
        """A thread has rendered the package."""

        rendered: "Rendered"

    @dataclass
    class RenderFailed(Message):
        """The package cannot be rendered as things stand."""

        error: MelleafyError

    @dataclass
    class StageDone(Message):
        """So many stages of the opening are done."""

        count: int

    @dataclass
    class ReadingBegun(Message):
        """What reads the workspace is imported, and reads it."""

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
        self._settling: Timer | None = None
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
        if self._to_open is None:
            parse_actions()
            self._begin()
            return
        self._type_ahead.hold(but=self._leaves)
        self.call_after_refresh(self._open, self._to_open)

    def _open(self, to_open: opening.ToOpen) -> None:
        parse_actions()
        opening.work_out(
            to_open,
            begun=lambda: self.post_message(self.ReadingBegun()),
            reached=lambda count: self.post_message(self.StageDone(count)),
            opened=lambda found: self.post_message(self.Opened(found)),
            failed=lambda error: self.post_message(self.NotOpened(error)),
        )

    @on(ReadingBegun)
    def show_stages_soon(self) -> None:
        """Show how far the reading is where it takes a while."""
        self.set_timer(AT_ONCE, self._show_stages)

    async def _show_stages(self) -> None:
        if self._opening is not None:
            await self._opening.show_stages()

    @on(StageDone)
    def show_stage(self, event: StageDone) -> None:
        """Move the bar of the opening on."""
        if self._opening is not None:
            self._opening.show_done(event.count)

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
        self._render_soon()
        self._questions.begin()
        if self._watched:
            self._watch()

    # --- what asks in dialogs ------------------------------------------------------------------

    @cached_property
    def _apart(self) -> "Apart":
        from melleafy_tui.apart import Apart

        return Apart(self, self._type_ahead, self.session)

    @cached_property
    def _questions(self) -> "DecisionQuestions":
        from melleafy_tui.decision_questions import DecisionQuestions

        return DecisionQuestions(
            self,
            self.session,
            apart=self._apart,
            act=lambda command, done: self.carry_out(StepScreen.Act(command, done)),
            changed=self._state_changed,
            fail=self.show_error,
            left_behind=self._left_behind,
            beside=self._beside,
        )

    @cached_property
    def _fixtures(self) -> "FixtureQuestions":
        from melleafy_tui.fixture_questions import FixtureQuestions

        return FixtureQuestions(
            self,
            self.session,
            act=lambda command, done: self.carry_out(StepScreen.Act(command, done)),
            fail=self.show_error,
        )

    @cached_property
    def _folders(self) -> "FolderQuestions":
        from melleafy_tui.folder_questions import FolderQuestions

        return FolderQuestions(self, self.session, fail=self.show_error)

    @cached_property
    def _files(self) -> "FileQuestions":
        from melleafy_tui.file_questions import FileQuestions

        return FileQuestions(
            self,
            self.session,
            act=lambda command: self.step_screen.post_message(StepScreen.Act(command)),
            load=self._questions.load,
            changed=self._state_changed,
            saved=lambda: self.step_screen.show_state(),
            leave=lambda: self._end(0),
            fail=self.show_error,
        )

    def on_unmount(self) -> None:
        """End the watch."""
        self.stop_watching()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let nothing but leaving happen while the workspace is worked out."""
        if self._opening is not None:
            return action in LEAVING
        if self._session is not None and self._apart.at_work:
            return action == "interrupt"
        return super().check_action(action, parameters)

    # --- what screens ask for ------------------------------------------------------------------

    @on(StepScreen.Act)
    def carry_out(self, event: StepScreen.Act) -> None:
        """Carry out a command and draw what follows from it."""
        from melleafy_tui.apart import LongAct, reaches_far

        if self._apart.at_work:
            self._apart.after(lambda: self.carry_out(event))
            return
        if reaches_far(event.command):
            self._apart.begin(
                LongAct(
                    event.command.label,
                    lambda conversion: conversion.act(event.command),
                    done=lambda changed: self._done(event.done, changed=changed),
                    refused=self._not_done,
                )
            )
            return
        try:
            changed = self.session.act(event.command)
        except MelleafyError as error:
            self._not_done(error)
        else:
            self._done(event.done, changed=changed)

    def _done(self, words: str, *, changed: bool) -> None:
        if changed:
            if words:
                self.notify(words, timeout=4, markup=False)
            self._state_changed()

    def _not_done(self, error: MelleafyError) -> None:
        self.bell()
        words = f"{error.message} {error.hint}".strip()
        self.notify(words, title="Not done", severity="warning", markup=False)

    @on(StepScreen.Ask)
    def answer(self, event: StepScreen.Ask) -> None:
        """Do what only the app can do."""
        match event.action:
            case "choose_output":
                self._files.choose_output()
            case "load_decisions":
                self._files.load()
            case "reread":
                self.action_reread()
            case "render_again":
                self._render_soon()

    def _state_changed(self) -> None:
        self._keep_journal()
        self.step_screen.show_state()
        self._render_soon()

    def _keep_journal(self) -> None:
        try:
            self.session.note_in_journal(datetime.now(UTC))
        except OSError as fault:
            self.session.journal = None
            self.notify(
                f"Your decisions are not kept against a crash: {fault.strerror}. Save them with ^s.",
                severity="warning",
                markup=False,
            )

    # --- the source on the disk ----------------------------------------------------------------

    def _watch(self) -> None:
        """Watch in a thread that no end of the app waits for; it only posts messages."""
        from melleafy_tui.source_watch import watch_quietly

        session = self.session
        if session.read_source is not None:
            threading.Thread(
                target=watch_quietly,
                args=(session.conversion.snapshot, session.read_source),
                kwargs={
                    "found": lambda now: self.post_message(StepScreen.SourceFound(now)),
                    "failed": lambda: self.post_message(self.Unwatched()),
                    "stop": self._unwatched,
                },
                name="watch the source",
                daemon=True,
            ).start()

    def stop_watching(self) -> None:
        """End the thread that watches the source."""
        self._unwatched.set()

    @on(Unwatched)
    def say_unwatched(self) -> None:
        """Say that changes are not noticed at once; the write looks for them in any case."""
        self.notify(
            "This system cannot watch the source; changes are found when you write.",
            severity="warning",
            markup=False,
        )

    @on(StepScreen.SourceFound)
    def note_source(self, event: StepScreen.SourceFound) -> None:
        """Say that the source has changed on the disk, once for each change."""
        changed = self.session.note_newer(event.snapshot)
        self.step_screen.show_state()
        if changed:
            from melleafy_tui.words import changed_words

            reread = self.session.keys.spelled("source.reread")
            self.notify(
                f"{changed_words(changed)}. {reread} reads it again; your decisions follow.",
                title="The source has changed",
                severity="warning",
                markup=False,
            )

    def action_reread(self) -> None:
        """Go on with the source as it is on the disk."""
        from melleafy_tui.apart import LongAct

        if self.session.newer is None:
            self.notify("The source is as it was read.", markup=False)
            return
        newer = self.session.newer

        def done(states: "tuple[OverrideState, ...]") -> None:
            self.session.note_reread(states)
            self._state_changed()
            self._questions.say_followed(states)

        self._apart.begin(
            LongAct(
                "Reading the source again",
                lambda conversion: conversion.reread(newer),
                done=done,
                refused=lambda error: self.show_error("The source cannot be taken as it is now", error),
            )
        )

    def close_journal(self) -> None:
        """Let go of the journal; it stays for the next start unless it was cleared."""
        if self._session is not None and self._session.journal is not None:
            self._session.journal.close()

    # --- rendering -----------------------------------------------------------------------------

    def _render_soon(self) -> None:
        if self._settling is not None:
            self._settling.stop()
        self._settling = self.set_timer(SETTLE + self.session.patience, self._start_rendering)

    def _start_rendering(self) -> None:
        session = self.session
        self._render(session.twin(), session.out, session.now, force=session.force)

    @work(exclusive=True, group="render", exit_on_error=False, description="render the package")
    async def _render(self, twin: "Conversion", out: Path, now: str, *, force: bool) -> None:
        def rendered_package() -> "Rendered":
            from melleafy_tui.rendering import render

            for step in SCREENS:  # whoever goes on finds them imported
                screen_of(step)
            return render(twin, out, now=now, force=force)

        try:
            rendered = await beside(rendered_package, name="render the package")
        except MelleafyError as error:
            self.post_message(self.RenderFailed(error))
            return
        self.post_message(self.Rerendered(rendered))

    @on(Rerendered)
    def keep_rendered(self, event: Rerendered) -> None:
        """Keep what was rendered, where it still is what the decisions give, and draw it."""
        if self.session.keep(event.rendered):
            self.step_screen.show_state()

    @on(RenderFailed)
    def show_render_failure(self, event: RenderFailed) -> None:
        """Say why there is no package; the steps show it where the files would stand."""
        from melleafy_tui.rendering import refused

        self.session.keep(refused(self.session.conversion, event.error))
        self.step_screen.show_state()
        self.notify(str(event.error), title="The package cannot be made", severity="error", markup=False)

    # --- history -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the last act."""
        acts = self.session.conversion.acts
        self._move(acts, "Taken back", "Nothing to take back.", lambda conversion: conversion.undo())

    def action_redo(self) -> None:
        """Do the last undone act again."""
        acts = self.session.conversion.undone_acts
        self._move(acts, "Done again", "Nothing to do again.", lambda conversion: conversion.redo())

    def _move(
        self, acts: "Sequence[Act]", done: str, nothing: str, move: "Callable[[Conversion], object]"
    ) -> None:
        """Go one act back or forth in the history."""
        from melleafy_tui.apart import LongAct, reaches_far

        if not acts:
            self.notify(nothing, markup=False)
            return
        words = f"{done}: {acts[-1].command.label}"
        if reaches_far(acts[-1].command):
            self._apart.begin(
                LongAct(words, move, done=lambda _: self._done(words, changed=True), refused=self._not_done)
            )
        else:
            move(self.session.conversion)
            self._done(words, changed=True)

    # --- files, palette, leaving ---------------------------------------------------------------

    def action_save(self) -> None:
        """Save the decisions, asking where the first time."""
        self._files.save()

    def action_pick_fixtures(self) -> None:
        """Pick fixtures from the agent's history."""
        self._fixtures.begin()

    def action_export(self) -> None:
        """Make a workspace again from the written package."""
        self._folders.export()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the key table by its name."""
        from melleafy_tui.folder_works import SURFACES_DOES, SURFACES_TITLE, WORKSPACE_DOES, WORKSPACE_TITLE
        from melleafy_tui.palette import key_commands, theme_commands

        yield from key_commands(self, screen if isinstance(screen, StepScreen) else self.step_screen)
        yield SystemCommand(
            "Decisions without a place",
            "Take or drop the decisions of a file whose element is gone.",
            self._questions.ask_about_unplaced,
        )
        yield SystemCommand(
            SURFACES_TITLE,
            SURFACES_DOES,
            self._folders.surfaces,
        )
        yield SystemCommand(
            WORKSPACE_TITLE,
            WORKSPACE_DOES,
            self._folders.workspace,
        )
        yield from theme_commands(self)

    def action_leave(self) -> None:
        """Leave, asking when decisions are unsaved."""
        if self._opening is not None:
            self._end(0)
            return
        self._files.leave()

    def action_interrupt(self) -> None:
        """Stop long work, or leave; the journal is kept."""
        if self._opening is None and (self._apart.stop() or self.step_screen.cancel_work()):
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

    def show_error(self, title: str, error: MelleafyError) -> None:
        """Show an error with its place and the next step."""
        from melleafy_tui.fault_dialogs import error_dialog

        self.push_screen(error_dialog(title, error))
