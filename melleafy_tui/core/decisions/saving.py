"""Converts decisions to the document of a decisions file, and applies or saves its released secrets."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from melleafy_tui.core.decisions.keys import BACKEND_KEY, key_file
from melleafy_tui.core.decisions.rebase import Place
from melleafy_tui.core.decisions.state import Decisions, Override, Retag
from melleafy_tui.core.models.conversion_settings import Settings, checked_settings
from melleafy_tui.core.models.decisions import (
    ANSWERS,
    SECTIONS,
    TOOL_ANSWERS,
    ConflictItem,
    ContradictionItem,
    DecidedSettings,
    DecisionItem,
    DecisionsDocument,
    Expectations,
    OverrideItem,
    ReleaseItem,
    RetagItem,
    ReviewedItem,
    ToolItem,
    WorkspaceReference,
)
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import TOOLS, Disposition
from melleafy_tui.core.source.secrets.masking import secret_places
from melleafy_tui.user_folders import read_private, state_folder, write_private

_LAST: Final = 1_000_000_000

_NEIGHBOUR: Final = len("sha256:") + 12
"""Letters of a neighbour's digest that a decisions file keeps."""


def document_of(
    decisions: Decisions,
    snapshot: Snapshot,
    snapshot_id: str,
    places: Mapping[str, Place],
    entries: Iterable[PlanEntry],
) -> DecisionsDocument:
    """Return the decisions as the document of a decisions file.

    Args:
        decisions: The user's decisions, including unplaced ones of a loaded file.
        snapshot: The workspace.
        snapshot_id: Its digest without secrets.
        places: All elements by key, in source order.
        entries: The plan's entries.
    """
    position = {key: number for number, key in enumerate(places)}
    kept = [unplaced.item for unplaced in decisions.unplaced]

    def order(item: DecisionItem) -> tuple[bool, str, int, str]:
        key = item.key or ""
        return not key or key == BACKEND_KEY, key_file(key), position.get(key, _LAST), item.name

    items = sorted((*_items(decisions, places, {entry.key: entry for entry in entries}), *kept), key=order)
    releases = [item for item in (*_releases(decisions, snapshot), *kept) if isinstance(item, ReleaseItem)]
    return DecisionsDocument.model_validate(
        {
            "workspace": WorkspaceReference(name=snapshot.name, snapshot=f"sha256:{snapshot_id}"),
            "settings": DecidedSettings.model_validate(decisions.settings.changed),
            **{name: [item for item in items if isinstance(item, kind)] for name, kind in SECTIONS.items()},
            "acknowledged": decisions.acknowledged,
            "reviewed": [
                ReviewedItem(
                    item=name, answer=each.answer, expects=Expectations(text=each.text) if each.text else None
                )
                for name, each in sorted(decisions.reviewed.items())
            ],
            "released_secrets": sorted(releases, key=lambda item: (item.name, item.digest or "")),
            "fixtures": sorted(decisions.fixtures, key=lambda fixture: fixture.fixture_id),
        }
    )


def _releases(decisions: Decisions, snapshot: Snapshot) -> Iterator[ReleaseItem]:
    """Yield the entries for released values, with what each looks like and where it stands now."""
    for digest, name in decisions.released_secrets.items():
        source = snapshot.file(name.rpartition("#")[0])
        places = secret_places(source) if source is not None else ()
        found = [each.secret for each in places if each.digest == digest]
        kind, lines = (found[0].kind, found[0].lines) if found else ("", "")
        yield ReleaseItem(key=name, digest=digest, kind=kind, lines=lines)


