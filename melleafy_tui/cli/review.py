"""The cards of the review as a document and as plain lines."""

from collections.abc import Iterable, Iterator

from melleafy_tui.cli.documents import ReviewCard, ReviewChoice, ReviewPlace
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review import ReviewAnswer, ReviewItem, ReviewRow, cost_after

MOST_ROWS = 5
"""Rows of a card that are listed in plain lines."""


def review_cards(conversion: Conversion, items: Iterable[ReviewItem]) -> tuple[ReviewCard, ...]:
    """Return the cards for `--json`, each answer with the cost of a run after it."""
    return tuple(
        ReviewCard(
            reason=item.reason.value,
            title=item.title,
            file=item.file,
            rows=tuple(_place(row) for row in item.rows),
            why=item.why,
            result=item.result,
            answers=tuple(_choice(conversion, answer) for answer in item.answers),
        )
        for item in items
    )


def card_lines(item: ReviewItem) -> Iterator[str]:
    """Yield a card without its answers: the rows, why a person is asked, and what the package gets."""
    for row in item.rows[:MOST_ROWS]:
        place = f"{row.file}:{row.lines}" if row.lines else row.file
        yield f"{place}  {row.text}"
    if len(item.rows) > MOST_ROWS:
        yield f"and {len(item.rows) - MOST_ROWS} more"
    yield f"Why: {item.why}"
    yield f"In the package: {item.result}"


def answer_words(answer: ReviewAnswer) -> str:
    """Return an answer with its letter and exact change."""
    return f"{answer.letter} {answer.label}: {answer.change}"


def _place(row: ReviewRow) -> ReviewPlace:
    return ReviewPlace(item=row.item, file=row.file, lines=row.lines, text=row.text, entry_id=row.entry_id)


def _choice(conversion: Conversion, answer: ReviewAnswer) -> ReviewChoice:
    cost = cost_after(conversion, answer)
    return ReviewChoice(
        letter=answer.letter,
        name=answer.name,
        label=answer.label,
        change=answer.change,
        model_calls=cost.calls if cost else None,
        prompt_tokens=cost.prompt_tokens if cost else None,
    )
