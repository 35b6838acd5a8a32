"""Determines the content of SCHEDULE_CONFIG and SCHEDULED_TASKS, and of their counterparts in the manifest.

A row has only what the source declares: `cadence` in its words; `seconds`, `cron`, `times` and `days` as far as it was
understood; `timezone`, `active_hours`, `active_start`, `active_end` and `quiet_hours`. A static module of the package
reads them (`schedule.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.clock import DAY_SECONDS
from melleafy_tui.core.language.time.cron import cron_of
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.excerpts import excerpt
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    is_heartbeat,
    of_kind,
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


def schedule_row(schedule: Schedule, home_zone: str = "") -> Row:
    """Return what a schedule declares, without what it leaves open.

    Args:
        schedule: The schedule.
        home_zone: The time zone of its times if it names none.
    """
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
        "timezone": schedule.timezone or (home_zone if is_of_a_zone(schedule) else ""),
    }
    return {key: found for key, found in values.items() if found}


def is_of_a_zone(schedule: Schedule) -> bool:
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
    """Return the rows of SCHEDULED_TASKS: what has a time of its own, and the jobs of a scheduler beside others.

    A scheduler's only job is what every wake-up is for.
    """
    schedule = committed.classification.schedule
    alone = not is_heartbeat(committed) and not schedule.others
    return [
        row for row in _all_tasks(committed) if not (alone and row.elements[0:1] and _is_job(row.elements[0]))
    ]


def checklist_items(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the elements of the wake-up checklist, in source order: what no task holds and nobody switched off."""
    schedule = committed.classification.schedule
    held = [(task.schedule.file, task.first, task.last) for task in schedule.tasks if task.last]
    held += [(row.schedule.file, row.first, row.last) for row in schedule.rows if row.state == "off"]
    return [
        item
        for item in of_kind(committed, EntryKind.SCHEDULE, *Disposition)
        if item.mapping.target_symbol == CHECKLIST
        and item.entry.disposition is not Disposition.REMOVE
        and not any(
            file == item.element.source_file and first <= item.element.line_range[0] <= last
            for file, first, last in held
        )
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
        for task in map(_at_start_of_window, _all_tasks(committed))
        if task.row.get("cron") and not any(_meets(each, task.row) for each in (schedule, *schedule.others))
    ]


def _at_start_of_window(task: TaskRow) -> TaskRow:
    """Return a task of whole days that has a window with the time at which the window opens."""
    seconds, start = task.row.get("seconds"), task.row.get("active_start")
    if not isinstance(seconds, int) or seconds != DAY_SECONDS or not start:
        return task
    row = {key: found for key, found in task.row.items() if key != "seconds"}
    return TaskRow({**row, "cron": cron_of((str(start),), _words(row.get("days")))}, task.elements)


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


def split_times(row: Row, schedule: Schedule) -> Iterator[Row]:
    """Yield the row, or one row for each minute of the hour if one cron line can't hold the times."""
    if schedule.cron or schedule.seconds or len(schedule.times) < 2:
        yield dict(row)
        return
    by_minute: dict[str, list[str]] = {}
    for time in schedule.times:
        by_minute.setdefault(time.partition(":")[2], []).append(time)
    for times in by_minute.values():
        yield {**row, "cron": cron_of(times, schedule.days), "times": tuple(times)}


def _all_tasks(committed: CommittedPlan) -> list[TaskRow]:
    """Return the tasks of the schedule with their texts, one row for each cron line that a task needs."""
    tasks = committed.classification.schedule.tasks
    by_file: dict[str, list[PlannedElement]] = {}
    for item in committed.planned:
        by_file.setdefault(item.element.source_file, []).append(item)
    rows: list[TaskRow] = []
    for task in tasks:
        around = [
            item for item in by_file.get(task.schedule.file, ()) if _task_at(tasks, item.element) is task
        ]
        kept = [item for item in around if item.entry.disposition is not Disposition.REMOVE]
        if around and not kept:
            continue
        zone = zone_without_one(committed, task.schedule.file)
        text = task.text or (_text_of(committed, kept, task.title) if kept else _line_of(committed, task))
        row = {"name": task.title, "text": text, **schedule_row(task.schedule, zone)}
        elements = tuple(item.element for item in kept)
        rows += [TaskRow(each, elements) for each in split_times(row, task.schedule)]
    return rows


def _task_at(tasks: Sequence[ScheduledTask], element: Element) -> ScheduledTask | None:
    """Return the innermost task that an element stands in, or None."""
    line = element.line_range[0]
    around = [
        task
        for task in tasks
        if task.schedule.file == element.source_file and task.first <= line <= task.last
    ]
    return min(around, key=lambda task: task.last - task.first, default=None)


def _is_job(element: Element) -> bool:
    return element.source_file.endswith(".json")


def _text_of(committed: CommittedPlan, items: Sequence[PlannedElement], title: str) -> str:
    """Return what a task says: one line, or its part of the file below the heading that names it."""
    first = items[0].element
    if len(items) == 1:
        return whole_statement_of(first)
    return excerpt(committed, items, below=tuple(each for each in first.section if title not in each))


def _line_of(committed: CommittedPlan, task: ScheduledTask) -> str:
    """Return the lines of a task of which nothing else reaches the package."""
    file = committed.snapshot.file(task.schedule.file)
    lines = file.lines[task.first - 1 : task.last] if file is not None and task.first else ()
    return plain_text(without_block_marks(" ".join(lines)).strip()) or task.title
