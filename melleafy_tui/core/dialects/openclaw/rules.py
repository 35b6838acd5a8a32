"""Reads AGENTS.md and that of a folder: a rules document, with tool guidance below headings that name tools."""

from melleafy_tui.core.dialects.element_factory import left_out
from melleafy_tui.core.dialects.openclaw.homes import RULES, SCOPED_RULES
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_lead_in, is_template_text
from melleafy_tui.core.dialects.openclaw.tools import tool_element
from melleafy_tui.core.dialects.rules_document import CARRIERS, rule_elements
from melleafy_tui.core.dialects.tool_facts import is_tool_list_heading
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.source.segments import Segment, cut_segments


def read_rules(task: Task) -> list[Element]:
    """Return the elements of an AGENTS.md, in source order."""
    scope = task.file.path.rpartition("/")[0]

    def marks(segment: Segment) -> tuple[bool, tuple[Decision, ...]]:
        full = task.file.cut(segment.first, segment.last)
        reason = "" if segment.kind in CARRIERS else left_out_reason(full)
        return is_template_text(full) or is_stock_lead_in(full), left_out(reason)

    elements: list[Element] = []
    for segment in cut_segments(task.file):
        if segment.kind != "heading" and any(map(is_tool_list_heading, segment.section)):
            elements.append(tool_element(task, segment))
        else:
            places = SCOPED_RULES if scope else RULES
            elements += rule_elements((segment,), task.factory, places, scope=scope, marks=marks)
    return elements
