"""Formats a schedule for the programs that can run it: cron, APScheduler and OpenClaw."""

import json
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.language.time.cron import DAY_NAMES, day_field
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.generators.code_layout import Argument, Group, Raw, call, listing, statement, value
from melleafy_tui.generators.package_shape import is_heartbeat
from melleafy_tui.generators.schedule_rows import checklist_items, declared_schedule, task_rows, wake_up_rows

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400
_DEFAULT_SECONDS: Final = 30 * _MINUTE

_CRON: Final = LazyRegex(r"[\d*/,\-]+(?: [\w*/,\-]+){4}", re.ASCII)
_TIMEZONE: Final = LazyRegex(r"[A-Za-z][\w+\-]*(?:/[A-Za-z][\w+\-]*)*", re.ASCII)
_CLOCK: Final = LazyRegex(r"([01]\d|2[0-4]):([0-5]\d)")


OPENCLAW_DEFAULT: Final = "30m"
"""The interval at which OpenClaw wakes an agent whose heartbeat declares none."""


WAKE_UP_MESSAGE: Final = "heartbeat"
"""The message of a wake-up for whatever is due, rather than for one task."""


class CronLine(Struct, frozen=True):
    """A five-field cron line, the message to run the package with, and the time zone that the line means."""

    line: str
    message: str
    zone: str = ""


class Job(Struct, frozen=True):
    """A job of APScheduler: the arguments of `scheduler.add_job` for its trigger, and the message."""

    trigger: tuple[Argument, ...]
    message: str

    @property
    def code(self) -> str:
        """Return the call of `scheduler.add_job` as formatted code."""
        given = Argument("args=", listing([value(self.message)]))
        arguments = (Argument("", Raw("wake_up")), *self.trigger, given)
        return "\n".join(statement("", Group("scheduler.add_job", "(", ")", arguments, "call")))


