"""The cards of the review as a document and as plain lines."""

from collections.abc import Iterable, Iterator

from melleafy_tui.cli.documents import ReviewCard, ReviewChoice, ReviewLine
from melleafy_tui.core.pipeline.review import ReviewAnswer, ReviewItem, ReviewRow


def card_documents(items: Iterable[ReviewItem]) -> tuple[ReviewCard, ...]:
    """Return the cards for `--json`."""
    return tuple(
        ReviewCard(
            card=item.card.value,
            title=item.title,
            rows=tuple(_line(row) for row in item.rows),
        )
        for item in items
    )


def row_lines(row: ReviewRow) -> Iterator[str]:
    """Yield a row without its answers: whole text and source, its reason, and what the package gets."""
    place = f"{row.file}:{row.lines}" if row.lines else row.file
    yield f"[{'x' if row.ticked else ' '}] {row.text}  ({place})"
    yield f"    Why: {row.why}"
    yield f"    In the package: {row.result}"


def answer_words(answer: ReviewAnswer) -> str:
    """Return an answer with its letter and exact change."""
    return f"{answer.letter} {answer.label}: {answer.change}"


def _line(row: ReviewRow) -> ReviewLine:
    return ReviewLine(
        item=row.item,
        file=row.file,
        lines=row.lines,
        text=row.text,
        why=row.why,
        result=row.result,
        ticked=row.ticked,
        settled=row.settled,
        entry_id=row.entry_id,
        answers=tuple(
            ReviewChoice(letter=each.letter, name=each.name, label=each.label, change=each.change)
            for each in row.answers
        ),
    )
