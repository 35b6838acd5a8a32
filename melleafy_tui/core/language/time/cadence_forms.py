"""The cadence forms of `forms.toml` with their meanings: seconds, clock times and days, or a cron line."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.clock import (
    DAY_SECONDS,
    FORMS,
    UNIT_SECONDS,
    clocks_in,
    days_in,
    number_of,
    seconds_in,
)
from melleafy_tui.core.language.time.cron import DAY_NAMES, MACROS, cron_of, day_field, find_cron, times_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule


class CadenceForm(Struct, frozen=True):
    """One form of cadence: its pattern, its meaning, and words of which a text has one wherever the pattern matches.

    Most lines have none, so that most patterns are neither compiled (1.3 ms each) nor searched.
    """

    pattern: LazyRegex
    meaning: Callable[[re.Match[str]], Schedule | None]
    words: tuple[str, ...]

    def may_match(self, lower: str) -> bool:
        """Return whether a text in lower case has a word of the form."""
        return any(word in lower for word in self.words)


def _interval(seconds: float) -> Schedule | None:
    return Schedule(type="interval", seconds=round(seconds)) if seconds >= 1 else None


def _event(_: re.Match[str]) -> Schedule:
    return Schedule(type="event")


def _range(match: re.Match[str]) -> Schedule:
    """Return the words of a range such as `every 4-6 hours`, with the shortest interval that keeps it, if any."""
    least = (match.groupdict().get("least") or "").strip()
    if not least:
        return Schedule(type="words")
    return Schedule(type="words", seconds=round(int(least) * UNIT_SECONDS[match["unit"][0].lower()]))


def _times_in_range(match: re.Match[str]) -> Schedule:
    """Return the words of `2-3 times a day`, with the interval of the greater number."""
    unit = (match["unit"] or match["adverb"]).lower()
    day = UNIT_SECONDS.get(unit[0], 0) if unit != "month" else 30 * DAY_SECONDS
    return Schedule(type="words", seconds=round(day / max(int(match["most"] or match["times"]), 1)))


def _every_duration(match: re.Match[str]) -> Schedule | None:
    """Return the interval; one of whole days keeps the clock times that follow."""
    found, clocks = _interval(seconds_in(match.group("duration"))), _clocks(match)
    days = days_in(match.groupdict().get("days") or "")
    if found is None or not (clocks or days) or (found.seconds or 1) % DAY_SECONDS:
        return found
    if found.seconds in (DAY_SECONDS, 7 * DAY_SECONDS) and (clocks or days):
        return _at(clocks, days) if days or found.seconds == DAY_SECONDS else replace(found, times=clocks)
    return _on_days(found.seconds or 0, clocks, days)


def _every_unit(match: re.Match[str]) -> Schedule | None:
    unit = match.group("unit").lower()
    if unit in ("day", "night"):
        return _daily(match)
    if unit == "month":
        return _at(_clocks(match), date="1 *")
    return _interval(UNIT_SECONDS[unit[0]])


def _either_duration(match: re.Match[str]) -> Schedule:
    """Return the words of `every 30m or 1h`, with the shorter interval."""
    seconds = min(map(seconds_in, (match["duration"], match["other"])))
    return Schedule(type="words", seconds=round(seconds))


def _other(match: re.Match[str]) -> Schedule | None:
    """Return every second hour, day or week; a weekday stands for its week, and so does `fortnightly`."""
    found = match.groupdict()
    unit = (found.get("unit") or "week")[0].lower()
    return _on_days(2 * UNIT_SECONDS[unit], _clocks(match), days_in(found.get("days") or ""))


def _on_days(seconds: int, clocks: tuple[str, ...], days: tuple[str, ...]) -> Schedule:
    """Return an interval of days; one with a weekday is kept in words, since no scheduler can start it on that day."""
    return Schedule(type="words" if days else "interval", seconds=seconds, times=clocks, days=days)


def _times_per(match: re.Match[str]) -> Schedule | None:
    """Return the meaning of `twice a day` or `4x/day: 10AM, 2PM`: the clock times if their number matches."""
    number = match.group("number").lower()
    times = {"once": 1.0, "twice": 2.0, "thrice": 3.0}.get(number)
    if times is None:
        times = number_of(number)
    unit = match.group("unit").lower()
    clocks = _clocks(match)
    if unit.startswith("d") and clocks:
        return _at(clocks) if len(clocks) == times else Schedule(type="words", times=clocks)
    if unit == "month" and times == 1:
        return _at((), date="1 *")
    if unit == "month" or times < 1:
        return Schedule(type="words")
    return _interval(UNIT_SECONDS[unit[0]] / times)


def _daily(match: re.Match[str]) -> Schedule:
    clocks, days = _clocks(match), days_in(match.groupdict().get("days") or "")
    return _at(clocks, days) if clocks else Schedule(type="interval", seconds=DAY_SECONDS, days=days)


_YEARLY_DATES: Final = {"monthly": "1 *", "quarterly": "1 1,4,7,10", "yearly": "1 1", "annually": "1 1"}
"""The day of the month and the months of an adverb, as in a cron line."""


def _adverb(match: re.Match[str]) -> Schedule | None:
    word = match.group("adverb").lower()
    if word == "hourly":
        return _interval(3_600)
    if word == "weekly":
        return _weekly(match)
    return _at(_clocks(match), date=_YEARLY_DATES[word]) if word in _YEARLY_DATES else _daily(match)


def _weekly(match: re.Match[str]) -> Schedule | None:
    """Return once a week; a clock time without a weekday, or a part of the day without a clock time, stays words."""
    clocks, week = _clocks(match), 7 * DAY_SECONDS
    days = days_in(match.groupdict().get("days") or "")
    if not days:
        return Schedule(type="words", seconds=week, times=clocks) if clocks else _interval(week)
    if match.groupdict().get("part") and not clocks:
        return Schedule(type="words", seconds=week, days=days)
    return _at(clocks, days)


def _weekdays(match: re.Match[str]) -> Schedule | None:
    kind = match.group("kind").lower()
    return _at(_clocks(match), ("sat", "sun") if kind.startswith("weekend") else WORKING_DAYS)


def _day_names(match: re.Match[str]) -> Schedule | None:
    """Return the weekdays; a part of the day without a clock time is no time of day."""
    days, clocks = days_in(match.group("days")), _clocks(match)
    if match.groupdict().get("part") and not clocks:
        return Schedule(type="words", days=days)
    return _at(clocks, days) if days else None


def _appointment(match: re.Match[str]) -> Schedule | None:
    """Return the weekdays if a clock time or part of the day stands with them."""
    return _day_names(match) if _clocks(match) or match.group("part") else None


def _day_of_month(match: re.Match[str]) -> Schedule | None:
    day = int(match.group("number"))
    return _at(_clocks(match), date=f"{day} *") if 1 <= day <= 31 else None


def _days_of_month(match: re.Match[str]) -> Schedule | None:
    days = sorted({int(number) for number in re.findall(r"\d+", match["numbers"])})
    return (
        _at(_clocks(match), date=f"{','.join(map(str, days))} *") if 1 <= days[0] <= days[-1] <= 31 else None
    )


def _place_in_month(match: re.Match[str]) -> Schedule:
    """Return the words of `the last Friday of each month` with its clock times and weekday: no cron line holds it."""
    return Schedule(type="words", times=_clocks(match), days=days_in(match.groupdict().get("days") or ""))


def _part_of_day(match: re.Match[str]) -> Schedule | None:
    """Return once a day at an unknown time, unless a clock time follows."""
    clocks = _clocks(match)
    return _at(clocks) if clocks else Schedule(type="words", seconds=DAY_SECONDS)


def _part_with_window(match: re.Match[str]) -> Schedule | None:
    """Return once a day within the window that stands in brackets; the reader adds the window."""
    return Schedule(type="words", seconds=DAY_SECONDS) if match["window"] else None


def _bare_clocks(match: re.Match[str]) -> Schedule | None:
    """Return every day at the clock times; on unknown days if the text speaks of weeks or months."""
    clocks = _clocks(match)
    if clocks and re.search(r"\b(?:week|month)", match.string, re.IGNORECASE):
        return Schedule(type="words", times=clocks)
    return _at(clocks) if clocks else None


def _minutes(match: re.Match[str]) -> Schedule:
    minutes = ",".join(str(int(minute)) for minute in re.findall(r"(?<!\d)[0-5]\d", match.group()))
    return Schedule(type="cron", cron=f"{minutes} * * * *")


def _step(match: re.Match[str]) -> Schedule | None:
    unit = UNIT_SECONDS[(match.group("unit") or "m").lower()]
    return _interval(int(match.group("number")) * unit)


def _clocks(match: re.Match[str]) -> tuple[str, ...]:
    found = match.groupdict()
    clocks = clocks_in(found.get("clocks") or "") or clocks_in(found.get("before") or "")
    return tuple(dict.fromkeys(f"{clock.hour % 24:02d}:{clock.minute:02d}" for clock in clocks))


def _at(times: tuple[str, ...], days: tuple[str, ...] = (), date: str = "* *") -> Schedule:
    """Return the schedule for clock times on some days; without a time, the day starts at midnight."""
    cron = cron_of(times, days, date) if times else f"0 0 {date} {day_field(days)}"
    if not cron and date != "* *":
        return Schedule(type="words", times=times)
    return Schedule(type="cron" if cron else "times", cron=cron, times=times, days=days)


def _cron_line(match: re.Match[str]) -> Schedule | None:
    cron = find_cron(match.group())
    if not cron:
        return None
    times, days = times_of(cron)
    return Schedule(type="cron", cron=cron, times=times, days=days)


def _macro(match: re.Match[str]) -> Schedule:
    line = MACROS.get(match.group().lower(), "")
    return Schedule(type="cron", cron=line) if line else Schedule(type="event")


WORKING_DAYS: Final = DAY_NAMES[1:6]

_MEANINGS: Final = {
    meaning.__name__: meaning
    for meaning in (
        _every_duration,
        _macro,
        _cron_line,
        _event,
        _times_in_range,
        _minutes,
        _place_in_month,
        _days_of_month,
        _range,
        _either_duration,
        _daily,
        _other,
        _times_per,
        _weekdays,
        _day_names,
        _part_of_day,
        _day_of_month,
        _every_unit,
        _weekly,
        _adverb,
        _appointment,
        _step,
        _part_with_window,
        _bare_clocks,
    )
}


def _forms(name: str) -> tuple[CadenceForm, ...]:
    return tuple(
        CadenceForm(
            LazyRegex(FORMS.filled(pattern), re.IGNORECASE),
            _MEANINGS[f"_{meaning}"],
            tuple(words.split()) or ("",),
        )
        for meaning, words, pattern in FORMS.table["cadences"][name]
    )


CADENCES: Final = _forms("cadence")
DATED: Final = _forms("dated")
"""Forms that are a schedule in a line that speaks of a scheduler's job."""

APPOINTMENTS: Final = (*DATED, *_forms("expected"))
"""Forms that are a schedule where one is expected, such as a list of cron jobs."""
