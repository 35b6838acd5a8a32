"""Reads AGENTS.md, scoped AGENTS.md and section files: one element per rule or per section."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES
from melleafy_tui.core.dialects.openclaw.tools import tool_element
from melleafy_tui.core.dialects.tag_rules import (
    TagRule,
    Wording,
    chain,
    first_match,
    is_step_list,
    wording_of,
)
from melleafy_tui.core.dialects.tool_facts import is_tools_heading
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.models.facts import Fact, Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import (
    Section,
    Segment,
    block_text,
    cut_sections,
    cut_segments,
    lists_of,
)


def read_rules(task: Task) -> list[Element]:
    """Return the elements of an AGENTS.md."""
    segments = cut_segments(task.file)
    lists = lists_of(segments)
    lengths = {number: len(items) for number, items in lists.items()}
    ordering = frozenset(number for number, items in lists.items() if is_step_list(items))
    return [_element(task, segment, lengths, ordering) for segment in segments]


def _element(task: Task, segment: Segment, lengths: dict[int, int], ordering: frozenset[int]) -> Element:
    if segment.kind != "heading" and any(map(is_tools_heading, segment.section)):
        return tool_element(task, segment)
    wording = wording_of(segment)
    if (
        segment.kind == "item"
        and segment.ordered
        and wording.list_role == ""
        and segment.list_number in ordering
    ):
        wording = replace(wording, list_role="orders")
    if wording.list_role in ("orders", "procedure") and wording.polarity is Polarity.DESCRIBES:
        wording = replace(wording, polarity=Polarity.OBLIGES)
    return rule_element(task, segment, wording, AGENTS_RULES, lengths)


def rule_element(
    task: Task, segment: Segment, wording: Wording, rules: tuple[TagRule, ...], lengths: dict[int, int]
) -> Element:
    """Return the element of a rule: its tag, its statement with the lead-in, its chain of steps."""
    tagged = first_match(rules, wording)
    decomposed = tagged.tag is not Tag.NO_DECOMPOSE and segment.kind != "lead_in"
    scope = task.file.path.rpartition("/")[0]
    full = task.file.cut(segment.first, segment.last)
    row = ("agents.scoped" if scope else "agents.rule") if decomposed else ""
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(
            wording.statement,
            summary=summarise(wording.text, prefix="Rule: " if decomposed else "")
            if segment.kind == "fence"
            else "",
            prefix="Rule: " if decomposed else "",
            polarity=wording.polarity if decomposed else Polarity.DESCRIBES,
        ),
        TagDecision(
            tagged.tag,
            Category.C2 if decomposed else Category.NONE,
            tagged.rationale,
            row,
            confidence=tagged.confidence,
        ),
        remarks=Remarks(
            notes=() if segment.kind != "lead_in" else ("The items under it carry its words.",),
            aggregation_hint=chain(segment, tagged.tag, lengths) if decomposed else "",
            scope=scope,
            template=is_template_text(full),
            runtime_only=runtime_only(full) if decomposed else "",
        ),
    )


class SectionKind(Struct, frozen=True):
    """How the sections of one file are converted."""

    tag: Tag
    category: Category
    mapping_row: str
    rationale: str
    confidence: float


SECTION_KINDS: Final[dict[str, SectionKind]] = {
    "openclaw.soul": SectionKind(Tag.CONVERSE, Category.C1, "soul.body", "soul.section", 0.95),
    "openclaw.memory": SectionKind(Tag.QUERY, Category.C5, "memory.body", "memory.section", 0.9),
    "openclaw.dreams": SectionKind(Tag.QUERY, Category.C5, "dreams.body", "dreams.section", 0.9),
}


class MachineWritten(Fact, frozen=True):
    """Marks an element with text that OpenClaw wrote itself and that quotes chat."""

    machine_written: bool = False


MACHINE_BLOCK: Final = re.compile(r"<!--\s*openclaw(?:[-:][\w-]+)+", re.IGNORECASE)
"""Markers of blocks that OpenClaw writes; they quote raw chat, which is never a rule."""


def read_sections(task: Task) -> list[Element]:
    """Return one element per section."""
    return [_section_element(task, section) for section in cut_sections(task.file)]


def _section_element(task: Task, section: Section) -> Element:
    kind = SECTION_KINDS[task.rule_id]
    words = [text for block in section.body if (text := block_text(block))]
    full = task.file.cut(section.first, section.last)
    template = is_template_text(full)
    if not words:
        return task.factory.make(
            SourceSpan(
                section.first,
                section.last,
                "section" if section.heading else "comment",
                section=section.path[:-1],
            ),
            ElementText(section.heading),
            TagDecision(*UNCONVERTED, f"{kind.rationale}.empty"),
            remarks=Remarks(template=template),
        )
    facts = Facts()
    notes = []
    if kind.category is Category.C5 and MACHINE_BLOCK.search(full):
        facts = Facts(MachineWritten(machine_written=True))
        notes.append("Holds text that OpenClaw wrote itself; quoted chat is no rule.")
    if kind.category is Category.C1 and (reason := runtime_only(full)):
        notes.append(f"Holds an instruction for OpenClaw: {reason}")
    return task.factory.make(
        SourceSpan(section.first, section.last, "section", section=section.path),
        ElementText(full, summary=summarise(_opening(words) or section.heading)),
        TagDecision(kind.tag, kind.category, kind.rationale, kind.mapping_row, confidence=kind.confidence),
        facts,
        Remarks(notes=notes, template=template),
    )


def _opening(words: list[str]) -> str:
    return next((text for text in words if plain_text(text)), "")
