"""Reads the files that are cut by heading: SOUL.md, MEMORY.md, DREAMS.md.

A heading is part of its section's element; a section without text of its own is kept and not converted.
"""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.task import Task
from melleafy_tui.core.dialects.openclaw.templates import is_template_text
from melleafy_tui.core.models.facts import Fact, Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.wording import plain_text, summarise
from melleafy_tui.core.workspace.pieces import Section, block_text, cut_sections


class SectionKind(Struct, frozen=True):
    """What the sections of one file become."""

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
    """The element holds text that OpenClaw wrote itself, which quotes chat."""

    machine_written: bool = False


MACHINE_BLOCK: Final = re.compile(r"<!--\s*openclaw(?:[-:][\w-]+)+", re.IGNORECASE)
"""Marks of blocks that OpenClaw writes itself; they quote raw chat, which is never a rule."""


def read_sections(task: Task) -> list[Element]:
    """Return one element a section."""
    return [_element(task, section) for section in cut_sections(task.file)]


def _element(task: Task, section: Section) -> Element:
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
