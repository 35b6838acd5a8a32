"""The rows of what the package does and leaves out: all cards but the one with what only a person can settle."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import structs

from melleafy_tui.core.decisions.commands import ChangeSettings, ReleaseSecret, SetTag, Together, counted
from melleafy_tui.core.decisions.keys import element_digest, slug, text_digest
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.time.next_runs import next_runs
from melleafy_tui.core.language.wording import first_of, sentences, shorten
from melleafy_tui.core.models.classification import Schedule, ScheduleRow
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.findings import DIAGNOSTICS, Diagnostic
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import TOOLS, DecisionKind, Disposition, EntryKind, Modality, Runtime
from melleafy_tui.core.package.file_account import REASONS
from melleafy_tui.core.package.script_calls import script_call
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.package.source_tool_rules import ToolRow, tool_rows
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import (
    ReviewAnswer,
    ReviewRow,
    Subject,
    answered,
    disposition_answers,
    result_of,
    subjects,
)
from melleafy_tui.core.pipeline.schedule_changes import WAKE_UP, is_about, read_changes
from melleafy_tui.core.source.secrets.masking import SecretPlace, masked_words, secret_places

_UNCHECKED: Final = "The model is told; nothing checks it"
_LEFT_OUT: Final = "Left out; mapping_report.md lists it"


def rows_of_replies(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the rules that are checked, then those that could be."""
    rows: list[ReviewRow] = []
    for each in subjects(conversion):
        judged, checked = map(each.element.decided, (DecisionKind.JUDGED, DecisionKind.CHECKED))
        taken = checked or judged
        shown = taken or next(iter(each.element.offered), None)
        if shown is not None and shown.against:  # a contradiction, which is asked about once
            continue
        if shown is None and each.retag.judged is None:
            continue
        why = shown.reason if shown is not None else "It was chosen that nothing checks it."
        is_python = shown is not None and shown.kind is DecisionKind.CHECKED
        how = "Python checks it in every reply" if is_python else "A model judges every reply by it"
        row = each.row("judged", why, how if taken else _UNCHECKED, ticked=taken is not None)
        change = SetTag((each.key,), judged=not taken)
        words = ("x", "no", "don't check", _UNCHECKED) if taken else ("c", "yes", "check every reply", how)
        keep = "check every reply" if taken else "leave unchecked"
        # A model's answer is asked about under "Needs you"; a disposition that the user chose answers it too.
        decided = each.retag.judged is not None or each.key in conversion.decisions.overrides
        answers = (ReviewAnswer(*words, change), *(_without_one(each) if taken else ()))
        rows.append(answered(conversion, row, keep, *answers, by_user=decided))
    yield from sorted(rows, key=lambda row: not row.ticked)


def _without_one(each: Subject) -> Iterator[ReviewAnswer]:
    """Yield the answers that leave out one sentence each of what is checked; the prompt keeps them all."""
    parts = sentences(each.element.statement)
    for number, (letter, part) in enumerate(zip(_LETTERS, parts, strict=False), 1) if len(parts) > 1 else ():
        rest = " ".join((*parts[: number - 1], *parts[number:]))
        label, change = f"don't check “{shorten(part, _LONGEST_PART)}”", f"Checked: {rest}"
        command = SetTag((each.key,), judged=True, wording=rest)
        yield ReviewAnswer(letter, f"without-{number}", label, change, command)


_LETTERS: Final = "bcdefghij"
"""The letters of these answers; a digit would be a row in the plain lines."""
_LONGEST_PART: Final = 60


# --- wakes and does by itself ----------------------------------------------------------------------


