"""The table of cadence forms: the pattern of each, and its meaning in seconds or as a cron line."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.time.clock import (
    CLOCK,
    CLOCKS,
    COMPACT,
    DAY,
    DAY_SECONDS,
    DURATION,
    NUMBER,
    UNIT,
    UNIT_SECONDS,
    clocks_in,
    days_in,
    number_of,
    seconds_in,
)
from melleafy_tui.core.language.time.cron import DAY_NAMES, MACROS, cron_of, day_field, find_cron, times_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule

_EVERY: Final = r"\b(?:once\s+)?(?:every|each)\s+(?:single\s+)?"
_AT: Final = r"\s*(?:at|@|around|about|by|on|from|,|:|-|–|—|~|\(|\s)*\s*"
_TIMES: Final = (
    rf"(?<![\w.])(?<!\d[-–])(?<!\d to )(?P<number>once|twice|thrice|{NUMBER}(?=\s*(?:x|×|times)))"
    r"\s*(?:x|×|times)?\s*"
)
_TIMES_IN_RANGE: Final = (
    r"(?<![\w.])\d{{1,2}}\s*(?:-|–|—|~|to|or)\s*(?P<most>\d{{1,2}})\s*(?:{times})\s*(?:a|an|per|each|/)\s*"
    r"(?P<unit>hour|day|week|month)\b|(?<![\w.])\d{{1,2}}\s*(?:-|–|—|~|to|or)\s*(?P<times>\d{{1,2}})\s*(?:{times})\s*"
    r"(?P<adverb>hour|dai|week|month)ly\b"
)
_DAYS: Final = rf"{DAY}(?:\s*(?:,|and\b|&|\+|/|-|–|—|to\b|through\b)+\s*{DAY})*"
_ON_DAYS: Final = rf"(?:[\s,(:]*(?:on\s)?[\s,(:]*(?P<days>{_DAYS}))?"
_PLACE: Final = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"
_PLACES: Final = rf"{_PLACE}(?:\s*(?:,|and\b|&|/)+\s*(?:the\s+)?{_PLACE})*"
_MONTH_DAY: Final = rf"(?:(?P<days>{DAY})|(?:work(?:ing)?[ -]?|business |week-?)?days?)"
_ORDINALS: Final = r"\d{1,2}(?:st|nd|rd|th)(?:\s*(?:,|and\b|&|/)+\s*(?:the\s+)?\d{1,2}(?:st|nd|rd|th)){0,5}"
_NO_WINDOW: Final = r"(?!\s*(?:-|–|—|~|to\b|until\b)\s*\d)"
_LIST_CLOCKS: Final = rf"(?:{_AT}(?P<clocks>(?>{CLOCKS})){_NO_WINDOW})?"
_TASK_NOUN: Final = (
    r"(?:checks?|tasks?|reviews?|routines?|summar(?:y|ies)|reports?|digests?|brief(?:ing)?s?|clean-?ups?|syncs?|runs?"
    r"|maintenance|scans?|audits?|stand-?ups?|updates?|backups?|sweeps?|jobs?|heartbeats?|recaps?|planning|pass|cycle"
    r"|wake-?ups?|schedule|cadence|check-?ins?|items?|monitoring|health|quotes?|questions?|tips?|insights?|analys[ie]s"
    r"|reflections?|\w*(?:prüfung(?:en)?|aufgaben?|berichte?|übersicht(?:en)?|zusammenfassung(?:en)?|wartung|pflege)|проверк[аи]|отч[её]ты?|сводк[аи]|задач[аи]|обзоры?|newsletters?|lessons?|retro(?:spective)?s?|round-?ups?|reminders?|synthesis|messages?|research|triage)"
)
_STANDS_ALONE: Final = (
    r"(?=\s*(?:$|[,;:!?)\]|*—–]|[._-](?!\w)|\("
    r"|(?:at|around|on|between|during|by|and|in|before|after|from|@)\b|\d))"
)


class CadenceForm(Struct, frozen=True):
    """One form of cadence: its pattern and its meaning."""

    name: str
    pattern: LazyRegex
    meaning: Callable[[re.Match[str]], Schedule | None]


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


def _form(name: str, pattern: str, meaning: Callable[[re.Match[str]], Schedule | None]) -> CadenceForm:
    return CadenceForm(name, LazyRegex(pattern, re.IGNORECASE), meaning)


WORKING_DAYS: Final = DAY_NAMES[1:6]

_PARTS_OF_DAY: Final = (
    r"morning|noon|midday|lunch(?:time)?|afternoon|evening|night"
    r"|mañana|mediodía|tarde|noche|manhã|noite|matin(?:ée)?|midi|après-midi|soir(?:ée)?|morgens?|mittags?|nachmittags?"
    r"|abends?|утро|утром|день|днём|днем|вечер|вечером|早上|早晨|上午|中午|下午|傍晚|晚上|朝|昼|夕方|夜|午前|午後"
)
"""Names of parts of the day, which alone are no cadence."""

_BEFORE: Final = rf"(?:(?P<before>{CLOCKS})\s*,?\s*)?"

FORMS: Final[tuple[CadenceForm, ...]] = (
    _form("a duration alone", rf"^(?P<duration>{COMPACT}|{DURATION})$", _every_duration),
    _form("cron macro", r"(?<!\S)@(?:hourly|daily|midnight|weekly|monthly|yearly|annually|reboot)\b", _macro),
    _form(
        "cron line", r"(?<![^\s`\"'(:])[\d*][\d*,/-]*(?: [\w*][\w*,/#?-]*){4}(?![^\s`\"'),.;])", _cron_line
    ),
    _form(
        "session start",
        r"\b(?:(?:at|on|when|after)\s+)?(?:(?:every|each|the|a|any|new)\s+)*(?:(?:session|gateway|agent)\s+"
        r"(?:start(?:-?up|s)?|begins?|boot)\b|(?:start|beginning)\s+of\s+(?:(?:every|each|a|any|the|new)\s+)+session\b)"
        r"|\b(?:at|on)\s+(?:every\s+|each\s+)?(?:start-?up|boot)\b|\bevery\s+(?:new\s+)?session\b",
        _event,
    ),
    _form("so many times a day, as a range", _TIMES_IN_RANGE.format(times="x|×"), _times_in_range),
    _form(
        "a minute of the hour",
        rf"(?:{_EVERY}hour|\bhourly)\W{{0,3}}(?:\w{{1,4}}\s+){{0,3}}(?:(?:xx)?(?<!\d):|minute\s+)[0-5]\d(?:\s*[/,&]\s*:[0-5]\d){{0,5}}(?![\d:])"
        rf"|(?<![\w:]):[0-5]\d(?:\s*[/,&]\s*:[0-5]\d){{0,5}}\s+(?:(?:of|past|each|every|the)\s+){{0,2}}(?:hourly|hour)\b",
        _minutes,
    ),
    _form(
        "a place in the month",
        rf"(?:\b(?:on|every|each)\s+(?:the\s+)?|(?:^|[(:,;—–-])\s*(?:the\s+)?){_PLACES}\s+{_MONTH_DAY}"
        rf"\s+(?:(?:of|in)\s+)?(?:the|each|every)\s+(?:month|quarter)\b{_LIST_CLOCKS}",
        _place_in_month,
    ),
    _form(
        "monthly on a place in the month",
        rf"(?:\bmonthly|{_EVERY}month)\W{{0,3}}(?:on\s+)?(?:the\s+)?{_PLACES}\s+{_MONTH_DAY}{_LIST_CLOCKS}"
        rf"|{_EVERY}(?:first|second|third|last|1st|2nd|3rd)\s+(?P<day>{DAY})",
        _place_in_month,
    ),
    _form(
        "the end of a month",
        r"\b(?:at\s+)?(?:the\s+)?end\s+of\s+(?:each|every)\s+(?:month|quarter|week)\b",
        _place_in_month,
    ),
    _form(
        "numbered days of the month",
        rf"(?:\bon\s+)?(?:the\s+)?(?<!\w)(?P<numbers>{_ORDINALS})\s+(?:days?\s+)?(?:of\s+)?(?:each|every)\s+month\b"
        rf"{_LIST_CLOCKS}",
        _days_of_month,
    ),
    _form(
        "monthly on a numbered day",
        rf"\bmonthly\W{{0,3}}(?:on\s+)?(?:the\s+)?(?P<numbers>{_ORDINALS})(?!\s+[a-z]+day\b){_LIST_CLOCKS}",
        _days_of_month,
    ),
    _form(
        "a numbered day, monthly",
        rf"{_BEFORE}(?<!\w)(?P<numbers>{_ORDINALS})\s*\(?\s*monthly\b",
        _days_of_month,
    ),
    _form(
        "a range or a vague number",
        rf"{_EVERY}(?:(?:few|couple(?: of)?|several|some)\s+{UNIT}\b"
        rf"|(?P<least>\d+)\s*(?:-|–|—|~|to|or)\s*\d+\s*(?P<unit>{UNIT})\b)"
        r"|\b(?:at least\s+)(?:once|twice|every|\d+)\b[^.;:()]{0,30}|\b(?:bi-?weekly|bi-?monthly)\b",
        _range,
    ),
    _form(
        "either of two durations",
        rf"{_EVERY}(?P<duration>{COMPACT}|{DURATION})\s+(?:or|ou|oder|o|или)\s+(?P<other>{COMPACT}|{DURATION})",
        _either_duration,
    ),
    _form(
        "the first heartbeat of the day",
        r"(?:^\W*(?:[\w'’]{1,4}\s+){0,4})?\b(?:first|primer[oa]?|primeir[oa]|premi(?:er|ère)|erste[nrs]?|перв\w{2,3})\s+"
        r"(?:heart-?beat|wake-?up|latido|batimento|battement|réveil|herzschlag|пульс|хартбит)\s+"
        r"(?:of|del?|do|du|des|за)?\s*(?:(?:the|each|every|la)\s+)?(?:days?|día|dia|jour(?:née)?|tages|день|дня)\b"
        r"|(?:(?:当天|當天|当日|その日|1日)の?的?|\bevery day\s*的?)\s*(?:第一次|首次|最初の)"
        r"(?:心跳|唤醒|ハートビート|heartbeat)",
        _daily,
    ),
    _form(
        "every other",
        rf"{_EVERY}(?:other|second)\s+(?P<unit>hour|day|week)\b{_ON_DAYS}{_LIST_CLOCKS}",
        _other,
    ),
    _form("every other Monday", rf"{_EVERY}other\s+(?P<days>{_DAYS}){_LIST_CLOCKS}", _other),
    _form(
        "fortnightly",
        rf"(?:\bfortnightly\b|{_EVERY}fortnight\b){_ON_DAYS}{_LIST_CLOCKS}",
        _other,
    ),
    _form(
        "every so many weeks on a day",
        rf"{_EVERY}(?P<duration>{NUMBER}[\s-]?w(?:eeks?|ks?)?)\b\s*(?:on|,|\(|:)*\s*(?P<days>{_DAYS}){_LIST_CLOCKS}",
        _every_duration,
    ),
    _form(
        "every so many",
        rf"{_EVERY}(?P<duration>{COMPACT}|{DURATION})(?! old\b){_LIST_CLOCKS}",
        _every_duration,
    ),
    _form(
        "so many times a day",
        rf"{_TIMES}"
        rf"(?:a|an|per|each|every|/)\s*(?P<unit>hour|day|week|month|hr|d|h)\b{_LIST_CLOCKS}",
        _times_per,
    ),
    _form(
        "twice daily",
        rf"{_TIMES}(?P<unit>dai|hour|week)ly\b"
        rf"{_LIST_CLOCKS}",
        _times_per,
    ),
    _form(
        "every weekday",
        rf"{_BEFORE}{_EVERY}(?P<kind>week-?day|weekend|work(?:ing )?day|business day)s?\b{_LIST_CLOCKS}",
        _weekdays,
    ),
    _form(
        "every Monday",
        rf"{_BEFORE}{_EVERY}(?P<days>{_DAYS})(?!['’])(?:\s+(?P<part>morning|afternoon|evening|night)s?)?{_LIST_CLOCKS}",
        _day_names,
    ),
    _form(
        "every morning",
        rf"{_EVERY}(?P<part>morning|afternoon|evening|midday|lunchtime)s?\b{_LIST_CLOCKS}",
        _part_of_day,
    ),
    _form(
        "a day of the month",
        rf"{_EVERY}month\s+on\s+(?:the\s+)?(?:day\s+)?(?P<number>\d{{1,2}})(?:st|nd|rd|th)?\b{_LIST_CLOCKS}",
        _day_of_month,
    ),
    _form(
        "every day",
        rf"{_BEFORE}{_EVERY}(?P<unit>day|night|month)\b(?!['’]s)(?!\s+(?:counts?|matters?|is)\b){_LIST_CLOCKS}",
        _every_unit,
    ),
    _form("every hour", rf"{_EVERY}(?P<unit>minute|hour)\b(?!['’]s)", _every_unit),
    _form("every week", rf"{_EVERY}week\b(?!['’]s){_ON_DAYS}{_LIST_CLOCKS}", _weekly),
    _form(
        "an adverb",
        rf"{_BEFORE}(?<![\w/.-])(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually)\b(?!-\w)"
        rf"(?(before)(?-i:(?! [A-Z]))|{_STANDS_ALONE})"
        rf"(?:[\s,(:–—-]*(?:on\s)?[\s,(:]*(?P<days>{_DAYS})(?:\s+(?P<part>morning|afternoon|evening|night))?)?{_LIST_CLOCKS}",
        _adverb,
    ),
    _form(
        "an adverb as a heading",
        rf"^[^\w(]*(?P<quoted>(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly)\s+(?:\w+[\s-]+){{0,3}}?{_TASK_NOUN}(?:\s+{_TASK_NOUN})?\b"
        rf"(?:[\s,(:–—-]*(?:on\s)?[\s,(:]*(?P<days>{_DAYS})(?:\s+(?P<part>morning|afternoon|evening|night))?)?{_LIST_CLOCKS})"
        rf"(?:(?:(?!\b(?:if|when|unless|after|before|until|since|by)\b)[^.;!?\n]){{0,60}}?\bat\s+(?P<before>(?>{CLOCKS})){_NO_WINDOW}\W*$)?",
        _adverb,
    ),
    _form(
        "weekdays in the plural",
        rf"{_BEFORE}\b(?P<kind>weekdays|weekends|business days|work(?:ing )?days)\b"
        rf"(?:{_AT}(?P<clocks>{CLOCKS})|(?=\s*[)\]]|\s*$))",
        _weekdays,
    ),
    _form(
        "Mondays at nine",
        rf"(?:\bon\s+)?\b(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days(?:\s*(?:,|and|&|/)+\s*"
        rf"(?:mon|tues|wednes|thurs|fri|satur|sun)days)*)\b(?!-\w){_LIST_CLOCKS}",
        _day_names,
    ),
    _form(
        "Mon-Fri at nine",
        rf"\b(?P<days>{DAY}(?:\s*(?:-|–|—|to|through|,|and|&|\+|/)\s*{DAY})+){_AT}(?P<clocks>(?>{CLOCKS})){_NO_WINDOW}",
        _day_names,
    ),
)
"""The forms in order; the first match in a valid position wins."""

DATED: Final = (
    _form(
        "a numbered day of the month",
        rf"(?:\bon\s+)?(?:the\s+)?(?<!\w)(?P<numbers>{_ORDINALS})\s+of\s+(?:the\s+)?month\b{_LIST_CLOCKS}",
        _days_of_month,
    ),
    _form(
        "a weekday at nine",
        rf"{_BEFORE}\b(?P<days>{_DAYS})(?:\s+(?P<part>morning|afternoon|evening|night)s?)?{_LIST_CLOCKS}",
        _appointment,
    ),
)
"""Forms that are a schedule in a line that speaks of a scheduler's job."""

