"""The review: what the package will do and what it leaves out, one card at a time, each a list of all of its rows."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from msgspec import Struct
from textual import events, on
from textual.binding import BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.key_table import LIST, REVIEW_KEYS, SECRET_KEYS
from melleafy_tui.actions.row_edits import EDITABLE, RowEdit, added_row, edit_of, new_task
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.pipeline.review_cards import cost_after
from melleafy_tui.core.pipeline.review_rows import Card, ReviewAnswer, ReviewItem, ReviewRow
from melleafy_tui.screens.conflict import open_conflict
from melleafy_tui.screens.review_texts import (
    CARD_MEANINGS,
    REVIEW_TERMS,
    mark_of,
    opened_lines,
    secret_values,
)
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog, HelpDialog
from melleafy_tui.widgets.footer import RowFooter, binding
from melleafy_tui.widgets.frame import FRAME_STYLES, Frame, StepScreen, footer_key
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, StyledText, Tone, wrapped_line
from melleafy_tui.widgets.styled_view import Pane

SECONDS_IN_VIEW: Final = 0.3
"""How long a card is in view before it takes keys: a key that was meant for something else decides nothing."""

_MARK: Final = 4
"""Columns of the box to tick."""


class Destination(Struct, frozen=True):
    """Where the review leads: a step, a place on it, and whether the package is written there."""

    step: Step
    place: str = ""
    writes: bool = False


class CardList(LineList):
    """The rows of a card, each wrapped to the width; a click on the box ticks a row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding(key) for key in REVIEW_KEYS if key.id in ("review.next", "review.previous")
    ]  # before the keys that fold a list

    @dataclass
    class Ticked(Message):
        """Posted when the box of the row under the cursor was clicked."""

    def watch_cursor(self) -> None:
        """Draw the whole row under the cursor."""
        self.repaint()

    def in_region(self, row: Row) -> bool:
        """Return whether a line belongs to the row under the cursor."""
        current = self.current
        return current is not None and row.id.partition("\n")[0] == current.id

    def first_of(self, place: int) -> int:
        """Return the first line of the row that a line belongs to."""
        rows = self.visible_rows
        while 0 < place < len(rows) and not rows[place].selectable:
            place -= 1
        return place

    def height_of(self, place: int) -> int:
        """Return the lines of a row."""
        rows = self.visible_rows
        last = place + 1
        while last < len(rows) and not rows[last].selectable:
            last += 1
        return last - place

    def on_click(self, event: events.Click) -> None:
        """Tick the row whose box was clicked; the list itself moves there, and opens it with a second click."""
        inside = event.get_content_offset(self)
        if inside is not None and inside.x < _MARK and event.chain == 1:
            self.post_message(self.Ticked())


class SecretDialog(ChoiceDialog):
    """A value that may be a secret, shown to its owner on demand; `y` says that it is one, `n` that it isn't.

    Args:
        title: The title.
        choices: The answers.
        lead: All about the row.
        values: The values.
    """

    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in SECRET_KEYS]

    def __init__(
        self, title: str, choices: Sequence[Choice], lead: Sequence[Line], values: Sequence[str]
    ) -> None:
        super().__init__(title, choices, lead=lead)
        self._values = values

    def on_mount(self) -> None:
        """Say the keys."""
        keys = [f"{key.spelled} {key.label}" for key in SECRET_KEYS]
        self.query_one(".dialog").border_subtitle = " · ".join([*keys, "⏎ choose", "Esc close"])

    def action_show_value(self) -> None:
        """Show the values, on a terminal of this machine only."""
        if self.app.is_web or "SSH_CONNECTION" in os.environ:
            self.notify("Values are shown on a local terminal only.", severity="warning", markup=False)
        else:
            shown: list[Line] = [((value, Tone.WARN),) for value in self._values]
            self.query_one(Pane).show_lines([*shown, *self._lead])

    def action_is_secret(self, answer: str) -> None:
        """Take the answer that masks or shows the values, where that changes something."""
        taken = [choice.value for choice in self._choices if choice.value == answer]
        self.dismiss(taken[0] if taken else self._choices[0].value)


