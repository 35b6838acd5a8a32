"""The review: what the package will do and what it leaves out, as at most seven cards of rows.

One list for every door. Each row has its own reason and the commands that answer it. What an answer leaves as it stands
is kept in the decisions file as reviewed, with the digest of the text, so that the next run doesn't ask again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from melleafy_tui.core.language.scripts import ALIKE, similarity
from melleafy_tui.core.models.facts import ScheduleFact
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CONTRIBUTOR,
    DISPOSITIONS,
    MERGE,
    PRIMARY,
    RESOLUTIONS,
    TOOLS,
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


class Card(StrEnum):
    """The cards of the review, in their order."""

    CHECKED = "checked"
    WAKES = "wakes"
    CALLS = "calls"
    LEFT_OUT = "left_out"
    SECRETS = "secrets"
    TRAVELS = "travels"
    NEEDS_YOU = "needs_you"


CARD_TITLES: Final[dict[Card, str]] = {
    Card.CHECKED: "Checked on every reply",
    Card.WAKES: "Wakes and does by itself",
    Card.CALLS: "May call",
    Card.LEFT_OUT: "Stays out",
    Card.SECRETS: "Possible secrets",
    Card.TRAVELS: "Travels with the package",
    Card.NEEDS_YOU: "Needs you",
}


class ReviewAnswer(Struct, frozen=True):
    """One answer to a row.

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


class ReviewRow(Struct, frozen=True):
    """One thing that a card shows. The first answer is the suggested one.

    Attributes:
        item: Its kind and key, under which `reviewed` in a decisions file settles it.
        file: Its file, or `""`.
        lines: Its lines, or `""`.
        text: All of its words with their lead-in, with secrets masked.
        digest: The digest of the text behind it.
        why: Why it is as it is.
        result: What the package gets.
        ticked: Whether what the card is named after happens.
        answers: What can be answered; none if it is only listed.
        entry_id: Its plan entry, or `""`.
        settled: A person has answered it, or nothing can be answered.
    """

    item: str
    file: str
    lines: str
    text: str
    digest: str
    why: str
    result: str
    ticked: bool = True
    answers: tuple[ReviewAnswer, ...] = ()
    entry_id: str = ""
    settled: bool = False


class ReviewItem(Struct, frozen=True):
    """One card with its rows."""

    card: Card
    rows: tuple[ReviewRow, ...]

    @property
    def title(self) -> str:
        """Return what the card is about, in words."""
        return CARD_TITLES[self.card]

    @property
    def accept(self) -> Command:
        """Return the act that takes the suggested answer of each row."""
        commands = tuple(row.answers[0].command for row in self.rows if row.answers)
        return Together(commands, f"accept {_counted(len(commands), 'row')}: {self.title}")


def review_cards(conversion: Conversion) -> tuple[ReviewItem, ...]:
    """Return every card that has rows, with all of them."""
    found = {card: tuple(row for find in _FINDERS[card] for row in find(conversion)) for card in Card}
    return tuple(ReviewItem(card, rows) for card, rows in found.items() if rows)


def review_items(conversion: Conversion) -> tuple[ReviewItem, ...]:
    """Return the cards with the rows that nobody has answered."""
    return open_items(review_cards(conversion))


def open_items(cards: Iterable[ReviewItem]) -> tuple[ReviewItem, ...]:
    """Return the cards with the rows that nobody has answered."""
    left = ((each.card, tuple(row for row in each.rows if not row.settled)) for each in cards)
    return tuple(ReviewItem(card, rows) for card, rows in left if rows)


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


def _answered(
    conversion: Conversion, row: ReviewRow, keep: str, *answers: ReviewAnswer, by_user: bool = False
) -> ReviewRow:
    """Return a row with the answer that leaves it as it stands, and others."""
    command = MarkReviewed({row.item: row.digest}, "keep")
    as_is = ReviewAnswer(AS_IS, "keep", keep, row.result, command)
    return structs.replace(
        row, answers=(as_is, *answers), settled=by_user or _is_settled(conversion.decisions, row)
    )


def _is_settled(decisions: Decisions, row: ReviewRow) -> bool:
    reviewed = decisions.reviewed.get(row.item)
    return reviewed is not None and reviewed.text in ("", row.digest)


