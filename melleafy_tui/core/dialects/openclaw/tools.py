"""Reads TOOLS.md and the tool guidance in AGENTS.md, which describe tools but grant none.

Concrete details (address, method, command, workspace script) are recorded as facts for the planner.
"""

import re
from typing import Final

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.fields import field_of_piece
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.runtime_only import (
    OPENCLAW_FACT,
    is_openclaw_heading,
    runtime_only,
    runtime_only_row,
)
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import TOOLS_RULES
from melleafy_tui.core.dialects.shell_requests import split_requests
from melleafy_tui.core.dialects.tag_rules import Wording, first_match, lead_of, list_role, row_polarity
from melleafy_tui.core.dialects.tool_facts import tool_fact
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.lead_ins import heading_row, read_with_lead_in
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments


def read_tools(task: Task) -> list[Element]:
    """Return the elements of TOOLS.md."""
    segments = split_requests(cut_segments(task.file), task.file)
    return [tool_element(task, segment) for segment in segments]


def tool_element(task: Task, segment: Segment) -> Element:
    """Return the element of one segment of tool guidance."""
    full = task.file.cut(segment.first, segment.last)
    template = is_template_text(full)
    wording = _wording(segment)
    tagged = first_match(TOOLS_RULES, wording)
    field = field_of_piece(segment) if segment.kind != "lead_in" else None
    empty = field is not None and not field.is_filled and not wording.segment.kind.startswith("table")
    if tagged.tag is Tag.NO_DECOMPOSE or (template and task.rule_id == "openclaw.tools") or empty:
        rationale = "tools.template" if template and tagged.tag is not Tag.NO_DECOMPOSE else tagged.rationale
        return task.factory.unconverted(
            segment,
            "tools.placeholder" if empty else rationale,
            template=template,
            confidence=1.0 if template or empty else tagged.confidence,
        )
    fact = tool_fact(segment, wording.text, full, task.snapshot)
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(_with_name(fact.name, wording.statement), polarity=wording.polarity),
        TagDecision(tagged.tag, Category.C6, tagged.rationale, _row(fact), confidence=tagged.confidence),
        Facts(fact),
        Remarks(template=template, runtime_only=_runtime_only(segment, full, tagged.tag, template=template)),
    )


def _runtime_only(segment: Segment, full: str, tag: Tag, *, template: bool) -> str:
    row = runtime_only_row(full) if template else None
    if row is not None:
        return row.reason
    facts = tag in (Tag.CONFIG, Tag.TOOL_TEMPLATE, Tag.ORCHESTRATE)
    if facts and any(map(is_openclaw_heading, segment.section[1:])):
        return OPENCLAW_FACT
    return runtime_only(full)


def _row(fact: ToolFact) -> str:
    return {"concrete_http": "tools.endpoint", "concrete_script": "tools.script"}.get(
        fact.subtype, "tools.narrative"
    )


def _with_name(name: str, statement: str) -> str:
    named = statement if re.search(r"[./]", name) else _names_of(statement)
    if name and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", named, re.IGNORECASE):
        return f"{name}: {statement}"
    return statement


def _names_of(statement: str) -> str:
    """Return a statement without addresses and host names, where a tool's name doesn't refer to the tool."""
    return re.sub(r"(?<!\S)\S[^\s./]*[./]\S+", "", statement)


def _wording(segment: Segment) -> Wording:
    if segment.kind == "table_row":
        text = _row_text(segment)
    elif segment.kind == "fence":
        text = "\n".join(part for part in (segment.lead_in, *segment.lines) if part)
    else:
        text = segment.words
    own = row_polarity(segment) if segment.kind == "table_row" else polarity_of(text)
    if segment.kind in (
        "heading",
        "comment",
        "rule",
        "other",
        "frontmatter",
        "table_header",
        "lead_in",
        "fence",
    ):
        return Wording(segment, text, text, Polarity.DESCRIBES, Polarity.DESCRIBES)
    heading = segment.section[-1] if segment.section else ""
    governs = segment.kind == "item" and heading_row(heading).name in _GOVERNING
    reading = read_with_lead_in(text, segment.context, heading if governs else "")
    role = list_role(lead_of(segment), segment.above, heading) if segment.ordered else ""
    return Wording(segment, text, reading.statement, reading.polarity, own, reading.lead_ins, heading, role)


_GOVERNING: Final = ("forbids", "permits", "ask_first", "red_lines", "trigger")
"""Rows of headings that make rules of the items below them."""


def _row_text(segment: Segment) -> str:
    """Return a table row as `column: cell` pairs."""
    names = [plain_text(name) for name in segment.header]
    cells = [plain_text(cell, keep_code_marks=True) for cell in segment.cells]
    return "; ".join(
        f"{names[i]}: {cell}" if i < len(names) and names[i] else cell for i, cell in enumerate(cells) if cell
    )
