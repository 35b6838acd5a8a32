"""Finds what a workspace's Markdown says about time: the agent's own wake-up, and tasks with a cadence of their own.

HEARTBEAT.md is read line by line. In SOUL.md, AGENTS.md and TOOLS.md only schedules count: lists of jobs, headings
with a time, lines about cron, and what they say about the heartbeat; in MEMORY.md only the list of jobs, and only if
nothing else lists any. Stock text and comments declare nothing.
"""

from functools import lru_cache
from typing import Final

from melleafy_tui.core.dialects.openclaw.cadence_reader import CadenceReader, DeclaredTime, FileTimes
from melleafy_tui.core.dialects.openclaw.configuration import jobs_of
from melleafy_tui.core.dialects.openclaw.file_outline import HEARTBEAT_PATH, MEMORY_PATH
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

OTHER_PATHS: Final = ("SOUL.md", "AGENTS.md", "TOOLS.md")
"""Other files whose schedules count, in the order in which OpenClaw loads them."""


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
    return CadenceReader(file, segments).read()
