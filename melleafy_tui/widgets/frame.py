"""The frame of every step (title, step rail, body, status line, footer), and what all steps can do.

A step draws the session's state with `show_state` and sends commands with `Act`; only the app carries them
out. The frame is painted before the core is imported, so nothing here imports it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from msgspec import structs
from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from melleafy_tui.actions.key_table import SEARCHING, Key, KeyTable
from melleafy_tui.actions.steps import STEP_INFO, STEPS, PaneLayout, Progress, Step, StepState
from melleafy_tui.core.models.vocabulary import MODALITY_TITLES
from melleafy_tui.core.tables import table_beside
from melleafy_tui.widgets.footer import FooterKey, RowFooter, bindings
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import Line, Span, StyledText, Tone, line_text, shorten

if TYPE_CHECKING:
    from melleafy_tui.actions.session import AssistOffer, WizardSession
    from melleafy_tui.actions.steps import Figures
    from melleafy_tui.core.decisions.commands import Command
    from melleafy_tui.core.models.snapshot import Snapshot

SMALLEST: Final = (60, 20)
"""Columns and rows below which only the notice is shown."""

WIDTHS: Final = [(0, "-too-narrow"), (SMALLEST[0], "-narrow")]
HEIGHTS: Final = [(0, "-too-low"), (SMALLEST[1], "-low")]
"""Minimum columns and rows for each CSS class, in Textual's format."""


class TooSmall(StyledText):
    """Says which size is needed, and which key closes what is hidden.

    Args:
        key: The key, as shown to people.
        does: What it does.
    """

    def __init__(self, key: str, does: str) -> None:
        super().__init__(id="too-small")
        columns, rows = SMALLEST
        self.show_lines(
            [((f"Too small: {columns}×{rows} needed.", Tone.STRONG),), ((f"{key} {does}.", Tone.MUTED),)]
        )


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


def status_line(figures: "Figures", width: int, before: "Figures | None" = None) -> Line:
    """Return the main counts, with the longest labels that fit the width.

    Args:
        figures: The counts.
        width: The columns of the line.
        before: The counts before the last act; those that it changed are shown before → after.
    """
    lines = [_status_line(figures, level, before or figures) for level in range(3)]
    return next((line for line in lines if cell_len(line_text(line)) <= width - _PADDING), lines[-1])


def _counted(count: int) -> str:
    return f"{count:,}".replace(",", " ")


_COUNTS: Final = table_beside(__file__, "status.toml")


def _status_line(figures: "Figures", level: int, before: "Figures") -> Line:
    spans: list[Span] = []
    for name, (tone, *labels) in _COUNTS.items():
        count, earlier = getattr(figures, name), getattr(before, name)
        if not count and not earlier:
            continue
        if spans:
            spans.append((" · ", Tone.MUTED))
        if count != earlier:
            spans.append((f"{_counted(earlier)} → ", Tone.MUTED))
        spans.append((_counted(count), Tone.KEY if count != earlier else Tone(tone) if count else Tone.TEXT))
        spans.append((f" {labels[level][count != 1]}", Tone.MUTED))
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

    def show_states(self, states: Iterable[StepState], here: Step | None) -> None:
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

WIDE: Final = 100
VERY_WIDE: Final = 140
"""Columns from which panes stand side by side, and from which source and emitted lines do."""

HIGH: Final = 34
"""Rows from which a narrow terminal has room for three panes."""

WHOLE: Final = 10
"""The parts of the room that the two sides of a step share."""

AWAY: Final = "-away"
"""The class of panes that are out of view."""

NO_HITS: Final = "0 hits"

OPEN: Final = "-open"
"""The class of hint and search line while they are open; the small-terminal notice hides them anyway."""


ResultT = TypeVar("ResultT")


