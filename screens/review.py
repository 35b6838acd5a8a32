"""The review: what the package will do and leaves out, one card at a time, over the step in view."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from melleafy_tui.actions.key_table import REVIEW_KEYS
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.output.write_plan import PlannedFile
from melleafy_tui.core.pipeline.review_cards import cost_after
from melleafy_tui.core.pipeline.review_rows import ReviewAnswer, ReviewItem, ReviewRow
from melleafy_tui.widgets.dialogs import Dialog
from melleafy_tui.widgets.footer import FooterKey, RowFooter, binding
from melleafy_tui.widgets.frame import StepScreen
from melleafy_tui.widgets.styled_text import Line, Pane, StyledText, Tone, shorten

CONTEXT = 1
"""Lines of the source above and below the first row of a card."""


MOST_ANSWERS: Final = 5
"""The most answers of a row."""

MOVES: Final = {"j": 1, "k": -1}
"""The keys that go to the next and the previous row of a card."""

_KEYS: Final = 2
"""The rows of the keys with their margin."""

_CARD_KEYS: Final = {
    "review.accept": "accept the card",
    "review.skip": "skip",
    "review.undo": "undo",
    "review.look": "open",
    "dialog.close": "close",
}
_LAST_KEYS: Final = {"review.accept": "write", "review.undo": "undo", "dialog.close": "close"}
"""The labels of the keys of a card, and of the review without one."""


def _mark(row: ReviewRow) -> str:
    return "[x] " if row.ticked else "[ ] "


class AnswerLine(StyledText):
    """One answer of a row; a click takes it."""

    letter = ""
    """The key that takes it."""

    def on_click(self) -> None:
        """Take the answer."""
        self.app.simulate_key(self.letter)


class ReviewDialog(Dialog[tuple[Step, str] | None]):
    """The first open card; returns the step and place to open, `""` for writing, or None.

    Args:
        session: The wizard's state.
    """

    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in REVIEW_KEYS]

    def __init__(self, session: WizardSession) -> None:
        super().__init__()
        self._session = session
        self._acts_before = len(session.conversion.acts)
        """How many acts were made elsewhere, before the review opened; they are undone on their steps."""
        self._row = 0
        """The row that the letters answer."""

    def compose(self) -> ComposeResult:
        """Yield the card."""
        with Vertical(classes="dialog"):
            yield Pane()
            for number in range(MOST_ANSWERS):
                yield AnswerLine(id=f"answer-{number}")
            yield RowFooter()

    def on_mount(self) -> None:
        """Show the first card."""
        self.query_one(Pane).focus()
        self.show_state()

    def show_state(self) -> None:
        """Draw the first open card."""
        cards = self._session.cards
        box, pane = self.query_one(".dialog"), self.query_one(Pane)
        row = self._current_row
        self._show_answers(row.answers if row is not None else ())
        self._show_keys(has_card=bool(cards))
        if not cards:
            box.border_title = "Ready to write"
            pane.show_lines(self._last_lines())
            return
        box.border_title = "Review: 1 card left" if len(cards) == 1 else f"Review: {len(cards)} cards left"
        pane.show_lines(self._card(cards[0]))

    @property
    def _conflicts(self) -> tuple[PlannedFile, ...]:
        """Return the files whose new text doesn't fit the user's edits, as far as the package is rendered."""
        rendered = self._session.rendered
        return rendered.plan.conflicts if rendered is not None and rendered.plan is not None else ()

    def _last_lines(self) -> list[Line]:
        """Return what is said when no card is left: the files that a write would leave beside the user's."""
        if not self._conflicts:
            return [(("Nothing is left to review.", Tone.GOOD),)]
        count = len(self._conflicts)
        said = "1 file conflicts" if count == 1 else f"{count} files conflict"
        lines: list[Line] = [((f"{said} with your edits:", Tone.WARN),)]
        lines += [
            ((f"  {file.path}", Tone.STRONG), (f"  {file.note}", Tone.MUTED)) for file in self._conflicts
        ]
        return [
            *lines,
            (("o opens the first one: keep yours, take the new text, or edit both.", Tone.TEXT),),
            (("⏎ writes the new texts beside yours, as .new.", Tone.TEXT),),
        ]

    def _show_answers(self, answers: Sequence[ReviewAnswer]) -> None:
        """Show the answers below the card, which scrolls if there is no room for all of it."""
        for number in range(MOST_ANSWERS):
            line = self.query_one(f"#answer-{number}", AnswerLine)
            line.display = number < len(answers)
            if number < len(answers):
                line.letter = answers[number].letter
                line.show_lines([self._answer(answers[number])])
        self.query_one(Pane).styles.max_height = max(3, self.free_rows(_KEYS + len(answers)))

    def _show_keys(self, *, has_card: bool) -> None:
        """Show the keys; a click presses one."""
        labels = _CARD_KEYS if has_card else _LAST_KEYS
        if not has_card and self._conflicts:
            labels = {**_LAST_KEYS, "review.look": "open"}
        keys = [(key, labels[key.id]) for key in REVIEW_KEYS if key.id in labels]
        self.query_one(RowFooter).show_keys(
            [FooterKey(key.spelled, label, key.keys.split(",")[0]) for key, label in keys]
        )

    def on_resize(self) -> None:
        """Fit the card to the new size."""
        self.show_state()

    @property
    def _width(self) -> int:
        """Return the columns of a line; one that is cut is better than one that wraps and hides the answers."""
        return min(76, self.size.width * 94 // 100 - 7)

    def _card(self, card: ReviewItem) -> list[Line]:
        """Return the current row with all that is said about it, then the rows that follow."""
        row = card.rows[self._row]
        place = (
            f"  row {self._row + 1} of {len(card.rows)}, j and k go to others" if len(card.rows) > 1 else ""
        )
        lines: list[Line] = [((card.title, Tone.HEADING), (place, Tone.MUTED))]
        lines.append(((_mark(row), Tone.KEY), (row.text, Tone.STRONG)))
        lines.append(((f"{row.file}:{row.lines}" if row.lines else row.file, Tone.INFO),))
        lines.extend(self._source(row))
        lines.append((("Why: ", Tone.MUTED), (row.why, Tone.TEXT)))
        lines.append((("In the package: ", Tone.MUTED), (row.result, Tone.TEXT)))
        moves = [answer for answer in row.answers if answer.text]
        if moves:
            lines.append(((f"{'was':>8}  ", Tone.MUTED), (row.text, Tone.REMOVED)))
        lines.extend(((f"{answer.letter:>8}  ", Tone.KEY), (answer.text, Tone.ADDED)) for answer in moves)
        lines.extend(
            ((_mark(other), Tone.MUTED), (shorten(other.text, self._width - 5), Tone.TEXT))
            for other in card.rows[self._row + 1 :]
        )
        return lines

    def _source(self, row: ReviewRow) -> list[Line]:
        """Return the first row's first line between its neighbours, with secrets masked."""
        conversion = self._session.conversion
        source = conversion.snapshot.file(row.file)
        first = int(row.lines.partition("-")[0]) if row.lines else 0
        if source is None or source.text is None or not first:
            return []
        text = source.lines
        start = max(1, first - CONTEXT)
        return [
            (
                (f"{number:>5} ", Tone.MUTED),
                (shorten(line, self._width - 6), Tone.STRONG if number == first else Tone.MUTED),
            )
            for number, line in enumerate(text[start - 1 : first + CONTEXT], start)
        ]

    def _answer(self, answer: ReviewAnswer) -> Line:
        now, then = self._session.conversion.cost, cost_after(self._session.conversion, answer)
        change = answer.change
        if then is not None and (then.prompt_tokens, then.calls) != (now.prompt_tokens, now.calls):
            change += f"; {now.prompt_tokens} → {then.prompt_tokens} tokens, {now.calls} → {then.calls} calls"
        label = shorten(answer.label, self._width // 2)
        return (
            (f"  {answer.letter}  ", Tone.KEY),
            (label, Tone.STRONG),
            (f"  {shorten(change, max(8, self._width - len(label) - 7))}", Tone.MUTED),
        )

    # --- answering -----------------------------------------------------------------------------

    @property
    def _current(self) -> ReviewItem | None:
        cards = self._session.cards
        return cards[0] if cards else None

    @property
    def _current_row(self) -> ReviewRow | None:
        """Return the row that the letters answer."""
        card = self._current
        self._row = min(self._row, len(card.rows) - 1) if card is not None else 0
        return card.rows[self._row] if card is not None else None

    def on_key(self, event: events.Key) -> None:
        """Take the answer whose letter was pressed, or go to another row."""
        row = self._current_row
        answers = row.answers if row is not None else ()
        taken = next((answer for answer in answers if answer.letter == event.character), None)
        if taken is not None:
            event.stop()
            self._answer_with(taken.command)
        elif event.character in MOVES and self._current is not None:
            event.stop()
            self._row = (self._row + MOVES[event.character]) % len(self._current.rows)
            self.show_state()

    def action_accept(self) -> None:
        """Take the suggested answer of each row of the card; without a card, go and write."""
        card = self._current
        if card is None:
            self.dismiss((Step.WRITE, ""))
        else:
            self._row = 0
            self._answer_with(card.accept)

    def _answer_with(self, command: Command) -> None:
        self.post_message(StepScreen.Act(command))

    def action_skip(self) -> None:
        """Leave the card open and show it last."""
        cards = self._session.cards
        if not cards:
            return
        if cards[0].card in self._session.skipped_cards:
            self._session.skipped_cards.clear()
        self._session.skipped_cards.add(cards[0].card)
        self._row = 0
        self.show_state()

    def action_undo(self) -> None:
        """Undo the last answer of this review, and no other act; its card is open again, and comes in its place."""
        if len(self._session.conversion.acts) <= self._acts_before:
            self.notify("No answer to undo here. Other acts are undone on their step.", markup=False)
            return
        self._session.skipped_cards.clear()
        self.post_message(StepScreen.Ask("undo"))

    def action_look(self) -> None:
        """Open the place of the row on its screen."""
        row = self._current_row
        if row is None:
            if self._conflicts:
                self.dismiss((Step.WRITE, self._conflicts[0].path))
            return
        if row.entry_id:
            self.dismiss((Step.DECIDE, row.entry_id))
        elif row.lines:
            self.dismiss((Step.INVENTORY, f"at:{row.file}:{row.lines}"))
        else:
            self.dismiss((Step.DECIDE, ""))

    def action_cancel(self) -> None:
        """Close the review."""
        self.dismiss(None)
