"""The frame of every step (title, step rail, body, status line, footer), and what all steps can do.

A step draws the session's state with `show_state` and sends commands with `Act`; only the app carries them
out. The frame is painted before the core is imported, so nothing here imports it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Input

from melleafy_tui.actions.choices import MODALITY_TITLES
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.steps import STEP_INFO, STEPS, Progress, Step, StepState
from melleafy_tui.widgets.styled_text import Line, Span, StyledText, Tone, line_text, shorten
from melleafy_tui.widgets.too_small import HEIGHTS, WIDTHS, Leaving, TooSmall

if TYPE_CHECKING:
    from melleafy_tui.actions.session import WizardSession
    from melleafy_tui.actions.steps import Figures
    from melleafy_tui.core.decisions.commands import Command
    from melleafy_tui.core.models.snapshot import Snapshot
    from melleafy_tui.widgets.line_list import LineList


_PADDING: Final = 2
"""Free columns at each side of the line."""


def title_line(session: "WizardSession") -> Line:
    """Return workspace, runtime, trigger, and whether decisions are unsaved."""
    conversion = session.conversion
    classification = conversion.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    if classification.hybrid_contributors:
        runtime += " + " + ", ".join(classification.hybrid_contributors)
    unsaved: Span = ("● unsaved decisions", Tone.WARN) if conversion.unsaved else ("saved", Tone.MUTED)
    if not conversion.unsaved and not conversion.acts and session.decisions_path is None:
        unsaved = ("all at defaults", Tone.MUTED)
    changed: tuple[Span, ...] = ()
    if session.newer is not None:
        changed = (
            ("   ! source changed, ", Tone.WARN),
            (session.keys.spelled("source.reread"), Tone.KEY),
            (" reads it again", Tone.WARN),
        )
    return (
        (shorten(conversion.snapshot.name, 32), Tone.HEADING),
        ("  ", Tone.TEXT),
        (runtime, Tone.TEXT),
        (" · ", Tone.MUTED),
        (MODALITY_TITLES[classification.modality], Tone.TEXT),
        ("   ", Tone.MUTED),
        unsaved,
        *changed,
    )


def status_line(figures: "Figures", width: int) -> Line:
    """Return the main counts, with the longest labels that fit the width."""
    lines = [_status_line(figures, level) for level in range(3)]
    return next((line for line in lines if cell_len(line_text(line)) <= width - _PADDING), lines[-1])


def _status_line(figures: "Figures", level: int) -> Line:
    spans: list[Span] = []
    for count, words, tone in (
        (figures.elements, (("element", "elements"), ("elem.", "elem."), ("el", "el")), Tone.TEXT),
        (
            figures.overrides,
            (("overridden", "overridden"), ("yours", "yours"), ("yours", "yours")),
            Tone.ACCENT,
        ),
        (figures.stubs, (("stub", "stubs"), ("stub", "stubs"), ("stub", "stubs")), Tone.WARN),
        (figures.delegates, (("delegate", "delegates"), ("deleg.", "deleg."), ("del", "del")), Tone.INFO),
        (figures.warnings, (("warning", "warnings"), ("warn.", "warn."), ("warn", "warn")), Tone.WARN),
        (figures.calls, (("call/run", "calls/run"), ("call/run", "calls/run"), ("call", "calls")), Tone.TEXT),
        (
            figures.prompt_tokens,
            (("prompt token", "prompt tokens"), ("token", "tokens"), ("tok", "tok")),
            Tone.TEXT,
        ),
    ):
        if spans:
            spans.append((" · ", Tone.MUTED))
        spans.append((f"{count:,}".replace(",", " "), tone if count else Tone.TEXT))
        spans.append((f" {words[level][count != 1]}", Tone.MUTED))
    return tuple(spans)


class StepRail(Horizontal):
    """Shows the steps with their states; a click goes to one."""

    DEFAULT_CSS = """
    StepRail { height: 1; background: $surface; padding: 0 1; }
    StepRail > StyledText { width: auto; height: 1; margin-right: 3; color: $tone-muted; }
    StepRail > StyledText.-here { background: $cursor-row; }
    StepRail:ansi > StyledText.-here, StepRail:nocolor > StyledText.-here { text-style: reverse; }
    """

    @dataclass
    class Picked(Message):
        """Posted when a step is clicked."""

        step: Step

    def compose(self) -> ComposeResult:
        """Yield one widget per step."""
        for step in STEPS:
            yield StyledText(id=f"rail-{step.value}")

    def show_states(self, states: Iterable[StepState], here: Step) -> None:
        """Show the states with a mark and a word each; colour adds no information."""
        for state in states:
            piece = self.query_one(f"#rail-{state.step.value}", StyledText)
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
                        (f"{STEP_INFO[state.step].title} ", tone),
                        mark,
                        (closed, tone),
                    )
                ]
            )
            piece.tooltip = f"{STEP_INFO[state.step].title}: {state.progress.value}"

    def on_click(self, event: events.Click) -> None:
        """Go to the clicked step."""
        target = event.widget.id if event.widget is not None else None
        if target and target.startswith("rail-"):
            self.post_message(self.Picked(Step(target.removeprefix("rail-"))))


FRAME_STYLES: Final = str(Path(__file__).with_name("frame.tcss"))
"""The path of the frame's styles; each step lists it before its own."""

OPEN: Final = "-open"
"""The class of hint and search line while they are open; the small-terminal notice hides them anyway."""


