"""Knows the headings of a Markdown file: which of them name a task, are about the wake-up, or hold a log."""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.dialects.openclaw.cadence_subject import subject_of
from melleafy_tui.core.dialects.openclaw.job_lists import DATE
from melleafy_tui.core.dialects.openclaw.wake_words import (
    NO_TASKS,
    SETTINGS,
    is_about_waking_only,
    speaks_of_waking,
)
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import DAY_SECONDS, clocks_in
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.source.segments import Segment

HEARTBEAT_PATH: Final = "HEARTBEAT.md"
MEMORY_PATH: Final = "MEMORY.md"

_SEVERAL_IN_BRACKETS: Final = re.compile(r"[(（][^()（）\n]*[/／、|][^()（）\n]*[)）]\W*$")


class FileOutline:
    """The segments of one file below their headings.

    Attributes:
        path: The file's path.
        segments: Its segments, without stock text.
        is_heartbeat: Whether it is HEARTBEAT.md, every line of which may say when.
        is_memory: Whether it is MEMORY.md, of which only lists of jobs count.
        title: The words of its title, or `""`.
        title_line: The line of its title, or 0.
        siblings: The words of the headings in each section.
    """

    def __init__(self, path: str, segments: Sequence[Segment]) -> None:
        self.path = path
        self.segments = segments
        self.is_heartbeat = path == HEARTBEAT_PATH
        self.is_memory = path == MEMORY_PATH
        headings = [segment for segment in segments if segment.kind == "heading"]
        first = headings[0] if headings else None
        self.title = plain_text(first.text) if first is not None and first.level == 1 else ""
        self.title_line = first.first if self.title and first is not None else 0
        self.siblings: dict[tuple[str, ...], list[str]] = {}
        for heading in headings:
            self.siblings.setdefault(heading.section, []).append(plain_text(heading.text))
        self._logged = _logged_sections(segments) if self.is_heartbeat else frozenset()
        self._empty = _sections_without_tasks(segments)

    def task_heading(self, section: Sequence[str]) -> str:
        """Return the innermost heading that names a task or subject, or `""`."""
        named = (each for each in reversed(section) if each != self.title and not self.is_wakeish(each))
        return next(named, "")

    def is_wakeish(self, heading: str) -> bool:
        """Return whether a heading is about the wake-up or its settings, and names no task."""
        return speaks_of_waking(heading) or is_about_waking_only(heading) or bool(SETTINGS.fullmatch(heading))

    def is_in_log(self, segment: Segment) -> bool:
        """Return whether a segment stands in a dated entry of a log."""
        section = own_section(segment)
        dated = any(section[:depth] in self._logged for depth in range(1, len(section) + 1))
        return dated or (self.is_heartbeat and bool(DATE.search(segment.lead_in)))

    def is_empty(self, heading: Segment) -> bool:
        """Return whether nothing stands below a heading but that there are no tasks."""
        return own_section(heading) in self._empty

    def is_below_rhythm(self, heading: Segment) -> bool:
        """Return whether a heading stands below one such as `Daily tasks`, so that a mere clock time repeats."""
        above = read_cadence(heading.section[-1]) if heading.section and self.is_heartbeat else None
        return above is not None and not above.times and bool(above.seconds == DAY_SECONDS or above.days)

    def sums_up(self, heading: Segment) -> bool:
        """Return whether a heading only names the cadences or days of those below it: `Reviews (daily/weekly)`."""
        opened = own_section(heading)
        below = self.siblings.get(opened, ())
        found = read_cadence(heading.text) if self.is_heartbeat else None
        if found is not None and not found.times:
            timed = sum(bool(clocks_in(in_english(each).text)) for each in below)
            days_only = bool(found.days) and not subject_of(heading.text, found).more
            rows = days_only and subject_of(heading.text, found).is_waking and self._has_timed_rows(opened)
            if timed > 1 or rows:
                return True
        listed = _SEVERAL_IN_BRACKETS.search(plain_text(heading.text))
        return listed is not None and sum(read_cadence(each) is not None for each in below) > 1

    def _has_timed_rows(self, section: tuple[str, ...]) -> bool:
        """Return whether a section has table rows with clock times."""
        rows = (each for each in self.segments if each.section == section and each.kind == "table_row")
        return any(clocks_in(row.text) for row in rows)

    def leads_to_headings(self, segment: Segment) -> bool:
        """Return whether a line below a heading is followed by the headings of its parts."""
        following = next((each for each in self.segments if each.first > segment.last), None)
        if following is None or following.kind != "heading" or not self.task_heading(segment.section):
            return False
        return following.section[: len(segment.section)] == segment.section


def own_section(segment: Segment) -> tuple[str, ...]:
    """Return the section that a segment is in; for a heading, the one that it opens."""
    return (*segment.section, plain_text(segment.text)) if segment.kind == "heading" else segment.section


def _logged_sections(segments: Sequence[Segment]) -> frozenset[tuple[str, ...]]:
    """Return the sections whose heading has a date, and those with a clock time that follow one on the same level."""
    logged: set[tuple[str, ...]] = set()
    levels: set[int] = set()
    for heading in (segment for segment in segments if segment.kind == "heading"):
        levels = {level for level in levels if level <= heading.level}
        dated = DATE.search(heading.text)
        if dated or (heading.level in levels and clocks_in(heading.text)):
            levels.add(heading.level)
            logged.add(own_section(heading))
    return frozenset(logged)


def _sections_without_tasks(segments: Sequence[Segment]) -> frozenset[tuple[str, ...]]:
    """Return the sections in which nothing stands but that there are no tasks."""
    says_none: dict[tuple[str, ...], bool] = {}
    for segment in segments:
        none = segment.kind == "paragraph" and bool(NO_TASKS.match(plain_text(segment.text)))
        says_none[segment.section] = none and says_none.get(segment.section, True)
    return frozenset(section for section, none in says_none.items() if none and section)
