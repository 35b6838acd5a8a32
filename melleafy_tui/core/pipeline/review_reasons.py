"""Finds entries that need the user's review: stubs, conflicts, uncertain tags, decisions on changed text."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Override
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE, Element
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import DecisionSource, Disposition
from melleafy_tui.core.output.plan import Action
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.pipeline.conversion import Conversion

_MARKED: Final = (DecisionState.CHANGED, DecisionState.STALE_DEFAULT)
"""States of applied overrides that need review."""


WRITE_ORDER: Final = (
    Action.CONFLICT,
    Action.OVERWRITE,
    Action.MERGE,
    Action.KEEP_EDITS,
    Action.STAY_DELETED,
    Action.CREATE,
    Action.REPLACE,
    Action.REMOVE,
    Action.UNTOUCHED,
    Action.FORGET,
)
"""The actions of a write, those that need review first."""


class ReviewReasons:
    """Tracks which entries of one conversion need the user's review.

    Args:
        conversion: The conversion, which may change later.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._of_plan: tuple[DependencyPlan, dict[str, str]] | None = None
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
    def reasons(self) -> dict[str, str]:
        """Return why entries need review, by entry id, in the plan's order; computed once for each plan."""
        plan = self._conversion.plan
        if self._of_plan is None or self._of_plan[0] is not plan:
            self._of_plan = (plan, self._found(plan))
        reviews = self._reviews
        if not reviews:
            return self._of_plan[1]
        merged = {**self._of_plan[1], **reviews}
        return {entry.entry_id: merged[entry.entry_id] for entry in plan.entries if entry.entry_id in merged}

    def _found(self, plan: DependencyPlan) -> dict[str, str]:
        by_id = self._conversion.inventory.by_id
        disputed = {
            conflict.element_id
            for conflict in plan.conflicts
            if conflict.resolved_by not in (DecisionSource.USER, DecisionSource.CONFIG)
        }
        found = {entry.entry_id: _reason(entry, by_id, disputed) for entry in plan.entries}
        return {name: reason for name, reason in found.items() if reason}

    @property
    def _reviews(self) -> dict[str, str]:
        """Return the review reasons of loaded overrides that the user hasn't changed since."""
        if not self._to_review:
            return {}
        overrides = self._conversion.decisions.overrides
        return {
            entry.entry_id: self._to_review[entry.key][1]
            for entry in self._conversion.plan.entries
            if entry.key in self._to_review and overrides.get(entry.key) == self._to_review[entry.key][0]
        }


def _reason(entry: PlanEntry, by_id: Mapping[str, Element], disputed: Collection[str]) -> str:
    if entry.disposition is Disposition.STUB:
        elements = (by_id[name] for name in entry.source_elements if name in by_id)
        sent = next(filter(None, map(foreign_variables, elements)), "")
        return sent or "You have to write this stub."
    if any(name in disputed for name in entry.source_elements):
        return "Two runtimes would treat it differently; press c to choose."
    if entry.overridden:
        return ""
    for name in entry.source_elements:
        element = by_id.get(name)
        if element is not None and element.runtime_only:
            return f"It only makes sense on the source runtime: {element.runtime_only}"
        if element is not None and element.confidence < LOW_CONFIDENCE:
            return f"The reading is unsure ({element.confidence:.0%}): {element.rationale}"
    return ""
