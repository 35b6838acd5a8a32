"""Reads what HEARTBEAT.md says about time: the wake-up, the tasks with a time of their own, and what has to be asked.

A task is a whole section, list or item with all that stands in it; parts with times of their own are tasks, and the
time of a section holds for the rest. What no time holds for is the checklist, which isn't cut.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.openclaw.in_force import Aside, aside_in, is_switched_off
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
    words_beside,
)
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.time_places import DATE, INEXACT, TimeInLine, time_of
from melleafy_tui.core.language.time.active_hours import active_hours_in, days_declared, quiet_hours_in
from melleafy_tui.core.language.time.cadence import read_cadence, seconds_between, with_days, with_hours
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import DAY, DAY_SECONDS, days_in
from melleafy_tui.core.language.time.cron import cron_of
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text, sentences, shorten
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

HEARTBEAT_PATH: Final = "HEARTBEAT.md"
_EMPTY_LINE: Final = re.compile(r"\s*(?:#+(?:\s.*)?|[-*+]\s*(?:\[[ xX]?\]\s*)?|<!--.*-->\s*)?$")
"""A line that OpenClaw doesn't count: it wakes no agent for a file of such lines."""
_CRON_REMARK: Final = LazyRegex(
    r"<!--\s*(?:cron|schedule)\s*:\s*(?P<line>[-\d*,/ ]{9,60}?)\s*-->", re.IGNORECASE
)
_FIELD: Final = LazyRegex(r"^\s*(?:-\s+)?[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>\S.*)$")
_TIME_FIELDS: Final = ("interval", "every", "cadence", "schedule", "cron", "frequency", "at")
_LABELLED: Final = re.compile(r"\W*[^:：\n]{1,24}[:：]\W*\S")
_MARKUP_LINE: Final = LazyRegex(r"\s*(?:```|~~~|#|<!--)")
_WHOLE_FILE: Final = "It is the time of the whole checklist: the agent may be woken then."
_DAYS_ABOVE: Final = "The text above the checklist limits its days."
_SEVERAL_AGENTS: Final = "It may be the task of another agent."


