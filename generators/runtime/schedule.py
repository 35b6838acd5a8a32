"""Wake-ups at set times and tasks with a cadence of their own, with time zones and active hours.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited. The runner needs APScheduler, an extra of the package; the rest
doesn't.
"""

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .prompts import clock
from .runtime import PipelineError
from .state_file import StateError, load_state, record_runs

INTERRUPTED = 130
"""The exit code that shells report for a program ended by an interrupt."""
LATE_SECONDS = 600
"""How late a wake-up may come, for example after the machine slept."""

Cadence = Mapping[str, object]
"""A wake-up or a task as data: seconds or cron, timezone, active_start, active_end, and others."""

_SHARED = ("timezone", "active_start", "active_end", "message")
"""What several wake-ups have in common unless they say otherwise."""
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_FIELDS = ((0, 59, ()), (0, 23, ()), (1, 31, ()), (1, 12, _MONTHS), (0, 7, _DAYS))


class ScheduleError(PipelineError):
    """A schedule can't be run; the message says why."""


@dataclass(frozen=True)
class Timing:
    """When something is due: an interval in seconds or a cron line, in a zone and a window."""

    seconds: int
    cron: str
    words: str
    zone: tzinfo
    active_start: str
    active_end: str
    message: str
    days: frozenset[int] = frozenset()
    """The weekdays of an interval, Sunday is 0; every day where there are none."""


def timing(row: Cadence) -> Timing:
    """Read a wake-up or task, or raise ScheduleError for a time zone that does not exist."""
    seconds = row.get("seconds")
    return Timing(
        seconds=seconds if isinstance(seconds, int) and seconds > 0 else 0,
        cron=_text(row, "cron"),
        words=_text(row, "cadence"),
        zone=_zone(_text(row, "timezone") or "UTC"),
        active_start=_text(row, "active_start"),
        active_end=_text(row, "active_end"),
        message=_text(row, "message") or "heartbeat",
        days=frozenset() if _text(row, "cron") else _weekdays(row.get("days")),
    )


def wake_ups(config: Cadence | Sequence[Cadence]) -> list[Timing]:
    """Return the wake-ups of SCHEDULE_CONFIG: one, a list, or those under "wake_ups"."""
    if not isinstance(config, Mapping):
        return [timing(row) for row in config]
    listed = config.get("wake_ups")
    if not isinstance(listed, list | tuple):
        return [timing(config)]
    shared = {key: config[key] for key in _SHARED if key in config}
    return [timing({**shared, **row}) for row in listed]


def run_schedule(
    wake: Callable[[str], object],
    config: Cadence | Sequence[Cadence],
    *,
    install: str = "apscheduler>=3.10,<4",
) -> None:
    """Call `wake` with the message of each wake-up at its times, until the process is interrupted.

    An interrupt lets the run under way come to its end; a second one does not wait for
    it.

    Args:
        wake: Runs the agent once.
        config: SCHEDULE_CONFIG.
        install: What to install when APScheduler is missing, such as
            "my-agent[scheduler]".

    Raises:
        ScheduleError: APScheduler is missing, or no scheduler can read a cadence or
            zone.

    """
    found = wake_ups(config)
    scheduler = _module("schedulers.blocking", install).BlockingScheduler(
        timezone=UTC,
        executors={"default": _module("executors.pool", install).ThreadPoolExecutor(1)},
    )
    for wake_up in found:
        scheduler.add_job(
            partial(wake_when_active, wake, wake_up),
            trigger(wake_up, install),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=LATE_SECONDS,
        )
    # APScheduler swallows an interrupt that comes while it hands on a job: it runs in a thread of its own.
    runner = Thread(target=scheduler.start, daemon=True)
    try:
        runner.start()
        runner.join()
    except (KeyboardInterrupt, SystemExit):
        try:
            if scheduler.running:
                scheduler.shutdown()
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)


def wake_when_active(
    wake: Callable[[str], object],
    wake_up: Timing,
    now: datetime | None = None,
) -> None:
    """Call `wake` unless it is outside of the active hours."""
    if within_active_hours(wake_up, now or clock()):
        wake(wake_up.message)


