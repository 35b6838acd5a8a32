"""Reads what HEARTBEAT.md says about time: the wake-up, the tasks with a time of their own, and what has to be asked.

A task is a whole section, list or item with all that stands in it; parts with times of their own are tasks, and the
time of a section holds for the rest. What no time holds for is the checklist, which isn't cut.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.openclaw.in_force import OFF, aside_in, is_switched_off
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.schedule_words import (
    is_about_waking_only,
    is_agent_column,
    names_no_task,
    says,
    short_title,
    speaks_of_waking,
    value_of_time_label,
    without_marks,
)
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.time_places import (
    BOLD,
    DATE,
    INEXACT,
    TIMED_KINDS,
    FoundTime,
    time_of,
)
from melleafy_tui.core.language.time.active_hours import active_hours_in, days_declared, quiet_hours_in
from melleafy_tui.core.language.time.cadence import read_cadence, seconds_between, with_days, with_hours
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import DAY, DAY_SECONDS, days_in
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text, sentences, shorten
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

HEARTBEAT_PATH: Final = "HEARTBEAT.md"
_EMPTY_LINE: Final = re.compile(
    r"\s*(?:#+(?:\s.*)?|[-*+]\s*(?:\[[ xX]?\]\s*)?|<!--.*-->\s*|(?:```|~~~)\w*)?$"
)
"""A line that OpenClaw doesn't count: it wakes no agent for a file of such lines."""
_CRON_REMARK: Final = LazyRegex(
    r"<!--\s*(?:cron|schedule)\s*:\s*(?P<line>[-\d*,/ ]{9,60}?)\s*-->", re.IGNORECASE
)
_FIELD: Final = LazyRegex(r"^\s*(?:-\s+)?[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>\S.*)$")
_TIME_FIELDS: Final = ("interval", "every", "cadence", "schedule", "cron", "frequency", "at")
_MARKUP_LINE: Final = LazyRegex(r"\s*(?:```|~~~|#|<!--)")
_LONGEST_NONE: Final = 60
"""Characters of a line that only says that there is nothing to do."""
_INTRODUCTION: Final = ("heading", "paragraph", "lead_in", "comment")
_SPAN: Final = re.compile(r"\d\s?[:.]\s?\d\d\W{1,5}(?:to\s)?\d{1,2}\s?[:.]\s?\d\d")
"""Two times of a window, whether they are times of a day or not."""
_WHOLE_FILE: Final = "It is the time of the whole checklist: the agent may be woken then."
_DAYS_ABOVE: Final = "The text above the checklist limits its days."
_SEVERAL_AGENTS: Final = "It may be the task of another agent."


def rhythm(found: Schedule) -> tuple[object, ...]:
    """Return what two times have in common if they are the same."""
    words = "" if found.seconds or found.cron else found.cadence
    return found.seconds, found.cron, found.times, found.active_start, words


class HeartbeatTimes(Struct, frozen=True):
    """What HEARTBEAT.md says about time.

    Attributes:
        wake_ups: The times of the wake-up, the first one first.
        tasks: The tasks.
        asked: What isn't taken before the owner says so; it isn't due, and its words stay in the checklist.
        limits: The days, zone and window of the wake-up.
        content: The first line that asks for something, 0 if none does.
        aside: What the file only speaks of: why, by first lines.
    """

    wake_ups: tuple[FoundTime, ...] = ()
    tasks: tuple[FoundTime, ...] = ()
    asked: tuple[FoundTime, ...] = ()
    limits: Schedule = Schedule()
    content: int = 0
    aside: Mapping[int, str] = {}

    def task_at(self, line: int) -> FoundTime | None:
        """Return the innermost task that a line belongs to, or None."""
        around = (each for each in self.tasks if each.first <= line <= each.last)
        return min(around, key=lambda each: each.last - each.first, default=None)


def is_empty_for_openclaw(file: SourceFile) -> bool:
    """Return whether OpenClaw wakes no agent for a HEARTBEAT.md: it has nothing but empty lines and the template."""
    return all(_EMPTY_LINE.match(line) or is_template_line(line) for line in file.lines)


