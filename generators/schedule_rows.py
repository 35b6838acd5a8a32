"""Determines the content of SCHEDULE_CONFIG and SCHEDULED_TASKS, and of their counterparts in the manifest.

A row has only what the source declares: `cadence` in its words; `seconds`, `cron`, `times` and `days` as far as it was
understood; `timezone`, `active_hours`, `active_start`, `active_end` and `quiet_hours`. A static module of the package
reads them (`schedule.py`).
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from textwrap import dedent
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.clock import DAY_SECONDS, short_interval
from melleafy_tui.core.language.time.cron import cron_of
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.package_shape import CHECKLIST, is_heartbeat, of_kind, whole_statement_of
from melleafy_tui.generators.runtime.langgraph_crons import CronError, cron_lines

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


DECLARED: Final = (
    *("cadence", "seconds", "cron", "times", "days"),
    *("active_hours", "active_start", "active_end", "quiet_hours"),
)
"""What a row says of a schedule besides its time zone."""


def schedule_row(schedule: Schedule, home_zone: str = "") -> Row:
    """Return what a schedule declares, without what it leaves open.

    Args:
        schedule: The schedule.
        home_zone: The time zone of its times if it names none.
    """
    zone = schedule.timezone or (home_zone if is_of_a_zone(schedule) else "")
    values: Row = {**{name: getattr(schedule, name) for name in DECLARED}, "timezone": zone}
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
    rows = _all_tasks(committed)
    return [
        row for row in rows if not (alone and row.elements and row.elements[0].source_file.endswith(".json"))
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
            timing = {key: found for key, found in task.row.items() if key not in ("name", "text", "wakes")}
            yield {**timing, "message": task.row["name"]}


def woken_for(committed: CommittedPlan) -> list[TaskRow]:
    """Return the tasks with clock times that no heartbeat meets, which wake the agent themselves."""
    return [_at_start_of_window(task) for task in _all_tasks(committed) if "wakes" in task.row]


def _with_wake_up(committed: CommittedPlan, task: TaskRow) -> TaskRow:
    """Return a task, marked if it wakes the agent itself."""
    timed = _at_start_of_window(task).row
    schedule = committed.classification.schedule
    met = any(_meets(each, timed) for each in (schedule, *schedule.others)) if timed.get("cron") else True
    return task if met or not is_heartbeat(committed) else TaskRow({**task.row, "wakes": True}, task.elements)


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
        text = task.text or (_text_of(committed, task, kept) if kept else _line_of(committed, task))
        row = {"name": task.title, "text": text, **schedule_row(task.schedule, zone)}
        elements = tuple(item.element for item in kept)
        rows += [
            _with_wake_up(committed, TaskRow(each, elements)) for each in split_times(row, task.schedule)
        ]
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


def _text_of(committed: CommittedPlan, task: ScheduledTask, items: Sequence[PlannedElement]) -> str:
    """Return what a task says: one line, or its part of the file without what is left out."""
    file = committed.snapshot.file(task.schedule.file)
    if len(items) == 1 or file is None or not task.last:
        return "\n".join(whole_statement_of(item.element) for item in items)
    gone = {
        number
        for item in committed.planned
        if item.element.source_file == file.path and item.entry.disposition is Disposition.REMOVE
        for number in range(item.element.line_range[0], item.element.line_range[1] + 1)
    }
    span = range(task.first, task.last + 1)
    return dedent("\n".join(file.lines[number - 1] for number in span if number not in gone)).strip()


def _line_of(committed: CommittedPlan, task: ScheduledTask) -> str:
    """Return the lines of a task of which nothing else reaches the package."""
    file = committed.snapshot.file(task.schedule.file)
    lines = file.lines[task.first - 1 : task.last] if file is not None and task.first else ()
    return plain_text(without_block_marks(" ".join(lines)).strip()) or task.title


_CRON: Final = LazyRegex(r"[\d*/,\-]+(?: [\w*/,\-]+){4}", re.ASCII)
_TIMEZONE: Final = LazyRegex(r"[A-Za-z][\w+\-]*(?:/[A-Za-z][\w+\-]*)*", re.ASCII)
_CLOCK: Final = LazyRegex(r"([01]\d|2[0-4]):([0-5]\d)")

_HOUR: Final = 3600
OPENCLAW_DEFAULT: Final = "30m"
"""The interval at which OpenClaw wakes an agent whose heartbeat declares none."""
_DEFAULT_SECONDS: Final = 1800
_HOUR_OF_A_DAY: Final = "09:00"
"""When what comes once a day without an hour is done: midnight would wake whoever it writes to."""

WAKE_UP_MESSAGE: Final = "heartbeat"
"""The message of a wake-up for whatever is due, rather than for one task."""

_WINDOW: Final = ("active_start", "active_end", "days", "timezone")


class CronLine(Struct, frozen=True):
    """A five-field cron line, the message to run the package with, and the time zone that the line means.

    `by_default` says that the source declares no such wake-up, and OpenClaw's own default stands for it.
    """

    line: str
    message: str
    zone: str = ""
    by_default: bool = False

    @property
    def is_of_a_zone(self) -> bool:
        """Return whether the line names hours or days, so that it comes at another time in another zone."""
        _, hours, *days = self.line.split()
        return bool(self.zone) or not hours.startswith("*") or days != ["*", "*", "*"]


def wake_up_lines(committed: CommittedPlan) -> list[CronLine]:
    """Return the cron lines that wake this agent; hourly, as an example, if its cadence can't be read."""
    schedule = declared_schedule(committed)
    rows = [row for row in wake_up_rows(committed) if row.get("cron") or row.get("seconds")]
    if is_heartbeat(committed):
        timed = [row for row in rows if row.get("cron")]
        rows = [*_intervals(committed, schedule, needed=not timed), *timed]
    zone = zone_without_one(committed, schedule.file)
    lines = [line for row in rows for line in _lines_of(row, zone)]
    return lines or [CronLine("0 * * * *", WAKE_UP_MESSAGE)]


