"""Tells the lists of jobs in Markdown, and the lines that hold several jobs, from notes about them."""

import re
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.wake_words import JOB, LIST_OF_JOBS
from melleafy_tui.core.language.time.cadence import is_time_header, read_cadence
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.source.segments import Segment

DATE: Final = LazyRegex(r"\b20\d\d\s?[-/.年]\s?\d{1,2}(?!\d)")
_DATED_REMARK: Final = LazyRegex(r"[(（][^()（）]{0,40}20\d\d[^()（）]{0,40}[)）]\s{0,4}$")
_JOBS_LABEL: Final = LazyRegex(r"[^:：\n]{0,40}[:：]\s+", re.IGNORECASE)
NAME_AND_TIME: Final = r"[\w./-]+(?: [\w./-]+){0,3}\s*[(（][^()（）]{2,30}[)）]"
"""A short name with its time in brackets: `copy (6h)`."""
_NAMED_TIME: Final = re.compile(rf"\s*{NAME_AND_TIME}\s*")
_LISTED: Final = re.compile(r"(?<=[)）])\s*[,，、;；]\s*")
_LONGEST_HEADING: Final = 40
_NAME_AND_INTERVAL: Final = re.compile(
    r"\w[^()（）:：]{1,60}[(（]\s*(?P<interval>\d{1,3} ?(?:h|hours?|hrs?|m|min|mins|minutes?))\s*[)）]"
)
"""A job with its interval in brackets, which elsewhere is how long something takes."""
_CLOCK_AND_ARROW: Final = re.compile(
    r"\w[^:：\n]{1,60}[:：]\s+(?P<time>(?P<clock>(?:[01]?\d|2[0-3]):[0-5]\d)"
    r"(?: (?P<place>[A-Z][\w/+-]*(?: [A-Z]\w*)?(?: time)?))?)\s*(?:→|->|=>)(?!\s*\d{1,2}:)"
)
"""A job's name, its clock time and zone, and what is done then; from one clock time to another is no job."""
_CLOCK_LAST: Final = re.compile(r"(?P<name>.*\w)\s+(?P<clock>(?:[01]?\d|2[0-3])[:：][0-5]\d)")


def is_list_of_jobs(segment: Segment) -> bool:
    """Return whether a segment is an entry of a list of jobs, rather than a note about them."""
    if segment.kind not in ("item", "table_row"):
        return False
    if segment.kind == "table_row" and any(map(is_time_header, segment.header)):
        return any(map(JOB.search, (*segment.cells, *segment.section[-1:])))
    if segment.kind == "item" and jobs_on_line(segment.text):
        return True
    heading = _DATED_REMARK.sub("", segment.section[-1]) if segment.section else ""
    return (
        len(heading) <= _LONGEST_HEADING and bool(LIST_OF_JOBS.search(heading)) and not DATE.search(heading)
    )


def job_in_list(segment: Segment, line: Segment, text: str) -> Schedule | None:
    """Return the time of an entry such as `copy (6h)` or `brief: 7:00 Berlin → send it` of a list of jobs, or None.

    Args:
        segment: The entry, which can be a part of a line.
        line: The line.
        text: The text of the entry.
    """
    if segment.kind != "item" or not (_is_below_jobs(segment) or jobs_on_line(line.text)):
        return None
    if interval := _NAME_AND_INTERVAL.fullmatch(text.strip()):
        found = read_cadence(f"every {interval['interval']}")
        return replace(found, cadence=interval["interval"]) if found is not None else None
    timed = _CLOCK_AND_ARROW.match(text)
    found = read_cadence(timed["clock"], expected=True) if timed else None
    if timed is None or found is None:
        return None
    place = timed["place"] or ""
    zone = zone_in(f"9:00 {place}") or zone_in(f"9:00 {place} time") if place else ""
    return replace(found, cadence=timed["time"], timezone=zone) if zone or not place else None


def _is_below_jobs(segment: Segment) -> bool:
    headings = (*segment.section[-1:], segment.lead_in)
    return any(
        len(each) <= _LONGEST_HEADING and LIST_OF_JOBS.search(each) and not DATE.search(each)
        for each in headings
    )


def jobs_on_line(text: str) -> list[str]:
    """Return the parts of a line such as `Cron jobs: copy (6h), report (Fri 18:00)`, none if it is another line."""
    label = _JOBS_LABEL.match(text[:LONGEST_READ])
    if label is None or not LIST_OF_JOBS.search(label.group()):
        return []
    parts = _LISTED.split(text[label.end() : LONGEST_READ])
    named = [_NAMED_TIME.fullmatch(part) for part in parts]
    return parts if len(parts) > 1 and all(named) else []


def jobs_in_paragraph(segment: Segment) -> list[str]:
    """Return the parts of a paragraph below `Cron` such as `copy 02:00 / report 23:30`, their times first."""
    heading = segment.section[-1] if segment.section else ""
    if segment.kind != "paragraph" or not LIST_OF_JOBS.search(heading):
        return []
    parts = [_CLOCK_LAST.fullmatch(part.strip()) for part in segment.text[:LONGEST_READ].split(" / ")]
    found = [f"{part['clock']} {part['name']}" for part in parts if part is not None]
    return found if len(found) > 1 and len(found) == len(parts) else []