def _items(
    decisions: Decisions, places: Mapping[str, Place], entries: Mapping[str, PlanEntry]
) -> Iterator[DecisionItem]:
    """Yield the entries for what was decided about elements; an override of a tool says more than that it asks."""
    told = set[str]()
    for key, override in decisions.overrides.items():
        entry = entries.get(key)
        default = entry.default_disposition if entry is not None else None
        differs = override.disposition is not None and override.disposition is not default
        if differs or override.rationale or override.judge_individually:
            is_tool = entry is not None and entry.kind in TOOLS
            item = _override(key, override, places.get(key), default, is_tool=is_tool)
            told |= {key} if isinstance(item, ToolItem) else set()
            yield item
    for key, retag in decisions.retags.items():
        for answer in _retags(key, retag, places.get(key)):
            if not (isinstance(answer, ToolItem) and key in told and not answer.parameters):
                yield answer
    for key, resolution in decisions.conflicts.items():
        yield ConflictItem.model_validate(
            {"key": key, "resolution": resolution, "expects": _expectations(places.get(key))}
        )


def settings_of(decided: DecidedSettings, given: Settings, fixed: Iterable[str]) -> Settings:
    """Return the settings of a file, except that those named in `fixed` keep their given values."""
    chosen = {name: value for name, value in decided if value is not None}
    chosen.update({name: getattr(given, name) for name in fixed})
    return checked_settings(chosen)


def _override(
    key: str, override: Override, place: Place | None, default: Disposition | None, *, is_tool: bool
) -> OverrideItem | ToolItem:
    answers = [answer for answer, stands_for in TOOL_ANSWERS.items() if stands_for is override.disposition]
    if is_tool and answers and not override.rationale and override.judge_individually is None:
        return ToolItem.model_validate(
            {"key": key, "answer": answers[0], "expects": _expectations(place, default)}
        )
    return OverrideItem(
        key=key,
        disposition=override.disposition or (default if override.judge_individually is None else None),
        override_rationale=override.rationale,
        judge_individually=override.judge_individually,
        expects=_expectations(place, default),
    )


def _retags(key: str, retag: Retag, place: Place | None) -> Iterator[DecisionItem]:
    """Yield the entries of one element: its tag and category, and the answer to each decision about it."""
    shared = {"key": key, "assisted_by": retag.assisted_by or None, "expects": _expectations(place)}
    if retag.tag is not None or retag.category is not None:
        yield RetagItem.model_validate({**shared, "tag": retag.tag, "category": retag.category})
    for kind, (name, values) in ANSWERS.items():
        value = getattr(retag, name)
        answers = {means: answer for answer, means in values.items()} or {value: value}
        is_other = name == "judged" and (kind is ContradictionItem) is not bool(retag.against)
        words = {each: getattr(retag, each) for each in ("wording", "against") if each in kind.model_fields}
        is_answered = value not in (None, "") and value in answers and not is_other
        given = {"parameters": dict(retag.parameters)} if kind is ToolItem and retag.parameters else {}
        if is_answered or given:
            answer = {"answer": answers[value]} if is_answered else {}
            yield kind.model_validate({**shared, **words, **given, **answer})


def _expectations(place: Place | None, default: Disposition | None = None) -> Expectations | None:
    if place is None:
        return None
    expects = Expectations(
        default=default,
        text=place.digest or None,
        lead_in=place.lead_in or None,
        follows=place.follows[:_NEIGHBOUR] or None,
        precedes=place.precedes[:_NEIGHBOUR] or None,
        words=place.words or None,
    )
    return expects if expects != Expectations() else None


NAME: Final = "saved-decisions"
MOST_KEPT: Final = 1_000


def note_saved(digest: str) -> None:
    """Note the SHA-256 of a decisions file that this user saves; without a state folder nothing is noted."""
    place = _place()
    if place is not None:
        kept = [each for each in _digests(place) if each != digest][-MOST_KEPT + 1 :]
        with suppress(OSError):
            write_private(place, "\n".join([*kept, digest]).encode())


def is_saved(digest: str) -> bool:
    """Return whether this user saved a decisions file with this SHA-256."""
    place = _place()
    return place is not None and digest in _digests(place)


def _place() -> Path | None:
    state = state_folder(os.environ)
    return state / NAME if state is not None else None


def _digests(place: Path) -> list[str]:
    return (read_private(place) or b"").decode("ascii", "replace").split()
