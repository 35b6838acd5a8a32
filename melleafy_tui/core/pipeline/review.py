"""The review: what needs a person before a package is written, worst first, as cards with answers.

One list for every door. An answer is a command; what it leaves at the default is kept in the decisions file as
reviewed, with the digest of the text, so that the next run doesn't ask again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct, structs

from melleafy_tui.core.decisions.commands import (
    AcceptAssisted,
    AcceptSuggestion,
    ChangeSettings,
    Command,
    DropUnplaced,
    MarkReviewed,
    ReleaseSecret,
    ResolveConflict,
    SetDisposition,
    SetTag,
    Together,
)
from melleafy_tui.core.decisions.keys import element_digest, key_file, slug, text_digest
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState, Place
from melleafy_tui.core.decisions.state import Decisions, Override, Unplaced
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.language.similarity import ALIKE, similarity
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import Conflict, DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CONTRIBUTOR,
    DISPOSITIONS,
    MERGE,
    MODALITY_TITLES,
    PRIMARY,
    RESOLUTIONS,
    DecisionKind,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
)
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.secrets.masking import SecretPlace, secret_places

LEAST_ALIKE: Final = 0.3
"""Least similarity of a row that an orphaned decision may move to."""

_READ_AGAIN: Final = ("release", "none")
"""Answers after which the workspace is read again, which takes seconds and changes the cost by words at most."""

AS_IS: Final = "a"
"""The letter of the answer that leaves things as they are."""


class ReviewReason(StrEnum):
    """Why something needs a person, worst first."""

    SECRET = "secret"
    VARIABLE = "variable"
    TOOL = "tool"
    MEMORY = "memory"
    CONFLICT = "conflict"
    SCHEDULE = "schedule"
    ORPHAN = "orphan"
    ASSISTED = "assisted"
    LEFT_OUT = "left_out"
    STOCK = "stock"


REASON_TITLES: Final[dict[ReviewReason, str]] = {
    ReviewReason.SECRET: "Looks like a secret",
    ReviewReason.VARIABLE: "Would send a variable elsewhere",
    ReviewReason.TOOL: "A tool that a model could call",
    ReviewReason.MEMORY: "Memory that would travel with the package",
    ReviewReason.CONFLICT: "Two runtimes read it differently",
    ReviewReason.SCHEDULE: "A schedule that was read",
    ReviewReason.ORPHAN: "A decision without its row",
    ReviewReason.ASSISTED: "A model's answer",
    ReviewReason.LEFT_OUT: "Stays out",
    ReviewReason.STOCK: "Template text that is kept",
}


class ReviewRow(Struct, frozen=True):
    """One thing that a card asks about.

    Attributes:
        item: Its reason and key, under which `reviewed` in a decisions file settles it.
        file: Its file, or `""`.
        lines: Its lines, or `""`.
        text: What it says, on one line, with secrets masked.
        digest: The digest of the text behind it.
        entry_id: Its plan entry, or `""`.
        why: Why this row needs a person, where that differs from row to row.
    """

    item: str
    file: str
    lines: str
    text: str
    digest: str
    entry_id: str = ""
    why: str = ""


class ReviewAnswer(Struct, frozen=True):
    """One answer of a card.

    Attributes:
        letter: The key that takes it.
        name: What it is called in documents and in the decisions file.
        label: A few words.
        change: What exactly it changes, one sentence.
        command: What carries it out.
        text: The text of the row that a decision without one would move to, or `""`.
    """

    letter: str
    name: str
    label: str
    change: str
    command: Command
    text: str = ""


class ReviewItem(Struct, frozen=True):
    """One card: rows with the same reason, file and suggestion. The first answer is the suggested one."""

    reason: ReviewReason
    file: str
    rows: tuple[ReviewRow, ...]
    why: str
    result: str
    answers: tuple[ReviewAnswer, ...]

    @property
    def item(self) -> str:
        """Return what identifies the card: the item of its first row."""
        return self.rows[0].item

    @property
    def title(self) -> str:
        """Return the reason in words."""
        return REASON_TITLES[self.reason]


def review_items(conversion: Conversion) -> tuple[ReviewItem, ...]:
    """Return what needs a person in a conversion, worst first."""
    found = [item for find in _FINDERS for item in find(conversion)]
    order = {reason: number for number, reason in enumerate(ReviewReason)}
    return tuple(sorted(found, key=lambda item: order[item.reason]))


def cost_after(conversion: Conversion, answer: ReviewAnswer) -> RunCost | None:
    """Return what a run costs after an answer; None if it isn't possible, or if only a new reading can tell."""
    if isinstance(answer.command, MarkReviewed):
        return conversion.cost
    if answer.name in _READ_AGAIN:
        return None
    try:
        return conversion.with_decisions(answer.command.apply(conversion.decisions)).cost
    except MelleafyError:
        return None


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _is_settled(decisions: Decisions, row: ReviewRow) -> bool:
    reviewed = decisions.reviewed.get(row.item)
    return reviewed is not None and reviewed.text in ("", row.digest)