class TimedPart(Struct, frozen=True):
    """One time that HEARTBEAT.md gives, and what it holds for.

    Attributes:
        schedule: The time; its file and lines are those of the words that give it.
        title: The name of the task, `""` for the wake-up.
        first: The first line of the task.
        last: Its last line.
        problem: Why the owner is asked, `""` if the time is taken.
        alone: Whether its line says nothing else.
        refined: Whether a second line made it more exact.
        name: Its title before names were made distinct.
    """

    schedule: Schedule
    title: str
    first: int
    last: int
    problem: str = ""
    alone: bool = False
    refined: bool = False
    name: str = ""


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
        aside: What the file only speaks of.
        off: Whether it says that the heartbeat is off.
    """

    wake_ups: tuple[TimedPart, ...] = ()
    tasks: tuple[TimedPart, ...] = ()
    asked: tuple[TimedPart, ...] = ()
    limits: Schedule = Schedule()
    content: int = 0
    aside: Aside = Aside()
    off: bool = False

    def task_at(self, line: int) -> TimedPart | None:
        """Return the innermost task that a line belongs to, or None."""
        around = (each for each in self.tasks if each.first <= line <= each.last)
        return min(around, key=lambda each: each.last - each.first, default=None)


def is_empty_for_openclaw(file: SourceFile) -> bool:
    """Return whether OpenClaw takes a HEARTBEAT.md for empty, so that it wakes no agent for it."""
    return all(map(_EMPTY_LINE.match, file.lines))


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
        self._aside = aside_in(segments)
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
        self._wake_ups: list[TimedPart] = []
        self._tasks: list[TimedPart] = []
        self._sections: dict[int, int] = {}
        """The place of its task by the first line of a section."""

    def read(self) -> HeartbeatTimes:
        """Return what the file says about time."""
        if is_switched_off(self._segments):
            return HeartbeatTimes(aside=self._aside, off=True)
        for segment in self._segments:
            # A heading has a date, or a label says when it was: an entry of a log.
            is_dated = segment.section in self._dated or any(
                map(DATE.search, (*segment.section, segment.lead_in))
            )
            if segment.first not in self._aside and not is_dated:
                self._read(segment)
        self._limit_days()
        tasks = _distinct([each for each in self._tasks if self._has_own_part(each)])
        if any(each.schedule.cron for each in tasks if not each.problem):  # "Daily" over a task at 23:59
            self._wake_ups = [each for each in self._wake_ups if not self._is_vague_title(each)]
        return HeartbeatTimes(
            tuple(each for each in self._wake_ups if not each.problem),
            tuple(each for each in tasks if not each.problem),
            tuple(each for each in (*self._wake_ups, *tasks) if each.problem),
            self._limits(),
            content=self._asking[0].first if self._asking else 0,
            aside=self._aside,
        )

    def _limit_days(self) -> None:
        """Give tasks without days those that a text above the checklist allows; ask about them if it says more."""
        placed = {each.first for each in (*self._tasks, *self._wake_ups) if not each.problem}
        for segment in takewhile(lambda each: each.kind != "heading" or each is self._title, self._segments):
            if segment.kind not in ("paragraph", "lead_in") or segment.first in placed:
                continue
            english = in_english(plain_text(segment.text))
            named, days = {*days_in(english.text)}, days_declared(english)
            if segment.first in self._aside or not (named or days):
                continue
            names_one_span = len(re.findall(rf"\b{DAY}", english.text, re.IGNORECASE)) in (0, 2)
            is_whole = names_one_span and named in (set(), {*days}) and not says("exception", english.text)
            self._tasks = [
                each if each.schedule.days or each.problem else _on_days(each, days, is_whole=is_whole)
                for each in self._tasks
            ]
            return

    def _is_vague_title(self, wake_up: TimedPart) -> bool:
        """Return whether the file's title says "daily" and no more, which its timed tasks say better."""
        is_title = self._title is not None and wake_up.first == self._title.first
        return is_title and wake_up.schedule.seconds == DAY_SECONDS and not wake_up.schedule.cron

    # --- one line ------------------------------------------------------------------------------------

    def _read(self, segment: Segment) -> None:
        if segment.kind == "comment":
            remark = _CRON_REMARK.fullmatch(segment.text.strip())
            cron = read_cadence(remark["line"]) if remark else None
            if cron is not None and cron.cron:
                self._give_section(segment, TimeInLine(cron, labelled=True))
        elif fields := task_fields(segment):
            time = next(fields[key] for key in _TIME_FIELDS if key in fields)
            found = read_cadence(time) or read_cadence(f"every {time}") or Schedule("words", time)
            problem = INEXACT if found.type == "words" else ""
            title = fields.get("name") or fields.get("id") or shorten(plain_text(segment.text))
            self._add(segment, TimeInLine(found, problem=problem), title, segment.last)
        elif segment.kind in ("heading", "lead_in", "item", "paragraph", "table_row"):
            times = [
                (line, time_of(line, expected=self._expects(line), in_log=self._in_log))
                for line in _statements(segment)
            ]
            for line, found_time in times:
                if found_time is not None:
                    self._place(line, found_time)
            above = {each.kind for each in self._segments if each.first < segment.first}
            is_introduction = segment.kind in ("paragraph", "lead_in") and above <= {
                "heading",
                "paragraph",
                "comment",
            }
            if is_introduction and not any(found for _, found in times):
                self._ask_about_introduction(segment)

    def _place(self, segment: Segment, found: TimeInLine) -> None:
        """Give a time to what it holds for: the wake-up, a section, a list, or its own line."""
        text, subject = plain_text(segment.text), self._subject(segment)
        if segment.kind == "table_row":
            self._add_row(segment, found)
        elif segment is self._title or (found.alone and speaks_of_waking(text)):
            self._wake(segment, found)
        elif segment.kind == "heading":
            self._add_section(segment, found, text)
        elif segment.kind == "lead_in" and not found.labelled:
            self._add_list(segment, found)
        elif found.alone and subject is None:
            sure = found.labelled or segment.kind == "paragraph"
            self._wake(segment, found if sure else replace(found, problem=found.problem or _WHOLE_FILE))
        elif found.alone:
            if found.labelled or found.schedule.cron or found.schedule.times or self._opens_section(segment):
                self._give_section(segment, found)
        elif segment.kind == "item":
            self._add(segment, found, self._title_of(segment, found), self._end_of(segment))
        elif segment.text.lstrip().startswith(("**", "__")):
            self._add(segment, found, self._title_of(segment, found), segment.last)
        elif found.first and self._opens_section(segment):
            self._add_first_sentence(segment, found, is_below_task=subject is not None)

    def _ask_about_introduction(self, segment: Segment) -> None:
        """Ask about how often the text before the checklist speaks of, whatever sentence it stands in."""
        for sentence in sentences(plain_text(segment.text[:LONGEST_READ])):
            found = read_cadence(sentence) if self._subject(segment) is None else None
            is_often = found is not None and (found.type in ("interval", "cron", "times") or found.seconds)
            if found and is_often and not says("by_others", sentence):
                self._wake(segment, TimeInLine(found, problem=_WHOLE_FILE))

    def _add_section(self, heading: Segment, found: TimeInLine, text: str) -> None:
        end = self._end_of_section(heading)
        if found.alone and self._covers_all(heading.first, end):
            self._wake(heading, replace(found, problem=found.problem or _WHOLE_FILE))
            return
        self._sections[heading.first] = len(self._tasks)
        self._add(heading, found, short_title(found.words) or text, end)

    def _add_row(self, segment: Segment, found: TimeInLine) -> None:
        if found.words and is_about_waking_only(found.words) and speaks_of_waking(found.words):
            self._wake(segment, found)
            return
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
        self._add(segment, replace(found, schedule=timed), self._title_of(segment, found), segment.last)

    def _add_list(self, segment: Segment, found: TimeInLine) -> None:
        """Add the task of a lead-in: its list, and what else its item holds."""
        end = self._end_of(segment)
        whole = found.alone and not segment.depth and self._subject(segment) is None
        if whole and self._covers_all(segment.first, end):
            self._wake(segment, found)
        else:
            self._add(segment, found, self._title_of(segment, found), end)

    def _add_first_sentence(self, segment: Segment, found: TimeInLine, *, is_below_task: bool) -> None:
        seconds = found.schedule.seconds or DAY_SECONDS
        if is_below_task:
            self._give_section(segment, found)
        elif seconds >= DAY_SECONDS or found.problem:
            self._add(segment, found, self._title_of(segment, found), segment.last)
        else:
            self._wake(segment, found)

    def _give_section(self, segment: Segment, found: TimeInLine) -> None:
        """Give a section the time that a line in it says; one that it has is only made more exact."""
        heading = self._subject(segment)
        if heading is None:
            return
        place = self._sections.get(heading.first)
        if place is None:
            self._sections[heading.first] = len(self._tasks)
            title = short_title(without_marks(plain_text(heading.text))) or shorten(plain_text(segment.text))
            self._add(heading, found, title, self._end_of_section(heading), said_in=segment)
            return
        known, new = self._tasks[place], found.schedule
        old = known.schedule
        is_daily = old.seconds == DAY_SECONDS or known.refined
        if found.problem or not (new.cron or new.times):
            return
        if new.times and (is_daily or (found.labelled and not old.times)):
            times = tuple(dict.fromkeys((*old.times, *new.times)))
            cron = cron_of(times, new.days or old.days)
            new = replace(new, times=times, cron=cron, type="cron" if cron else "times")
        elif old.cron or seconds_between(old) != seconds_between(new):
            return
        exact = replace(with_days(new, old.days), file=self._file.path, lines=f"{known.first}-{segment.last}")
        self._tasks[place] = replace(known, schedule=exact, problem="", refined=True)

    def _add(
        self, segment: Segment, found: TimeInLine, title: str, last: int, *, said_in: Segment | None = None
    ) -> None:
        schedule = self._placed(said_in or segment, found.schedule)
        is_exact = found.problem == INEXACT and schedule.type != "words"  # a heading above gives the day
        problem = "" if is_exact else found.problem
        self._tasks.append(TimedPart(schedule, title, segment.first, last, problem, found.alone))

    def _wake(self, segment: Segment, found: TimeInLine) -> None:
        schedule = self._placed(segment, found.schedule)
        part = TimedPart(schedule, "", segment.first, segment.last, found.problem, found.alone)
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
        above = [each for each in self._headings if each.first < segment.first <= self._end_of_section(each)]
        for heading in reversed(above):
            text = plain_text(heading.text)
            if not names_no_task(text):
                return heading if heading is not self._title else None
            if heading is self._title or not value_of_time_label(f"{text}: x"):
                return None
        return None

    def _title_of(self, segment: Segment, found: TimeInLine) -> str:
        words, heading = short_title(found.words), self._subject(segment)
        subject = plain_text(heading.text) if heading is not None else ""
        if not words or (found.alone and segment.kind != "table_row"):
            return subject or words or found.schedule.cadence
        return words

    def _opens_section(self, segment: Segment) -> bool:
        """Return whether a line is the first below its heading, or below the title of the file."""
        before = [
            each
            for each in self._segments
            if each.first < segment.first and each.kind not in ("comment", "rule")
        ]
        return not before or before[-1].kind == "heading"

    def _end_of_section(self, heading: Segment) -> int:
        later = (
            each.first
            for each in self._headings
            if each.first > heading.first and each.level <= heading.level
        )
        return next(later, len(self._file.lines) + 1) - 1

    def _end_of(self, segment: Segment) -> int:
        """Return the last line of what an item or a lead-in holds: what is below it, or its list, table or fence."""
        held = ("table_header", "table_row", "fence") if not segment.depth else ()
        below = (each for each in self._segments if each.first > segment.first)
        inside = takewhile(lambda each: each.depth > segment.depth or each.kind in held, below)
        return max((each.last for each in inside), default=segment.last)

    def _covers_all(self, first: int, last: int) -> bool:
        return all(first <= segment.first <= last for segment in self._asking)

    # --- what is asked for -------------------------------------------------------------------------------

    def _asks(self, segment: Segment) -> bool:
        kinds = ("item", "paragraph", "table_row", "lead_in", "fence")
        if segment.kind not in kinds or segment.first in self._aside:
            return False
        return any(map(_line_asks, self._file.lines[segment.first - 1 : segment.last]))

    def _has_own_part(self, part: TimedPart) -> bool:
        """Return whether a task has more than parts with times of their own; a heading over a table of times hasn't."""
        parts = [
            each
            for each in self._tasks
            if each is not part and part.first <= each.first and each.last <= part.last and not each.problem
        ]
        inside = (each.first for each in self._asking if part.first < each.first <= part.last)
        return not parts or any(all(not own.first <= line <= own.last for own in parts) for line in inside)

    # --- the limits of the wake-up -----------------------------------------------------------------------

    def _limits(self) -> Schedule:
        """Return the days, zone and window that hold for the wake-up as a whole."""
        found = Schedule()
        for segment in self._segments:
            kinds = ("heading", "item", "paragraph", "lead_in")
            if (
                segment.kind not in kinds
                or segment.first in self._aside
                or self._subject(segment) is not None
            ):
                continue
            text = plain_text(segment.text)
            above = plain_text(segment.section[-1]) if segment.section and segment.kind != "item" else ""
            declares = says("hours", text) or says("hours", above)
            found_time = read_cadence(text) if segment.kind == "heading" else None
            untimed = words_beside(text, found_time) if found_time is not None else text
            is_task = segment.kind == "heading" and not names_no_task(untimed)
            if not is_task and (declares or speaks_of_waking(text)):
                found = _limited(
                    found, f"{above}: {text}" if above and declares else text, str(segment.first)
                )
        return replace(found, file=self._file.path) if found.lines else found