def _row(kind: str, key: str, element: Element, why: str, result: str, entry: PlanEntry | None) -> ReviewRow:
    entry_id = entry.entry_id if entry is not None else ""
    text = " ".join(element.statement.split())
    return ReviewRow(
        f"{kind}:{key}",
        element.source_file,
        element.source_lines,
        text,
        element_digest(element),
        why,
        result,
        entry_id=entry_id,
    )


def _elements(conversion: Conversion) -> Iterator[tuple[str, Element, PlanEntry | None]]:
    """Yield the elements with their keys and entries."""
    entries = conversion.plan.by_element
    for element in conversion.inventory.elements:
        yield conversion.keys[element.element_id], element, entries.get(element.element_id)


# --- checked on every reply ------------------------------------------------------------------------


_UNCHECKED: Final = "The model is told; nothing checks it"


def _of_replies(conversion: Conversion) -> Iterator[ReviewRow]:
    ticked: list[ReviewRow] = []
    listed: list[ReviewRow] = []
    retags = conversion.decisions.retags
    for key, element, entry in _elements(conversion):
        taken = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED)
        chosen = retags[key].judged if key in retags else None
        shown = taken or next(iter(element.offered), None)
        if shown is not None and shown.against:  # a contradiction, which is asked about once
            continue
        if shown is None and chosen is None:
            continue
        why = shown.reason if shown is not None else "It was chosen that nothing checks it."
        is_python = shown is not None and shown.kind is DecisionKind.CHECKED
        how = "Python checks it in every reply" if is_python else "A model judges every reply by it"
        row = _row("judged", key, element, why, how if taken else _UNCHECKED, entry)
        row = structs.replace(row, ticked=taken is not None)
        other = (
            ReviewAnswer("x", "no", "don't check", _UNCHECKED, SetTag((key,), judged=False))
            if taken
            else ReviewAnswer("c", "yes", "check every reply", how, SetTag((key,), judged=True))
        )
        keep = "check every reply" if taken else "leave unchecked"
        # A model's answer is asked about under "Needs you"; a disposition that the user chose answers it too.
        decided = chosen is not None or (entry is not None and entry.key in conversion.decisions.overrides)
        row = _answered(conversion, row, keep, other, by_user=decided)
        (ticked if taken else listed).append(row)
    yield from (*ticked, *listed)


# --- wakes and does by itself ----------------------------------------------------------------------


def _of_schedule(conversion: Conversion) -> Iterator[ReviewRow]:
    classification = conversion.classification
    schedule = classification.schedule
    if schedule.cadence:
        said = schedule.cadence + (f", active {schedule.active_hours}" if schedule.active_hours else "")
        others = [each.message for each in conversion.diagnostics if each.code == "wake-ups-disagree"]
        read = schedule.cron or (_interval(schedule.seconds) if schedule.seconds else said)
        zone = schedule.timezone or schedule.home_zone
        days = f" on {', '.join(schedule.days)}" if schedule.days else ""
        row = ReviewRow(
            f"schedule:{schedule.file}",
            schedule.file,
            schedule.lines,
            said,
            text_digest(said),
            " ".join([f"It says when the agent wakes: {schedule.cadence}.", *others]),
            f"The package says: {read}{days}{f' ({zone})' if zone else ''}",
        )
        off = ReviewAnswer(
            "x",
            "none",
            "no schedule",
            "It runs when it is called",
            ChangeSettings({"modality": Modality.SYNCHRONOUS_ONESHOT}),
        )
        is_chosen = classification.modality_override is not None
        yield _answered(conversion, row, "wake as read", off, by_user=is_chosen)
    for key, element, entry in _elements(conversion):
        task = element.decided(DecisionKind.TASK)
        if task is not None and entry is not None:
            title = element.facts[ScheduleFact].title
            row = _row("schedule", key, element, task.reason, _result(entry), entry)
            row = structs.replace(row, text=f"{title}: {row.text}" if title not in row.text else row.text)
            answers = _disposition_answers(entry, (Disposition.REMOVE,))
            yield _answered(conversion, row, "do it then", *answers, by_user=entry.overridden)


_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def _interval(seconds: int) -> str:
    """Return an interval in its largest whole unit."""
    size, unit = next((size, unit) for size, unit in _UNITS if not seconds % size)
    count = seconds // size
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


