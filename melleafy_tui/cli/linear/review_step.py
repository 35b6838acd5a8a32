"""The review line by line: the wizard's cards as numbered rows."""

from typing import Final

from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.dialogue import Back
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.review_lines import answer_words, row_lines
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.output.write_plan import PlannedFile
from melleafy_tui.core.pipeline.review_cards import review_items
from melleafy_tui.core.pipeline.review_rows import AS_IS, Card, ReviewItem
from melleafy_tui.core.source.limits import EARLIER_OUTPUT_MARK

SKIP = "-"
"""Leaves a card open; the wizard's key can't be typed in a line."""

_LONGEST_NUMBER: Final = 9
"""Digits of the longest number that an answer can hold."""

_MENU = (
    f"Enter accepts the first answer of each row; a number and a letter, such as 2 x, answers one row; {SKIP} "
    "leaves the card open."
)


def review(session: LinearSession, _: str) -> None:
    """Ask card by card; back leaves the rest open."""
    skipped: set[Card] = set()
    session.dialogue.say(_MENU)
    while True:
        found = review_items(session.wizard.conversion, _merges(session))
        items = [item for item in found if item.card not in skipped]
        if not items:
            left = f" {counted(len(skipped), 'card')} skipped." if skipped else " Ready to write."
            session.dialogue.say(f"Nothing is left to review.{left}")
            return
        try:
            if not _ask(session, items[0], len(items)):
                skipped.add(items[0].card)
        except Back:
            session.dialogue.say(f"{counted(len(items), 'card')} left to review.")
            return


def _merges(session: LinearSession) -> tuple[PlannedFile, ...]:
    """Return the files of an earlier package whose new text doesn't fit the user's edits."""
    if not (session.wizard.out / EARLIER_OUTPUT_MARK).exists():
        return ()
    plan = session.rendered().plan
    return plan.conflicts if plan is not None else ()


def _ask(session: LinearSession, item: ReviewItem, count: int) -> bool:
    """Ask about one card and return whether something was answered."""
    session.dialogue.say()
    session.dialogue.say(f"{item.title}. {counted(count, 'card')} left.")
    for number, row in enumerate(item.rows, 1):
        first, *more = row_lines(row)
        for line in (f"{number}. {first}", *more, *(f"    {answer_words(each)}" for each in row.answers)):
            session.dialogue.say(line)
    taken = _answer(session, item)
    if taken is None:
        return False
    command, label = taken
    try:
        session.act(command, label)
    except MelleafyError as error:
        session.say_error(error)
        return False
    return True


def _answer(session: LinearSession, item: ReviewItem) -> tuple[Command, str] | None:
    """Return the act that the user chooses and what it does, or None if the card is skipped."""
    while True:
        typed = session.dialogue.ask("Enter, or a number and a letter:", _MENU)
        if typed == SKIP:
            return None
        if typed in ("", AS_IS):
            return item.accept, item.accept.label
        number, _, letter = typed.partition(" ")
        place = int(number) if number.isdecimal() and len(number) <= _LONGEST_NUMBER else 0
        rows = item.rows[place - 1 : place] if place else ()
        for answer in rows[0].answers if rows else ():
            if answer.letter == letter.strip():
                return answer.command, f"{answer.label}: {answer.change}"
        session.dialogue.unknown(typed)
