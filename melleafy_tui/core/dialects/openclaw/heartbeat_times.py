"""Reads what HEARTBEAT.md says about time: the wake-up, the tasks with a time of their own, and what has to be asked.

A task is a whole section, list or item with all that stands in it; parts with times of their own are tasks, and the
time of a section holds for the rest. What no time holds for is the checklist, which isn't cut.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.in_force import Aside, aside_in, is_switched_off
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.schedule_words import (
    consists_of,
    is_about_waking_only,
    names_no_task,
    says,
    short_title,
    speaks_of_waking,
    value_of_time_label,
    without_marks,
    words_beside,
)
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.time_places import DATE, TimeInLine, time_of
from melleafy_tui.core.language.time.active_hours import active_hours_in, days_declared, quiet_hours_in
from melleafy_tui.core.language.time.cadence import read_cadence, with_days, with_hours
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import DAY_SECONDS, days_in
from melleafy_tui.core.language.time.cron import cron_of
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
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
    """

    schedule: Schedule
    title: str
    first: int
    last: int
    problem: str = ""
    alone: bool = False

    @property
    def rhythm(self) -> tuple[object, ...]:
        """Return what two times have in common if they are the same."""
        found = self.schedule
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
        untimed: The first of them that is in no task, 0 if all are.
        aside: What the file only speaks of.
        off: Whether it says that the heartbeat is off.
    """

    wake_ups: tuple[TimedPart, ...] = ()
    tasks: tuple[TimedPart, ...] = ()
    asked: tuple[TimedPart, ...] = ()
    limits: Schedule = Schedule()
    content: int = 0
    untimed: int = 0
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
        if not all(is_template_line(file.lines[line - 1]) for line in range(segment.first, segment.last + 1))
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
        first = self._headings[0] if self._headings else None
        self._title = first if first is not None and first.level == 1 else None
        self._dated = {
            segment.section
            for segment in segments
            for line in segment.lines
            if (value := value_of_time_label(plain_text(line))) and DATE.search(value)
        } - {()}
        self._asking = [segment for segment in segments if self._asks(segment)]
        self._wake_ups: list[TimedPart] = []
        self._tasks: list[TimedPart] = []
        self._sections: dict[int, int] = {}
        self._exact: set[int] = set()

    def read(self) -> HeartbeatTimes:
        """Return what the file says about time."""
        if is_switched_off(self._segments):
            return HeartbeatTimes(aside=self._aside, off=True)
        for segment in self._segments:
            if segment.first not in self._aside and not self._is_dated(segment):
                self._read(segment)
        tasks = self._distinct([each for each in self._tasks if self._has_own_part(each)])
        taken = tuple(each for each in tasks if not each.problem)
        found = HeartbeatTimes(
            tuple(each for each in self._wake_ups if not each.problem),
            taken,
            tuple(each for each in (*self._wake_ups, *tasks) if each.problem),
            self._limits(),
            content=self._asking[0].first if self._asking else 0,
            aside=self._aside,
        )
        untimed = (each.first for each in self._asking if found.task_at(each.first) is None)
        return replace(found, untimed=next(untimed, 0))

    # --- one line ------------------------------------------------------------------------------------

    def _read(self, segment: Segment) -> None:
        if segment.kind == "comment":
            remark = _CRON_REMARK.fullmatch(segment.text.strip())
            cron = read_cadence(remark["line"]) if remark else None
            if cron is not None and cron.cron:
                self._give_section(segment, TimeInLine(cron, labelled=True))
        elif fields := task_fields(segment):
            time = next(fields[key] for key in _TIME_FIELDS if key in fields)
            found = (
                read_cadence(time) or read_cadence(f"every {time}") or Schedule(type="words", cadence=time)
            )
            problem = "No exact time can be read from it." if found.type == "words" else ""
            title = fields.get("name") or fields.get("id") or shorten(plain_text(segment.text))
            self._add(segment, TimeInLine(found, problem=problem), title, segment.last)
        elif (
            segment.kind == "paragraph"
            and len(segment.lines) > 1
            and all(map(_LABELLED.match, segment.lines))
        ):
            for number, line in enumerate(segment.lines, segment.first):
                one = replace(segment, first=number, last=number, lines=(line,), text=line)
                found_time = time_of(one, expected=False)
                if found_time is not None and found_time.labelled:
                    self._place(one, found_time)
        elif segment.kind in ("heading", "lead_in", "item", "paragraph", "table_row"):
            found_time = time_of(segment, expected=self._expects(segment))
            if found_time is not None:
                self._place(segment, found_time)

    def _place(self, segment: Segment, found: TimeInLine) -> None:
        text = plain_text(segment.text)
        if segment.kind == "table_row":
            self._add_row(segment, found)
        elif segment.kind == "heading":
            self._add_heading(segment, found, text)
        elif found.alone and speaks_of_waking(text):
            self._wake(segment, found)
        elif segment.kind == "lead_in":
            self._add_list(segment, found)
        elif found.alone:
            self._add_alone(segment, found)
        elif segment.kind == "item":
            self._add(segment, found, self._item_title(segment, found), self._end_of_item(segment))
        else:
            self._add_paragraph(segment, found)

    def _add_heading(self, segment: Segment, found: TimeInLine, text: str) -> None:
        about_waking = found.alone and (speaks_of_waking(text) or segment is self._title)
        if about_waking or (segment is self._title and self._is_titled(text, found)):
            self._wake(segment, found)
            return
        end = self._end_of_section(segment)
        if found.alone and self._covers_all(segment.first, end):
            self._wake(segment, replace(found, problem=found.problem or _WHOLE_FILE))
            return
        self._sections[segment.first] = len(self._tasks)
        self._add(segment, found, short_title(found.words) or plain_text(text), end)

    def _is_titled(self, text: str, found: TimeInLine) -> bool:
        """Return whether the title of the file gives the time of the file as a whole, and not of a task."""
        return not found.first or speaks_of_waking(text)

    def _add_row(self, segment: Segment, found: TimeInLine) -> None:
        if found.words and is_about_waking_only(found.words) and speaks_of_waking(found.words):
            self._wake(segment, found)
            return
        for cell, header in zip(segment.cells, segment.header, strict=False):
            if not consists_of(header, "agent_column", "filler") or not says("agent_column", header):
                continue
            names = plain_text(cell).casefold()
            own = any(name in names for name in self._names) or says("own", cell)
            if self._names and names.strip(" -—") and not own:
                return
            if not own:
                found = replace(found, problem=found.problem or _SEVERAL_AGENTS)
        zone = next(filter(None, (zone_in(f"({words})") for words in segment.header)), "")
        named = replace(found.schedule, timezone=found.schedule.timezone or zone)
        title = short_title(found.words) or self._subject(segment) or shorten(segment.text)
        self._add(segment, replace(found, schedule=named), title, segment.last)

    def _add_list(self, segment: Segment, found: TimeInLine) -> None:
        """Add the task of a lead-in: its list, and what else its item holds."""
        end = self._end_of_list(segment)
        if (
            found.alone
            and not segment.depth
            and not self._subject(segment)
            and self._covers_all(segment.first, end)
        ):
            self._wake(segment, found)
        elif found.labelled:
            self._give_section(segment, found)
        else:
            self._add(segment, found, self._item_title(segment, found), end)

    def _add_alone(self, segment: Segment, found: TimeInLine) -> None:
        """Add a time without words of its own: it is that of its section, else that of the wake-up."""
        if self._subject(segment):
            if found.labelled or found.schedule.times or self._opens_section(segment):
                self._give_section(segment, found)
        elif found.labelled or segment.kind == "paragraph":
            self._wake(segment, found)
        else:
            self._wake(segment, replace(found, problem=found.problem or _WHOLE_FILE))

    def _add_paragraph(self, segment: Segment, found: TimeInLine) -> None:
        bold = segment.text.lstrip().startswith(("**", "__"))
        if not bold and not (found.first and self._opens_section(segment)):
            return
        seconds = found.schedule.seconds or DAY_SECONDS
        if self._subject(segment) and not bold:
            self._give_section(segment, found)
        elif bold or seconds >= DAY_SECONDS or found.problem:
            self._add(segment, found, self._item_title(segment, found), segment.last)
        else:
            self._wake(segment, found)

    def _give_section(self, segment: Segment, found: TimeInLine) -> None:
        """Give a section the time that a line in it says; one that it has is only made more exact."""
        heading = self._heading_of(segment)
        if heading is None:
            return
        place = self._sections.get(heading.first)
        if place is None:
            self._sections[heading.first] = len(self._tasks)
            title = short_title(without_marks(plain_text(heading.text))) or shorten(plain_text(segment.text))
            self._add(heading, found, title, self._end_of_section(heading), said_in=segment)
            return
        known = self._tasks[place]
        daily = known.schedule.seconds == DAY_SECONDS or heading.first in self._exact
        labelled = found.labelled and not known.schedule.times
        if found.schedule.times and (daily or labelled) and not found.problem:
            times = tuple(dict.fromkeys((*known.schedule.times, *found.schedule.times)))
            cron = cron_of(times, found.schedule.days or known.schedule.days)
            exact = replace(found.schedule, times=times, cron=cron, type="cron" if cron else "times")
            exact = with_days(exact, known.schedule.days)
            self._exact.add(heading.first)
            lines = f"{known.first}-{segment.last}"
            self._tasks[place] = replace(
                known, schedule=replace(exact, file=self._file.path, lines=lines), problem=""
            )

    def _add(
        self, segment: Segment, found: TimeInLine, title: str, last: int, *, said_in: Segment | None = None
    ) -> None:
        schedule = self._placed(said_in or segment, found.schedule)
        self._tasks.append(TimedPart(schedule, title, segment.first, last, found.problem, found.alone))

    def _wake(self, segment: Segment, found: TimeInLine) -> None:
        part = TimedPart(
            self._placed(segment, found.schedule), "", segment.first, segment.last, found.problem, found.alone
        )
        if all(part.rhythm != each.rhythm for each in self._wake_ups):
            self._wake_ups.append(part)

    def _placed(self, segment: Segment, found: Schedule) -> Schedule:
        """Return a time with its place, and with the weekday and zone of the headings above where it has none."""
        lines = str(segment.first) if segment.first == segment.last else f"{segment.first}-{segment.last}"
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
        if any(says("register", each) for each in above if each and each != title):
            return True
        days = (days_in(in_english(each).text) for each in segment.section[-1:])
        return any(days)

    def _subject(self, segment: Segment) -> str:
        heading = self._heading_of(segment)
        return plain_text(heading.text) if heading is not None else ""

    def _heading_of(self, segment: Segment) -> Segment | None:
        """Return the innermost heading above a line that names a task, or None."""
        above = [each for each in self._headings if each.first < segment.first <= self._end_of_section(each)]
        for heading in reversed(above):
            if heading is self._title and len(self._headings) > 1:
                return None
            if heading is self._title or not names_no_task(plain_text(heading.text)):
                is_file = heading is self._title and self._names_file(heading)
                return None if is_file else heading
            if not value_of_time_label(f"{plain_text(heading.text)}: x"):
                return None
        return None

    def _names_file(self, heading: Segment) -> bool:
        return names_no_task(plain_text(heading.text)) or heading is self._title

    def _item_title(self, segment: Segment, found: TimeInLine) -> str:
        words = short_title(found.words)
        heading = self._subject(segment)
        if not words or found.alone:
            return heading or words or found.schedule.cadence
        short = " " not in words and words.isascii() and not says("register", heading)
        return f"{short_title(_untimed(heading))}: {words}" if short and heading else words

    def _opens_section(self, segment: Segment) -> bool:
        """Return whether a line is the first below its heading, or below the title of the file."""
        place = self._segments.index(segment)
        before = [each for each in self._segments[:place] if each.kind not in ("comment", "rule")]
        return not before or before[-1].kind == "heading"

    def _end_of_section(self, heading: Segment) -> int:
        later = (
            each for each in self._headings if each.first > heading.first and each.level <= heading.level
        )
        following = next(later, None)
        return (following.first if following is not None else len(self._file.lines) + 1) - 1

    def _end_of_item(self, item: Segment) -> int:
        end = item.last
        for segment in self._segments:
            if segment.first <= item.first:
                continue
            if segment.depth <= item.depth:
                break
            end = segment.last
        return end

    def _end_of_list(self, lead: Segment) -> int:
        if lead.depth:
            return self._end_of_item(lead)
        end = lead.last
        for segment in self._segments:
            if segment.first <= lead.first:
                continue
            if not segment.depth and segment.kind not in ("table_header", "table_row", "fence"):
                break
            end = segment.last
        return end

    def _covers_all(self, first: int, last: int) -> bool:
        return all(first <= segment.first <= last for segment in self._asking)

    def _is_dated(self, segment: Segment) -> bool:
        """Return whether a line stands in an entry of a log: its heading has a date, or a label says when it was."""
        return segment.section in self._dated or any(map(DATE.search, (*segment.section, segment.lead_in)))

    # --- what is asked for -------------------------------------------------------------------------------

    def _asks(self, segment: Segment) -> bool:
        kinds = ("item", "paragraph", "table_row", "lead_in", "fence")
        if segment.kind not in kinds or segment.first in self._aside:
            return False
        return any(map(_line_asks, self._file.lines[segment.first - 1 : segment.last]))

    def _has_own_part(self, part: TimedPart) -> bool:
        """Return whether a task has more than parts with times of their own; a heading over a table of times hasn't."""
        inside = [each for each in self._asking if part.first < each.first <= part.last]
        parts = [
            each
            for each in self._tasks
            if each is not part and part.first <= each.first and each.last <= part.last and not each.problem
        ]
        left = [each for each in inside if not any(own.first <= each.first <= own.last for own in parts)]
        return bool(left) or not parts

    def _distinct(self, tasks: Sequence[TimedPart]) -> list[TimedPart]:
        """Return the tasks, each once: the same words at the same time are one; names are made distinct."""
        kept: dict[object, TimedPart] = {}
        titles: dict[str, int] = {}
        for task in tasks:
            key = (" ".join(re.findall(r"\w+", task.title.casefold())), task.rhythm)
            if key in kept:
                continue
            again = task.title.casefold() in titles
            titles[task.title.casefold()] = 1
            kept[key] = replace(task, title=f"{task.title} ({task.schedule.cadence})") if again else task
        return list(kept.values())

    # --- the limits of the wake-up -----------------------------------------------------------------------

    def _limits(self) -> Schedule:
        """Return the days, zone and window that hold for the wake-up as a whole."""
        found = Schedule()
        for segment in self._segments:
            if (
                segment.kind not in ("heading", "item", "paragraph", "lead_in")
                or segment.first in self._aside
            ):
                continue
            text = plain_text(segment.text)
            above = plain_text(segment.section[-1]) if segment.section and segment.kind != "item" else ""
            declares = says("hours", text) or says("hours", above)
            if self._subject(segment) or not (declares or speaks_of_waking(text)):
                continue
            if segment.kind == "heading" and not names_no_task(_untimed(text)):
                continue
            found = _limited(found, f"{above}: {text}" if above and declares else text, str(segment.first))
        return replace(found, file=self._file.path) if found.lines else found


