"""Reads the cadences of one Markdown file, segment by segment."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.cadence_subject import adverb_name, subject_of
from melleafy_tui.core.dialects.openclaw.cadences_of_line import (
    REPEATS,
    TIME_FIELD,
    cadences_in,
    is_description,
    parts_of,
    time_in_row,
)
from melleafy_tui.core.dialects.openclaw.file_outline import FileOutline, own_section
from melleafy_tui.core.dialects.openclaw.in_force import Aside, aside_in, is_switched_off
from melleafy_tui.core.dialects.openclaw.job_lists import is_list_of_jobs
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.surrounding_times import (
    SurroundingTimes,
    announced_zone,
    lines_of,
    with_days_above,
    with_days_last,
)
from melleafy_tui.core.dialects.openclaw.task_names import TaskNames, name_in_row, without_marks
from melleafy_tui.core.dialects.openclaw.wake_words import (
    GENERAL,
    NO_TASKS,
    REGISTER,
    is_about_waking_only,
    is_condition,
    speaks_of_waking,
)
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment

_READ: Final = ("heading", "lead_in", "paragraph", "item", "table_row")
_MARKUP_LINE: Final = LazyRegex(r"\s*(?:```|~~~|#|<!--)")
_NAME_FIELD: Final = LazyRegex(
    r"^\s*(?:-\s+)?[\"']?(?:name|id|task|title)[\"']?\s*[:：]\s*(?P<value>\S.*)$", re.IGNORECASE
)
_CODE: Final = (
    "bash",
    "sh",
    "shell",
    "zsh",
    "console",
    "powershell",
    "python",
    "py",
    "javascript",
    "js",
    "typescript",
    "ts",
)
"""Languages of fences in which only a cron line is a schedule."""
_BRANCH: Final = LazyRegex(
    r"\s*(?:if|elif|else|elseif|else if)\b[^\n]{0,200}[:{]\s*$|\s*(?:如果|若|否则|否則|もし)[^\n]{0,200}[:：]\s*$",
    re.IGNORECASE,
)
"""A branch of pseudo-code, whose lines say what is done then and not when the agent is woken."""
_IN_FENCE_NO_TIME: Final = LazyRegex(r"\s*(?:[\u2500-\u259f|]|#)")
"""A line of a drawn box, a heading of a template, or a comment."""
_CRON_REMARK: Final = LazyRegex(
    r"<!--\s*(?:cron|schedule)\s*:\s*(?P<line>[-\d*,/ ]{9,60}?)\s*-->", re.IGNORECASE
)


class DeclaredTime(Struct, frozen=True):
    """One declared cadence with its place.

    Attributes:
        schedule: The cadence.
        title: The task's name, `""` for the agent's own wake-up.
        bare: Whether the line says nothing beyond the cadence and that the agent wakes.
        section: The section whose items belong to the task, for a task that a heading or lead-in names.
    """

    schedule: Schedule
    title: str = ""
    bare: bool = False
    section: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        """Return the first line of the declaration."""
        return self.schedule.first_line


class FileTimes(Struct, frozen=True):
    """What one file says about time.

    Attributes:
        declared: Its cadences.
        constraints: The days, zone and window that hold for the wake-up as a whole.
        content: The first line that asks for something, 0 if none does.
        untimed: The first item that asks for something and belongs to no task with a cadence, 0 if none does.
        waking: Whether it speaks of the heartbeat below its title.
        aside: What it only speaks of: offers, what is switched off, examples.
        off: Whether it switches the heartbeat off.
    """

    declared: tuple[DeclaredTime, ...] = ()
    constraints: Schedule = Schedule()
    content: int = 0
    untimed: int = 0
    waking: bool = False
    aside: Aside = Aside()
    off: bool = False


class CadenceReader:
    """Reads the segments of one file in order, with what the lines above said about its times."""

    def __init__(self, file: SourceFile, segments: Sequence[Segment]) -> None:
        self._file = file
        self._outline = FileOutline(file.path, segments)
        self._aside = aside_in(segments)
        self._surrounding = SurroundingTimes(self._outline, self._aside)
        self._names = TaskNames(self._outline, self._surrounding)

    def read(self) -> FileTimes:
        """Return what the file says about time."""
        segments = self._outline.segments
        if not self._outline.is_heartbeat:
            return FileTimes(self._all_declared(), aside=self._aside)
        if is_switched_off(segments):
            return FileTimes(aside=self._aside, off=True)
        declared = self._all_declared()
        asking = [segment for segment in segments if self._asks(segment)]
        return FileTimes(
            declared,
            self._surrounding.constraints(),
            content=asking[0].first if asking else 0,
            untimed=next((segment.first for segment in asking if self._is_untimed(segment, declared)), 0),
            waking=any(
                speaks_of_waking(segment.text)
                for segment in segments
                if segment.first != self._outline.title_line
            ),
            aside=self._aside,
        )

    def _all_declared(self) -> tuple[DeclaredTime, ...]:
        """Return the cadences; a heading's that a line below it says more exactly gets that line's days and times."""
        declared = [
            found
            for segment in self._outline.segments
            for found in self._declared(segment)
            if not self._outline.is_in_log(segment) or REPEATS.search(found.schedule.cadence)
        ]
        return tuple(
            replace(found, schedule=replace(exact, lines=f"{found.line}-{exact.lines.rpartition('-')[2]}"))
            if (exact := self._names.exact_time(found.section)) is not None
            else found
            for found in declared
        )

    def _declared(self, segment: Segment) -> Iterator[DeclaredTime]:
        if segment.first in self._aside or is_description(segment, self._outline):
            return
        if self._outline.is_memory and not is_list_of_jobs(segment):
            return
        if self._says_none(segment):
            return
        if segment.kind == "fence":
            yield from self._fence(segment)
        elif segment.kind == "comment":
            yield from self._cron_remark(segment)
        elif segment.kind == "table_row":
            yield from self._row(segment)
        elif segment.kind == "item" and any(map(TIME_FIELD.match, segment.lines[1:])):
            yield from self._fields(segment)
        elif segment.kind in ("item", "paragraph") and self._names.adds_times(segment):
            return
        elif segment.kind in _READ:
            title_of = self._names.title_of_heading if segment.kind == "heading" else self._names.title_of
            for part in parts_of(segment, self._outline):
                for found in cadences_in(part, segment, self._outline):
                    title = title_of(part, found)
                    if title is not None:
                        yield self._placed(found, part, title)

    def _says_none(self, segment: Segment) -> bool:
        """Return whether a line names no task: there are none, it is a condition, or a heading that sums up others."""
        if segment.kind == "item":
            conditions = is_condition(segment.lead_in) and not speaks_of_waking(segment.lead_in)
            return self._outline.is_heartbeat and conditions
        if segment.kind == "heading":
            return self._outline.is_empty(segment) or self._outline.sums_up(segment)
        return segment.kind == "paragraph" and bool(NO_TASKS.match(plain_text(segment.text)))

    def _cron_remark(self, segment: Segment) -> Iterator[DeclaredTime]:
        """Read the cron line of a task in a comment below its heading: `<!-- cron: 0 9 * * 1 -->`."""
        remark = _CRON_REMARK.fullmatch(segment.text.strip()) if self._outline.is_heartbeat else None
        found = read_cadence(remark["line"]) if remark else None
        if found is not None and found.cron:
            title = self._names.title_of_remark(segment, found)
            if title is not None:
                yield self._placed(found, segment, title)

    def _row(self, segment: Segment) -> Iterator[DeclaredTime]:
        row = time_in_row(segment, self._outline)
        if row is None:
            return
        about = name_in_row(segment, row)
        own = speaks_of_waking(about) and is_about_waking_only(about)
        yield self._placed(
            row.schedule,
            segment,
            "" if own else shorten(about) or self._outline.task_heading(segment.section),
        )

    def _fields(self, segment: Segment) -> Iterator[DeclaredTime]:
        """Read an entry of a `tasks:` block."""
        name = ""
        for number in range(segment.first, segment.last + 1):
            line = self._file.lines[number - 1]
            named, timed = _NAME_FIELD.match(line), TIME_FIELD.match(line)
            name = named["value"].strip("\"' ") if named else name
            found = read_cadence(timed["value"].strip("\"' ")) if timed else None
            if found is not None:
                yield self._placed(found, segment, name or shorten(plain_text(segment.text)), number)

    def _fence(self, segment: Segment) -> Iterator[DeclaredTime]:
        branches = any(map(_BRANCH.match, segment.lines))
        said: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        for number in range(segment.first, segment.last + 1) if self._outline.is_heartbeat else ():
            line = self._file.lines[number - 1]
            if (
                is_template_line(line)
                or _IN_FENCE_NO_TIME.match(line)
                or (branches and not TIME_FIELD.match(line))
            ):
                continue
            found = _cadence_of_line(line)
            if found is None or (segment.info.lower() in _CODE and "*" not in found.cadence):
                continue
            if found.times and (found.times, found.days) == said:
                continue  # a field below the line that says the same, and what is done
            said = found.times, found.days
            yield self._placed(found, segment, self._title_in_fence(segment, number, found), number)

    def _title_in_fence(self, segment: Segment, number: int, found: Schedule) -> str:
        """Return the task of a line in a code block: the comment above a cron line, a field, or what the line says."""
        line, before = self._file.lines[number - 1], self._file.lines[number - 2].strip()
        if found.cron and before.startswith("#") and number - 1 > segment.first:
            comment = before.lstrip("# ")
            said = read_cadence(comment)
            return shorten(without_marks(subject_of(comment, said).words if said else comment)) or "task"
        heading = self._outline.task_heading(segment.section)
        if TIME_FIELD.match(line):
            fields = map(_NAME_FIELD.match, self._file.lines[segment.first - 1 : number])
            named = [field["value"].strip("\"' ,") for field in fields if field]
            return shorten(named[-1] if named else without_marks(heading))
        about = subject_of(line, found)
        if about.is_waking and not about.more and not heading:
            return ""
        name = adverb_name(plain_text(line), found.cadence) or without_marks(about.more or about.words)
        return shorten(name or heading) or "task"

    def _placed(self, found: Schedule, segment: Segment, title: str, line: int = 0) -> DeclaredTime:
        """Return a cadence with its place, and with zone, days and window from the lines around it."""
        lines = lines_of(line, line) if line else lines_of(segment.first, segment.last)
        found = replace(found, file=self._file.path, lines=lines)
        section = own_section(segment)
        if not found.timezone:
            found = replace(found, timezone=announced_zone(segment))
        if title:
            found = self._surrounding.with_times_around(found, section)
        text = plain_text(segment.text)
        found = with_days_above(with_days_last(found, text), section)
        about = subject_of(text, found)
        bare = segment.kind != "fence" and not about.more and about.is_waking
        return DeclaredTime(
            found, title, bare, self._section_of_task(segment, title, text) if not line else ()
        )

    def _section_of_task(self, segment: Segment, title: str, text: str) -> tuple[str, ...]:
        """Return the section whose items belong to a task: below its heading, or around `Schedule: …`."""
        heading = self._outline.task_heading(segment.section)
        if title and heading and title == without_marks(heading) and segment.kind != "heading":
            return segment.section
        if title and text.endswith((":", "：")) and self._outline.leads_to_headings(segment):
            return segment.section
        return (*segment.section, text.rstrip(":：")) if title else ()

    def _asks(self, segment: Segment) -> bool:
        """Return whether a segment of HEARTBEAT.md asks for anything: no heading, comment or `No tasks configured`."""
        asks = segment.kind in ("item", "paragraph", "table_row", "lead_in", "fence")
        if not asks or segment.first in self._aside:
            return False
        event = read_cadence(segment.text)
        if event is not None and event.type == "event":
            return False
        return any(map(_line_asks, self._file.lines[segment.first - 1 : segment.last]))

    def _is_untimed(self, segment: Segment, declared: Sequence[DeclaredTime]) -> bool:
        """Return whether an item orders something at no time of its own, and isn't a note or part of a task."""
        headings = segment.section[1:] if segment.section[:1] == (self._outline.title,) else segment.section
        if segment.kind != "item" or any(
            REGISTER.search(each) or GENERAL.fullmatch(each) for each in headings
        ):
            return False
        if is_condition(segment.text) or polarity_of(segment.text) is Polarity.FORBIDS:
            return False
        if self._is_about_only_task(declared):
            return False
        around = {(*segment.section, each) for each in segment.context}
        around |= {segment.section[:depth] for depth in range(1, len(segment.section) + 1)}
        return not any(
            segment.first <= each.line <= segment.last or each.section in around for each in declared
        )

    def _is_about_only_task(self, declared: Sequence[DeclaredTime]) -> bool:
        """Return whether the file is about one job, given below a heading such as `Schedule`."""
        times = {(each.schedule.seconds, each.schedule.cron, each.schedule.times) for each in declared}
        first = min((each.line for each in declared), default=0)
        timed = (each for each in self._outline.segments if each.first <= first <= each.last)
        return len(times) == 1 and any(map(REGISTER.search, next(timed).section[-1:]))


def _line_asks(line: str) -> bool:
    if not line.strip() or is_template_line(line) or _MARKUP_LINE.match(line) or left_out_reason(line):
        return False
    return not NO_TASKS.match(plain_text(line.strip(" -*+>")))


def _cadence_of_line(line: str) -> Schedule | None:
    """Return the cadence in a line of a code block: the value of a field such as `every: 30m`, else anywhere in it."""
    field = TIME_FIELD.match(line)
    value = re.sub(r"\s#.*$", "", field["value"]).strip("\"' ,") if field else line
    return read_cadence(value)
