"""Reads the times at which something runs, from words, units, clock times and cron lines in eight languages.

The forms are a table in `forms.toml`, the words of other languages one in `languages.toml`. Known forms are
normalised to seconds, clock times and days, or a five-field cron line; a cadence of unknown form is kept verbatim
(`words`), never guessed. Bare clock times, quiet hours, ages, limits, examples and wishes don't count as cadences. A
weekday or month without a time means its start, as in cron's own `@weekly` and `@monthly`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.active_hours import (
    ActiveHours,
    active_hours_in,
    days_declared,
    quiet_hours_in,
)
from melleafy_tui.core.language.time.cadence_forms import APPOINTMENTS, CADENCES, DATED, CadenceForm
from melleafy_tui.core.language.time.cadence_words import EnglishText, in_english, is_foreign
from melleafy_tui.core.language.time.clock import (
    DAY_SECONDS,
    FORMS,
    clocks_in,
    days_in,
)
from melleafy_tui.core.language.time.cron import cron_of, day_field, seconds_between_runs
from melleafy_tui.core.language.time.zones import zone_at, zone_in
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import ScheduleFact

LONGEST_TEXT: Final = 1_000
"""The number of characters of a text that are read."""

_HALF_WIDTH: Final = str.maketrans(
    {"：": ":", "（": "(", "）": ")", "，": ",", "；": ";", "～": "~", "．": "."}
)
_COMMENT: Final = LazyRegex(r"<!--.{0,1000}?-->", re.DOTALL)
_EMPHASIS: Final = FORMS.form("emphasis", re.NOFLAG)
"""Emphasis marks, except the asterisks of cron lines."""
_LIMIT_BEFORE: Final = FORMS.form("limit_before")
_MOST_BEFORE: Final = FORMS.form("most_before")
_MOST_AFTER: Final = LazyRegex(r"\W{0,3}\b(?:max(?:imum)?|at most|tops)\b", re.IGNORECASE)
_EXAMPLE_BEFORE: Final = FORMS.form("example_before")
_HINT: Final = FORMS.form("hint")
"""An English text without any of these has no cadence; most lines of a heartbeat are skipped this way."""

_OFTEN_HEADER: Final = FORMS.form("often_header")
"""A column of intervals; elsewhere a bare duration says how long something takes or is kept."""
_TIME_HEADER: Final = FORMS.form("time_header")
_BARE_DURATION: Final = LazyRegex(FORMS.filled(r"\W*@DURATION@\W*"), re.IGNORECASE)
_APPOINTMENT_CELL: Final = FORMS.form("appointment_cell")
_LAST_BRACKET: Final = re.compile(r"[(（](?P<inner>[^()（）\n]{3,60})[)）]\W*$")
_ABBREVIATED: Final = LazyRegex(r"[ap]\.m\.$|\b(?:min|hr)\.$", re.IGNORECASE)
_LONGEST_REMARK: Final = 30
"""How many more characters in brackets belong to a cadence."""
_SHORT_INTERVAL = LazyRegex(r"(?:every|each)\s+(?P<duration>(?:\d+[smhd])+)", re.IGNORECASE)
"""`every 30m` is kept as `30m`, the form used in openclaw.json."""


@lru_cache(maxsize=4_096)  # a line is asked about whole, by its label and by its parts
def read_cadence(text: str, *, expected: bool = False, dated: bool = False) -> Schedule | None:
    """Return the cadence that a text declares.

    Args:
        text: A sentence, heading, list item or value, with or without Markdown markup.
        expected: Whether the text stands in a schedule, so that a mere clock time is one too.
        dated: Whether the text is about a job, so that a weekday with a clock time is a schedule too.

    Returns:
        A schedule of type interval, cron, times, event or words, with days, zone and active hours if the text gives
        them; None if the text declares no cadence.
    """
    in_schedule = expected or dated
    start = text[:LONGEST_TEXT]
    if not in_schedule and not _HINT.search(start) and not is_foreign(start):
        return None
    english = _readable(text)
    if not english.text:
        return None
    found = _first(english, CADENCES)
    if found is not None and _is_once_a_day(found):
        found = _in_brackets(text) or found
    if in_schedule and (found is None or _is_once_a_day(found)):
        return _first(english, APPOINTMENTS if expected else DATED) or found
    return found


def _is_once_a_day(found: Schedule) -> bool:
    return found.type == "interval" and not found.times and found.seconds == DAY_SECONDS


def _in_brackets(text: str) -> Schedule | None:
    """Return the clock times in brackets at the end of a name that says how often: `每日检查（每天 09:00）`."""
    bracket = _LAST_BRACKET.search(text[:LONGEST_TEXT])
    found = read_cadence(bracket["inner"], expected=True) if bracket else None
    return found if found is not None and found.cron and not found.days else None


def read_cadences(text: str, *, expected: bool = False, dated: bool = False) -> tuple[Schedule, ...]:
    """Return every cadence of a line such as `daily 9PM check-in, Sunday 9AM report`, in order.

    Args:
        text: The line.
        expected: Whether it stands in a schedule.
        dated: Whether it is about a job.
    """
    parts = re.split(r"\s*(?:[;；|]|,(?=\s)|[，、])\s*", text[:LONGEST_TEXT])
    listed = _listed(parts) if len(parts) > 1 else ()
    if listed:
        return listed
    whole = read_cadence(text, expected=expected, dated=dated)
    return (whole,) if whole is not None else ()


def _listed(parts: list[str]) -> tuple[Schedule, ...]:
    """Return the cadences of the parts of an enumeration, none if the parts belong to one cadence."""
    found = [read_cadence(part, dated=True) for part in parts]
    timed = [each for each in found if each is not None and (each.times or each.type == "interval")]
    separate = len(timed) > 1 and (found[0] is not None or all(each.times for each in timed))
    return tuple(timed) if separate else ()


def is_time_header(header: str) -> bool:
    """Return whether the header of a column says that its cells tell when."""
    return bool(_TIME_HEADER.search(header) or _OFTEN_HEADER.search(header))


class TimeRow(Struct, frozen=True):
    """The cadence of a table row, and the columns that say it, the first one first."""

    schedule: Schedule
    columns: tuple[int, ...]


def read_time_row(cells: Sequence[str], headers: Sequence[str]) -> TimeRow | None:
    """Return the cadence of a table row, None if it has none; `Weekly` in one cell and `Mon 9:00` in another are one.

    Args:
        cells: The texts of the cells.
        headers: The texts of the columns' headers; the cadence is in a column of times.
    """
    columns = [
        (place, cell, header) for place, (cell, header) in enumerate(zip(cells, headers, strict=False))
    ]
    read = (
        (place, read_time_cell(cell, header)) for place, cell, header in columns if is_time_header(header)
    )
    column, found = next(((place, found) for place, found in read if found is not None), (0, None))
    if found is None:
        return None
    said = [column]
    for place, cell, header in sorted(columns, key=lambda each: bool(clocks_in(each[1]))):
        timed = is_time_header(header) or _DAY_HEADER.search(header)
        more = _with_cell(found, cell, zone=zone_in(f"({header})")) if timed and place != column else None
        if more is not None:
            found, said = more, [*said, place]
    return TimeRow(found, tuple(said))


_DAY_HEADER: Final = FORMS.form("day_header")
_LONGEST_CELL: Final = 40


def _with_cell(found: Schedule, cell: str, zone: str) -> Schedule | None:
    """Return a row's cadence with the days, clock times or window of another cell, None if that says no more."""
    readable = _readable(cell[:_LONGEST_CELL]).text
    if (found.seconds or DAY_SECONDS) < DAY_SECONDS and not found.active_start:
        hours = active_hours_in(cell) if len(cell) < _LONGEST_CELL else None
        return with_hours(found, hours) if hours is not None and hours.start else None
    if not readable or not _APPOINTMENT_CELL.fullmatch(readable) or (found.times and found.days):
        return None
    words = f"{cell} {', '.join(found.times)}" if found.times else f"{found.cadence}, {cell}"
    more = read_cadence(words, expected=bool(found.times))
    if more is None or (more.times, more.days) == (found.times, found.days):
        return None
    named = found.timezone or more.timezone or (zone if more.times else "")
    return replace(more, cadence=f"{found.cadence}, {readable_line(cell)}", timezone=named)