# --- may call, stays out, travels: rows of the plan --------------------------------------------------


def _of_tools(conversion: Conversion) -> Iterator[ReviewRow]:
    for key, element, entry in _elements(conversion):
        if entry is None or entry.kind not in TOOLS:
            continue
        foreign = foreign_variables(element) if entry.disposition is Disposition.STUB else ""
        row = _row("tool", key, element, foreign or entry.reason, _result(entry), entry)
        is_working = entry.disposition is Disposition.REAL_IMPL
        answers = _disposition_answers(entry, _TOOL_ANSWERS)
        keep = "allow it" if is_working else "leave it as planned"
        yield _answered(
            conversion,
            structs.replace(row, ticked=is_working),
            keep,
            *answers,
            by_user=entry.overridden or not (is_working or foreign),
        )


_TOOL_ANSWERS: Final = (Disposition.REAL_IMPL, Disposition.STUB, Disposition.MOCK, Disposition.REMOVE)


def _of_left_out(conversion: Conversion) -> Iterator[ReviewRow]:
    templates: dict[str, list[tuple[str, Element]]] = {}
    retags = conversion.decisions.retags
    for key, element, entry in _elements(conversion):
        decision = element.decided(DecisionKind.LEFT_OUT)
        is_removed = entry is not None and entry.disposition is Disposition.REMOVE
        is_chosen = (key in retags and retags[key].left_out is not None) or bool(entry and entry.overridden)
        if decision is None and not is_removed and not (is_chosen and key in retags):
            continue
        if element.template and not is_chosen:
            templates.setdefault(element.source_file, []).append((key, element))
            continue
        is_out = decision is not None or is_removed
        why = decision.reason if decision is not None else entry.reason if entry is not None else ""
        where = "Left out; mapping_report.md lists it" if is_out else "It is in the package"
        row = structs.replace(_row("left_out", key, element, why, where, entry), ticked=is_out)
        keep = ReviewAnswer(
            "y", "keep", "keep it in", "It becomes text of the package", SetTag((key,), left_out=False)
        )
        back = ReviewAnswer("x", "leave", "leave it out", "Left out", SetTag((key,), left_out=True))
        answers: tuple[ReviewAnswer, ...] = (keep if is_out else back,)
        if decision is None and entry is not None:
            answers = tuple(_disposition_answers(entry, (Disposition.BUNDLE, Disposition.STUB)))
        yield _answered(
            conversion, row, "leave it out" if is_out else "keep it in", *answers, by_user=is_chosen
        )
    for file, members in templates.items():
        keys = tuple(key for key, _ in members)
        first, last = members[0][1].line_range[0], members[-1][1].line_range[1]
        text = f"{_counted(len(members), 'line')} of the runtime's template"
        row = ReviewRow(
            f"left_out:{file}",
            file,
            f"{first}-{last}" if last > first else str(first),
            text,
            text_digest(" ".join(element_digest(element) for _, element in members)),
            "It is the runtime's own template text; nobody chose it.",
            "Left out; mapping_report.md lists it",
        )
        yield _answered(
            conversion,
            row,
            "leave it out",
            ReviewAnswer(
                "y", "keep", "keep it in", "It becomes text of the package", SetTag(keys, left_out=False)
            ),
        )


def _of_travelling(conversion: Conversion) -> Iterator[ReviewRow]:
    for key, element, entry in _elements(conversion):
        if entry is None:
            continue
        travels = element.decided(DecisionKind.TRAVELS)
        if travels is not None:
            why, others = travels.reason, [Disposition.REMOVE]
        elif entry.kind is EntryKind.MEMORY:
            why = "What the agent has learnt may be private, and a package is passed on."
            others = [Disposition.BUNDLE, Disposition.LOAD_FROM_DISK, Disposition.REMOVE]
        else:
            continue
        row = _row("travels", key, element, why, _result(entry), entry)
        is_copied = entry.disposition in (Disposition.BUNDLE, Disposition.EXTERNAL_INPUT)
        row = structs.replace(row, ticked=is_copied)
        answers = _disposition_answers(entry, others)
        keep = "let it travel" if is_copied else "as planned"
        yield _answered(conversion, row, keep, *answers, by_user=entry.overridden or not is_copied)