class ReviewScreen(Frame[Destination | None]):
    """The cards; returns where to go, or None.

    Args:
        session: The wizard's state.
        card: The card to show first; `""` for the one that was in view last, else the first open one.
    """

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES]  # type: ignore[assignment]
    DEFAULT_CSS = """
    ReviewScreen {
        & #card { height: auto; padding: 0 1; margin-bottom: 1; }
        & #rows { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in REVIEW_KEYS]

    def __init__(self, session: WizardSession, card: str = "") -> None:
        super().__init__(session.keys)
        self._session = session
        self._acts_before = len(session.conversion.acts)
        """How many acts were made elsewhere, before the review opened; they are undone on their steps."""
        kept, self._row = (card, "") if card else session.review_place
        self._earlier = frozenset(row.item for each in session.all_cards for row in each.rows if row.settled)
        """The rows that nobody needs to answer; they stand below the others."""
        first = next((each.card for each in session.cards), None)
        cards = [each.card for each in session.all_cards]
        self._card: Card | None = Card(kept) if kept in cards else first or next(reversed(cards), None)
        self._leaves_card: Command | None = None
        """The act of the key that leaves the card."""
        self._open_before: tuple[ReviewItem, ...] = ()
        """The open cards before an act was undone, to show the card that it opened again."""
        self.takes_keys = False
        """Whether the card has been in view for a moment."""
        self._in_view: Timer | None = None
        self._drawn: tuple[object, ...] = ()
        self._order: dict[str, int] = {}
        """The places of the rows when the card appeared: a row that a key changes stays where it is."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield the card's title and its rows."""
        yield StyledText(id="card")
        yield CardList(
            id="rows", empty="Nothing to review: the package does nothing by itself, and leaves nothing out."
        )

    def on_mount(self) -> None:
        """Show the first card."""
        rows = self.query_one(CardList)
        rows.focus()
        self.call_after_refresh(self._show_first)

    def _show_first(self) -> None:
        self.show_state()
        self.query_one(CardList).go_to(self._row)
        self._appear()

    # --- keys that come too early ----------------------------------------------------------------

    def refuses_keys(self) -> bool:
        """Return whether a key came before the card was in view for a moment; that begins anew then."""
        if not self.takes_keys and self._in_view is not None:
            self._in_view.reset()
        return not self.takes_keys

    def _appear(self) -> None:
        """Take keys once the card has been in view for a moment."""
        self.takes_keys = False
        self._show_footer()
        self.call_after_refresh(self._begin_view)

    def _begin_view(self) -> None:
        if self._in_view is not None:
            self._in_view.stop()
        self._in_view = self.set_timer(SECONDS_IN_VIEW, self._take_keys)

    def _take_keys(self) -> None:
        self.takes_keys = True
        self._show_footer()

    # --- drawing -----------------------------------------------------------------------------------

    @property
    def _current(self) -> ReviewItem | None:
        """Return the card in view."""
        cards = self._session.all_cards
        found = next((each for each in cards if each.card is self._card), None)
        if found is None and cards and self._card is not None:  # its last row is gone
            order = list(Card)
            found = next(
                (each for each in cards if order.index(each.card) > order.index(self._card)), cards[-1]
            )
            self._card = found.card
        return found

    @property
    def _is_last(self) -> bool:
        cards = self._session.all_cards
        return not cards or self._card is cards[-1].card

    def show_state(self) -> None:
        """Draw the card, or the one after it if a key has just accepted it."""
        if not self.is_mounted:
            return
        self._follow_act()
        self.show_frame(self._session, None)
        card, rows = self._current, self.query_one(CardList)
        self.query_one("#card", StyledText).show_lines(self._heading(card))
        width = rows.size.width
        if (card, width) != self._drawn:
            self._drawn = (card, width)
            rows.show_rows(list(self._rows(card, width)) if card is not None else [])
        self._show_footer()

    def _follow_act(self) -> None:
        """Show another card after an act that left this one or opened another again."""
        session, left = self._session, self._leaves_card
        if left is not None:
            self._leaves_card = None
            if not any(each.card is self._card for each in session.cards):
                self._card = self._after()
            self._show_from_top()
        elif self._open_before:
            before = {each.card: len(each.rows) for each in self._open_before}
            self._open_before = ()
            opened = [each.card for each in session.cards if len(each.rows) > before.get(each.card, 0)]
            if opened and opened[0] is not self._card:
                self._card = opened[0]
                self._show_from_top()

    def _after(self) -> Card | None:
        """Return the next open card, from the first again after the last, or the last of all."""
        cards, order = [each.card for each in self._session.cards], list(Card)
        here = order.index(self._card) if self._card is not None else 0
        later = [card for card in cards if order.index(card) > here]
        return next(
            iter([*later, *cards]), self._session.all_cards[-1].card if self._session.all_cards else None
        )

    def _show_from_top(self) -> None:
        self._drawn, self._order = (), {}
        self.query_one(CardList).show_rows([])
        self._appear()

    def _heading(self, card: ReviewItem | None) -> list[Line]:
        if card is None:
            return [(("Review", Tone.HEADING),), (("w writes the package.", Tone.TEXT),)]
        cards = self._session.all_cards
        place = 1 + next(at for at, each in enumerate(cards) if each.card is card.card)
        left = sum(not row.settled for row in card.rows)
        ticked = sum(row.ticked for row in card.rows if row.tickable)
        told = [f"card {place} of {len(cards)}", f"{len(card.rows)} row{'s' * (len(card.rows) != 1)}"]
        told += [f"{ticked} ticked"] if any(row.tickable for row in card.rows) else []
        is_new = any(row.item not in self._earlier for row in card.rows)
        state: Line = ((" · ✓ accepted", Tone.GOOD),) if is_new else ((" · nothing new", Tone.MUTED),)
        if left:
            state = ((f" · {left} to accept", Tone.WARN),)
        return [
            ((card.title, Tone.HEADING), (f"  {' · '.join(told)}", Tone.MUTED), *state),
            ((CARD_MEANINGS[card.card], Tone.TEXT),),
        ]

    def _rows(self, card: ReviewItem, width: int) -> Iterator[Row]:
        """Yield the lines of the rows, those that were settled before the review opened below the others."""
        last = len(self._order)
        rows = sorted(card.rows, key=lambda row: self._order.get(row.item, last))
        self._order = {row.item: place for place, row in enumerate(rows)}
        new = [row for row in rows if row.item not in self._earlier]
        earlier = [row for row in rows if row.item in self._earlier]
        for row in new:
            yield from _lines_of(row, width)
        if earlier:
            yield from [Row("earlier", (), selectable=False)] if new else ()
            yield Row("earlier", (("Decided earlier, or only listed", Tone.HEADING),), selectable=False)
        for row in earlier:
            yield from _lines_of(row, width, is_earlier=True)

    def on_resize(self) -> None:
        """Wrap the rows to the new width."""
        self.call_after_refresh(self.show_state)

    def _show_footer(self) -> None:
        """Show the keys that work on this row; none while the card takes none."""
        keys = {key.id: key for key in REVIEW_KEYS}
        opens = next(key for key in self._session.keys.within(LIST) if key.id == "list.open")
        row = self._row_at_cursor
        works = {
            "review.accept": self._current is not None
            and any(not each.settled for each in self._current.rows),
            "review.write": self._is_last,
            "review.tick": row is not None and row.flip is not None,
            "list.open": row is not None,
            "review.edit": row is not None and row.item.startswith(EDITABLE),
            "review.next": not self._is_last,
            "review.undo": self._can_undo,
            "review.look": row is not None,
            "review.add": self._card is Card.WAKES,
            "review.previous": self._card is not None and self._session.all_cards[0].card is not self._card,
            "dialog.close": True,
            "review.assist": self._session.assist_offer is not None,
        }
        shown = [opens if name == "list.open" else keys[name] for name, working in works.items() if working]
        footer = self.query_one(RowFooter)
        if self.takes_keys:
            footer.show_keys([footer_key(key) for key in shown], last=footer_key(keys["review.help"]))
        else:
            footer.show_keys([])

    @on(LineList.Moved)
    def _follow_row(self) -> None:
        if self.takes_keys:
            self._show_footer()

    # --- the row under the cursor ----------------------------------------------------------------

    @property
    def _row_at_cursor(self) -> ReviewRow | None:
        at, card = self.query_one(CardList).current, self._current
        return (
            next((row for row in card.rows if at is not None and row.item == at.id), None) if card else None
        )

    @on(CardList.Ticked)
    def action_tick(self) -> None:
        """Tick or untick the row."""
        row = self._row_at_cursor
        if row is not None and row.flip is not None:
            self._act(row.flip.command)
        elif row is not None:
            self.notify("This row has no box to tick; ⏎ opens it.", timeout=3, markup=False)

    @on(LineList.Opened)
    def open_row(self) -> None:
        """Show all about the row, with its answers."""
        row = self._row_at_cursor
        if row is None or self.app.screen is not self:  # a second click comes before the first one's dialog
            return
        if row.item.startswith("merge:"):
            open_conflict(self, self._session, row.file, self.show_state)
            return

        def decide(name: str) -> None:
            self._act(next(each.command for each in row.answers if each.name == name))

        card = self._current
        title = card.title if card is not None else ""
        choices = [self._choice(row, answer) for answer in row.answers]
        lead = opened_lines(self._session, row)
        dialog = ChoiceDialog(title, choices, lead=lead)
        if row.item.startswith("secret:"):
            dialog = SecretDialog(title, choices, lead, secret_values(self._session, row))
        dialog.ask(self.app, decide)

    def _choice(self, row: ReviewRow, answer: ReviewAnswer) -> Choice:
        """Return an answer with what it changes, the cost before and after included."""
        now, then = self._session.conversion.cost, cost_after(self._session.conversion, answer)
        change = answer.change
        if then is not None and (then.prompt_tokens, then.calls) != (now.prompt_tokens, now.calls):
            change += f"; {now.prompt_tokens} → {then.prompt_tokens} tokens, {now.calls} → {then.calls} calls"
        if answer.text:
            change += f": {answer.text}"
        return Choice(answer.name, answer.label, change, current=answer is row.answers[0])

    def action_edit(self) -> None:
        """Edit the row, as far as it has something to edit; else open it."""
        row = self._row_at_cursor
        edit = edit_of(self._session.conversion, row) if row is not None else None
        if edit is not None:
            self._ask(edit)
        else:
            self.query_one(CardList).action_open()

    def action_add(self) -> None:
        """Add a task on the card of those, else check every reply for the row."""
        conversion, row = self._session.conversion, self._row_at_cursor
        edit = new_task(conversion, self._card) if self._card is not None else None
        if edit is not None:
            self._ask(edit)
        elif row is not None and (command := added_row(conversion, row)) is not None:
            self._act(command, "Every reply is checked for it.")
        else:
            self.notify("This row has no rule that a reply could be checked for.", timeout=3, markup=False)

    def _ask(self, edit: RowEdit) -> None:
        """Ask for the values of an edit, and carry it out."""

        def read(values: dict[str, str]) -> tuple[Sequence[str], str]:
            fault = edit.fault(values)
            return (() if fault else edit.read(values)), fault

        form = FormDialog(edit.title, edit.fields, read=read)
        form.ask(self.app, lambda values: self._act(edit.command(values)))

    def action_assist(self) -> None:
        """Offer to ask a model about the open decisions."""
        offer_of = self._session.assist_offer
        if offer_of is None:
            return
        offer = offer_of(self._session.conversion)
        if offer.refusal:
            self.notify(offer.refusal, severity="warning", markup=False)
            return
        lead: list[Line] = [((line, Tone.TEXT),) for line in offer.words]
        choices = [
            Choice("ask", "Ask", "its answers wait under Needs you until you accept them", current=True),
            Choice("no", "Don't ask"),
        ]
        ChoiceDialog(f"Ask {offer.model} for suggestions?", choices, lead=lead).ask(
            self.app, lambda value: self.post_message(StepScreen.Assist(offer)) if value == "ask" else None
        )

    def action_look(self) -> None:
        """Open the place of the row on its screen."""
        row = self._row_at_cursor
        if row is None:
            return
        if row.item.startswith("merge:"):
            self._leave(Destination(Step.WRITE, row.file))
        elif row.entry_id:
            self._leave(Destination(Step.DECIDE, row.entry_id))
        elif row.lines:
            self._leave(Destination(Step.INVENTORY, f"at:{row.file}:{row.lines}"))
        else:
            self._leave(Destination(Step.DECIDE))

    # --- cards ---------------------------------------------------------------------------------------

    def action_accept(self) -> None:
        """Take the first answer of each open row, and show the next card."""
        card = next((each for each in self._session.cards if each.card is self._card), None)
        if card is not None:
            self._leaves_card, self.takes_keys = card.accept, False
            self._act(card.accept)
        elif not self._is_last:
            self._card = self._after()
            self._show_from_top()
            self.show_state()

    def action_card(self, by: int) -> None:
        """Show the next or the previous card."""
        cards = [each.card for each in self._session.all_cards]
        at = cards.index(self._card) + by if self._card in cards else -1
        if 0 <= at < len(cards):
            self._card = cards[at]
            self._show_from_top()
            self.show_state()

    def action_undo(self) -> None:
        """Undo the last act of this review, and no other."""
        if not self._can_undo:
            self.notify("No answer to undo here. Other acts are undone on their step.", markup=False)
            return
        self._open_before = self._session.cards
        self.app.call_later(self.app.run_action, "app.undo")

    @property
    def _can_undo(self) -> bool:
        return len(self._session.conversion.acts) > self._acts_before

    def action_write(self) -> None:
        """Write the package, from the last card only."""
        if self._is_last:
            self._leave(Destination(Step.WRITE, writes=True))
        else:
            self.notify("w writes on the last card.", timeout=3, markup=False)

    def action_help(self) -> None:
        """Show the keys and terms of the review."""
        keys = (*REVIEW_KEYS, *self._session.keys.within(LIST))
        self.app.push_screen(HelpDialog("Review", keys, REVIEW_TERMS))

    def action_cancel(self) -> None:
        """Close the review."""
        self._leave(None)

    def _act(self, command: Command, done: str = "") -> None:
        self.post_message(StepScreen.Act(command, done))

    def _leave(self, target: Destination | None) -> None:
        at = self.query_one(CardList).current
        if self._card is not None:
            self._session.review_place = (self._card.value, at.id if at is not None else "")
        self.dismiss(target)