def _reviewed(rows: Iterable[ReviewRow], name: str) -> MarkReviewed:
    return MarkReviewed({row.item: row.digest for row in rows}, name)


def _as_is(rows: Iterable[ReviewRow], label: str, change: str, name: str = "keep") -> ReviewAnswer:
    return ReviewAnswer(AS_IS, name, label, change, _reviewed(rows, name))


# --- rows of the plan ------------------------------------------------------------------------------


class _Question(Struct, frozen=True):
    """What is asked about entries of one reason: the default answer and the dispositions offered beside it."""

    why: str
    keep: str
    others: tuple[Disposition, ...]


_QUESTIONS: Final[Mapping[ReviewReason, _Question]] = {
    ReviewReason.VARIABLE: _Question(
        "The address doesn't belong to the service of the variable.",
        "leave it a stub",
        (Disposition.REAL_IMPL, Disposition.REMOVE),
    ),
    ReviewReason.TOOL: _Question(
        "The package gets code for it, and the model decides when to call it.",
        "allow it",
        (Disposition.STUB, Disposition.MOCK, Disposition.REMOVE),
    ),
    ReviewReason.MEMORY: _Question(
        "What the agent has learnt may be private, and a package is passed on.",
        "ship a copy",
        (Disposition.LOAD_FROM_DISK, Disposition.REMOVE),
    ),
    ReviewReason.LEFT_OUT: _Question(
        "The package doesn't carry it.",
        "leave it out",
        (Disposition.BUNDLE, Disposition.STUB),
    ),
    ReviewReason.STOCK: _Question(
        "It is the runtime's own template text; nobody chose it.", "keep it", (Disposition.REMOVE,)
    ),
}


_HARMFUL: Final[Mapping[tuple[EntryKind, Disposition], ReviewReason]] = {
    (EntryKind.TOOL_CONCRETE, Disposition.REAL_IMPL): ReviewReason.TOOL,
    (EntryKind.MEMORY, Disposition.BUNDLE): ReviewReason.MEMORY,
}


def _entry_reason(entry: PlanEntry, element: Element) -> ReviewReason | None:
    if entry.disposition is Disposition.STUB and foreign_variables(element):
        return ReviewReason.VARIABLE
    harmful = _HARMFUL.get((entry.kind, entry.disposition))
    if harmful is not None:
        return harmful
    if element.is_left_out:
        return ReviewReason.LEFT_OUT
    is_kept_rule = entry.kind is EntryKind.RULE and entry.disposition is not Disposition.REMOVE
    return ReviewReason.STOCK if element.template and is_kept_rule else None


def open_rules(conversion: Conversion) -> Iterator[str]:
    """Yield the keys of the owner's rules of which nothing and nobody has said whether a reply is judged by them.

    Args:
        conversion: The conversion.
    """
    decisions = conversion.decisions
    entries = conversion.plan.by_element
    for element in conversion.inventory.elements:
        entry = entries.get(element.element_id)
        if entry is None or entry.kind is not EntryKind.RULE or element.template or element.decisions:
            continue
        key = conversion.keys[element.element_id]
        if key not in decisions.retags and key not in decisions.overrides:
            yield key


