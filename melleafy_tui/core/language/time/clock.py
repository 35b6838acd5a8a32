"""Reads clock times, weekdays and durations in text, for cadences and active hours."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.time.cron import DAY_NAMES
from melleafy_tui.core.language.words import PatternTable
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

_TABLE: Final = table_beside(__file__, "forms.toml")
_NUMBER_WORDS: Final[dict[str, float]] = _TABLE["numbers"]
FORMS: Final = PatternTable(_TABLE, NUMBER_WORDS="|".join(_NUMBER_WORDS))
"""The forms of times, windows and durations."""

CLOCK: Final = FORMS.filled("@CLOCK@")
DAY: Final = FORMS.filled("@DAY@")
_CLOCK: Final = LazyRegex(CLOCK, re.IGNORECASE)


class TimeOfDay(Struct, frozen=True):
    """A time of day; 24:00 is the end of the day."""

    hour: int
    minute: int

    def __str__(self) -> str:
        """Return it as `HH:MM`."""
        return f"{self.hour:02d}:{self.minute:02d}"


_NAMED_CLOCKS: Final = {"noon": TimeOfDay(12, 0), "midnight": TimeOfDay(0, 0)}
_AFTERNOON: Final = LazyRegex(r"p\.?m|下午|晚上|午後")
_MORNING: Final = LazyRegex(r"a\.?m|上午|早上|凌晨|午前")
_AM_OR_PM: Final = re.compile(r"[ap]\.?m")


def read_clock(text: str) -> TimeOfDay | None:
    """Return the time of day if the whole text is one, in any form of CLOCK."""
    words = text.strip().lower().replace("．", ".")
    if not _CLOCK.fullmatch(words):
        return None
    if words in _NAMED_CLOCKS:
        return _NAMED_CLOCKS[words]
    hour, *minutes = (int(number) for number in re.findall(r"\d+", words))
    if hour > 12 and (half := _AM_OR_PM.search(words)) and half.group().startswith("a"):
        return None
    hour = _hour_of_day(hour, words)
    minute = 30 if "半" in words else next(iter(minutes), 0)
    return TimeOfDay(hour, minute) if hour < 24 or minute == 0 else None


def _hour_of_day(hour: int, words: str) -> int:
    """Return the hour on a clock of 24 hours, by the half of the day that the words name."""
    if hour < 12 and _AFTERNOON.search(words):
        return hour + 12
    return 0 if hour == 12 and _MORNING.search(words) else hour


def clocks_in(text: str) -> tuple[TimeOfDay, ...]:
    """Return all times of day in a text, in order."""
    found = (read_clock(match.group()) for match in _CLOCK.finditer(text))
    return tuple(time for time in found if time is not None)


def days_in(text: str) -> tuple[str, ...]:
    """Return the weekdays that a text names, from `sun` to `sat`; ranges such as `Mon-Fri` are expanded."""
    names = [
        (found.start(), found.end(), DAY_NAMES.index(found.group()[:3].lower()))
        for found in re.finditer(rf"\b{DAY}", text, re.IGNORECASE)
    ]
    days: set[int] = set()
    for position, (start, _, day) in enumerate(names):
        between = text[names[position - 1][1] : start].strip().lower() if position else ""
        if between in ("-", "–", "—", "to", "through", "till", "until"):
            first = names[position - 1][2]
            days |= {(first + step) % 7 for step in range(1, (day - first) % 7)}
        days.add(day)
    return tuple(DAY_NAMES[day] for day in sorted(days))


DAY_SECONDS: Final = 86_400

UNIT_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": DAY_SECONDS, "w": 7 * DAY_SECONDS}
"""Seconds by the first letter of the unit."""

_PART: Final = re.compile(
    FORMS.filled(
        r"(?<![\w.])(?:(?P<digits>@DIGITS@)[\s-]?|(?P<word>@NUMBER_WORDS@)[\s-])(?P<unit>@UNIT@)(?![a-z])"
    )
)
_WHOLE: Final = LazyRegex(FORMS.filled("@COMPACT@|@DURATION@"))


def seconds_in(text: str) -> float:
    """Return the sum of the durations in a text."""
    spaced = re.sub(r"(?<=\d)([wdhms])(?=\d)", r"\1 ", text.lower())
    return sum(
        number_of(part.group("digits") or part.group("word")) * UNIT_SECONDS[part.group("unit")[0]]
        for part in _PART.finditer(spaced)
    )


def number_of(word: str) -> float:
    """Return the value of digits or a number word; 0 for any other word."""
    plain = word.lower()
    if plain in _NUMBER_WORDS:
        return float(_NUMBER_WORDS[plain])
    return float(plain) if plain.replace(".", "", 1).isdecimal() else 0.0


def read_interval(value: object) -> int | None:
    """Return the seconds of an `every` value in a configuration; 0 means off, None means it isn't an interval.

    A number without a unit means minutes.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return int(value * 60) if 0 <= value < 10_000_000 else None
    text = str(value).strip().lower()
    if re.fullmatch(r"\d{1,7}", text):
        return int(text) * 60
    return int(seconds_in(text)) if _WHOLE.fullmatch(text) else None


def short_interval(seconds: int) -> str:
    """Return an interval in its largest whole unit: 1800 is `30m`."""
    unit = next(unit for unit in "dhms" if seconds % UNIT_SECONDS[unit] == 0)
    return f"{seconds // UNIT_SECONDS[unit]}{unit}"
