"""Durations in words and units: `30m`, `1h30m`, `two hours`, and the `every` values of a configuration."""

import re
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

DAY_SECONDS: Final = 86_400

UNIT_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": DAY_SECONDS, "w": 7 * DAY_SECONDS}
"""Seconds by the first letter of a unit."""

_NUMBER_WORDS: Final = {
    "half an": 0.5, "half a": 0.5, "half": 0.5, "an": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "forty-five": 45, "sixty": 60, "ninety": 90,
}  # fmt: skip
_WORDS: Final = "|".join(_NUMBER_WORDS)
_DIGITS: Final = r"\d{1,5}(?:\.\d{1,2})?"
UNIT: Final = r"(?:seconds?|secs?|s|minutes?|mins?|min\.|m|hours?|hrs?|hr\.|h|days?|d|weeks?|wks?|w)"
NUMBER: Final = rf"(?:{_DIGITS}|{_WORDS})"
_AMOUNT: Final = rf"(?:{_DIGITS}[\s-]?|(?:{_WORDS})[\s-]){UNIT}(?![\w'’])"
COMPACT: Final = r"(?:\d{1,5}[wdhms]){1,5}(?![\w'’])"
DURATION: Final = rf"{_AMOUNT}(?:\s*(?:,|and)?\s*\d{{1,3}}\s?{UNIT}(?![\w'’]))?"

_PART: Final = re.compile(
    rf"(?<![\w.])(?:(?P<digits>{_DIGITS})[\s-]?|(?P<word>{_WORDS})[\s-])(?P<unit>{UNIT})(?![a-z])"
)
_WHOLE: Final = LazyRegex(rf"{COMPACT}|{DURATION}")


def seconds_in(text: str) -> float:
    """Return the sum of the durations in a text."""
    spaced = re.sub(r"(?<=\d)([wdhms])(?=\d)", r"\1 ", text.lower())
    return sum(
        number_of(part.group("digits") or part.group("word")) * UNIT_SECONDS[part.group("unit")[0]]
        for part in _PART.finditer(spaced)
    )


def number_of(word: str) -> float:
    """Return the number that digits or a number word stand for; 0 for any other word."""
    plain = word.lower()
    if plain in _NUMBER_WORDS:
        return float(_NUMBER_WORDS[plain])
    return float(plain) if plain.replace(".", "", 1).isdecimal() else 0.0


def read_interval(value: object) -> int | None:
    """Return the seconds of an `every` value of a configuration; 0 means off, None that it is no interval.

    A number without unit means minutes (field-notes.md, openclaw.json).
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return int(value * 60) if 0 <= value < 10_000_000 else None
    text = str(value).strip().lower()
    if re.fullmatch(r"\d{1,7}", text):
        return int(text) * 60
    return int(seconds_in(text)) if _WHOLE.fullmatch(text) else None
