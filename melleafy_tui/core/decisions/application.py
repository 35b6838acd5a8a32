"""Applies the sections of a decisions file: which entries take effect, are kept unapplied, or are refused.

`rebase.py` finds the element of each entry; this module checks the entry against the matrix and the plan.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.rebase import (
    UNRESOLVED_STATES,
    DecisionState,
    Match,
    OverrideState,
    Place,
    find_places,
)
from melleafy_tui.core.decisions.state import Override, Unplaced, override_of, retag_of
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.decisions import (
    ConflictItem,
    DecisionItem,
    DecisionsDocument,
    OverrideItem,
    ReleaseItem,
    ToolItem,
)
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.dispositions import allowed_for, cell

LEAD_IN_CHANGED: Final = "Applied; the lines that introduce it have changed since, so review it."
ANOTHER_TEXT: Final = (
    "Applied by its key only: the text there differs ({similarity:.0%} alike), so review it first."
)

RELEASE: Final = "release"
"""The choice shown for entries of `released_secrets`."""

DecidedT = TypeVar("DecidedT")
ItemT = TypeVar("ItemT", bound=DecisionItem)

MESSAGES: Final[dict[DecisionState, str]] = {
    DecisionState.APPLIED: "Applied.",
    DecisionState.CHANGED: "Applied; the text has changed since, so review it.",
    DecisionState.MOVED: "Applied; the element now has the key {key}.",
    DecisionState.SUGGESTED: "Not applied; {key} is {similarity:.0%} alike and can be used instead.",
    DecisionState.ORPHANED: "Not applied; no similar text in the workspace. It stays in the file.",
    DecisionState.STALE_DEFAULT: "Applied; the default was {expected} and is {default} now.",
}


IN_ITS_PLACE: Final = (
    "Not applied; {key} stands in its place now, please confirm that the decision moves to it."
)


class Applied(Struct, Generic[DecidedT], frozen=True):
    """The result of applying one section of a decisions file to the workspace."""

    decided: dict[str, DecidedT]
    states: tuple[OverrideState, ...]
    unplaced: tuple[Unplaced, ...]


def apply_overrides(
    items: Sequence[OverrideItem | ToolItem],
    places: Mapping[str, Place],
    entries: Sequence[PlanEntry],
    section: str = "overrides",
) -> Applied[Override]:
    """Apply the overrides of a decisions file to a plan.

    Args:
        items: The file's overrides.
        places: All elements by key.
        entries: The plan without overrides, in order.
        section: Their section of the file.
    """
    by_key = {entry.key: entry for entry in entries}
    by_id = {entry.entry_id: entry.key for entry in entries}
    planned = {key: place for key, place in places.items() if key in by_key}

    def problem(item: OverrideItem | ToolItem, key: str) -> str:
        entry = by_key[key]
        if item.disposition is not None and not cell(entry.kind, item.disposition).allowed:
            choices = ", ".join(allowed.value for allowed in allowed_for(entry.kind))
            return f"{cell(entry.kind, item.disposition).refusal} Allowed here: {choices}."
        if isinstance(item, OverrideItem) and item.judge_individually and entry.kind is not EntryKind.RULE:
            return "Only a rule can be judged individually."
        return ""

    def default(key: str) -> Disposition | None:
        return by_key[key].default_disposition

    named = [_with_key(item, by_id) for item in items]
    return apply_items(section, items, planned, problem, override_of, named=named, default=default)


def refuse_first(document: DecisionsDocument, states: Sequence[OverrideState]) -> None:
    """Raise an error with entry, line and reason for the first refused entry, if any.

    Raises:
        DecisionsRefused: an entry can't be applied.
    """
    refused = [state for state in states if state.state is DecisionState.REFUSED]
    if not refused:
        return
    first = refused[0]
    number = next(
        number for number, item in enumerate(getattr(document, first.section)) if item is first.item
    )
    others = f" ({len(refused) - 1} more in this file)" if len(refused) > 1 else ""
    raise DecisionsRefused(
        f"Entry {number + 1} of {first.section} ({first.name!r}, {first.choice}) is refused: {first.message}{others}",
        hint="Correct or remove the entry; nothing was changed.",
        location=document.location_of(first.section, number),
    )


def choice_of(item: DecisionItem) -> str:
    """Return the choice in an entry of a decisions file, such as its disposition, for display."""
    match item:
        case OverrideItem():
            alone = "judge individually" if item.judge_individually else ""
            return ", ".join(filter(None, (item.disposition.value if item.disposition else "", alone)))
        case ToolItem():
            return item.answer
        case ConflictItem():
            return item.resolution
        case ReleaseItem():
            return RELEASE
    chosen = retag_of(item)
    return f"{chosen.words} (assisted by {chosen.assisted_by})" if chosen.assisted_by else chosen.words


def _with_key(item: OverrideItem | ToolItem, by_id: Mapping[str, str]) -> OverrideItem | ToolItem:
    """Return an entry that has only an `entry_id` with the key of that plan entry."""
    if item.key is not None or item.entry_id is None or item.entry_id not in by_id:
        return item
    return item.model_copy(update={"key": by_id[item.entry_id]})


def apply_items(
    section: str,
    items: Sequence[ItemT],
    places: Mapping[str, Place],
    problem: Callable[[ItemT, str], str],
    decide: Callable[[ItemT], DecidedT],
    *,
    named: Sequence[ItemT] | None = None,
    default: Callable[[str], Disposition | None] | None = None,
) -> Applied[DecidedT]:
    """Apply the entries of one section of a decisions file.

    Args:
        section: The section.
        items: Its entries.
        places: The elements that it can decide on, by key.
        problem: Returns why an entry isn't possible for the element with a key, or `""`.
        decide: Returns the decision that an entry describes.
        named: The entries with keys in place of numbers.
        default: Returns the default disposition of the entry with a key.
    """
    named = items if named is None else named
    repeated = _repeated(named)
    single = [item for number, item in enumerate(named) if number not in repeated]
    matches = iter(find_places(single, places))
    decided: dict[str, DecidedT] = {}
    states: list[OverrideState] = []
    unplaced: list[Unplaced] = []
    for number, (item, keyed) in enumerate(zip(items, named, strict=True)):
        if number in repeated:
            state = state_of(
                section, item, Match(DecisionState.REFUSED), "Two entries of the file decide on this one."
            )
        else:
            match = next(matches)
            state = _judged(section, item, keyed, match, problem, default)
        states.append(state)
        if state.applied:
            decided[state.key] = decide(item)
        else:
            suggestion = state.key if state.state is DecisionState.SUGGESTED else ""
            unplaced.append(Unplaced(item, suggestion))
    return Applied(decided, tuple(states), tuple(unplaced))


def _judged(
    section: str,
    item: ItemT,
    keyed: ItemT,
    match: Match,
    problem: Callable[[ItemT, str], str],
    default: Callable[[str], Disposition | None] | None,
) -> OverrideState:
    place = match.place
    if place is None or match.state in UNRESOLVED_STATES:
        return state_of(section, item, match)
    reason = problem(keyed, place.key)
    if reason:
        return replace(state_of(section, item, match, reason), state=DecisionState.REFUSED)
    state = state_of(section, item, match)
    stale = _stale_default(item, place.key, default)
    if stale and match.state is DecisionState.APPLIED:
        return replace(state, state=DecisionState.STALE_DEFAULT, message=stale)
    if match.lead_in_changed:
        state = replace(state, message=LEAD_IN_CHANGED)
    if state.another_text:
        state = replace(state, message=ANOTHER_TEXT.format(similarity=state.similarity or 0.0))
    if stale:
        state = replace(state, message=f"{state.message} {stale.removeprefix('Applied; ').capitalize()}")
    return state


def _stale_default(item: DecisionItem, key: str, default: Callable[[str], Disposition | None] | None) -> str:
    """Return what to say if the entry's default differs from the one that the file expects, else `""`."""
    expected = item.expects.default if item.expects else None
    today = default(key) if default is not None else None
    if expected is None or today is None or expected is today:
        return ""
    return MESSAGES[DecisionState.STALE_DEFAULT].format(expected=expected, default=today)


def state_of(section: str, item: DecisionItem, match: Match, message: str = "") -> OverrideState:
    """Return the state of an entry for display.

    Args:
        section: Its section of the file.
        item: The entry.
        match: The element that it belongs to now.
        message: One sentence; without it that of the state.
    """
    place = match.place
    key = place.key if place is not None else ""
    if not message:
        template = IN_ITS_PLACE if match.in_its_place else MESSAGES[match.state]
        message = template.format(key=key, similarity=match.similarity or 0.0)
    return OverrideState(
        section=section,
        name=item.name,
        state=match.state,
        key=key,
        choice=choice_of(item),
        message=message,
        old_text=(item.expects.words or "") if item.expects else "",
        new_text=place.words if place is not None else "",
        similarity=match.similarity,
        item=item,
    )


def _repeated(items: Sequence[DecisionItem]) -> frozenset[int]:
    """Return the positions of entries whose key occurs in an earlier entry."""
    seen: set[str] = set()
    repeated = set()
    for number, item in enumerate(items):
        if item.name in seen:
            repeated.add(number)
        seen.add(item.name)
    return frozenset(repeated)
