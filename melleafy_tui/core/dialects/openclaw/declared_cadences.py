"""Finds what a workspace's Markdown says about time: the agent's own wake-up, and tasks with a cadence of their own.

HEARTBEAT.md is read line by line. In SOUL.md, AGENTS.md and TOOLS.md only schedules count: lists of jobs, headings
with a time, lines about cron, and what they say about the heartbeat; in MEMORY.md only the list of jobs, and only if
nothing else lists any. Stock text and comments declare nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.cadence_subject import (
    CadenceSubject,
    adverb_name,
    clause_of_cadence,
    short_name,
    subject_of,
    task_title,
)
from melleafy_tui.core.dialects.openclaw.configuration import jobs_of
from melleafy_tui.core.dialects.openclaw.in_force import Aside, aside_in, is_switched_off
from melleafy_tui.core.dialects.openclaw.job_lists import (
    DATE,
    NAME_AND_TIME,
    is_list_of_jobs,
    job_in_list,
    jobs_in_paragraph,
    jobs_on_line,
)
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.wake_words import (
    ALL_TIMES,
    GENERAL,
    GOES_ON,
    JOB,
    LABEL_FIRST,
    NO_TASKS,
    REGISTER,
    SETTINGS,
    TIME_LABELLED,
    WAKE_UP_TIMES,
    WAKING_REMARK,
    declares_hours,
    is_about_waking_only,
    is_condition,
    is_reminder,
    speaks_of_waking,
)
from melleafy_tui.core.language.scripts import HAN
from melleafy_tui.core.language.time.active_hours import (
    ActiveHours,
    active_hours_in,
    days_declared,
    quiet_hours_in,
)
from melleafy_tui.core.language.time.cadence import (
    is_time_header,
    read_cadence,
    read_cadences,
    read_limit,
    read_time_cell,
    readable_line,
    with_days,
    with_hours,
)
from melleafy_tui.core.language.time.clock import CLOCKS, DAY_SECONDS, clocks_in, days_in
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

HEARTBEAT_PATH: Final = "HEARTBEAT.md"
MEMORY_PATH: Final = "MEMORY.md"
OTHER_PATHS: Final = ("SOUL.md", "AGENTS.md", "TOOLS.md")
"""Other files whose schedules count, in the order in which OpenClaw loads them."""

_READ: Final = ("heading", "lead_in", "paragraph", "item", "table_row")
_AROUND: Final = ("heading", "lead_in", "paragraph", "item")
"""The kinds of segments whose zone, days and hours hold for their section."""
_LIMITED: Final = ("heading", "lead_in", "item")
"""The kinds of segments in which a limit such as `at most once a day` is a task's cadence."""
_NUMBER_IN_BRACKETS: Final = LazyRegex(r"[(（][^(（)）\d]*\d")
_SPOKEN_OF: Final = LazyRegex(
    r"(?:this|that|it|these|those|they) (?:is|are|was|has|have|can|may|will)\b", re.IGNORECASE
)
"""Openings of a sentence about something else, whose time is no schedule."""
_BARS: Final = re.compile(r"\s\|\s")
_MARKUP_LINE: Final = LazyRegex(r"\s*(?:```|~~~|#|<!--)")
_TIME_FIELD: Final = LazyRegex(
    r"^\s*(?:-\s+)?[\"']?(?:interval|every|cadence|schedule|cron|frequency|cooldown)[\"']?\s*[:：]\s*(?P<value>\S.*)$",
    re.IGNORECASE,
)
_NAME_FIELD: Final = LazyRegex(
    r"^\s*(?:-\s+)?[\"']?(?:name|id|task|title)[\"']?\s*[:：]\s*(?P<value>\S.*)$", re.IGNORECASE
)
_CLOCKS_ONLY: Final = LazyRegex(CLOCKS, re.IGNORECASE)
_ONE_WORD: Final = re.compile(r"\W*[^\W\d_]{1,24}\s*[:：]\s*")
_ONE_CJK_WORD: Final = LazyRegex(r"\W*[\u3040-\u30ff\u3400-\u9fff]{1,3}\s*[:：]\s*")
_LABELLED: Final = re.compile(r"\W*[^:：\n]{1,24}[:：]\s*\S")
_ADVERB_LABEL: Final = re.compile(
    r"\W*(?:hour|dai|night|week|month|quarter)ly(?: [\w-]+){0,3}\W{0,3}[:：]\s", re.IGNORECASE
)
_DAILY_TIME_LABEL: Final = LazyRegex(
    r"^\W*[^\s:：]{1,12}(?:时间|時間|時刻)\s*[:：]\s*[每毎][天日晚早][^\n\d]{0,8}\d{1,2}[:：]\d\d(?!\d|\s*[-–—~至到])"
)
"""A label over a clock time of each day: `复盘时间：每日 23:00`; opening hours are none."""
_CODED_PATH: Final = re.compile(r"`[^`\n]*[/\\\\][^`\n]*`")
_PATH_FIRST: Final = LazyRegex(r"\s*[\w~.-]*[/\\]")
_DESCRIBES: Final = LazyRegex(
    r"\bautomatic(?:ally)?\b|\b(?:synced|mirrored|replicated|backed up|cloned)\b", re.IGNORECASE
)
_FAILED: Final = LazyRegex(
    r"\b(?:failed|broke|crashed|was (?:broken|failing|skipped)|did(?:n['’]t| not) (?:run|fire))\b"
    r"|而失败|而失敗|失败了|未执行|未執行",
    re.IGNORECASE,
)
"""A line about what went wrong with a job, which is no schedule of it."""
_BY_ITSELF: Final = LazyRegex(r"\W*auto-?\w+\W{0,4}:", re.IGNORECASE)
"""A label over what a service does by itself, unless a scheduler's job does it: `Auto-sync: daily`."""
_MADE: Final = LazyRegex(
    r"(?:生成|创建|創建|检查|檢查|查看|发送|發送|更新|整理|整合|记录|記錄|回顾|推送|输出|撰写|避免|[写读读看做的])\W{0,2}$"
)
"""What is done before a thing whose name begins with how often: `生成每日新闻`."""
_SAYING: Final = LazyRegex(r"[每毎][日天周週月]一[句词詞题題图圖诗詩]")
_ROTATES: Final = LazyRegex(r"\brotat(?:e|es|ing|ion)\b|轮换|輪換|轮流|輪流|ローテーション", re.IGNORECASE)
"""A list of which each wake-up takes a part, so that its cadence isn't the wake-up's."""
_PASSIVE: Final = LazyRegex(r"\b(?:is|are|gets?|will be) (?:\w+ly )?\w+ed\b", re.IGNORECASE)
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
_JOB_TIMES: Final = LazyRegex(r"^(?:[\s*]*(?:\d\d-\d\d|:\d\d(?:/:\d\d)*|\d{1,2}:\d\d))+\s*")
_REPEATS: Final = LazyRegex(
    r"every|each|daily|hourly|nightly|(?:week|month)ly|\*|[每毎]|ごと|おき|定[时時]|cada|tod[oa]s?\b|diari|semanal|jede|alle\b"
    r"|täglich|wöchentlich|stündlich|chaque|tous|toutes|quotidien|hebdo|кажд|ежедн|еженед|\d+\s?(?:分|小时|小時|天)",
    re.IGNORECASE,
)
"""Words of a cadence that make it one even in a dated entry of a log."""
_TIME_LABEL: Final = re.compile(r"[^:：\n]{3,48}(?:[:：]\d\d[^:：\n]{0,24})?(?:[:：](?!\d))")
"""A line whose start may be a time as its label; cheaper than reading its cadence."""
_AFTER_TIME: Final = LazyRegex(r"\W{0,3}(?:[A-Z]{2,4}\b)?\W{0,3}[:：]")
_CLOCK_OR_NAME_FIRST: Final = re.compile(rf"[\W_]*(?:[01]?\d|2[0-3])[:：][0-5]\d\b|{NAME_AND_TIME}\W*$")
"""A job in a memory that begins with its clock time, or is a name with its time in brackets."""
_DAYS_LAST: Final = re.compile(r"[(（](?P<days>[^()（）]{3,60})[)）][^\w(（]*$")
_BRANCH: Final = LazyRegex(
    r"\s*(?:if|elif|else|elseif|else if)\b[^\n]{0,200}[:{]\s*$|\s*(?:如果|若|否则|否則|もし)[^\n]{0,200}[:：]\s*$",
    re.IGNORECASE,
)
"""A branch of pseudo-code, whose lines say what is done then and not when the agent is woken."""
_BOX: Final = LazyRegex(r"\s*[\u2500-\u259f|]")
"""A line of a drawn box."""
_PRODUCT_LIST: Final = LazyRegex(
    r"\b(?:outputs?|deliverables?|artifacts?|files?|format|salidas?|entregables?|saídas?|entregáveis|ausgaben?|livrables?|результат\w*)\W*$"
    r"|(?:输出|輸出|产出|出力|成果物|交付物)\W*$",
    re.IGNORECASE,
)
"""A lead-in or heading whose items are what is made, not when."""
_BEFORE_CHANGE: Final = LazyRegex(
    r"\W*(?:before|old|previous(?:ly)?|antes|vorher|avant|до|было)\W*|[^\s]{0,6}(?:之前|以前|[化改更整级級]前|旧|舊)[^\s]{0,2}|変更前",
    re.IGNORECASE,
)
"""The column of a table of changes that says what was."""
_ADVERB_FIRST: Final = LazyRegex(r"(?:hour|dai|night|week|month|quarter)ly\b", re.IGNORECASE)


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
        aside: What it only speaks of: offers, what is switched off, examples.
        off: Whether it switches the heartbeat off.
    """

    declared: tuple[DeclaredTime, ...] = ()
    constraints: Schedule = Schedule()
    content: int = 0
    waking: bool = False
    aside: Aside = Aside()
    off: bool = False


def times_of(snapshot: Snapshot, path: str) -> FileTimes:
    """Return what one of the workspace's files says about time."""
    file = snapshot.file(path)
    return _in_file(file) if file is not None and file.text else FileTimes()


