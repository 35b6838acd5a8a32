"""Determines the content of SCHEDULE_CONFIG and SCHEDULED_TASKS, and of their counterparts in the manifest.

A row has only what the source declares: `cadence` in its words; `seconds`, `cron`, `times` and `days` as far as it was
understood; `timezone`, `active_hours`, `active_start`, `active_end` and `quiet_hours`. A static module of the package
reads them (`schedule.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.cron import cron_of
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ScheduleFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.excerpts import excerpt, title_of
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    is_heartbeat,
    of_kind,
    statement_of,
    tasks_in_texts,
    whole_statement_of,
)

TASKS_SYMBOL: Final = "SCHEDULED_TASKS"

Row = dict[str, object]


class TaskRow(Struct, frozen=True):
    """One row of SCHEDULED_TASKS and the elements it comes from."""

    row: Row
    elements: tuple[Element, ...]


def declared_schedule(committed: CommittedPlan) -> Schedule:
    """Return the agent's schedule, in the user's time zone where it names hours or days but no zone."""
    found = committed.classification.schedule
    zone = zone_without_one(committed, found.file) if is_of_a_zone(found) else ""
    return replace(found, timezone=found.timezone or zone)


def schedule_row(schedule: Schedule | ScheduleFact, home_zone: str = "") -> Row:
    """Return what a schedule declares, without what it leaves open.

    Args:
        schedule: The schedule.
        home_zone: The time zone of its times if it names none.
    """
    zone = schedule.zone if isinstance(schedule, ScheduleFact) else schedule.timezone
    values: Row = {
        "cadence": schedule.cadence,
        "seconds": schedule.seconds,
        "cron": schedule.cron,
        "times": schedule.times,
        "days": schedule.days,
        "active_hours": schedule.active_hours,
        "active_start": schedule.active_start,
        "active_end": schedule.active_end,
        "quiet_hours": schedule.quiet_hours,
        "timezone": zone or (home_zone if is_of_a_zone(schedule) else ""),
    }
    return {key: found for key, found in values.items() if found}


def is_of_a_zone(schedule: Schedule | ScheduleFact) -> bool:
    """Return whether a schedule names hours or days, which mean nothing without a time zone."""
    hour = schedule.cron.split()[1:2]
    fixed = bool(hour) and not hour[0].startswith("*")
    return bool(fixed or schedule.times or schedule.days or schedule.active_start)


def zone_without_one(committed: CommittedPlan, file: str) -> str:
    """Return the time zone of times in a file that name none; a scheduler's jobs are in that of their machine."""
    return "" if file.endswith((".json", ".json5")) else committed.classification.schedule.home_zone


def schedule_values(committed: CommittedPlan) -> Row:
    """Return the content of SCHEDULE_CONFIG: the first wake-up, and all of them as `wake_ups` if there are several."""
    schedule = declared_schedule(committed)
    row: Row = {
        "type": schedule.type,
        "cadence": schedule.cadence or (None if is_heartbeat(committed) else ""),
    }
    row |= schedule_row(schedule)
    listed = tuple(wake_up_rows(committed))
    if schedule.type not in ("", "event") and not is_heartbeat(committed):
        row["message"] = listed[0]["message"]
    several = several_wake_ups(committed)
    return {**row, "wake_ups": several} if several else row


def several_wake_ups(committed: CommittedPlan) -> tuple[Row, ...]:
    """Return all wake-ups, or nothing if the agent's own is the only one.

    A job whose time is only known in words is a task alone, since no scheduler can start it.
    """
    rows = tuple(wake_up_rows(committed))
    listed = tuple(
        row
        for row in rows
        if row.keys() & {"cron", "seconds"} or row.get("message", "heartbeat") == "heartbeat"
    )
    return listed if len(listed) > 1 or not _has_time(committed.classification.schedule) else ()


def task_rows(committed: CommittedPlan) -> list[TaskRow]:
    """Return the rows of SCHEDULED_TASKS: what the texts give a time, and the jobs of a scheduler beside others.

    A scheduler's only job is what every wake-up is for.
    """
    schedule = committed.classification.schedule
    alone = not is_heartbeat(committed) and not schedule.others
    return _all_tasks(committed, TASKS_SYMBOL if alone else "")


