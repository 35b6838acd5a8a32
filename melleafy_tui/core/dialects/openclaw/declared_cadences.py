"""Finds what a workspace's Markdown says about time: the agent's own wake-up, and tasks with a cadence of their own.

HEARTBEAT.md is read line by line. In SOUL.md, AGENTS.md and TOOLS.md only schedules count: lists of jobs, headings
with a time, lines about cron, and what they say about the heartbeat. Stock text and comments declare nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.wake_words import (
    ALL_TIMES,
    JOB,
    LABEL_FIRST,
    LABELLED,
    NO_TASKS,
    REGISTER,
    declares_hours,
    is_about_waking_only,
    speaks_of_waking,
)
from melleafy_tui.core.language.time.active_hours import (
    ActiveHours,
    active_hours_in,
    days_declared,
    quiet_hours_in,
)
from melleafy_tui.core.language.time.cadence import (
    read_cadence,
    read_cadences,
    read_limit,
    read_time_cell,
    readable_line,
    with_days,
    with_hours,
)
from melleafy_tui.core.language.time.clock import CLOCKS, DAY_SECONDS, days_in
from melleafy_tui.core.language.time.zones import zone_at, zone_in
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

HEARTBEAT_PATH: Final = "HEARTBEAT.md"
OTHER_PATHS: Final = ("SOUL.md", "AGENTS.md", "TOOLS.md")
"""Other files whose schedules count, in the order in which OpenClaw loads them."""

_READ: Final = ("heading", "lead_in", "paragraph", "item", "table_row")
_TIME_FIELD: Final = re.compile(
    r"^\s*(?:-\s+)?[\"']?(?:interval|every|cadence|schedule|cron|frequency|cooldown)[\"']?\s*[:：]\s*(?P<value>\S.*)$",
    re.IGNORECASE,
)
_NAME_FIELD: Final = re.compile(
    r"^\s*(?:-\s+)?[\"']?(?:name|id|task|title)[\"']?\s*[:：]\s*(?P<value>\S.*)$", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(r"[—–(（:：;；,，.。!]|\s-\s|→")
_CLOCKS_ONLY: Final = LazyRegex(CLOCKS, re.IGNORECASE)
_PATH_FIRST: Final = re.compile(r"\s*[\w~.-]*[/\\]")
_DESCRIBES: Final = LazyRegex(r"\bautomatic(?:ally)?\b", re.IGNORECASE)
_JOB_TIMES: Final = re.compile(r"^(?:[\s*]*(?:\d\d-\d\d|:\d\d(?:/:\d\d)*|\d{1,2}:\d\d))+\s*")
_ADVERB_FIRST: Final = re.compile(r"(?:hour|dai|night|week|month|quarter)ly\b", re.IGNORECASE)


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
        return int(self.schedule.lines.partition("-")[0])


class Standing(Struct, frozen=True):
    """What a line says about the times in its section: a zone, days, a window, but no cadence."""

    section: tuple[str, ...]
    zone: str
    days: tuple[str, ...]
    hours: ActiveHours | None
    waking: bool
    lines: str


class FileTimes(Struct, frozen=True):
    """What one file says about time.

    Attributes:
        declared: Its cadences.
        constraints: The days, zone and window that hold for the wake-up as a whole.
        content: The first line that asks for something, 0 if none does.
        waking: Whether it speaks of the heartbeat below its title.
    """

    declared: tuple[DeclaredTime, ...] = ()
    constraints: Schedule = Schedule()
    content: int = 0
    waking: bool = False


def times_of(snapshot: Snapshot, path: str) -> FileTimes:
    """Return what one of the workspace's files says about time."""
    file = snapshot.file(path)
    return _in_file(file) if file is not None and file.text else FileTimes()


def declared_times(snapshot: Snapshot) -> tuple[DeclaredTime, ...]:
    """Return every declared cadence of the workspace's Markdown, HEARTBEAT.md first."""
    return tuple(
        found for path in (HEARTBEAT_PATH, *OTHER_PATHS) for found in times_of(snapshot, path).declared
    )


def declared_in(file: SourceFile, first: int, last: int) -> tuple[DeclaredTime, ...]:
    """Return the cadences that some lines of a file declare."""
    return tuple(found for found in _in_file(file).declared if first <= found.line <= last)


def task_above(file: SourceFile, segment: Segment) -> DeclaredTime | None:
    """Return the task with a cadence that a segment's lead-in or headings name, or None."""
    places = [(*segment.section, plain_text(segment.lead_in))] if segment.lead_in else []
    places += [segment.section[:depth] for depth in range(len(segment.section), 0, -1)]
    named = {found.section: found for found in _in_file(file).declared if found.section and found.title}
    return next((named[place] for place in places if place in named), None)


