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
        done.rows_of_steps,
    ),
}


def open_reasons(conversion: Conversion, items: Iterable[ReviewItem]) -> dict[str, str]:
    """Return why entries need review, by entry id, in the plan's order.

    Args:
        conversion: The conversion.
        items: The open cards with their open rows.
    """
    found = {row.entry_id: row.why for item in items for row in item.rows if row.entry_id}
    ids = (entry.entry_id for entry in conversion.plan.entries)
    return {entry_id: found[entry_id] for entry_id in ids if entry_id in found}


_MARKED: Final = (DecisionState.CHANGED, DecisionState.STALE_DEFAULT)
"""States of applied overrides that need review."""


def overrides_to_review(
    decisions: Decisions, states: Iterable[OverrideState]
) -> dict[str, tuple[Override, str]]:
    """Return the overrides of a loaded file whose text or default has changed, by key, each with what is said of it."""
    return {
        state.key: (decisions.overrides[state.key], state.message)
        for state in states
        if state.state in _MARKED and state.section == "overrides" and state.key in decisions.overrides
    }