class Frame(Screen[ResultT]):
    """Title, rail, body, status line and footer; a notice replaces them if the terminal is too small.

    Args:
        keys: The user's key table.
    """

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        *WIDTHS,
        (WIDE, "-wide"),
        (VERY_WIDE, "-very-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - Textual's own name and type
        *HEIGHTS,
        (HIGH, "-high"),
    ]

    def __init__(self, keys: KeyTable) -> None:
        super().__init__()
        self._quit = keys.spelled("app.quit")

    def compose(self) -> ComposeResult:
        """Yield the frame around the body."""
        yield StyledText(id="title")
        yield StepRail(id="rail")
        yield from self.compose_middle()
        yield StyledText(id="status")
        yield RowFooter()
        yield TooSmall(self._quit, "leaves; nothing is lost")

    def compose_middle(self) -> ComposeResult:
        """Yield the middle of the frame, with the body."""
        with Vertical(id="body"):
            yield from self.compose_body()

    def compose_body(self) -> Iterable[Widget]:
        """Yield the widgets of the body."""
        return ()

    def show_state(self) -> None:
        """Draw everything from the session, if there is one."""

    def show_frame(self, session: "WizardSession", here: Step | None) -> None:
        """Draw title, rail and counts; the rail marks the step in view, if there is one."""
        self.query_one("#title", StyledText).show_lines([title_line(session)])
        self.query_one(StepRail).show_states(session.step_states, here)
        line = status_line(session.figures, self.size.width, session.compared_figures)
        self.query_one("#status", StyledText).show_lines([line])

    def refuses_keys(self) -> bool:
        """Return whether a key comes too early to be meant for what is in view."""
        return False


