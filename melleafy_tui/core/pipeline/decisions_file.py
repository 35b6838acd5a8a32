"""Applies a whole decisions file to a workspace, section by section, each on the result of the previous ones.

Settings and releases determine the elements, conflicts their classification, retags the plan entries, and overrides
the dispositions of those entries.
"""

from collections.abc import Collection, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from msgspec import structs

from melleafy_tui.core.decisions.application import (
    Applied,
    apply_items,
    apply_overrides,
    apply_releases,
)
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.saving import settings_of
from melleafy_tui.core.decisions.state import Decisions, Override, Retag, Reviewed, frozen, merged, retag_of
from melleafy_tui.core.models.decisions import (
    RETAGGING,
    AnswerItem,
    DecisionsDocument,
    RetagItem,
)
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.openclaw.sessions.personal_data import masked_fixture
from melleafy_tui.core.pipeline.element_collection import retag_objections

if TYPE_CHECKING:
    from melleafy_tui.core.decisions.rebase import Place
    from melleafy_tui.core.models.conversion_settings import Settings
    from melleafy_tui.core.models.plan import DependencyPlan
    from melleafy_tui.core.models.snapshot import Snapshot
    from melleafy_tui.core.pipeline.hybrid import Composition


class _ConversionState(Protocol):
    """The parts of a conversion that applying a file needs; its module imports this one."""

    @property
    def decisions(self) -> Decisions: ...
    @property
    def settings(self) -> "Settings": ...
    @property
    def snapshot(self) -> "Snapshot": ...
    @property
    def composition(self) -> "Composition": ...
    @property
    def keys(self) -> dict[str, str]: ...
    @property
    def places(self) -> "dict[str, Place]": ...
    @property
    def resolved(self) -> Inventory: ...
    @property
    def plan(self) -> "DependencyPlan": ...
    def with_decisions(self, decisions: Decisions) -> Self: ...
    def adopt(self, other: Self) -> None: ...


def rebase_document(
    document: DecisionsDocument, at: _ConversionState, fixed: Collection[str]
) -> tuple[Decisions, tuple[OverrideState, ...]]:
    """Apply the decisions of a file to the current workspace and return them with the state of each entry.

    Args:
        document: The file.
        at: The conversion; it adopts the results computed for the file if its settings equal the file's.
        fixed: Names of settings that the file can't change.
    """
    settings = settings_of(document.settings, at.settings, fixed)
    releases = apply_releases(document.released_secrets, at.snapshot)
    bare = at.with_decisions(Decisions(settings=settings, released_secrets=frozen(releases.decided)))
    disputes = {each.key: each for each in bare.composition.conflicts}
    disputed = {key: place for key, place in bare.places.items() if key in disputes}
    conflicts = apply_items(
        "conflicts",
        document.conflicts,
        disputed,
        lambda item, key: disputes[key].objection(item.resolution),
        attrgetter("resolution"),
    )
    resolved = bare.with_decisions(structs.replace(bare.decisions, conflicts=frozen(conflicts.decided)))
    places, keys = resolved.places, resolved.keys
    elements = {keys[element.element_id]: element for element in resolved.resolved.elements}

    def retag_objection(item: RetagItem | AnswerItem, key: str) -> str:
        objections = retag_objections(elements[key], retag_of(item), key)
        return next((f"{message}." for message, _ in objections), "")

    tagged = {key: place for key, place in places.items() if key in elements}
    asking = [item for item in document.tools if item.answer == "ask" or item.parameters]
    decided = {name: getattr(document, name) for name in RETAGGING} | {"tools": asking}
    retags = [apply_items(name, items, tagged, retag_objection, retag_of) for name, items in decided.items()]
    chosen: dict[str, Retag] = {}
    for section in retags:
        for key, retag in section.decided.items():
            chosen[key] = merged(chosen.get(key, Retag()), retag)
    staged = resolved.with_decisions(structs.replace(resolved.decisions, retags=frozen(chosen)))
    entries = staged.plan.entries
    overrides = (
        apply_overrides(document.overrides, places, entries),
        apply_overrides([item for item in document.tools if item.disposition], places, entries, "tools"),
    )
    disposed: dict[str, Override] = {**overrides[0].decided, **overrides[1].decided}
    found: tuple[Applied[Any], ...] = (*overrides, *retags, conflicts, releases)
    decisions = structs.replace(
        staged.decisions,
        overrides=frozen(disposed),
        acknowledged=tuple(sorted(set(document.acknowledged))),
        reviewed=frozen(
            {
                _renamed(each.item): Reviewed(each.answer, (each.expects and each.expects.text) or "")
                for each in document.reviewed
            }
        ),
        fixtures=tuple(masked_fixture(fixture) for fixture in document.fixtures),
        unplaced=tuple(kept for section in found for kept in section.unplaced),
    )
    if settings == at.settings:
        at.adopt(staged)
    states = (state for section in found for state in section.states)
    return decisions, (*states, *_no_longer_asked(document))


_KINDS: Final = (
    "judged", "schedule", "tool", "left_out", "unread", "secret", "travels", "runtime", "contradiction", "assisted",
    "conflict", "orphan", "merge", "changed",
)  # fmt: skip
"""What the review asks about: what stands before the key of a reviewed item."""

_RENAMED: Final = {"variable": "tool", "memory": "travels"}
"""Kinds of files before 1.1 that have another name now."""

NO_LONGER_ASKED: Final = "Kept; the review doesn't ask this any more."


def _renamed(item: str) -> str:
    kind, colon, key = item.partition(":")
    return f"{_RENAMED.get(kind, kind)}{colon}{key}"


def _no_longer_asked(document: DecisionsDocument) -> Iterator[OverrideState]:
    """Yield the states of what files before 1.1 decided and nothing asks any more."""
    for each in document.reviewed:
        if _renamed(each.item).partition(":")[0] not in _KINDS:
            state = DecisionState.NO_LONGER_ASKED
            yield OverrideState("reviewed", each.item, state, "", each.answer, NO_LONGER_ASKED)