def trigger(wake_up: Timing, install: str = "apscheduler>=3.10,<4") -> Any:
    """Return the APScheduler trigger of a wake-up, or raise ScheduleError."""
    if wake_up.cron:
        cron = _module("triggers.cron", install).CronTrigger
        read = partial(cron.from_crontab, timezone=wake_up.zone)
        try:
            lines = [read(line) for line in scheduler_lines(wake_up.cron)]
        except ValueError as error:
            raise ScheduleError(
                f"no scheduler can read {wake_up.cron!r}: {error}",
            ) from error
        either = _module("triggers.combining", install).OrTrigger
        return lines[0] if len(lines) == 1 else either(lines)
    if wake_up.seconds:
        interval = _module("triggers.interval", install).IntervalTrigger
        return interval(seconds=wake_up.seconds, timezone=wake_up.zone)
    raise ScheduleError(f"no scheduler can read the cadence {wake_up.words!r}")


def scheduler_lines(cron: str) -> list[str]:
    """Return a cron line as APScheduler reads it.

    Cron counts weekdays from Sunday, APScheduler from Monday, so they get names. Where
    day and weekday are both restricted cron means either, APScheduler both, so there
    are two lines.
    """
    fields = cron.split()
    if len(fields) != 5:
        return [cron]
    minute, hour, day, month, weekday = fields
    named = ",".join(name for part in weekday.split(",") for name in _named_days(part))
    if day.startswith("*") or named.startswith("*"):
        return [f"{minute} {hour} {day} {month} {named}"]
    return [
        f"{minute} {hour} {day} {month} *",
        f"{minute} {hour} * {month} {named}",
    ]


def _named_days(part: str) -> list[str]:
    """Return one part of a weekday field with days by name."""
    span, _, step = part.replace("*/", "0-6/").partition("/")
    first, _, last = span.partition("-")
    bounds = (first, last or first, step or "1")
    if not all(bound.isdecimal() for bound in bounds) or step == "0":
        return [part]
    start, end, every = map(int, bounds)
    return [_DAYS[day % 7] for day in range(start, end + 1, every)]


def within_active_hours(when: Timing, now: datetime) -> bool:
    """Return whether this is a time to act.

    A window that starts where it ends never opens. One that goes past midnight belongs
    to the day on which it opens.
    """
    start, end = _minutes(when.active_start), _minutes(when.active_end)
    local = now.astimezone(when.zone)
    minute = local.hour * 60 + local.minute
    opened = local.isoweekday()
    if start is not None and end is not None and minute < end < start:
        opened -= 1
    if when.days and opened % 7 not in when.days:
        return False
    if start is None or end is None:
        return True
    if start <= end:
        return start <= minute < end
    return minute >= start or minute < end


def due_tasks(
    tasks: Sequence[Cadence],
    last_runs: Mapping[str, str],
    now: datetime | None = None,
) -> list[Cadence]:
    """Return the tasks of SCHEDULED_TASKS that are due.

    An interval counts from the last run, a cron line is due when one of its times has
    passed since; a task that never ran is due at once, or after its first cron time
    today. A task whose cadence can't be read is never due.

    Args:
        tasks: Rows with "name" and the settings of their cadence.
        last_runs: When each ran last, in ISO format, by name.
        now: The time; the clock's where it is missing.

    """
    at = now or clock()
    return [
        task for task in tasks if _is_due(task, last_runs.get(_text(task, "name")), at)
    ]


def due_now(notes: list[str], tasks: Sequence[Cadence], path: Path) -> list[Cadence]:
    """Return the tasks that are due by the state file.

    An unreadable one is a note, and all are due.
    """
    try:
        last_runs = load_state(path).last_runs
    except StateError as error:
        notes.append(str(error))
        last_runs = {}
    return due_tasks(tasks, last_runs)


def due_or_named(
    notes: list[str], tasks: Sequence[Cadence], path: Path, message: str, *, woken: bool
) -> list[Cadence]:
    """Return the tasks that are due, or those whose name the message is.

    A scheduler may wake the agent for all tasks, or send it the name of one. Rows that
    differ only in their time are one task.

    Args:
        notes: Takes what went wrong.
        tasks: The rows of SCHEDULED_TASKS.
        path: The state file.
        message: The message of the run.
        woken: Whether it is a wake-up.

    """
    if woken:
        return due_now(notes, tasks, path)
    name = " ".join(message.split()).casefold()
    named = [
        task
        for task in tasks
        if " ".join(_text(task, "name").split()).casefold() == name
    ]
    return list({_text(task, "text"): task for task in named}.values())


def note_runs(notes: list[str], tasks: Sequence[Cadence], path: Path) -> None:
    """Write into the state file that the tasks ran now.

    A file that can't be written is a note.
    """
    try:
        record_runs(path, [_text(task, "name") for task in tasks])
    except StateError as error:
        notes.append(str(error))


