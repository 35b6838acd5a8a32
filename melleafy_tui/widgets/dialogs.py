"""Dialogs of several kinds, each of which returns a value; terminals too small for one show a notice instead.

A dialog cut off by a small terminal would hide its last choices or its input line.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, ClassVar, Final, TypeVar

from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from melleafy_tui.actions.choices import Choice, Field
from melleafy_tui.actions.display_names import with_tilde
from melleafy_tui.actions.key_table import DIALOG_KEYS, TASKS, Key, task_of
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.widgets.footer import binding
from melleafy_tui.widgets.frame import HEIGHTS, WIDTHS, TooSmall
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, StyledText, Tone, as_title, fit
from melleafy_tui.widgets.styled_view import Pane

ResultT = TypeVar("ResultT")

_MARKS: Final = 4
"""Columns of a choice besides its label and its note."""

_HEIGHT: Final = 86
_BORDERS: Final = 4
_NOTE: Final = 3
"""The highest dialog in percent of the screen, the rows of its frame, and those of a note with its margin."""

_FEWEST: Final = 3
"""Rows that a lead and a list of choices keep, however long the other is."""

_HEADS: Final = 20
"""Columns of the keys and terms in the help."""


class Dialog(ModalScreen[ResultT | None]):
    """A box over a screen; it returns an answer, or None if it was closed without one."""

    CSS_PATH = str(Path(__file__).with_name("dialogs.tcss"))  # also for dialogs in other folders
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    WAY_OUT: tuple[str, str] = (DIALOG_KEYS[0].spelled, "closes")
    """The key that closes the dialog, and what it does."""

    def on_mount(self) -> None:
        """Prepare the notice for small terminals; this handler runs in addition to a subclass's own."""
        self.mount(TooSmall(*self.WAY_OUT))

    async def on_click(self, event: events.Click) -> None:
        """Close the dialog by a click beside it, as Esc does."""
        if event.widget is self:
            await self.run_action("cancel")

    def ask(self, app: App[Any], then: Callable[[ResultT], object]) -> None:
        """Open over the screen in view; what follows gets the answer, and nothing follows without one."""

        def answered(answer: ResultT | None) -> None:
            if answer is not None:
                then(answer)

        app.push_screen(self, answered)

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def free_rows(self, taken: int) -> int:
        """Return how many rows the highest dialog has beside its frame and those that are taken."""
        return self.size.height * _HEIGHT // 100 - _BORDERS - taken

    def show_state(self) -> None:
        """Draw what depends on the decisions; most dialogs have nothing of the kind."""


