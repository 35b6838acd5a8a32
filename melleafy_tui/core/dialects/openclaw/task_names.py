"""Tells which task a cadence belongs to, by its line and the headings above, or that it is the agent's own wake-up."""

import re
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.cadence_subject import (
    CadenceSubject,
    adverb_name,
    clause_of_cadence,
    short_name,
    subject_of,
    task_title,
)
from melleafy_tui.core.dialects.openclaw.cadences_of_line import (
    LABELLED,
    begins_name,
    in_waking_remark,
    labelled_time,
)
from melleafy_tui.core.dialects.openclaw.file_outline import FileOutline, own_section
from melleafy_tui.core.dialects.openclaw.surrounding_times import SurroundingTimes, lines_of
from melleafy_tui.core.dialects.openclaw.wake_words import (
    GENERAL,
    REGISTER,
    TIME_LABELLED,
    WAKE_UP_TIMES,
    is_about_waking_only,
    is_condition,
    speaks_of_waking,
)
from melleafy_tui.core.language.time.cadence import TimeRow, is_time_header, read_cadence, readable_line
from melleafy_tui.core.language.time.clock import CLOCKS, DAY_SECONDS
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.source.segments import Segment

_SPOKEN_OF: Final = LazyRegex(
    r"(?:this|that|it|these|those|they) (?:is|are|was|has|have|can|may|will)\b"
    r"|(?:but|however|or|oder|aber|pero|ou|mas|mais|но|или)\b|但|而且|或",
    re.IGNORECASE,
)
"""Openings of a sentence about something else, or of the rest of one, whose time is no schedule."""
_THIS_FILE: Final = LazyRegex(
    r"\b(?:this (?:file|checklist|document)|est[ea] (?:archivo|fichero|lista|arquivo|ficheiro)|diese (?:datei|liste)"
    r"|ce fichier|cette liste|этот файл)\b"
    r"|本文件|此文件|このファイル",
    re.IGNORECASE,
)
"""The subject of a sentence that says how often HEARTBEAT.md as a whole is read."""
_ONE_WORD: Final = re.compile(r"\W*[^\W\d_]{1,24}\s*[:：]\s*")
_ONE_CJK_WORD: Final = LazyRegex(r"\W*[\u3040-\u30ff\u3400-\u9fff]{1,3}\s*[:：]\s*")
_ROTATES: Final = LazyRegex(r"\brotat(?:e|es|ing|ion)\b|轮换|輪換|轮流|輪流|ローテーション", re.IGNORECASE)
"""A list of which each wake-up takes a part, so that its cadence isn't the wake-up's."""
_JOB_TIMES: Final = LazyRegex(r"^(?:[\s*]*(?:\d\d-\d\d|:\d\d(?:/:\d\d)*|\d{1,2}:\d\d))+\s*")
_ADVERB_FIRST: Final = LazyRegex(r"(?:hour|dai|night|week|month|quarter)ly\b", re.IGNORECASE)
_ID_HEADER: Final = LazyRegex(
    r"\W*(?:(?:cron|jobs?|tasks?|任务|任務|作业)[ _-]?)?(?:ids?|uuid|no\.?|nr\.?|nº|#"
    r"|编号|編號|序号|序號|番号)\W*|\W*#\W*",
    re.IGNORECASE,
)
"""The header of a column that only numbers the rows."""
_ID: Final = re.compile(r"(?=[0-9a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{4,}){0,4}(?:…|\.{3})?")
_HALF_REMARK: Final = re.compile(r"^[^()（）]{0,12}[)）]\W+|\s*[(（][^()（）]*$")
"""What is left of a remark in brackets when the time in it is taken out."""
_SHORTEST_CJK_NAME: Final = 4


_CLOCKS_ALONE: Final = LazyRegex(
    r"^\W*(?:(?:times?|when|时间|時間|時刻|horas?|horários?|uhrzeit|heures?|время)\s*[:：]\s*)?"
    r"(?:(?:at|um|a las?|às|à|в)\s+)?"
    rf"(?P<clocks>{CLOCKS})\s*(?:each(?: day)?|daily|uhr|各一次|各1次|各一回)?\W*$",
    re.IGNORECASE,
)