def _of_entries(conversion: Conversion) -> Iterator[ReviewItem]:
    decisions, by_id = conversion.decisions, conversion.inventory.by_id
    cards: dict[tuple[ReviewReason, str], list[tuple[PlanEntry, Element, ReviewRow]]] = {}
    for entry in conversion.plan.entries:
        element = by_id.get(entry.source_elements[0]) if entry.source_elements else None
        if element is None or entry.overridden or entry.key in decisions.retags:
            continue
        reason = _entry_reason(entry, element)
        if reason is None:
            continue
        row = _row(f"{reason}:{entry.key}", element, entry.entry_id, _why(reason, element))
        if not _is_settled(decisions, row):
            cards.setdefault((reason, element.source_file), []).append((entry, element, row))
    for (reason, file), members in cards.items():
        yield _entry_card(reason, file, members)


def _row(item: str, element: Element, entry_id: str = "", why: str = "") -> ReviewRow:
    return ReviewRow(
        item,
        element.source_file,
        element.source_lines,
        element.content_summary,
        element_digest(element),
        entry_id,
        why,
    )


def _entry_card(
    reason: ReviewReason,
    file: str,
    members: list[tuple[PlanEntry, Element, ReviewRow]],
) -> ReviewItem:
    question = _QUESTIONS[reason]
    entries = [entry for entry, _, _ in members]
    rows = tuple(row for _, _, row in members)
    answers = [_as_is(rows, question.keep, f"{_counted(len(rows), 'row')} as planned")]
    answers.extend(_disposition_answers(entries, question.others))
    return ReviewItem(reason, file, rows, _why(reason, members[0][1]), _result(entries), tuple(answers[:4]))


def _disposition_answers(entries: list[PlanEntry], offered: Iterable[Disposition]) -> Iterator[ReviewAnswer]:
    for disposition in offered:
        changed = [entry for entry in entries if entry.disposition is not disposition]
        if not changed or not all(cell(entry.kind, disposition).allowed for entry in changed):
            continue
        info = DISPOSITIONS[disposition]
        command = SetDisposition(tuple(entry.key for entry in changed), disposition)
        before = DISPOSITIONS[changed[0].disposition].label
        change = f"{before} → {info.label} for {_counted(len(changed), 'row')}"
        yield ReviewAnswer(info.key, disposition.value, info.label, change, command)


def _why(reason: ReviewReason, element: Element) -> str:
    if reason is ReviewReason.VARIABLE:
        return foreign_variables(element)
    why = _QUESTIONS[reason].why
    left_out = element.decided(DecisionKind.LEFT_OUT)
    return f"{why} {left_out.reason}" if left_out is not None else why


def _result(entries: list[PlanEntry]) -> str:
    """Return what the package gets from the first entry as planned."""
    first = entries[0]
    effect = cell(first.kind, first.disposition).effect
    is_left_out = first.disposition is Disposition.REMOVE  # then the effect names the section of the report
    return f"{first.target}: {effect}" if first.target and not is_left_out else effect


# --- answers of an assisting model -----------------------------------------------------------------


def _of_assisted(conversion: Conversion) -> Iterator[ReviewItem]:
    models = _models_by_key(conversion.decisions)
    if not models:
        return
    entries = {entry.key: entry for entry in conversion.plan.entries}
    cards: dict[tuple[str, ...], list[tuple[str, Element, Element]]] = {}
    for read, now in zip(conversion.resolved.elements, conversion.inventory.elements, strict=True):
        key = conversion.keys[read.element_id]
        if key in models:
            change = (_reading(read), _reading(now))
            group = (read.source_file, models[key], *(change if change[0] != change[1] else ()))
            cards.setdefault(group, []).append((key, read, now))
    for (file, model, *readings), members in cards.items():
        planned = [entries[key] for key, _, _ in members if key in entries]
        yield _assisted_card(file, model, readings, members, planned)