class SearchFrame(Frame[None]):
    """A frame with a list that a search line narrows.

    Args:
        keys: The user's key table.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SEARCHING)]

    class NothingToClear(Message):
        """Posted when Esc found no search and no filter to clear."""

    def __init__(self, keys: KeyTable) -> None:
        super().__init__(keys)
        self._table = keys
        self._narrowed: LineList | None = None
        """The list that the search line narrows; the focus is on the search line meanwhile."""

    def compose_middle(self) -> ComposeResult:
        """Yield the body with a search line below."""
        yield from super().compose_middle()
        yield Input(id="search", placeholder="search", compact=True)

    @property
    def where(self) -> str:
        """Return the screen's name in the key table."""
        return ""

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing now; the footer leaves them out."""
        return set()

    def show_footer(self) -> None:
        """Show the keys that work on the row under the cursor."""
        table, typing = self._table, self.focused is not None and self.focused.id == "search"
        found = self._narrowed
        if typing and found is not None:
            keys = [FooterKey("⏎", "to the hits", "enter"), FooterKey("Esc", "Clear", "escape")]
            self.query_one(RowFooter).show_keys(keys, lead=found.hits_words)
            return
        rows = list(table.footer(self.where, self.idle_keys()))
        lead = ""
        if self.is_searching and found is not None:
            among = table.within(SEARCHING) if found.hits_words != NO_HITS else ()
            own = [*among, table.row("search.clear")]
            taken = {name for key in own for name in key.keys.split(",")}
            rows = [*own, *(key for key in rows if not taken.intersection(key.keys.split(",")))]
            lead = found.hits_words
        helping = footer_key(table.row("app.help"))
        self.query_one(RowFooter).show_keys([footer_key(key) for key in rows], last=helping, lead=lead)

    def on_line_list_moved(self, event: Message) -> None:
        """Show the keys of the row that the cursor moved to; panes that follow it move without the focus."""
        if event.control is self.focused:
            self.show_footer()

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus now."""
        if self.is_mounted and self.query("#search"):
            self.show_footer()

    # --- searching -----------------------------------------------------------------------------

    def searched(self) -> LineList | None:
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
        if not self.is_narrowed:
            self.post_message(self.NothingToClear())
        self.stop_search()

    def stop_search(self) -> None:
        """Show all rows again, with the list in focus."""
        box = self.query_one("#search", Input)
        rows, self._narrowed = self._narrowed or self.searched(), None
        box.value = ""
        box.remove_class(OPEN)
        if rows is not None:
            rows.narrow("")
            rows.focus()
        self.show_found("")
        self.show_footer()

    @property
    def is_narrowed(self) -> bool:
        """Return whether Esc has something to clear: a search, or on some steps a filter or marks."""
        return self._narrowed is not None

    @property
    def is_searching(self) -> bool:
        """Return whether a search is active."""
        return self._narrowed is not None and self._narrowed.is_searched

    def show_found(self, needle: str) -> None:
        """Highlight what is searched for in the other panes, if the step has some."""

    def action_hit(self, by: int) -> None:
        """Go to the next or the previous hit."""
        if self._narrowed is not None:
            self._narrowed.go_to_hit(by)
            self.show_footer()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let the keys of a search through only while one is active."""
        if action == "hit":
            return self.is_searching
        return super().check_action(action, parameters)

    @on(Input.Changed, "#search")
    def narrow(self, event: Input.Changed) -> None:
        """Narrow the list as the user types."""
        if self._narrowed is not None:
            self._narrowed.narrow(event.value)
            self.show_found(event.value)
            self.show_footer()

    @on(Input.Submitted, "#search")
    def _keep_search(self, event: Input.Submitted) -> None:
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


class StepScreen(SearchFrame):
    """The frame of one step.

    Args:
        session: The wizard's state; the screen only reads it.
    """

    STEP: ClassVar[Step]
    MORE_TERMS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Terms of this screen besides those of its step."""
    PANES: ClassVar[tuple[str, ...]] = ()
    """The ids of its panes in the order of Tab; the first holds the list."""
    SPLIT: ClassVar[tuple[str, ...]] = ()
    """The ids of the two parts that share the width, or the height on narrow terminals."""

    @dataclass
    class Act(Message):
        """Asks the app to carry out a command."""

        command: "Command"
        done: str = ""
        """The message to show when it is done."""

    @dataclass
    class Assist(Message):
        """Asks the app to ask a model."""

        offer: "AssistOffer"

    @dataclass
    class GoTo(Message):
        """Asks the app to show something on another step."""

        step: Step
        target: str = ""

    @dataclass
    class SourceFound(Message):
        """Posted when the source was read again and may differ from what is shown."""

        snapshot: "Snapshot"

    def __init__(self, session: "WizardSession") -> None:
        super().__init__(session.keys)
        self.session = session
        self.beside = self.PANES[1] if len(self.PANES) > 1 else ""
        """The pane that was looked at last beside the list, where there is no room for all."""

    def compose_middle(self) -> ComposeResult:
        """Yield the body with a hint above it and a search line below."""
        yield StyledText(id="hint")
        yield from super().compose_middle()

    def on_mount(self) -> None:
        """Prepare the parts that don't change."""
        self.show_hint(visible=False)
        self.show_panes()
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
        self.show_frame(self.session, self.STEP)
        self.show_body()
        self.show_footer()
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
        hint.set_class(visible, OPEN)
        *lines, last = (((text, Tone.TEXT),) for text in STEP_INFO[self.STEP].hint)
        hint.show_lines([*lines, (*last, ("   h hides this for good", Tone.MUTED))])

    def show_figures(self) -> None:
        """Draw the counts again, when they are no longer compared with those before an act."""
        if self.is_mounted:
            self.show_frame(self.session, self.STEP)

    def on_resize(self) -> None:
        """Redraw what depends on the width."""
        self.show_figures()
        if self.is_mounted:
            self.show_panes()

    # --- the footer ----------------------------------------------------------------------------

    @property
    def where(self) -> str:
        """Return the step's name in the key table."""
        return self.STEP.value

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing now; the footer leaves them out."""
        session, conversion = self.session, self.session.conversion
        place = STEPS.index(self.STEP)
        rows = self.focused if isinstance(self.focused, LineList) else None
        works = {
            "list.open": rows is not None and rows.current is not None,
            "review.open": bool(session.cards),
            "history.undo": bool(conversion.acts),
            "history.redo": bool(conversion.undone_acts),
            "decisions.save": conversion.unsaved,
            "source.reread": session.newer is not None,
            "app.hint": self.query_one("#hint").has_class(OPEN),
            "app.help": False,
            "app.interrupt": False,
            "search.clear": self.is_narrowed,
            "step.next": place < len(STEPS) - 1,
            "step.previous": place > 0,
            "panes.next": len(self.PANES) > 1,
            "panes.previous": len(self.PANES) > 1,
        }
        return {name for name, working in works.items() if not working}

    # --- panes ---------------------------------------------------------------------------------

    def panes_in_view(self) -> Collection[str]:
        """Return the ids of the panes that this size has room for."""
        return self.PANES

    @property
    def _layout_key(self) -> tuple[Step, str]:
        width = self.size.width
        return self.STEP, "narrow" if width < WIDE else "wide" if width < VERY_WIDE else "very wide"

    @property
    def pane_layout(self) -> PaneLayout:
        """Return how the panes are arranged at this size."""
        return self.session.pane_layouts.get(self._layout_key, PaneLayout())

    def _arrange(self, layout: PaneLayout) -> None:
        self.session.pane_layouts[self._layout_key] = layout
        self.show_panes()

    def show_panes(self) -> None:
        """Show the panes that are in view, with their share of the room."""
        layout = self.pane_layout
        in_view = {layout.maximised} if layout.maximised else set(self.panes_in_view())
        for name in self.PANES:
            self.query_one(f"#{name}").set_class(name not in in_view, AWAY)
        for group in self.query(".group"):
            group.set_class(all(pane.has_class(AWAY) for pane in group.query(".pane")), AWAY)
        for name, share in zip(self.SPLIT, (layout.share, WHOLE - layout.share), strict=False):
            styles = self.query_one(f"#{name}").styles
            styles.clear_rule("width")
            styles.clear_rule("height")
            if layout.share and self.size.width < WIDE:
                styles.height = f"{share}fr"
            elif layout.share:
                styles.width = f"{share}fr"

    def action_pane(self, by: int) -> None:
        """Go to the next or the previous pane."""
        panes = [name for name in self.PANES if self.query_one(f"#{name}").styles.inline.display != "none"]
        if panes:
            here = panes.index(self._pane_in_focus) if self._pane_in_focus in panes else -1
            self.focus_pane(panes[(here + by) % len(panes)])

    @property
    def _pane_in_focus(self) -> str:
        """Return the id of the pane that has the focus, or `""`."""
        above = self.focused.ancestors_with_self if self.focused is not None else ()
        return next((each.id for each in above if each.id in self.PANES and each.id), "")

    def focus_pane(self, name: str) -> None:
        """Show a pane and focus it."""
        if name != self.PANES[0]:
            self.beside = name
        layout = self.pane_layout
        if layout.maximised:
            self._arrange(structs.replace(layout, maximised=name))
        else:
            self.show_panes()
        pane = self.query_one(f"#{name}")
        target = pane if pane.focusable else next((each for each in pane.query("*") if each.focusable), None)
        if target is not None:
            target.focus()

    def action_maximise(self) -> None:
        """Maximise the pane that has the focus, or show all panes again."""
        layout = self.pane_layout
        self._arrange(structs.replace(layout, maximised="" if layout.maximised else self._pane_in_focus))

    def action_share(self, by: int) -> None:
        """Give the list more or less of the room."""
        layout = self.pane_layout
        share = min(max((layout.share or WHOLE // 2) + by, 2), WHOLE - 2)
        self._arrange(structs.replace(layout, share=share))

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


def footer_key(key: Key) -> FooterKey:
    """Return a row of the key table as the footer shows it."""
    return FooterKey(key.spelled, key.label, key.keys.split(",")[0])


def step_in_view(app: App[int]) -> StepScreen:
    """Return the step in view, even if a dialog covers it."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, StepScreen))