def read_time_cell(cell: str, header: str) -> Schedule | None:
    """Return the cadence in a table cell; a bare clock time under a header such as `Time` means every day.

    Args:
        cell: The cell's text.
        header: The text of its column's header.
    """
    found = read_cadence(cell)
    if found is not None and _BARE_DURATION.fullmatch(cell.strip()) and not _OFTEN_HEADER.search(header):
        return None
    if found is not None or not _TIME_HEADER.search(header):
        return found
    zone = zone_at(f"at ({header})") if "(" not in header else zone_at(header)
    appointment = _APPOINTMENT_CELL.fullmatch(_readable(cell).text)
    found = read_cadence(cell, expected=True) if appointment else None
    if found is not None and zone is not None and not found.timezone:
        return replace(found, timezone=zone.name)
    return found


def seconds_between(schedule: Schedule) -> float:
    """Return the approximate number of seconds between two wake-ups, infinite for events and words."""
    if schedule.seconds:
        return float(schedule.seconds)
    if schedule.cron:
        return seconds_between_runs(schedule.cron)
    if schedule.type == "times":
        lines = [cron_of((time,), schedule.days) for time in schedule.times]
        return 1 / sum(1 / seconds_between_runs(line) for line in lines)
    return float("inf")


def with_hours(found: Schedule, hours: ActiveHours) -> Schedule:
    """Return the schedule with a window of the day, and with the window's days and zone where it has none."""
    return with_days(
        replace(
            found,
            active_hours=hours.words,
            active_start=hours.start,
            active_end=hours.end,
            quiet_hours=hours.quiet,
            timezone=found.timezone or hours.timezone,
        ),
        hours.days,
    )


