"""Finds what HEARTBEAT.md and lists of jobs only speak of: plans, what is switched off, examples, and logs."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Final

from melleafy_tui.core.dialects.openclaw.schedule_words import (
    consists_of,
    label_and_value,
    says,
    speaks_of_waking,
    starts_with,
    words_before,
)
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LONGEST_READ
from melleafy_tui.core.source.segments import Segment

OFF: Final = "The owner has switched it off."
STOPPED: Final = "It is paused, done or of the past, as its heading or its own words say."
EXAMPLE: Final = ""
"""An example, or what a log says was done, stays in the text."""

_BRACKET: Final = re.compile(r"[(（\[【]([^()（）\[\]【】\n]{1,60})[)）\]】]")
_PARTS: Final = re.compile(r"[,;，；、]")
_LAST_PART: Final = re.compile(r"(?:[:：]|\s[—–-]|—)\s*([^:：—–\n]{1,60})$")
_STRUCK_OUT: Final = re.compile(r"\W*~~.+~~\W*$")
_CLAUSES: Final = re.compile(r"[.!。！\n]|\s[—–-]\s")
_AROUND: Final = ("filler", "jobs", "wake")
_TOP: Final = 2
"""The most headings above a line that is about the whole file."""


def aside_in(segments: Sequence[Segment]) -> Mapping[int, str]:
    """Return why segments are no schedule, by their first lines: `STOPPED` or `EXAMPLE`."""
    off = {each.section for each in segments if _is_no_state(*label_and_value(_words(each)))} - {()}
    title = next((_words(each) for each in segments if each.kind == "heading" and each.level == 1), "")
    found: dict[int, str] = {}
    for segment in segments:
        opened = (*segment.section, _words(segment)) if segment.kind == "heading" else segment.section
        below_off = any(opened[: len(section)] == section for section in off)
        if below_off or any(map(_is_off_heading, opened)) or _is_off(segment):
            found[segment.first] = STOPPED
        elif _is_example(segment, opened, title):
            found[segment.first] = EXAMPLE
    return found


def is_switched_off(segments: Sequence[Segment]) -> bool:
    """Return whether a HEARTBEAT.md says of itself that the heartbeat is off."""
    return any(
        _switches_off(clause)
        for segment in segments
        if segment.kind in ("paragraph", "lead_in", "heading") and len(segment.section) <= _TOP
        for clause in _CLAUSES.split(_words(segment))
    )


def _switches_off(clause: str) -> bool:
    """Return whether a clause begins with the heartbeat and says that it is off: `Heartbeats retired for now`."""
    subject = words_before("off", clause) or words_before("no", clause)
    is_subject = speaks_of_waking(subject) and consists_of(subject, "state", *_AROUND)
    return is_subject and not starts_with("condition", clause)


def _is_no_state(label: str, value: str) -> bool:
    """Return whether a label or a column tells a state, in which nothing runs: `Status: paused`."""
    is_no = (says("no", value) or says("off", value)) and consists_of(value, "no", "off", *_AROUND)
    return is_no and says("state", label) and consists_of(label, "state", "filler")


def _is_off_text(text: str) -> bool:
    return says("off", text) and consists_of(text, "off", *_AROUND)


def _is_off_heading(heading: str) -> bool:
    """Return whether a heading says that what is below it doesn't run, or is only planned."""
    is_plan = says("plans", heading) and consists_of(heading, "plans", "off", *_AROUND)
    return is_plan or _is_off_text(heading) or _says_off(heading)


def _says_off(text: str) -> bool:
    """Return whether a text says in brackets or at its end that it doesn't run."""
    parts = [part for bracket in _BRACKET.findall(text) for part in _PARTS.split(bracket)]
    last = _LAST_PART.search(text)
    is_off_at_end = last is not None and _is_off_text(last[1])
    return is_off_at_end or any(starts_with("off", part) or _is_off_text(part) for part in parts)


def _is_off(segment: Segment) -> bool:
    """Return whether a line or table row says itself that it doesn't run."""
    if segment.kind == "table_row":
        cells = zip(segment.cells, chain(segment.header, repeat("")), strict=False)
        return any(_is_off_text(cell) or _is_no_state(header, cell) for cell, header in cells)
    if segment.kind not in ("item", "paragraph", "heading"):
        return False
    return bool(_STRUCK_OUT.match(segment.text)) or _says_off(_words(segment))


def _is_example(segment: Segment, opened: Sequence[str], title: str) -> bool:
    """Return whether a segment is an example, or stands below a heading of examples or a log other than the title."""
    label = label_and_value(_words(segment))[0] if segment.kind in ("item", "paragraph") else ""
    headings = [each for each in opened if each != title]
    return (
        starts_with("examples", label)
        or any(_has_at_edge("examples", each) for each in (*headings, plain_text(segment.lead_in)))
        or any(says("logs", each) and consists_of(each, "logs", *_AROUND) for each in headings)
    )


def _has_at_edge(topic: str, text: str) -> bool:
    """Return whether a text begins or ends with a word of a topic."""
    return starts_with(topic, text) or says(topic, text.rstrip(" :：*_)）.")[-12:])


def _words(segment: Segment) -> str:
    return plain_text(segment.text[:LONGEST_READ])
