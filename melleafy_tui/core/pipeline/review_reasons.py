"""Says why entries need the user's review: they are on an open card, or the text of their decision has changed."""

from collections.abc import Iterable
from typing import Final

from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review import ReviewItem, review_items

_MARKED: Final = (DecisionState.CHANGED, DecisionState.STALE_DEFAULT)
"""States of applied overrides that need review."""


class ReviewReasons:
    """Tracks what of one conversion needs the user's review.

    Args:
        conversion: The conversion, which may change later.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._found: tuple[DependencyPlan, Decisions, tuple[ReviewItem, ...]] | None = None
        self._to_review: dict[str, tuple[Override, str]] = {}

    def note_loaded(self, states: Iterable[OverrideState]) -> None:
        """Request a review of the loaded overrides whose text or default has changed."""
        overrides = self._conversion.decisions.overrides
        self._to_review = {
            state.key: (overrides[state.key], state.message)
            for state in states
            if state.state in _MARKED and state.section == "overrides" and state.key in overrides
        }

    def note_saved(self) -> None:
        """Drop the review requests for loaded overrides, since the user has saved them unchanged."""
        self._to_review = {}

    @property
    def items(self) -> tuple[ReviewItem, ...]:
        """Return the open cards, worst first; computed once for each plan and its decisions."""
        plan, decisions = self._conversion.plan, self._conversion.decisions
        if self._found is None or self._found[0] is not plan or self._found[1] is not decisions:
            self._found = (plan, decisions, review_items(self._conversion))
        return self._found[2]

    @property
    def reasons(self) -> dict[str, str]:
        """Return why entries need review, by entry id, in the plan's order."""
        on_cards = {
            row.entry_id: row.why or item.why for item in self.items for row in item.rows if row.entry_id
        }
        found = {**on_cards, **self._on_changed_text}
        return {
            entry.entry_id: found[entry.entry_id]
            for entry in self._conversion.plan.entries
            if entry.entry_id in found
        }

    @property
    def _on_changed_text(self) -> dict[str, str]:
        """Return the reasons of loaded overrides that the user hasn't changed since."""
        if not self._to_review:
            return {}
        overrides = self._conversion.decisions.overrides
        return {
            entry.entry_id: self._to_review[entry.key][1]
            for entry in self._conversion.plan.entries
            if entry.key in self._to_review and overrides.get(entry.key) == self._to_review[entry.key][0]
        }
