"""Finds what a workspace's Markdown says about time: the agent's own wake-up, and tasks with a cadence of their own.

HEARTBEAT.md is read line by line. In SOUL.md, AGENTS.md and TOOLS.md only schedules count: lists of jobs, headings
with a time, lines about cron, and what they say about the heartbeat. Stock text and comments declare nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from msgspec import Struct

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
from melleafy_tui.core.source.segments import Piece, cut_pieces

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


def task_above(file: SourceFile, piece: Piece) -> DeclaredTime | None:
    """Return the task with a cadence that a piece's lead-in or headings name, or None."""
    places = [(*piece.section, plain_text(piece.lead_in))] if piece.lead_in else []
    places += [piece.section[:depth] for depth in range(len(piece.section), 0, -1)]
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
    pieces = [
        piece
        for piece in cut_pieces(file)
        if not all(is_template_line(file.lines[line - 1]) for line in range(piece.first, piece.last + 1))
    ]
    return _FileReader(file, pieces).read()


class _FileReader:
    """Reads the pieces of one file in order, with what the lines above said about its times."""

    def __init__(self, file: SourceFile, pieces: Sequence[Piece]) -> None:
        self._file = file
        self._pieces = pieces
        self._is_heartbeat = file.path == HEARTBEAT_PATH
        headings = [piece for piece in pieces if piece.kind == "heading"]
        first = headings[0] if headings else None
        self._title = plain_text(first.text) if first is not None and first.level == 1 else ""
        self._title_line = first.first if self._title and first is not None else 0
        self._standing: list[Standing] = []
        self._groups = sum(self._is_group(piece) for piece in pieces)
        self._timed_sections: dict[tuple[str, ...], Schedule] = {}

    def read(self) -> FileTimes:
        for piece in self._pieces:
            self._stand(piece)
        declared = [found for piece in self._pieces for found in self._declared(piece)]
        content, waking = 0, False
        if self._is_heartbeat:
            asking = [piece for piece in self._pieces if self._asks(piece)]
            content = asking[0].first if asking else 0
            waking = any(
                speaks_of_waking(piece.text) for piece in self._pieces if piece.first != self._title_line
            )
        return FileTimes(tuple(declared), self._constraints(), content, waking)

    # --- what the lines around say ---

    def _stand(self, piece: Piece) -> None:
        """Remember a line that gives zone, days or hours for its section."""
        if piece.kind not in _READ or piece.kind == "table_row":
            return
        text = plain_text(piece.text)
        hours = (active_hours_in(text) or quiet_hours_in(text)) if self._declares_hours(piece, text) else None
        waking = speaks_of_waking(text)
        days = days_declared(text) if waking or ALL_TIMES.search(text) or hours is not None else ()
        zone = (
            zone_in(text)
            if waking or days or hours is not None or ALL_TIMES.search(text) or piece.kind == "heading"
            else ""
        )
        if not (hours or days or zone):
            return
        section = (*piece.section, text) if piece.kind == "heading" else piece.section
        lines = _lines(piece.first, piece.last)
        self._standing.append(Standing(section, zone, days, hours, waking, lines))

    def _declares_hours(self, piece: Piece, text: str) -> bool:
        if declares_hours(text):
            return True
        return bool(piece.section) and declares_hours(piece.section[-1]) and piece.kind != "item"

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

    def _is_group(self, piece: Piece) -> bool:
        """Return whether a piece is a heading or lead-in that has only a cadence, such as `Every 30 minutes:`."""
        if piece.kind not in ("heading", "lead_in") or speaks_of_waking(piece.text):
            return False
        found = read_cadence(piece.text)
        return (
            found is not None and found.type != "event" and is_about_waking_only(_head(piece.text, found)[0])
        )

    # --- cadences ---

    def _declared(self, piece: Piece) -> Iterator[DeclaredTime]:
        if piece.kind == "fence":
            yield from self._fence(piece)
        elif piece.kind == "table_row":
            yield from self._row(piece)
        elif piece.kind == "item" and any(map(_TIME_FIELD.match, piece.lines[1:])):
            yield from self._fields(piece)
        elif piece.kind in _READ:
            for found in self._found(piece):
                title = self._title_of(piece, found)
                if title is not None:
                    yield self._placed(found, piece, title)

    def _found(self, piece: Piece) -> tuple[Schedule, ...]:
        """Return the cadences of a piece, as far as its file and place make them schedules."""
        text = plain_text(piece.text)
        field = _TIME_FIELD.match(text) if self._is_heartbeat and piece.kind == "item" else None
        if field is not None and (labelled := read_cadence(field["value"])) is not None:
            return (labelled,)
        register = self._in_register(piece)
        expected = register or (piece.kind == "heading" and "(" in text.replace("（", "("))
        expected = expected or (self._is_heartbeat and bool(LABELLED.match(text)))
        label, separator, rest = text.partition(": ")
        if piece.kind in ("paragraph", "item") and separator and re.search(r"[(（][^)）]*\d", label):
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
        if not found and piece.kind in ("heading", "item") and (limit := read_limit(text)) is not None:
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

    def _in_register(self, piece: Piece) -> bool:
        if piece.kind != "item":
            return False
        above = (*piece.section[-2:], piece.lead_in)
        return any(REGISTER.search(heading) for heading in above if heading and heading != self._title)

    def _title_of(self, piece: Piece, found: Schedule) -> str | None:
        """Return the task that a cadence belongs to, `""` for the agent's own wake-up, None if it says nothing new."""
        text = plain_text(piece.text)
        head, starts, more = _head(text, found)
        own = is_about_waking_only(head)
        subject = self._task_heading(piece.section)
        if piece.kind == "heading":
            return self._title_of_heading(piece, found, head, own=own)
        if own and speaks_of_waking(head):
            return ""
        if subject and (own or head.rstrip("* ").endswith((":", "："))) and not (starts and more):
            return None if piece.section in self._timed_sections else subject
        if self._is_heartbeat and not subject and self._groups < 2:
            if own and not more:
                return ""
            if piece.kind in ("paragraph", "lead_in") and starts:
                return ""
        if starts and piece.kind != "item" and piece.section in self._timed_sections:
            return None
        return shorten(_without_marks(more if own else head)) or subject or shorten(text)

    def _title_of_heading(self, piece: Piece, found: Schedule, head: str, *, own: bool) -> str:
        section = (*piece.section, plain_text(piece.text))
        is_title = piece.first == self._title_line
        often = found.times or (found.seconds or DAY_SECONDS) < DAY_SECONDS
        if own and (
            speaks_of_waking(head) or (self._is_heartbeat and often and (is_title or self._groups < 2))
        ):
            return ""
        if is_title and self._is_heartbeat and not _ADVERB_FIRST.match(found.cadence):
            return ""
        self._timed_sections[section] = found
        return shorten(_without_marks(plain_text(piece.text) if own else head))

    def _row(self, piece: Piece) -> Iterator[DeclaredTime]:
        if not self._is_heartbeat and not self._is_time_table(piece):
            return
        for column, cell in enumerate(piece.cells):
            header = piece.header[column] if column < len(piece.header) else ""
            found = read_time_cell(cell, header)
            if found is None:
                continue
            others = [plain_text(each) for place, each in enumerate(piece.cells) if place != column]
            about = next((each for each in others if each.strip()), "")
            own = speaks_of_waking(about) and is_about_waking_only(about)
            yield self._placed(
                found, piece, "" if own else shorten(about) or self._task_heading(piece.section)
            )
            return

    def _is_time_table(self, piece: Piece) -> bool:
        return any(REGISTER.search(heading) for heading in (*piece.section[-2:], *piece.header))

    def _fields(self, piece: Piece) -> Iterator[DeclaredTime]:
        """Read an entry of a `tasks:` block."""
        name = ""
        for number in range(piece.first, piece.last + 1):
            line = self._file.lines[number - 1]
            named, timed = _NAME_FIELD.match(line), _TIME_FIELD.match(line)
            name = named["value"].strip("\"' ") if named else name
            found = read_cadence(timed["value"].strip("\"' ")) if timed else None
            if found is not None:
                yield self._placed(found, piece, name or shorten(plain_text(piece.text)), number)

    def _fence(self, piece: Piece) -> Iterator[DeclaredTime]:
        for number in range(piece.first, piece.last + 1) if self._is_heartbeat else ():
            line = self._file.lines[number - 1]
            if is_template_line(line):
                continue
            field = _TIME_FIELD.match(line)
            found = read_cadence(field["value"].strip("\"' ")) if field else read_cadence(line)
            if found is None:
                continue
            head, _, more = _head(line, found)
            own = is_about_waking_only(head) and not more and not self._task_heading(piece.section)
            yield self._placed(
                found, piece, "" if own else shorten(_without_marks(more or head)) or "task", number
            )

    def _placed(self, found: Schedule, piece: Piece, title: str, line: int = 0) -> DeclaredTime:
        """Return a cadence with its place, and with zone, days and window from the lines around it."""
        lines = _lines(line, line) if line else _lines(piece.first, piece.last)
        found = replace(found, file=self._file.path, lines=lines)
        section = (*piece.section, plain_text(piece.text)) if piece.kind == "heading" else piece.section
        if not found.timezone:
            header = next((zone for cell in piece.header if (zone := zone_in(f"({cell})"))), "")
            found = replace(
                found, timezone=header or zone_in(f"({piece.lead_in})") if piece.lead_in or header else ""
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
        text = plain_text(piece.text)
        names_section = bool(title) and piece.kind in ("heading", "lead_in") and not line
        head, _, more = _head(text, found)
        bare = piece.kind != "fence" and not more and is_about_waking_only(head)
        return DeclaredTime(found, title, bare, (*piece.section, text) if names_section else ())

    def _asks(self, piece: Piece) -> bool:
        """Return whether a piece of HEARTBEAT.md asks for anything: no heading, comment or `No tasks configured`."""
        if piece.kind not in ("item", "paragraph", "table_row", "lead_in", "fence"):
            return False
        lines = [
            line
            for number in range(piece.first, piece.last + 1)
            if (line := self._file.lines[number - 1]).strip() and not is_template_line(line)
        ]
        words = [
            line for line in lines if not re.match(r"\s*(?:```|~~~|#|<!--)", line) and not runtime_only(line)
        ]
        event = read_cadence(piece.text)
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
