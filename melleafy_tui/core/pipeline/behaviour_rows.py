"""The rows of what the package does: rules that are checked, wake-ups and tasks, and tools."""

from collections.abc import Iterator
from typing import Final

from msgspec import structs

from melleafy_tui.core.decisions.commands import ChangeSettings, SetTag
from melleafy_tui.core.decisions.keys import slug, text_digest
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.time.next_runs import next_runs
from melleafy_tui.core.models.classification import Schedule, ScheduleRow
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import TOOLS, DecisionKind, Disposition, Modality
from melleafy_tui.core.package.script_calls import Argument, script_call
from melleafy_tui.core.package.sent_variables import foreign_variables
from melleafy_tui.core.package.source_tool_rules import ToolRow, tool_rows
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import (
    ReviewAnswer,
    ReviewRow,
    answered,
    disposition_answers,
    result_of,
    subjects,
)
from melleafy_tui.core.pipeline.schedule_changes import WAKE_UP, is_about, read_changes

_UNCHECKED: Final = "The model is told; nothing checks it"


def rows_of_replies(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the rules that are checked, then those that could be."""
    ticked: list[ReviewRow] = []
    listed: list[ReviewRow] = []
    for each in subjects(conversion):
        taken = each.element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED)
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
        row = answered(conversion, row, keep, ReviewAnswer(*words, change), by_user=decided)
        (ticked if taken else listed).append(row)
    yield from (*ticked, *listed)


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
    seen: dict[str, int] = {}
    found: dict[str, ScheduleRow] = {}
    for row in rows:
        key = _time_key(conversion, row)
        seen[key] = seen.get(key, 0) + 1
        repeat = f"~{seen[key]}" if seen[key] > 1 else ""
        found[f"schedule:{key}{repeat}"] = row
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
        is_text = is_working and each.element.facts[ToolFact].document
        result = f"{entry.target}: {_GIVES_TEXT}" if is_text else _called(conversion, entry, tool)
        row = each.row("tool", why, result, ticked=is_working)
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


_TOOL_ANSWERS: Final = (Disposition.REAL_IMPL, Disposition.STUB, Disposition.MOCK, Disposition.REMOVE)
_GIVES_TEXT: Final = "A call gives the model the skill's text; nothing is run"
_NO_TOOL: Final = "It asks for leave, and no tool of the package does what it names."


def _called(conversion: Conversion, entry: PlanEntry, tool: ToolRow | None) -> str:
    """Return what is called with which parameters, whether it asks first and why, and what the package gets."""
    if tool is None:
        return result_of(entry)
    asks = ", ".join(dict.fromkeys(rule.location for rule in tool.asks))
    fact = tool.element.facts[ToolFact]
    is_run = fact.script or fact.program
    script = script_call(fact, conversion.snapshot.file(fact.script)) if is_run else None
    given = ", ".join(map(_parameter, script.arguments)) if script is not None else ""
    parts = (
        tool.call,
        f"With {given}" if given else "",
        f"Asks first: {asks}" if asks else "",
        result_of(entry),
    )
    return ". ".join(filter(None, parts))


_KINDS: Final = {"str": "text", "int": "number", "float": "number", "bool": "yes/no", "list[str]": "texts"}


def _parameter(argument: Argument) -> str:
    kind = "/".join(argument.choices) or _KINDS[argument.kind]
    return f"{argument.name}: {kind}{'' if argument.required else ' (optional)'}"
