"""The rows that only a person can settle: what excludes each other, near ties, and decisions without their row."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import structs

from melleafy_tui.core.decisions.commands import (
    AcceptAssisted,
    AcceptSuggestion,
    ChangeSettings,
    Command,
    DropUnplaced,
    ResolveConflict,
    SetDisposition,
    SetTag,
    Together,
)
from melleafy_tui.core.decisions.keys import key_file, slug, text_digest
from melleafy_tui.core.decisions.rebase import Place
from melleafy_tui.core.decisions.state import Decisions, Unplaced
from melleafy_tui.core.language.text_measures import ALIKE, similarity
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CONTRIBUTOR,
    DISPOSITIONS,
    MERGE,
    PRIMARY,
    RESOLUTIONS,
    DecisionKind,
    DecisionSource,
)
from melleafy_tui.core.output.write_plan import PlannedFile
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import (
    AS_IS,
    ReviewAnswer,
    ReviewRow,
    Subject,
    answered,
    result_of,
    subjects,
)

LEAST_ALIKE: Final = 0.3
"""Least similarity of a row that an orphaned decision may move to."""


def rows_of_a_model(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the answers of an assisting model that nobody has accepted."""
    for read, each in zip(conversion.resolved.elements, subjects(conversion), strict=True):
        key, retag = each.key, each.retag
        if not retag.assisted_by or (key in conversion.decisions.overrides and not retag.asks):
            continue
        is_judged = read.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
        before, after = "judged" if is_judged else "not judged", retag.words
        accept: Command = AcceptAssisted((key,))
        back, change = SetTag((key,), judged=False), f"{after}; it counts as yours"
        if retag.due:
            name = " ".join(re.sub("[=|]", " ", each.element.content_summary).split())
            due = ChangeSettings({"schedule": (*conversion.settings.schedule, f"{name} = {retag.due}")})
            before, back, change = "no time of its own", SetTag((key,)), f"due {retag.due}"
            accept = Together((due, back), "accept a task")
        elif retag.asks:
            before, back = "it needn't ask", SetTag((key,))
        elif retag.left_out:
            before, back = "kept", SetTag((key,), left_out=False)
        is_same = before == after
        said = "agrees" if is_same else "takes it for a task of this agent" if retag.due else "says this"
        result = f"Nothing, until you accept it: {change}" if retag.due else after.capitalize()
        result = "Nothing, until you accept it: left out" if retag.left_out else result
        row = each.row("assisted", f"{retag.assisted_by} {said}; the program's tests said: {before}.", result)
        reject = ReviewAnswer(
            "r", "reject", "reject it", "It stays text" if retag.due else f"{after} → {before}", back
        )
        answers = (ReviewAnswer(AS_IS, "accept", "accept the answer", change, accept), reject)
        yield structs.replace(row, answers=answers[:1] if is_same else answers)