def _models_by_key(decisions: Decisions) -> dict[str, str]:
    """Return which model gave each answer that no person has accepted or overridden."""
    return {
        key: retag.assisted_by
        for key, retag in decisions.retags.items()
        if retag.assisted_by and key not in decisions.overrides
    }


def _reading(element: Element) -> str:
    judged = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    return f"{element.category.value} {element.tag.value}, {'judged' if judged else 'not judged'}"


def _assisted_card(
    file: str,
    model: str,
    readings: Sequence[str],
    members: list[tuple[str, Element, Element]],
    entries: list[PlanEntry],
) -> ReviewItem:
    """Return the card of one change of readings, or with no `readings` of those that the model left as they were."""
    keys = tuple(key for key, _, _ in members)
    entry_ids = {entry.key: entry.entry_id for entry in entries}
    rows = tuple(
        _row(f"{ReviewReason.ASSISTED}:{key}", now, entry_ids.get(key, "")) for key, _, now in members
    )
    accept = AcceptAssisted(keys)
    removals = _disposition_answers(entries, (Disposition.REMOVE,)) if len(entries) == len(keys) else ()
    why, change, rejections = _of_readings(model, readings, members)
    return ReviewItem(
        ReviewReason.ASSISTED,
        file,
        rows,
        why,
        _result(entries) if entries else "Nothing of its own.",
        (
            ReviewAnswer(AS_IS, "accept", "accept the answer", change, accept),
            *rejections,
            *(
                structs.replace(each, command=Together((accept, each.command), each.command.label))
                for each in removals
            ),
        ),
    )


def _of_readings(
    model: str, readings: Sequence[str], members: list[tuple[str, Element, Element]]
) -> tuple[str, str, tuple[ReviewAnswer, ...]]:
    """Return what a card says of its readings, what accepting them means, and the answer that rejects them."""
    if not readings:
        counts = Counter(_reading(now) for _, _, now in members)
        kept = "; ".join(f"{reading} ({count})" for reading, count in counts.most_common())
        return f"{model} agrees with what the program decided: {kept}.", "it counts as yours", ()
    read_as, answered = readings
    keys = tuple(key for key, _, _ in members)
    reject = SetTag(keys, judged=False)
    return (
        f"{model} chose {answered}; the program had decided {read_as}.",
        f"{answered}; it counts as yours",
        (ReviewAnswer("r", "rules", "not judged", f"{answered} → {read_as}", reject),),
    )


# --- conflicts, schedule, secrets, decisions without a row -----------------------------------------


_CHOOSE: Final = "Two runtimes would treat it differently; press c to choose."


def _of_conflicts(conversion: Conversion) -> Iterator[ReviewItem]:
    cards: dict[tuple[str, str, str, str], list[tuple[Conflict, ReviewRow]]] = {}
    by_id = conversion.inventory.by_id
    for conflict in conversion.plan.conflicts:
        element = by_id.get(conflict.element_id)
        if element is None or conflict.resolved_by in (DecisionSource.USER, DecisionSource.CONFIG):
            continue
        entry = conversion.plan.by_element.get(conflict.element_id)
        entry_id = entry.entry_id if entry is not None else ""
        row = _row(f"{ReviewReason.CONFLICT}:{conflict.key}", element, entry_id, _CHOOSE)
        if not _is_settled(conversion.decisions, row):
            group = (element.source_file, conflict.primary, conflict.contributor, conflict.resolution)
            cards.setdefault(group, []).append((conflict, row))
    for (file, *_), members in cards.items():
        yield _conflict_card(file, [each for each, _ in members], tuple(row for _, row in members))


