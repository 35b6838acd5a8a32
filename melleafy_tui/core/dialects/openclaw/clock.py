"""Times of day, weekdays and zones in words: the vocabulary that cadences and active hours share."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex

CLOCK: Final = (
    r"(?:(?:[01]?\d|2[0-4])[:.][0-5]\d(?:\s?[ap]\.?m\b\.?)?|(?:1[0-2]|0?[1-9])\s?[ap]\.?m\b\.?|noon\b|midnight\b"
    r"|(?:上午|下午|晚上|早上|凌晨|中午|午前|午後)?\s?(?:[01]?\d|2[0-4])\s?[点點时時](?:半|[0-5]?\d分?)?)"
)
"""A time of day; a bare number is none. The hour marks of Chinese and Japanese are read too."""

CLOCKS: Final = rf"{CLOCK}(?:\s*(?:,|and\b|&|/|;|\+|、|和|и\b|y\b|e\b)+\s*(?:at\s+)?{CLOCK}){{0,11}}"

DAY: Final = (
    r"(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:s|nesdays?)?|thu(?:r|rs|rsdays?)?|fri(?:days?)?"
    r"|sat(?:urdays?)?|sun(?:days?)?)\b"
)

_CLOCK: Final = LazyRegex(CLOCK, re.IGNORECASE)
_DAY_NUMBERS: Final = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}
_CJK_DAYS: Final = {
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 0, "天": 0,
    "月": 1, "火": 2, "水": 3, "木": 4, "金": 5, "土": 6,
}  # fmt: skip
_ZONE: Final = re.compile(
    r"\b(?:(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)"
    r"/[A-Za-z][A-Za-z_+-]*(?:/[A-Za-z_+-]+)?(?:[+-]\d{1,2})?|(?:UTC|GMT)(?![+-]\d)\b)"
)


class TimeOfDay(Struct, frozen=True):
    """A time of day; 24:00 is the end of the day."""

    hour: int
    minute: int

    def __str__(self) -> str:
        """Return it as `HH:MM`."""
        return f"{self.hour:02d}:{self.minute:02d}"


def read_clock(text: str) -> TimeOfDay | None:
    """Return the time of day that a whole text is, in any form of CLOCK."""
    words = text.strip().lower().replace("．", ".")
    if not _CLOCK.fullmatch(words):
        return None
    if words == "noon":
        return TimeOfDay(12, 0)
    if words == "midnight":
        return TimeOfDay(0, 0)
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    if "半" in words:
        minute = 30
    afternoon = re.search(r"p\.?m|下午|晚上|午後", words)
    morning = re.search(r"a\.?m|上午|早上|凌晨|午前", words)
    if (afternoon or morning) and hour > 12 and re.search(r"[ap]\.?m", words):
        return None
    if afternoon and hour < 12:
        hour += 12
    if morning and hour == 12:
        hour = 0
    return TimeOfDay(hour, minute) if hour < 24 or minute == 0 else None


def clocks_in(text: str) -> tuple[TimeOfDay, ...]:
    """Return all times of day in a text, in order."""
    found = (read_clock(match.group()) for match in _CLOCK.finditer(text))
    return tuple(time for time in found if time is not None)


def days_in(text: str) -> tuple[int, ...]:
    """Return the weekdays that a text names, Sunday being 0, with ranges such as `Mon-Fri` filled in."""
    names = [(match.start(), match.end(), _DAY_NUMBERS[match.group()[:3].lower()]) for match in _days(text)]
    days: list[int] = []
    for position, (start, _, day) in enumerate(names):
        between = text[names[position - 1][1] : start].strip().lower() if position else ""
        if between in ("-", "–", "—", "to", "through", "till", "until"):
            first = names[position - 1][2]
            days += [(first + step) % 7 for step in range(1, (day - first) % 7)]
        days.append(day)
    return tuple(sorted(set(days)))


def cjk_days_in(text: str) -> tuple[int, ...]:
    """Return the weekdays of `周一、周三` or `月曜日` and their kin."""
    return tuple(sorted({_CJK_DAYS[character] for character in text if character in _CJK_DAYS}))


def zone_in(text: str) -> str:
    """Return the IANA zone, UTC or GMT that a text names, or `""`; other abbreviations are ambiguous."""
    match = _ZONE.search(text)
    return match.group() if match else ""


def _days(text: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"\b{DAY}", text, re.IGNORECASE))
