"""The review line by line: the wizard's cards with the same letters."""

from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.dialogue import Back
from melleafy_tui.cli.linear.session import LinearSession
from melleafy_tui.cli.review import answer_words, card_lines
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.pipeline.review import ReviewItem, review_items


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
    dialogue = session.dialogue
    dialogue.say()
    dialogue.say(f"{item.title}, {item.file}. {counted(count, 'card')} left.")
    for line in card_lines(item):
        dialogue.say(line)
    words = [answer_words(answer) for answer in item.answers]
    for line in words:
        dialogue.say(line)
    letters = ", ".join(answer.letter for answer in item.answers)
    while True:
        typed = dialogue.ask(
            f"Type {letters}, or - to skip; Enter takes {item.answers[0].letter}:", "\n".join(words)
        )
        if typed == SKIP:
            return False
        taken = [each for each in item.answers if each.letter == (typed or item.answers[0].letter)]
        if not taken:
            dialogue.unknown(typed)
            continue
        try:
            session.act(taken[0].command, f"{taken[0].label}: {taken[0].change}")
        except MelleafyError as error:
            session.say_error(error)
            return False
        return True


SKIP = "-"
"""Leaves a card open; the wizard's key can't be typed in a line."""
