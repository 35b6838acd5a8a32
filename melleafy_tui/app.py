"""The Textual app: it carries out what screens ask for, renders in the background, and shows errors.

Screens send commands and draw state; this is the only place where the two meet (docs/wizard.md).
"""

import os
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.decisions.commands import ChangeSettings
from melleafy_tui.core.decisions.journal import Journal, JournalEntry, journal_folder, left_behind
from melleafy_tui.core.decisions.rebase import OverrideState
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.decision_questions import DecisionQuestions
from melleafy_tui.faults import write_fault_log
from melleafy_tui.folders import state_folder
from melleafy_tui.keymap import ALL, KEYMAP, bindings, keys_on
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.detect import DetectScreen
from melleafy_tui.screens.inventory import InventoryScreen
from melleafy_tui.screens.preview import PreviewScreen
from melleafy_tui.screens.words import place
from melleafy_tui.screens.write import WriteScreen
from melleafy_tui.themes import DARK, THEME_TITLES, THEMES, theme_after
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, Field, FormDialog, HelpDialog, TextDialog
from melleafy_tui.widgets.frame import STEP_TITLES, StepRail, StepScreen
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import STEPS, Rendered, Step, WizardSession, render

SETTLE: Final = 0.05
"""Seconds without an act after which the package is rendered anew."""

KEY_ROUNDS: Final = 3
"""How many messages may follow from one another on a key: submitted, closed, acted."""

KEY_CHECK: Final = 0.05
KEY_PATIENCE: Final = 5.0
"""Seconds after which the next key is let through though the one before it has left no trace."""

INTERRUPTED: Final = 130

SCREENS_BY_STEP: Final[dict[Step, type[StepScreen]]] = {
    Step.DETECT: DetectScreen,
    Step.INVENTORY: InventoryScreen,
    Step.DECIDE: DecideScreen,
    Step.PREVIEW: PreviewScreen,
    Step.WRITE: WriteScreen,
}