def rows_of_contradictions(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the pairs of rules that no reply can keep both of; neither is checked until one is chosen."""
    by_line = {
        f"{each.element.source_file}:{each.element.line_range[0]}": each for each in subjects(conversion)
    }
    seen = set[str]()
    for each in subjects(conversion):
        against = next((offer.against for offer in each.element.offered if offer.against), "")
        if against not in by_line or each.key in seen:
            continue
        other = by_line[against]
        seen.add(other.key)
        row = each.row("contradiction", each.element.offered[0].reason, "Neither is checked", ticked=False)
        row = structs.replace(row, text=f"{row.text} ↔ {against}: {other.element.statement}")
        answers = (_only("f", each, other), _only("s", other, each))
        is_settled = any(chosen.retag.judged is not None for chosen in (each, other))
        yield answered(conversion, row, "check neither", *answers, by_user=is_settled, tickable=False)


def _only(letter: str, kept: Subject, dropped: Subject) -> ReviewAnswer:
    both = (
        SetTag((kept.key,), judged=True, against=dropped.key),
        SetTag((dropped.key,), judged=False, against=kept.key),
    )
    label, change = f"check {kept.element.location}", "The other one is not checked"
    return ReviewAnswer(letter, f"only:{kept.key}", label, change, Together(both, "settle"))


def rows_of_conflicts(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the elements that two runtimes would convert differently."""
    by_id = {each.element.element_id: each for each in subjects(conversion)}
    for conflict in conversion.plan.conflicts:
        each = by_id.get(conflict.element_id)
        if each is None:
            continue
        words = {PRIMARY: conflict.primary, CONTRIBUTOR: conflict.contributor, MERGE: "both"}
        now, letters = conflict.resolution, {PRIMARY: "l", CONTRIBUTOR: "c", MERGE: "m"}
        others = [name for name in RESOLUTIONS if name != now and name not in dict(conflict.refusals)]
        answers = (
            ReviewAnswer(
                letters[name], name, words[name], f"{now} → {name}", ResolveConflict(conflict.key, name)
            )
            for name in others
        )
        result = "; ".join(f"{each.runtime}: {each.target or 'nothing'}" for each in conflict.treatments)
        row = each.row("conflict", conflict.reason, result)
        is_chosen = conflict.resolved_by in (DecisionSource.USER, DecisionSource.CONFIG)
        yield answered(
            conversion, row, f"as planned: {words[now]}", *answers, by_user=is_chosen, tickable=False
        )


def rows_of_runtimes(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield a near tie of runtimes, which makes a hybrid of the source."""
    found = conversion.classification
    if not found.hybrid_contributors:
        return
    titles = conversion.dialects.titles
    points = {each.runtime: each.score for each in found.scores}
    names = found.dialect_runtimes
    said = ", ".join(f"{titles.get(name, name)} {points.get(name, 0):g}" for name in names)
    row = ReviewRow(
        "runtime:hybrid",
        "",
        "",
        f"Which runtime is it for? {said}",
        text_digest(said),
        found.runtime_reason.rstrip(".") + ".",
        f"Read as both; {titles.get(names[0], names[0])} leads",
    )
    answers = (
        ReviewAnswer(
            letter,
            f"only:{name}",
            f"{titles.get(name, name)} only",
            "Files that only the other runtime reads are left out",
            ChangeSettings({"source_runtime": name, "contributing_runtimes": ()}),
        )
        for letter, name in zip("fsl", names, strict=False)
    )
    by_user = found.source_runtime_override is not None
    yield answered(conversion, row, "read as both", *answers, by_user=by_user, tickable=False)


def rows_of_changes(conversion: Conversion, reasons: Mapping[str, str]) -> Iterator[ReviewRow]:
    """Yield the decisions of a loaded file whose text or default has changed since; they are applied."""
    for each in subjects(conversion):
        entry = each.entry
        if entry is None or entry.key not in reasons:
            continue
        now, default = DISPOSITIONS[entry.disposition].label, DISPOSITIONS[entry.default_disposition].label
        back = SetDisposition((entry.key,), None)
        answer = ReviewAnswer("d", "default", "take it back", f"{now} → {default}", back)
        row = each.row("changed", reasons[entry.key], result_of(entry))
        yield answered(conversion, row, f"still {now}", answer, tickable=False)


def rows_of_merges(conversion: Conversion, files: Iterable[PlannedFile]) -> Iterator[ReviewRow]:
    """Yield the files of an earlier package whose new text doesn't fit the user's edits."""
    for file in files:
        row = ReviewRow(
            f"merge:{file.path}",
            file.path,
            "",
            f"Your edits of {file.path} don't fit its new text",
            text_digest(file.path),
            file.note or "The same lines have changed on both sides.",
            f"Your file stays; the new text is written beside it as {file.path}.new",
        )
        yield answered(conversion, row, "keep mine for now")


def rows_of_orphans(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the decisions of a file that fit no row any more."""
    decisions = conversion.decisions
    if not decisions.unplaced:
        return
    places = conversion.places
    entries = {entry.key: entry for entry in conversion.plan.entries}
    for kept in decisions.unplaced:
        item = kept.item
        words = _words_of(kept)
        ranked = _candidates(kept, places, entries, decisions)
        moves = [
            ReviewAnswer(
                letter,
                f"move:{place.key}",
                f"move to “{place.words}” ({_how_near(alike, is_suggested=place.key == kept.suggestion)})",
                f"it applies to {place.key}",
                AcceptSuggestion(item.name, place.key),
                place.words,
            )
            for letter, (alike, place) in zip("mw", ranked, strict=False)
        ]
        is_likely = bool(ranked) and (ranked[0][0] >= ALIKE or ranked[0][1].key == kept.suggestion)
        why = _REWORDED if is_likely else _LOST
        row = ReviewRow(
            f"orphan:{item.name}",
            key_file(item.name),
            "",
            words,
            text_digest(words),
            why,
            _UNTIL,
            ticked=False,
        )
        drop = ReviewAnswer(
            "x", "drop", "drop it", "it leaves the decisions file", DropUnplaced((item.name,))
        )
        row = answered(conversion, row, "keep for later", *moves, drop, tickable=False)
        likely_first = (*moves, row.answers[0], drop) if is_likely else row.answers
        yield structs.replace(row, answers=likely_first)


_UNTIL: Final = "Nothing, until it has a row."
_REWORDED: Final = "The row of a decision was reworded: please confirm that the decision moves with it."
_LOST: Final = "A decision of your file fits no row any more, so it isn't applied."


def _how_near(alike: float, *, is_suggested: bool) -> str:
    return "in its place" if is_suggested and alike < ALIKE else f"{alike:.0%} alike"


def _words_of(kept: Unplaced) -> str:
    expects = kept.item.expects
    if expects is not None and expects.words:
        return expects.words
    return kept.item.name.rpartition("#")[2].rpartition("/")[2].replace("-", " ")


def _candidates(
    kept: Unplaced, places: Mapping[str, Place], entries: Mapping[str, PlanEntry], decisions: Decisions
) -> list[tuple[float, Place]]:
    """Return the two rows most like the one that a decision was made for, the suggested one first."""
    from melleafy_tui.core.models.decisions import ConflictItem, OverrideItem, ReleaseItem, ToolItem

    item, wanted = kept.item, _words_of(kept)
    if isinstance(item, ReleaseItem | ConflictItem):
        return []
    slugs = item.expects is None or not item.expects.words

    def fits(place: Place) -> bool:
        entry = entries.get(place.key)
        if isinstance(item, OverrideItem | ToolItem):
            if entry is None or place.key in decisions.overrides:
                return False
            return item.disposition is None or cell(entry.kind, item.disposition).allowed
        return place.key not in decisions.retags

    ranked = sorted(
        (
            (similarity(wanted, slug(place.words, 5).replace("-", " ") if slugs else place.words), place)
            for place in places.values()
            if place.words and fits(place)
        ),
        key=lambda pair: (pair[1].key != kept.suggestion, -pair[0]),
    )
    return [pair for pair in ranked[:2] if pair[0] >= LEAST_ALIKE or pair[1].key == kept.suggestion]