class Frame(Screen[None]):
    """Title, rail, body, status line and footer; a notice replaces them if the terminal is too small.

    Args:
        keys: The user's key table.
    """

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        *WIDTHS,
        (100, "-wide"),
        (140, "-very-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        *HEIGHTS,
        (34, "-high"),
    ]

    def __init__(self, keys: KeyTable) -> None:
        super().__init__()
        self._leaving = Leaving(keys.spelled("app.quit"))

    def compose(self) -> ComposeResult:
        """Yield the frame around the body."""
        yield StyledText(id="title")
        yield StepRail(id="rail")
        yield from self.compose_middle()
        yield StyledText(id="status")
        yield Footer(show_command_palette=False, compact=True)
        yield TooSmall(self._leaving)

    def compose_middle(self) -> ComposeResult:
        """Yield the middle of the frame, with the body."""
        with Vertical(id="body"):
            yield from self.compose_body()

    def compose_body(self) -> Iterable[Widget]:
        """Yield the widgets of the body."""
        return ()


class StepScreen(Frame):
    """The frame of one step.

    Args:
        session: The wizard's state; the screen only reads it.
    """

    STEP: ClassVar[Step]
    HINT: ClassVar[tuple[str, ...]] = ()
    """Three lines of hints for the first visit."""
    TERMS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Terms of this screen, for the help."""

    @dataclass
    class Act(Message):
        """Asks the app to carry out a command."""

        command: "Command"
        done: str = ""
        """The message to show when it is done."""

    @dataclass
    class GoTo(Message):
        """Asks the app to show something on another step."""

        step: Step
        target: str = ""

    @dataclass
    class SourceFound(Message):
        """Posted when the source was read again and may differ from what is shown."""

        snapshot: "Snapshot"

    @dataclass
    class Ask(Message):
        """Asks the app to run one of its own actions, by name."""

        action: str

    def __init__(self, session: "WizardSession") -> None:
        super().__init__(session.keys)
        self.session = session
        self._narrowed: LineList | None = None
        """The list that the search line narrows; the focus is on the search line meanwhile."""

    def compose_middle(self) -> ComposeResult:
        """Yield the body with a hint above it and a search line below."""
        yield StyledText(id="hint")
        yield from super().compose_middle()
        yield Input(id="search", placeholder="search", compact=True)

    def on_mount(self) -> None:
        """Prepare the parts that don't change."""
        self.show_hint(visible=False)
        self.show_state()

    def on_screen_resume(self) -> None:
        """Draw the current state."""
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
        """Draw the step's own body."""

    def cancel_work(self) -> bool:
        """Cancel long work of this step, and return whether there was any."""
        return False

    def reveal(self, target: str) -> None:
        """Scroll to something that another step named."""

    def show_hint(self, *, visible: bool) -> None:
        """Show or hide the hint of a first visit."""
        hint = self.query_one("#hint", StyledText)
        hint.set_class(visible and bool(self.HINT), OPEN)
        lines: list[Line] = [((text, Tone.TEXT),) for text in self.HINT]
        if lines:
            lines[-1] = (*lines[-1], ("   h hides this for good", Tone.MUTED))
        hint.show_lines(lines)

    def _show_title(self) -> None:

        self.query_one("#title", StyledText).show_lines([title_line(self.session)])

    def _show_status(self) -> None:

        self.query_one("#status", StyledText).show_lines([status_line(self.session.figures, self.size.width)])

    def on_resize(self) -> None:
        """Redraw what depends on the width."""
        if self.is_mounted:
            self._show_status()

    # --- searching -----------------------------------------------------------------------------

    def searched(self) -> "LineList | None":
        """Return the list that a search would narrow now."""
        return None

    def action_search(self) -> None:
        """Open the search line for the focused list."""
        rows = self.searched()
        if rows is None:
            return
        if self._narrowed is not None and self._narrowed is not rows:
            self._narrowed.narrow("")
            self.query_one("#search", Input).value = ""
        self._narrowed = rows
        box = self.query_one("#search", Input)
        box.add_class(OPEN)
        box.focus()
        self.call_after_refresh(rows.expect_search)

    def action_clear_search(self) -> None:
        """Clear the search and go back to the list."""
        box = self.query_one("#search", Input)
        rows, self._narrowed = self._narrowed or self.searched(), None
        box.value = ""
        box.remove_class(OPEN)
        if rows is not None:
            rows.narrow("")
            rows.focus()

    @on(Input.Changed, "#search")
    def narrow(self, event: Input.Changed) -> None:
        """Narrow the list as the user types."""
        event.stop()
        if self._narrowed is not None:
            self._narrowed.narrow(event.value)

    @on(Input.Submitted, "#search")
    def keep_search(self, event: Input.Submitted) -> None:
        """Return to the list and keep it narrowed."""
        event.stop()
        if self._narrowed is not None:
            self._narrowed.focus()
        if not event.value:
            self.action_clear_search()

    def on_key(self, event: events.Key) -> None:
        """Let the arrow keys move from the search line to the list."""
        leaving = event.key in ("down", "up") and isinstance(self.focused, Input)
        if leaving and self._narrowed is not None and self.focused is self.query_one("#search"):
            self._narrowed.focus()
            event.stop()

    # --- copying -------------------------------------------------------------------------------

    def copied(self) -> str:
        """Return the text that `y` copies."""
        return ""

    def action_copy(self) -> None:
        """Copy the row to the clipboard."""
        text = self.copied()
        if not text:
            self.notify("There is nothing to copy here.", severity="warning", markup=False)
            return
        self.copy_text(text)

    def copy_text(self, text: str) -> None:
        """Send text to the terminal's clipboard; terminals don't confirm that it arrived."""
        self.app.copy_to_clipboard(text)
        self.notify(
            "Sent to the terminal's clipboard (OSC 52). If it does not arrive, the terminal does not allow it.",
            title="Copied",
            markup=False,
        )


def step_in_view(app: App[int]) -> StepScreen:
    """Return the step in view, even if a dialog covers it."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, StepScreen))