def _disposition_answers(entry: PlanEntry, offered: Iterable[Disposition]) -> Iterator[ReviewAnswer]:
    for disposition in offered:
        if entry.disposition is disposition or not cell(entry.kind, disposition).allowed:
            continue
        info = DISPOSITIONS[disposition]
        change = f"{DISPOSITIONS[entry.disposition].label} → {info.label}"
        command = SetDisposition((entry.key,), disposition)
        yield ReviewAnswer(info.key, disposition.value, info.label, change, command)


def _result(entry: PlanEntry) -> str:
    """Return what the package gets from an entry as planned."""
    effect = cell(entry.kind, entry.disposition).effect
    is_left_out = entry.disposition is Disposition.REMOVE  # then the effect names the section of the report
    return f"{entry.target}: {effect}" if entry.target and not is_left_out else effect


# --- possible secrets --------------------------------------------------------------------------------


def _of_secrets(conversion: Conversion) -> Iterator[ReviewRow]:
    codes = ("secret-possible", "secret-found")
    files = dict.fromkeys(each.file for each in conversion.diagnostics if each.code in codes)
    decisions = conversion.decisions
    for path in files:
        source = conversion.snapshot.file(path)
        named: dict[str, dict[str, SecretPlace]] = {}
        for place in secret_places(source) if source is not None else ():
            if place.digest not in conversion.released_secrets:
                named.setdefault(place.name, {})[place.digest] = place
        for name, places in named.items():
            row = _secret_row(name, tuple(places.values()))
            if all(place.sure for place in places.values()):
                yield structs.replace(row, why="It has the form of a secret, so it is masked.", settled=True)
                continue
            releases = tuple(
                ReleaseSecret(place.digest, place.name) for place in places.values() if not place.sure
            )
            release = releases[0] if len(releases) == 1 else Together(releases, f"release {name}")
            shown = f"{_counted(len(releases), 'value')} shown and converted as written"
            yield _answered(
                conversion,
                row,
                "keep masked",
                ReviewAnswer("r", "release", "not a secret", shown, release),
                by_user=f"secret-found:{path}" in decisions.acknowledged,
            )


def _secret_row(name: str, places: tuple[SecretPlace, ...]) -> ReviewRow:
    """Return the row of the values that a file has under one name; nothing in it is derived from a value."""
    first = places[0]
    return ReviewRow(
        f"secret:{name}",
        first.file,
        first.lines,
        f"{first.kind}, {first.length} characters, masked as ${first.variable}",
        text_digest(f"{name} {' '.join(place.kind for place in places)}"),
        "This may be a secret, so its value is masked until you answer.",
        f"${first.variable} from the environment",
    )


# --- needs you -----------------------------------------------------------------------------------------


def _of_assisted(conversion: Conversion) -> Iterator[ReviewRow]:
    retags = conversion.decisions.retags
    entries = conversion.plan.by_element
    for read, now in zip(conversion.resolved.elements, conversion.inventory.elements, strict=True):
        key = conversion.keys[read.element_id]
        retag = retags.get(key)
        if retag is None or not retag.assisted_by or key in conversion.decisions.overrides:
            continue
        before, after = _reading(read), _reading(now)
        same = before == after
        why = f"{retag.assisted_by} {'agrees' if same else 'chose this'}; the program's tests said: {before}."
        row = _row("assisted", key, now, why, after, entries.get(now.element_id))
        accept = ReviewAnswer(
            AS_IS, "accept", "accept the answer", f"{after}; it counts as yours", AcceptAssisted((key,))
        )
        reject = ReviewAnswer("r", "reject", "reject it", f"{after} → {before}", SetTag((key,), judged=False))
        yield structs.replace(row, answers=(accept,) if same else (accept, reject))


def _reading(element: Element) -> str:
    judged = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    return "checked on every reply" if judged else "not checked"


