"""Reads the cadence at which an agent is woken, from words, units, clock times and cron lines.

The forms are a table in `cadence_forms.py`. Known forms are normalised to seconds or to a five-field cron line; a
cadence of unknown form is kept verbatim (`words`), never guessed. Bare clock times, quiet hours, ages, limits,
examples and wishes don't count as cadences. A weekday or month without a time means its start, as in cron's own
`@weekly` and `@monthly`.
"""

import re
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.language.time.active_hours import active_hours_in
from melleafy_tui.core.language.time.cadence_forms import FORMS
from melleafy_tui.core.language.time.cadence_words import EnglishText, in_english
from melleafy_tui.core.language.time.clock import CLOCKS, DAY_SECONDS, NUMBER, zone_in
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule

LONGEST_TEXT: Final = 1_000
"""The number of characters of a text that are read."""

_HALF_WIDTH: Final = str.maketrans(
    {"：": ":", "（": "(", "）": ")", "，": ",", "；": ";", "～": "~", "．": "."}
)
_COMMENT: Final = re.compile(r"<!--.{0,1000}?-->", re.DOTALL)
_EMPHASIS: Final = re.compile(
    r"\*{2,3}|`+|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)"
    r"|(?<![\s\d*/,])\*(?=[\s:,.)]|$)|(?<!\S)\*(?=[^\W\d])"
)
"""Emphasis marks, except the asterisks of cron lines."""
_LIMIT_BEFORE: Final = re.compile(
    r"\b(?:not|never|no more than|no less than|at most|max(?:imum)?|up to|avoid|instead of|unlike|no longer|used to"
    r"|previously|formerly|wish|ideally|would|could|might|maybe|perhaps|consider|considering|someday|eventually"
    r"|something like)\b[^.;:!?()\n,—–]{0,60}$|n['’]t\b[^.;:!?()\n,—–]{0,60}$",
    re.IGNORECASE,
)
_EXAMPLE_BEFORE: Final = re.compile(
    r"(?:e\.g\.|for example|for instance|such as|i\.e\.|例如|比如|例えば)[,:\s\"“'`]*$", re.IGNORECASE
)
_HINT: Final = re.compile(
    r"every|each|once|twice|thrice|times|[x×]\s*(?:/|per|a\b|daily|weekly|hourly)"
    r"|(?:hour|dai|night|week|month|quarter|year|annual)ly|@|\*|session|start-?up|\bboot|days?\b|weekends|gateway|agent"
    rf"|\b(?:mon|tue|wed|thu|fri|sat|sun)|^\W*{NUMBER}(?:\b|[smhdw])|[^\x00-\u024f]"
    r"|\bcada\b|\btod[oa]s?\b|\bdiari|\bsetiap\b|at least",
    re.IGNORECASE,
)
"""A text without any of these has no cadence; most lines of a heartbeat are skipped this way."""

_TIME_HEADER: Final = LazyRegex(
    r"\b(?:time|when|schedule|frequency|cadence|interval|hour|at)\b|时间|時間|频率|頻率|頻度|время|hora|horário",
    re.IGNORECASE,
)
_WISH: Final = re.compile(
    r"\b(?:it would be (?:nice|great|good)|wouldn['’]t it be|in the future|one day we)\b", re.IGNORECASE
)
_SHORT_INTERVAL = re.compile(r"(?:every|each)\s+(?P<duration>(?:\d+[smhd])+)", re.IGNORECASE)
"""`every 30m` is kept as `30m`, the form used in openclaw.json."""


def read_cadence(text: str) -> Schedule | None:
    """Return the cadence that a text declares.

    Args:
        text: A sentence, heading, list item or value, with or without Markdown markup.

    Returns:
        A schedule of type interval, cron, event or words, with active hours if the text gives them; None if the text
        declares no cadence.
    """
    if not _HINT.search(text, 0, LONGEST_TEXT):
        return None
    english = in_english(_plain(text[:LONGEST_TEXT]))
    plain = english.text
    if not plain or _WISH.search(plain):
        return None
    for form in FORMS:
        for match in form.pattern.finditer(plain):
            before = plain[: match.start()]
            if _LIMIT_BEFORE.search(before[-90:]) or _EXAMPLE_BEFORE.search(before[-20:]):
                continue
            found = form.meaning(match)
            if found is not None:
                return _completed(found, english, match)
    return None


def read_time_cell(cell: str, header: str) -> Schedule | None:
    """Return the cadence in a table cell; a bare clock time under a header such as `Time` means every day.

    Args:
        cell: The cell's text.
        header: The text of its column's header.
    """
    found = read_cadence(cell)
    if found is not None or not _TIME_HEADER.search(header):
        return found
    daily = (
        read_cadence(f"daily at {cell.strip()}")
        if re.fullmatch(CLOCKS, _plain(cell), re.IGNORECASE)
        else None
    )
    return replace(daily, cadence=cell.strip()) if daily is not None else None


def seconds_between(schedule: Schedule) -> float:
    """Return the approximate number of seconds between two wake-ups, infinite for events and words."""
    if schedule.seconds:
        return float(schedule.seconds)
    if not schedule.cron:
        return float("inf")
    minute, hour, day, month, weekday = schedule.cron.split()
    per_day = _count(minute, 60) * _count(hour, 24)
    days = _count(day, 31) / 31 * _count(month, 12) / 12 * _count(weekday, 7) / 7
    return DAY_SECONDS / max(per_day * days, 1e-6)


def _count(field: str, size: int) -> float:
    """Return how many values a cron field matches."""
    total = 0.0
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        width = size if span == "*" else (int(last) - int(first) + 1 if last else 1)
        total += max(1.0, width / int(step)) if step else width
    return total


def _plain(text: str) -> str:
    """Return the text on one line without Markdown markup, in half-width characters; cron's `*` is kept."""
    plain = _COMMENT.sub(" ", text.translate(_HALF_WIDTH))
    plain = _EMPHASIS.sub("", plain)
    return re.sub(r"\s+", " ", plain).strip(" |#")


def _completed(found: Schedule, english: EnglishText, match: re.Match[str]) -> Schedule:
    """Add the source's words, the time zone and the active hours from the text around the match."""
    text = english.text
    span = match.span("quoted") if "quoted" in match.groupdict() else match.span()
    words = english.source_words(*span).lstrip(" ,:;-–—(").rstrip(" ,:;-–—(@").removesuffix(" at")
    if words.count("(") > words.count(")"):
        words += ")"
    short = _SHORT_INTERVAL.fullmatch(words)
    if short:
        words = short.group("duration")
    zone = zone_in(text)
    hours = active_hours_in(text[: match.start()] + " " * len(match.group()) + text[match.end() :])
    if hours is None:
        return replace(found, cadence=words, timezone=zone)
    return replace(
        found,
        cadence=words,
        active_hours=hours.words,
        active_start=hours.start,
        active_end=hours.end,
        timezone=hours.timezone or zone,
    )