class ChoiceDialog(Dialog[str]):
    """A list to choose from; returns the chosen value, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in DIALOG_KEYS]

    def __init__(self, title: str, choices: Sequence[Choice], *, lead: Sequence[Line] = ()) -> None:
        super().__init__()
        self._title, self._choices, self._lead = title, choices, lead

    def compose(self) -> ComposeResult:
        """Yield lead and list."""
        with Vertical(classes="dialog") as box:
            box.border_title = as_title(self._title)
            box.border_subtitle = "⏎ choose · Esc close"
            if self._lead:
                yield Pane(classes="lead")
            yield LineList(id="choices", empty="There is nothing to choose here.")
            yield StyledText(id="note", classes="note")

    def on_mount(self) -> None:
        """Fill the list, with the cursor on the current choice."""
        for lead in self.query(Pane):
            lead.show_lines(self._lead)
        rows = self.query_one("#choices", LineList)
        rows.show_rows(
            [Row(choice.value, self._line(choice), words=choice.label.casefold()) for choice in self._choices]
        )
        self._show_note()
        for choice in self._choices:
            if choice.current:
                rows.go_to(choice.value)
        rows.focus()

    @property
    def _label_width(self) -> int:
        return min(28, max((len(each.label) for each in self._choices), default=10) + 2)

    def on_resize(self) -> None:
        """Show the note if the list is too narrow for it."""
        self.call_after_refresh(self._show_note)

    @on(LineList.Moved, "#choices")
    def _show_note(self) -> None:
        """Show the note of the choice below the list, where the list cuts notes."""
        rows, note = self.query_one("#choices", LineList), self.query_one("#note", StyledText)
        room = rows.size.width - self._label_width - _MARKS
        longest = max((cell_len(each.refusal or each.note) for each in self._choices), default=0)
        note.display = 0 < room < longest
        below = _NOTE if note.display else 0
        listed = min(len(self._choices), max(_FEWEST, self.free_rows(below) // 2))
        most = max(_FEWEST, self.free_rows(below + listed + 1))
        lead = 0
        for each in self.query(Pane):
            each.styles.max_height = most
            lead = min(each.virtual_size.height, most) + 1
        free = self.free_rows(lead + below)
        rows.styles.height = max(1, min(len(self._choices), free))
        row = rows.current
        choice = next((each for each in self._choices if row is not None and each.value == row.id), None)
        if choice is not None:
            note.show_lines([((choice.refusal or choice.note, Tone.TEXT),)])

    def _line(self, choice: Choice) -> Callable[[int], Line]:
        label_width = self._label_width
        note, tone = (choice.refusal, Tone.WARN) if choice.refusal else (choice.note, Tone.MUTED)

        def line(width: int) -> Line:
            return (
                ("● " if choice.current else "○ ", Tone.ACCENT),
                (fit(choice.label, label_width), Tone.MUTED if choice.refusal else Tone.STRONG),
                (fit(note, max(0, width - label_width - 2)), tone),
            )

        return line

    @on(LineList.Opened)
    def choose(self, event: LineList.Opened) -> None:
        """Return the chosen value, unless it is refused."""
        choice = next(each for each in self._choices if each.value == event.row.id)
        if choice.refusal:
            self.app.bell()
            self.notify(choice.refusal, severity="warning", markup=False)
            return
        self.dismiss(choice.value)


class FormDialog(Dialog[dict[str, str]]):
    """One or more input lines; returns the values by name, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in DIALOG_KEYS]

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        *,
        lead: Sequence[Line] = (),
        read: Callable[[dict[str, str]], tuple[Sequence[str], str]] | None = None,
    ) -> None:
        """Take what is asked.

        Args:
            title: The title.
            fields: The input lines.
            lead: What is said above them.
            read: Returns what all values are read as, shown while the user types, and what is wrong with them.
        """
        super().__init__()
        self._title, self._fields, self._lead, self._read = title, fields, lead, read

    def compose(self) -> ComposeResult:
        """Yield lead, fields and the line for errors."""
        with Vertical(classes="dialog") as box:
            box.border_title = as_title(self._title)
            box.border_subtitle = "⏎ done · Tab next field · Esc close"
            if self._lead:
                lead = StyledText(classes="lead")
                lead.show_lines(self._lead)
                yield lead
            for field in self._fields:
                label = StyledText(classes="label")
                label.show_lines([((field.label, Tone.STRONG),)])
                yield label
                yield Input(value=field.value, id=f"field-{field.name}", select_on_focus=False, compact=True)
            yield StyledText(id="fault")

    def on_mount(self) -> None:
        """Focus the first field."""
        self.query(Input).first().focus()
        self._show_reading()

    @property
    def _values(self) -> dict[str, str]:
        return {
            each.name: self.query_one(f"#field-{each.name}", Input).value.strip() for each in self._fields
        }

    @on(Input.Changed)
    def _show_reading(self) -> str:
        """Show what the values are read as; return what is wrong with them."""
        told, fault = self._read(self._values) if self._read is not None else ((), "")
        if self._read is not None:
            lines: list[Line] = [((line, Tone.GOOD),) for line in told]
            self.query_one("#fault", StyledText).show_lines([((f"! {fault}", Tone.BAD),)] if fault else lines)
        return fault

    @on(Input.Submitted)
    def finish(self) -> None:
        """Return the values, or say what is wrong."""
        values = self._values
        for field in self._fields:
            fault = field.check(values[field.name]) if field.check else ""
            if fault:
                self.query_one("#fault", StyledText).show_lines([((f"! {fault}", Tone.BAD),)])
                self.query_one(f"#field-{field.name}", Input).focus()
                return
        if not self._show_reading():
            self.dismiss(values)


