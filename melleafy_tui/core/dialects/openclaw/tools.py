"""Reads TOOLS.md and the tool guidance in AGENTS.md, which describe tools but grant none.

Concrete details (address, method, command, workspace script) are recorded as facts for the planner.
"""

import re

from melleafy_tui.core.dialects.element_factory import (
    PLACEHOLDER,
    ElementText,
    Remarks,
    SourceSpan,
    left_out,
    own_words,
    standing_alone,
)
from melleafy_tui.core.dialects.openclaw.fields import field_of_piece
from melleafy_tui.core.dialects.openclaw.homes import TOOLS
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.rules_document import carrier_name, form_of
from melleafy_tui.core.dialects.shell_requests import split_requests
from melleafy_tui.core.dialects.tool_facts import tool_fact
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.source.segments import Segment, cut_segments


def read_tools(task: Task) -> list[Element]:
    """Return the elements of TOOLS.md."""
    segments = split_requests(cut_segments(task.file), task.file)
    return [tool_element(task, segment) for segment in segments]


def tool_element(task: Task, segment: Segment) -> Element:
    """Return the element of one segment of tool guidance."""
    full = task.file.cut(segment.first, segment.last)
    template = is_template_text(full)
    if form_of(segment) == "carrier":
        return task.factory.unconverted(segment, carrier_name(segment), template=template)
    if template and task.rule_id == "openclaw.tools":  # the template's examples are no tools of this agent
        return task.factory.unconverted(
            segment, "an example of the template", template=True, decisions=PLACEHOLDER
        )
    field = field_of_piece(segment)
    if field is not None and not field.is_filled and not segment.cells:
        return task.factory.unconverted(segment, "a field without a value", decisions=PLACEHOLDER)
    fact = tool_fact(segment, own_words(segment), full, task.snapshot)
    statement = standing_alone(segment)
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(_with_name(fact.name, statement), summary=summarise(own_words(segment))),
        TOOLS.get(fact.subtype, TOOLS[""]),
        Facts(fact),
        Remarks(template=template, decisions=left_out(left_out_reason(full))),
    )


def _with_name(name: str, statement: str) -> str:
    """Return a statement behind the name of its tool, which stands in a heading, unless it says it."""
    if name and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", statement, re.IGNORECASE):
        return f"{name}: {statement}"
    return statement
