"""Formats a schedule for the programs that can run it: cron, APScheduler and OpenClaw."""

import json
import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.language.time.cron import day_field
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.generators.code_layout import Argument, Group, Raw, call, listing, statement, value
from melleafy_tui.generators.package_shape import is_heartbeat
from melleafy_tui.generators.schedule_rows import declared_schedule, wake_up_rows

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
    hours, days = _window_hours(schedule), day_field(schedule.days)
    crons: list[CronLine] = []
    jobs: list[Job] = []
    for row in wake_up_rows(committed):
        seconds, named = row.get("seconds"), str(row.get("message", message))
        cron = CronLine(str(row.get("cron", "")), named, str(row.get("timezone", "")))
        if _CRON.fullmatch(cron.line):
            crons.append(cron)
            jobs.append(Job(_from_crontab(cron), named))
        elif schedule.others and isinstance(seconds, int) and not heartbeat:
            line = _interval_cron(seconds, "", "*")
            crons += [CronLine(line, named)] if line else []
            jobs.append(Job(_every(seconds), named))
    words = schedule.cadence or (
        "no cadence" if heartbeat else "no time that could be read; once an hour is an example"
    )
    if jobs and (schedule.cron or schedule.times or not heartbeat):
        return WakeUpPlan(tuple(crons), tuple(jobs), words, _in_window(schedule))
    default = _DEFAULT_SECONDS if heartbeat and not schedule.cadence else _HOUR
    seconds = schedule.seconds or default
    line = _interval_cron(seconds, hours, days)
    keeps = bool(line and (hours or days != "*"))
    own = CronLine(line, message, schedule.timezone if keeps else "")
    trigger = _from_crontab(own) if keeps else _every(seconds)
    lines = (own,) if line else ()
    # A heartbeat at intervals, and its tasks at clock times.
    return WakeUpPlan((*lines, *crons), (Job(trigger, message), *jobs), words, bool(line and hours))


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


def _window_hours(schedule: Schedule) -> str:
    """Return the active hours as a cron field, `""` if they aren't whole hours within one day."""
    start, end = _CLOCK.fullmatch(schedule.active_start), _CLOCK.fullmatch(schedule.active_end)
    if not start or not end or start[2] != "00" or end[2] != "00":
        return ""
    first, after = int(start[1]), int(end[1])
    return f"{first}-{after - 1}" if first < after else ""


def _in_window(schedule: Schedule) -> bool:
    """Return whether all clock times of a schedule lie in its active hours, which its cron line then keeps."""
    start, end = schedule.active_start, schedule.active_end
    if not schedule.times or not _CLOCK.fullmatch(start) or not _CLOCK.fullmatch(end) or start >= end:
        return False
    return all(start <= time < end for time in schedule.times)


def _interval_cron(seconds: int, hours: str, days: str) -> str:
    """Return the cron line for an interval that divides an hour or a day."""
    if seconds % _MINUTE == 0 and _HOUR % seconds == 0:
        step = seconds // _MINUTE
        minute = "0" if seconds == _HOUR else f"*/{step}" if step > 1 else "*"
        return f"{minute} {hours or '*'} * * {days}"
    if seconds % _HOUR == 0 and _DAY % seconds == 0:
        step = seconds // _HOUR
        hour = "0" if seconds == _DAY else f"{hours or '*'}/{step}"
        return f"0 {hour} * * {days}"
    return ""


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