def _of_contradictions(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the pairs of rules that no reply can keep both of; neither is checked until one is chosen."""
    by_line = {
        f"{element.source_file}:{element.line_range[0]}": (key, element)
        for key, element, _ in _elements(conversion)
    }
    retags, seen = conversion.decisions.retags, set[str]()
    for key, element, entry in _elements(conversion):
        against = next((each.against for each in element.offered if each.against), "")
        if against not in by_line or key in seen:
            continue
        other, excluded = by_line[against]
        seen.add(other)
        row = _row("contradiction", key, element, element.offered[0].reason, "Neither is checked", entry)
        row = structs.replace(row, text=f"{row.text} ↔ {against}: {excluded.statement}", ticked=False)
        answers = (_only("f", key, other, element), _only("s", other, key, excluded))
        is_settled = any(each in retags and retags[each].judged is not None for each in (key, other))
        yield _answered(conversion, row, "check neither", *answers, by_user=is_settled)


def _only(letter: str, kept: str, dropped: str, element: Element) -> ReviewAnswer:
    both = (SetTag((kept,), judged=True), SetTag((dropped,), judged=False))
    change = "The other one is not checked"
    return ReviewAnswer(letter, f"only:{kept}", f"check {element.location}", change, Together(both, "settle"))


_CHOOSE: Final = "{} and {} would convert it differently."


def _of_conflicts(conversion: Conversion) -> Iterator[ReviewRow]:
    by_id = conversion.inventory.by_id
    for conflict in conversion.plan.conflicts:
        element = by_id.get(conflict.element_id)
        if element is None:
            continue
        words = {
            PRIMARY: ("l", conflict.primary),
            CONTRIBUTOR: ("c", conflict.contributor),
            MERGE: ("m", "both"),
        }
        now = conflict.resolution
        refused = {name for name, _ in conflict.refusals}
        why = conflict.reason or _CHOOSE.format(conflict.primary, conflict.contributor)
        result = "; ".join(f"{each.runtime}: {each.target or 'nothing'}" for each in conflict.treatments)
        entry = conversion.plan.by_element.get(conflict.element_id)
        yield _answered(
            conversion,
            _row("conflict", conflict.key, element, why, result, entry),
            f"as planned: {words[now][1]}",
            *(
                ReviewAnswer(
                    words[other][0],
                    other,
                    words[other][1],
                    f"{now} → {other}",
                    ResolveConflict(conflict.key, other),
                )
                for other in RESOLUTIONS
                if other != now and other not in refused
            ),
            by_user=conflict.resolved_by in (DecisionSource.USER, DecisionSource.CONFIG),
        )


def _of_orphans(conversion: Conversion) -> Iterator[ReviewRow]:
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
        row = ReviewRow(
            f"orphan:{item.name}",
            key_file(item.name),
            "",
            words,
            text_digest(words),
            _REWORDED if is_likely else _LOST,
            "Nothing, until it has a row.",
            ticked=False,
        )
        drop = ReviewAnswer(
            "x", "drop", "drop it", "it leaves the decisions file", DropUnplaced((item.name,))
        )
        row = _answered(conversion, row, "keep for later", *moves, drop)
        later, *others = row.answers
        answers = (*moves, later, drop) if is_likely else (later, *others)
        yield structs.replace(row, answers=answers)


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
            free = entry is not None and place.key not in decisions.overrides
            return free and (item.disposition is None or _allows(entry, item.disposition))
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


def _allows(entry: PlanEntry | None, disposition: Disposition) -> bool:
    return entry is not None and cell(entry.kind, disposition).allowed


_FINDERS: Final[Mapping[Card, tuple[Callable[[Conversion], Iterator[ReviewRow]], ...]]] = {
    Card.CHECKED: (_of_replies,),
    Card.WAKES: (_of_schedule,),
    Card.CALLS: (_of_tools,),
    Card.LEFT_OUT: (_of_left_out,),
    Card.SECRETS: (_of_secrets,),
    Card.TRAVELS: (_of_travelling,),
    Card.NEEDS_YOU: (_of_contradictions, _of_assisted, _of_conflicts, _of_orphans),
}


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
        """Return the open cards; computed once for each plan and its decisions."""
        plan, decisions = self._conversion.plan, self._conversion.decisions
        if self._found is None or self._found[0] is not plan or self._found[1] is not decisions:
            self._found = (plan, decisions, review_items(self._conversion))
        return self._found[2]

    @property
    def open_in_plan(self) -> int:
        """Return how many cards, and decisions whose text has changed, are open."""
        return len(self.items) + len(self._on_changed_text)

    @property
    def reasons(self) -> dict[str, str]:
        """Return why entries need review, by entry id, in the plan's order."""
        on_cards = {row.entry_id: row.why for item in self.items for row in item.rows if row.entry_id}
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
