"""Reads AGENTS.md, scoped AGENTS.md and section files: one element per rule or per section."""

# ruff: noqa: E501 - a word list is easier to read in one segment

import re
from collections.abc import Iterable, Sequence
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
from melleafy_tui.core.dialects.openclaw.runtime_only import (
    FILE_TO_READ,
    OWN_LEAD_INS,
    governed_reason,
    is_file_to_read,
    is_model_heading,
    names_tool,
    runtime_only,
    runtime_only_row,
)
from melleafy_tui.core.dialects.openclaw.stock_text import (
    is_stock_lead_in,
    is_template_line,
    is_template_text,
)
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES
from melleafy_tui.core.dialects.openclaw.tools import tool_element
from melleafy_tui.core.dialects.tag_rules import (
    PROCEDURE,
    ROUTE,
    RULE_HEADING,
    RULE_LIST,
    TagRule,
    Wording,
    chain,
    first_match,
    is_step_list,
    pattern,
    prose_of_lead_in,
    wording_of,
)
from melleafy_tui.core.dialects.tool_facts import is_tool_list_heading
from melleafy_tui.core.language.actions import asks_approval
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.lead_ins import CASES
from melleafy_tui.core.language.wording import plain_text, summarise, without_block_marks
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
    elements = _with_siblings(segments, [_element(task, segment, lengths, ordering) for segment in segments])
    return [
        replace(element, template=True)
        if after.template and element.kind == "lead_in" and is_stock_lead_in(element.content_full)
        else element
        for element, after in zip(elements, (*elements[1:], *elements[-1:]), strict=True)
    ]


def _with_siblings(segments: Sequence[Segment], elements: list[Element]) -> list[Element]:
    """Return the elements with steps of a list kept that name a tool of OpenClaw while most of the list stays.

    A step that goes alone leaves others that rest on it ("After the restart, wait").
    """
    for positions in _lists_of_items(segments).values():
        gone = [position for position in positions if names_tool(elements[position].runtime_only)]
        if gone and _stays_whole(
            [segments[p] for p in positions], [elements[p] for p in positions], len(gone)
        ):
            for position in gone:
                elements[position] = _kept_with_its_list(elements[position])
    return elements


def _lists_of_items(segments: Sequence[Segment]) -> dict[int, list[int]]:
    """Return the positions of the items of each list."""
    lists: dict[int, list[int]] = {}
    for position, segment in enumerate(segments):
        if segment.kind == "item" and segment.list_number:
            lists.setdefault(segment.list_number, []).append(position)
    return lists


def _stays_whole(items: Sequence[Segment], elements: Sequence[Element], gone: int) -> bool:
    """Return whether a list is one of steps of which at least as many stay as go."""
    stays = sum(not element.runtime_only for element in elements)
    return stays >= gone and _are_steps(items)


def _kept_with_its_list(element: Element) -> Element:
    note = f"Kept with the other steps of its list. {element.runtime_only}"
    return replace(element, runtime_only="", notes=(*element.notes, note))


_LATER: Final = pattern(
    r"^\W*(?:after|once|then|afterwards?|next|finally|when (?:it|that|this)|之后|之後|然后|然後|接着|再|完成后|その後|次に|después|luego|depois|ensuite|puis|danach|dann|затем|потом|после)\b"
)
"""Openings of a step that rests on the one before it."""


def _are_steps(items: Sequence[Segment]) -> bool:
    """Return whether the items of a list are steps: numbered orders, or one that rests on another."""
    return is_step_list(items) or any(_LATER.search(item.words) for item in items)


def _element(task: Task, segment: Segment, lengths: dict[int, int], ordering: frozenset[int]) -> Element:
    if segment.kind != "heading" and any(map(is_tool_list_heading, segment.section)):
        return tool_element(task, segment)
    segment = prose_of_lead_in(segment)
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


_FORM: Final = "agents.form_line"
"""The rule for lines of a form, whose words order nothing ("State: Draft / Ready")."""


def rule_element(
    task: Task, segment: Segment, wording: Wording, rules: tuple[TagRule, ...], lengths: dict[int, int]
) -> Element:
    """Return the element of a rule: its tag, its statement with the lead-in, its chain of steps."""
    tagged = first_match(rules, wording)
    decomposed = tagged.tag not in (Tag.NO_DECOMPOSE, Tag.SCHEMA) and segment.kind != "lead_in"
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
            polarity=wording.polarity if decomposed and tagged.rationale != _FORM else Polarity.DESCRIBES,
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
            runtime_only=_runtime_only(segment, full),
        ),
    )


def _runtime_only(segment: Segment, full: str) -> str:
    """Return why a segment only makes sense on OpenClaw, or `""`; headings and markup never do."""
    if segment.kind in ("heading", "rule", "other", "frontmatter", "comment", "table_header"):
        return ""
    if segment.kind == "lead_in":
        row = runtime_only_row(full)
        return row.reason if row is not None and row.name in OWN_LEAD_INS else ""
    if _is_settings(segment) or is_template_text(full):  # the other orders of stock text are stock text, too
        row = runtime_only_row(full)
        if row is not None:
            return row.reason
    if _is_file_to_read(segment, full):
        return FILE_TO_READ
    if segment.kind != "fence" and (reason := governed_reason(full, segment.section[1:], segment.context)):
        return reason
    return runtime_only(full, (*filter(is_model_heading, segment.section[-1:]), *segment.context[-1:]))