def _lines_of(row: Row, home_zone: str) -> Iterator[CronLine]:
    """Yield the cron lines of a wake-up, which come at least as often as it asks for."""
    seconds = row.get("seconds")
    if seconds == DAY_SECONDS:
        hour, days = str(row.get("active_start") or _HOUR_OF_A_DAY), _words(row.get("days"))
        row = {**row, "cron": cron_of((hour,), days), "timezone": row.get("timezone") or home_zone}
    elif isinstance(seconds, int):
        minutes = max(each for each in _DIVIDING_A_DAY if each * 60 <= max(seconds, 60))
        row = {**row, "seconds": minutes * 60}
    is_bound = any(row.get(name) for name in ("cron", "active_start", "days"))
    zone, message = str(row.get("timezone", "")), str(row.get("message", WAKE_UP_MESSAGE))
    with suppress(CronError):
        for line in filter(_CRON.fullmatch, cron_lines(row)):
            meant = zone if is_bound and _TIMEZONE.fullmatch(zone) else ""
            yield CronLine(line, message, meant, bool(row.get("by_default")))


_DIVIDING_A_DAY: Final = [each for each in range(1, 1441) if 1440 % each == 0]
"""The intervals in minutes that cron keeps from day to day."""


def _intervals(committed: CommittedPlan, schedule: Schedule, *, needed: bool) -> list[dict[str, Any]]:
    """Return when a heartbeat at intervals comes: as declared, and as often as a task at intervals asks for."""
    own: dict[str, Any] = {name: getattr(schedule, name) for name in _WINDOW}
    tasks = [
        {**own, **{name: row[name] for name in _WINDOW if name in row}, "seconds": min(seconds, DAY_SECONDS)}
        for row in (task.row for task in task_rows(committed))
        if isinstance(seconds := row.get("seconds"), int)
        and not (seconds == DAY_SECONDS and row.get("active_start"))
    ]
    if schedule.cron or schedule.times:  # the wake-up has its times; what comes more often needs more
        rows = [row for row in tasks if row["seconds"] < DAY_SECONDS]
    elif schedule.seconds or checklist_items(committed) or (needed and not tasks):
        default = _HOUR if schedule.cadence else _DEFAULT_SECONDS
        by_default = not (schedule.seconds or schedule.cadence)
        rows = [{**own, "seconds": schedule.seconds or default, "by_default": by_default}, *tasks]
    else:
        rows = tasks
    rows.sort(key=itemgetter("seconds"))  # of those with one window, the most frequent
    by_window = {tuple(row[name] for name in _WINDOW[:3]): row for row in reversed(rows)}
    always = by_window.get(("", "", ()), {"seconds": DAY_SECONDS + 1})["seconds"]
    return [row for window, row in by_window.items() if not any(window) or row["seconds"] < always]


def openclaw_heartbeat(schedule: Schedule) -> str:
    """Return the `openclaw.json` that wakes the agent under OpenClaw; `""` if there is no interval."""
    if not schedule.seconds or schedule.type == "words":
        return ""
    heartbeat: dict[str, object] = {"every": short_interval(schedule.seconds)}
    if _CLOCK.fullmatch(schedule.active_start) and _CLOCK.fullmatch(schedule.active_end):
        window = {"start": schedule.active_start, "end": schedule.active_end}
        if _TIMEZONE.fullmatch(schedule.timezone):
            window["timezone"] = schedule.timezone
        heartbeat["activeHours"] = window
    return json.dumps({"agents": {"defaults": {"heartbeat": heartbeat}}}, indent=2)
