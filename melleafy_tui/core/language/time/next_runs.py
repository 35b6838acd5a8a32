"""Computes when a schedule comes next, for people who check how it was read."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Final

from melleafy_tui.core.language.time.clock import DAY_SECONDS
from melleafy_tui.core.language.time.cron import DAY_NAMES, cron_of
from melleafy_tui.core.models.classification import Schedule

_MOST_DAYS: Final = 366 * 4
_RANGES: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def next_runs(schedule: Schedule, start: date, count: int = 3) -> tuple[str, ...]:
    """Return the next times of a schedule from the start of a day, in its own time zone; none if no time was read."""
    return tuple(f"{each:%Y-%m-%d %H:%M}" for each in islice(_runs(schedule, start), count))


def _runs(schedule: Schedule, start: date) -> Iterator[datetime]:
    lines = [schedule.cron] if schedule.cron else [cron_of((each,), schedule.days) for each in schedule.times]
    seconds = schedule.seconds or 0
    if not lines and not seconds:
        return
    step = max(seconds // DAY_SECONDS, 1) if not lines else 1
    for number in range(0, _MOST_DAYS, step):
        day = start + timedelta(days=number)
        clocks = {clock for line in lines for clock in _clocks_on(line, day)} if lines else _spaced(schedule)
        yield from (
            datetime.combine(day, clock) for clock in sorted(clocks) if _is_open(schedule, day, clock)
        )


def _spaced(schedule: Schedule) -> set[time]:
    """Return the clock times of an interval, counted from the start of its window."""
    first = (
        time.fromisoformat(schedule.active_start) if schedule.active_start not in ("", "24:00") else time()
    )
    begin = first.hour * 3600 + first.minute * 60
    every = min(schedule.seconds or DAY_SECONDS, DAY_SECONDS)
    moments = range(begin % every, DAY_SECONDS, every) if every < DAY_SECONDS else (begin,)
    return {time(each // 3600, each % 3600 // 60) for each in moments}


def _is_open(schedule: Schedule, day: date, clock: time) -> bool:
    """Return whether a time lies in the window and on the days; a window over midnight belongs to its first day."""
    start, end, now = schedule.active_start, schedule.active_end, f"{clock:%H:%M}"
    over_midnight = bool(start and end and start > end)
    opened = day - timedelta(days=1) if over_midnight and now < end else day
    if schedule.days and DAY_NAMES[opened.isoweekday() % 7] not in schedule.days:
        return False
    if not start or not end:
        return True
    return now >= start or now < end if over_midnight else start <= now < end


def _clocks_on(cron: str, day: date) -> set[time]:
    fields = [_values(field, *bounds) for field, bounds in zip(cron.split(), _RANGES, strict=True)]
    minutes, hours, dates, months, weekdays = fields
    on_date, on_weekday = day.day in dates, bool({day.isoweekday() % 7, day.isoweekday()} & weekdays)
    restricted = [not field.startswith("*") for field in cron.split()[2::2]]
    meets = on_date or on_weekday if all(restricted) else on_date and on_weekday
    if day.month not in months or not meets:
        return set()
    return {time(hour, minute) for hour in hours for minute in minutes}


def _values(field: str, low: int, high: int) -> set[int]:
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        begin = low if first in ("*", "?") else int(first)
        end = high if first in ("*", "?") or (step and not last) else int(last or first)
        found |= {*range(begin, end + 1, int(step or 1))}
    return found
