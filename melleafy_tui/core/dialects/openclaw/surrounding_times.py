"""Finds what the lines around a cadence add to it: a time zone, weekdays, and a window of the day."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.file_outline import HEARTBEAT_PATH, FileOutline, own_section
from melleafy_tui.core.dialects.openclaw.in_force import Aside
from melleafy_tui.core.dialects.openclaw.wake_words import (
    ALL_TIMES,
    GENERAL,
    GOES_ON,
    declares_hours,
    speaks_of_waking,
)
from melleafy_tui.core.language.time.active_hours import (
    ActiveHours,
    active_hours_in,
    days_declared,
    quiet_hours_in,
)
from melleafy_tui.core.language.time.cadence import with_days, with_hours
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import CLOCKS, days_in
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.source.segments import Segment

_AROUND: Final = ("heading", "lead_in", "paragraph", "item")
"""The kinds of segments whose zone, days and hours hold for their section."""
_CLOCKS_ONLY: Final = LazyRegex(CLOCKS, re.IGNORECASE)
_DAYS_LAST: Final = re.compile(r"[(（](?P<days>[^()（）]{3,60})[)）][^\w(（]*$")
_SHORT_DAY_BEFORE_WORD: Final = LazyRegex(
    r"\b(?:sat|sun|mon|wed)\b(?=\s+(?!to\b|and\b|at\b)[a-z]{2})", re.IGNORECASE
)


class Standing(Struct, frozen=True):
    """What a line says about the times in its section: a zone, days, a window, but no cadence."""

    section: tuple[str, ...]
    zone: str
    days: tuple[str, ...]
    hours: ActiveHours | None
    waking: bool
    lines: str


class SurroundingTimes:
    """What the lines of one file say about the times in their sections."""

    def __init__(self, outline: FileOutline, aside: Aside) -> None:
        self._outline = outline
        self._standing = [
            standing
            for segment in outline.segments
            if segment.kind in _AROUND and segment.first not in aside
            if (standing := _standing(segment)) is not None
        ]

    def constraints(self) -> Schedule:
        """Return the days, zone and window that hold for the wake-up as a whole."""
        found = Schedule()
        for standing in filter(self._is_about_waking, self._standing if self._outline.is_heartbeat else ()):
            if standing.hours is not None and not found.active_hours:
                found = with_hours(replace(found, lines=found.lines or standing.lines), standing.hours)
            found = replace(
                found,
                timezone=found.timezone or standing.zone,
                days=found.days or standing.days,
                file=HEARTBEAT_PATH,
                lines=found.lines or standing.lines,
            )
        return found

    def _is_about_waking(self, standing: Standing) -> bool:
        if standing.waking:
            return bool(standing.hours or standing.days or not self._outline.task_heading(standing.section))
        return bool(standing.hours and self._holds_for_all(standing))

    def _holds_for_all(self, standing: Standing) -> bool:
        below = [heading for heading in standing.section if heading != self._outline.title]
        return all(
            declares_hours(each) or self._outline.is_wakeish(each) or GENERAL.fullmatch(each)
            for each in below
        )

    def with_times_around(self, found: Schedule, section: tuple[str, ...]) -> Schedule:
        """Return a task's schedule with the zone, days and window that the lines of its sections give."""
        around = [standing for standing in reversed(self._standing) if not standing.waking]
        for standing in sorted(around, key=lambda each: bool(each.hours and each.hours.quiet)):
            same = standing.section == section
            if same or (standing.hours is None and standing.section == section[: len(standing.section)]):
                found = _with_standing(found, standing, same=same)
        return found


def _standing(segment: Segment) -> Standing | None:
    """Return the zone, days or hours that a line gives for its section, or None."""
    text = plain_text(segment.text)
    hours = _hours_declared(segment, text)
    waking = speaks_of_waking(text)
    for_all = waking or hours is not None or bool(ALL_TIMES.search(text))
    days = days_declared(text) if for_all else ()
    zone = zone_in(text) if for_all or segment.kind == "heading" else ""
    if not (hours or days or zone):
        return None
    return Standing(own_section(segment), zone, days, hours, waking, lines_of(segment.first, segment.last))


def _hours_declared(segment: Segment, text: str) -> ActiveHours | None:
    """Return the window that a line gives, if it or the heading above it declares active or quiet hours.

    Where some work goes on in quiet hours, the agent is woken all the same, and the line itself says what it does then.
    """
    headed = segment.kind != "item" and any(map(declares_hours, segment.section[-1:]))
    found = (active_hours_in(text) or quiet_hours_in(text)) if headed or declares_hours(text) else None
    return None if found is not None and found.quiet and GOES_ON.search(text) else found


def _with_standing(found: Schedule, standing: Standing, *, same: bool) -> Schedule:
    if standing.hours is not None and same and not found.active_start and not found.times:
        found = with_hours(found, standing.hours)
    found = with_days(found, standing.days) if same or standing.days else found
    return replace(found, timezone=found.timezone or standing.zone)


def announced_zone(segment: Segment) -> str:
    """Return the time zone in the header of a segment's table, or in its lead-in."""
    lead_in = (segment.lead_in,) if segment.lead_in else ()
    return next(filter(None, (zone_in(f"({words})") for words in (*segment.header, *lead_in))), "")


def with_days_above(found: Schedule, section: tuple[str, ...]) -> Schedule:
    """Return a bare clock time with the days of the innermost heading that names some."""
    is_bare = found.type == "words" or _CLOCKS_ONLY.fullmatch(found.cadence)
    if not found.times or found.days or not is_bare:
        return found
    return with_days(found, next(filter(None, map(_days_of_heading, reversed(section))), ()))


def with_days_last(found: Schedule, text: str) -> Schedule:
    """Return a clock time with the days in brackets at the end of its line: `09:00 - report (Tuesday & Friday)`."""
    remark = _DAYS_LAST.search(text[-80:])
    if not found.times or found.days or remark is None or remark["days"] in found.cadence:
        return found
    return with_days(found, days_in(remark["days"]))


def _days_of_heading(heading: str) -> tuple[str, ...]:
    """Return the weekdays that a heading names; `Sat` before a word, as in `Sat up in May`, is none."""
    return days_in(_SHORT_DAY_BEFORE_WORD.sub(" ", in_english(heading).text))


def lines_of(first: int, last: int) -> str:
    """Return a range of lines as schedules hold it: `4`, `4-6`."""
    return str(first) if first == last else f"{first}-{last}"