def declared_times(snapshot: Snapshot) -> tuple[DeclaredTime, ...]:
    """Return every declared cadence of the workspace's Markdown, HEARTBEAT.md first.

    What MEMORY.md lists may be out of date: it counts if neither another file nor the scheduler lists jobs.
    """
    found = [each for path in (HEARTBEAT_PATH, *OTHER_PATHS) for each in times_of(snapshot, path).declared]
    if any(each.title and each.schedule.times for each in found) or any(jobs_of(snapshot)):
        return tuple(found)
    return (*found, *(each for each in times_of(snapshot, MEMORY_PATH).declared if each.title))


def declared_in(file: SourceFile, first: int, last: int) -> tuple[DeclaredTime, ...]:
    """Return the cadences that some lines of a file declare."""
    return tuple(found for found in _in_file(file).declared if first <= found.line <= last)


def not_running(file: SourceFile, line: int) -> str:
    """Return why what starts on a line of HEARTBEAT.md doesn't run: `switched_off`, `not_in_force`, or `""`."""
    found = _in_file(file)
    return "switched_off" if found.off else "not_in_force" if line in found.aside.stopped else ""


def task_above(file: SourceFile, segment: Segment) -> DeclaredTime | None:
    """Return the task with a cadence that a segment's lead-in, headings or neighbour name, or None."""
    places = [(*segment.section, each) for each in reversed(segment.context)]
    places += [segment.section[:depth] for depth in range(len(segment.section), 0, -1)]
    named: dict[tuple[str, ...], DeclaredTime | None] = {}
    for found in _in_file(file).declared:
        if found.section and found.title:
            before = named.get(found.section, found)
            named[found.section] = found if before is not None and before.line == found.line else None
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
        self._is_memory = file.path == MEMORY_PATH
        headings = [segment for segment in segments if segment.kind == "heading"]
        first = headings[0] if headings else None
        self._title = plain_text(first.text) if first is not None and first.level == 1 else ""
        self._title_line = first.first if self._title and first is not None else 0
        self._standing: list[Standing] = []
        self._groups = sum(self._is_group(segment) for segment in segments)
        self._timed_sections: dict[tuple[str, ...], Schedule] = {}
        self._siblings: dict[tuple[str, ...], list[str]] = {}
        for heading in headings:
            self._siblings.setdefault(heading.section, []).append(plain_text(heading.text))
        self._exact: dict[tuple[str, ...], Schedule] = {}
        self._logged = _logged_sections(segments) if self._is_heartbeat else frozenset()
        self._aside = aside_in(segments)
        self._timed_lines: dict[tuple[str, ...], int] = {}
        self._labelled_sections = {
            segment.section
            for segment in segments
            if segment.kind == "item"
            and TIME_LABELLED.match(text := plain_text(segment.text))
            and _labelled_time(text)
        }

        self._empty = _sections_without_tasks(segments)

    def read(self) -> FileTimes:
        if self._is_heartbeat and is_switched_off(self._pieces):
            return FileTimes(aside=self._aside, off=True)
        for segment in self._pieces:
            self._stand(segment)
        declared = self._refined(
            [
                found
                for segment in self._pieces
                for found in self._declared(segment)
                if not self._is_log(segment, found)
            ]
        )
        content, waking = 0, False
        if self._is_heartbeat:
            asking = [segment for segment in self._pieces if self._asks(segment)]
            content = asking[0].first if asking else 0
            waking = any(
                speaks_of_waking(segment.text)
                for segment in self._pieces
                if segment.first != self._title_line
            )
        return FileTimes(tuple(declared), self._constraints(), content, waking, self._aside)

    # --- what the lines around say ---

    def _stand(self, segment: Segment) -> None:
        """Remember a line that gives zone, days or hours for its section."""
        if segment.kind not in _AROUND or segment.first in self._aside:
            return
        text = plain_text(segment.text)
        hours = _hours_declared(segment, text)
        waking = speaks_of_waking(text)
        for_all = waking or hours is not None or bool(ALL_TIMES.search(text))
        days = days_declared(text) if for_all else ()
        zone = zone_in(text) if for_all or segment.kind == "heading" else ""
        if hours or days or zone:
            lines = _lines(segment.first, segment.last)
            self._standing.append(Standing(_own_section(segment), zone, days, hours, waking, lines))

    def _constraints(self) -> Schedule:
        """Return the days, zone and window that hold for the wake-up as a whole."""
        found = Schedule()
        for standing in filter(self._is_about_waking, self._standing if self._is_heartbeat else ()):
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

    def _is_about_waking(self, standing: Standing) -> bool:
        if standing.waking:
            return bool(standing.hours or standing.days or not self._task_heading(standing.section))
        return bool(standing.hours and self._holds_for_all(standing))

    def _holds_for_all(self, standing: Standing) -> bool:
        below = [heading for heading in standing.section if heading != self._title]
        return all(
            declares_hours(each) or self._is_wakeish(each) or GENERAL.fullmatch(each) for each in below
        )

    def _is_wakeish(self, heading: str) -> bool:
        return speaks_of_waking(heading) or is_about_waking_only(heading) or bool(SETTINGS.fullmatch(heading))

    def _task_heading(self, section: Sequence[str]) -> str:
        """Return the innermost heading that names a task or subject, or `""`."""
        named = (each for each in reversed(section) if each != self._title and not self._is_wakeish(each))
        return next(named, "")

    def _task_before(self, section: tuple[str, ...]) -> str:
        """Return the task of the heading before one that only says when, such as `Frequency`, or `""`.

        After several tasks none of which has a cadence, it is that of them all.
        """
        if not section or section[-1] == self._title or not TIME_LABELLED.match(f"{section[-1]}:"):
            return ""
        *above, last = section
        siblings = self._siblings.get(tuple(above), [])
        before = siblings[: siblings.index(last)] if last in siblings else []
        named = [each for each in before if not self._is_wakeish(each) and not GENERAL.fullmatch(each)]
        timed = any((*above, each) in self._timed_sections for each in named)
        return named[-1] if len(named) == 1 or timed else ""

    def _is_group(self, segment: Segment) -> bool:
        """Return whether a segment is a heading or lead-in that has only a cadence, such as `Every 30 minutes:`."""
        if segment.kind not in ("heading", "lead_in") or speaks_of_waking(segment.text):
            return False
        found = read_cadence(segment.text)
        return found is not None and found.type != "event" and subject_of(segment.text, found).is_waking

    # --- cadences ---

    def _is_log(self, segment: Segment, found: DeclaredTime) -> bool:
        """Return whether a time only stands in a dated entry of a log, and doesn't say that it repeats."""
        section = _own_section(segment)
        dated = any(section[:depth] in self._logged for depth in range(1, len(section) + 1))
        dated = dated or (self._is_heartbeat and bool(DATE.search(segment.lead_in)))
        return dated and not _REPEATS.search(found.schedule.cadence)

    def _refined(self, declared: list[DeclaredTime]) -> list[DeclaredTime]:
        """Return the cadences; a heading's that a line below it says more exactly gets that line's days and times."""
        return [
            replace(found, schedule=replace(exact, lines=f"{found.line}-{exact.lines.rpartition('-')[2]}"))
            if (exact := self._exact.get(found.section)) is not None
            else found
            for found in declared
        ]

    def _declared(self, segment: Segment) -> Iterator[DeclaredTime]:
        if segment.first in self._aside or self._describes(segment):
            return
        if self._is_memory and not is_list_of_jobs(segment):
            return
        if self._says_none(segment):
            return
        if segment.kind == "fence":
            yield from self._fence(segment)
        elif segment.kind == "comment":
            yield from self._cron_remark(segment)
        elif segment.kind == "table_row":
            yield from self._row(segment)
        elif segment.kind == "item" and any(map(_TIME_FIELD.match, segment.lines[1:])):
            yield from self._fields(segment)
        elif segment.kind in _READ:
            title_of = self._title_of_heading if segment.kind == "heading" else self._title_of
            for part in self._parts(segment):
                for found in self._found(part, segment):
                    title = title_of(part, found)
                    if title is not None:
                        yield self._placed(found, part, title)

    def _says_none(self, segment: Segment) -> bool:
        """Return whether a line names no task: there are none, it is a condition, or a heading that sums up others."""
        if segment.kind == "item":
            conditions = is_condition(segment.lead_in) and not speaks_of_waking(segment.lead_in)
            return self._is_heartbeat and conditions
        if segment.kind == "heading":
            return _own_section(segment) in self._empty or self._sums_up(segment)
        return segment.kind == "paragraph" and bool(NO_TASKS.match(plain_text(segment.text)))

    def _sums_up(self, heading: Segment) -> bool:
        """Return whether a heading only names the cadences of those below it: `Reviews (daily/weekly)`."""
        below = self._siblings.get(_own_section(heading), ())
        listed = _SEVERAL_IN_BRACKETS.search(plain_text(heading.text))
        return listed is not None and sum(read_cadence(each) is not None for each in below) > 1

    def _cron_remark(self, segment: Segment) -> Iterator[DeclaredTime]:
        """Read the cron line of a task in a comment below its heading: `<!-- cron: 0 9 * * 1 -->`."""
        remark = _CRON_REMARK.fullmatch(segment.text.strip()) if self._is_heartbeat else None
        found = read_cadence(remark["line"]) if remark else None
        heading = self._task_heading(segment.section)
        if found is None or not found.cron or not heading:
            return
        if segment.section in self._timed_sections:
            self._say_exactly(segment, found)
        else:
            self._timed_sections[segment.section] = found
            yield self._placed(found, segment, _without_marks(heading))

    def _parts(self, segment: Segment) -> Sequence[Segment]:
        """Return the parts of a line such as `Daily review (10AM) | Weekly audit (Sunday)`, else the line.

        The lines of a paragraph that all have labels, one of them for a time, are parts, too.
        """
        if segment.kind == "paragraph" and (fields := _labelled_lines(segment)):
            return fields
        jobs = jobs_on_line(segment.text) if segment.kind in ("item", "paragraph") else []
        if jobs or (jobs := jobs_in_paragraph(segment)):
            return [replace(segment, kind="item", text=part) for part in jobs]
        parts = _BARS.split(segment.text) if segment.kind in ("item", "paragraph") else ()
        return [replace(segment, text=part) for part in parts] if len(parts) > 1 else [segment]

    def _describes(self, segment: Segment) -> bool:
        """Return whether a line says what something else does: `every hour it is copied`, under `Automatic`."""
        if not self._is_heartbeat or not _PASSIVE.search(segment.text):
            return False
        return any(_DESCRIBES.search(text) for text in (*segment.section[-1:], segment.text))

    def _found(self, segment: Segment, line: Segment) -> tuple[Schedule, ...]:
        """Return the cadences of a segment or a part of it, as far as its file, line and place make them schedules."""
        text, whole = plain_text(segment.text), plain_text(line.text)
        if segment.kind == "item" and _PRODUCT_LIST.search(segment.parent or segment.lead_in):
            return ()
        labelled = (
            self._in_field(segment, text) or self._in_waking_remark(text) or job_in_list(segment, line, text)
        )
        if labelled is not None:
            return (labelled,)
        label = _timed_label(segment, text)
        expected = bool(label) or self._expects_time(segment, text)
        if label and read_cadence(text.removeprefix(f"{label}: ")) is None:
            text = label
        if not self._is_heartbeat and not (expected or self._is_schedule(whole)):
            return ()
        if TIME_LABELLED.match(text) and (said := _labelled_time(text)):
            return said
        read = read_cadences(text, expected=expected, dated=bool(JOB.search(whole)) or _opens_with_time(text))
        read = _with_clock_behind(text, read) if expected else read
        read = _with_clock_in_brackets(text, read) if segment.kind == "heading" else read
        found = tuple(
            each
            for each in read
            if self._counts(each)
            and not _is_name_of_thing(text, each)
            and not _stands_in_path(segment.text, each)
        )
        if not found and segment.kind in _LIMITED and (limit := read_limit(text)) is not None:
            return (limit,)
        return found

    def _in_field(self, segment: Segment, text: str) -> Schedule | None:
        """Return the cadence of an item such as `- every: 30m` in HEARTBEAT.md, or None."""
        field = _TIME_FIELD.match(text) if self._is_heartbeat and segment.kind == "item" else None
        return read_cadence(field["value"]) if field is not None else None

    def _in_waking_remark(self, text: str) -> Schedule | None:
        """Return the cadence of the heartbeat in a remark after it, such as `Every heartbeat (30m)`, or None."""
        remark = WAKING_REMARK.search(text) if self._is_heartbeat else None
        if remark is None:
            return None
        found = read_cadence(remark["inner"]) or read_cadence(f"every {remark['inner']}")
        return found if found is not None and (found.seconds or DAY_SECONDS) < DAY_SECONDS else None

    def _expects_time(self, segment: Segment, text: str) -> bool:
        """Return whether a line is one where a mere clock time is a schedule, by its place or its label."""
        return (
            self._in_register(segment)
            or (self._is_memory and bool(_CLOCK_OR_NAME_FIRST.match(text)))
            or (self._is_heartbeat and is_reminder(text, " ".join(segment.section[-2:])))
            or (segment.kind == "heading" and "(" in text.replace("（", "("))
            or (self._is_heartbeat and bool(TIME_LABELLED.match(text)))
        )

    def _counts(self, found: Schedule) -> bool:
        """Return whether a cadence counts in this file: outside HEARTBEAT.md only one that names a time does."""
        if self._is_heartbeat:
            return True
        timed = bool(found.seconds or found.days or found.times)
        return found.type != "event" and (found.type != "words" or timed)

    def _is_schedule(self, text: str) -> bool:
        """Return whether a line outside HEARTBEAT.md is about a scheduled job or the heartbeat."""
        if (
            _DESCRIBES.search(text)
            or _FAILED.search(text)
            or (_BY_ITSELF.match(text) and not JOB.search(text))
        ):
            return False
        if _opens_with_time(text):
            return True
        labelled = LABEL_FIRST.match(text)
        if (
            JOB.search(text)
            or _DAILY_TIME_LABEL.match(text)
            or (labelled and not _PATH_FIRST.match(text[labelled.end() :]))
        ):
            return True
        found = read_cadence(text)
        if found is None:
            return False
        if speaks_of_waking(text):
            return subject_of(text, found).is_waking
        return self._file.path == "TOOLS.md" and bool(found.times or found.active_start)

    def _in_register(self, segment: Segment) -> bool:
        if segment.kind != "item":
            return False
        above = (*segment.section[-2:], segment.lead_in)
        return any(REGISTER.search(heading) for heading in above if heading and heading != self._title)

    def _title_of(self, segment: Segment, found: Schedule) -> str | None:
        """Return the task that a cadence belongs to, `""` for the agent's own wake-up, None if it says nothing new."""
        text = plain_text(segment.text)
        if self._in_waking_remark(text) == found:
            return ""
        about = subject_of(text, found)
        heading = self._task_heading(segment.section) or self._task_before(segment.section)
        if self._is_about_times(segment.section):
            return "" if (about.is_waking and not about.more) or TIME_LABELLED.match(text) else None
        if self._is_wake_up(segment, found, about, heading):
            return ""
        repeated = segment.section in self._timed_sections
        labelled = self._labels_heading(segment, text, found)
        if heading and (about.announces or labelled):
            title = task_title("" if about.is_waking or labelled else about.words.rstrip("*:： "))
            if repeated and not title:
                self._say_exactly(segment, found)
            if title and self._is_one_word(segment, text, found):
                title = f"{_without_marks(heading)}: {title}"
            return None if repeated else title or _without_marks(heading)
        if repeated and about.cadence_first and segment.kind != "item":
            self._say_exactly(segment, found)
            return None
        if segment.section in self._labelled_sections and _LABELLED.match(text):
            return None  # what the task does, where another line says when
        title = self._name_of(segment, found, about)
        if heading and is_condition(title):
            title = ""
        return None if _SPOKEN_OF.match(title) else shorten(title) or _without_marks(heading) or shorten(text)

    def _name_of(self, segment: Segment, found: Schedule, about: CadenceSubject) -> str:
        """Return the name that a line gives its task: what it says beside the cadence."""
        text = plain_text(segment.text)
        named = about.more if about.is_waking else about.words
        before, opened, _ = found.cadence.partition("(")
        if about.is_waking and opened and not is_about_waking_only(before):
            named = before  # "Weekly film review (10 AM)" is one cadence with its task
        if not self._is_heartbeat and not about.is_waking:
            clause = clause_of_cadence(text, found)
            above = f"{plain_text(segment.section[-1])}: " if segment.section and _is_short(clause) else ""
            named = f"{above}{clause}" if clause else named
        return adverb_name(text, found.cadence) or task_title(short_name(_without_marks(named)))

    def _is_about_times(self, section: Sequence[str]) -> bool:
        """Return whether a section is about when the agent wakes, such as `Heartbeat schedule`."""
        last = section[-1] if section and section[-1] != self._title else ""
        return self._is_heartbeat and speaks_of_waking(last) and bool(WAKE_UP_TIMES.search(last))

    def _labels_heading(self, segment: Segment, text: str, found: Schedule) -> bool:
        """Return whether a line says when its section is due: `Frequency: …`, or the only `Review: …` in it."""
        if TIME_LABELLED.match(text) and not task_title(re.split("[:：]", text, maxsplit=1)[0]):
            return True
        return self._is_one_word(segment, text, found) and self._times_in(segment.section) == 1

    def _is_one_word(self, segment: Segment, text: str, found: Schedule) -> bool:
        """Return whether a line of a task's section is a label of one word and a cadence, which names nothing alone."""
        label = _ONE_WORD.match(text) or _ONE_CJK_WORD.match(text)
        rest = text[label.end() :].strip(" .。*_`") if label else ""
        last = segment.section[-1:] if self._is_heartbeat else ()
        names_task = all(not REGISTER.search(each) and not GENERAL.fullmatch(each) for each in last)
        return (
            bool(rest) and bool(last) and names_task and readable_line(rest) == readable_line(found.cadence)
        )

    def _times_in(self, section: tuple[str, ...]) -> int:
        """Return how many lines of a section give a time."""
        if section not in self._timed_lines:
            lines = (plain_text(each.text) for each in self._pieces if each.section == section)
            self._timed_lines[section] = sum(read_cadence(line) is not None for line in lines)
        return self._timed_lines[section]

    def _say_exactly(self, segment: Segment, found: Schedule) -> None:
        """Remember the days and clock times that a line adds to the cadence of the heading above it."""
        known = self._timed_sections[segment.section]
        if (found.times or found.days or found.active_start) and not (known.times or known.active_start):
            lines = _lines(segment.first, segment.last)
            placed = replace(found, file=self._file.path, lines=lines)
            self._exact.setdefault(segment.section, self._with_times_around(placed, segment.section))

    def _is_wake_up(self, segment: Segment, found: Schedule, about: CadenceSubject, heading: str) -> bool:
        """Return whether a line below the headings gives the agent's own wake-up."""
        if about.is_waking and speaks_of_waking(about.words):
            return True
        if (
            self._is_heartbeat
            and GENERAL.fullmatch(heading)
            and TIME_LABELLED.match(plain_text(segment.text))
        ):
            return True
        below_task = heading or segment.section in self._timed_sections
        if below_task or not self._is_heartbeat or self._groups > 1:
            return False
        before = readable_line(plain_text(segment.text)).partition(found.cadence)[0]
        opens = segment.kind in ("paragraph", "lead_in") and (
            about.cadence_first or is_about_waking_only(before)
        )
        return opens or (about.is_waking and not about.more)

    def _title_of_heading(self, segment: Segment, found: Schedule) -> str:
        """Return the task that a heading names, `""` for the agent's own wake-up."""
        text = re.sub(r"^HEARTBEAT\.md\W+(?=\w)", "", plain_text(segment.text))
        about = subject_of(text, found)
        if self._is_wake_up_heading(text, found, about, is_title=segment.first == self._title_line):
            return ""
        self._timed_sections[_own_section(segment)] = found
        named = re.split(r"[(（]", text)[0] if about.is_waking else about.words
        return shorten(
            adverb_name(_without_marks(text), found.cadence)
            or task_title(_without_marks(named))
            or _without_marks(text)
        )

    def _is_wake_up_heading(
        self, text: str, found: Schedule, about: CadenceSubject, *, is_title: bool
    ) -> bool:
        if (about.is_waking and speaks_of_waking(about.words)) or self._in_waking_remark(text) == found:
            return True
        if not self._is_heartbeat:
            return False
        if is_title and not (_ADVERB_FIRST.match(found.cadence) or _begins_name(text, found)):
            return True
        if _ROTATES.search(text):
            return False
        return about.is_waking and _is_often(found) and (is_title or self._groups < 2)

    def _row(self, segment: Segment) -> Iterator[DeclaredTime]:
        if any(map(_BEFORE_CHANGE.fullmatch, segment.header)):
            return
        if not self._is_heartbeat and not self._is_time_table(segment):
            return
        timed = next(_timed_cells(segment), None)
        if timed is None:
            return
        column, found = timed
        about = _name_in_row(segment, column, found)
        own = speaks_of_waking(about) and is_about_waking_only(about)
        yield self._placed(
            found, segment, "" if own else shorten(about) or self._task_heading(segment.section)
        )

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
        branches = any(map(_BRANCH.match, segment.lines))
        for number in range(segment.first, segment.last + 1) if self._is_heartbeat else ():
            line = self._file.lines[number - 1]
            if is_template_line(line) or _BOX.match(line) or (branches and not _TIME_FIELD.match(line)):
                continue
            found = _cadence_of_line(line)
            if found is None or (segment.info.lower() in _CODE and "*" not in found.cadence):
                continue
            about = subject_of(line, found)
            own = about.is_waking and not about.more and not self._task_heading(segment.section)
            name = adverb_name(plain_text(line), found.cadence) or _without_marks(about.more or about.words)
            title = "" if own else shorten(name) or "task"
            yield self._placed(found, segment, title, number)

    def _placed(self, found: Schedule, segment: Segment, title: str, line: int = 0) -> DeclaredTime:
        """Return a cadence with its place, and with zone, days and window from the lines around it."""
        lines = _lines(line, line) if line else _lines(segment.first, segment.last)
        found = replace(found, file=self._file.path, lines=lines)
        section = _own_section(segment)
        if not found.timezone:
            found = replace(found, timezone=_announced_zone(segment))
        if title:
            found = self._with_times_around(found, section)
        text = plain_text(segment.text)
        found = _with_days_above(_with_days_last(found, text), section)
        about = subject_of(text, found)
        bare = segment.kind != "fence" and not about.more and about.is_waking
        return DeclaredTime(
            found, title, bare, self._section_of_task(segment, title, text) if not line else ()
        )

    def _section_of_task(self, segment: Segment, title: str, text: str) -> tuple[str, ...]:
        """Return the section whose items belong to a task: below its heading, or around `Schedule: …`."""
        heading = self._task_heading(segment.section)
        if title and heading and title == _without_marks(heading) and segment.kind != "heading":
            return segment.section
        if title and text.endswith((":", "：")) and self._leads_to_headings(segment):
            return segment.section
        return (*segment.section, text.rstrip(":：")) if title else ()

    def _leads_to_headings(self, segment: Segment) -> bool:
        """Return whether a line below a heading is followed by the headings of its parts."""
        following = next((each for each in self._pieces if each.first > segment.last), None)
        if following is None or following.kind != "heading" or not self._task_heading(segment.section):
            return False
        return following.section[: len(segment.section)] == segment.section

    def _with_times_around(self, found: Schedule, section: tuple[str, ...]) -> Schedule:
        """Return a task's schedule with the zone, days and window that the lines of its sections give."""
        around = [standing for standing in reversed(self._standing) if not standing.waking]
        for standing in sorted(around, key=lambda each: bool(each.hours and each.hours.quiet)):
            same = standing.section == section
            if same or (standing.hours is None and standing.section == section[: len(standing.section)]):
                found = _with_standing(found, standing, same=same)
        return found

    def _asks(self, segment: Segment) -> bool:
        """Return whether a segment of HEARTBEAT.md asks for anything: no heading, comment or `No tasks configured`."""
        asks = segment.kind in ("item", "paragraph", "table_row", "lead_in", "fence")
        if not asks or segment.first in self._aside:
            return False
        event = read_cadence(segment.text)
        if event is not None and event.type == "event":
            return False
        return any(map(_line_asks, self._file.lines[segment.first - 1 : segment.last]))