def _is_due(task: Cadence, last: str | None, now: datetime) -> bool:
    """Return whether a task is due; one whose cadence or zone can't be read is not."""
    try:
        when = timing(task)
    except ScheduleError:
        return False
    if not within_active_hours(when, now):
        return False
    before = _time(last or "")
    if before is not None and before > now:
        before = None  # the clock was set back
    if when.cron:
        local = now.astimezone(when.zone)
        latest = last_time(when.cron, local)
        if before is None:
            return latest is None or latest.date() == local.date()
        return latest is None or latest > before
    if not when.seconds or before is None:
        return bool(when.seconds)
    # A wake-up that comes a little early must not put the task off to the next one.
    early = min(60.0, when.seconds / 10)
    return (now - before).total_seconds() >= when.seconds - early


def last_time(cron: str, now: datetime) -> datetime | None:
    """Return the last time of a cron line up to now.

    None if it can't be read or never comes.
    """
    fields = _cron_fields(cron)
    if not fields:
        return None
    minutes, hours, days, months, weekdays = fields
    meets = any if _restricts_both_days(cron) else all
    times = sorted((time(h, m) for h in hours for m in minutes), reverse=True)
    for back in range(366 * 8):
        date = (now - timedelta(days=back)).date()
        on_day = (date.day in days, date.isoweekday() % 7 in weekdays)
        if date.month not in months or not meets(on_day):
            continue
        for hour in times:
            at = datetime.combine(date, hour, tzinfo=now.tzinfo)
            if at <= now:
                return at
    return None


def _cron_fields(cron: str) -> list[set[int]]:
    """Return the numbers of the five fields of a cron line; nothing if it can't be read."""
    parts = cron.split()
    if len(parts) != 5:
        return []
    found = [_numbers(text, *field) for text, field in zip(parts, _FIELDS, strict=True)]
    return found if all(found) else []


def _restricts_both_days(cron: str) -> bool:
    """Return whether a cron line restricts day and weekday, so that either is enough."""
    _, _, day, _, weekday = cron.split()
    return not (day.startswith(("*", "?")) or weekday.startswith(("*", "?")))


def _numbers(text: str, low: int, high: int, names: tuple[str, ...]) -> set[int]:
    """Return the numbers of one cron field; none where it can't be read."""
    found: set[int] = set()
    for part in text.lower().split(","):
        numbers = _listed_numbers(part, low, high, names)
        if not numbers:
            return set()
        found.update(numbers)
    return {day % 7 for day in found} if names == _DAYS else found


def _listed_numbers(part: str, low: int, high: int, names: tuple[str, ...]) -> range:
    """Return the numbers of one item of a cron field; none where it can't be read."""
    span, slash, step = part.partition("/")
    first, dash, last = span.partition("-")
    if span in ("*", "?"):
        start, end = low, high
    else:
        start = _number(first, low, names)
        end = _number(last, low, names) if dash else (high if slash else start)
    every = int(step) if step.isdecimal() else 0 if slash else 1
    if not every or not low <= start <= end <= high:
        return range(0)
    return range(start, end + 1, every)


def _number(text: str, low: int, names: tuple[str, ...]) -> int:
    """Return a number or name of a cron field; -1 where it is neither."""
    if text in names:
        return names.index(text) + low
    return int(text) if text.isdecimal() else -1


def _text(row: Cadence, key: str) -> str:
    """Return a setting as text."""
    found = row.get(key)
    return found if isinstance(found, str) else ""


def _weekdays(names: object) -> frozenset[int]:
    """Return weekdays such as ("mon", "tue") as numbers."""
    listed = names if isinstance(names, list | tuple) else ()
    return frozenset(_DAYS.index(name) for name in listed if name in _DAYS)


def _time(text: str) -> datetime | None:
    """Return a time in ISO format, or None."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _zone(name: str) -> tzinfo:
    """Return a time zone, or raise ScheduleError."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, ZoneInfoNotFoundError) as error:
        raise ScheduleError(f"unknown time zone {name!r}") from error


def _minutes(clock: str) -> int | None:
    """Return the minutes from midnight to a time such as 09:30 or 24:00, or None."""
    hours, _, minutes = clock.partition(":")
    if not (hours.isdecimal() and minutes.isdecimal()):
        return None
    return int(hours) * 60 + int(minutes)


def _module(name: str, install: str) -> Any:
    """Return a module of APScheduler, or raise ScheduleError."""
    try:
        return importlib.import_module(f"apscheduler.{name}")
    except ImportError as error:
        raise ScheduleError(
            f"APScheduler is missing: pip install '{install}'",
        ) from error
