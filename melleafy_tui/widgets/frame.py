"""The frame that every step stands in: title, step rail, body, status line, footer; and what all steps can do.

A step draws the session's state with `show_state` and sends commands with `Act`; only the app carries them out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Input

from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Line, Span, Tone, shorten
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import STEPS, Progress, Step, StepState
from melleafy_tui.words import MODALITY_TITLES, STEP_TITLES

FRAME_STYLES: Final = str(Path(__file__).with_name("frame.tcss"))
"""Where the styles of the frame are; each step names them before its own."""

SMALLEST: Final = (60, 20)
"""Columns and rows below which only a notice is shown."""


class StepRail(Horizontal):
    """The five steps with their states; a click goes to one."""

    DEFAULT_CSS = """
    StepRail { height: 1; background: $surface; padding: 0 1; }
    StepRail > Toned { width: auto; height: 1; margin-right: 3; color: $tone-muted; }
    StepRail > Toned.-here { background: $cursor-row; }
    StepRail:ansi > Toned.-here, StepRail:nocolor > Toned.-here { text-style: reverse; }
    """

    @dataclass
    class Picked(Message):
        """A step was clicked."""

        step: Step

    def compose(self) -> ComposeResult:
        """Hold one piece a step."""
        for step in STEPS:
            yield Toned(id=f"rail-{step.value}")

    def show_states(self, states: Iterable[StepState], here: Step) -> None:
        """Show the states; a mark and a word say them, the colour only repeats it."""
        for state in states:
            piece = self.query_one(f"#rail-{state.step.value}", Toned)
            mark: Span = ("·", Tone.MUTED)
            if state.progress is Progress.DONE:
                mark = ("✓", Tone.GOOD)
            elif state.progress is Progress.ATTENTION:
                mark = (f"!{state.count}", Tone.WARN)
            number = STEPS.index(state.step) + 1
            tone = Tone.STRONG if state.step is here else Tone.TEXT
            opened, closed = ("▸", " ") if state.step is here else (" ", " ")
            piece.set_class(state.step is here, "-here")
            piece.show_lines(
                [
                    (
                        (opened, Tone.KEY),
                        (f"{number} ", Tone.KEY),
                        (f"{STEP_TITLES[state.step]} ", tone),
                        mark,
                        (closed, tone),
                    )
                ]
            )
            piece.tooltip = f"{STEP_TITLES[state.step]}: {state.progress.value}"

    def on_click(self, event: events.Click) -> None:
        """Go to the step under the mouse."""
        target = event.widget.id if event.widget is not None else None
        if target and target.startswith("rail-"):
            self.post_message(self.Picked(Step(target.removeprefix("rail-"))))


class StepScreen(Screen[None]):
    """The frame of one step.

    Args:
        session: What the wizard knows; the screen only reads it.
    """

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        (0, "-too-narrow"),
        (SMALLEST[0], "-narrow"),
        (100, "-wide"),
        (140, "-very-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        (0, "-too-low"),
        (SMALLEST[1], "-low"),
        (34, "-high"),
    ]

    STEP: ClassVar[Step]
    HINT: ClassVar[tuple[str, ...]] = ()
    """Three lines for the first visit."""
    TERMS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Words of this screen, for the help."""

    @dataclass
    class Act(Message):
        """The user wants something done."""

        command: Command
        done: str = ""
        """What to say when it is done."""

    @dataclass
    class GoTo(Message):
        """The user wants to see something on another step."""

        step: Step
        target: str = ""

    @dataclass
    class Ask(Message):
        """The user wants something that only the app can do, by the name of its action."""

        action: str

    def __init__(self, session: WizardSession) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        """Draw the frame round the step's own body."""
        yield Toned(id="title")
        yield StepRail(id="rail")
        yield Toned(id="hint")
        with Vertical(id="body"):
            yield from self.compose_body()
        yield Input(id="search", placeholder="search", compact=True)
        yield Toned(id="status")
        yield Footer(show_command_palette=False, compact=True)
        yield Toned(id="too-small")

    def compose_body(self) -> Iterable[Widget]:
        """Yield the step's own widgets."""
        return ()

    def on_mount(self) -> None:
        """Prepare the parts that do not change."""
        self.query_one("#too-small", Toned).show_lines(
            [
                (("This terminal is too small for the wizard.", Tone.STRONG),),
                ((f"It needs {SMALLEST[0]} columns and {SMALLEST[1]} rows.", Tone.TEXT),),
                (("Make it larger, or press q to leave; nothing is lost.", Tone.MUTED),),
            ]
        )
        self.query_one("#search", Input).display = False
        self.show_hint(visible=False)
        self.show_state()

    def on_screen_resume(self) -> None:
        """Draw the state as it is now."""
        self.session.seen.add(self.STEP)
        self.show_state()

    # --- drawing -------------------------------------------------------------------------------

    def show_state(self) -> None:
        """Draw everything from the session."""
        if not self.is_mounted:
            return
        self._show_title()
        self.query_one(StepRail).show_states(self.session.step_states, self.STEP)
        self._show_status()
        self.show_body()
        self.refresh_bindings()

    def show_body(self) -> None:
        """Draw the step's own part."""

    def reveal(self, target: str) -> None:
        """Bring something into view that another step named."""

    def show_hint(self, *, visible: bool) -> None:
        """Show or hide the hint of a first visit."""
        hint = self.query_one("#hint", Toned)
        hint.display = visible and bool(self.HINT)
        lines: list[Line] = [((text, Tone.TEXT),) for text in self.HINT]
        if lines:
            lines[-1] = (*lines[-1], ("   h hides this for good", Tone.MUTED))
        hint.show_lines(lines)

    def _show_title(self) -> None:
        conversion = self.session.conversion
        classification = conversion.classification
        runtime = classification.hybrid_primary or classification.source_runtime
        if classification.hybrid_contributors:
            runtime += " + " + ", ".join(classification.hybrid_contributors)
        unsaved: Span = ("● unsaved decisions", Tone.WARN) if conversion.unsaved else ("saved", Tone.MUTED)
        if not conversion.unsaved and not conversion.acts and self.session.decisions_path is None:
            unsaved = ("all at defaults", Tone.MUTED)
        self.query_one("#title", Toned).show_lines(
            [
                (
                    (shorten(conversion.snapshot.name, 32), Tone.HEADING),
                    ("  ", Tone.TEXT),
                    (runtime, Tone.TEXT),
                    (" · ", Tone.MUTED),
                    (MODALITY_TITLES[classification.modality], Tone.TEXT),
                    ("   ", Tone.MUTED),
                    unsaved,
                )
            ]
        )

    def _show_status(self) -> None:
        figures = self.session.figures
        spans: list[Span] = []
        for count, words, tone in (
            (figures.elements, ("element", "elements", "elem.", "elem."), Tone.TEXT),
            (figures.overrides, ("overridden", "overridden", "yours", "yours"), Tone.ACCENT),
            (figures.stubs, ("stub", "stubs", "stub", "stubs"), Tone.WARN),
            (figures.delegates, ("delegate", "delegates", "deleg.", "deleg."), Tone.INFO),
            (figures.warnings, ("warning", "warnings", "warn.", "warn."), Tone.WARN),
            (figures.calls, ("call/run", "calls/run", "call/run", "calls/run"), Tone.TEXT),
            (figures.prompt_tokens, ("prompt token", "prompt tokens", "token", "tokens"), Tone.TEXT),
        ):
            if spans:
                spans.append((" · ", Tone.MUTED))
            word = words[(2 if self.size.width < 100 else 0) + (count != 1)]
            spans.append((f"{count:,}".replace(",", " "), tone if count else Tone.TEXT))
            spans.append((f" {word}", Tone.MUTED))
        self.query_one("#status", Toned).show_lines([tuple(spans)])

    def on_resize(self) -> None:
        """Fit what depends on the width."""
        if self.is_mounted:
            self._show_status()

    # --- searching -----------------------------------------------------------------------------

    def searched(self) -> LineList | None:
        """Return the list that a search narrows."""
        return None

    def action_search(self) -> None:
        """Open the search line."""
        if self.searched() is None:
            return
        box = self.query_one("#search", Input)
        box.display = True
        box.focus()

    def action_clear_search(self) -> None:
        """Clear the search and go back to the list."""
        box = self.query_one("#search", Input)
        rows = self.searched()
        box.value = ""
        box.display = False
        if rows is not None:
            rows.narrow("")
            rows.focus()

    @on(Input.Changed, "#search")
    def narrow(self, event: Input.Changed) -> None:
        """Narrow the list with each key."""
        event.stop()
        rows = self.searched()
        if rows is not None:
            rows.narrow(event.value)

    @on(Input.Submitted, "#search")
    def keep_search(self, event: Input.Submitted) -> None:
        """Go to the list and keep it narrowed."""
        event.stop()
        rows = self.searched()
        if rows is not None:
            rows.focus()
        if not event.value:
            self.action_clear_search()

    def on_key(self, event: events.Key) -> None:
        """Let the arrows leave the search line for the list."""
        if event.key in ("down", "up") and isinstance(self.focused, Input) and self.focused.id == "search":
            rows = self.searched()
            if rows is not None:
                rows.focus()
                event.stop()

    # --- copying -------------------------------------------------------------------------------

    def copied(self) -> str:
        """Return what `y` copies."""
        return ""

    def action_copy(self) -> None:
        """Send the row to the terminal's clipboard."""
        text = self.copied()
        if not text:
            self.notify("There is nothing to copy here.", severity="warning", markup=False)
            return
        self.copy_text(text)

    def copy_text(self, text: str) -> None:
        """Send text to the terminal's clipboard; whether it arrives, no terminal says."""
        self.app.copy_to_clipboard(text)
        self.notify(
            "Sent to the terminal's clipboard (OSC 52). If it does not arrive, the terminal does not allow it.",
            title="Copied",
            markup=False,
        )
