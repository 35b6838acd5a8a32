"""The review in plain lines: each card is one question with numbered rows."""

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.row_edits import RowEdit, added_row, edit_of, new_task
from melleafy_tui.cli.linear.conversation import commands_for, find
from melleafy_tui.cli.linear.dialogue import SETTLED, Back, LinearSession, typed_numbers
from melleafy_tui.cli.review_lines import row_place
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.pipeline.review_cards import open_items
from melleafy_tui.core.pipeline.review_rows import Card, ReviewAnswer, ReviewItem, ReviewRow
from melleafy_tui.core.source.limits import EARLIER_OUTPUT_MARK

LEAVE_OPEN = "-"
"""Leaves a card open; the wizard's key can't be typed in a line."""

QUESTION = (
    f"Enter accepts all rows as shown, numbers change rows, {LEAVE_OPEN} leaves the card open, ? explains:"
)
HELP = (
    "Enter: accept each row of the card that you haven't answered, as it is shown.",
    "3 or 3 5-7: tick or untick these rows.",
    "3 x: give row 3 the answer x; a row's key and an answer's name do the same.",
    "edit 3: change the time of a task, or the words that are checked. check 3: check every reply for it.",
    "new: add a task, where the card is about those.",
    f"{LEAVE_OPEN}: leave the card open. list: show the card again. Words of the menu work too: undo, explain, plan.",
)


def review(session: LinearSession, words: str) -> None:
    """Ask card by card; with `all`, about answered rows too. Going back leaves the rest open."""
    asked: set[Card] = set()
    while card := _next_card(session, asked, answered=words.casefold() == "all"):
        asked.add(card.card)
        session.dialogue.say("", f"{card.title}: {counted(len(card.rows), 'row')}.")
        _show(session, [row.item for row in card.rows])
        try:
            _ask(session, card)
        except Back:
            break
    left = open_items(_cards(session))
    found = (
        f"{counted(len(left), 'card')} left to review; type review" if left else "Nothing is left to review"
    )
    session.dialogue.say(f"{found}.")


def _cards(session: LinearSession) -> tuple[ReviewItem, ...]:
    if (session.wizard.out / EARLIER_OUTPUT_MARK).exists():
        session.rendered()  # conflicts with the user's edits are rows, too
    return session.wizard.all_cards


def _next_card(session: LinearSession, asked: set[Card], *, answered: bool) -> ReviewItem | None:
    cards = _cards(session)
    return next((card for card in (cards if answered else open_items(cards)) if card.card not in asked), None)


def _show(session: LinearSession, items: list[str]) -> None:
    """Print the rows with these keys, under the result and the answers that neighbours share."""
    rows, said = _rows(session), ""
    for number, row in ((number, rows[item]) for number, item in enumerate(items, 1) if item in rows):
        answers = "; ".join(f"{each.letter} {_does(row, each)}" for each in row.answers)
        shared = f"In the package: {row.result.rstrip('.')}. Answers: {answers.rstrip('.') or 'none'}."
        session.dialogue.say(*([shared] if shared != said else []))
        said = shared
        mark = ("x" if row.ticked else " ") + (", answered" if row.settled and row.answers else "")
        session.dialogue.say(f"  {number}. [{mark}] {row.text}  {row_place(row)}".rstrip(), f"     {row.why}")


def _does(row: ReviewRow, answer: ReviewAnswer) -> str:
    return answer.label if answer.change == row.result else f"{answer.label} ({answer.change.rstrip('.')})"


def _rows(session: LinearSession) -> dict[str, ReviewRow]:
    return {row.item: row for card in _cards(session) for row in card.rows}


def _ask(session: LinearSession, card: ReviewItem) -> None:
    """Ask about one card until it is accepted or left open; rows keep their numbers meanwhile."""
    items = [row.item for row in card.rows]
    commands = commands_for(session.wizard.keys)
    while (typed := session.dialogue.ask(QUESTION, *HELP, settle=SETTLED)) != LEAVE_OPEN:
        try:
            if not typed:
                _accept(session, card)
                return
            if typed.casefold() == "list":
                _show(session, items)
            elif (edit := _edit_of(session, card, items, typed)) is not None:
                _carry_out(session, edit)
            elif (found := find(commands, typed)) and typed.casefold().startswith(found[0].word):
                found[0].function(session, found[1])
            else:
                _answer(session, items, typed)
        except MelleafyError as error:
            session.say_error(error)


def _edit_of(
    session: LinearSession, card: ReviewItem, items: list[str], typed: str
) -> RowEdit | Command | None:
    """Return what `edit N`, `new` or `check N` edits or does, or None for anything else."""
    conversion = session.wizard.conversion
    word, _, rest = typed.casefold().partition(" ")
    if word == "new":
        return new_task(conversion, card.card)
    numbers = typed_numbers(rest, len(items))
    row = _rows(session).get(items[numbers[0] - 1]) if len(numbers) == 1 else None
    edits = {"edit": edit_of, "check": added_row}
    return edits[word](conversion, row) if row is not None and word in edits else None


def _carry_out(session: LinearSession, edit: RowEdit | Command) -> None:
    """Ask for each value of an edit, say what they are read as, and carry it out."""
    if not isinstance(edit, RowEdit):
        session.act(edit, "Every reply is checked for it")
        return
    values: dict[str, str] = {}
    session.dialogue.say(edit.title)
    for field in edit.fields:
        keeps = (
            f"Now: {field.value}. Enter keeps it, {LEAVE_OPEN} empties it:"
            if field.value
            else "Enter skips it:"
        )
        typed = session.dialogue.ask(f"{field.label}. {keeps}")
        values[field.name] = field.value if not typed else typed.removeprefix(LEAVE_OPEN)
    session.dialogue.say(*edit.read(values))
    session.act(edit.command(values), "Changed")


def _accept(session: LinearSession, card: ReviewItem) -> None:
    """Take the first answer of each row of a card that is still open."""
    left = next((each for each in open_items(_cards(session)) if each.card is card.card), None)
    if left is not None:
        session.act(left.accept, f"Accepted {counted(len(left.rows), 'row')}: {card.title}")


def _answer(session: LinearSession, items: list[str], typed: str) -> None:
    """Answer the rows that were typed by their numbers or by their key, one after the other."""
    named, _, answer = typed.rpartition(" ")
    numbers = typed_numbers(typed, len(items))
    if not numbers:
        numbers = [items.index(named) + 1] if named in items else typed_numbers(named, len(items))
    else:
        answer = ""
    if not numbers:
        session.dialogue.unknown(typed)
    for number in numbers:
        row = _rows(session).get(items[number - 1])
        found = _answer_of(row, answer) if row is not None else None
        if found is not None:
            session.act(found.command, f"Row {number}: {found.label}")
        elif row is None or not row.answers:
            session.dialogue.say(f"Row {number} is only listed.")
        else:
            known = ", ".join(f"{number} {each.letter}" for each in row.answers)
            session.dialogue.say(f"Row {number} has the answers {known}.")


def _answer_of(row: ReviewRow, typed: str) -> ReviewAnswer | None:
    """Return the answer with this letter or name, or the one that ticks or unticks the row if none was typed."""
    if not typed:
        return row.flip
    return next((each for each in row.answers if typed in (each.letter, each.name)), None)
