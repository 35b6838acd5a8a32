"""The review: what the package will do and what it leaves out, as at most seven cards of rows.

One list for every door. Each row has its own reason and the commands that answer it. What an answer leaves as it stands
is kept in the decisions file as reviewed, with the digest of the text, so that the next run doesn't ask again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from melleafy_tui.core.decisions.commands import ChangeSettings, MarkReviewed, ReleaseSecret
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.output.write_plan import PlannedFile
from melleafy_tui.core.pipeline import behaviour_rows as done
from melleafy_tui.core.pipeline import open_rows
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import Card, ReviewAnswer, ReviewItem, ReviewRow

_NONE: Final[Mapping[str, str]] = {}


def review_cards(
    conversion: Conversion, merges: Iterable[PlannedFile] = (), changed: Mapping[str, str] = _NONE
) -> tuple[ReviewItem, ...]:
    """Return every card that has rows, with all of them.

    Args:
        conversion: The conversion.
        merges: The files of an earlier package whose new text doesn't fit the user's edits.
        changed: Why overrides of a loaded file are to be looked at again, by the key of the entry.
    """
    found = {card: [row for find in _FINDERS[card] for row in find(conversion)] for card in Card}
    found[Card.NEEDS_YOU].extend(open_rows.rows_of_changes(conversion, changed))
    found[Card.NEEDS_YOU].extend(open_rows.rows_of_merges(conversion, merges))
    return tuple(ReviewItem(card, tuple(rows)) for card, rows in found.items() if rows)


def open_items(cards: Iterable[ReviewItem]) -> tuple[ReviewItem, ...]:
    """Return the cards with the rows that nobody has answered."""
    left = ((each.card, tuple(row for row in each.rows if not row.settled)) for each in cards)
    return tuple(ReviewItem(card, rows) for card, rows in left if rows)


def cost_after(conversion: Conversion, answer: ReviewAnswer) -> RunCost | None:
    """Return what a run costs after an answer; None if it isn't possible, or if only a new reading can tell."""
    if isinstance(answer.command, MarkReviewed):
        return conversion.cost
    if answer.command.includes(ChangeSettings, ReleaseSecret):  # the workspace is read again, in seconds
        return None
    try:
        return conversion.with_decisions(answer.command.apply(conversion.decisions)).cost
    except MelleafyError:
        return None


_FINDERS: Final[Mapping[Card, tuple[Callable[[Conversion], Iterator[ReviewRow]], ...]]] = {
    Card.CHECKED: (done.rows_of_replies,),
    Card.WAKES: (done.rows_of_schedule,),
    Card.CALLS: (done.rows_of_tools,),
    Card.LEFT_OUT: (done.rows_left_out, done.rows_unread),
    Card.SECRETS: (done.rows_of_secrets,),
    Card.TRAVELS: (done.rows_that_travel,),
    Card.NEEDS_YOU: (
        open_rows.rows_of_runtimes,
        open_rows.rows_of_contradictions,
        open_rows.rows_of_a_model,
        open_rows.rows_of_conflicts,
        open_rows.rows_of_orphans,
    ),
}


# --- what a session asks about ------------------------------------------------------------------------

_MARKED: Final = (DecisionState.CHANGED, DecisionState.STALE_DEFAULT)
"""States of applied overrides that need review."""


class ReviewReasons:
    """Tracks what of one conversion needs the user's review.

    Args:
        conversion: The conversion, which may change later.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._merges: tuple[PlannedFile, ...] = ()
        self._to_review: dict[str, tuple[Override, str]] = {}
        self._found: tuple[tuple[DependencyPlan, Decisions], tuple[ReviewItem, ...]] | None = None

    def note_loaded(self, states: Iterable[OverrideState]) -> None:
        """Request a review of the loaded overrides whose text or default has changed."""
        overrides = self._conversion.decisions.overrides
        self._found = None
        self._to_review = {
            state.key: (overrides[state.key], state.message)
            for state in states
            if state.state in _MARKED and state.section == "overrides" and state.key in overrides
        }

    def note_saved(self) -> None:
        """Drop the review requests for loaded overrides, since the user has saved them unchanged."""
        self._to_review, self._found = {}, None

    def note_merges(self, files: tuple[PlannedFile, ...]) -> None:
        """Ask about the files of an earlier package whose new text doesn't fit the user's edits."""
        if files != self._merges:
            self._merges, self._found = files, None

    @property
    def cards(self) -> tuple[ReviewItem, ...]:
        """Return every card with all of its rows; computed once for each plan and its decisions."""
        now = self._conversion.plan, self._conversion.decisions
        if self._found is None or any(
            one is not other for one, other in zip(self._found[0], now, strict=True)
        ):
            made = now[1].overrides
            changed = {key: said for key, (each, said) in self._to_review.items() if made.get(key) == each}
            self._found = now, review_cards(self._conversion, self._merges, changed)
        return self._found[1]

    @property
    def items(self) -> tuple[ReviewItem, ...]:
        """Return the open cards with their open rows."""
        return open_items(self.cards)

    @property
    def reasons(self) -> dict[str, str]:
        """Return why entries need review, by entry id, in the plan's order."""
        found = {row.entry_id: row.why for item in self.items for row in item.rows if row.entry_id}
        return {
            entry.entry_id: found[entry.entry_id]
            for entry in self._conversion.plan.entries
            if entry.entry_id in found
        }
