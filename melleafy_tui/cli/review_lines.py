"""The cards of the review as a document and as plain lines."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import asdict

from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import (
    Decided,
    DecisionOutcome,
    ReviewCard,
    ReviewChoice,
    ReviewLine,
    part_of,
)
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.errors import UnusableInput, UsageError, did_you_mean
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_cards import review_cards
from melleafy_tui.core.pipeline.review_rows import ReviewAnswer, ReviewItem, ReviewRow

if TYPE_CHECKING:  # few sessions have a decisions file
    from melleafy_tui.core.pipeline.file_effects import FileEffects


def card_documents(items: Iterable[ReviewItem]) -> tuple[ReviewCard, ...]:
    """Return the cards for `--json`."""

    def line(row: ReviewRow) -> ReviewLine:
        return part_of(ReviewLine, row, answers=tuple(part_of(ReviewChoice, each) for each in row.answers))

    return tuple(
        part_of(ReviewCard, item, card=item.card.value, rows=tuple(map(line, item.rows))) for item in items
    )


def row_lines(row: ReviewRow) -> Iterator[str]:
    """Yield a row without its answers: whole text and source, its reason, and what the package gets."""
    yield f"[{'x' if row.ticked else ' '}] {row.text}  {row_place(row)}"
    yield f"    Why: {row.why}"
    yield f"    In the package: {row.result}"


def row_place(row: ReviewRow) -> str:
    """Return where a row stands in the source, in brackets."""
    return f"({row.file}:{row.lines})" if row.lines else f"({row.file})" if row.file else ""


def answer_words(answer: ReviewAnswer) -> str:
    """Return an answer with its letter and exact change."""
    return f"{answer.letter} {answer.label}: {answer.change}"


def key_rows(items: Iterable[ReviewItem]) -> list[tuple[str, str, str]]:
    """Return key, answers and text of each row that can be answered; the first answer is the suggested one."""
    return [
        (row.item, " | ".join(answer.name for answer in row.answers), row.text)
        for item in items
        for row in item.rows
        if row.answers
    ]


def answer_rows(conversion: Conversion, place: Path) -> None:
    """Answer rows of the review as a file says, each by its key with the name or the letter of an answer.

    Raises:
        UnusableInput: the file can't be read, or isn't a JSON object of texts.
        UsageError: no row has such a key, or no such answer.
    """
    try:
        wanted = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnusableInput(f"The answers can't be read: {error}", hint=_FORM, location=str(place)) from error
    if not isinstance(wanted, dict):
        raise UnusableInput("The answers aren't a JSON object", hint=_FORM, location=str(place))
    for key, name in wanted.items():
        # An answer may be made of the decisions as they stand, such as one more change of the schedule.
        rows = {row.item: row for card in review_cards(conversion) for row in card.rows}
        answers = {each.letter: each for each in rows[key].answers} if key in rows else {}
        answers |= {each.name: each for each in answers.values()}
        if name not in answers:
            meant = did_you_mean(str(name if answers else key), answers or rows)
            raise UsageError(
                f"{key} has no answer {name!r}" if answers else f"No row of the review has the key {key}",
                hint=meant or "`melleafy-tui plan --keys` lists keys and answers.",
                location=str(place),
            )
        conversion.act(answers[name].command)


_FORM: Final = 'Write a JSON object such as {"judged:AGENTS.md#rules/be-brief": "no"}.'


def decided(states: Sequence[OverrideState], effects: "FileEffects | None") -> Decided:
    """Return the status of each decision of the file in use, and what the file does."""
    return Decided(
        decisions=tuple(part_of(DecisionOutcome, state, state=state.state.value) for state in states),
        decision_counts=state_counts(states),
        decision_effects=asdict(effects) if effects else {},
    )


def state_counts(states: Iterable[OverrideState]) -> dict[str, int]:
    """Return the number of decisions in each state, in the order of the states."""
    counts = Counter(state.state for state in states)
    return {state.value: counts[state] for state in DecisionState if counts[state]}


def states_in_words(states: Sequence[OverrideState]) -> str:
    """Return the counts as one line."""
    words = ", ".join(f"{count} {name}" for name, count in state_counts(states).items())
    others = sum(state.another_text for state in states)
    return f"{words} ({others} by key only, on different text)" if others else words


def say_states(states: Sequence[OverrideState], console: Console) -> None:
    """Print the status of each decision that wasn't applied unchanged."""
    marked = [state for state in states if state.state is not DecisionState.APPLIED]
    for state in marked:
        weight = "warning: " if state.another_text else ""
        console.message(f"{weight}{state.state}: {state.name}: {state.message}")
        for line in text_lines(state):
            console.message(line)
    if marked:
        console.message(f"decisions: {states_in_words(states)}")


def text_lines(state: OverrideState) -> list[str]:
    """Return the old and the new text of a decision whose element's text has changed."""
    if not state.text_differs:
        return []
    return [f"  {sign} {text}" for sign, text in (("-", state.old_text), ("+", state.new_text)) if text]
