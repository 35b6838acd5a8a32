"""Applies the released secrets of a decisions file, and writes them.

A value is found by its digest wherever it is now, and by its place only if the entry has no digest, so that an entry
never releases a value that was put in its place later.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from melleafy_tui.core.decisions.application import MESSAGES, Applied, choice_of
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Unplaced
from melleafy_tui.core.models.decisions import ReleaseItem
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.secrets.masking import SecretPlace, secret_places

SECTION: Final = "released_secrets"


def apply_releases(items: Sequence[ReleaseItem], snapshot: Snapshot) -> Applied[str]:
    """Return where each value of a file is released, by its digest.

    Args:
        items: The file's entries.
        snapshot: The workspace as it is now.
    """
    if not items:
        return Applied({}, (), ())
    places = [place for file in snapshot.files for place in secret_places(file)]
    decided: dict[str, str] = {}
    states: list[OverrideState] = []
    unplaced: list[Unplaced] = []
    for item in items:
        place = _found(item, places)
        if place is None:
            unplaced.append(Unplaced(item))
            states.append(_state(item, DecisionState.ORPHANED, ""))
            continue
        decided.setdefault(place.digest, place.name)
        moved = item.key is not None and item.key != place.name
        states.append(_state(item, DecisionState.MOVED if moved else DecisionState.APPLIED, place.name))
    return Applied(decided, tuple(states), tuple(unplaced))


def release_items(
    released: Mapping[str, str], snapshot: Snapshot, kept: Iterable[ReleaseItem]
) -> list[ReleaseItem]:
    """Return the entries of a decisions file for what is released, sorted by place.

    Args:
        released: Where each value was released, by its digest.
        snapshot: The workspace as it is now.
        kept: Entries whose value was not found again.
    """
    items = list(kept)
    for digest, name in released.items():
        source = snapshot.file(name.rpartition("#")[0])
        places = secret_places(source) if source is not None else ()
        place = next((place for place in places if place.digest == digest), None)
        items.append(
            ReleaseItem(
                key=name,
                digest=digest,
                kind=place.kind if place is not None else "",
                lines=place.lines if place is not None else "",
            )
        )
    return sorted(items, key=lambda item: (item.name, item.digest or ""))


def _found(item: ReleaseItem, places: Sequence[SecretPlace]) -> SecretPlace | None:
    """Return the place of an entry's value, the one that its key names before others."""
    if item.digest is None:
        return next((place for place in places if place.name == item.key), None)
    same = [place for place in places if place.digest == item.digest]
    return next((place for place in same if place.name == item.key), same[0] if same else None)


def _state(item: ReleaseItem, state: DecisionState, key: str) -> OverrideState:
    return OverrideState(
        section=SECTION,
        name=item.name,
        state=state,
        key=key,
        choice=choice_of(item),
        message=MESSAGES[state].format(key=key, likeness=0.0),
        item=item,
    )