@lru_cache(maxsize=32)
def times_of(file: SourceFile, names: frozenset[str] = frozenset()) -> HeartbeatTimes:
    """Return what a HEARTBEAT.md says about time.

    Args:
        file: The file.
        names: The names of this agent, in lower case: a row of a table can be another agent's.
    """
    if file.path != HEARTBEAT_PATH or not file.text or is_empty_for_openclaw(file):
        return HeartbeatTimes()
    segments = [
        segment
        for segment in cut_segments(file)
        if not all(map(is_template_line, file.lines[segment.first - 1 : segment.last]))
    ]
    return _Reader(file, segments, names).read()


def task_fields(segment: Segment) -> dict[str, str]:
    """Return the fields of an entry of a `tasks:` block, none for another item."""
    if segment.kind != "item" or len(segment.lines) < 2:
        return {}
    pairs = [_FIELD.match(line) for line in segment.lines if line.strip()]
    found = {pair["key"].lower(): pair["value"].strip("\"' ") for pair in pairs if pair}
    return found if all(pairs) and found.keys() & {*_TIME_FIELDS} else {}


class _Reader:
    """Reads the segments of one file in order."""

    def __init__(self, file: SourceFile, segments: Sequence[Segment], names: frozenset[str]) -> None:
        self._file = file
        self._segments = segments
        self._names = names
        lines = [each.first for each in segments]
        self._aside = dict.fromkeys(lines, OFF) if is_switched_off(segments) else aside_in(segments)
        self._headings = [segment for segment in segments if segment.kind == "heading"]
        self._in_log = any(DATE.search(heading.text) for heading in self._headings)
        first = next(iter(self._headings), None)
        is_only = all(heading.level > 1 for heading in self._headings[1:])
        is_title = first is not None and (is_only or names_no_task(plain_text(first.text)))
        self._title = first if is_title and first is not None and first.level == 1 else None
        values = [
            (each.section, value_of_time_label(plain_text(line))) for each in segments for line in each.lines
        ]
        self._dated = {section for section, value in values if value and DATE.search(value)} - {()}
        self._asking = [segment for segment in segments if self._asks(segment)]
        self._wake_ups: list[FoundTime] = []
        self._tasks: list[FoundTime] = []

    def read(self) -> HeartbeatTimes:
        """Return what the file says about time."""
        for segment in self._segments:
            # A heading has a date, or a label says when it was: an entry of a log.
            is_dated = segment.section in self._dated or any(
                map(DATE.search, (*segment.section, segment.lead_in))
            )
            if segment.first not in self._aside and not is_dated:
                self._read(segment)
        tasks = [each for each in _distinct(self._on_days_above(self._tasks)) if self._has_own_part(each)]
        limits = self._limits()
        is_timed = any(each.schedule.cron for each in tasks if not each.problem)
        wake_ups = [each for each in self._wake_ups if not (is_timed and self._is_vague_title(each))]
        return HeartbeatTimes(
            tuple(each for each in wake_ups if not each.problem),
            tuple(each for each in tasks if not each.problem),
            tuple(each for each in (*wake_ups, *tasks) if each.problem),
            limits,
            content=self._asking[0].first if self._asking else 0,
            aside=self._aside,
        )

    def _is_vague_title(self, wake_up: FoundTime) -> bool:
        """Return whether the file's title says "daily" and no more, which a task at 23:59 says better."""
        is_title = self._title is not None and wake_up.first == self._title.first
        return is_title and wake_up.schedule.seconds == DAY_SECONDS

    # --- one line ------------------------------------------------------------------------------------

    def _read(self, segment: Segment) -> None:
        if segment.kind == "comment":
            remark = _CRON_REMARK.fullmatch(segment.text.strip())
            cron = read_cadence(remark["line"]) if remark else None
            if cron is not None and cron.cron:
                self._place(segment, FoundTime(cron, labelled=True))
        elif fields := task_fields(segment):
            time = next(fields[key] for key in _TIME_FIELDS if key in fields)
            found = read_cadence(time) or read_cadence(f"every {time}") or Schedule("words", time)
            title = fields.get("name") or fields.get("id") or shorten(plain_text(segment.text))
            self._add(segment, FoundTime(found, problem=INEXACT if found.type == "words" else ""), title)
        elif segment.kind in TIMED_KINDS:
            found_time = time_of(segment, expected=self._expects(segment), in_log=self._in_log)
            if found_time is not None:
                self._place(segment, found_time)
            elif segment.kind in ("paragraph", "lead_in"):
                self._ask_about_introduction(segment)

    def _place(self, segment: Segment, found: FoundTime) -> None:
        """Give a time to what it holds for: its own line and what that holds, or what its line stands in."""
        subject = self._subject(segment)
        holds_all = segment.kind in ("heading", "lead_in") and self._covers_all(segment)
        stands_in = segment.kind in ("item", "paragraph", "comment") or found.labelled
        opens = found.opens and self._opens_section(segment)
        is_rare = (found.schedule.seconds or DAY_SECONDS) >= DAY_SECONDS
        is_of_task = found.labelled and subject is not None
        is_waking = found.alone and not is_of_task and speaks_of_waking(found.words or segment.text)
        if segment is self._title or is_waking:
            self._wake(segment, found)
        elif segment.kind == "table_row":
            self._add_row(segment, found)
        elif found.alone and subject is None and (stands_in or holds_all):
            is_sure = found.labelled or segment.kind in ("paragraph", "lead_in")
            self._wake(segment, found, is_sure=is_sure)
        elif found.alone and subject is not None and stands_in:
            if found.labelled or found.schedule.cron or found.schedule.times or opens:
                self._add(segment, found, holder=subject)
        elif segment.kind != "paragraph" or segment.text.lstrip().startswith(BOLD):
            self._add(segment, found)
        elif opens and (subject is not None or found.problem or is_rare):
            self._add(segment, found, holder=subject)
        elif opens:
            self._wake(segment, found)

    def _ask_about_introduction(self, segment: Segment) -> None:
        """Ask about how often the text before the checklist speaks of, whatever sentence it stands in."""
        above = {each.kind for each in self._segments if each.first < segment.first}
        if not above.issubset(_INTRODUCTION) or self._subject(segment) is not None:
            return
        for sentence in sentences(plain_text(segment.text[:LONGEST_READ])):
            found = read_cadence(sentence)
            is_often = found is not None and (found.type in ("interval", "cron", "times") or found.seconds)
            if found and is_often and not says("by_others", sentence):
                self._wake(segment, FoundTime(found, problem=_WHOLE_FILE))

    def _add_row(self, segment: Segment, found: FoundTime) -> None:
        for cell, header in zip(segment.cells, segment.header, strict=False):
            if not is_agent_column(header):
                continue
            names = plain_text(cell).casefold()
            own = any(name in names for name in self._names) or says("own", cell)
            if self._names and names.strip(" -—") and not own:
                return
            if not own:
                found = replace(found, problem=found.problem or _SEVERAL_AGENTS)
        zone = next(filter(None, (zone_in(f"({words})") for words in segment.header)), "")
        timed = replace(found.schedule, timezone=found.schedule.timezone or zone)
        self._add(segment, replace(found, schedule=timed), short_title(found.words))

    def _add(
        self, segment: Segment, found: FoundTime, title: str = "", *, holder: Segment | None = None
    ) -> None:
        """Add a task: what a segment says with what it holds, or the section that it gives a time."""
        whole = holder or segment
        schedule = self._placed(segment, found.schedule)
        is_exact = found.problem == INEXACT and schedule.type != "words"  # a heading above gives the day
        problem = "" if is_exact else found.problem
        known = next((each.title for each in self._tasks if each.first == whole.first), "")
        title = title or known or self._title_of(segment, found, whole)
        place = {"first": whole.first, "last": self._end_of(whole)}
        self._tasks.append(replace(found, schedule=schedule, title=title, problem=problem, **place))

    def _wake(self, segment: Segment, found: FoundTime, *, is_sure: bool = True) -> None:
        schedule = self._placed(segment, found.schedule)
        is_sure = is_sure and not self._tasks  # "Frequency" behind timed sections may be the last one's
        problem = found.problem or ("" if is_sure else _WHOLE_FILE)
        part = replace(found, schedule=schedule, problem=problem, first=segment.first, last=segment.last)
        if all(rhythm(part.schedule) != rhythm(each.schedule) for each in self._wake_ups):
            self._wake_ups.append(part)

    def _placed(self, segment: Segment, found: Schedule) -> Schedule:
        """Return a time with its place, and with the weekday and zone of the headings above where it has none."""
        lines = line_range(segment.first, segment.last)
        if found.times and not found.days:
            days = (days_in(in_english(heading).text) for heading in reversed(segment.section))
            found = with_days(found, next(filter(None, days), ()))
        zones = (zone_in(heading) for heading in (segment.lead_in, *reversed(segment.section)) if heading)
        zone = found.timezone or next(filter(None, zones), "")
        return replace(found, file=self._file.path, lines=lines, timezone=zone)

    # --- names and places ------------------------------------------------------------------------------

    def _expects(self, segment: Segment) -> bool:
        """Return whether a mere clock time is one of each day: the headings or the lead-in announce such times."""
        title = plain_text(self._title.text) if self._title else ""
        above = (*segment.section[-2:], segment.lead_in)
        announced = any(says("register", each) for each in above if each and each != title)
        return announced or any(days_in(in_english(each).text) for each in segment.section[-1:])

    def _subject(self, segment: Segment) -> Segment | None:
        """Return the innermost heading above a line that names a task, or None."""
        above = [each for each in self._headings if each.first < segment.first <= self._end_of(each)]
        for heading in reversed(above):
            text = plain_text(heading.text)
            if not names_no_task(text):
                return heading if heading is not self._title else None
            if heading is self._title or not value_of_time_label(f"{text}: x"):
                return None
        return None

    def _title_of(self, segment: Segment, found: FoundTime, whole: Segment) -> str:
        """Return the name of a task: what its line says beside the time, else its heading."""
        words = short_title(found.words)
        if words and whole is segment and (segment.kind == "heading" or not found.alone):
            return words
        heading = whole if whole.kind == "heading" else self._subject(segment)
        named = short_title(without_marks(plain_text(heading.text))) if heading is not None else ""
        return named or words or found.schedule.cadence

    def _opens_section(self, segment: Segment) -> bool:
        """Return whether a line is the first below its heading, or below the title of the file."""
        above = [each.kind for each in self._segments if each.first < segment.first]
        said = [kind for kind in above if kind not in ("comment", "rule")]
        return not said or said[-1] == "heading"

    def _end_of(self, whole: Segment) -> int:
        """Return the last line of what a heading, an item or a lead-in holds: its section, list, table or fence."""
        below = [each for each in self._segments if each.first > whole.first]
        if whole.kind == "heading":
            ends = (each.first for each in below if each.kind == "heading" and each.level <= whole.level)
            return next(ends, len(self._file.lines) + 1) - 1
        held = ("table_header", "table_row", "fence") if whole.kind == "lead_in" and not whole.depth else ()
        inside = takewhile(lambda each: each.depth > whole.depth or each.kind in held, below)
        return max((each.last for each in inside), default=whole.last)

    def _covers_all(self, whole: Segment) -> bool:
        return all(whole.first <= segment.first <= self._end_of(whole) for segment in self._asking)

    # --- what is asked for -------------------------------------------------------------------------------

    def _asks(self, segment: Segment) -> bool:
        kinds = ("item", "paragraph", "table_row", "lead_in", "fence")
        if segment.kind not in kinds or segment.first in self._aside:
            return False
        return any(map(_line_asks, self._file.lines[segment.first - 1 : segment.last]))

    def _has_own_part(self, part: FoundTime) -> bool:
        """Return whether a task has more than parts with times of their own; a heading over a table of times hasn't."""
        parts = [
            each
            for each in self._tasks
            if part.first < each.first and each.last <= part.last and not each.problem
        ]
        inside = (each.first for each in self._asking if part.first < each.first <= part.last)
        return not parts or any(all(not own.first <= line <= own.last for own in parts) for line in inside)

    # --- what holds for all ------------------------------------------------------------------------------

    def _on_days_above(self, tasks: Sequence[FoundTime]) -> list[FoundTime]:
        """Return tasks without days on those that the text above the checklist allows; asked if it says more."""
        placed = {each.first for each in (*tasks, *self._wake_ups) if not each.problem}
        for segment in takewhile(lambda each: each.kind != "heading" or each is self._title, self._segments):
            english = in_english(plain_text(segment.text))
            named, days = {*days_in(english.text)}, days_declared(english)
            if segment.kind not in ("paragraph", "lead_in") or segment.first in (*placed, *self._aside):
                continue
            if named or days:
                has_one_span = len(re.findall(rf"\b{DAY}", english.text, re.IGNORECASE)) in (0, 2)
                is_span = has_one_span and named <= {*days} and not says("exception", english.text)
                is_whole = bool(days) and (is_span or is_about_waking_only(english.text))
                return [_on_days(each, days if is_whole else ()) for each in tasks]
        return [*tasks]

    def _limits(self) -> Schedule:
        """Return the days, zone and window of the wake-up as a whole; quiet hours with an exception stay words."""
        found = Schedule()
        for segment in self._segments:
            text = plain_text(segment.text)
            is_general = segment.kind in ("item", "paragraph", "lead_in") or (
                segment.kind == "heading" and names_no_task(text)
            )
            if not is_general or segment.first in self._aside or self._subject(segment) is not None:
                continue
            if segment.kind != "item" and says("hours", "".join(segment.section[-1:])):
                text = f"{segment.section[-1]}: {text}"
            declares = says("hours", text)
            if not (declares or speaks_of_waking(text) or is_about_waking_only(text)):
                continue
            days, zone, hours = days_declared(text), zone_in(text), None
            if declares and not says("exception", text) and not found.active_hours:
                hours = quiet_hours_in(text) or active_hours_in(text)
                if hours is None and _SPAN.search(text):
                    self._wake(segment, FoundTime(Schedule("words", shorten(text)), problem=INEXACT))
            if hours is not None:
                found = with_hours(found, hours)
            if hours is not None or days or zone:
                place = (found.file or self._file.path, found.lines or str(segment.first))
                days, zone = found.days or days, found.timezone or zone
                found = replace(found, days=days, timezone=zone, file=place[0], lines=place[1])
        return found


