"""Reads HEARTBEAT.md and BOOT.md: one element per cadence declaration and per checklist item."""

import re
from typing import Final

from melleafy_tui.core.dialects.element_factory import Home, left_out, own_words, standing_alone
from melleafy_tui.core.dialects.openclaw.heartbeat_times import HeartbeatTimes, task_fields, times_of
from melleafy_tui.core.dialects.openclaw.homes import AT_START, CADENCE, CHECKLIST, TASK
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.modality import own_names
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.rules_document import CARRIERS, carrier_name, form_of
from melleafy_tui.core.language.time.cadence import schedule_fact
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.source.segments import Segment, cut_segments

_TASKS_LINE: Final = LazyRegex(r"^(?:tasks|jobs)\s*[:：]$", re.IGNORECASE)


def read_heartbeat(task: Task) -> list[Element]:
    """Return the elements of HEARTBEAT.md."""
    return _read(task, CHECKLIST)


def read_boot(task: Task) -> list[Element]:
    """Return the elements of BOOT.md, which runs once when the gateway starts."""
    return _read(task, AT_START)


def _read(task: Task, home: Home) -> list[Element]:
    said = HeartbeatTimes() if home is AT_START else times_of(task.file, own_names(task.snapshot))
    return [_element(task, segment, home, said) for segment in cut_segments(task.file)]


def _element(task: Task, segment: Segment, home: Home, said: HeartbeatTimes) -> Element:
    full = task.file.cut(segment.first, segment.last)
    if is_template_text(full) or (segment.kind == "lead_in" and _TASKS_LINE.match(segment.text.strip())):
        is_stock = is_template_text(full)
        name = "text of the template" if is_stock else carrier_name(segment)
        return task.factory.unconverted(segment, name, template=is_stock)
    reason = "" if segment.kind in CARRIERS else said.aside.get(segment.first) or left_out_reason(full)
    part = None if reason else said.task_at(segment.first)
    wake_up = next((each for each in said.wake_ups if each.first <= segment.first <= each.last), None)
    if wake_up is not None and not reason and (wake_up.alone or segment.kind == "heading"):
        fact = schedule_fact(wake_up.schedule)
        return task.factory.make(segment, segment.words, CADENCE, Facts(fact))
    declares = part is not None and part.schedule.first_line <= segment.first <= part.first
    if form_of(segment) == "carrier" and not declares:
        return task.factory.unconverted(segment, carrier_name(segment))
    if part is not None and (fields := task_fields(segment)):
        statement = next((fields[key] for key in _TASK_WORDS if fields.get(key)), segment.words)
        summary = summarise(statement)
    else:
        statement, summary = standing_alone(segment), summarise(own_words(segment))
    facts = Facts(schedule_fact(part.schedule, title=part.title)) if part is not None else Facts()
    place = TASK if part is not None else home
    return task.factory.make(segment, statement, place, facts, summary=summary, decisions=left_out(reason))


_TASK_WORDS: Final = ("prompt", "text", "task", "do", "action", "description", "message", "name", "id")
"""The fields of an entry of a `tasks:` block that say what is done, the best one first."""
