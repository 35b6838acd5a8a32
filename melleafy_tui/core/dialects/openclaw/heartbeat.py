"""Reads HEARTBEAT.md and BOOT.md: one element per cadence declaration and per checklist item."""

import re
from typing import Final

import yaml
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.declared_cadences import DeclaredTime, declared_in, task_above
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import HEARTBEAT_RULES
from melleafy_tui.core.dialects.tag_rules import Wording, first_match, wording_of
from melleafy_tui.core.language.time.cadence import read_cadence, schedule_fact
from melleafy_tui.core.language.wording import shorten, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import Facts, NamedFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Piece, cut_pieces

_TASKS_LINE: Final = LazyRegex(r"^(?:tasks|jobs)\s*[:：]$", re.IGNORECASE)
_TASK_PAIR: Final = LazyRegex(r"^[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>.*)$")
_TASK_WORDS: Final = ("prompt", "text", "task", "do", "action", "description", "message", "name", "id")
_TASK_TIMES: Final = ("interval", "every", "cadence", "schedule", "cron", "cooldown", "at")
TASK_ROW: Final = "heartbeat.task"
"""The mapping row of a task with a cadence of its own."""


def read_heartbeat(task: Task) -> list[Element]:
    """Return the elements of HEARTBEAT.md."""
    return _read(task, "heartbeat.item")


def read_boot(task: Task) -> list[Element]:
    """Return the elements of BOOT.md, which runs once when the gateway starts."""
    return _read(task, "boot.item")


def is_effectively_empty(elements: list[Element]) -> bool:
    """Return whether a heartbeat has only headings and comments; OpenClaw skips such a file."""
    return all(element.tag is Tag.NO_DECOMPOSE for element in elements)


def _read(task: Task, item_row: str) -> list[Element]:
    elements = []
    in_tasks = 0
    for piece in cut_pieces(task.file):
        if piece.kind == "lead_in" and _TASKS_LINE.match(piece.text.strip()):
            in_tasks = 1
            elements.append(task.factory.unconverted(piece, "heartbeat.tasks_block"))
            continue
        if piece.kind not in ("item", "comment"):
            in_tasks = 0
        if in_tasks and piece.kind == "item" and (found := _task_fields(piece)):
            elements.append(_task_item(task, piece, found, item_row))
            continue
        elements.append(_element(task, piece, item_row))
    return elements


def _element(task: Task, piece: Piece, item_row: str) -> Element:
    full = task.file.cut(piece.first, piece.last)
    wording = _wording(piece)
    if is_template_text(full):
        return task.factory.unconverted(piece, "heartbeat.template", template=True)
    only = runtime_only(full)
    timed = item_row != "boot.item" and not only
    declared = declared_in(task.file, piece.first, piece.last) if timed else ()
    own = next((found for found in declared if not found.title and found.schedule.type != "event"), None)
    if own is not None and (own.bare or piece.kind == "heading"):
        return _timed(task, piece, wording, own)
    named = next((found for found in declared if found.title), None)
    if named is not None and piece.kind in ("heading", "lead_in"):
        return _timed(task, piece, wording, named)
    tagged = first_match(HEARTBEAT_RULES, wording)
    if tagged.tag is Tag.NO_DECOMPOSE and named is None and own is None:
        return task.factory.unconverted(piece, tagged.rationale)
    if tagged.tag is Tag.NO_DECOMPOSE:
        return _timed(task, piece, wording, named or own)
    above = task_above(task.file, piece) if timed else None
    cadence = named or above or own
    rationale = (
        tagged.rationale.replace("heartbeat.", "boot.", 1) if item_row == "boot.item" else tagged.rationale
    )
    row = TASK_ROW if cadence is not None and cadence.title else item_row
    return task.factory.make(
        SourceSpan.of(piece),
        ElementText(wording.statement, summary=summarise(wording.statement), polarity=wording.polarity),
        TagDecision(tagged.tag, Category.C9, rationale, row, confidence=tagged.confidence),
        _facts(cadence),
        Remarks(runtime_only=only),
    )


def _wording(piece: Piece) -> Wording:
    wording = wording_of(piece)
    if piece.kind in ("item", "table_row") and wording.polarity is Polarity.DESCRIBES:
        return replace(wording, polarity=Polarity.OBLIGES)
    return wording


def _timed(task: Task, piece: Piece, wording: Wording, found: DeclaredTime | None) -> Element:
    """Return the element of a line that declares a cadence: the agent's own, or that of the task it names."""
    is_task = found is not None and bool(found.title)
    known = found is not None and found.schedule.type in ("interval", "cron", "times")
    return task.factory.make(
        SourceSpan.of(piece),
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


def _task_fields(piece: Piece) -> dict[str, str]:
    """Return the key-value pairs of one entry of a bare YAML `tasks:` block."""
    try:
        loaded = (
            yaml.safe_load("\n".join(piece.lines))
            if len(piece.text) < 4000 and "&" not in piece.text
            else None
        )
    except (yaml.YAMLError, ValueError, RecursionError):
        loaded = None
    if isinstance(loaded, dict):
        return {str(key): str(value) for key, value in loaded.items() if isinstance(value, str | int | float)}
    pairs = (_TASK_PAIR.match(line.strip()) for line in piece.lines)
    return {pair["key"]: pair["value"].strip("\"' ") for pair in pairs if pair}


def _task_item(task: Task, piece: Piece, fields: dict[str, str], item_row: str) -> Element:
    words = next((fields[key] for key in _TASK_WORDS if fields.get(key)), piece.words)
    time = next((fields[key] for key in _TASK_TIMES if fields.get(key)), "")
    full = task.file.cut(piece.first, piece.last)
    title = fields.get("name") or shorten(words)
    cadence = read_cadence(time) if time else None
    found = schedule_fact(cadence or Schedule(type="words", cadence=time), title=title)
    facts = Facts(*((found,) if time else ()), NamedFact(fields.get("name", "")))
    return task.factory.make(
        SourceSpan(piece.first, piece.last, "item", section=piece.section, context=piece.context),
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
