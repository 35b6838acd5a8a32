"""Reads `languages.toml`: the time words of other languages, and the English that the cadence forms match instead."""

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, Final

from melleafy_tui.core.language.text_measures import has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

Replacement = Callable[[re.Match[str]], str]

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_RANGES: Final = ("a", "até", "à", "bis", "au", "по")
"""Words between two short weekdays that mean those between them, too."""

_SLOT: Final = re.compile(r"\{(?P<group>\w+)(?::(?P<names>\w+))?\}")
_TWO_DIGITS: Final = "02"
_LAST_HOUR: Final = 24
_FRAGMENT: Final = re.compile(r"<([A-Z_]+)>")
_HOUR_MARK: Final = LazyRegex(r"\d\s*(?:h|:|uhr|час)|\blas?\b|\bàs?\b|\bas\b", re.IGNORECASE)
"""What shows that the two numbers of a window are hours."""


class Language:
    """The time words of one language.

    Args:
        table: Its table of `languages.toml`.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._scripts = tuple((first, last) for first, last in table.get("scripts", ()))
        self._needed = LazyRegex(table.get("needed", r"(?!)"), re.IGNORECASE)
        self._table = table

    def is_needed(self, text: str) -> bool:
        """Return whether a text may contain its time words."""
        return has_any(text, *self._scripts) if self._scripts else self._needed.search(text) is not None

    @cached_property
    def replacements(self) -> tuple[tuple[LazyRegex, Replacement], ...]:
        """Return its patterns with their English, in the order in which they are applied."""
        found = [_short_days(*self._table["short_days"])] if "short_days" in self._table else []
        found += [_phrase(pattern, english) for pattern, english in self._table["phrases"]]
        words = {
            word.casefold(): english
            for english, listed in self._table.get("words", {}).items()
            for word in listed
        }
        if words:
            any_word = "|".join(
                re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)
            )
            pattern = LazyRegex(rf"(?<!\w)(?:{any_word})(?!\w)", re.IGNORECASE)
            found.append((pattern, lambda match: words[" ".join(match.group().split()).casefold()]))
        return tuple(found)


@cache
def _tables() -> dict[str, Any]:
    return table_beside(__file__, "languages.toml")


@cache
def languages() -> tuple[Language, ...]:
    """Return the languages; a text in two of them is translated from both."""
    return tuple(Language(table) for name, table in _tables().items() if name not in ("fragments", "names"))


def _phrase(pattern: str, english: str) -> tuple[LazyRegex, Replacement]:
    fragments = _tables()["fragments"]
    while _FRAGMENT.search(pattern):
        pattern = _FRAGMENT.sub(lambda fragment: fragments[fragment[1]], pattern)

    computed_slots = [(slot, computed) for slot, computed in _COMPUTED.items() if f"{{{slot}}}" in english]

    def in_english(match: re.Match[str]) -> str:
        groups = match.groupdict()
        for slot, computed in computed_slots:
            groups[slot] = computed(match)
            if groups[slot] is None:
                return match.group()
        return _SLOT.sub(lambda slot: _named(groups[slot["group"]] or "", slot["names"] or ""), english)

    return LazyRegex(pattern, re.IGNORECASE), in_english


@cache
def _names(table: str) -> Mapping[str, str]:
    return {word: english for english, words in _tables()["names"][table].items() for word in words}


def _named(value: str, table: str) -> str:
    """Return the English of what a group matched; several words are joined by commas."""
    if table in ("", _TWO_DIGITS):
        return value.zfill(2) if table else value
    names, lower = _names(table), value.lower()
    if lower in names or not value:
        return names.get(lower, "")
    known = "|".join(sorted(filter(None, names), key=len, reverse=True))
    return ", ".join(names[word] for word in re.findall(known, lower)) or value


def _clock(match: re.Match[str]) -> str | None:
    """Return `at 9:30` for the groups hour, minute, half_hour and half (of the day), None if there is no such hour."""
    groups = match.groupdict()
    number, half = (
        int(_named(match["hour"], "number")),
        _names("half").get((groups.get("half") or "").lower()),
    )
    if number > _LAST_HOUR:
        return None
    if half == "pm" and 1 <= number < 12:
        number += 12
    elif half == "am" and number == 12:
        number = 0
    minute = 30 if groups.get("half_hour") else int(groups.get("minute") or groups.get("minutes") or 0)
    both = f", {number + 12}:{minute:02d}" if groups.get("both") and number < 12 else ""
    return f" at {number}:{minute:02d}{both} "


def _window(match: re.Match[str]) -> str | None:
    """Return `from 9:00 to 18:00` for a window of bare hours, None if there is no such hour."""
    ends = [f"{int(match[name])}:{match[f'{name}_minute'] or '00'}" for name in ("first", "last")]
    return (
        f" from {' to '.join(ends)} " if max(int(match["first"]), int(match["last"])) <= _LAST_HOUR else None
    )


_COMPUTED: Final[Mapping[str, Callable[[re.Match[str]], str | None]]] = {
    "at": _clock,
    "from": _window,
    "from_hours": lambda match: _window(match) if _HOUR_MARK.search(match.group()) else None,
}
"""Slots whose English no list of names gives."""


def _short_days(days: str, joints: str) -> tuple[LazyRegex, Replacement]:
    """Return the phrase for a list or range of short weekdays; capitals in `days` are asked of a text, too."""
    names = {
        name.casefold(): english
        for spellings, english in zip(days.split(), _DAYS, strict=True)
        for name in spellings.split("|")
    }
    spelled = "|".join(
        sorted((name for each in days.split() for name in each.split("|")), key=len, reverse=True)
    )
    day = rf"(?-i:{spelled})" if days != days.lower() else rf"(?:{spelled})"
    words = re.compile(rf"(?P<day>{day})(?!\w)\.?|\s*(?P<joint>\b(?:{joints})\b)\s*", re.IGNORECASE)
    joint = rf"\.?\s*(?:[-–—+/&,]|\b(?:{joints})\b)\s*"

    def in_english(match: re.Match[str]) -> str:
        return words.sub(_of, match.group())

    def _of(word: re.Match[str]) -> str:
        if word["day"]:
            return names[word["day"].casefold()]
        return " to " if word["joint"].casefold() in _RANGES else ", "

    return LazyRegex(rf"(?<!\w){day}(?:{joint}{day})+(?!\w)\.?", re.IGNORECASE), in_english
