"""Finds the cadences that HEARTBEAT.md declares in headings, sentences, items, time columns and `tasks:` blocks.

Stock text and comments never declare one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.language.time.cadence import read_cadence, read_time_cell, seconds_between
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

HEARTBEAT_PATH: Final = "HEARTBEAT.md"

_DECLARING: Final = ("heading", "lead_in", "paragraph", "item")
_TIME_FIELD: Final = re.compile(
    r"^\s*(?:-\s+)?[\"']?(?:interval|every|cadence|schedule|cron|frequency)[\"']?\s*[:：]\s*(?P<value>\S.*)$",
    re.IGNORECASE,
)


def declared_cadences(snapshot: Snapshot) -> tuple[Schedule, ...]:
    """Return every cadence of HEARTBEAT.md in source order with its place, including events."""
    file = snapshot.file(HEARTBEAT_PATH)
    return _in_file(file) if file is not None and file.text else ()


def most_frequent(schedules: tuple[Schedule, ...]) -> Schedule | None:
    """Return the schedule that wakes most often, since one wake-up serves all; events only if there is nothing else."""
    timed = [schedule for schedule in schedules if schedule.type != "event"]
    return min(timed or schedules, key=seconds_between, default=None)


def cadence_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return a finding for each cadence that was kept verbatim."""
    return tuple(
        diagnose("cadence-not-understood", found.file, found.lines, cadence=found.cadence)
        for found in declared_cadences(snapshot)
        if found.type == "words"
    )


@lru_cache(maxsize=8)
def _in_file(file: SourceFile) -> tuple[Schedule, ...]:
    return tuple(found for segment in cut_segments(file) for found in _in_segment(file, segment))


def _in_segment(file: SourceFile, segment: Segment) -> Iterator[Schedule]:
    if all(is_template_line(file.lines[line - 1]) for line in range(segment.first, segment.last + 1)):
        return
    if segment.kind == "table_row":
        cells = (
            read_time_cell(cell, segment.header[column] if column < len(segment.header) else "")
            for column, cell in enumerate(segment.cells)
        )
        found = next((cell for cell in cells if cell is not None), None)
        if found is not None:
            yield _placed(found, segment.first, segment.last)
        return
    if segment.kind == "fence" or (segment.kind == "item" and len(segment.lines) > 1):
        yield from _line_by_line(file, segment)
        return
    if segment.kind in _DECLARING:
        found = _field(segment.text) or read_cadence(segment.text)
        if found is not None:
            yield _placed(found, segment.first, segment.last)


def _line_by_line(file: SourceFile, segment: Segment) -> Iterator[Schedule]:
    for number in range(segment.first, segment.last + 1):
        line = file.lines[number - 1]
        if is_template_line(line):
            continue
        found = _field(line) or read_cadence(line)
        if found is not None:
            yield _placed(found, number, number)


def _field(line: str) -> Schedule | None:
    match = _TIME_FIELD.match(line)
    return read_cadence(match.group("value").strip("\"' ")) if match else None


def _placed(found: Schedule, first: int, last: int) -> Schedule:
    lines = str(first) if first == last else f"{first}-{last}"
    return replace(found, file=HEARTBEAT_PATH, lines=lines)