class TextDialog(Dialog[None]):
    """A text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding(key) for key in DIALOG_KEYS),
        Binding("enter,q", "cancel", "Close", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Line], *, bad: bool = False) -> None:
        super().__init__()
        self._title, self._lines, self._bad = title, lines, bad

    def compose(self) -> ComposeResult:
        """Yield the text."""
        with Vertical(classes="dialog -bad" if self._bad else "dialog") as box:
            box.border_title = as_title(self._title)
            box.border_subtitle = "⏎ or Esc close"
            yield Pane()

    def on_mount(self) -> None:
        """Fill and focus the text."""
        pane = self.query_one(Pane)
        pane.show_lines(self._lines)
        pane.focus()


def error_dialog(title: str, error: MelleafyError) -> TextDialog:
    """Return a dialog that shows an error, its place and the next step."""
    lines: list[Line] = []
    if error.location:
        lines.append(((with_tilde(error.location), Tone.INFO),))
    lines.extend((((with_tilde(error.message), Tone.TEXT),), (), ((with_tilde(error.hint), Tone.STRONG),)))
    return TextDialog(title, lines, bad=True)


class HelpDialog(Dialog[None]):
    """Keys and terms of a screen, searched as you type."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding(key) for key in DIALOG_KEYS),
        Binding("down", "rows('cursor', 1)", show=False),
        Binding("up", "rows('cursor', -1)", show=False),
        Binding("pagedown", "rows('page', 1)", show=False),
        Binding("pageup", "rows('page', -1)", show=False),
    ]

    def __init__(self, title: str, keys: Sequence[Key], terms: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title, self._keys, self._terms = title, keys, terms

    def compose(self) -> ComposeResult:
        """Yield search line and list."""
        with Vertical(classes="dialog -tall") as box:
            box.border_title = as_title(f"Help: {self._title}")
            box.border_subtitle = "type to search · Esc close"
            yield Input(placeholder="search keys and terms", id="help-search", compact=True)
            yield LineList(id="help-rows", empty="No matches.")

    def on_mount(self) -> None:
        """Focus the search line; the list is filled when its width is known."""
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        """Fill the list, with sentences wrapped to its width."""
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        rows = self.query_one(LineList)
        room = rows.size.width - _HEADS - 3
        if room <= 0:
            return
        found: list[Row] = []
        for title, _ in TASKS:
            held = [key for key in self._keys if task_of(key) == title]
            if held:
                found.append(Row(title, ((title, Tone.HEADING),), group=True))
            for key in held:
                searched = f"{key.spelled} {key.label} {key.tooltip}"
                found.extend(_help_rows(key.id, key.spelled, key.tooltip, Tone.KEY, room, searched))
        found.append(Row("terms", (("Terms", Tone.HEADING),), group=True))
        for term, text in self._terms:
            found.extend(_help_rows(f"term.{term}", term, text, Tone.ACCENT, room, f"{term} {text}"))
        rows.show_rows(found)

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        """Narrow the list."""
        self.query_one(LineList).narrow(event.value)

    def action_rows(self, act: str, by: int) -> None:
        """Move in the list while the search line keeps the focus."""
        rows = self.query_one(LineList)
        if act == "page":
            rows.action_page(by)
        else:
            rows.action_cursor(by)


def _help_rows(name: str, head: str, text: str, tone: Tone, room: int, searched: str) -> list[Row]:
    """Return the rows of one key or term; a sentence that is longer than the room takes several."""
    return [
        Row(
            name if not number else f"{name}+{number}",
            ((fit(head if not number else "", _HEADS), tone), (part, Tone.TEXT)),
            depth=1,
            words=searched.casefold(),
            selectable=not number,
        )
        for number, part in enumerate(wrap(text, room))
    ]