def checklist_items(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the elements of the wake-up checklist, in source order."""
    return [
        item
        for item in of_kind(committed, EntryKind.SCHEDULE, *Disposition)
        if item.mapping.target_symbol == CHECKLIST and item.entry.disposition is not Disposition.REMOVE
    ]


def has_times_without_zone(committed: CommittedPlan) -> bool:
    """Return whether some time of the source names no zone and is read in the user's."""
    schedule = committed.classification.schedule
    timed = (schedule, *schedule.others, *(task.schedule for task in schedule.tasks))
    return any(
        is_of_a_zone(found) and not found.timezone and zone_without_one(committed, found.file)
        for found in timed
    )


def wake_up_rows(committed: CommittedPlan) -> Iterator[Row]:
    """Yield one row for each cron line or interval that wakes the agent, with the message to wake it with.

    The message is a task's name only if the package knows the task's text by it; the only task of a source with a
    checklist is done with the checklist, which says how.
    """
    schedule = committed.classification.schedule
    tasks = task_rows(committed)
    known = {task.row["name"] for task in tasks}
    if len(known) == 1 and checklist_items(committed):
        known = set()
    named: dict[tuple[str, int, object], object] = {
        (task.schedule.file, task.schedule.first_line, task.schedule.cadence): task.title
        for task in schedule.tasks
        if task.title in known
    }
    for task in tasks:
        for element in task.elements if known else ():
            place = (element.source_file, element.line_range[0], task.row.get("cadence"))
            named.setdefault(place, task.row["name"])
    seen: list[Row] = []
    for found in filter(_has_time, (schedule, *schedule.others)):
        for row in split_times(schedule_row(found, zone_without_one(committed, found.file)), found):
            if not is_heartbeat(committed):
                place = (found.file, found.first_line, found.cadence)
                row["message"] = named.get(place, "heartbeat")
            if row not in seen:
                seen.append(row)
                yield row
    if is_heartbeat(committed):
        for task in woken_for(committed):
            timing = {key: found for key, found in task.row.items() if key not in ("name", "text")}
            yield {**timing, "message": task.row["name"]}


def woken_for(committed: CommittedPlan) -> list[TaskRow]:
    """Return the tasks with clock times that no heartbeat meets, which wake the agent themselves."""
    schedule = committed.classification.schedule
    if not is_heartbeat(committed):
        return []
    return [
        task
        for task in _all_tasks(committed, TASKS_SYMBOL)
        if task.row.get("cron") and not any(_meets(each, task.row) for each in (schedule, *schedule.others))
    ]


def _has_time(schedule: Schedule) -> bool:
    """Return whether a wake-up has a time or an event, and not only limits such as days."""
    return any((schedule.type, schedule.cadence, schedule.cron, schedule.seconds, schedule.times))


def _meets(heartbeat: Schedule, row: Row) -> bool:
    """Return whether a heartbeat comes at all times of a task, which its check of what is due then finds."""
    times, days = set(_words(row.get("times"))), set(_words(row.get("days")))
    if not times:
        return row["cron"] == heartbeat.cron
    on_its_days = not heartbeat.days or bool(days and days <= set(heartbeat.days))
    return times <= set(heartbeat.times) and on_its_days


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


def split_times(row: Row, schedule: Schedule | ScheduleFact) -> Iterator[Row]:
    """Yield the row, or one row for each minute of the hour if one cron line can't hold the times."""
    if schedule.cron or schedule.seconds or len(schedule.times) < 2:
        yield dict(row)
        return
    by_minute: dict[str, list[str]] = {}
    for time in schedule.times:
        by_minute.setdefault(time.partition(":")[2], []).append(time)
    for times in by_minute.values():
        yield {**row, "cron": cron_of(times, schedule.days), "times": tuple(times)}


def _from_elements(committed: CommittedPlan, symbol: str = "") -> Iterator[TaskRow]:
    """Yield the tasks of HEARTBEAT.md and of cron/jobs.json: elements of one title and cadence are one task."""
    groups: dict[object, list[PlannedElement]] = {}
    for item in of_kind(committed, EntryKind.SCHEDULE, *Disposition):
        fact = item.element.facts[ScheduleFact]
        if symbol and item.mapping.target_symbol != symbol:
            continue
        if fact.title and item.entry.disposition is not Disposition.REMOVE:
            groups.setdefault((fact.title, fact.cadence, fact.cron, fact.times), []).append(item)
    for items in groups.values():
        fact = items[0].element.facts[ScheduleFact]
        zone = zone_without_one(committed, items[0].element.source_file)
        text = _text_of(committed, items, fact.title)
        row = {"name": fact.title, "text": text, **schedule_row(fact, zone)}
        for each in split_times(row, _as_schedule(fact)):
            yield TaskRow(each, tuple(item.element for item in items))


def _all_tasks(committed: CommittedPlan, symbol: str) -> list[TaskRow]:
    listed = [*_from_elements(committed, symbol)]
    return [*listed, *_others_on_lines(committed, listed), *_from_text(committed)]


def _others_on_lines(committed: CommittedPlan, listed: Sequence[TaskRow]) -> Iterator[TaskRow]:
    """Yield the further tasks of lines that name several; an element has the fact of the first one."""
    names = {row.row["name"] for row in listed}
    by_line = {(row.elements[0].source_file, row.elements[0].line_range[0]): row for row in listed}
    for task in committed.classification.schedule.tasks:
        first = by_line.get((task.schedule.file, task.schedule.first_line))
        if first is None or task.title in names or len(first.elements) > 1:
            continue
        zone = zone_without_one(committed, task.schedule.file)
        row = {"name": task.title, "text": first.row["text"], **schedule_row(task.schedule, zone)}
        for each in split_times(row, task.schedule):
            yield TaskRow(each, first.elements)


def _text_of(committed: CommittedPlan, items: Sequence[PlannedElement], title: str) -> str:
    """Return what a task says: one line, or its part of the file below the heading that names it."""
    first = items[0].element
    if len(items) == 1:
        return whole_statement_of(first)
    return excerpt(committed, items, below=tuple(each for each in first.section if title not in each))


def _as_schedule(fact: ScheduleFact) -> Schedule:
    return Schedule(type=fact.kind, seconds=fact.seconds, cron=fact.cron, times=fact.times, days=fact.days)


def _from_text(committed: CommittedPlan) -> Iterator[TaskRow]:
    """Yield the tasks that other files than HEARTBEAT.md name, with what belongs to them there."""
    for task, element in tasks_in_texts(committed):
        items = _part_of_task(committed, task, element)
        text = (
            _text_of(committed, items, task.title)
            if items
            else _line_of(committed, task) or statement_of(element)
        )
        zone = zone_without_one(committed, task.schedule.file)
        row = {"name": task.title, "text": text, **schedule_row(task.schedule, zone)}
        elements = tuple(item.element for item in items) or (element,)
        for each in split_times(row, task.schedule):
            yield TaskRow(each, elements)


def _part_of_task(committed: CommittedPlan, task: ScheduledTask, element: Element) -> list[PlannedElement]:
    """Return what a task consists of: the section that its name opens, or its line with what is nested in it.

    Nothing of a memory, which isn't part of the package.
    """
    entry = committed.plan.by_element.get(element.element_id)
    if entry is not None and entry.kind is EntryKind.MEMORY:
        return []
    section = element.section
    if element.kind == "heading":
        section = (*section, title_of(element))
    elif not section or task.title not in section[-1]:
        title = title_of(element)
        return [
            item
            for item in _in_section(committed, element.source_file, section)
            if item.element.element_id == element.element_id or title in item.element.context
        ]
    return _in_section(committed, element.source_file, section)


def _line_of(committed: CommittedPlan, task: ScheduledTask) -> str:
    """Return the line of a task in a file of which nothing else reaches the package, such as a memory."""
    file = committed.snapshot.file(task.schedule.file)
    first, _, last = task.schedule.lines.partition("-")
    lines = file.lines[int(first) - 1 : int(last or first)] if file is not None else ()
    return plain_text(without_block_marks(" ".join(lines)).strip())


def _in_section(committed: CommittedPlan, file: str, section: tuple[str, ...]) -> list[PlannedElement]:
    """Return the elements of a file that are kept below some headings."""
    return [
        item
        for item in committed.planned
        if item.element.source_file == file
        and item.element.section[: len(section)] == section
        and item.entry.disposition is not Disposition.REMOVE
    ]
