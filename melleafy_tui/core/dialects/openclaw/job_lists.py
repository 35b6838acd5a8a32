"""Tells the lists of jobs in Markdown, and the lines that hold several jobs, from notes about them."""

import re
from typing import Final

from melleafy_tui.core.dialects.openclaw.wake_words import JOB, LIST_OF_JOBS
from melleafy_tui.core.language.time.cadence import is_time_header
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.source.segments import Segment

DATE: Final = LazyRegex(r"\b20\d\d\s?[-/.年]\s?\d{1,2}(?!\d)")
_DATED_REMARK: Final = LazyRegex(r"[(（][^()（）]{0,40}20\d\d[^()（）]{0,40}[)）]\s{0,4}$")
_JOBS_LABEL: Final = LazyRegex(r"[^:：\n]{0,40}[:：]\s+", re.IGNORECASE)
NAME_AND_TIME: Final = r"[\w./-]+(?: [\w./-]+){0,3}\s*[(（][^()（）]{2,30}[)）]"
"""A short name with its time in brackets: `copy (6h)`."""
_NAMED_TIME: Final = re.compile(rf"\s*{NAME_AND_TIME}\s*")
_LISTED: Final = re.compile(r"(?<=[)）])\s*[,，、;；]\s*")
_LONGEST_HEADING: Final = 40
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