def _on_days(part: TimedPart, days: tuple[str, ...], *, is_whole: bool) -> TimedPart:
    """Return a task on days, or as a question if which days they are can't be read whole."""
    if not (is_whole and days):
        return replace(part, problem=_DAYS_ABOVE)
    return replace(part, schedule=with_days(part.schedule, days))


def _limited(found: Schedule, text: str, lines: str) -> Schedule:
    """Return the limits with those that a line declares; quiet hours with an exception stay words."""
    hours = None
    if says("hours", text) and not says("exception", text) and not found.active_hours:
        hours = quiet_hours_in(text) or active_hours_in(text)
    days, zone = days_declared(text), zone_in(text)
    if hours is not None:
        found = with_hours(found, hours)
    declares = hours is not None or days or zone
    return replace(
        found,
        days=found.days or days,
        timezone=found.timezone or zone,
        lines=found.lines or (lines if declares else ""),
    )


def _statements(segment: Segment) -> list[Segment]:
    """Return the lines of a paragraph of labelled lines as paragraphs; another segment is one statement."""
    if segment.kind != "paragraph" or len(segment.lines) < 2 or not all(map(_LABELLED.match, segment.lines)):
        return [segment]
    return [
        replace(segment, first=number, last=number, lines=(line,), text=line)
        for number, line in enumerate(segment.lines, segment.first)
    ]


