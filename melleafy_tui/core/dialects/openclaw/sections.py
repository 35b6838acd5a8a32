"""Reads SOUL.md, MEMORY.md and DREAMS.md: one element a heading section."""

import re
from typing import Final

from melleafy_tui.core.dialects.element_factory import UNCONVERTED, Home, SourceSpan, left_out
from melleafy_tui.core.dialects.openclaw.file_rules import SCOPED
from melleafy_tui.core.dialects.openclaw.homes import RULES, SCOPED_RULES, SECTIONS
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_lead_in, is_template_text
from melleafy_tui.core.dialects.openclaw.tool_policy import tool_element
from melleafy_tui.core.dialects.rules_document import CARRIERS, rule_elements
from melleafy_tui.core.dialects.tool_facts import is_tool_list_heading
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Fact, Facts
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.segments import Section, Segment, block_text, cut_sections, cut_segments


class MachineWritten(Fact, frozen=True):
    """Marks an element with text that OpenClaw wrote itself and that quotes chat."""

    machine_written: bool = False


MACHINE_BLOCK: Final = LazyRegex(r"<!--\s*openclaw(?:[-:][\w-]+)+", re.IGNORECASE)
"""Markers of blocks that OpenClaw writes; they quote raw chat, which is never a rule."""


def read_sections(task: Task) -> list[Element]:
    """Return one element per section; one without words carries nothing."""
    return [_section(task, section) for section in cut_sections(task.file)]


def _section(task: Task, section: Section) -> Element:
    home = SECTIONS[task.rule_id]
    words = [text for block in section.body if plain_text(text := block_text(block))]
    full = task.file.cut(section.first, section.last)
    template = is_template_text(full)
    if not words:
        return task.factory.make(
            SourceSpan(section.first, section.last, _empty_kind(section), section=section.path[:-1]),
            section.heading,
            Home(*UNCONVERTED, f"{home.rationale} without words"),
            summary=section.heading or "Front matter or a comment",
            template=template,
        )
    is_memory = home.category is Category.C5
    machine = is_memory and bool(MACHINE_BLOCK.search(full))
    return task.factory.make(
        SourceSpan(section.first, section.last, "section", section=section.path),
        full,
        home,
        Facts(MachineWritten(machine_written=True)) if machine else Facts(),
        summary=summarise(words[0]),
        notes=("Holds text that OpenClaw wrote itself; quoted chat is no rule.",) if machine else (),
        template=template,
        decisions=() if is_memory else left_out(_reason(section)),
    )


def _empty_kind(section: Section) -> str:
    if section.heading:
        return "section"
    return "frontmatter" if any(block.kind == "frontmatter" for block in section.body) else "comment"


def _reason(section: Section) -> str:
    """Return why a section of the persona has a meaning on OpenClaw only: all its blocks do."""
    texts = ["\n".join(block.lines) for block in section.body if plain_text(block_text(block))]
    reasons = list(map(left_out_reason, texts))
    return reasons[0] if reasons and all(reasons) else ""


def read_rules(task: Task) -> list[Element]:
    """Return the elements of an AGENTS.md, in source order."""
    scope = task.file.path.rpartition("/")[0] if task.rule_id == SCOPED.rule_id else ""

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
