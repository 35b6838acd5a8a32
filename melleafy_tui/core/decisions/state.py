"""The user's decisions as immutable state, shared by the wizard and the command line."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.vocabulary import Category, Disposition, Tag

if TYPE_CHECKING:  # most runs have no decisions file
    from melleafy_tui.core.models.decisions import (
        AnswerItem,
        DecisionItem,
        OverrideItem,
        PickedFixture,
        RetagItem,
        ToolItem,
    )

ValueT = TypeVar("ValueT")


def frozen(mapping: Mapping[str, ValueT]) -> Mapping[str, ValueT]:
    """Return a read-only copy of `mapping`."""
    return MappingProxyType(dict(mapping))


class Override(Struct, frozen=True):
    """The disposition the user chose for one entry, None if only `judge_individually` was chosen."""

    disposition: Disposition | None = None
    rationale: str = ""
    judge_individually: bool | None = None


class Retag(Struct, frozen=True):
    """The tag, category and decisions the user chose for one element; None keeps what the program chose.

    `assisted_by` names the model that chose them, as backend/model, until a person accepts the choice.
    """

    tag: Tag | None = None
    category: Category | None = None
    judged: bool | None = None
    left_out: bool | None = None
    assisted_by: str = ""
    wording: str = ""
    """What is judged instead of the element's own words."""
    travels: bool | None = None
    """Whether the value of a fact is in the package; without it the caller must give it."""
    asks: bool | None = None
    """Whether a tool asks before each call. No answer takes an ask away: only True has an effect."""
    against: str = ""
    """The key of the rule that excludes this one, if `judged` settles a contradiction."""
    parameters: tuple[tuple[str, str], ...] = ()
    """What a tool's parameters are instead, by the names that its script gives them (`Argument.words`)."""
    due: str = ""
    """When a model suggests that the element is a task; a person's decision about times is a setting."""

    @property
    def words(self) -> str:
        """Return the choices in words: `ORCHESTRATE C2 judged`."""
        named = [part.value for part in (self.tag, self.category) if part is not None]
        answers = (
            (self.judged, "judged", "not judged"),
            (self.left_out, "left out", "kept"),
            (self.travels, "travels", "stays behind"),
            (self.asks, "asks first", ""),
        )
        named += [yes if given else no for given, yes, no in answers if given is not None]
        named += [f"by {self.wording!r}"] if self.wording else []
        named += [f"with {', '.join(words for _, words in self.parameters)}"] if self.parameters else []
        return " ".join([*named, *([f"due {self.due}"] if self.due else [])])


class Unplaced(Struct, frozen=True):
    """A decision whose element wasn't found; it is kept and saved again until the user drops it.

    `item` is the entry from the file. `suggestion` is the key of the one element similar enough to suggest, or `""`.
    """

    item: "DecisionItem"
    suggestion: str = ""


class Reviewed(Struct, frozen=True):
    """The answer to an item of the review that needs no override, and the digest of the text that was read."""

    answer: str
    text: str = ""


class Decisions(Struct, frozen=True):
    """All decisions of the user, by the keys of `core/decisions/keys.py`."""

    settings: Settings = field(default_factory=Settings)
    overrides: Mapping[str, Override] = field(default_factory=lambda: frozen({}))
    retags: Mapping[str, Retag] = field(default_factory=lambda: frozen({}))
    conflicts: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    acknowledged: tuple[str, ...] = ()
    reviewed: Mapping[str, Reviewed] = field(default_factory=lambda: frozen({}))
    """Items of the review that were settled without an override, by reason and key."""

    unplaced: tuple[Unplaced, ...] = ()
    fixtures: "tuple[PickedFixture, ...]" = ()
    released_secrets: Mapping[str, str] = field(default_factory=lambda: frozen({}))
    """Released values that look like secrets: where each was released, by digest."""


def override_of(item: "OverrideItem | ToolItem") -> Override:
    """Return the override that an entry of a decisions file describes."""
    from melleafy_tui.core.models.decisions import ToolItem

    if isinstance(item, ToolItem):
        return Override(item.disposition)
    return Override(item.disposition, item.override_rationale, item.judge_individually or None)


def retag_of(item: "AnswerItem | RetagItem") -> Retag:
    """Return the retag that an entry of a decisions file describes, one of an earlier format as well."""
    from melleafy_tui.core.models import decisions as documents

    chosen: dict[str, Any] = {"assisted_by": item.assisted_by or ""}
    if not isinstance(item, documents.RetagItem):
        field_name, values = documents.ANSWERS[type(item)]
        chosen |= {name: getattr(item, name) for name in ("wording", "against") if hasattr(item, name)}
        chosen[field_name] = values.get(item.answer or "") if values else item.answer
        if isinstance(item, documents.ToolItem):
            chosen["parameters"] = tuple((item.parameters or {}).items())
        return Retag(**chosen)
    judged = documents.JUDGED_BY_USE.get(item.use or "")
    left_out = True if item.use in documents.LEFT_OUT_BY_USE else None
    return Retag(item.tag, item.category, judged, left_out, **chosen)


def merged(one: Retag, other: Retag) -> Retag:
    """Return two retags of one element as one; where both choose, the second holds."""
    chosen = {name: value for name, value in asdict(other).items() if value not in (None, "", ())}
    return replace(one, **chosen)