def _distinct(tasks: Sequence[TimedPart]) -> list[TimedPart]:
    """Return the tasks, each once: the same words as often are one, with the more exact time; others get a name."""
    kept: list[TimedPart] = []
    for task in tasks:
        words = re.findall(r"\w+", task.title.casefold())
        same = [each for each in kept if re.findall(r"\w+", each.name.casefold()) == words]
        twin = next((each for each in same if _is_as_often(each.schedule, task.schedule)), None)
        if twin is None:
            title = f"{task.title} ({task.schedule.cadence})" if same else task.title
            kept.append(replace(task, title=title, name=task.title))
        elif task.schedule.cron and not twin.schedule.cron and not task.problem:
            kept[kept.index(twin)] = replace(task, name=twin.name)
    return kept


def _is_as_often(one: Schedule, other: Schedule) -> bool:
    """Return whether two times may be one told twice: `weekly` and `every Monday`."""
    if one.cron and other.cron:
        return one.cron == other.cron
    is_same = one.type != "words" and seconds_between(one) == seconds_between(other)
    return is_same or rhythm(one) == rhythm(other)


def _line_asks(line: str) -> bool:
    if not line.strip() or is_template_line(line) or _MARKUP_LINE.match(line) or left_out_reason(line):
        return False
    text = plain_text(line.strip(" -*+>"))
    return not (says("nothing", text) and len(text) < _LONGEST_NONE)


_LONGEST_NONE: Final = 60