def with_days(found: Schedule, days: tuple[str, ...]) -> Schedule:
    """Return the schedule limited to weekdays, unless it names days itself."""
    if not days or found.days or found.type == "event":
        return found
    if found.type == "words" and found.times:
        cron = cron_of(found.times, days)
        return replace(found, type="cron" if cron else "times", cron=cron, seconds=None, days=days)
    head, _, weekday = found.cron.rpartition(" ")
    cron = f"{head} {day_field(days)}" if weekday == "*" else found.cron
    return replace(found, days=days, cron=cron)


def read_whole(text: str) -> Schedule | None:
    """Return the cadence that a text declares, with weekdays that stand behind it; None if a part can't be read."""
    found = read_cadence(text, expected=True)
    rest = in_english(readable_line(text).replace(found.cadence, " ", 1)).text if found else ""
    if found is None or _EXCEPTION.search(rest):
        return None
    found = with_days(found, days_in(rest))
    held = {*found.times, found.active_start, found.active_end}
    return (
        None
        if {str(clock) for clock in clocks_in(rest)} - held or {*days_in(rest)} - {*found.days}
        else found
    )


_EXCEPTION: Final = FORMS.form("exception")


def schedule_fact(found: Schedule, *, title: str = "") -> ScheduleFact:
    """Return a schedule as a fact of an element; `title` names the task, `""` is the agent's own wake-up."""
    return ScheduleFact(
        cadence=found.cadence,
        seconds=found.seconds or None,
        cron=found.cron,
        kind=found.type,
        times=found.times,
        days=found.days,
        zone=found.timezone,
        active_hours=found.active_hours,
        active_start=found.active_start,
        active_end=found.active_end,
        quiet_hours=found.quiet_hours,
        title=title,
    )


def _first(english: EnglishText, forms: tuple[CadenceForm, ...]) -> Schedule | None:
    """Return the first cadence that a form finds."""
    lower = english.text.lower()
    for form in forms:
        for match in form.pattern.finditer(english.text) if form.may_match(lower) else ():
            if not _stands(english.text, match):
                continue
            found = form.meaning(match)
            if found is not None and not _opens_window(english, match, found):
                return _completed(found, english, match)
    return None


_WINDOW_AFTER: Final = FORMS.form("window_after")
_EVERY_FIRST: Final = FORMS.form("every_first")


def _opens_window(english: EnglishText, match: re.Match[str], found: Schedule) -> bool:
    """Return whether days only say when a window holds: `weekdays 9:00-18:00`, `工作日 9:00-18:00`."""
    if not found.days or found.seconds or _EVERY_FIRST.match(english.source_words(*match.span())):
        return False
    return _WINDOW_AFTER.match(english.text, match.end()) is not None


def _stands(text: str, match: re.Match[str]) -> bool:
    """Return whether a match counts: no limit, wish, example or negation."""
    before = text[: match.start()]
    return not (
        _MOST_BEFORE.search(before[-40:])
        or _MOST_AFTER.match(text, match.end())
        or _LIMIT_BEFORE.search(before[-90:])
        or _EXAMPLE_BEFORE.search(before[-40:])
    )


def readable_line(text: str) -> str:
    """Return the text on one line without Markdown markup, in half-width characters; cron's `*` is kept."""
    plain = _COMMENT.sub(" ", text.translate(_HALF_WIDTH))
    plain = _EMPHASIS.sub("", plain)
    return re.sub(r"\s+", " ", plain).strip(" |#")


def _readable(text: str) -> EnglishText:
    return in_english(readable_line(text[:LONGEST_TEXT]))


def _quoted(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the part of a heading such as `Weekly review (Sunday 6pm)` that says when, else its adverb.

    What stands in the same brackets belongs to it.
    """
    starts = [match.start(group) for group in ("days", "clocks", "before") if match[group]]
    if not starts:
        return match.span("adverb")
    start, end = min(starts), match.end()
    closing = text.find(")", end) if text[:start].rstrip().endswith("(") else -1
    return start, closing if 0 < closing <= end + _LONGEST_REMARK else end


def _completed(found: Schedule, english: EnglishText, match: re.Match[str]) -> Schedule:
    """Add the source's words, the time zone and the active hours from the text around the match."""
    span = _quoted(english.text, match) if "quoted" in match.groupdict() else match.span()
    words = (
        re.sub(r"^(?:[ ,;(–—-]|:(?!\d))+", "", english.source_words(*span))
        .rstrip(" ,:;-–—(@")
        .removesuffix(" at")
    )
    words = words if _ABBREVIATED.search(words) else words.rstrip(".")
    if words.count("(") > words.count(")"):
        words += ")"
    short = _SHORT_INTERVAL.fullmatch(words)
    if short:
        words = short.group("duration")
    found = replace(found, cadence=words, timezone=zone_in(english.source))
    rest = english.blanked(*match.span())
    hours = active_hours_in(rest) or quiet_hours_in(rest)
    found = with_hours(found, hours) if hours is not None else with_days(found, days_declared(rest))
    return with_days(found, ("sat", "sun")) if not found.days and _WEEKENDS.match(rest.text) else found


_WEEKENDS: Final = FORMS.form("weekends")
"""What stands right beside how often: `every 2 hours on weekends`."""