def rows_of_schedule(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the wake-up, the tasks, the times that the owner is asked about, and those told elsewhere."""
    for item, row in timed_rows(conversion).items():
        yield _time_row(conversion, row, item)


def timed_rows(conversion: Conversion) -> dict[str, ScheduleRow]:
    """Return the times that the review has rows of, by the item of the row."""
    schedule = conversion.classification.schedule
    rows = schedule.rows
    if schedule.cadence and not any(not row.title for row in rows):  # a runtime that lists no times
        rows = (ScheduleRow("taken", "", schedule), *rows)
    seen, found = Counter[str](), dict[str, ScheduleRow]()
    for row in rows:
        key = _time_key(conversion, row)
        seen[key] += 1
        found[f"schedule:{key}~{seen[key]}" if seen[key] > 1 else f"schedule:{key}"] = row
    return found


def _time_key(conversion: Conversion, row: ScheduleRow) -> str:
    """Return the key of the element that holds the whole task, else file and title."""
    file = row.schedule.file
    if not row.title:
        return file or WAKE_UP
    for each in subjects(conversion):
        if each.element.source_file == file and each.element.line_range == (row.first, row.last):
            return each.key
    return f"{file}#{slug(row.title, 6)}" if file else slug(row.title, 6)


def _time_row(conversion: Conversion, row: ScheduleRow, item: str) -> ReviewRow:
    words = row.schedule.cadence
    said = f"{words}, active {row.schedule.active_hours}" if row.schedule.active_hours else words
    lines = str(row.first) if row.first == row.last else f"{row.first}-{row.last}"
    source = _source(conversion, row) if row.title else said
    text = f"{row.title}: {source}" if row.title and row.title not in source else source
    zone = row.schedule.timezone or conversion.classification.schedule.home_zone
    when = time_as_read(row.schedule, zone)
    upcoming = next_runs(row.schedule, conversion.as_of, 1) if row.state == "taken" else ()
    due = f"{when}; next {upcoming[0]}" if upcoming else when
    why, result = _WHY[row.state]
    name = row.title or WAKE_UP
    is_decided = any(is_about(change, name) for change in conversion.settings.schedule)
    others = [each.message for each in conversion.diagnostics if each.code == "wake-ups-disagree"]
    shown = ReviewRow(
        item,
        row.schedule.file,
        lines if row.first else row.schedule.lines,
        text,
        text_digest(f"{text} {words}"),
        " ".join([row.reason or why.format(words=words), *(() if row.title else others)]),
        result.format(when=due, name=name),
        ticked=row.state == "taken",
    )
    if row.state == "off" and not is_decided:  # a job that doesn't wake this agent
        return structs.replace(shown, settled=True)
    keep = "wake as read" if row.state == "taken" else "leave it out"
    is_settled = is_decided or (not row.title and conversion.classification.modality_override is not None)
    return answered(conversion, shown, keep, *_time_answers(conversion, row, when), by_user=is_settled)


_WHY: Final = {
    "taken": ("It says when the agent wakes: {words}.", "The package says: {when}"),
    "asked": ("Its time can't be read whole.", "Not due. To set a time: --schedule '{name}=WHEN'"),
    "elsewhere": ("A time in another text.", "Text only; nothing wakes for it"),
    "off": ("You switched it off.", "Not due"),
}


def _source(conversion: Conversion, row: ScheduleRow) -> str:
    """Return the words of a task as the source has them, with exceptions and sub-items."""
    file = conversion.snapshot.file(row.schedule.file)
    if file is None or not row.first or row.state == "elsewhere" or file.path.endswith((".json", ".json5")):
        return row.schedule.cadence
    return " ".join(file.cut(row.first, row.last).split())


def time_as_read(schedule: Schedule, zone: str = "") -> str:
    """Return a time as it was read: how often or when, on which days, in which hours, in which zone."""
    clocks = f"at {', '.join(schedule.times)}" if schedule.times else schedule.cron
    read = _interval(schedule.seconds) if schedule.seconds else clocks
    hours = f"{schedule.active_start}-{schedule.active_end}" if schedule.active_start else ""
    days = f" on {', '.join(schedule.days)}" if schedule.days and read != schedule.cron else ""
    active = f", active {hours or schedule.active_hours}" if hours or schedule.active_hours else ""
    return f"{read or schedule.cadence}{days}{active}{f' ({zone})' if zone else ''}"


def _time_answers(conversion: Conversion, row: ScheduleRow, when: str) -> Iterator[ReviewAnswer]:
    """Yield the answers that switch a wake-up or task off, or make it due at the time that was read."""
    name = row.title or WAKE_UP
    if row.state == "elsewhere" or "=" in name or "|" in name:
        return
    kept = tuple(change for change in conversion.settings.schedule if not is_about(change, name))
    if row.state == "taken":
        if not row.title and not conversion.classification.schedule.tasks:
            oneshot = ChangeSettings({"modality": Modality.SYNCHRONOUS_ONESHOT})
            yield ReviewAnswer("x", "none", "no schedule", "It runs when it is called", oneshot)
            return
        off = ChangeSettings({"schedule": (*kept, f"{name} = off")})
        yield ReviewAnswer("x", "off", "not due", "Nothing wakes the agent for it", off)
        return
    due = f"{name} = {row.schedule.cadence}"
    try:
        read_changes([due])
    except UsageError:
        return
    taken = ChangeSettings({"schedule": kept if row.state == "off" else (*kept, due)})
    yield ReviewAnswer("y", "due", "due then", f"Due {when}", taken)


_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def _interval(seconds: int) -> str:
    """Return an interval in its largest whole unit."""
    size, unit = next((size, unit) for size, unit in _UNITS if not seconds % size)
    count = seconds // size
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


# --- may call ----------------------------------------------------------------------------------------


def rows_of_tools(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the tools with what they call and by which rule they ask, then the approvals that no tool honours."""
    called, alone = tool_rows(conversion.inventory.elements)
    by_id = {row.element.element_id: row for row in called}
    approvals = {element.element_id for element in alone}
    listed: list[ReviewRow] = []
    for each in subjects(conversion):
        entry, name = each.entry, each.element.element_id
        if name in approvals and not each.element.is_left_out:
            row = each.row("approval", _NO_TOOL, "The model is told; nothing enforces it", ticked=False)
            listed.append(structs.replace(row, settled=True))
        if entry is None or entry.kind not in TOOLS:
            continue
        foreign = foreign_variables(each.element) if entry.disposition is Disposition.STUB else ""
        tool = by_id.get(name)
        denied = tool.denied if tool is not None else ""
        is_working = entry.disposition is Disposition.REAL_IMPL
        why = denied or foreign or entry.reason
        fact = each.element.facts[ToolFact]
        is_text = is_working and fact.document
        said = _GIVES_TEXT if is_text else _ASKS_AGENT.format(fact.agent) if is_working and fact.agent else ""
        result = _called(conversion, tool, f"{entry.target}: {said}" if said else result_of(entry))
        row = each.row("tool", why, result, ticked=is_working)
        if tool is not None and tool.call and not is_text and not row.text.startswith(tool.call):
            row = structs.replace(row, text=f"{tool.call}: {row.text}")
        answers = list(disposition_answers(entry, _TOOL_ANSWERS))
        if is_working and tool is not None and not tool.asks:
            asks = SetTag((each.key,), asks=True)
            answers.insert(1, ReviewAnswer("f", "ask", "ask first", "Each call asks before it is made", asks))
        is_chosen = entry.overridden or bool(each.retag.asks)
        yield answered(
            conversion,
            row,
            "allow it" if is_working else "leave it as planned",
            *answers,
            by_user=is_chosen or not (is_working or foreign or denied),
            tickable=is_working or bool(answers and answers[0].name == Disposition.REAL_IMPL),
        )
    yield from listed


_TOOL_ANSWERS: Final = (Disposition.REAL_IMPL, Disposition.REMOVE, Disposition.STUB, Disposition.MOCK)
"""The answers about a tool: the first that applies ticks a row, so that one without its tick is in no package."""
_GIVES_TEXT: Final = "A call gives the model the skill's text; nothing is run"
_ASKS_AGENT: Final = "It may ask the agent of {}, whose package `convert --all` writes beside this one"
_NO_TOOL: Final = "It asks for leave, and no tool of the package does what it names."


def _called(conversion: Conversion, tool: ToolRow | None, result: str) -> str:
    """Return what is called with which parameters, whether it asks first and why, and what the package gets."""
    if tool is None:
        return result
    asks = ", ".join(tool.reasons)
    fact = tool.element.facts[ToolFact]
    is_run = fact.script or fact.program
    script = script_call(fact, conversion.snapshot.file(fact.script)) if is_run else None
    given = ", ".join(each.words for each in script.arguments) if script is not None else ""
    parts = (
        f"With {given}" if given else "",
        f"Asks first: {asks}" if asks else "",
        result,
    )
    return ". ".join(filter(None, parts))


# --- stays out, possible secrets, travels ------------------------------------------------------------


def rows_left_out(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the lines that are left out, template text as one row a file."""
    templates: dict[str, list[Subject]] = {}
    for each in subjects(conversion):
        entry, decision = each.entry, each.element.decided(DecisionKind.LEFT_OUT)
        is_removed = entry is not None and entry.disposition is Disposition.REMOVE
        is_decided = each.retag.left_out is not None and not each.retag.assisted_by
        is_chosen = is_decided or bool(entry and entry.overridden)
        if decision is None and not is_removed and not is_decided:
            continue
        if each.element.template and not is_chosen:
            templates.setdefault(each.element.source_file, []).append(each)
            continue
        is_out = decision is not None or is_removed
        why = decision.reason if decision is not None else entry.reason if entry is not None else ""
        where, keep = (_LEFT_OUT, "leave it out") if is_out else ("It is in the package", "keep it in")
        row = each.row("left_out", why, where, ticked=is_out)
        leave = ReviewAnswer("x", "leave", "leave it out", "Left out", SetTag((each.key,), left_out=True))
        answers = [_keep(each.key) if is_out else leave]
        if decision is None and entry is not None:
            answers = list(disposition_answers(entry, (Disposition.BUNDLE, Disposition.STUB)))
        yield answered(conversion, row, keep, *answers, by_user=is_chosen)
    for file, members in templates.items():
        ranges = [each.element.line_range for each in members]
        first, last = ranges[0][0], ranges[-1][1]
        lines = sum(end - start + 1 for start, end in ranges)
        row = ReviewRow(
            f"left_out:{file}",
            file,
            f"{first}-{last}" if last > first else str(first),
            f"{counted(lines, 'line')} of the runtime's template",
            text_digest(" ".join(element_digest(each.element) for each in members)),
            "It is the runtime's own template text; nobody chose it.",
            _LEFT_OUT,
        )
        yield answered(conversion, row, "leave it out", _keep(*(each.key for each in members)))


def _keep(*keys: str) -> ReviewAnswer:
    change = SetTag(keys, left_out=False)
    return ReviewAnswer("y", "keep", "keep it in", "It becomes text of the package", change)


def rows_unread(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield what wasn't read or carried, the files with one reason as one row."""
    told: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in conversion.diagnostics:
        if each.code in DIAGNOSTICS and DIAGNOSTICS[each.code].unread:
            told.setdefault((each.code, each.message), []).append(each)
    for (code, message), found in told.items():
        places = list(dict.fromkeys(each.file for each in found))
        text = ", ".join(places)
        row = ReviewRow(
            f"unread:{code}:{places[0]}",
            places[0],
            found[0].lines if len(found) == 1 else "",
            text,
            text_digest(f"{message} {text}"),
            message,
            f"Not in the package. {found[0].hint}".strip(),
        )
        yield answered(conversion, row, "leave it out")
    if not {*_OWN_FOLDER}.intersection(conversion.classification.dialect_runtimes):
        return
    for reason in _LEFT_THERE:
        left = [each for each in conversion.account.rows() if each.reason == reason]
        names = [f"{each.path} ({each.count} files)" if each.count > 1 else each.path for each in left]
        text = first_of(names, _MOST_NAMED)
        why = f"{REASONS[reason][0].upper()}{REASONS[reason][1:]}."
        result = "Not in the package. One that the agent needs is named where it is told to read it"
        for first in left[:1]:
            row = ReviewRow(f"unread:{reason}", first.path, "", text, text_digest(text), why, result)
            yield answered(conversion, row, "leave it out")


_LEFT_THERE: Final = ("told", "unused")
"""Reasons for files that the agent may need all the same."""
_MOST_NAMED: Final = 40
"""Files and folders that the row names; the report names all of them."""
_OWN_FOLDER: Final = (Runtime.OPENCLAW, Runtime.HERMES)
"""Runtimes whose folder is the agent's alone; a project holds much that is none of the agent's."""


def rows_of_steps(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the procedures of which not all steps are clear."""
    for each in conversion.diagnostics:
        if each.code == "steps-unsure":
            steps = conversion.inventory.procedure
            taken = f"{counted(len(steps.steps), 'step')} in pipeline.py" if steps else "One prompt"
            place, digest = f"steps:{each.file}", text_digest(each.message)
            row = ReviewRow(place, each.file, each.lines, each.message, digest, each.hint, taken)
            yield answered(conversion, row, "leave it so")


def rows_that_travel(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the facts about the person and the memory, with whether they travel with the package."""
    for each in subjects(conversion):
        entry = each.entry
        if entry is None:
            continue
        if each.element.decided(DecisionKind.OVERRIDABLE) is not None and not each.element.is_left_out:
            yield _fact_row(conversion, each, entry)
        elif entry.kind is EntryKind.MEMORY:
            is_copied = entry.disposition is Disposition.BUNDLE
            row = each.row("travels", _PRIVATE, result_of(entry), ticked=is_copied)
            answers = disposition_answers(entry, _OF_MEMORY)
            keep = "let it travel" if is_copied else "as planned"
            yield answered(conversion, row, keep, *answers, by_user=entry.overridden or not is_copied)


_PRIVATE: Final = "What the agent has learnt may be private, and a package is passed on."
_OF_MEMORY: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK, Disposition.REMOVE)
_BEHIND: Final = "Its value is in no file of the package; the caller must give it with --user-context"


def _fact_row(conversion: Conversion, each: Subject, entry: PlanEntry) -> ReviewRow:
    """Return the row of a fact that the caller can give: its value is the default, or in no file of the package."""
    travels = each.element.decided(DecisionKind.TRAVELS)
    is_removed = entry.disposition is Disposition.REMOVE
    stays = each.element.stays_behind and entry.disposition is Disposition.EXTERNAL_INPUT
    is_inside = not (stays or is_removed)
    why = travels.reason if travels is not None else "It was chosen that its value stays behind."
    row = each.row("travels", why, _BEHIND if stays else result_of(entry), ticked=is_inside)
    words = (
        ("y", "yes", "let it travel", "Its value is the default")
        if stays
        else ("e", "no", "caller gives it", _BEHIND)
    )
    given = () if is_removed else (ReviewAnswer(*words, SetTag((each.key,), travels=stays)),)
    answers = (*given, *disposition_answers(entry, [Disposition.REMOVE]))
    by_user = entry.overridden or each.retag.travels is not None
    keep = "let it travel" if is_inside else "as planned"
    return answered(conversion, row, keep, *answers, by_user=by_user)


def rows_of_secrets(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the values that may be secrets, and those that surely are."""
    for source in conversion.snapshot.files:
        named: dict[str, dict[str, SecretPlace]] = {}
        for place in secret_places(source):
            named.setdefault(place.name, {})[place.digest] = place
        for name, places in named.items():
            yield _secret_row(conversion, source, name, tuple(places.values()))


def _secret_row(
    conversion: Conversion, source: SourceFile, name: str, places: tuple[SecretPlace, ...]
) -> ReviewRow:
    """Return the row of the values that a file has under one name; nothing in it is derived from a value."""
    first, count = places[0], counted(len(places), "value")
    is_released = all(place.digest in conversion.released_secrets for place in places)
    is_sure = all(place.secret.sure for place in places)
    changes = tuple(ReleaseSecret(place.digest, place.name, not is_released) for place in places)
    name_of_act = f"{'mask' if is_released else 'release'} {name}"
    change = changes[0] if len(changes) == 1 else Together(changes, name_of_act)
    if is_released:
        keep, why = "leave it as written", "It was said to be no secret."
        result = f"The {'values' if len(places) > 1 else 'value'} as written"
        answer = ReviewAnswer("r", "mask", "mask it", "masked again", change)
    else:
        keep, why = "keep masked", "It has the form of a secret, so it is masked." if is_sure else _UNSURE
        result = f"${first.secret.variable} from the environment"
        shown = f"{count} shown and converted as written"
        answer = ReviewAnswer("r", "release", "not a secret", shown, change)
    row = ReviewRow(
        f"secret:{name}",
        first.file,
        first.secret.lines,
        f"{first.secret.kind}, {len(first.secret.value)} characters: {masked_words(source, first)}",
        text_digest(f"{name} {' '.join(place.secret.kind for place in places)}"),
        why,
        result,
        ticked=not is_released,
    )
    is_read = f"secret-found:{first.file}" in conversion.decisions.acknowledged
    settled = is_released or is_sure or is_read
    return answered(conversion, row, keep, answer, by_user=settled, tickable=not is_sure)


_UNSURE: Final = "This may be a secret, so its value is masked until you answer."