class WakeUpPlan(Struct, frozen=True):
    """How to wake the agent.

    Attributes:
        lines: The cron lines, none if cron can't express the schedule.
        jobs: The same for APScheduler.
        words: The cadence in words.
        keeps_window: Whether cron line and trigger respect the active hours.
    """

    lines: tuple[CronLine, ...]
    jobs: tuple[Job, ...]
    words: str
    keeps_window: bool

    @property
    def cron(self) -> str:
        """Return the first cron line, or `""`."""
        return self.lines[0].line if self.lines else ""

    @property
    def uses_cron_trigger(self) -> bool:
        """Return whether a job needs APScheduler's CronTrigger."""
        return any(len(job.trigger) == 1 for job in self.jobs)

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the time zones of the cron lines, `""` for that of the machine; lines at intervals have any."""
        return tuple(dict.fromkeys(cron.zone for cron in self.lines if cron.zone or _names_hours(cron.line)))


def wake_up_plan(committed: CommittedPlan) -> WakeUpPlan:
    """Return how a scheduler wakes this agent; hourly, as an example, if the cadence could not be parsed."""
    schedule = declared_schedule(committed)
    heartbeat = is_heartbeat(committed)
    message = WAKE_UP_MESSAGE
    crons: list[CronLine] = []
    jobs: list[Job] = []
    for row in wake_up_rows(committed):
        seconds, named = row.get("seconds"), str(row.get("message", message))
        cron = CronLine(str(row.get("cron", "")), named, str(row.get("timezone", "")))
        if _CRON.fullmatch(cron.line):
            crons.append(cron)
            jobs.append(Job(_from_crontab(cron), named))
        elif schedule.others and isinstance(seconds, int) and not heartbeat:
            crons += [CronLine(line, named) for line in interval_lines(seconds)]
            jobs.append(Job(_every(seconds), named))
    words = schedule.cadence or (
        "no cadence" if heartbeat else "no time that could be read; once an hour is an example"
    )
    if jobs and (schedule.cron or schedule.times or not heartbeat):
        return WakeUpPlan(tuple(crons), tuple(jobs), words, _in_window(schedule))
    own = _interval_wake_ups(committed, schedule, needed=not jobs)
    lines = [
        CronLine(line, message, found.timezone if found.is_bound else "")
        for found in own
        for line in found.lines
    ]
    kept = [Job(_from_crontab(line), message) for line in lines if _names_hours(line.line)] or [
        Job(_every(found.seconds), message) for found in own
    ]
    # A heartbeat at intervals, and its tasks at clock times.
    return WakeUpPlan((*lines, *crons), (*kept, *jobs), words, any(found.start for found in own))


class _Interval(Struct, frozen=True):
    """An interval at which the agent is woken, with its window and days."""

    seconds: int
    start: str = ""
    end: str = ""
    days: tuple[str, ...] = ()
    timezone: str = ""

    @property
    def is_bound(self) -> bool:
        """Return whether it has a window or days, which mean nothing without a time zone."""
        return bool(self.start or self.days)

    @property
    def lines(self) -> list[str]:
        """Return its cron lines, with as many wake-ups as it asks for at least."""
        return interval_lines(self.seconds, self.start, self.end, self.days)


def _interval_wake_ups(committed: CommittedPlan, schedule: Schedule, *, needed: bool) -> list[_Interval]:
    """Return when a heartbeat at intervals comes: as declared, and as often as a task at intervals asks for.

    Args:
        committed: The plan.
        schedule: The wake-up.
        needed: Whether nothing else wakes the agent.
    """
    rows = [task.row for task in task_rows(committed)] if is_heartbeat(committed) else []
    tasks = [
        _Interval(
            min(seconds, _DAY),
            str(row.get("active_start", schedule.active_start)),
            str(row.get("active_end", schedule.active_end)),
            tuple(days) if isinstance(days := row.get("days", schedule.days), tuple) else (),
            str(row.get("timezone", "")) or schedule.timezone,
        )
        for row in rows
        if isinstance(seconds := row.get("seconds"), int)
        and not (seconds == _DAY and row.get("active_start"))
    ]
    own: list[_Interval] = []
    if schedule.seconds or (not tasks and (needed or checklist_items(committed))):
        default = _DEFAULT_SECONDS if is_heartbeat(committed) and not schedule.cadence else _HOUR
        own = [
            _Interval(
                schedule.seconds or default,
                schedule.active_start,
                schedule.active_end,
                schedule.days,
                schedule.timezone,
            )
        ]
    by_window: dict[object, _Interval] = {}
    for found in (*own, *tasks):
        same = by_window.setdefault((found.start, found.end, found.days), found)
        if found.seconds < same.seconds:
            by_window[found.start, found.end, found.days] = found
    always = min((each.seconds for each in by_window.values() if not each.is_bound), default=None)
    return [
        each for each in by_window.values() if not each.is_bound or always is None or each.seconds < always
    ]


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


def _from_crontab(cron: CronLine) -> tuple[Argument, ...]:
    named = {"timezone": value(cron.zone)} if _TIMEZONE.fullmatch(cron.zone) else {}
    return (Argument("", call("CronTrigger.from_crontab", value(with_named_days(cron.line)), **named)),)


def _every(seconds: int) -> tuple[Argument, ...]:
    return Argument("", value("interval")), Argument("seconds=", value(seconds))


def _names_hours(line: str) -> bool:
    _, hours, *days = line.split()
    return not hours.startswith("*") or days != ["*", "*", "*"]


def _in_window(schedule: Schedule) -> bool:
    """Return whether all clock times of a schedule lie in its active hours, which its cron line then keeps."""
    start, end = schedule.active_start, schedule.active_end
    if not schedule.times or not _CLOCK.fullmatch(start) or not _CLOCK.fullmatch(end) or start >= end:
        return False
    return all(start <= time < end for time in schedule.times)


_STEPS: Final = (*(_MINUTE * each for each in (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30)),
                 *(_HOUR * each for each in (1, 2, 3, 4, 6, 8, 12, 24)))  # fmt: skip
"""The intervals that cron keeps through the hour or the day."""


def interval_lines(seconds: int, start: str = "", end: str = "", days: tuple[str, ...] = ()) -> list[str]:
    """Return the cron lines that come at least at an interval, in the whole hours around a window.

    A window over midnight needs a second line where days are named: what opens on Friday goes on on Saturday.
    """
    step = max((each for each in _STEPS if each <= seconds), default=_MINUTE)
    minutes = step // _MINUTE
    minute = "0" if step >= _HOUR else f"*/{minutes}" if minutes > 1 else "*"
    every = max(step // _HOUR, 1)
    opened, closed = _CLOCK.fullmatch(start), _CLOCK.fullmatch(end)
    if not opened or not closed or start == end:
        hour = "0" if step == _DAY else f"*/{every}" if every > 1 else "*"
        return [f"{minute} {hour} * * {day_field(days)}"]
    first, after = int(opened[1]), int(closed[1]) + (closed[2] != "00")
    if first < after:
        return [f"{minute} {_hours(range(first, after, every))} * * {day_field(days)}"]
    hours = range(first, 24 + after, every)
    late, early = [each for each in hours if each < 24], [each - 24 for each in hours if each >= 24]
    if not days or not early:
        return [f"{minute} {','.join(filter(None, (_hours(late), _hours(early))))} * * {day_field(days)}"]
    following = tuple(DAY_NAMES[(DAY_NAMES.index(day) + 1) % 7] for day in days)
    return [
        f"{minute} {_hours(late)} * * {day_field(days)}",
        f"{minute} {_hours(early)} * * {day_field(following)}",
    ]


def _hours(hours: Sequence[int]) -> str:
    """Return hours as a cron field, those in a row as a range."""
    listed = [*hours]
    if len(listed) > 1 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]}-{listed[-1]}"
    return ",".join(map(str, listed))


def with_named_days(line: str) -> str:
    """Return a cron line with its weekdays by name; cron counts them from Sunday, APScheduler from Monday."""
    names = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
    *fields, days = line.split()
    named: list[str] = []
    for part in days.split(","):
        span, _, step = part.replace("*/", "0-6/").partition("/")
        first, _, last = span.partition("-")
        bounds = (first, last or first, step or "1")
        if all(bound.isdigit() for bound in bounds) and step != "0":
            start, end, every = map(int, bounds)
            named += [names[day % 7] for day in range(start, end + 1, every)]
        else:
            named.append(part)
    return " ".join([*fields, ",".join(named)])