class TaskNames:
    """The tasks of one file, named in the order of its lines: what a heading says holds for the lines below it."""

    def __init__(self, outline: FileOutline, surrounding: SurroundingTimes) -> None:
        self._outline = outline
        self._surrounding = surrounding
        self._groups = sum(map(_is_group, outline.segments)) if outline.is_heartbeat else 0
        self._timed_sections: dict[tuple[str, ...], Schedule] = {}
        self._exact: dict[tuple[str, ...], Schedule] = {}
        self._clocks: dict[tuple[str, ...], str] = {}
        self._timed_lines: dict[tuple[str, ...], int] = {}
        self._labelled_sections = {
            segment.section
            for segment in outline.segments
            if segment.kind == "item"
            and TIME_LABELLED.match(text := plain_text(segment.text))
            and labelled_time(text)
        }

    def title_of(self, segment: Segment, found: Schedule) -> str | None:
        """Return the task that a cadence belongs to, `""` for the agent's own wake-up, None if it says nothing new."""
        text = plain_text(segment.text)
        if in_waking_remark(text, self._outline) == found:
            return ""
        about = subject_of(text, found)
        heading = self._outline.task_heading(segment.section) or self._task_before(segment.section)
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
                title = f"{without_marks(heading)}: {title}"
            return None if repeated else title or without_marks(heading)
        if repeated and about.cadence_first and segment.kind != "item":
            self._say_exactly(segment, found)
            return None
        if segment.section in self._labelled_sections and LABELLED.match(text):
            return None  # what the task does, where another line says when
        title = self._name_of(segment, found, about)
        if heading and is_condition(title):
            title = ""
        return None if _SPOKEN_OF.match(title) else shorten(title) or without_marks(heading) or shorten(text)

    def title_of_heading(self, segment: Segment, found: Schedule) -> str:
        """Return the task that a heading names, `""` for the agent's own wake-up."""
        text = re.sub(r"^HEARTBEAT\.md\W+(?=\w)", "", plain_text(segment.text))
        about = subject_of(text, found)
        if self._is_wake_up_heading(segment, text, found, about):
            return ""
        self._timed_sections[own_section(segment)] = found
        named = re.split(r"[(（]", text)[0] if about.is_waking else about.words
        if about.is_waking and about.cadence_first and about.more:
            named = about.more
        return shorten(
            adverb_name(without_marks(text), found.cadence)
            or task_title(without_marks(named))
            or without_marks(text)
        )

    def title_of_remark(self, segment: Segment, found: Schedule) -> str | None:
        """Return the task below whose heading a comment gives a cron line, None if the heading has a cadence itself."""
        if segment.section in self._timed_sections:
            self._say_exactly(segment, found)
            return None
        if heading := self._outline.task_heading(segment.section):
            self._timed_sections[segment.section] = found
        return without_marks(heading) or None

    def adds_times(self, segment: Segment) -> bool:
        """Return whether a line has clock times alone, which the daily cadence of the heading above it gets."""
        section = segment.section
        known = self._timed_sections.get(section)
        alone = _CLOCKS_ALONE.match(plain_text(segment.text)) if known is not None else None
        if alone is None or known is None or known.seconds != DAY_SECONDS or known.times:
            return False
        if section in self._exact and section not in self._clocks:
            return False
        self._clocks[section] = ", ".join(filter(None, (self._clocks.get(section), alone["clocks"])))
        found = read_cadence(f"daily at {self._clocks[section]}")
        if found is None or not found.times:
            return False
        self._exact.pop(section, None)
        self._say_exactly(segment, replace(found, cadence=known.cadence))
        return True

    def exact_time(self, section: tuple[str, ...]) -> Schedule | None:
        """Return the days and clock times that a line below a heading adds to the heading's cadence, or None."""
        return self._exact.get(section)

    def _is_wake_up_heading(
        self, segment: Segment, text: str, found: Schedule, about: CadenceSubject
    ) -> bool:
        is_title = segment.first == self._outline.title_line
        if (about.is_waking and speaks_of_waking(about.words)) or in_waking_remark(
            text, self._outline
        ) == found:
            return True
        if not self._outline.is_heartbeat or self._outline.is_below_rhythm(segment):
            return False
        if is_title and not (_ADVERB_FIRST.match(found.cadence) or begins_name(text, found)):
            return True
        if _ROTATES.search(text):
            return False
        return about.is_waking and _is_often(found) and (is_title or self._groups < 2)

    def _is_wake_up(self, segment: Segment, found: Schedule, about: CadenceSubject, heading: str) -> bool:
        """Return whether a line below the headings gives the agent's own wake-up."""
        if about.is_waking and speaks_of_waking(about.words):
            return True
        if (
            self._outline.is_heartbeat
            and GENERAL.fullmatch(heading)
            and TIME_LABELLED.match(plain_text(segment.text))
        ):
            return True
        before = readable_line(plain_text(segment.text)).partition(found.cadence)[0]
        of_file = segment.kind in ("paragraph", "lead_in") and _THIS_FILE.search(
            re.split(r"[.!。！]", before)[-1]
        )
        if self._outline.is_heartbeat and of_file and not heading:
            return True
        below_task = heading or segment.section in self._timed_sections
        if below_task or not self._outline.is_heartbeat or self._groups > 1:
            return False
        opens = segment.kind in ("paragraph", "lead_in") and (
            about.cadence_first or is_about_waking_only(before)
        )
        text = plain_text(segment.text)
        labelled = TIME_LABELLED.match(text) and not task_title(re.split("[:：]", text, maxsplit=1)[0])
        return opens or bool(labelled) or (about.is_waking and not about.more)

    def _is_about_times(self, section: Sequence[str]) -> bool:
        """Return whether a section is about when the agent wakes, such as `Heartbeat schedule`."""
        last = section[-1] if section and section[-1] != self._outline.title else ""
        return self._outline.is_heartbeat and speaks_of_waking(last) and bool(WAKE_UP_TIMES.search(last))

    def _name_of(self, segment: Segment, found: Schedule, about: CadenceSubject) -> str:
        """Return the name that a line gives its task: what it says beside the cadence."""
        text = plain_text(segment.text)
        named = about.more if about.is_waking else about.words
        before, opened, _ = found.cadence.partition("(")
        if about.is_waking and opened and not is_about_waking_only(before):
            named = before  # "Weekly film review (10 AM)" is one cadence with its task
        if not self._outline.is_heartbeat and not about.is_waking:
            clause = clause_of_cadence(text, found)
            above = f"{plain_text(segment.section[-1])}: " if segment.section and _is_short(clause) else ""
            named = f"{above}{clause}" if clause else named
        return adverb_name(text, found.cadence) or task_title(short_name(without_marks(named)))

    def _task_before(self, section: tuple[str, ...]) -> str:
        """Return the task of the heading before one that only says when, such as `Frequency`, or `""`.

        After several tasks none of which has a cadence, it is that of them all.
        """
        if not section or section[-1] == self._outline.title or not TIME_LABELLED.match(f"{section[-1]}:"):
            return ""
        *above, last = section
        siblings = self._outline.siblings.get(tuple(above), [])
        before = siblings[: siblings.index(last)] if last in siblings else []
        named = [
            each for each in before if not self._outline.is_wakeish(each) and not GENERAL.fullmatch(each)
        ]
        timed = any((*above, each) in self._timed_sections for each in named)
        return named[-1] if len(named) == 1 or timed else ""

    def _labels_heading(self, segment: Segment, text: str, found: Schedule) -> bool:
        """Return whether a line says when its section is due: `Frequency: …`, or the only `Review: …` in it."""
        if TIME_LABELLED.match(text) and not task_title(re.split("[:：]", text, maxsplit=1)[0]):
            return True
        return self._is_one_word(segment, text, found) and self._times_in(segment.section) == 1

    def _is_one_word(self, segment: Segment, text: str, found: Schedule) -> bool:
        """Return whether a line of a task's section is a label of one word and a cadence, which names nothing alone."""
        label = _ONE_WORD.match(text) or _ONE_CJK_WORD.match(text)
        rest = text[label.end() :].strip(" .。*_`") if label else ""
        last = segment.section[-1:] if self._outline.is_heartbeat else ()
        names_task = all(not REGISTER.search(each) and not GENERAL.fullmatch(each) for each in last)
        return (
            bool(rest) and bool(last) and names_task and readable_line(rest) == readable_line(found.cadence)
        )

    def _times_in(self, section: tuple[str, ...]) -> int:
        """Return how many lines of a section give a time."""
        if section not in self._timed_lines:
            lines = (plain_text(each.text) for each in self._outline.segments if each.section == section)
            self._timed_lines[section] = sum(read_cadence(line) is not None for line in lines)
        return self._timed_lines[section]

    def _say_exactly(self, segment: Segment, found: Schedule) -> None:
        """Remember the days and clock times that a line adds to the cadence of the heading above it."""
        known = self._timed_sections[segment.section]
        if (found.times or found.days or found.active_start) and not (known.times or known.active_start):
            lines = lines_of(segment.first, segment.last)
            placed = replace(found, file=self._outline.path, lines=lines)
            self._exact.setdefault(
                segment.section, self._surrounding.with_times_around(placed, segment.section)
            )


