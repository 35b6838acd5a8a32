"""The Textual app: loads the workspace, switches between steps, and dispatches requests to operations.

Screens send commands and draw state; this is the only place where the two meet (docs/wizard.md). The frame is
painted before a workspace is read, so modules that only a loaded workspace needs are imported late.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
from msgspec import Struct
from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.css.query import NoMatches
from textual.filter import LineFilter, Monochrome
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from melleafy_tui.actions.key_table import ALL, BEFORE_STEPS, CHOOSER, KEYMAP, KeyTable
from melleafy_tui.actions.steps import STEP_INFO, STEPS, PaneLayout, Step
from melleafy_tui.screens import screen_of
from melleafy_tui.screens.chooser import CHOOSER_TERMS, CHOOSER_TITLE, ChooserScreen
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.user_folders import state_folder, write_private
from melleafy_tui.widgets.background_thread import background_thread
from melleafy_tui.widgets.footer import bindings, parse_actions
from melleafy_tui.widgets.frame import FRAME_STYLES, SMALLEST, Frame, StepRail, StepScreen, step_in_view
from melleafy_tui.widgets.styled_text import DARK, THEME_TITLES, THEMES, AsciiGlyphs, NoColour, theme_after
from melleafy_tui.wizard import loading
from melleafy_tui.wizard.key_queue import KeyQueue, KeySettled
from melleafy_tui.wizard.operations import SETTLE, Operations

if TYPE_CHECKING:
    from melleafy_tui.actions.session import WizardSession
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.screens.review import Destination
    from melleafy_tui.wizard.decision_dialogs import DecisionQuestions
    from melleafy_tui.wizard.file_dialogs import FileQuestions

INTERRUPTED: Final = 130

_ENDING_SIGNALS: Final = ("SIGHUP", "SIGINT", "SIGTERM")

_SIGNALLED: Final = 128
"""The exit status of a program that a signal ended is this and the signal's number."""

_GRACE_SECONDS: Final = 3.0

LEAVING: Final = ("leave", "interrupt")
"""Actions that are always available, even before the workspace is loaded."""

_STEP_ACTIONS: Final = frozenset(
    {
        "go",
        "review",
        "next_step",
        "previous_step",
        "undo",
        "redo",
        "save",
        "reread",
        "next_theme",
        "help",
        "leave",
        "dismiss_hint",
    }
)
"""Actions that are unavailable while a dialog is open."""

_IN_REVIEW: Final = frozenset({"go", "leave", "save", "undo", "next_theme"})
"""Those of them that are available in the review."""

_BEFORE_STEPS: Final = frozenset(KeyTable().row(name).action for name in BEFORE_STEPS)
"""Actions that are available while a source is chosen."""

PALETTE: Final = "--command-palette"
"""Textual's own id for the screen of the palette."""


class KeptView(Struct, frozen=True):
    """What the next wizard begins with: the theme, and the shares of the panes by step and width."""

    theme: str = DARK.name
    shares: dict[str, int] = {}

    @classmethod
    def read(cls, file: Path | None) -> "KeptView":
        """Return what the last wizard kept, the defaults if nothing can be read."""
        with suppress(OSError, msgspec.MsgspecError):
            if file is not None:
                return msgspec.json.decode(file.read_bytes(), type=cls)
        return cls()


