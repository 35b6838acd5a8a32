"""Reads and writes five-field cron lines."""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

DAY_NAMES: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
"""The weekdays in cron's order: Sunday is 0."""

MACROS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}

_RANGES: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PART: Final = LazyRegex(r"(?P<span>\*|\d{1,2}(?:-\d{1,2})?)(?:/(?P<step>\d{1,2}))?")
_FULL_DAY: Final = 86_400


def find_cron(text: str) -> str:
    """Return the text if it is a five-field cron line, else `""`; a line without any `*` counts as a row of numbers."""
    fields = text.split()
    if len(fields) != len(_RANGES) or not any("*" in field for field in fields):
        return ""
    numbered = [
        fields[0],
        fields[1],
        fields[2].replace("?", "*"),
        _numbers(fields[3], _MONTHS, 1),
        _numbers(fields[4].replace("?", "*"), DAY_NAMES, 0),
    ]
    valid = all(_is_valid(field, low, high) for field, (low, high) in zip(numbered, _RANGES, strict=True))
    return " ".join(numbered) if valid else ""


def cron_of(times: Sequence[str], days: Sequence[str] = (), date: str = "* *") -> str:
    """Return the cron line that runs at some times of some days, or `""` if one line can't.

    Args:
        times: Clock times as `HH:MM`; their minutes have to be the same.
        days: Names of weekdays, all by default.
        date: The fields for the day of the month and the month.
    """
    clocks = [time.partition(":") for time in times]
    minutes = {int(minute) for _, _, minute in clocks}
    if len(minutes) != 1:
        return ""
    hours = ",".join(str(hour) for hour in sorted({int(hour) % 24 for hour, _, _ in clocks}))
    return f"{minutes.pop()} {hours} {date} {day_field(days)}"


def day_field(days: Sequence[str]) -> str:
    """Return weekdays as a cron field: `1-5` for Monday to Friday, `*` for none or all."""
    numbers = sorted({DAY_NAMES.index(day) for day in days})
    if not numbers or len(numbers) == len(DAY_NAMES):
        return "*"
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ",".join(map(str, numbers))


def times_of(cron: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clock times and weekdays of a cron line; empty where it has no list of them."""
    fields = cron.split()
    if len(fields) != len(_RANGES):
        return (), ()
    minutes, hours = _values(fields[0]), _values(fields[1])
    times = tuple(f"{hour:02d}:{minute:02d}" for hour in hours for minute in minutes)
    return times, tuple(DAY_NAMES[day % 7] for day in _values(fields[4]))


def seconds_between_runs(cron: str) -> float:
    """Return the average number of seconds between two runs of a cron line."""
    minute, hour, day, month, weekday = cron.split()
    per_day = _count(minute, 60) * _count(hour, 24)
    days = _count(day, 31) / 31 * _count(month, 12) / 12 * _count(weekday, 7) / 7
    return _FULL_DAY / max(per_day * days, 1e-6)


def _values(field: str) -> tuple[int, ...]:
    """Return the numbers of a field that lists them or gives a range without a step."""
    values: list[int] = []
    for part in field.split(","):
        first, _, last = part.partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            return ()
        values += range(int(first), int(last or first) + 1)
    return tuple(values)


def _count(field: str, size: int) -> float:
    """Return how many values a cron field matches."""
    total = 0.0
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        width = size if span == "*" else (int(last) - int(first) + 1 if last else 1)
        total += max(1.0, width / int(step)) if step else width
    return total


def _numbers(field: str, names: tuple[str, ...], first: int) -> str:
    def number(match: re.Match[str]) -> str:
        name = match.group().lower()
        return str(names.index(name) + first) if name in names else match.group()

    return re.sub(r"[A-Za-z]+", number, field)


def _is_valid(field: str, low: int, high: int) -> bool:
    for part in field.split(","):
        match = _PART.fullmatch(part)
        if match is None or match.group("step") in ("0", "00"):
            return False
        numbers = [int(number) for number in re.findall(r"\d+", match.group("span"))]
        if any(not low <= number <= high for number in numbers) or numbers != sorted(numbers):
            return False
    return True