def _on_days(part: FoundTime, days: tuple[str, ...]) -> FoundTime:
    """Return a task without days on some days, or as a question if which they are can't be read."""
    if part.schedule.days or part.problem:
        return part
    timed = replace(part, schedule=with_days(part.schedule, days))
    return timed if days else replace(part, problem=_DAYS_ABOVE)


def _distinct(tasks: Sequence[FoundTime]) -> list[FoundTime]:
    """Return the tasks, each once: what is told twice is one, with the more exact time; others get a name."""
    by_name: dict[tuple[str, ...], list[FoundTime]] = {}
    for task in tasks:
        told = by_name.setdefault(tuple(re.findall(r"\w+", task.title.casefold())), [])
        twin = next((place for place, each in enumerate(told) if _is_as_often(each, task)), None)
        if twin is None:
            name = f"{task.title} ({task.schedule.cadence})" if told else task.title
            told.append(replace(task, title=name))
        elif _exactness(task) > _exactness(told[twin]):
            told[twin] = replace(task, title=told[twin].title)
    kept = {each.title: each for told in by_name.values() for each in told}
    return sorted(kept.values(), key=lambda each: each.first)


def _is_as_often(one: FoundTime, other: FoundTime) -> bool:
    """Return whether two times may be one told twice: `weekly` and `every Monday`, `daily` and its clock time."""
    first, second = one.schedule, other.schedule
    if first.cron and second.cron and (first.times or not second.times):
        return first.cron == second.cron
    if one.first == other.first and (other.problem or (first.seconds == DAY_SECONDS and second.times)):
        return True
    is_same = first.type != "words" and seconds_between(first) == seconds_between(second)
    return is_same or rhythm(first) == rhythm(second)


def _exactness(part: FoundTime) -> int:
    return 0 if part.problem else bool(part.schedule.cron) + bool(part.schedule.times)


def _line_asks(line: str) -> bool:
    if not line.strip() or is_template_line(line) or _MARKUP_LINE.match(line) or left_out_reason(line):
        return False
    text = plain_text(line.strip(" -*+>"))
    return not (says("nothing", text) and len(text) < _LONGEST_NONE)