class WizardApp(App[int]):
    """Runs the wizard in Textual.

    Args:
        session: The user's session; None if the loader loads the workspace while the frame is shown.
        hints: The folder where dismissed hints are remembered; None shows no hints.
        left_behind: Journals of earlier wizards on this workspace that ended abnormally.
        beside: A decisions file next to the workspace that is not in use.
        watched: Whether to watch the source on disk.
        loader: Loads the workspace, if there is no session yet.
        review_first: Whether the review opens when the first step is painted.
    """

    TITLE = "melleafy-tui"
    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES]  # type: ignore[assignment]
    CSS: ClassVar[str] = """
    CommandPalette Input > .input--placeholder { color: $tone-muted; }
    ToastRack { margin-bottom: 2; }
    """
    """Textual's own placeholder is too pale to read in the light theme, and its messages would cover the counts."""
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ALL)]

    def __init__(
        self,
        session: "WizardSession | None" = None,
        *,
        hints: Path | None = None,
        left_behind: "Sequence[JournalEntry]" = (),
        beside: Path | None = None,
        watched: bool = False,
        loader: loading.WorkspaceLoader | None = None,
        review_first: bool = False,
    ) -> None:
        super().__init__()
        self.no_color = bool(os.environ.get("NO_COLOR"))
        self._without_colour = NoColour()
        encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
        self._in_ascii = None if encoding.casefold().startswith("utf") else AsciiGlyphs()
        self._key_queue = KeyQueue(self, self._deliver_key)
        self._operations = Operations(self, session, self._key_queue) if session is not None else None
        self._left_behind, self._beside = left_behind, beside
        self._loader = loader
        self._loading_screen: OpeningScreen | None = None
        self._choice: loading.SourcesToChoose | None = None
        self._keys = session.keys if session is not None else loader.keys if loader else KeyTable()
        self.set_keymap({key.id: key.keys for key in self._keys.rows if key not in KEYMAP})
        self._hints, self._watched, self._review_first = hints, watched, review_first
        self._from_card = False
        """Whether the place in view was opened from a card, so that Esc goes back to it."""
        self._last_note = ("", "")
        self.fault: Exception | None = None
        self._ending = False
        for theme in THEMES:
            self.register_theme(theme)
        self._view_file = hints / "view.json" if hints is not None else None
        self._kept_view = KeptView.read(self._view_file)
        self.theme = self._kept_view.theme if self._kept_view.theme in THEME_TITLES else DARK.name

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of drawn lines; Textual's own for NO_COLOR keeps greys, and takes an empty value."""
        ascii_only = [self._in_ascii] if self._in_ascii is not None else []
        if self.no_color:
            return [self._without_colour, *ascii_only]
        found = [each for each in super().get_line_filters() if not isinstance(each, Monochrome)]
        return [*found, *ascii_only]

    @property
    def is_open(self) -> bool:
        """Return whether a workspace is open."""
        return self._operations is not None

    @property
    def operations(self) -> Operations:
        """Return the runner of the user's operations; unavailable before the workspace is loaded."""
        assert self._operations is not None
        return self._operations

    @property
    def session(self) -> "WizardSession":
        """Return the user's session; unavailable before the workspace is loaded."""
        return self.operations.session

    # --- loading -------------------------------------------------------------------------------

    def get_default_screen(self) -> Screen[Any]:
        """Return the first screen: a frame without a step if the workspace is yet to be loaded."""
        if self._loader is None:
            return super().get_default_screen()
        self._loading_screen = _opening_screen(self._loader)
        return self._loading_screen

    def on_mount(self) -> None:
        """Show the first step, or load the workspace once the frame is painted."""
        self._handle_signals()
        if self._loader is None or self._loading_screen is None:
            parse_actions()
            self._begin()
            return
        self._load_soon(self._loader, self._loading_screen)

    def _load_soon(self, loader: loading.WorkspaceLoader, screen: OpeningScreen) -> None:
        """Load once the frame is painted."""
        self._key_queue.hold(but=self._leaves)
        self.call_after_refresh(self._start_loading, loader, screen)

    def _handle_signals(self) -> None:
        """Leave on a signal as on Ctrl+C: the terminal is restored, and the journal is kept."""
        loop = asyncio.get_running_loop()
        for name in _ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and not self.is_web:
                with suppress(
                    NotImplementedError, RuntimeError, ValueError
                ):  # Windows, or not the main thread
                    loop.add_signal_handler(number, self._end_by_signal, _SIGNALLED + number)

    def _end_by_signal(self, code: int) -> None:
        """End, within seconds in any case: what writes to a closed terminal dies, and leaving would wait for it."""
        if not self.is_headless:
            last = threading.Timer(_GRACE_SECONDS, os._exit, [code])
            last.daemon = True
            last.start()
        self._end(code)

    def _start_loading(self, loader: loading.WorkspaceLoader, screen: OpeningScreen) -> None:
        parse_actions()
        self.run_worker(self._load(loader, screen), group="load", description="load the workspace")

    async def _load(self, loader: loading.WorkspaceLoader, screen: OpeningScreen) -> None:
        """Load the workspace, show the first step, and release the queued keys."""
        left = threading.Event()

        def show(count: float, found: str) -> None:
            if left.is_set():
                raise loading.LoadingLeft
            screen.post_message(screen.StageDone(count, found))

        load = partial(loader.load, begun=lambda: screen.post_message(screen.ReadingBegun()), stage_done=show)
        try:
            loaded = await background_thread(load, name="load the workspace")
        except Exception as error:
            self._handle_exception(error)
        else:
            if isinstance(loaded, loading.SourcesToChoose):
                self.call_later(self._offer_sources, loaded)
            else:
                self.call_later(self._begin_loaded, loaded)
        finally:
            left.set()

    def _begin_loaded(self, loaded: loading.LoadedWorkspace) -> None:
        self._operations = Operations(self, loaded.session, self._key_queue)
        self._left_behind, self._beside = loaded.left_behind, loaded.beside
        self._loading_screen = None
        self._begin()
        if not self._review_first:
            self._key_queue.release()

    # --- the chooser of sources ----------------------------------------------------------------

    def _offer_sources(self, choice: loading.SourcesToChoose) -> None:
        self._choice, self._loading_screen = choice, None
        self.push_screen(ChooserScreen(choice.name, choice.sources, self._keys))
        self._key_queue.release()

    @on(ChooserScreen.Chosen)
    def open_source(self, event: ChooserScreen.Chosen) -> None:
        """Load the chosen source in the place of the chooser."""
        if self._choice is None or not isinstance(self.screen, ChooserScreen):
            return
        loader = self._choice.loader_of(event.path)
        self._loading_screen = _opening_screen(loader)
        self.switch_screen(self._loading_screen)
        self._load_soon(loader, self._loading_screen)

    def _leaves(self, key: events.Key) -> bool:
        return any(row.action in LEAVING for row in self._keys.pressed(key.key))

    def _begin(self) -> None:
        """Show the first step, and start everything else after it is painted."""
        for name, share in self._kept_view.shares.items():
            step, _, width = name.partition(" ")
            if step in STEPS:
                self.session.pane_layouts.setdefault((Step(step), width), PaneLayout(share))
        screen = self._screen_of(STEPS[0])
        self.session.note_figures()
        if self._choice is None:
            self.push_screen(screen)
        else:
            self.switch_screen(screen)
        self._hint_for(screen)
        self.call_after_refresh(self._go_on)

    def _go_on(self) -> None:
        """Start rendering, show the opening dialogs, and watch the source."""
        self.set_timer(
            SETTLE, self._prepare_steps
        )  # importing them now would delay the paint of the first step
        self.decision_questions.begin()
        if self._review_first:
            self._key_queue.drop()  # whoever pressed them saw no card
            self._key_queue.release()
            if not self._dialog_open:
                self.action_review()
        if self._watched:
            self.operations.watch_source()

    def _prepare_steps(self) -> None:
        self.run_worker(
            self._import_screens(), group="import", exit_on_error=False, description="load the other steps"
        )

    async def _import_screens(self) -> None:
        """Import the screens of all steps ahead of use, then render the package."""
        await background_thread(lambda: [screen_of(step) for step in STEPS], name="load the other steps")
        self.operations.render()

    # --- dialogs, each created on first use ----------------------------------------------------

    @cached_property
    def decision_questions(self) -> "DecisionQuestions":
        """Return the dialogs about decisions."""
        from melleafy_tui.wizard.decision_dialogs import DecisionQuestions

        return DecisionQuestions(self, self.operations, left_behind=self._left_behind, beside=self._beside)

    @cached_property
    def file_questions(self) -> "FileQuestions":
        """Return the dialogs about files."""
        from melleafy_tui.wizard.file_dialogs import FileQuestions

        return FileQuestions(self, self.operations)

    # --- requests from screens -----------------------------------------------------------------

    @on(StepScreen.Act)
    def carry_out(self, event: StepScreen.Act) -> None:
        """Carry out a command and redraw."""
        self.operations.carry_out(event.command, event.done)

    @on(StepScreen.Assist)
    def ask_model(self, event: StepScreen.Assist) -> None:
        """Ask a model about the open decisions, which can be stopped."""
        self.operations.assist(event.offer)

    def action_choose_output(self) -> None:
        """Ask for the output folder and the name of the package."""
        self.file_questions.choose_output()

    def action_load_decisions(self) -> None:
        """Ask which decisions file to load."""
        self.decision_questions.ask_what_to_load()

    def action_render(self) -> None:
        """Render the package once no command has followed for a moment."""
        self.operations.render_soon()

    # --- the source on disk --------------------------------------------------------------------

    def on_unmount(self) -> None:
        """Stop watching the source, and keep theme and panes."""
        self.stop_watching()
        shares = dict(self._kept_view.shares)
        if self.is_open:
            layouts = self.session.pane_layouts.items()
            shares |= {
                f"{step.value} {width}": layout.share for (step, width), layout in layouts if layout.share
            }
        now = KeptView(self.theme, shares)
        if self._view_file is not None and now != self._kept_view:
            with suppress(OSError):
                write_private(self._view_file, msgspec.json.encode(now))

    def stop_watching(self) -> None:
        """Stop the thread that watches the source."""
        if self._operations is not None:
            self._operations.stop_watching()

    @on(StepScreen.SourceFound)
    def note_source(self, event: StepScreen.SourceFound) -> None:
        """Say that the source changed on disk, once per change."""
        if self.is_open and event.snapshot.root == self.session.conversion.snapshot.root:
            self.operations.note_source(event.snapshot)

    def action_reread(self) -> None:
        """Read the source again from disk."""
        self.decision_questions.reread()

    def close_journal(self) -> None:
        """Release the journal; it is kept for the next start unless it was cleared."""
        if self._operations is not None and self.session.journal is not None:
            self.session.journal.close()

    # --- keys ----------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Delay a key until the one before it has taken effect."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._key_queue.take(event)
        else:
            await super().on_event(event)

    async def _deliver_key(self, key: events.Key) -> None:
        screen = self.screen
        is_early = isinstance(screen, Frame) and screen.refuses_keys()
        if self._leads_out(key) or not (self._is_hidden or is_early):
            await super().on_event(key)

    @property
    def _is_hidden(self) -> bool:
        """Return whether the terminal is too small, so that nobody sees what a key would change."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def _leads_out(self, key: events.Key) -> bool:
        """Return whether a key closes what is hidden: the dialog that is open, else the wizard."""
        if isinstance(self.screen, StepScreen) or not self.is_open:
            return self._leaves(key)
        return key.key == "escape" or any(row.action == "interrupt" for row in self._keys.pressed(key.key))

    @property
    def keys_at_rest(self) -> bool:
        """Return whether every pressed key has taken effect."""
        return self._key_queue.at_rest

    @on(KeySettled)
    def _follow_key(self, event: KeySettled) -> None:
        self._key_queue.follow(event)

    # --- steps ---------------------------------------------------------------------------------

    @property
    def step_screen(self) -> StepScreen:
        """Return the step in view, even if a dialog covers it."""
        return step_in_view(self)

    def _screen_of(self, step: Step) -> StepScreen:
        """Return the screen of a step, created on the first visit."""
        if not self.is_screen_installed(step.value):
            self.install_screen(screen_of(step)(self.session), name=step.value)
        screen = self.get_screen(step.value)
        assert isinstance(screen, StepScreen)
        return screen

    @on(StepScreen.GoTo)
    def go_to(self, event: StepScreen.GoTo) -> None:
        """Show a step and scroll to the target."""
        self.action_go(event.step.value)
        if event.target:
            self.call_after_refresh(self.step_screen.reveal, event.target)

    @on(StepRail.Picked)
    def _go_to_picked(self, event: StepRail.Picked) -> None:
        if self.is_open:
            self.action_go(event.step.value)

    def action_go(self, step: str) -> None:
        """Show a step; from the review, close that first."""
        if self._is_reviewing:
            from melleafy_tui.screens.review import Destination

            self.screen.dismiss(Destination(Step(step)))
        elif self.step_screen.STEP.value != step and not self._dialog_open:
            screen = self._screen_of(Step(step))
            self.switch_screen(screen)
            self._hint_for(screen)

    def action_review(self, card: str = "") -> None:
        """Open the review over the step in view, at a card if one is named."""
        from melleafy_tui.screens.review import ReviewScreen

        if not self._dialog_open:
            self._from_card = False
            self.push_screen(ReviewScreen(self.session, card), self._leave_review)

    def _leave_review(self, target: "Destination | None") -> None:
        """Go where the review leads: to the place of a row, or to Write, which writes."""
        if target is None:
            return
        self._from_card = bool(target.place)
        self.action_go(target.step.value)
        if target.place:
            self.call_after_refresh(self.step_screen.reveal, target.place)
        elif target.writes:
            self.call_after_refresh(self.step_screen.run_action, "write_and_try")

    @on(StepScreen.NothingToClear)
    def _go_back_to_review(self) -> None:
        if self._from_card:
            self.action_review()

    def action_next_step(self) -> None:
        """Show the next step."""
        self._step_by(1)

    def action_previous_step(self) -> None:
        """Show the previous step."""
        self._step_by(-1)

    def _step_by(self, by: int) -> None:
        place_of = STEPS.index(self.step_screen.STEP) + by
        if 0 <= place_of < len(STEPS):
            self.action_go(STEPS[place_of].value)

    @property
    def _is_reviewing(self) -> bool:
        return self.is_open and isinstance(self.screen, Frame) and self._dialog_open

    @property
    def _dialog_open(self) -> bool:
        return not isinstance(self.screen, StepScreen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable keys that don't apply now; during work that must finish, only leaving is enabled."""
        if self._loading_screen is not None:
            return action in LEAVING
        if not self.is_open:
            return action == "interrupt" or (
                isinstance(self.screen, ChooserScreen) and action in _BEFORE_STEPS
            )
        if self._operations is not None and self._operations.running:
            return action == "interrupt"
        if self._dialog_open and action in _STEP_ACTIONS:
            return self._is_reviewing and action in _IN_REVIEW
        if isinstance(self.screen, StepScreen):
            ends = {"next_step": STEPS[-1], "previous_step": STEPS[0]}
            if ends.get(action) is self.screen.STEP:
                return False
        return super().check_action(action, parameters)

    # --- hints, help, themes -------------------------------------------------------------------

    def _hint_for(self, screen: StepScreen) -> None:
        def show() -> None:  # asks then: `h` may be pressed before the screen is drawn
            hints = self._hints
            visible = hints is not None and not (hints / f"{screen.STEP.value}.seen").exists()
            screen.show_hint(visible=visible)

        self.call_after_refresh(show)

    def action_dismiss_hint(self) -> None:
        """Dismiss this screen's hint permanently."""
        screen = self.step_screen
        screen.show_hint(visible=False)
        if self._hints is not None:
            with suppress(OSError):
                write_private(self._hints / f"{screen.STEP.value}.seen", b"")

    def action_help(self) -> None:
        """Show the keys and terms of the screen in view."""
        from melleafy_tui.widgets.dialogs import HelpDialog

        if isinstance(self.screen, ChooserScreen):
            self.push_screen(HelpDialog(CHOOSER_TITLE, self._keys.on(CHOOSER), CHOOSER_TERMS))
        if self._dialog_open:
            return
        screen = self.step_screen
        info = STEP_INFO[screen.STEP]
        keys = screen.session.keys.on(screen.STEP.value)
        self.push_screen(HelpDialog(info.title, keys, (*screen.MORE_TERMS, *info.terms)))

    def action_next_theme(self) -> None:
        """Switch to the next theme."""
        theme = theme_after(self.theme)
        self.theme = theme.name
        self.notify(f"Theme: {THEME_TITLES[theme.name]}", timeout=2, markup=False)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a notification; a repeated one replaces the last instead of filling the screen.

        Args:
            message: The text.
            title: Its title.
            severity: Its colour.
            timeout: Seconds that it is shown; None for Textual's default.
            markup: Whether the message is Textual markup; never true for text of the source.
        """
        if (title, message) == self._last_note:
            self.clear_notifications()
        self._last_note = (title, message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # --- history, files, palette, leaving ------------------------------------------------------

    def action_undo(self) -> None:
        """Undo the last command."""
        self.operations.undo()

    def action_redo(self) -> None:
        """Redo the last command that was undone."""
        self.operations.redo()

    def action_save(self) -> None:
        """Save the decisions, asking where the first time."""
        self.file_questions.save()

    def action_command_palette(self) -> None:
        """Open the palette."""
        from melleafy_tui.wizard.palette import ActionPalette

        if self.screen.id != PALETTE:
            self.push_screen(ActionPalette(id=PALETTE))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """List every action of the key table by name."""
        from melleafy_tui.wizard.palette import commands

        step = screen if isinstance(screen, StepScreen) else self.step_screen
        yield from commands(self, step)

    def action_leave(self) -> None:
        """Leave, asking first if decisions are unsaved."""
        if not self.is_open or (self._is_hidden and self.session.journal is not None):
            self._end(0)  # a question would be hidden too; the next start offers what the journal has
            return
        self.file_questions.leave(lambda: self._end(0))

    def action_interrupt(self) -> None:
        """Stop long work, or leave and keep the journal."""
        if self.is_open and (self.operations.stop() or self.step_screen.cancel_work()):
            return
        self._end(INTERRUPTED)

    def _end(self, code: int) -> None:
        self._ending = True
        self.exit(code, return_code=code)

    # --- faults --------------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        """Keep an unexpected fault for the command line, which writes the log and prints a short message.

        A screen that is mounted while the wizard ends finds its widgets removed, which is no fault.
        """
        if self._ending and isinstance(error, NoMatches):
            return
        self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Exit without Textual's traceback, whose local variables would print text of the workspace."""
        self._close_messages_no_wait()

    @on(Worker.StateChanged)
    def _notice_worker_fault(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            from melleafy_tui.wizard.fault_dialogs import fault_dialog

            self.push_screen(fault_dialog(event.worker.error, event.worker.description))


def _opening_screen(loader: loading.WorkspaceLoader) -> OpeningScreen:
    stages = [loading.FILES, *(label for label, _ in loading.STAGES)]
    return OpeningScreen(loader.name, stages, loader.keys)


def run_wizard(loader: loading.WorkspaceLoader, *, no_color: bool = False) -> int:
    """Run the wizard in the terminal and return the exit code.

    Args:
        loader: Loads the workspace once the frame is painted.
        no_color: Whether colours are off, whatever NO_COLOR says.

    Raises:
        Exception: the workspace couldn't be loaded, or an unexpected fault occurred; the journal is kept.
    """
    state = state_folder(os.environ)
    app = WizardApp(
        hints=state / "hints" if state is not None else None, watched=True, loader=loader, review_first=True
    )
    app.no_color = app.no_color or no_color
    try:
        code = app.run()
    finally:
        app.stop_watching()
        app.close_journal()
    if app.fault is not None:
        raise app.fault
    return code or app.return_code or 0
