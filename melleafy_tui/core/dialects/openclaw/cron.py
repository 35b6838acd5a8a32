"""Cron lines in a text: five fields, checked against their ranges, names turned into numbers."""

import re
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

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
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_PART: Final = LazyRegex(r"(?P<span>\*|\d{1,2}(?:-\d{1,2})?)(?:/(?P<step>\d{1,2}))?")


def find_cron(text: str) -> str:
    """Return the five-field line that a text is, or `""`; a line without any `*` is taken for a row of numbers."""
    fields = text.split()
    if len(fields) != len(_RANGES) or not any("*" in field for field in fields):
        return ""
    numbered = [
        fields[0],
        fields[1],
        fields[2],
        _numbers(fields[3], _MONTHS, 1),
        _numbers(fields[4].replace("?", "*"), _DAYS, 0),
    ]
    numbered[2] = numbered[2].replace("?", "*")
    valid = all(_is_valid(field, low, high) for field, (low, high) in zip(numbered, _RANGES, strict=True))
    return " ".join(numbered) if valid else ""


def _numbers(field: str, names: tuple[str, ...], first: int) -> str:
    def number(match: re.Match[str]) -> str:
        name = match.group().lower()
        return str(names.index(name) + first) if name in names else match.group()

    return re.sub(r"[A-Za-z]+", number, field)


def _is_valid(field: str, low: int, high: int) -> bool:
    for part in field.split(","):
        match = _PART.fullmatch(part)
        if match is None or match.group("step") == "0":
            return False
        numbers = [int(number) for number in re.findall(r"\d+", match.group("span"))]
        if any(not low <= number <= high for number in numbers) or numbers != sorted(numbers):
            return False
    return True
