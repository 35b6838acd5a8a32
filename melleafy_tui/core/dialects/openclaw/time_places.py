"""Finds the time of one line, where it stands at a place at which a time counts, and reads it whole or asks.

A time counts in a heading, at the start of an item, in its label or brackets, behind a label of time, in a bold
lead-in, at the start of a section's first sentence, and in a column of times; never in mid-sentence.
"""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.schedule_words import (
    adverb_name,
    form,
    is_about_waking_only,
    is_agent_column,
    says,
    starts_with,
    value_of_time_label,
    words_beside,
)
from melleafy_tui.core.language.time.cadence import (
    read_cadence,
    read_cadences,
    read_time_row,
    readable_line,
    with_days,
)
from melleafy_tui.core.language.time.cadence_forms import WORKING_DAYS
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import CLOCK, clocks_in, days_in
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.source.segments import Segment

TIMED_KINDS: Final = ("heading", "lead_in", "item", "paragraph", "table_row")
"""The segments that can give a time."""
BOLD: Final = ("**", "__")
DATE: Final = LazyRegex(r"\b20\d\d\s?[-/.年]\s?\d{1,2}(?!\d)")
_SECTION_NUMBER: Final = form("section_number")
_CLOCK_FIRST: Final = LazyRegex(rf"[\W_]*(?:at\s+)?{CLOCK}", re.IGNORECASE)
_CLOCK: Final = LazyRegex(CLOCK, re.IGNORECASE)
_LAST_CLOCK: Final = LazyRegex(rf"(?<=\s){CLOCK}\W*$", re.IGNORECASE)
"""A clock time at the end of a heading whose other words can't be read."""
_SEPARATOR: Final = re.compile(r"[:：](?!\d)|\s[—–-]\s|—|→")
_CLAUSE_END: Final = re.compile(r"[:：](?!\d)|\s[—–-]\s|[.;,，；。→](?!\d)")
_BRACKET: Final = re.compile(r"[(（]([^()（）\n]{1,60})[)）]")
_LONGEST_LABEL: Final = 80
_BEFORE_START: Final = form("before_start")
_UNREAD: Final = form("unread")
_DAYPART: Final = LazyRegex(r"\W*(?:morning|noon|afternoon|evening|night)s?\W*", re.IGNORECASE)
_SHORT_DAY: Final = LazyRegex(r"\bweek-?days?\b", re.IGNORECASE)
_QUOTE: Final = re.compile(r"[\"“«「`]")
_HASH: Final = re.compile(r"[0-9a-f-]{6,}")
_SENTENCE_BEFORE: Final = re.compile(r"[.!?。！？:：]\s|\b(?:that|which)\b")


class FoundTime(Struct, frozen=True):
    """The time that a line gives, and what it holds for.

    Attributes:
        schedule: The time; its file and lines are those of the words that give it.
        words: What the line says beside it; `""` if it says nothing else.
        labelled: Whether it stands behind a label of time: `Frequency: hourly`.
        opens: Whether the line begins with it.
        problem: Why the owner is asked, `""` if the time is taken.
        title: The name of the task, `""` for the wake-up.
        first: The first line of the task.
        last: Its last line.
    """

    schedule: Schedule
    words: str = ""
    labelled: bool = False
    opens: bool = False
    problem: str = ""
    title: str = ""
    first: int = 0
    last: int = 0

    @property
    def alone(self) -> bool:
        """Return whether the line names no task of its own, but gives the time of what stands around it."""
        return self.labelled or is_about_waking_only(self.words)


def time_of(segment: Segment, *, expected: bool, in_log: bool = False) -> FoundTime | None:
    """Return the time that a line of HEARTBEAT.md gives, or None.

    Args:
        segment: A heading, lead-in, item, paragraph or table row.
        expected: Whether it stands in a list of jobs or reminders, where a mere clock time is one of each day.
        in_log: Whether the file has dated headings, so that a mere clock time of another one says when it was.
    """
    if segment.kind == "table_row":
        return _of_row(segment)
    text = plain_text(segment.text[:LONGEST_READ])
    if segment.task == "done" or DATE.search(text):
        return None
    if segment.kind == "heading":
        return _of_heading(_SECTION_NUMBER.sub("", text), expected=expected, in_log=in_log)
    value = value_of_time_label(text)
    read = _of_value(value) if value is not None else ()
    if read and value is not None:
        return _whole(read, value, "", labelled=True)
    return _of_line(segment, text, expected=expected)


def _of_value(value: str) -> tuple[Schedule, ...]:
    """Return the times behind a label of time; a mere duration is one, too."""
    found = read_cadences(value, expected=True)
    every = read_cadence(f"every {value}") or read_cadence(f"每{value}") if not found else None
    if every is None:
        return found
    return (replace(every, cadence=every.cadence.removeprefix("every ").removeprefix("每")),)


def _of_heading(text: str, *, expected: bool, in_log: bool) -> FoundTime | None:
    bracket = None if in_log else _BRACKET.search(text)
    expected = expected or bracket is not None
    read = read_cadences(text, expected=expected, dated=_CLOCK_FIRST.match(text) is not None)
    if read:
        return _whole(read, text, words_beside(text, read[0]))
    in_bracket = bracket if bracket is not None and _CLOCK.search(bracket[1]) else None
    unread = in_bracket or (None if in_log else _LAST_CLOCK.search(text))
    if unread is None:
        return None
    words = text[: unread.start()].strip()  # "Morning (8-10 AM)"
    return FoundTime(Schedule("words", unread[0].strip(" ()（）")), words, problem=INEXACT)