def cadence_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return a finding for each cadence of HEARTBEAT.md that was kept verbatim."""
    return tuple(
        diagnose(
            "cadence-not-understood", HEARTBEAT_PATH, found.schedule.lines, cadence=found.schedule.cadence
        )
        for found in times_of(snapshot, HEARTBEAT_PATH).declared
        if found.schedule.type == "words" and not found.schedule.seconds
    )


@lru_cache(maxsize=32)
def _in_file(file: SourceFile) -> FileTimes:
    segments = [
        segment
        for segment in cut_segments(file)
        if not all(is_template_line(file.lines[line - 1]) for line in range(segment.first, segment.last + 1))
    ]
    return _FileReader(file, segments).read()


class _FileReader:
    """Reads the segments of one file in order, with what the lines above said about its times."""

    def __init__(self, file: SourceFile, segments: Sequence[Segment]) -> None:
        self._file = file
        self._pieces = segments
        self._is_heartbeat = file.path == HEARTBEAT_PATH
        headings = [segment for segment in segments if segment.kind == "heading"]
        first = headings[0] if headings else None
        self._title = plain_text(first.text) if first is not None and first.level == 1 else ""
        self._title_line = first.first if self._title and first is not None else 0
        self._standing: list[Standing] = []
        self._groups = sum(self._is_group(segment) for segment in segments)
        self._timed_sections: dict[tuple[str, ...], Schedule] = {}

    def read(self) -> FileTimes:
        for segment in self._pieces:
            self._stand(segment)
        declared = [found for segment in self._pieces for found in self._declared(segment)]
        content, waking = 0, False
        if self._is_heartbeat:
            asking = [segment for segment in self._pieces if self._asks(segment)]
            content = asking[0].first if asking else 0
            waking = any(
                speaks_of_waking(segment.text)
                for segment in self._pieces
                if segment.first != self._title_line
            )
        return FileTimes(tuple(declared), self._constraints(), content, waking)

    # --- what the lines around say ---

    def _stand(self, segment: Segment) -> None:
        """Remember a line that gives zone, days or hours for its section."""
        if segment.kind not in _READ or segment.kind == "table_row":
            return
        text = plain_text(segment.text)
        hours = (
            (active_hours_in(text) or quiet_hours_in(text)) if self._declares_hours(segment, text) else None
        )
        waking = speaks_of_waking(text)
        days = days_declared(text) if waking or ALL_TIMES.search(text) or hours is not None else ()
        zone = (
            zone_in(text)
            if waking or days or hours is not None or ALL_TIMES.search(text) or segment.kind == "heading"
            else ""
        )
        if not (hours or days or zone):
            return
        section = (*segment.section, text) if segment.kind == "heading" else segment.section
        lines = _lines(segment.first, segment.last)
        self._standing.append(Standing(section, zone, days, hours, waking, lines))

    def _declares_hours(self, segment: Segment, text: str) -> bool:
        if declares_hours(text):
            return True
        return bool(segment.section) and declares_hours(segment.section[-1]) and segment.kind != "item"

    def _constraints(self) -> Schedule:
        """Return the days, zone and window that hold for the wake-up as a whole."""
        found = Schedule()
        for standing in self._standing if self._is_heartbeat else ():
            if not standing.waking and not (standing.hours and self._holds_for_all(standing)):
                continue
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

    def _holds_for_all(self, standing: Standing) -> bool:
        below = [heading for heading in standing.section if heading != self._title]
        return all(declares_hours(each) or self._is_wakeish(each) for each in below)

    def _is_wakeish(self, heading: str) -> bool:
        return speaks_of_waking(heading) or is_about_waking_only(heading)

    def _task_heading(self, section: Sequence[str]) -> str:
        """Return the innermost heading that names a task or subject, or `""`."""
        named = (each for each in reversed(section) if each != self._title and not self._is_wakeish(each))
        return next(named, "")

    def _is_group(self, segment: Segment) -> bool:
        """Return whether a segment is a heading or lead-in that has only a cadence, such as `Every 30 minutes:`."""
        if segment.kind not in ("heading", "lead_in") or speaks_of_waking(segment.text):
            return False
        found = read_cadence(segment.text)
        return (
            found is not None
            and found.type != "event"
            and is_about_waking_only(_head(segment.text, found)[0])
        )

    # --- cadences ---

    def _declared(self, segment: Segment) -> Iterator[DeclaredTime]:
        if segment.kind == "fence":
            yield from self._fence(segment)
        elif segment.kind == "table_row":
            yield from self._row(segment)
        elif segment.kind == "item" and any(map(_TIME_FIELD.match, segment.lines[1:])):
            yield from self._fields(segment)
        elif segment.kind in _READ:
            for found in self._found(segment):
                title = self._title_of(segment, found)
                if title is not None:
                    yield self._placed(found, segment, title)

    def _found(self, segment: Segment) -> tuple[Schedule, ...]:
        """Return the cadences of a segment, as far as its file and place make them schedules."""
        text = plain_text(segment.text)
        field = _TIME_FIELD.match(text) if self._is_heartbeat and segment.kind == "item" else None
        if field is not None and (labelled := read_cadence(field["value"])) is not None:
            return (labelled,)
        register = self._in_register(segment)
        expected = register or (segment.kind == "heading" and "(" in text.replace("（", "("))
        expected = expected or (self._is_heartbeat and bool(LABELLED.match(text)))
        label, separator, rest = text.partition(": ")
        if segment.kind in ("paragraph", "item") and separator and re.search(r"[(（][^)）]*\d", label):
            expected, text = True, label if read_cadence(rest) is None else text
        if not self._is_heartbeat and not (expected or self._is_schedule(text)):
            return ()
        found = read_cadences(text, expected=expected, dated=bool(JOB.search(text)))
        if not self._is_heartbeat:
            found = tuple(
                each
                for each in found
                if each.type != "event" and (each.type != "words" or each.seconds or each.days)
            )
        if not found and segment.kind in ("heading", "item") and (limit := read_limit(text)) is not None:
            return (limit,)
        return found

    def _is_schedule(self, text: str) -> bool:
        """Return whether a line outside HEARTBEAT.md is about a scheduled job or the heartbeat."""
        if _DESCRIBES.search(text):
            return False
        labelled = LABEL_FIRST.match(text)
        if JOB.search(text) or (labelled and not _PATH_FIRST.match(text[labelled.end() :])):
            return True
        found = read_cadence(text)
        if found is None:
            return False
        if speaks_of_waking(text):
            return is_about_waking_only(_head(text, found)[0])
        return self._file.path == "TOOLS.md" and bool(found.times or found.active_start)

    def _in_register(self, segment: Segment) -> bool:
        if segment.kind != "item":
            return False
        above = (*segment.section[-2:], segment.lead_in)
        return any(REGISTER.search(heading) for heading in above if heading and heading != self._title)

    def _title_of(self, segment: Segment, found: Schedule) -> str | None:
        """Return the task that a cadence belongs to, `""` for the agent's own wake-up, None if it says nothing new."""
        text = plain_text(segment.text)
        head, starts, more = _head(text, found)
        own = is_about_waking_only(head)
        subject = self._task_heading(segment.section)
        if segment.kind == "heading":
            return self._title_of_heading(segment, found, head, own=own)
        if own and speaks_of_waking(head):
            return ""
        if subject and (own or head.rstrip("* ").endswith((":", "："))) and not (starts and more):
            return None if segment.section in self._timed_sections else subject
        if self._is_heartbeat and not subject and self._groups < 2:
            if own and not more:
                return ""
            if segment.kind in ("paragraph", "lead_in") and starts:
                return ""
        if starts and segment.kind != "item" and segment.section in self._timed_sections:
            return None
        return shorten(_without_marks(more if own else head)) or subject or shorten(text)

    def _title_of_heading(self, segment: Segment, found: Schedule, head: str, *, own: bool) -> str:
        section = (*segment.section, plain_text(segment.text))
        is_title = segment.first == self._title_line
        often = found.times or (found.seconds or DAY_SECONDS) < DAY_SECONDS
        if own and (
            speaks_of_waking(head) or (self._is_heartbeat and often and (is_title or self._groups < 2))
        ):
            return ""
        if is_title and self._is_heartbeat and not _ADVERB_FIRST.match(found.cadence):
            return ""
        self._timed_sections[section] = found
        return shorten(_without_marks(plain_text(segment.text) if own else head))

    def _row(self, segment: Segment) -> Iterator[DeclaredTime]:
        if not self._is_heartbeat and not self._is_time_table(segment):
            return
        for column, cell in enumerate(segment.cells):
            header = segment.header[column] if column < len(segment.header) else ""
            found = read_time_cell(cell, header)
            if found is None:
                continue
            others = [plain_text(each) for place, each in enumerate(segment.cells) if place != column]
            about = next((each for each in others if each.strip()), "")
            own = speaks_of_waking(about) and is_about_waking_only(about)
            yield self._placed(
                found, segment, "" if own else shorten(about) or self._task_heading(segment.section)
            )
            return

    def _is_time_table(self, segment: Segment) -> bool:
        return any(REGISTER.search(heading) for heading in (*segment.section[-2:], *segment.header))

    def _fields(self, segment: Segment) -> Iterator[DeclaredTime]:
        """Read an entry of a `tasks:` block."""
        name = ""
        for number in range(segment.first, segment.last + 1):
            line = self._file.lines[number - 1]
            named, timed = _NAME_FIELD.match(line), _TIME_FIELD.match(line)
            name = named["value"].strip("\"' ") if named else name
            found = read_cadence(timed["value"].strip("\"' ")) if timed else None
            if found is not None:
                yield self._placed(found, segment, name or shorten(plain_text(segment.text)), number)

    def _fence(self, segment: Segment) -> Iterator[DeclaredTime]:
        for number in range(segment.first, segment.last + 1) if self._is_heartbeat else ():
            line = self._file.lines[number - 1]
            if is_template_line(line):
                continue
            field = _TIME_FIELD.match(line)
            found = read_cadence(field["value"].strip("\"' ")) if field else read_cadence(line)
            if found is None:
                continue
            head, _, more = _head(line, found)
            own = is_about_waking_only(head) and not more and not self._task_heading(segment.section)
            yield self._placed(
                found, segment, "" if own else shorten(_without_marks(more or head)) or "task", number
            )

    def _placed(self, found: Schedule, segment: Segment, title: str, line: int = 0) -> DeclaredTime:
        """Return a cadence with its place, and with zone, days and window from the lines around it."""
        lines = _lines(line, line) if line else _lines(segment.first, segment.last)
        found = replace(found, file=self._file.path, lines=lines)
        section = (
            (*segment.section, plain_text(segment.text)) if segment.kind == "heading" else segment.section
        )
        if not found.timezone:
            header = next((zone for cell in segment.header if (zone := zone_in(f"({cell})"))), "")
            found = replace(
                found, timezone=header or zone_in(f"({segment.lead_in})") if segment.lead_in or header else ""
            )
        around = [standing for standing in reversed(self._standing) if title and not standing.waking]
        for standing in sorted(around, key=lambda each: bool(each.hours and each.hours.quiet)):
            same = standing.section == section
            if same or (standing.hours is None and standing.section == section[: len(standing.section)]):
                found = _with_standing(found, standing, same=same)
        if (
            found.times
            and not found.days
            and (found.type == "words" or _CLOCKS_ONLY.fullmatch(found.cadence))
        ):
            days = next((named for heading in reversed(section) if (named := days_in(heading))), ())
            found = with_days(found, days)
        text = plain_text(segment.text)
        names_section = bool(title) and segment.kind in ("heading", "lead_in") and not line
        head, _, more = _head(text, found)
        bare = segment.kind != "fence" and not more and is_about_waking_only(head)
        return DeclaredTime(found, title, bare, (*segment.section, text) if names_section else ())

    def _asks(self, segment: Segment) -> bool:
        """Return whether a segment of HEARTBEAT.md asks for anything: no heading, comment or `No tasks configured`."""
        if segment.kind not in ("item", "paragraph", "table_row", "lead_in", "fence"):
            return False
        lines = [
            line
            for number in range(segment.first, segment.last + 1)
            if (line := self._file.lines[number - 1]).strip() and not is_template_line(line)
        ]
        words = [
            line for line in lines if not re.match(r"\s*(?:```|~~~|#|<!--)", line) and not runtime_only(line)
        ]
        event = read_cadence(segment.text)
        if event is not None and event.type == "event":
            return False
        return any(not NO_TASKS.match(plain_text(line.strip(" -*+>"))) for line in words)


