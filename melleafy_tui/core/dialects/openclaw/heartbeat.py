"""Reads HEARTBEAT.md and BOOT.md: one element per cadence declaration and per checklist item."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import (
    ElementText,
    Home,
    Remarks,
    SourceSpan,
    left_out,
    own_words,
    standing_alone,
)
from melleafy_tui.core.dialects.openclaw.cadence_reader import DeclaredTime
from melleafy_tui.core.dialects.openclaw.declared_cadences import declared_in, not_running, task_above
from melleafy_tui.core.dialects.openclaw.homes import AT_START, CADENCE, CHECKLIST, TASK
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.rules_document import CARRIERS, carrier_name, form_of
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.time.cadence import read_cadence, schedule_fact
from melleafy_tui.core.language.wording import shorten, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import Facts, NamedFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.source.segments import Segment, cut_segments

_TASKS_LINE: Final = LazyRegex(r"^(?:tasks|jobs)\s*[:：]$", re.IGNORECASE)
_TASK_PAIR: Final = LazyRegex(r"^[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>.*)$")
_TASK_WORDS: Final = ("prompt", "text", "task", "do", "action", "description", "message", "name", "id")
_TASK_TIMES: Final = ("interval", "every", "cadence", "schedule", "cron", "cooldown", "at")


def read_heartbeat(task: Task) -> list[Element]:
    """Return the elements of HEARTBEAT.md."""
    return _read(task, CHECKLIST)


def read_boot(task: Task) -> list[Element]:
    """Return the elements of BOOT.md, which runs once when the gateway starts."""
    return _read(task, AT_START)


def is_effectively_empty(elements: list[Element]) -> bool:
    """Return whether a heartbeat has only headings and comments; OpenClaw skips such a file."""
    return all(element.tag is Tag.NO_DECOMPOSE or element.is_left_out for element in elements)


def _read(task: Task, home: Home) -> list[Element]:
    elements = []
    in_tasks = False
    for segment in _with_comments_read(cut_segments(task.file)):
        if segment.kind == "lead_in" and _TASKS_LINE.match(segment.text.strip()):
            in_tasks = True
            elements.append(task.factory.unconverted(segment, carrier_name(segment)))
            continue
        if segment.kind not in ("item", "comment"):
            in_tasks = False
        if in_tasks and segment.kind == "item" and (found := _task_fields(segment)):
            elements.append(_task_item(task, segment, found, home))
            continue
        elements.append(_element(task, segment, home))
    return elements


_SENTENCE_END: Final = (".", "!", "?", "。", "！", "？")


def _with_comments_read(segments: Sequence[Segment]) -> list[Segment]:
    """Return segments with orders in blocks of lines that start with `#` as paragraphs.

    Owners write them as comments in a script are written. OpenClaw shows them to the agent like any text, unless the
    file holds nothing else: then it doesn't wake it.
    """
    if all(segment.kind in ("heading", "comment", "rule", "other") for segment in segments):
        return [*segments]
    headings = {segment.first for segment in segments if segment.kind == "heading"}
    return [
        replace(segment, kind="paragraph")
        if segment.first in headings
        and headings & {segment.first - 1, segment.last + 1}
        and segment.words.endswith(_SENTENCE_END)
        else segment
        for segment in segments
    ]


_STOPPED: Final = {
    "switched_off": "The owner has switched it off.",
    "not_in_force": "It is paused, done or of the past, as its heading or its own words say.",
}
"""Why a line of HEARTBEAT.md doesn't run."""


def _element(task: Task, segment: Segment, home: Home) -> Element:
    full = task.file.cut(segment.first, segment.last)
    if is_template_text(full):
        return task.factory.unconverted(segment, "text of the template", template=True)
    stopped = not_running(task.file, segment.first) if home is not AT_START else ""
    reason = "" if segment.kind in CARRIERS else _STOPPED.get(stopped, "") or left_out_reason(full)
    timed = home is not AT_START and not reason
    own, named = _cadences(task, segment) if timed else (None, None)
    declared = _declared(segment, own, named)
    if declared is not None:
        return _timed(task, segment, declared)
    if form_of(segment) == "carrier":
        return task.factory.unconverted(segment, carrier_name(segment))
    found = named or (_task_above(task, segment) if timed else None) or own
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(standing_alone(segment), summary=summarise(own_words(segment))),
        TASK if found is not None and found.title else home,
        _facts(found),
        Remarks(decisions=left_out(reason)),
    )


def _task_above(task: Task, segment: Segment) -> DeclaredTime | None:
    """Return the task whose section a line is in, unless only an event starts it."""
    above = task_above(task.file, segment)
    return above if above is not None and above.schedule.type != "event" else None


def _cadences(task: Task, segment: Segment) -> tuple[DeclaredTime | None, DeclaredTime | None]:
    """Return the agent's own cadence that a line declares, and that of a task it names.

    The start of a session is no cadence: the line stays on the checklist, with its condition.
    """
    declared = [
        found
        for found in declared_in(task.file, segment.first, segment.last)
        if found.schedule.type != "event"
    ]
    own = next((found for found in declared if not found.title), None)
    return own, next((found for found in declared if found.title), None)


def _declared(segment: Segment, own: DeclaredTime | None, named: DeclaredTime | None) -> DeclaredTime | None:
    """Return the cadence of a line that does nothing but declare it, or None for an item of the checklist."""
    if own is not None and (own.bare or segment.kind == "heading"):
        return own
    if named is not None and segment.kind in ("heading", "lead_in"):
        return named
    orders = segment.kind != "paragraph" or polarity_of(segment.words) is not Polarity.DESCRIBES
    return None if orders and segment.kind not in CARRIERS else named or own


def _timed(task: Task, segment: Segment, found: DeclaredTime) -> Element:
    """Return the element of a line that declares a cadence: the agent's own, or that of the task it names."""
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(segment.words),
        TASK if found.title else CADENCE,
        _facts(found),
    )


def _facts(found: DeclaredTime | None) -> Facts:
    return Facts(schedule_fact(found.schedule, title=found.title)) if found is not None else Facts()


def _task_fields(segment: Segment) -> dict[str, str]:
    """Return the key-value pairs of one entry of a bare YAML `tasks:` block."""
    import yaml  # few files have such a block

    try:
        loaded = (
            yaml.safe_load("\n".join(segment.lines))
            if len(segment.text) < 4000 and "&" not in segment.text
            else None
        )
    except (yaml.YAMLError, ValueError, RecursionError):
        loaded = None
    if isinstance(loaded, dict):
        return {str(key): str(value) for key, value in loaded.items() if isinstance(value, str | int | float)}
    pairs = (_TASK_PAIR.match(line.strip()) for line in segment.lines)
    return {pair["key"]: pair["value"].strip("\"' ") for pair in pairs if pair}


def _task_item(task: Task, segment: Segment, fields: dict[str, str], home: Home) -> Element:
    words = next((fields[key] for key in _TASK_WORDS if fields.get(key)), segment.words)
    time = next((fields[key] for key in _TASK_TIMES if fields.get(key)), "")
    cadence = read_cadence(time) if time else None
    found = schedule_fact(
        cadence or Schedule(type="words", cadence=time), title=fields.get("name") or shorten(words)
    )
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(f"{words} ({time})" if time else words, summary=summarise(words)),
        TASK if time else home,
        Facts(*((found,) if time else ()), NamedFact(fields.get("name", ""))),
        Remarks(decisions=left_out(left_out_reason(task.file.cut(segment.first, segment.last)))),
    )
