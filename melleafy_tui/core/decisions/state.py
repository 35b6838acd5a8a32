"""The state that a user's acts build up: immutable, and the same for both doors (spec/decisions.md, "In memory")."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, Tag

if TYPE_CHECKING:  # most runs have no decisions file
    from melleafy_tui.core.models.decisions import DecisionItem, OverrideItem, PickedFixture

ValueT = TypeVar("ValueT")


def frozen(mapping: Mapping[str, ValueT]) -> Mapping[str, ValueT]:
    """Return a read-only copy of `mapping`."""
    return MappingProxyType(dict(mapping))


class Override(Struct, frozen=True):
    """A disposition that the user chose for one entry.

    `disposition` is None where only `judge_individually` was chosen. `decided_by` is USER for acts in the wizard and
    for decisions files alike (seed 000 section 4, override semantics).
    """

    disposition: Disposition | None = None
    rationale: str = ""
    judge_individually: bool | None = None
    decided_by: DecisionSource = DecisionSource.USER


class Retag(Struct, frozen=True):
    """Tag and category that the user chose for one element; None keeps what the rules gave."""

    tag: Tag | None = None
    category: Category | None = None


class Unplaced(Struct, frozen=True):
    """A decision whose element was not found again; it is kept, and written back, until the user drops it.

    `item` is the entry as the file had it. `suggestion` is the key of the one element that is alike enough to be
    offered, or `""`.
    """

    item: "DecisionItem"
    suggestion: str = ""


class Decisions(Struct, frozen=True):
    """Everything the user decided; keys are those of `core/decisions/keys.py`."""

    settings: Settings = field(default_factory=Settings)
    overrides: Mapping[str, Override] = field(default_factory=lambda: frozen({}))
    retags: Mapping[str, Retag] = field(default_factory=lambda: frozen({}))
    conflicts: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    acknowledged: tuple[str, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()
    fixtures: "tuple[PickedFixture, ...]" = ()
    released_secrets: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    """Values that look like secrets and are none: where each was released, by its digest."""


def override_of(item: "OverrideItem") -> Override:
    """Return the override that an entry of a decisions file asks for."""
    return Override(item.disposition, item.override_rationale, item.judge_individually or None)
