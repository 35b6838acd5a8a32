"""An app that stands on one step at a time: going from step to step, hints, help, themes, and keys in their order."""

from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on
from textual.app import App
from textual.notifications import SeverityLevel

from melleafy_tui.themes import DARK, THEME_TITLES, THEMES, theme_after
from melleafy_tui.type_ahead import KeySettled, TypeAhead
from melleafy_tui.widgets.frame import StepScreen
from melleafy_tui.widgets.step_rail import StepRail
from melleafy_tui.wizard_steps import STEP_TITLES, STEPS, Step

_STEP_ACTIONS: Final = frozenset(
    {
        "go",
        "next_step",
        "previous_step",
        "undo",
        "redo",
        "save",
        "reread",
        "pick_fixtures",
        "export",
        "next_theme",
        "help",
        "leave",
        "dismiss_hint",
    }
)
"""Actions that wait while a dialog is open."""


class StepApp(App[int]):
    """The steps and the way between them; what is done on a step is for the app that is made from this one.

    Args:
        hints: The folder where dismissed hints are remembered; None shows no hints.
    """

    CSS: ClassVar[str] = "CommandPalette Input > .input--placeholder { color: $tone-muted; }"
    """What Textual's own palette says in its empty line is too pale to be read in the light theme."""

    def __init__(self, *, hints: Path | None = None) -> None:
        super().__init__()
        self._hints = hints
        self._last_note = ("", "")
        self._type_ahead = TypeAhead(self, self._deliver_key)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name

    def make_screen(self, step: Step) -> StepScreen:
        """Return a new screen of a step, for its first visit."""
        raise NotImplementedError

    def show_first(self) -> None:
        """Show the first step."""
        screen = self._screen_of(STEPS[0])
        self.push_screen(screen)
        self._hint_for(screen)

    def _screen_of(self, step: Step) -> StepScreen:
        """Return the screen of a step; it is made on the first visit and stays."""
        if not self.is_screen_installed(step.value):
            self.install_screen(self.make_screen(step), name=step.value)
        screen = self.get_screen(step.value)
        assert isinstance(screen, StepScreen)
        return screen

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a note, once: a key pressed again and again does not fill the screen with what it says each time.

        Args:
            message: What it says.
            title: What stands over it.
            severity: Its colour.
            timeout: How long it shows, in seconds; None is Textual's own time.
            markup: Whether the message may hold Textual's markup; never for text of the source (spec/safety.md).
        """
        if (title, message) == self._last_note:
            self.clear_notifications()
        self._last_note = (title, message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    # --- keys ----------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Hold a key back until the one before it has had its effect."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._type_ahead.take(event)
        else:
            await super().on_event(event)

    async def _deliver_key(self, key: events.Key) -> None:
        await super().on_event(key)

    @property
    def keys_at_rest(self) -> bool:
        """Return whether every key that was pressed has had its effect."""
        return self._type_ahead.at_rest

    @on(KeySettled)
    def follow_key(self, event: KeySettled) -> None:
        """Let the next key through when this one has had its effect."""
        self._type_ahead.follow(event)

    # --- steps ---------------------------------------------------------------------------------

    @property
    def step_screen(self) -> StepScreen:
        """Return the step in view, also when a dialog stands over it."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, StepScreen))

    @on(StepScreen.GoTo)
    def go_to(self, event: StepScreen.GoTo) -> None:
        """Show a step and bring its target into view."""
        self.action_go(event.step.value)
        if event.target:
            self.call_after_refresh(self.step_screen.reveal, event.target)

    @on(StepRail.Picked)
    def go_to_picked(self, event: StepRail.Picked) -> None:
        """Go to the step that was clicked."""
        self.action_go(event.step.value)

    def action_go(self, step: str) -> None:
        """Show a step."""
        if self.step_screen.STEP.value != step and not self._dialog_open:
            screen = self._screen_of(Step(step))
            self.switch_screen(screen)
            self._hint_for(screen)

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

    # --- hints, help, themes -------------------------------------------------------------------

    def _hint_for(self, screen: StepScreen) -> None:
        hints = self._hints
        visible = hints is not None and not (hints / f"{screen.STEP.value}.seen").exists()
        self.call_after_refresh(screen.show_hint, visible=visible)

    def action_dismiss_hint(self) -> None:
        """Hide this screen's hint for good."""
        screen = self.step_screen
        screen.show_hint(visible=False)
        if self._hints is not None:
            with suppress(OSError):
                self._hints.mkdir(parents=True, exist_ok=True)
                (self._hints / f"{screen.STEP.value}.seen").touch()

    def action_help(self) -> None:
        """Show keys and terms of the screen in view."""
        if self._dialog_open:
            return
        from melleafy_tui.widgets.dialogs import HelpDialog

        screen = self.step_screen
        self.push_screen(
            HelpDialog(STEP_TITLES[screen.STEP], screen.session.keys.on(screen.STEP.value), screen.TERMS)
        )

    def action_next_theme(self) -> None:
        """Go to the next theme."""
        theme = theme_after(self.theme)
        self.theme = theme.name
        self.notify(f"Theme: {THEME_TITLES[theme.name]}", timeout=2, markup=False)
