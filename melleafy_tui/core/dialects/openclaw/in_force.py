"""Finds what HEARTBEAT.md and lists of jobs only speak of: plans, what is switched off, examples, and logs."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Final

from msgspec import Struct

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

_BRACKET: Final = re.compile(r"[(（\[【]([^()（）\[\]【】\n]{1,60})[)）\]】]")
_PARTS: Final = re.compile(r"[,;，；、]")
_LAST_PART: Final = re.compile(r"(?:[:：]|\s[—–-]|—)\s*([^:：—–\n]{1,60})$")
_STRUCK_OUT: Final = re.compile(r"\W*~~.+~~\W*$")
_CLAUSES: Final = re.compile(r"[.!。！\n]|\s[—–-]\s")
_AROUND: Final = ("filler", "jobs", "wake")
_YES: Final = ("yes", "on", "true", "enabled", "active")
_TOP: Final = 2
"""The most headings above a line that is about the whole file."""


class Aside(Struct, frozen=True):
    """The first lines of the segments that are no schedule.

    Attributes:
        stopped: Plans, what is switched off or given up.
        examples: Examples, and what a log says was done.
    """

    stopped: frozenset[int] = frozenset()
    examples: frozenset[int] = frozenset()

    def __contains__(self, line: int) -> bool:
        """Return whether what starts on a line is no schedule."""
        return line in self.stopped or line in self.examples


def aside_in(segments: Sequence[Segment]) -> Aside:
    """Return what a file only speaks of."""
    off = {*_sections_off(segments)} - {()}
    title = next((_words(each) for each in segments if each.kind == "heading" and each.level == 1), "")
    stopped: set[int] = set()
    examples: set[int] = set()
    for segment in segments:
        opened = _opened(segment)
        below_off = any(opened[: len(section)] == section for section in off)
        if below_off or any(map(_is_off_heading, opened)) or _is_off(segment):
            stopped.add(segment.first)
        elif _is_example(segment, opened, title):
            examples.add(segment.first)
    return Aside(frozenset(stopped), frozenset(examples))


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
    return (
        speaks_of_waking(subject)
        and consists_of(subject, "state", *_AROUND)
        and not starts_with("condition", clause)
    )


def _sections_off(segments: Sequence[Segment]) -> Iterator[tuple[str, ...]]:
    """Yield the sections with a state in which nothing runs."""
    for segment in segments:
        label, value = label_and_value(_words(segment))
        if not says("state", label) or not _is_no(value):
            continue
        if consists_of(label, "state", "filler"):
            yield segment.section


def _opened(segment: Segment) -> tuple[str, ...]:
    return (*segment.section, _words(segment)) if segment.kind == "heading" else segment.section


def _is_off_text(text: str) -> bool:
    return says("off", text) and consists_of(text, "off", *_AROUND)


def _is_no(value: str) -> bool:
    return (says("no", value) or says("off", value)) and consists_of(value, "no", "off", *_AROUND)


def _is_off_heading(heading: str) -> bool:
    """Return whether a heading says that what is below it doesn't run, or is only planned."""
    if _says_off(heading):
        return True
    return (says("plans", heading) or says("off", heading)) and consists_of(heading, "plans", "off", *_AROUND)


def _says_off(text: str) -> bool:
    """Return whether a text says in brackets or at its end that it doesn't run."""
    parts = [part for bracket in _BRACKET.findall(text) for part in _PARTS.split(bracket)]
    last = _LAST_PART.search(text)
    return any(starts_with("off", part) or _is_off_text(part) for part in parts) or bool(
        last and _is_off_text(last[1])
    )


def _is_off(segment: Segment) -> bool:
    """Return whether a line or table row says itself that it doesn't run."""
    if segment.kind == "table_row":
        cells = zip(segment.cells, chain(segment.header, repeat("")), strict=False)
        return any(
            _is_off_text(cell)
            or (consists_of(header, "state") and says("state", header) and says("no", cell))
            for cell, header in cells
        )
    if segment.kind not in ("item", "paragraph", "heading"):
        return False
    label, value = label_and_value(_words(segment))
    switch = says("state", label) and (_is_no(value) or value.strip(" .").casefold() in _YES)
    return bool(_STRUCK_OUT.match(segment.text)) or _says_off(_words(segment)) or switch


def _is_example(segment: Segment, opened: Sequence[str], title: str) -> bool:
    """Return whether a segment is an example, or stands below a heading of examples or a log other than the title."""
    headings = (each for each in opened if each != title)
    return (
        any(
            _has_at_edge("examples", each) or (says("logs", each) and consists_of(each, "logs", *_AROUND))
            for each in headings
        )
        or _has_at_edge("examples", plain_text(segment.lead_in))
        or (
            segment.kind in ("item", "paragraph")
            and starts_with("examples", label_and_value(_words(segment))[0])
        )
    )


def _has_at_edge(topic: str, text: str) -> bool:
    """Return whether a text begins or ends with a word of a topic."""
    return starts_with(topic, text) or says(topic, text.rstrip(" :：*_)）.")[-12:])


def _words(segment: Segment) -> str:
    return plain_text(segment.text[:LONGEST_READ])