def _limited(found: Schedule, text: str, lines: str) -> Schedule:
    """Return the limits with those that a line declares; quiet hours with an exception stay words."""
    hours = None
    if says("hours", text) and not says("exception", text):
        quiet = quiet_hours_in(text)
        hours = quiet or active_hours_in(text)
    days = days_declared(text)
    if hours is not None and not found.active_hours:
        found = with_hours(replace(found, lines=found.lines or lines), hours)
    if days and not found.days:
        found = replace(found, days=days, lines=found.lines or lines)
    zone = zone_in(text)
    return replace(found, timezone=found.timezone or zone, lines=found.lines or (lines if zone else ""))


def _untimed(text: str) -> str:
    found = read_cadence(text)
    return words_beside(text, found) if found is not None else text


def _line_asks(line: str) -> bool:
    if not line.strip() or is_template_line(line) or _MARKUP_LINE.match(line) or left_out_reason(line):
        return False
    text = plain_text(line.strip(" -*+>"))
    return not (says("nothing", text) and len(text) < _LONGEST_NONE)


_LONGEST_NONE: Final = 60


def lines_of(parts: Sequence[TimedPart]) -> Iterator[int]:
    """Yield the lines of tasks."""
    for part in parts:
        yield from range(part.first, part.last + 1)
