"""Reads SOUL.md, MEMORY.md and DREAMS.md: one element a heading section."""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.dialects.element_factory import UNCONVERTED, Home, SourceSpan, left_out
from melleafy_tui.core.dialects.openclaw.file_rules import SCOPED
from melleafy_tui.core.dialects.openclaw.homes import RULES, SCOPED_RULES, SECTIONS
from melleafy_tui.core.dialects.openclaw.left_out import TEMPLATE_REASON, left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_lead_in, is_template_text
from melleafy_tui.core.dialects.openclaw.tool_policy import tool_element
from melleafy_tui.core.dialects.rules_document import CARRIERS, rule_elements
from melleafy_tui.core.dialects.tool_facts import is_tool_list_heading
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.segments import Section, Segment, block_text, cut_sections, cut_segments

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

    segments = cut_segments(task.file)
    reasons = _reasons(segments, task.file)

    def marks(segment: Segment) -> tuple[bool, tuple[Decision, ...]]:
        full = task.file.cut(segment.first, segment.last)
        return is_template_text(full) or is_stock_lead_in(full), left_out(reasons[segment.first])

    elements: list[Element] = []
    for segment in segments:
        if segment.kind != "heading" and any(map(is_tool_list_heading, segment.section)):
            elements.append(tool_element(task, segment))
        else:
            places = SCOPED_RULES if scope else RULES
            elements += rule_elements((segment,), task.factory, places, scope=scope, marks=marks)
    return elements


def _reasons(segments: Sequence[Segment], file: SourceFile) -> dict[int, str]:
    """Return why each segment is left out, `""` if it stays, by its first line.

    A list of the template goes with the line that introduces it where half of its items speak of OpenClaw alone, else
    it stays whole: single items of a list tell nobody what they are about.
    """
    texts = {each.first: file.cut(each.first, each.last) for each in segments}
    found = {
        each.first: "" if each.kind in CARRIERS else left_out_reason(texts[each.first]) for each in segments
    }
    lists: dict[int, list[Segment]] = {}
    for each in segments:
        if each.list_number:
            lists.setdefault(each.list_number, []).append(each)
    for items in lists.values():
        gone = [each for each in items if found[each.first]]
        if not gone or not all(is_template_text(texts[each.first]) for each in gone):
            continue
        is_stock = all(is_template_text(texts[each.first]) for each in items)
        reason = TEMPLATE_REASON if is_stock and 2 * len(gone) >= len(items) else ""
        leading = [
            each for each in segments if reason and plain_text(each.text) == plain_text(items[0].lead_in)
        ]
        found |= {each.first: reason for each in items}
        found |= {each.first: reason for each in leading if is_template_text(texts[each.first])}
    return found
