"""Applies the sections of a decisions file: which entries take effect, are kept unapplied, or are refused.

`rebase.py` finds the element of each entry; this module checks the entry against the matrix and the plan.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

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
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.dispositions import allowed_for, cell
from melleafy_tui.core.source.secrets.masking import secret_places

DecidedT = TypeVar("DecidedT")
ItemT = TypeVar("ItemT", bound=DecisionItem)

MESSAGES: Final = {
    DecisionState.APPLIED: "Applied.",
    DecisionState.CHANGED: "Applied; the text has changed since, so review it.",
    DecisionState.MOVED: "Applied; the element now has the key {key}.",
    DecisionState.SUGGESTED: "Not applied; {key} is {similarity:.0%} alike and can be used instead.",
    DecisionState.ORPHANED: "Not applied; no similar text in the workspace. It stays in the file.",
}
IN_ITS_PLACE: Final = (
    "Not applied; {key} stands in its place now, please confirm that the decision moves to it."
)
LEAD_IN_CHANGED: Final = "Applied; the lines that introduce it have changed since, so review it."
ANOTHER_TEXT: Final = (
    "Applied by its key only: the text there differs ({similarity:.0%} alike), so review it first."
)
STALE: Final = "The default was {expected} and is {default} now."
TWICE: Final = "Two entries of the file decide on this one."
NO_DIGEST: Final = "Not applied; it doesn't say which value may be published. Release the value again."


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

    defaults = {entry.key: entry.default_disposition for entry in entries}
    return apply_items(section, items, planned, problem, override_of, by_id=by_id, defaults=defaults)


def apply_releases(items: Sequence[ReleaseItem], snapshot: Snapshot) -> Applied[str]:
    """Apply the released secrets of a decisions file to a workspace.

    Args:
        items: The file's entries.
        snapshot: The workspace as it is now.
    """
    found = [place for file in snapshot.files for place in secret_places(file)] if items else []
    decided: dict[str, str] = {}
    states: list[OverrideState] = []
    for item in items:
        same = [place for place in found if item.digest in (None, place.digest)]
        named = [place for place in same if place.name == item.key]
        place = next(iter(named or (same if item.digest else [])), None)
        match, message = Match(DecisionState.ORPHANED), ""
        if place is not None and item.digest is None:  # the value may be another one than the owner saw
            match, message = Match(DecisionState.SUGGESTED, Place(place.name)), NO_DIGEST
        elif place is not None:
            decided.setdefault(place.digest, place.name)
            is_moved = item.key not in (None, place.name)
            match = Match(DecisionState.MOVED if is_moved else DecisionState.APPLIED, Place(place.name))
        states.append(_state("released_secrets", item, match, message))
    left = (item for item, state in zip(items, states, strict=True) if not state.applied)
    return Applied(decided, tuple(states), tuple(map(Unplaced, left)))


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


def _choice(item: DecisionItem) -> str:
    """Return the choice in an entry of a decisions file, such as its disposition, for display."""
    match item:
        case OverrideItem():
            alone = "judge individually" if item.judge_individually else ""
            return ", ".join(filter(None, (item.disposition.value if item.disposition else "", alone)))
        case ToolItem():
            return item.answer or retag_of(item).words
        case ConflictItem():
            return item.resolution
        case ReleaseItem():
            return "release"
    chosen = retag_of(item)
    return f"{chosen.words} (assisted by {chosen.assisted_by})" if chosen.assisted_by else chosen.words


_NOTHING: Final[Mapping[str, Any]] = {}


def apply_items(
    section: str,
    items: Sequence[ItemT],
    places: Mapping[str, Place],
    problem: Callable[[ItemT, str], str],
    decide: Callable[[ItemT], DecidedT],
    *,
    by_id: Mapping[str, str] = _NOTHING,
    defaults: Mapping[str, Disposition] = _NOTHING,
) -> Applied[DecidedT]:
    """Apply the entries of one section of a decisions file.

    Args:
        section: The section.
        items: Its entries.
        places: The elements that it can decide on, by key.
        problem: Returns why an entry isn't possible for the element with a key, or `""`.
        decide: Returns the decision that an entry describes.
        by_id: The keys that entries may name by the number in the plan.
        defaults: The default dispositions of today, by key.
    """
    keys = [item.name if item.key else by_id.get(item.name, item.name) for item in items]
    single = {key: number for number, key in reversed(list(enumerate(keys)))}  # the first entry of each key
    expected = [(item.key or by_id.get(item.name, ""), item.expects) for item in items]
    matches = iter(find_places([expected[number] for number in sorted(single.values())], places))
    decided: dict[str, DecidedT] = {}
    states: list[OverrideState] = []
    unplaced: list[Unplaced] = []
    for number, (key, item) in enumerate(zip(keys, items, strict=True)):
        is_first = single[key] == number
        match = next(matches) if is_first else Match(DecisionState.REFUSED)
        state = (
            _judged(section, item, match, problem, defaults)
            if is_first
            else _state(section, item, match, TWICE)
        )
        states.append(state)
        if state.applied:
            decided[state.key] = decide(item)
        else:
            unplaced.append(Unplaced(item, state.key if state.state is DecisionState.SUGGESTED else ""))
    return Applied(decided, tuple(states), tuple(unplaced))


def _judged(
    section: str,
    item: ItemT,
    match: Match,
    problem: Callable[[ItemT, str], str],
    defaults: Mapping[str, Disposition],
) -> OverrideState:
    """Return the state of an entry whose element was looked for: as found, refused, or with a stale default."""
    state = _state(section, item, match)
    if match.place is None or match.state in UNRESOLVED_STATES:
        return state
    if reason := problem(item, match.place.key):
        return replace(state, state=DecisionState.REFUSED, message=reason)
    message = LEAD_IN_CHANGED if match.lead_in_changed else state.message
    if state.another_text:
        message = ANOTHER_TEXT.format(similarity=state.similarity or 0.0)
    expected = item.expects.default if item.expects else None
    default = defaults.get(match.place.key)
    if expected is None or default in (None, expected):
        return replace(state, message=message)
    stale = STALE.format(expected=expected, default=default)
    if match.state is DecisionState.APPLIED:
        return replace(
            state, state=DecisionState.STALE_DEFAULT, message=f"Applied; {stale[0].lower()}{stale[1:]}"
        )
    return replace(state, message=f"{message} {stale}")


def _state(section: str, item: DecisionItem, match: Match, message: str = "") -> OverrideState:
    """Return the state of an entry for display; without a message with that of its match."""
    place = match.place or Place("")
    template = IN_ITS_PLACE if match.in_its_place else MESSAGES.get(match.state, "")
    return OverrideState(
        section=section,
        name=item.name,
        state=match.state,
        key=place.key,
        choice=_choice(item),
        message=message or template.format(key=place.key, similarity=match.similarity or 0.0),
        old_text=(item.expects.words or "") if item.expects else "",
        new_text=place.words,
        similarity=match.similarity,
        item=item,
    )