def _lines_of(row: ReviewRow, width: int, *, is_earlier: bool = False) -> Iterator[Row]:
    """Yield the lines of one row: all of its words, then its source, its reason and what comes out."""
    mark, tone = mark_of(row)
    source = f"{row.file}:{row.lines}" if row.lines else row.file
    more = sum(each.name.startswith("without-") for each in row.answers) - 1
    source += f"  +{more} line{'s' * (more > 1)}, ⏎ one by one" if more > 0 else ""
    settled: Line = (("✓ ", Tone.GOOD),) if row.settled and not is_earlier else ()
    suggested: Line = ()
    if not row.tickable and not row.settled and len(row.answers) > 1:
        suggested = (("n: ", Tone.KEY), (row.answers[0].label, Tone.TEXT))
    lines: Sequence[Line] = (
        ((row.text, Tone.TEXT if row.settled else Tone.STRONG),),
        (
            *settled,
            (f"{source}  " if source else "", Tone.INFO),
            (f"{row.why} ", Tone.MUTED),
            ("→ ", Tone.ACCENT),
            (row.result, Tone.TEXT),
        ),
        suggested,
    )
    parts = [part for line in lines if line for part in wrapped_line(line, width - _MARK - 1)]
    for number, part in enumerate(parts):
        first = number == 0
        yield Row(
            row.item if first else f"{row.item}\n{number}",
            ((mark if first else " " * _MARK, tone), *part),
            words=row.text.casefold(),
            selectable=first,
        )