def _conflict_card(file: str, members: list[Conflict], rows: tuple[ReviewRow, ...]) -> ReviewItem:
    first = members[0]
    now = first.resolution
    refused = _refused(members)
    words = {PRIMARY: ("l", first.primary), CONTRIBUTOR: ("c", first.contributor), MERGE: ("m", "merge both")}
    others = (other for other in RESOLUTIONS if other != now and other not in refused)
    return ReviewItem(
        ReviewReason.CONFLICT,
        file,
        rows,
        first.reason or f"{first.primary} and {first.contributor} would convert it differently.",
        "; ".join(f"{each.runtime}: {each.target or 'nothing'}" for each in first.treatments),
        (
            _as_is(rows, f"as planned: {words[now][1]}", f"{now}, as planned"),
            *(
                ReviewAnswer(
                    *(words[other][0], other, words[other][1]),
                    f"{now} → {other} for {_counted(len(rows), 'row')}",
                    Together(
                        tuple(ResolveConflict(each.key, other) for each in members), f"conflict: {other}"
                    ),
                )
                for other in others
            ),
        ),
    )


def _refused(members: Iterable[Conflict]) -> set[str]:
    return {name for each in members for name, _ in each.refusals}


def _of_schedule(conversion: Conversion) -> Iterator[ReviewItem]:
    classification = conversion.classification
    schedule = classification.schedule
    if not schedule.cadence or classification.modality_override is not None:
        return
    said = schedule.cadence + (f", active {schedule.active_hours}" if schedule.active_hours else "")
    row = ReviewRow(
        f"{ReviewReason.SCHEDULE}:{schedule.file}", schedule.file, schedule.lines, said, text_digest(said)
    )
    if _is_settled(conversion.decisions, row):
        return
    others = [each.message for each in conversion.diagnostics if each.code == "wake-ups-disagree"]
    read = schedule.cron or (_interval(schedule.seconds) if schedule.seconds else said)
    yield ReviewItem(
        ReviewReason.SCHEDULE,
        schedule.file,
        (row,),
        " ".join(["The package will say when it should run.", *others]),
        f"SCHEDULE: {read}",
        (
            _as_is((row,), "as read", read, "as_read"),
            ReviewAnswer(
                "x",
                "none",
                "no schedule",
                f"{MODALITY_TITLES[classification.modality]} → {MODALITY_TITLES[Modality.SYNCHRONOUS_ONESHOT]}: "
                "it runs when called",
                ChangeSettings({"modality": Modality.SYNCHRONOUS_ONESHOT}),
            ),
        ),
    )


def _of_secrets(conversion: Conversion) -> Iterator[ReviewItem]:
    files = dict.fromkeys(each.file for each in conversion.diagnostics if each.code == "secret-possible")
    decisions = conversion.decisions
    for path in files:
        if f"secret-found:{path}" in decisions.acknowledged:
            continue
        named = _open_secrets(conversion, path)
        found = (_secret_row(name, tuple(places.values())) for name, places in named.items())
        rows = tuple(row for row in found if not _is_settled(decisions, row))
        if rows:
            yield _secret_card(path, rows, named)


def _open_secrets(conversion: Conversion, path: str) -> dict[str, dict[str, SecretPlace]]:
    """Return the doubtful values of a file by name and digest; the sure ones are masked without a question."""
    source = conversion.snapshot.file(path)
    named: dict[str, dict[str, SecretPlace]] = {}
    for place in secret_places(source) if source is not None else ():
        if not place.sure and place.digest not in conversion.released_secrets:
            named.setdefault(place.name, {})[place.digest] = place
    return named


def _secret_row(name: str, places: tuple[SecretPlace, ...]) -> ReviewRow:
    """Return the row of the values that a file has under one name; nothing in it is derived from a value."""
    first = places[0]
    return ReviewRow(
        f"{ReviewReason.SECRET}:{name}",
        first.file,
        first.lines,
        f"{first.kind}, {first.length} characters, masked as ${first.variable}",
        text_digest(f"{name} {' '.join(place.kind for place in places)}"),
    )