class WizardApp(App[int]):
    """The wizard.

    Args:
        session: The conversion in the hands of this user.
        hints: The folder where dismissed hints are remembered; None shows no hints.
        left_behind: Journals of earlier wizards on this workspace that did not end well.
        beside: A decisions file that lies beside the workspace and is not in use.
    """

    TITLE = "melleafy-tui"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ALL)]

    @dataclass
    class KeySettled(Message):
        """Follows a key through the widgets, and then the messages that the key gave rise to."""

        target: Widget
        rounds: int

    @dataclass
    class Rerendered(Message):
        """A thread has rendered the package."""

        rendered: Rendered

    @dataclass
    class RenderFailed(Message):
        """The package cannot be rendered as things stand."""

        error: MelleafyError

    def __init__(
        self,
        session: WizardSession,
        *,
        hints: Path | None = None,
        left_behind: Sequence[JournalEntry] = (),
        beside: Path | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self._questions = DecisionQuestions(
            self,
            session,
            act=lambda command, done: self.carry_out(StepScreen.Act(command, done)),
            changed=self._state_changed,
            fail=self.show_error,
            left_behind=left_behind,
            beside=beside,
        )
        self._hints = hints
        self._settling: Timer | None = None
        self._type_ahead: deque[events.Key] = deque()
        self._key_patience: Timer | None = None
        self._key_target: Widget | None = None
        self._key_checks = 0
        self.fault: Exception | None = None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name

    def on_mount(self) -> None:
        """Prepare the screens, show the first and start to render."""
        for step, kind in SCREENS_BY_STEP.items():
            self.install_screen(kind(self.session), name=step.value)
        self.push_screen(Step.DETECT.value)
        self._hint_for(Step.DETECT)
        self._render_soon()
        self.call_after_refresh(self._questions.begin)

    # --- keys, one after the other -------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Hold a key back until the one before it has had its effect.

        A fast typist, a paste or a macro sends `/stub` at once. Textual would hand all five keys to the list that has
        the focus now, and `s` would decide on a row instead of being searched for.
        """
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
            return
        self._type_ahead.append(event)
        if self._key_patience is None:
            await self._next_key()

    async def _next_key(self) -> None:
        event = self._type_ahead.popleft()
        target = self.focused or self.screen
        self._key_target, self._key_checks = target, 0
        self._key_patience = self.set_interval(KEY_CHECK, self._look_after_key)
        await super().on_event(event)
        target.post_message(self.KeySettled(target, 1))

    @on(KeySettled)
    def follow_key(self, event: KeySettled) -> None:
        """Let the next key through when this one's messages, and theirs, have gone the same way."""
        if event.rounds < KEY_ROUNDS and event.target.is_running:
            event.target.post_message(self.KeySettled(event.target, event.rounds + 1))
        else:
            self.call_later(self._key_had_its_effect)

    async def _look_after_key(self) -> None:
        """Go on where the key closed what it was sent to, or something holds its messages up for very long."""
        self._key_checks += 1
        gone = self._key_target is None or not self._key_target.is_attached
        if gone or self._key_checks * KEY_CHECK > KEY_PATIENCE:
            await self._key_had_its_effect()

    async def _key_had_its_effect(self) -> None:
        if self._key_patience is None or (self._type_ahead and not self.screen.is_mounted):
            return
        self._key_patience.stop()
        self._key_patience = self._key_target = None
        if self._type_ahead:
            await self._next_key()

    # --- what screens ask for ------------------------------------------------------------------

    @property
    def step_screen(self) -> StepScreen:
        """Return the step in view, also when a dialog stands over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, StepScreen))

    @on(StepScreen.Act)
    def carry_out(self, event: StepScreen.Act) -> None:
        """Carry out a command and draw what follows from it."""
        try:
            changed = self.session.act(event.command)
        except MelleafyError as error:
            self.bell()
            self.notify(
                f"{error.message} {error.hint}".strip(), title="Not done", severity="warning", markup=False
            )
            return
        if not changed:
            return
        if event.done:
            self.notify(event.done, timeout=4, markup=False)
        self._state_changed()

    @on(StepScreen.GoTo)
    def go_to(self, event: StepScreen.GoTo) -> None:
        """Show a step and bring its target into view."""
        self.action_go(event.step.value)
        if event.target:
            self.call_after_refresh(self.step_screen.reveal, event.target)

    @on(StepScreen.Ask)
    def answer(self, event: StepScreen.Ask) -> None:
        """Do what only the app can do."""
        match event.action:
            case "choose_output":
                self._choose_output()
            case "load_decisions":
                self._load_decisions()
            case "render_again":
                self._render_soon()

    @on(StepRail.Picked)
    def go_to_picked(self, event: StepRail.Picked) -> None:
        """Go to the step that was clicked."""
        self.action_go(event.step.value)

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

    # --- rendering -----------------------------------------------------------------------------

    def _render_soon(self) -> None:
        if self._settling is not None:
            self._settling.stop()
        self._settling = self.set_timer(SETTLE + self.session.patience, self._start_rendering)

    def _start_rendering(self) -> None:
        session = self.session
        self._render(session.twin(), session.out, session.now, force=session.force)

    @work(thread=True, exclusive=True, group="render", exit_on_error=False, description="render the package")
    def _render(self, twin: Conversion, out: Path, now: str, *, force: bool) -> None:
        try:
            rendered = render(twin, out, now=now, force=force)
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
        empty = FileSet((), self.session.conversion.committed.package_name)
        decisions, snapshot = self.session.conversion.decisions, self.session.conversion.snapshot
        self.session.keep(
            Rendered(decisions, snapshot, empty, LintReport(results=()), refusal=str(event.error))
        )
        self.step_screen.show_state()
        self.notify(str(event.error), title="The package cannot be made", severity="error", markup=False)

    # --- steps ---------------------------------------------------------------------------------

    def action_go(self, step: str) -> None:
        """Show a step."""
        if self.step_screen.STEP.value != step and not self._dialog_open:
            self.switch_screen(step)
            self._hint_for(Step(step))

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
    def _dialog_open(self) -> bool:
        return not isinstance(self.screen, StepScreen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide keys that make no sense now."""
        if self._dialog_open and action in _STEP_ACTIONS:
            return False
        here = self.screen
        if isinstance(here, StepScreen):
            if action == "next_step" and here.STEP is STEPS[-1]:
                return False
            if action == "previous_step" and here.STEP is STEPS[0]:
                return False
        return super().check_action(action, parameters)

    # --- history -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the last act."""
        act = self.session.undo()
        if act is None:
            self.notify("Nothing to take back.", markup=False)
            return
        self.notify(f"Taken back: {act.command.label}", timeout=3, markup=False)
        self._state_changed()

    def action_redo(self) -> None:
        """Do the last undone act again."""
        act = self.session.redo()
        if act is None:
            self.notify("Nothing to do again.", markup=False)
            return
        self.notify(f"Done again: {act.command.label}", timeout=3, markup=False)
        self._state_changed()

    # --- the decisions file --------------------------------------------------------------------

    def action_save(self) -> None:
        """Save the decisions, asking where the first time."""
        if self.session.decisions_path is not None:
            self._save_to(self.session.decisions_path)
            return
        self._ask_where_to_save(leave=False)

    def _ask_where_to_save(self, *, leave: bool) -> None:
        field = Field("path", "File", place(self.session.suggested_decisions_path), _path_fault)

        def decide(values: dict[str, str] | None) -> None:
            if values is not None and self._save_to(_path(values["path"])) and leave:
                self._end(0)

        lead: list[Line] = [(("A JSON file to keep and review; later runs read it.", Tone.MUTED),)]
        self.push_screen(FormDialog("Save decisions", [field], lead=lead), decide)

    def _save_to(self, path: Path) -> bool:
        try:
            self.session.save(path)
        except MelleafyError as error:
            self.show_error("The decisions are not saved", error)
            return False
        self.notify(f"Saved in {place(path)}", markup=False)
        self.step_screen.show_state()
        return True

    def _load_decisions(self) -> None:
        field = Field("path", "File", place(self.session.suggested_decisions_path), _path_fault)

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self._questions.load(_path(values["path"]))

        lead: list[Line] = [
            (("It takes the place of what you decided here; u takes that back.", Tone.MUTED),)
        ]
        self.push_screen(FormDialog("Load decisions", [field], lead=lead), decide)

    def _choose_output(self) -> None:
        conversion = self.session.conversion
        fields = [
            Field("out", "Output folder", place(self.session.out), _path_fault),
            Field("name", "Package name (empty: from the source)", conversion.settings.package_name or ""),
        ]

        def decide(values: dict[str, str] | None) -> None:
            if values is None:
                return
            self.session.choose_out(_path(values["out"]))
            self.step_screen.post_message(
                StepScreen.Act(ChangeSettings({"package_name": values["name"] or None}))
            )
            self._state_changed()

        self.push_screen(FormDialog("Output", fields), decide)

    # --- help, themes, palette -----------------------------------------------------------------

    def action_help(self) -> None:
        """Show keys and terms of the screen in view."""
        if self._dialog_open:
            return
        screen = self.step_screen
        self.push_screen(HelpDialog(STEP_TITLES[screen.STEP], keys_on(screen.STEP.value), screen.TERMS))

    def action_next_theme(self) -> None:
        """Go to the next theme."""
        theme = theme_after(self.theme)
        self.theme = theme.name
        self.notify(f"Theme: {THEME_TITLES[theme.name]}", timeout=2, markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the key table by its name."""
        here = screen if isinstance(screen, StepScreen) else self.step_screen
        for key in KEYMAP:
            if ALL in key.where or here.STEP.value in key.where:
                namespace = self if ALL in key.where or key.action.startswith("app.") else here

                def run(action: str = key.action, target: object = namespace) -> None:
                    self.call_later(self.run_action, action, target)

                yield SystemCommand(f"{key.label}  ({key.spelled})", key.tooltip, run)
        yield SystemCommand(
            "Decisions without a place",
            "Take or drop the decisions of a file whose element is gone.",
            self._questions.ask_about_unplaced,
        )
        for theme in THEMES:
            yield SystemCommand(
                f"Theme: {THEME_TITLES[theme.name]}",
                "Change the colours.",
                lambda name=theme.name: self._use_theme(name),
            )

    def _use_theme(self, name: str) -> None:
        self.theme = name

    # --- hints ---------------------------------------------------------------------------------

    def _hint_for(self, step: Step) -> None:
        screen = self.get_screen(step.value)
        if not isinstance(screen, StepScreen):
            return
        hints = self._hints
        visible = hints is not None and not (hints / f"{step.value}.seen").exists()
        self.call_after_refresh(screen.show_hint, visible=visible)

    def action_dismiss_hint(self) -> None:
        """Hide this screen's hint for good."""
        screen = self.step_screen
        screen.show_hint(visible=False)
        if self._hints is not None:
            with suppress(OSError):
                self._hints.mkdir(parents=True, exist_ok=True)
                (self._hints / f"{screen.STEP.value}.seen").touch()

    # --- leaving -------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Leave, asking when decisions are unsaved."""
        if not self.session.conversion.unsaved:
            self._end(0)
            return
        choices = [
            Choice("save", "Save and leave", current=True),
            Choice("leave", "Leave without saving", "your decisions are given up"),
            Choice("stay", "Stay"),
        ]

        def decide(value: str | None) -> None:
            if value == "leave":
                if self.session.journal is not None:
                    self.session.journal.clear()
                self._end(0)
            elif value == "save":
                path = self.session.decisions_path
                if path is None:
                    self._ask_where_to_save(leave=True)
                elif self._save_to(path):
                    self._end(0)

        self.push_screen(ChoiceDialog("Your decisions are not saved", choices), decide)

    def action_interrupt(self) -> None:
        """Stop long work, or leave; the journal is kept."""
        screen = self.step_screen
        if isinstance(screen, WriteScreen) and screen.cancel_work():
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
        if event.state is not WorkerState.ERROR or event.worker.error is None:
            return
        log = write_fault_log(event.worker.error)
        lines: list[Line] = [
            (("This is a fault of the wizard, not of your workspace. Your decisions are kept.", Tone.TEXT),),
            (
                (
                    f"While it was to {event.worker.description}: {type(event.worker.error).__name__}",
                    Tone.MUTED,
                ),
            ),
        ]
        if log is not None:
            lines.append(((f"The log is {place(log)}", Tone.STRONG),))
        self.push_screen(TextDialog("Something went wrong", lines, bad=True))

    def show_error(self, title: str, error: MelleafyError) -> None:
        """Show an error with its place and the next step."""
        lines: list[Line] = []
        if error.location:
            lines.append(((error.location, Tone.INFO),))
        lines.extend((((error.message, Tone.TEXT),), (), ((error.hint, Tone.STRONG),)))
        self.push_screen(TextDialog(title, lines, bad=True))


def run_wizard(
    conversion: Conversion,
    *,
    out: Path,
    decisions_path: Path | None,
    force: bool,
    now: str = "",
    states: Sequence[OverrideState] = (),
    beside: Path | None = None,
) -> int:
    """Run the wizard in the terminal and return the exit code.

    Args:
        conversion: The opened conversion.
        out: The output folder.
        decisions_path: The decisions file in use, where there is one.
        force: Whether edited files may be overwritten (with a backup).
        now: The stamp for files that differ from those on the disk (`core/stamp.py`).
        states: What became of each entry of that decisions file.
        beside: A decisions file that lies beside the workspace and is not in use.

    Raises:
        Exception: an unexpected fault; the journal is kept.
    """
    state = state_folder(os.environ)
    journal: Journal | None = None
    left: tuple[JournalEntry, ...] = ()
    if state is not None:
        folder = journal_folder(state, conversion.snapshot.root)
        left = left_behind(folder)
        journal = Journal(folder, f"{os.getpid()}-{datetime.now(UTC):%Y%m%d%H%M%S%f}")
    session = WizardSession(
        conversion,
        out=out,
        decisions_path=decisions_path,
        force=force,
        now=now,
        journal=journal,
        states=states,
    )
    app = WizardApp(
        session, hints=state / "hints" if state is not None else None, left_behind=left, beside=beside
    )
    try:
        code = app.run()
    finally:
        if journal is not None:
            journal.close()
    if app.fault is not None:
        raise app.fault
    return code or app.return_code or 0


_STEP_ACTIONS: Final = frozenset(
    {
        "go",
        "next_step",
        "previous_step",
        "undo",
        "redo",
        "save",
        "next_theme",
        "help",
        "leave",
        "dismiss_hint",
    }
)


def _path(text: str) -> Path:
    path = Path(text)
    with suppress(RuntimeError):
        path = path.expanduser()
    return path.absolute()


def _path_fault(text: str) -> str:
    return "" if text else "Type a path."
