"""Reads HEARTBEAT.md and BOOT.md: one element per cadence declaration and per checklist item."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.cadence_reader import DeclaredTime
from melleafy_tui.core.dialects.openclaw.declared_cadences import declared_in, not_running, task_above
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_exactly_template, is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import HEARTBEAT_RULES
from melleafy_tui.core.dialects.openclaw.whole_orders import with_siblings
from melleafy_tui.core.dialects.tag_rules import Tagged, Wording, first_match, wording_of
from melleafy_tui.core.language.directives import has_condition, polarity_of
from melleafy_tui.core.language.time.cadence import read_cadence, schedule_fact
from melleafy_tui.core.language.wording import shorten, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import Facts, NamedFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments

_TASKS_LINE: Final = LazyRegex(r"^(?:tasks|jobs)\s*[:：]$", re.IGNORECASE)
_TASK_PAIR: Final = LazyRegex(r"^[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>.*)$")
_TASK_WORDS: Final = ("prompt", "text", "task", "do", "action", "description", "message", "name", "id")
_TASK_TIMES: Final = ("interval", "every", "cadence", "schedule", "cron", "cooldown", "at")
_BOOT_ROW: Final = "boot.item"
_FACT_ROW: Final = "agents.rule"
OWNERS_PROSE: Final = ("heartbeat.owners_prose", "heartbeat.told")
"""The tag rules of a paragraph that orders nothing, and may only declare a cadence."""
TASK_ROW: Final = "heartbeat.task"
"""The mapping row of a task with a cadence of its own."""


def read_heartbeat(task: Task) -> list[Element]:
    """Return the elements of HEARTBEAT.md."""
    return _read(task, "heartbeat.item")


def read_boot(task: Task) -> list[Element]:
    """Return the elements of BOOT.md, which runs once when the gateway starts."""
    return _read(task, _BOOT_ROW)


def is_effectively_empty(elements: list[Element]) -> bool:
    """Return whether a heartbeat has only headings and comments; OpenClaw skips such a file."""
    return all(element.tag is Tag.NO_DECOMPOSE for element in elements)


def _read(task: Task, item_row: str) -> list[Element]:
    elements = []
    in_tasks = 0
    segments = _with_comments_read(cut_segments(task.file))
    for segment in segments:
        if segment.kind == "lead_in" and _TASKS_LINE.match(segment.text.strip()):
            in_tasks = 1
            elements.append(task.factory.unconverted(segment, "heartbeat.tasks_block"))
            continue
        if segment.kind not in ("item", "comment"):
            in_tasks = 0
        if in_tasks and segment.kind == "item" and (found := _task_fields(segment)):
            elements.append(_task_item(task, segment, found, item_row))
            continue
        elements.append(_element(task, segment, item_row))
    return with_siblings(segments, elements)


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
        and (has_condition(segment.words) or polarity_of(segment.words) is not Polarity.DESCRIBES)
        else segment
        for segment in segments
    ]


def _element(task: Task, segment: Segment, item_row: str) -> Element:
    full = task.file.cut(segment.first, segment.last)
    paraphrased = segment.kind in ("item", "table_row") and not is_exactly_template(full)
    if is_template_text(full) and not paraphrased:  # an owner's own words for a stock check are its check
        return task.factory.unconverted(segment, "heartbeat.template", template=True)
    stopped = not_running(task.file, segment.first) if item_row != _BOOT_ROW else ""
    if stopped and segment.kind != "heading":
        return task.factory.unconverted(segment, f"heartbeat.{stopped}")
    wording = _wording(segment)
    tagged = first_match(HEARTBEAT_RULES, wording)
    only = runtime_only(full)
    timed = item_row != _BOOT_ROW and not only
    own, named = _cadences(task, segment) if timed else (None, None)
    is_item = tagged.tag is not Tag.NO_DECOMPOSE and tagged.rationale not in OWNERS_PROSE
    declared = _declared(segment, own, named, is_item=is_item)
    if declared is not None:
        return _timed(task, segment, wording, declared)
    if tagged.tag is Tag.NO_DECOMPOSE:
        return task.factory.unconverted(segment, tagged.rationale, confidence=tagged.confidence)
    if tagged.tag is Tag.CONFIG:
        return _fact(task, segment, wording, tagged, only)
    above = _task_above(task, segment) if timed else None
    return _item(task, segment, wording, tagged, named or above or own, item_row, only)


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


def _declared(
    segment: Segment, own: DeclaredTime | None, named: DeclaredTime | None, *, is_item: bool
) -> DeclaredTime | None:
    """Return the cadence of a line that does nothing but declare it, or None for an item of the checklist."""
    if own is not None and (own.bare or segment.kind == "heading"):
        return own
    if named is not None and segment.kind in ("heading", "lead_in"):
        return named
    return None if is_item else named or own


def _fact(task: Task, segment: Segment, wording: Wording, tagged: Tagged, only: str) -> Element:
    """Return the element of a fact: it is part of what the agent knows, not of what a wake-up does."""
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(wording.statement, summary=summarise(wording.statement)),
        TagDecision(tagged.tag, Category.C2, tagged.rationale, _FACT_ROW, confidence=tagged.confidence),
        remarks=Remarks(runtime_only=only),
    )


def _item(
    task: Task,
    segment: Segment,
    wording: Wording,
    tagged: Tagged,
    cadence: DeclaredTime | None,
    item_row: str,
    only: str,
) -> Element:
    is_boot = item_row == _BOOT_ROW
    rationale = tagged.rationale.replace("heartbeat.", "boot.", 1) if is_boot else tagged.rationale
    row = TASK_ROW if cadence is not None and cadence.title else item_row
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(wording.statement, summary=summarise(wording.statement), polarity=wording.polarity),
        TagDecision(tagged.tag, Category.C9, rationale, row, confidence=tagged.confidence),
        _facts(cadence),
        Remarks(runtime_only=only),
    )


def _wording(segment: Segment) -> Wording:
    wording = wording_of(segment)
    if segment.kind in ("item", "table_row") and wording.polarity is Polarity.DESCRIBES:
        return replace(wording, polarity=Polarity.OBLIGES)
    return wording


def _timed(task: Task, segment: Segment, wording: Wording, found: DeclaredTime | None) -> Element:
    """Return the element of a line that declares a cadence: the agent's own, or that of the task it names."""
    is_task = found is not None and bool(found.title)
    known = found is not None and found.schedule.type in ("interval", "cron", "times")
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(wording.text, summary=summarise(wording.text), polarity=Polarity.OBLIGES),
        TagDecision(
            Tag.ORCHESTRATE,
            Category.C9,
            TASK_ROW if is_task else "heartbeat.cadence",
            TASK_ROW if is_task else "heartbeat.body",
            confidence=0.9 if known else 0.7,
        ),
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


def _task_item(task: Task, segment: Segment, fields: dict[str, str], item_row: str) -> Element:
    words = next((fields[key] for key in _TASK_WORDS if fields.get(key)), segment.words)
    time = next((fields[key] for key in _TASK_TIMES if fields.get(key)), "")
    full = task.file.cut(segment.first, segment.last)
    title = fields.get("name") or shorten(words)
    cadence = read_cadence(time) if time else None
    found = schedule_fact(cadence or Schedule(type="words", cadence=time), title=title)
    facts = Facts(*((found,) if time else ()), NamedFact(fields.get("name", "")))
    return task.factory.make(
        SourceSpan(segment.first, segment.last, "item", section=segment.section, context=segment.context),
        ElementText(
            f"{words} ({time})" if time else words, summary=summarise(words), polarity=Polarity.OBLIGES
        ),
        TagDecision(
            Tag.ORCHESTRATE,
            Category.C9,
            "heartbeat.tasks_entry",
            TASK_ROW if time else item_row,
            confidence=0.9,
        ),
        facts,
        Remarks(runtime_only=runtime_only(full)),
    )