def _is_group(segment: Segment) -> bool:
    """Return whether a segment is a heading or lead-in that has only a cadence, such as `Every 30 minutes:`."""
    if segment.kind not in ("heading", "lead_in") or speaks_of_waking(segment.text):
        return False
    found = read_cadence(segment.text)
    return found is not None and found.type != "event" and subject_of(segment.text, found).is_waking


def name_in_row(segment: Segment, row: TimeRow) -> str:
    """Return the name that a table row gives its task: what stands beside the time, or the first cell that is no id."""
    found = row.schedule
    if row.columns[0] == 0 and not is_time_header("".join(segment.header[:1])):
        cell = plain_text(segment.cells[0])
        if named := adverb_name(cell, found.cadence) or without_marks(subject_of(cell, found).words):
            return named
    cells = list(zip(map(plain_text, segment.cells), chain(segment.header, repeat("")), strict=False))
    others = [
        pair for place, pair in enumerate(cells) if place not in row.columns and re.search(r"\w", pair[0])
    ]
    named_cells = [
        cell for cell, header in others if not _ID_HEADER.fullmatch(header) and not _ID.fullmatch(cell)
    ]
    return next(iter(named_cells), others[0][0] if others else "")


def _is_often(found: Schedule) -> bool:
    """Return whether a cadence is shorter than a day, or has clock times on more than two days of the week."""
    if found.seconds:
        return found.seconds < DAY_SECONDS
    return bool(found.times) and len(found.days) not in (1, 2)


def _is_short(clause: str) -> bool:
    """Return whether a clause is one word, which needs its heading to say what it is about."""
    return " " not in clause and (clause.isascii() or len(clause) < _SHORTEST_CJK_NAME)


_STATUS_MARK: Final = re.compile(r"^\[(?:OK|x|X|!|✓|✔)\]\s*")
_NAME_LABEL: Final = LazyRegex(
    r"^(?:(?:task|job)(?: name)?|name|tarea|tarefa|aufgabe|tâche|задача|任[务務]名[称稱]?|タスク名)\s*[:：]\s*",
    re.IGNORECASE,
)


def without_marks(text: str) -> str:
    """Return the words of a name without the numbers, clock times and punctuation around them."""
    bare = _NAME_LABEL.sub("", _STATUS_MARK.sub("", text.strip()))
    bare = re.sub(r"\s+", " ", _JOB_TIMES.sub("", bare)).strip(" \t-–—:：,，;(（|#*.→>")
    bare = _HALF_REMARK.sub("", bare)
    return re.sub(r"^(?:\d{1,2}[.)]|\d{1,2}(?:\.\d{1,2})+) (?=\S)", "", bare)  # the number of a heading
