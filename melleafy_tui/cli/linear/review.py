"""The review line by line: the wizard's cards with the same letters."""

from collections.abc import Sequence

from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.dialogue import Back
from melleafy_tui.cli.linear.session import LinearSession
from melleafy_tui.cli.review import answer_words, card_lines
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.pipeline.review import ReviewAnswer, ReviewItem, review_items


def review(session: LinearSession, _: str) -> None:
    """Ask card by card what needs the user, worst first; back leaves the rest open."""
    skipped: set[str] = set()
    while True:
        items = [item for item in review_items(session.wizard.conversion) if item.item not in skipped]
        if not items:
            left = f" {counted(len(skipped), 'card')} skipped." if skipped else " Ready to write."
            session.dialogue.say(f"Nothing is left to review.{left}")
            return
        try:
            if not _ask(session, items[0], len(items)):
                skipped.add(items[0].item)
        except Back:
            session.dialogue.say(f"{counted(len(items), 'card')} left to review.")
            return


def _ask(session: LinearSession, item: ReviewItem, count: int) -> bool:
    """Ask about one card and return whether it was answered."""
    session.dialogue.say()
    session.dialogue.say(f"{item.title}, {item.file}. {counted(count, 'card')} left.")
    words = [answer_words(answer) for answer in item.answers]
    for line in (*card_lines(item), *words):
        session.dialogue.say(line)
    taken = _answer(session, item, words)
    if taken is None:
        return False
    try:
        session.act(taken.command, f"{taken.label}: {taken.change}")
    except MelleafyError as error:
        session.say_error(error)
        return False
    return True


def _answer(session: LinearSession, item: ReviewItem, help_lines: Sequence[str]) -> ReviewAnswer | None:
    """Return the answer that the user takes, or None if the card is skipped."""
    by_letter = {answer.letter: answer for answer in item.answers}
    question = f"Type {', '.join(by_letter)}, or {SKIP} to skip; Enter takes {item.answers[0].letter}:"
    while True:
        typed = session.dialogue.ask(question, *help_lines) or item.answers[0].letter
        if typed == SKIP or typed in by_letter:
            return by_letter.get(typed)
        session.dialogue.unknown(typed)


SKIP = "-"
"""Leaves a card open; the wizard's key can't be typed in a line."""