def _begins_name(text: str, found: Schedule) -> bool:
    """Return whether a Chinese word for how often stands directly before a noun: `每日检查清单`."""
    _, cadence, after = text.partition(found.cadence)
    return bool(cadence) and HAN[0] <= after[:1] <= HAN[1]


def _is_name_of_thing(text: str, found: Schedule) -> bool:
    """Return whether a Chinese word for how often only begins the name of a thing: `生成每日新闻`, `每日一句`."""
    if found.times or not _begins_name(text, found):
        return False
    before, cadence, after = text.partition(found.cadence)
    return bool(_MADE.search(before[-8:]) or _SAYING.match(cadence + after[:2]))


def _with_clock_behind(text: str, read: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Return the clock time of a line such as `每日检查 09:00 — 看水位`, where how often is part of the name."""
    timed = _NAME_AND_CLOCK.match(text)
    if timed is None or len(read) != 1 or read[0].times or read[0].seconds != DAY_SECONDS:
        return read
    last_word = timed["name"].rpartition(" ")[2]
    for words in (f"{last_word} {timed['clock']}", timed["clock"]):
        found = read_cadence(words, expected=words == timed["clock"])
        if found is not None and found.times:
            return (found,)
    return read


_SEVERAL_IN_BRACKETS: Final = re.compile(r"[(（][^()（）\n]*[/／、|][^()（）\n]*[)）]\W*$")
_BRACKETS: Final = re.compile(r"[(（]([^()（）\n]{1,40})[)）]\W*$")


def _with_clock_in_brackets(text: str, read: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Return the clock time at the end of a heading such as `Review every Sunday evening (Sunday 22:00)`."""
    brackets = _BRACKETS.search(text)
    if brackets is None or len(read) != 1 or read[0].times or read[0].type == "event":
        return read
    seconds, days = read[0].seconds or DAY_SECONDS, read[0].days
    exact = read_cadence(brackets[1], expected=True)
    if (
        exact is None
        or not exact.times
        or seconds < DAY_SECONDS
        or (exact.days or days) != (days or exact.days)
    ):
        return read
    return (with_days(exact, days),) if seconds == DAY_SECONDS or exact.days else read


_NAME_AND_CLOCK: Final = re.compile(
    r"(?P<name>[^:：\d()（）\n]{3,30}?)\s+(?P<clock>(?:[01]?\d|2[0-3])[:：][0-5]\d)\s*(?:$|[—–-]\s)"
)


def _sections_without_tasks(segments: Sequence[Segment]) -> frozenset[tuple[str, ...]]:
    """Return the sections in which nothing stands but that there are no tasks."""
    says_none: dict[tuple[str, ...], bool] = {}
    for segment in segments:
        none = segment.kind == "paragraph" and bool(NO_TASKS.match(plain_text(segment.text)))
        says_none[segment.section] = none and says_none.get(segment.section, True)
    return frozenset(section for section, none in says_none.items() if none and section)


def _stands_in_path(text: str, found: Schedule) -> bool:
    """Return whether a cadence is only part of a path in code: ``read `notes/每日/log.md` ``."""
    if "`" not in text or found.times or found.cron:
        return False
    return found.cadence in text and found.cadence not in _CODED_PATH.sub(" ", text)


def _logged_sections(segments: Sequence[Segment]) -> frozenset[tuple[str, ...]]:
    """Return the sections whose heading has a date, and those with a clock time that follow one on the same level."""
    logged: set[tuple[str, ...]] = set()
    levels: set[int] = set()
    for heading in (segment for segment in segments if segment.kind == "heading"):
        levels = {level for level in levels if level <= heading.level}
        dated = DATE.search(heading.text)
        if dated or (heading.level in levels and clocks_in(heading.text)):
            levels.add(heading.level)
            logged.add(_own_section(heading))
    return frozenset(logged)


def _opens_with_time(text: str) -> bool:
    """Return whether a line starts with days and a clock time as its label: `Sunday at 9pm EST: write the report`."""
    if not _TIME_LABEL.match(text):
        return False
    found = read_cadence(text, dated=True)
    if found is None or not found.times:
        return False
    before, _, after = readable_line(text).partition(found.cadence)
    if _ADVERB_LABEL.match(before):
        return True
    label = _AFTER_TIME.match(after)
    return not re.search(r"\w", before) and label is not None and not is_condition(after[label.end() :])


def _line_asks(line: str) -> bool:
    if not line.strip() or is_template_line(line) or _MARKUP_LINE.match(line) or runtime_only(line):
        return False
    return not NO_TASKS.match(plain_text(line.strip(" -*+>")))


def _cadence_of_line(line: str) -> Schedule | None:
    """Return the cadence in a line of a code block: the value of a field such as `every: 30m`, else anywhere in it."""
    field = _TIME_FIELD.match(line)
    return read_cadence(field["value"].strip("\"' ") if field else line)


def _own_section(segment: Segment) -> tuple[str, ...]:
    """Return the section that a segment is in; for a heading, the one that it opens."""
    return (*segment.section, plain_text(segment.text)) if segment.kind == "heading" else segment.section


def _hours_declared(segment: Segment, text: str) -> ActiveHours | None:
    """Return the window that a line gives, if it or the heading above it declares active or quiet hours.

    Where some work goes on in quiet hours, the agent is woken all the same, and the line itself says what it does then.
    """
    headed = segment.kind != "item" and any(map(declares_hours, segment.section[-1:]))
    found = (active_hours_in(text) or quiet_hours_in(text)) if headed or declares_hours(text) else None
    return None if found is not None and found.quiet and GOES_ON.search(text) else found


def _timed_label(segment: Segment, text: str) -> str:
    """Return the label of a line such as `Report (9:00): send it`, or `""`."""
    label, separator, _ = text.partition(": ")
    is_label = separator and segment.kind in ("paragraph", "item") and _NUMBER_IN_BRACKETS.search(label)
    return label if is_label else ""


def _labelled_lines(segment: Segment) -> list[Segment]:
    """Return the lines of a paragraph if all have labels, and a later one that of a time: `Frequency: hourly`."""
    texts = list(map(plain_text, segment.lines))
    if not any(map(TIME_LABELLED.match, texts[1:])) or not all(map(_LABELLED.match, texts)):
        return []
    return [
        replace(segment, first=number, last=number, text=text)
        for number, text in enumerate(texts, segment.first)
    ]


def _timed_cells(segment: Segment) -> Iterator[tuple[int, Schedule]]:
    """Yield the columns of a table row that hold a cadence, with the cadence, those headed by a word of time first."""
    columns = enumerate(zip(segment.cells, chain(segment.header, repeat("")), strict=False))
    for column, (cell, header) in sorted(columns, key=lambda each: not is_time_header(each[1][1])):
        found = read_time_cell(cell, header)
        if found is not None:
            yield column, found


def _name_in_row(segment: Segment, timed: int, found: Schedule) -> str:
    """Return the name that a table row gives its task: what stands beside the time, or the first cell that is no id."""
    if timed == 0 and not is_time_header("".join(segment.header[:1])):
        cell = plain_text(segment.cells[0])
        if named := adverb_name(cell, found.cadence) or _without_marks(subject_of(cell, found).words):
            return named
    cells = list(zip(map(plain_text, segment.cells), chain(segment.header, repeat("")), strict=False))
    others = [pair for place, pair in enumerate(cells) if place != timed and re.search(r"\w", pair[0])]
    named_cells = [
        cell for cell, header in others if not _ID_HEADER.fullmatch(header) and not _ID.fullmatch(cell)
    ]
    return next(iter(named_cells), others[0][0] if others else "")


_ID_HEADER: Final = LazyRegex(
    r"\W*(?:(?:cron|jobs?|tasks?|任务|任務|作业)[ _-]?)?(?:ids?|uuid|no\.?|nr\.?|nº|#"
    r"|编号|編號|序号|序號|番号)\W*|\W*#\W*",
    re.IGNORECASE,
)
"""The header of a column that only numbers the rows."""
_ID: Final = re.compile(r"(?=[0-9a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{4,}){0,4}(?:…|\.{3})?")


def _announced_zone(segment: Segment) -> str:
    """Return the time zone in the header of a segment's table, or in its lead-in."""
    lead_in = (segment.lead_in,) if segment.lead_in else ()
    return next(filter(None, (zone_in(f"({words})") for words in (*segment.header, *lead_in))), "")


def _with_days_above(found: Schedule, section: tuple[str, ...]) -> Schedule:
    """Return a bare clock time with the days of the innermost heading that names some."""
    is_bare = found.type == "words" or _CLOCKS_ONLY.fullmatch(found.cadence)
    if not found.times or found.days or not is_bare:
        return found
    return with_days(found, next(filter(None, map(_days_of_heading, reversed(section))), ()))


def _with_days_last(found: Schedule, text: str) -> Schedule:
    """Return a clock time with the days in brackets at the end of its line: `09:00 - report (Tuesday & Friday)`."""
    remark = _DAYS_LAST.search(text[-80:])
    if not found.times or found.days or remark is None or remark["days"] in found.cadence:
        return found
    return with_days(found, days_in(remark["days"]))


def _days_of_heading(heading: str) -> tuple[str, ...]:
    """Return the weekdays that a heading names; `Sat` before a word, as in `Sat up in May`, is none."""
    return days_in(_SHORT_DAY_BEFORE_WORD.sub(" ", heading))


_SHORT_DAY_BEFORE_WORD: Final = LazyRegex(
    r"\b(?:sat|sun|mon|wed)\b(?=\s+(?!to\b|and\b|at\b)[a-z]{2})", re.IGNORECASE
)


def _is_often(found: Schedule) -> bool:
    """Return whether a cadence is shorter than a day, or has clock times on more than two days of the week."""
    daily = bool(found.times) and len(found.days) not in (1, 2)
    return daily or (found.seconds or DAY_SECONDS) < DAY_SECONDS


def _with_standing(found: Schedule, standing: Standing, *, same: bool) -> Schedule:
    if standing.hours is not None and same and not found.active_start and not found.times:
        found = with_hours(found, standing.hours)
    found = with_days(found, standing.days) if same or standing.days else found
    return replace(found, timezone=found.timezone or standing.zone)


_CRON_REMARK: Final = LazyRegex(
    r"<!--\s*(?:cron|schedule)\s*:\s*(?P<line>[-\d*,/ ]{9,60}?)\s*-->", re.IGNORECASE
)
_HALF_REMARK: Final = re.compile(r"^[^()（）]{0,12}[)）]\W+|\s*[(（][^()（）]*$")
"""What is left of a remark in brackets when the time in it is taken out."""


def _without_marks(text: str) -> str:
    bare = re.sub(r"\s+", " ", _JOB_TIMES.sub("", text)).strip(" \t-–—:：,，;(（|#*.")
    bare = _HALF_REMARK.sub("", bare)
    return re.sub(r"^\d{1,2}[.)] (?=\S)", "", bare)  # the number of a heading


def _labelled_time(text: str) -> tuple[Schedule, ...]:
    """Return the cadences behind a label such as `Runs:`."""
    return read_cadences(re.split("[:：]", text, maxsplit=1)[1].strip(), expected=True)


def _is_short(clause: str) -> bool:
    """Return whether a clause is one word, which needs its heading to say what it is about."""
    return " " not in clause and (clause.isascii() or len(clause) < _SHORTEST_CJK_NAME)


_SHORTEST_CJK_NAME: Final = 4


def _lines(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
