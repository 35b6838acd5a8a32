# Static module of melleafy-tui 0.2.0, not to be edited.
"""When a wake-up or a task with a cadence of its own is due."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from .prompts import clock

Cadence = Mapping[str, object]
"""A wake-up or a task as data: seconds or cron, timezone, active_start, and others."""

SHARED = ("timezone", "active_start", "active_end", "message")
"""What several wake-ups have in common unless they say otherwise."""
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
OWN_RUN = timedelta(minutes=10)
"""So long a wake-up leaves a task to the wake-up that the task has of its own ("wakes")."""
_BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def wake_ups(config: Cadence | Sequence[Cadence]) -> list[Cadence]:
    """Return the wake-ups of SCHEDULE_CONFIG: one, a list, or those under "wake_ups"."""
    if not isinstance(config, Mapping):
        return [*config]
    listed = config.get("wake_ups")
    if not isinstance(listed, list | tuple):
        return [config]
    shared = {key: config[key] for key in SHARED if key in config}
    return [{**shared, **row} for row in listed]


def due_tasks(
    tasks: Sequence[Cadence], last_runs: Mapping[str, str], now: datetime | None = None
) -> list[Cadence]:
    """Return the tasks of SCHEDULED_TASKS that are due.

    An interval counts from the last run, a cron line is due when one of its times has
    passed since; a task that never ran is due at once, or after its first cron time
    today. A task that has a wake-up of its own is due to others only a while later, so
    that it is done once, and done too where its own didn't come. A task whose cadence or
    zone can't be read is never due.

    Args:
        tasks: Rows with "name" and the settings of their cadence.
        last_runs: When each ran last, in ISO format, by name.
        now: The time; the clock's where it is missing.
    """
    at = now or clock()
    return [
        task
        for task in tasks
        if _is_due(task, last_runs.get(str(task.get("name")), ""), at)
    ]


def _is_due(task: Cadence, last_run: str, now: datetime) -> bool:
    until = now - OWN_RUN if task.get("wakes") else now
    try:
        local = until.astimezone(zone_of(task))
    except (LookupError, OSError, ValueError):
        return False
    if not is_open(task, local):
        return False
    last = _time(last_run)
    if last is not None and last > now:
        last = None  # the clock was set back
    if cron := str(task.get("cron") or ""):
        today = now.astimezone(local.tzinfo).date()
        midnight = datetime.combine(today, time(), local.tzinfo)
        since = midnight - timedelta(microseconds=1) if last is None else last
        days = (local.date() - since.astimezone(local.tzinfo).date()).days
        return any(
            since < datetime.combine(day, at, local.tzinfo) <= until
            for day in (local.date() - timedelta(days=back) for back in range(days + 1))
            for at in clocks_on(cron, day)
        )
    seconds = task.get("seconds")
    if not isinstance(seconds, int) or seconds < 1 or last is None:
        return isinstance(seconds, int) and seconds > 0
    # A wake-up that comes a little early must not put the task off to the next one.
    early = min(60.0, seconds / 10)
    return (now - last).total_seconds() >= seconds - early


def zone_of(row: Cadence) -> tzinfo:
    """Return the time zone of a wake-up or task, or raise LookupError, OSError or ValueError."""
    return ZoneInfo(str(row.get("timezone") or "UTC"))


def is_open(row: Cadence, local: datetime) -> bool:
    """Return whether a wake-up or task may act at a time of its zone.

    A window that starts where it ends never opens. One that goes past midnight belongs
    to the day on which it opens. A cron line has its days itself.
    """
    start, end = (str(row.get(key) or "") for key in ("active_start", "active_end"))
    bound, minute = bool(start and end), f"{local:%H:%M}"
    late = bound and minute < end < start
    opened = (local - timedelta(days=1 if late else 0)).isoweekday() % 7
    days = row.get("days")
    named = days if isinstance(days, list | tuple) and not row.get("cron") else ()
    if named and DAYS[opened] not in named:
        return False
    if not bound:
        return True
    if start <= end:
        return start <= minute < end
    return minute >= start or minute < end


def clocks_on(cron: str, day: date) -> list[time]:
    """Return the times of a cron line on a day; none where it can't be read."""
    parts = cron.split()
    try:
        fields = [
            numbers(part, *bounds) for part, bounds in zip(parts, _BOUNDS, strict=True)
        ]
    except ValueError:
        return []
    minutes, hours, dates, months, weekdays = fields
    on_date = day.day in dates
    on_weekday = bool({day.isoweekday(), day.isoweekday() % 7} & weekdays)
    either = not parts[2].startswith("*") and not parts[4].startswith("*")
    meets = on_date or on_weekday if either else on_date and on_weekday
    if day.month not in months or not meets:
        return []
    return [time(hour, minute) for hour in sorted(hours) for minute in sorted(minutes)]


def numbers(field: str, low: int, high: int) -> set[int]:
    """Return the numbers of one cron field, or raise ValueError."""
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        start = low if first == "*" else int(first)
        end = high if first == "*" or (step and not last) else int(last or first)
        if not low <= start <= end <= high:
            raise ValueError(f"{part} is out of bounds")
        found |= {*range(start, end + 1, int(step or 1))}
    return found


def _time(text: str) -> datetime | None:
    """Return a time in ISO format, or None."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
