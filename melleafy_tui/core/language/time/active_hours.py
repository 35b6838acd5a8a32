"""Reads active hours in every form in which they are declared."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.cadence_words import EnglishText, in_english
from melleafy_tui.core.language.time.clock import FORMS, TimeOfDay, days_in, read_clock
from melleafy_tui.core.language.time.cron import DAY_NAMES
from melleafy_tui.core.language.time.zones import zone_at, zone_in
from melleafy_tui.core.lazy_regex import LONGEST_READ

_WINDOW: Final = FORMS.form("window")
_CLOCK_WINDOW: Final = FORMS.form("clock_window")
_WORDS: Final = FORMS.form("words")
_SILENT: Final = FORMS.form("silent")
_QUIET: Final = FORMS.form("quiet")
_SILENT_AFTER: Final = FORMS.form("silent_after", longest=LONGEST_READ)
_WORKING_DAYS: Final = FORMS.form("working_days")
_DAY_SPAN: Final = FORMS.form("day_span")
_BARE_SPAN: Final = FORMS.form("bare_span", re.NOFLAG)
_LOOK_BACK: Final = 40
_DAY_MINUTES: Final = 24 * 60
_WINDOW_GROUPS: Final = (("start", "end"), ("first", "last"), ("number", "other"), ("two", "digits"))
"""The groups of `_CLOCK_WINDOW` that hold the start and the end, one pair for each of its forms."""


class ActiveHours(Struct, frozen=True):
    """A window of the day in which the agent may be woken.

    Attributes:
        words: The declared window: `09:00-18:00` if it was understood, else the source's words.
        start: `HH:MM`, or `""` if it wasn't understood.
        end: `HH:MM`, at most `24:00`.
        timezone: An IANA name, or the source's own word (`user`, `local`).
        never: Whether start and end are equal, so that the agent never runs.
        normalised: Whether it was written in a form other than `HH:MM`.
        days: The weekdays on which it holds; none means all.
        quiet: The declared window if it is one in which the agent stays silent; the hours are its complement.
    """

    words: str
    start: str = ""
    end: str = ""
    timezone: str = ""
    never: bool = False
    normalised: bool = False
    days: tuple[str, ...] = ()
    quiet: str = ""


def read_active_hours(value: object) -> ActiveHours | None:
    """Return the window that a configuration value declares.

    Args:
        value: An object with start, end and timezone; a text; a pair; any other value.

    Returns:
        None if there is no window; a window with words only if the form isn't recognised.
    """
    if isinstance(value, Mapping):
        return _of_object(value)
    if isinstance(value, str):
        return _whole_text(value.strip()) if value.strip() else None
    if value is None or isinstance(value, bool) or value in ([], ()):
        return None
    if isinstance(value, list | tuple) and len(value) == 2:
        return _window(value[0], value[1], "")
    return ActiveHours(words=str(value))


def _of_object(value: Mapping[str, object]) -> ActiveHours | None:
    start = value.get("start", value.get("from"))
    end = value.get("end", value.get("to", value.get("until")))
    zone = value.get("timezone", value.get("tz", ""))
    if start is None and end is None:
        return None
    return _window(start, end, zone if isinstance(zone, str) else "")


def active_hours_in(text: str | EnglishText) -> ActiveHours | None:
    """Return the window that a sentence declares; None for quiet hours and other exceptions."""
    english = in_english(text) if isinstance(text, str) else text
    plain = english.text
    for match in _CLOCK_WINDOW.finditer(plain):
        if _SILENT.search(_before(plain, match)) or _SILENT_AFTER.match(plain, match.end()):
            continue
        if match["two"] and len(_BARE_SPAN.findall(plain)) > 1:
            return None  # one of several windows, of which a schedule can hold none
        found = _clock_window(english, match)
        if found is not None:
            return found
    words = _WORDS.search(plain)
    if words and not _SILENT.search(_before(plain, words)):
        return ActiveHours(
            words=english.source_words(*words.span()),
            timezone=zone_in(english.source),
            days=days_declared(english),
        )
    return None


def quiet_hours_in(text: str | EnglishText) -> ActiveHours | None:
    """Return the hours outside a window in which a sentence asks for silence, or None if it declares none."""
    english = in_english(text) if isinstance(text, str) else text
    for match in _CLOCK_WINDOW.finditer(english.text):
        silent = _QUIET.search(_before(english.text, match))
        if not silent and not _SILENT_AFTER.match(english.text, match.end()):
            continue
        found = _clock_window(english, match)
        if found is not None and not found.never:
            return replace(
                found,
                words=f"{found.end}-{found.start}",
                start="00:00" if found.end == "24:00" else found.end,
                end="24:00" if found.start == "00:00" else found.start,
                quiet=found.words,
            )
    return None


def days_declared(text: str | EnglishText) -> tuple[str, ...]:
    """Return the weekdays to which a sentence limits something: `Mon–Fri`, `weekdays only`, `weekends off`."""
    plain = in_english(text).text if isinstance(text, str) else text.text
    if _WORKING_DAYS.search(plain):
        return DAY_NAMES[1:6]
    span = _DAY_SPAN.search(plain)
    return days_in(span.group()) if span else ()


def _before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - _LOOK_BACK) : match.start()]


def _clock_window(english: EnglishText, match: re.Match[str]) -> ActiveHours | None:
    start, end = next(match.group(*names) for names in _WINDOW_GROUPS if match[names[0]])
    if not match["two"] and read_clock(start) is None and read_clock(end) is None:
        return None
    first, last = _time(start, _am_or_pm(start, end)), _time(end, "")
    if first is None or last is None:
        return None
    found = _from_times(first, last, zone_in(english.source), normalised=True)
    return replace(found, days=days_declared(english))


def _whole_text(text: str) -> ActiveHours:
    named = zone_at(text)
    zone = named.name if named is not None else ""
    bare = (text[: named.start] + text[named.end :] if named is not None else text).strip(" ()[],")
    match = _WINDOW.fullmatch(bare)
    if match is None:
        found = active_hours_in(text)
        return found if found is not None else ActiveHours(words=text, timezone=zone)
    return _window(match.group("start"), match.group("end"), zone, as_text=text)


def _window(start: object, end: object, zone: str, *, as_text: str = "") -> ActiveHours:
    first, last = _time(start, _am_or_pm(start, end)), _time(end, "")
    if first is None or last is None:
        words = as_text or f"{'' if start is None else start}-{'' if end is None else end}"
        return ActiveHours(words=words, timezone=zone)
    plain = (str(first), str(last)) == (start, end) or as_text == f"{first}-{last}"
    return _from_times(first, last, zone, normalised=not plain)


def _from_times(first: TimeOfDay, last: TimeOfDay, zone: str, *, normalised: bool) -> ActiveHours:
    return ActiveHours(
        words=f"{first}-{last}",
        start=str(first),
        end=str(last),
        timezone=zone,
        never=first == last,
        normalised=normalised,
    )


def _time(value: object, half: str) -> TimeOfDay | None:
    """Return a time of day; a bare number is an hour, four digits are hours and minutes."""
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip().removesuffix(".0")
    if not text.isdecimal():
        return read_clock(text)
    number = int(text)
    if half and 1 <= number <= 12:
        return read_clock(f"{number}{half}")
    hour, minute = (number, 0) if number <= 24 else divmod(number, 100)
    in_day = minute < 60 and 60 * hour + minute <= _DAY_MINUTES
    return TimeOfDay(hour, minute) if in_day and len(text) <= 4 else None


def _am_or_pm(start: object, end: object) -> str:
    """Return am or pm for a bare start before an end such as `5pm`: the one that makes it a daytime window."""
    match = re.fullmatch(r"(\d{1,2})(?::\d{2})?\s?([ap])\.?m\.?", str(end).strip(), re.IGNORECASE)
    bare = str(start).strip()
    if match is None or not bare.isdecimal():
        return ""
    same_half = int(bare) % 12 < int(match.group(1)) % 12
    return f"{match.group(2).lower()}m" if same_half else ("am" if match.group(2).lower() == "p" else "pm")
