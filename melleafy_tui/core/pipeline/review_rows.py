"""The rows and cards of the review, and what every finder of rows needs."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct, structs

from melleafy_tui.core.decisions.commands import Command, MarkReviewed, SetDisposition, Together, counted
from melleafy_tui.core.decisions.keys import element_digest
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion

AS_IS: Final = "a"
"""The letter of the answer that leaves things as they are."""


class Card(StrEnum):
    """The cards of the review, in their order."""

    CHECKED = "checked"
    WAKES = "wakes"
    CALLS = "calls"
    LEFT_OUT = "left_out"
    SECRETS = "secrets"
    TRAVELS = "travels"
    NEEDS_YOU = "needs_you"


CARD_TITLES: Final[dict[Card, str]] = {
    Card.CHECKED: "Checked on every reply",
    Card.WAKES: "Wakes and does by itself",
    Card.CALLS: "May call",
    Card.LEFT_OUT: "Stays out",
    Card.SECRETS: "Possible secrets",
    Card.TRAVELS: "Travels with the package",
    Card.NEEDS_YOU: "Needs you",
}


class ReviewAnswer(Struct, frozen=True):
    """One answer to a row: the key that takes it, its name in documents, a few words, and what exactly it changes.

    `text` is that of the row that a decision without one would move to, or `""`.
    """

    letter: str
    name: str
    label: str
    change: str
    command: Command
    text: str = ""


class ReviewRow(Struct, frozen=True):
    """One thing that a card shows. The first answer is the suggested one.

    Attributes:
        item: Its kind and key, under which `reviewed` in a decisions file settles it.
        text: All of its words with their lead-in, with secrets masked.
        digest: The digest of the text behind it.
        result: What the package gets.
        ticked: Whether what the card is named after happens.
        answers: What can be answered; none if it is only listed.
        settled: A person has answered it, or nothing can be answered.
        tickable: Whether the second answer ticks or unticks it.
    """

    item: str
    file: str
    lines: str
    text: str
    digest: str
    why: str
    result: str
    ticked: bool = True
    answers: tuple[ReviewAnswer, ...] = ()
    entry_id: str = ""
    settled: bool = False
    tickable: bool = False

    @property
    def flip(self) -> ReviewAnswer | None:
        """Return the answer that ticks or unticks it, or None."""
        return self.answers[1] if self.tickable else None


class ReviewItem(Struct, frozen=True):
    """One card with its rows."""

    card: Card
    rows: tuple[ReviewRow, ...]

    @property
    def title(self) -> str:
        """Return what the card is about, in words."""
        return CARD_TITLES[self.card]

    @property
    def accept(self) -> Command:
        """Return the act that takes the suggested answer of each row."""
        commands = tuple(row.answers[0].command for row in self.rows if row.answers)
        return Together(commands, f"accept {counted(len(commands), 'row')}: {self.title}")


def answered(
    conversion: Conversion,
    row: ReviewRow,
    keep: str,
    *answers: ReviewAnswer,
    by_user: bool = False,
    tickable: bool = True,
) -> ReviewRow:
    """Return a row with the answer that leaves it as it stands, and others.

    Args:
        conversion: The conversion.
        row: The row.
        keep: The label of the answer that leaves it as it stands.
        answers: The others.
        by_user: Whether a person has decided it.
        tickable: Whether the first of the others ticks or unticks it.
    """
    command = MarkReviewed({row.item: row.digest}, "keep")
    as_is = ReviewAnswer(AS_IS, "keep", keep, row.result, command)
    reviewed = conversion.decisions.reviewed.get(row.item)
    settled = by_user or (reviewed is not None and reviewed.text in ("", row.digest))
    return structs.replace(
        row, answers=(as_is, *answers), settled=settled, tickable=tickable and bool(answers)
    )


class Subject(Struct, frozen=True):
    """An element that a row is about: its key, its plan entry, and what was decided about it."""

    key: str
    element: Element
    entry: PlanEntry | None
    retag: Retag

    def row(self, kind: str, why: str, result: str, *, ticked: bool = True) -> ReviewRow:
        """Return its row without answers."""
        return ReviewRow(
            f"{kind}:{self.key}",
            self.element.source_file,
            self.element.source_lines,
            " ".join(self.element.statement.split()),
            element_digest(self.element),
            why,
            result,
            ticked,
            entry_id=self.entry.entry_id if self.entry is not None else "",
        )


_UNDECIDED: Final = Retag()


def subjects(conversion: Conversion) -> Iterator[Subject]:
    """Yield the elements with what rows need of them."""
    entries, keys, retags = conversion.plan.by_element, conversion.keys, conversion.decisions.retags
    for element in conversion.inventory.elements:
        key = keys[element.element_id]
        yield Subject(key, element, entries.get(element.element_id), retags.get(key, _UNDECIDED))


def disposition_answers(entry: PlanEntry, offered: Iterable[Disposition]) -> Iterator[ReviewAnswer]:
    """Yield the answers that give an entry another disposition."""
    for disposition in offered:
        if entry.disposition is disposition or not cell(entry.kind, disposition).allowed:
            continue
        info = DISPOSITIONS[disposition]
        change = f"{DISPOSITIONS[entry.disposition].label} → {info.label}"
        command = SetDisposition((entry.key,), disposition)
        yield ReviewAnswer(info.key, disposition.value, info.label, change, command)


def result_of(entry: PlanEntry) -> str:
    """Return what the package gets from an entry as planned."""
    effect = cell(entry.kind, entry.disposition).effect
    is_left_out = entry.disposition is Disposition.REMOVE  # then the effect names the section of the report
    return f"{entry.target}: {effect}" if entry.target and not is_left_out else effect