def _secret_card(
    path: str, rows: tuple[ReviewRow, ...], named: Mapping[str, Mapping[str, SecretPlace]]
) -> ReviewItem:
    asked = [
        place for row in rows for place in named[row.item.removeprefix(f"{ReviewReason.SECRET}:")].values()
    ]
    names = ", ".join(dict.fromkeys(f"${place.variable}" for place in asked))
    releases = tuple(ReleaseSecret(place.digest, place.name) for place in asked)
    release = releases[0] if len(releases) == 1 else Together(releases, f"release {len(releases)} values")
    shown = f"{_counted(len(releases), 'value')} shown and converted as written"
    return ReviewItem(
        ReviewReason.SECRET,
        path,
        rows,
        "This may be a secret, so its value is masked until you answer.",
        f"{names} from the environment",
        (
            _as_is(rows, "keep masked", f"masked as {names}"),
            ReviewAnswer("r", "release", "not a secret", shown, release),
        ),
    )


_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def _interval(seconds: int) -> str:
    """Return an interval in its largest whole unit."""
    size, unit = next((size, unit) for size, unit in _UNITS if not seconds % size)
    count = seconds // size
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


def _of_orphans(conversion: Conversion) -> Iterator[ReviewItem]:
    decisions = conversion.decisions
    if not decisions.unplaced:
        return
    places = conversion.places
    entries = {entry.key: entry for entry in conversion.plan.entries}
    for kept in decisions.unplaced:
        item = kept.item
        words = _words_of(kept)
        row = ReviewRow(
            f"{ReviewReason.ORPHAN}:{item.name}", key_file(item.name), "", words, text_digest(words)
        )
        if _is_settled(decisions, row):
            continue
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
        later = _as_is((row,), "keep for later", "it stays in the decisions file, unapplied", "later")
        drop = ReviewAnswer(
            "x", "drop", "drop it", "it leaves the decisions file", DropUnplaced((item.name,))
        )
        is_likely = bool(ranked) and (ranked[0][0] >= ALIKE or ranked[0][1].key == kept.suggestion)
        answers = (*moves, later, drop) if is_likely else (later, *moves, drop)
        yield ReviewItem(
            ReviewReason.ORPHAN,
            row.file,
            (row,),
            _REWORDED if is_likely else _LOST,
            "Nothing, until it has a row.",
            answers,
        )


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
    from melleafy_tui.core.models.decisions import OverrideItem, ReleaseItem, RetagItem

    item, wanted = kept.item, _words_of(kept)
    if isinstance(item, ReleaseItem):
        return []
    slugs = item.expects is None or not item.expects.words

    def fits(place: Place) -> bool:
        entry = entries.get(place.key)
        if isinstance(item, OverrideItem):
            free = entry is not None and place.key not in decisions.overrides
            return free and (item.disposition is None or _allows(entry, item.disposition))
        return isinstance(item, RetagItem) and place.key not in decisions.retags

    ranked = sorted(
        (
            (similarity(wanted, slug(place.words, 5).replace("-", " ") if slugs else place.words), place)
            for place in places.values()
            if place.words and fits(place)
        ),
        key=lambda pair: (pair[1].key != kept.suggestion, -pair[0]),
    )
    return [pair for pair in ranked[:2] if pair[0] >= LEAST_ALIKE or pair[1].key == kept.suggestion]


def _allows(entry: PlanEntry | None, disposition: Disposition) -> bool:
    return entry is not None and cell(entry.kind, disposition).allowed


_FINDERS: Final[tuple[Callable[[Conversion], Iterator[ReviewItem]], ...]] = (
    _of_secrets,
    _of_assisted,
    _of_entries,
    _of_conflicts,
    _of_schedule,
    _of_orphans,
)


# --- what a session asks about ------------------------------------------------------------------------

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
    def open_in_plan(self) -> int:
        """Return how many rows of the plan, and decisions that have lost their row, are open."""
        orphans = (item for item in self.items if item.reason is ReviewReason.ORPHAN)
        return len(self.reasons) + sum(len(item.rows) for item in orphans)

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