APPOINTMENTS: Final[tuple[CadenceForm, ...]] = (
    *DATED,
    _form("so many times a day, in words", _TIMES_IN_RANGE.format(times="times"), _times_in_range),
    _form("a step of cron", r"(?<![\w/])\*?/(?P<number>\d{1,3})(?P<unit>[mhd])?\b(?!/)", _step),
    _form("minutes of the hour", r"(?<![\w:]):[0-5]\d(?:\s*[/,]\s*:[0-5]\d)*(?!\d)", _minutes),
    _form(
        "a part of the day with its window",
        rf"^\W*(?!late[- ]night)(?:early |late |mid-?)?(?:{_PARTS_OF_DAY})s?\b\W{{0,3}}"
        rf"(?=(?P<window>[^\n]{{0,12}}?{CLOCK}\s*(?:-|–|—|~|to\b)\s*\d))",
        _part_with_window,
    ),
    _form(
        "a clock time first",
        rf"^\W*(?:(?:{_PARTS_OF_DAY})\b\s*,\s*~?)?(?:at\s+)?(?P<clocks>{CLOCKS}){_NO_WINDOW}",
        _bare_clocks,
    ),
    _form(
        "a clock time in brackets", rf"[(\[]\s*(?:at\s+)?(?P<clocks>(?>{CLOCKS})){_NO_WINDOW}", _bare_clocks
    ),
)
"""Forms that are a schedule only where one is expected, such as a list of cron jobs; elsewhere they're a mere time."""
