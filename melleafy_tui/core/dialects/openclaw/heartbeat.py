"""Reads HEARTBEAT.md and BOOT.md: one element per cadence declaration and per checklist item."""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

import yaml
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import HEARTBEAT_RULES
from melleafy_tui.core.dialects.tag_rules import NON_LATIN, Wording, first_match, wording_of
from melleafy_tui.core.language.directives import is_imperative
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import Facts, NamedFact, ScheduleFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments

_DECLARES: Final = ("paragraph", "heading", "lead_in", "item", "table_row")
_TASKS_LINE: Final = LazyRegex(r"^(?:tasks|jobs)\s*[:：]$", re.IGNORECASE)
_TASK_PAIR: Final = LazyRegex(r"^[\"']?(?P<key>[A-Za-z_]\w{0,30})[\"']?\s*:\s*(?P<value>.*)$")
_TASK_WORDS: Final = ("prompt", "text", "task", "do", "action", "description", "message", "name", "id")
_TASK_TIMES: Final = ("interval", "every", "cadence", "schedule", "cron", "cooldown", "at")
_ONLY_RUNS: Final = LazyRegex(
    r"(?:run|wake|check[- ]?in|execute|trigger|运行|執行|执行|唤醒|一次|心跳|起動|実行|запуск|между|с\s|в\s)",
    re.IGNORECASE,
)
_ONLY_WAKES: Final = LazyRegex(
    r"^\W*(?:please\s+)?(?:run|wake(?: up)?|heartbeat|cadence|schedule|interval|frequency|check[- ]?in|runs|fires?|execute|trigger|频率|间隔|运行|執行|執行頻率"
    r"|запуск|интервал|ejecutar|frecuencia|executar|frequência)?\W*(?:this|the (?:heartbeat|agent|checklist|loop)|heartbeat|me|agent)?\W*(?:[:：]|is)?\s*"
    r"(?:every|each|hourly|daily|weekly|once|twice|on|at|between|\d|每|每天|毎|каждые|cada|a cada)",
    re.IGNORECASE,
)


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
    for segment in cut_segments(task.file):
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
    return elements


def _element(task: Task, segment: Segment, item_row: str) -> Element:
    full = task.file.cut(segment.first, segment.last)
    wording = _wording(segment)
    if is_template_text(full):
        return task.factory.unconverted(segment, "heartbeat.template", template=True)
    only = runtime_only(full)
    cadence = (
        None
        if only or item_row == "boot.item" or segment.kind not in _DECLARES
        else read_cadence(wording.text)
    )
    if cadence is not None and (not cadence.type or cadence.type == "event"):
        cadence = None
    if cadence is not None and (
        segment.kind not in ("item", "table_row")
        or (_ONLY_WAKES.match(wording.text) and not _does_more(wording.text, cadence.cadence))
    ):
        return _declaration(task, segment, wording, cadence)
    tagged = first_match(HEARTBEAT_RULES, wording)
    if tagged.tag is Tag.NO_DECOMPOSE:
        return task.factory.unconverted(segment, tagged.rationale)
    rationale = (
        tagged.rationale.replace("heartbeat.", "boot.", 1) if item_row == "boot.item" else tagged.rationale
    )
    facts = _cadence_facts(cadence)
    statement = wording.statement
    under = _heading_cadence(segment)
    if not facts and under:
        facts = _cadence_facts(under)
        statement = f"{segment.section[-1]}: {statement}" if segment.section else statement
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(statement, summary=summarise(wording.statement), polarity=wording.polarity),
        TagDecision(tagged.tag, Category.C9, rationale, item_row, confidence=tagged.confidence),
        facts,
        Remarks(runtime_only=only),
    )


def _wording(segment: Segment) -> Wording:
    wording = wording_of(segment)
    if segment.kind in ("item", "table_row") and wording.polarity is Polarity.DESCRIBES:
        return replace(wording, polarity=Polarity.OBLIGES)
    return wording


def _does_more(text: str, cadence: str) -> bool:
    """Return whether a line with a cadence also gives a task, after a colon, a dash or the cadence itself."""
    rest_of_line = text.partition(cadence)[2].strip(" .,，。") if cadence else ""
    if (
        rest_of_line
        and not _ONLY_RUNS.match(rest_of_line)
        and (is_imperative(rest_of_line) or NON_LATIN.match(rest_of_line))
    ):
        return True
    work = re.search(r"(?:[:：]|\s[—–-]\s|→|,\s*(?:then|and)\b)\s*(?P<rest>\S.*)$", text)
    if work is None:
        return False
    return read_cadence(work["rest"]) is None


def _heading_cadence(segment: Segment) -> Schedule | None:
    if not segment.section:
        return None
    found = read_cadence(segment.section[-1])
    return found if found is not None and found.type and found.type != "event" else None


def _declaration(task: Task, segment: Segment, wording: Wording, cadence: Schedule) -> Element:
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(wording.text, summary=summarise(wording.text), polarity=Polarity.OBLIGES),
        TagDecision(
            Tag.ORCHESTRATE,
            Category.C9,
            "heartbeat.cadence",
            "heartbeat.body",
            confidence=0.9 if cadence.type in ("interval", "cron") else 0.7,
        ),
        _cadence_facts(cadence),
    )


def _cadence_facts(cadence: Schedule | None) -> Facts:
    if cadence is None or not cadence.cadence:
        return Facts()
    return Facts(ScheduleFact(cadence.cadence, cadence.seconds or None, cadence.cron))


def _task_fields(segment: Segment) -> dict[str, str]:
    """Return the key-value pairs of one entry of a bare YAML `tasks:` block."""
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
    cadence = read_cadence(time) if time else None
    facts = (_cadence_facts(cadence) or Facts(ScheduleFact(cadence=time))).adding(
        NamedFact(fields.get("name", ""))
    )
    return task.factory.make(
        SourceSpan(segment.first, segment.last, "item", section=segment.section, context=segment.context),
        ElementText(
            f"{words} ({time})" if time else words, summary=summarise(words), polarity=Polarity.OBLIGES
        ),
        TagDecision(Tag.ORCHESTRATE, Category.C9, "heartbeat.tasks_entry", item_row, confidence=0.9),
        facts,
        Remarks(runtime_only=runtime_only(full)),
    )