def _of_line(segment: Segment, text: str, *, expected: bool) -> FoundTime | None:
    clock_first = _CLOCK_FIRST.match(in_english(text).text) is not None
    read = read_cadences(text, expected=expected and clock_first, dated=True)
    bare = not read and clock_first and segment.kind in ("item", "lead_in")
    if bare:
        read = read_cadences(text, expected=True)
    if not read or starts_with("condition", text) or says("by_others", text):
        return None
    before = readable_line(text).partition(read[0].cadence)[0]
    earlier = read_cadence(before, dated=True) if not _is_start(before) else None
    if (
        earlier is not None
        and _starts(before, earlier)
        and not adverb_name(before).startswith(earlier.cadence)
    ):
        read = (earlier, *read)
    found = read[0]
    phrase = _phrase(text, found, is_bold=segment.text.lstrip().startswith(BOLD))
    if phrase is None:
        return None
    problem = "It is a clock time without a day." if bare else ""
    if segment.kind == "item" and adverb_name(text).startswith(found.cadence):
        problem = "How often may only be part of a name."
    if not phrase:
        if segment.kind != "item":
            return None
        problem, phrase = "The time stands at the end of a sentence.", found.cadence
    if _has_another(text, found):
        problem = _SEVERAL
    return _whole(read, phrase, words_beside(text, found), opens=_starts(text, found), problem=problem)


HALF_READ: Final = "Part of the time can't be read."
INEXACT: Final = "No exact time can be read from it."
_SEVERAL: Final = "The line gives several times."


_CLAUSES: Final = re.compile(r"[;；|。，、]|[.,]\s|\b(?:and|und|et|y|e|и)\b")


def _has_another(text: str, found: Schedule) -> bool:
    """Return whether a later clause of a line begins with a time of its own."""
    after = readable_line(text).partition(found.cadence)[2]
    others = ((clause, read_cadence(clause)) for clause in _CLAUSES.split(after)[1:])
    return any(other and other.type != "event" and _starts(clause, other) for clause, other in others)


def _phrase(text: str, found: Schedule, *, is_bold: bool) -> str | None:
    """Return the words around a time if it stands where one counts, `""` at the end of a line, else None.

    What follows a label in bold is the start of an item's sentence; another label's value is its time and no more.
    """
    line = readable_line(text)
    before, cadence, after = line.partition(found.cadence)
    if not cadence or _QUOTE.search(before[-1:]) or says("past", before[-20:]):
        return None
    ends = not re.search(r"\w", after)
    label = _SEPARATOR.search(before)
    own = before[label.end() :] if label and (is_bold or ends) else before
    if _is_start(own) or _is_start(before):
        end = _CLAUSE_END.search(after)
        return own + cadence + (after[: end.start()] if end else after)
    if len(before) <= _LONGEST_LABEL and before.count("(") > before.count(")"):
        inside = before[before.rindex("(") + 1 :]
        return None if _QUOTE.search(inside) else inside + cadence + after.partition(")")[0]
    label = _SEPARATOR.search(line)
    if label is not None and len(before) + len(cadence) <= label.start() <= _LONGEST_LABEL:
        return line[: label.start()]
    return "" if ends and not _SENTENCE_BEFORE.search(before) else None


def _starts(text: str, found: Schedule) -> bool:
    return _is_start(readable_line(text).partition(found.cadence)[0])


def _is_start(before: str) -> bool:
    """Return whether nothing stands before a time but days and such words as `these tasks run at`."""
    return _BEFORE_START.fullmatch(in_english(before).text) is not None or is_about_waking_only(before)


def _whole(
    read: tuple[Schedule, ...],
    phrase: str,
    words: str,
    *,
    labelled: bool = False,
    opens: bool = False,
    problem: str = "",
) -> FoundTime | None:
    """Return a time with what is wrong with it: every part of its phrase is read, or the owner is asked."""
    found = read[0]
    if found.type == "event":
        return None
    rest = in_english(readable_line(phrase).replace(found.cadence, " ", 1)).text
    if _SHORT_DAY.search(rest):
        found = with_days(found, WORKING_DAYS)
    held = {*found.times, found.active_start, found.active_end, *found.quiet_hours.split("-")}
    unread = {str(clock) for clock in clocks_in(rest)} - held
    if len({(each.seconds, each.cron, each.times) for each in read}) > 1:
        problem = _SEVERAL
    elif found.type == "words" and not found.cron:
        problem = INEXACT
    elif unread or set(days_in(rest)) - {*found.days} or _UNREAD.search(rest) or _is_vague(found, rest):
        problem = HALF_READ
    return FoundTime(found, words, labelled, opens, problem)


def _is_vague(found: Schedule, rest: str) -> bool:
    """Return whether a bracket narrows a time to a part of the day: "Daily check (morning)"."""
    return not found.times and any(map(_DAYPART.fullmatch, _BRACKET.findall(rest)))


def _of_row(segment: Segment) -> FoundTime | None:
    row = read_time_row(segment.cells, segment.header)
    if row is None:
        return None
    whose = [place for place, above in enumerate(segment.header) if is_agent_column(above)]
    told = {place: plain_text(cell) for place, cell in enumerate(segment.cells) if place not in row.columns}
    cells = [cell for place, cell in told.items() if place not in whose] or [*told.values()]
    named = (cell for cell in cells if re.search(r"[^\W\d_]", cell) and not _HASH.fullmatch(cell))
    said = segment.cells[row.columns[0]] if len(row.columns) == 1 else row.schedule.cadence
    return _whole((row.schedule,), said, next(named, ""))