def _with_standing(found: Schedule, standing: Standing, *, same: bool) -> Schedule:
    if standing.hours is not None and same and not found.active_hours and not found.times:
        found = with_hours(found, standing.hours)
    found = with_days(found, standing.days) if same or standing.days else found
    return replace(found, timezone=found.timezone or standing.zone)


def _head(text: str, found: Schedule) -> tuple[str, bool, str]:
    """Return what a cadence is about, whether the text starts with the cadence, and what it says beyond both.

    The subject is before the cadence; if there is nothing but filler, it is the clause directly after.
    """
    text = readable_line(text)
    zone = zone_at(text)
    if zone is not None and text[zone.start : zone.end] not in found.cadence:
        text = f"{text[: zone.start]} {text[zone.end :]}"
    before, _, after = text.partition(found.cadence) if found.cadence in text else (text, "", "")
    starts = not re.search(r"[^\W\d_]", before)
    before = re.sub(r"[(（][^)）]*$", "", before)
    if not is_about_waking_only(before):
        return before.strip(), starts, ""
    end = _CLAUSE_END.search(after)
    clause = after[: end.start()] if end else after
    rest = after[end.end() :] if end else ""
    head = f"{before} {clause}".strip()
    more = rest.strip(" .。)）")
    return head, starts, "" if is_about_waking_only(more) else more


def _without_marks(text: str) -> str:
    return re.sub(r"\s+", " ", _JOB_TIMES.sub("", text)).strip(" \t-–—:：,，;(（|#*.")


def _lines(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