def _is_settings(segment: Segment) -> bool:
    return segment.kind == "fence" and segment.info in ("json", "json5")


def _is_file_to_read(segment: Segment, full: str) -> bool:
    above = (*segment.section[-1:], segment.lead_in, segment.parent, segment.above)
    return segment.kind in ("item", "table_row") and is_file_to_read(full, above)


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


RULE_SECTION: Final = pattern(
    r"\b(?:routing|routes?|protocols?|workflows?|procedures?|approvals?|escalations?|notification rules|algorithms?|decision (?:tree|rules?)|checklists?|self-?review|access control|operating rules|hard rules|anti-?patterns)\b"
    r"|流程|协议|協議|风控|風控|风险控制|红线|紅線|底线|底線|审批|審批|路由|算法|演算法|检查清单|自查|ワークフロー|手順|承認|アルゴリズム|\b(?:protocolo|flujo|aprobaci\w+|algoritmo|fluxo|aprovaç\w+|ablauf|freigaben?|algorithmus|procédure|algorithme)\b|алгоритм|порядок|протокол"
)  # fmt: skip
"""Headings of sections that are rules wherever they are."""


def read_sections(task: Task) -> list[Element]:
    """Return one element per section; a section of the persona that holds rules is read as rules."""
    sections = cut_sections(task.file)
    if SECTION_KINDS[task.rule_id].category is not Category.C1:
        return [_section_element(task, section) for section in sections]
    elements = [_section_element(task, section) for section in sections if not holds_rules(section)]
    return sorted((*elements, *elements_of_rule_sections(task)), key=lambda element: element.line_range)


def elements_of_rule_sections(task: Task, *, by_heading: bool = False) -> list[Element]:
    """Return the elements of those sections of the persona that hold rules.

    Args:
        task: The file.
        by_heading: Whether a heading that announces rules is enough where most lines under it order.
    """
    rules = [
        section
        for section in cut_sections(task.file)
        if holds_rules(section) or (by_heading and _announces_orders(section))
    ]
    return [
        element
        for element in (read_rules(task) if rules else ())
        if any(section.first <= element.line_range[0] <= section.last for section in rules)
    ]


FEELING: Final = pattern(r"\b(?:feel|happy|sad|angry|excited|joke|smile|laugh|speak|talk|chat)\w*\b")
"""Words of headings over the persona's manner in a situation."""
_FEWEST_RULES: Final = 3
"""Fewer routes or approvals under a heading of the persona stay with it."""


def holds_rules(section: Section) -> bool:
    """Return whether a section holds routes, approvals, checks or steps rather than persona: its owner's own ones."""
    own = _own_lines(section)
    lines = _words_of(own)
    if len(lines) > 1 and CASES.search(section.heading) and not FEELING.search(section.heading):
        return True
    if len(lines) < 2 or 2 * len(own) < sum(len(block.lines) for block in section.body):
        return False
    acting = sum(map(_is_acting, lines))
    is_mostly_acting = 2 * acting >= len(lines) >= _FEWEST_RULES or _holds_steps(section)
    if is_mostly_acting or not RULE_SECTION.search(section.heading):
        return is_mostly_acting
    return acting > 0 or _is_mostly_ordering(lines)


def _words_of(lines: Iterable[str]) -> list[str]:
    """Return lines without their marks; empty ones are left out."""
    return list(filter(None, (plain_text(without_block_marks(line)) for line in lines)))


_LEADS: Final = re.compile(r"[:：][*_]{0,2}\s*$")
_STEP: Final = re.compile(r"\s{0,3}\d{1,2}[.)]\s+")


def _holds_steps(section: Section) -> bool:
    """Return whether most of a section's own lines are numbered orders under words for a procedure."""
    own = [line for block in section.body if block.kind not in ("fence", "code") for line in block.lines]
    own = list(filter(str.strip, own))
    steps = _words_of(filter(_STEP.match, own))
    if len(steps) < 2 or 2 * len(steps) < len(own):
        return False
    orders = sum(polarity_of(step) is Polarity.OBLIGES for step in steps)
    return 2 * orders >= len(steps) and _announces_procedure(
        (section.heading, *filter(_LEADS.search, own[:2]))
    )


def _announces_procedure(above: Sequence[str]) -> bool:
    return any(map(PROCEDURE.search, above)) and not any(map(RULE_LIST.search, above))


def _announces_orders(section: Section) -> bool:
    """Return whether a heading announces rules and most lines under it order."""
    if not RULE_HEADING.search(section.heading):
        return False
    lines = _words_of(_own_lines(section))
    ordering = sum(polarity_of(line) in (Polarity.OBLIGES, Polarity.FORBIDS) for line in lines)
    return 2 <= len(lines) <= 2 * ordering


def _is_mostly_ordering(lines: list[str]) -> bool:
    ordering = sum(polarity_of(line) in (Polarity.OBLIGES, Polarity.FORBIDS) for line in lines)
    return len(lines) >= _FEWEST_RULES and 2 * ordering >= len(lines)


def _own_lines(section: Section) -> list[str]:
    return [line for block in section.body for line in block.lines if not is_template_line(line)]


def _is_acting(line: str) -> bool:
    """Return whether a line routes something, or asks for an approval."""
    return bool(ROUTE.search(line) or asks_approval(line))


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
