"""Reads AGENTS.md, scoped AGENTS.md and section files: one element per rule or per section."""

# ruff: noqa: E501 - a word list is easier to read in one segment

import re
from collections.abc import Iterable, Iterator, Sequence
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
from melleafy_tui.core.dialects.openclaw.rule_wordings import CONDITION_FIRST, SCOPE_HEADING
from melleafy_tui.core.dialects.openclaw.runtime_only import (
    FILE_TO_READ,
    OWN_LEAD_INS,
    SELF_EDIT,
    governed_reason,
    is_file_to_read,
    is_model_heading,
    runtime_only,
    runtime_only_row,
)
from melleafy_tui.core.dialects.openclaw.siblings import with_list_readings
from melleafy_tui.core.dialects.openclaw.stock_text import (
    is_stock_lead_in,
    is_template_line,
    is_template_text,
)
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES
from melleafy_tui.core.dialects.openclaw.tools import tool_element
from melleafy_tui.core.dialects.openclaw.whole_orders import with_siblings
from melleafy_tui.core.dialects.tag_rules import (
    PROCEDURE,
    ROUTE,
    RULE_HEADING,
    RULE_LIST,
    SPEECH,
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
from melleafy_tui.core.language.actions import actions_in, asks_approval
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.lead_ins import CASES, heading_row, lead_in_row
from melleafy_tui.core.language.wording import plain_text, summarise, without_block_marks
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Fact, Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.markdown import Block
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
    elements = with_siblings(segments, [_element(task, segment, lengths, ordering) for segment in segments])
    elements = with_list_readings(segments, elements)
    return [
        replace(element, template=True)
        if after.template and element.kind == "lead_in" and is_stock_lead_in(element.content_full)
        else element
        for element, after in zip(elements, (*elements[1:], *elements[-1:]), strict=True)
    ]


def _element(task: Task, segment: Segment, lengths: dict[int, int], ordering: frozenset[int]) -> Element:
    if segment.kind != "heading" and any(map(is_tool_list_heading, segment.section)):
        return tool_element(task, segment)
    segment = _rule_of_parent(prose_of_lead_in(segment))
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


def _rule_of_parent(segment: Segment) -> Segment:
    """Return an item that forbids or asks for an approval as a rule of its own, whatever list is nested in it."""
    if segment.kind != "lead_in" or not segment.list_number or _LEADS.search(segment.text):
        return segment
    forbids = polarity_of(segment.words) is Polarity.FORBIDS or asks_approval(segment.words)
    return replace(segment, kind="item") if forbids else segment


_ORDER_NOTHING: Final = frozenset(
    {"agents.form_line", "agents.story", "agents.reason", "agents.described_command"}
)
"""Rules for lines whose verbs order nothing: a form's values, a story, a reason, what a command does."""


def rule_element(
    task: Task, segment: Segment, wording: Wording, rules: tuple[TagRule, ...], lengths: dict[int, int]
) -> Element:
    """Return the element of a rule: its tag, its statement with the lead-in, its chain of steps."""
    tagged = first_match(rules, wording)
    scope = task.file.path.rpartition("/")[0]
    full = task.file.cut(segment.first, segment.last)
    only = _runtime_only(segment, full)
    converted = tagged.tag is not Tag.NO_DECOMPOSE and not (tagged.tag is Tag.SCHEMA and only)
    decomposed = converted and segment.kind != "lead_in"
    row = ("agents.scoped" if scope else "agents.rule") if decomposed else ""
    return task.factory.make(
        SourceSpan.of(segment),
        ElementText(
            wording.statement,
            summary=summarise(wording.text, prefix="Rule: " if decomposed else "")
            if segment.kind == "fence"
            else "",
            prefix="Rule: " if decomposed else "",
            polarity=wording.polarity
            if decomposed and tagged.rationale not in _ORDER_NOTHING
            else Polarity.DESCRIBES,
        ),
        TagDecision(
            tagged.tag,
            Category.C2 if converted else Category.NONE,
            tagged.rationale,
            row,
            confidence=tagged.confidence,
        ),
        remarks=Remarks(
            notes=() if segment.kind != "lead_in" else ("The items under it carry its words.",),
            aggregation_hint=chain(segment, tagged.tag, lengths) if decomposed else "",
            scope=scope,
            template=is_template_text(full),
            runtime_only=only,
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
    "openclaw.soul": SectionKind(Tag.CONVERSE, Category.C1, "soul.body", "soul.section", 0.7),
    "openclaw.memory": SectionKind(Tag.QUERY, Category.C5, "memory.body", "memory.section", 0.9),
    "openclaw.dreams": SectionKind(Tag.QUERY, Category.C5, "dreams.body", "dreams.section", 0.9),
}


class MachineWritten(Fact, frozen=True):
    """Marks an element with text that OpenClaw wrote itself and that quotes chat."""

    machine_written: bool = False


MACHINE_BLOCK: Final = LazyRegex(r"<!--\s*openclaw(?:[-:][\w-]+)+", re.IGNORECASE)
"""Markers of blocks that OpenClaw writes; they quote raw chat, which is never a rule."""


RULE_SECTION: Final = pattern(
    r"\b(?:routing|routes?|protocols?|workflows?|procedures?|approvals?|escalations?|notification rules|algorithms?|decision (?:tree|rules?)|checklists?|self-?review|access control|operating rules|hard rules|anti-?patterns|guardrails|error handling|verification|prerequisites)\b|\brules\W*$|\b(?:reglas|normas|absolutos|regras|regeln|règles)\b|правил"
    r"|流程|协议|協議|风控|風控|风险控制|红线|紅線|底线|底線|审批|審批|路由|算法|演算法|检查清单|自查|ワークフロー|手順|承認|アルゴリズム|\b(?:protocolo|flujo|aprobaci\w+|algoritmo|fluxo|aprovaç\w+|ablauf|freigaben?|algorithmus|procédure|algorithme)\b|алгоритм|порядок|протокол|규칙|절차|프로토콜|체크리스트|워크플로|알고리즘|라우팅"
)  # fmt: skip
"""Headings of sections that are rules wherever they are."""


def read_sections(task: Task) -> list[Element]:
    """Return one element per section; a section of the persona that holds rules is read as rules."""
    sections = cut_sections(task.file)
    if SECTION_KINDS[task.rule_id].category is not Category.C1:
        return [_section_element(task, section) for section in sections]
    elements = [
        element
        for section in sections
        if not holds_rules(section)
        for element in _persona_elements(task, section)
    ]
    return sorted((*elements, *elements_of_rule_sections(task)), key=lambda element: element.line_range)


def _persona_elements(task: Task, section: Section) -> Iterator[Element]:
    """Yield the element of a section of the persona, and one of what it says at its end about the file itself."""
    end = len(section.body)
    while end and _is_about_file(section.body[end - 1]):
        end -= 1
    footer = section.body[end:]
    said = next(filter(block_text, footer), None)
    if said is None:
        yield _section_element(task, section)
        return
    body = section.body[:end]
    if body or section.heading:
        above = range(section.first, footer[0].first)
        last = body[-1].last if body else max(line for line in above if task.file.lines[line - 1].strip())
        yield _section_element(task, replace(section, last=last, body=body))
    span = SourceSpan(footer[0].first, footer[-1].last, "paragraph", section=section.path)
    words = plain_text(block_text(said))
    row = runtime_only_row(words)
    reason = row.reason if row is not None else ""
    kind = SECTION_KINDS[task.rule_id]
    decision = TagDecision(kind.tag, kind.category, "soul.about_the_file", kind.mapping_row, confidence=0.9)
    yield task.factory.make(
        span,
        ElementText(words),
        decision if reason else TagDecision(*UNCONVERTED, "soul.dated_remark"),
        remarks=Remarks(template=is_template_text(words), runtime_only=reason),
    )


_DATED: Final = LazyRegex(r"[*_](?![*_\s])[^\n]*\b20\d\d-\d\d[^\n]*[*_]")
"""A line in italics with a date: when the file was written, and by whom."""


def _is_about_file(block: Block) -> bool:
    words = block_text(block)
    if not words or _DATED.fullmatch(words):
        return True
    words = plain_text(words)
    row = runtime_only_row(words) if not block.items else None
    if row is None or row.name != SELF_EDIT:
        return False
    return is_template_text(words) or bool(runtime_only(words))


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


_BOUNDS: Final = pattern(
    r"\b(?:boundaries|limits|red lines|never|constraints|restrictions|límites|limites|grenzen|always|security|safety|sécurité|seguridad|segurança|sicherheit|siempre|sempre|toujours|immer|jamais|nunca|niemals|interdi\w+|prohibi\w+|proibi\w+|verbote\w*|restric\w+)\b|边界|邊界|界限|红线|紅線|底线|底線|限制|禁止|安全|セキュリティ|границ|ограничен|безопасност|запре[тщ]|всегда|никогда|경계|금지|제한|한계|보안|안전"
)
"""Headings of what the agent must or may not do."""
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
    if _BOUNDS.search(section.heading) and any(map(_bars_acting, lines)):
        return True
    if len(lines) < 2 or 2 * len(own) < sum(len(block.lines) for block in section.body):
        return False
    acting = sum(map(_is_acting, lines))
    is_mostly_acting = (
        2 * acting >= len(lines) >= _FEWEST_RULES or _holds_steps(section) or _is_mostly_work(section)
    )
    if is_mostly_acting or not RULE_SECTION.search(section.heading):
        return is_mostly_acting
    return acting > 0 or _is_mostly_ordering(lines)


_PERSONAL: Final = pattern(
    r"^(?:[^.!?:：—–]{1,40}[:：—–]\s*)?(?:i|i['’]m|i['’]ve|you|you['’]re|your|my|we|he|she|they)\b|^(?:我|你|您|私|僕|あなた)"
)
"""Sentences about somebody, which say who the agent is before they order anything."""
_FIRST_PERSON: Final = pattern(r"^(?:i|i['’]m|i['’]ve|my|me)\b|^(?:我|私|僕|俺)")
_MOST_PERSONAL: Final = 8
"""A section one line in so many of which speaks as the agent is persona."""
_NAMES_PLACE: Final = LazyRegex(
    r"`[^`\n]{2,}`|(?<![\w/])[\w.~-]{0,200}/[\w./-]+|\b[\w-]{1,120}\.(?:md|jsonl?|py|sh|ya?ml)\b"
)


def _is_mostly_work(section: Section) -> bool:
    """Return whether most lines of a section order work: steps, routes, cases, commands, actions with their objects."""
    found: list[bool] = []
    personal = 0
    has_steps = not RULE_LIST.search(section.heading) and not SCOPE_HEADING.search(section.heading)
    governed = heading_row(section.heading).polarity is Polarity.FORBIDS
    for block in section.body:
        if block.kind in ("fence", "code", "table_header", "comment", "rule"):
            continue
        for line in _outside_fences(block.lines):
            words = plain_text(without_block_marks(line))
            if not words or is_template_line(line):
                continue
            leads = bool(_LEADS.search(line))
            acts = _is_work(line, words, is_step=has_steps and bool(block.items) and block.items[-1].ordered)
            if leads and not (block.items and governed):
                governed = acts or lead_in_row(words).name == "conditions"
            elif not block.items and not leads:
                governed = False
            found.append(acts or (governed and not _PERSONAL.search(words)))
            personal += bool(_FIRST_PERSON.search(words))
    fewest = 2 if RULE_SECTION.search(section.heading) else _FEWEST_RULES
    return sum(found) >= fewest and 2 * sum(found) >= len(found) and _MOST_PERSONAL * personal < len(found)


def _outside_fences(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that aren't in a fence inside an item."""
    inside = False
    for line in lines:
        marks = line.lstrip().startswith(("```", "~~~"))
        inside = inside != marks
        if not inside and not marks:
            yield line


def _is_work(line: str, words: str, *, is_step: bool) -> bool:
    """Return whether a line orders work rather than a manner: a route, an approval, a case, a step, an action."""
    if _is_acting(words):
        return True
    if _PERSONAL.search(words) or FEELING.search(words):
        return False
    if CONDITION_FIRST.search(words) or lead_in_row(words).trigger:
        return True
    if polarity_of(words) not in (Polarity.OBLIGES, Polarity.FORBIDS) or SPEECH.search(words):
        return False
    return is_step or bool(_NAMES_PLACE.search(line) or actions_in(words))


def _words_of(lines: Iterable[str]) -> list[str]:
    """Return lines without their marks; empty ones are left out."""
    return list(filter(None, (plain_text(without_block_marks(line)) for line in lines)))


_LEADS: Final = LazyRegex(r"[:：][*_]{0,2}\s*$")


def _holds_steps(section: Section) -> bool:
    """Return whether most of a section's own lines are numbered orders under words for a procedure."""
    blocks = [block for block in section.body if block.kind not in ("fence", "code")]
    own = [line for block in blocks for line in _outside_fences(block.lines) if line.strip()]
    ordered = [block for block in blocks if block.items and block.items[-1].ordered]
    steps = _words_of(next(filter(str.strip, block.lines), "") for block in ordered)
    if len(steps) < 2 or 2 * len(steps) < len(own):
        return False
    if _announces_procedure(section.path[1:]) and not any(map(_PERSONAL.search, steps)):
        return True
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
    ordering = sum(
        polarity_of(line) in (Polarity.OBLIGES, Polarity.FORBIDS) or asks_approval(line) for line in lines
    )
    return 2 <= len(lines) <= 2 * ordering


def _is_mostly_ordering(lines: list[str]) -> bool:
    ordering = sum(
        polarity_of(line) in (Polarity.OBLIGES, Polarity.FORBIDS) and not _PERSONAL.search(line)
        for line in lines
    )
    return len(lines) > 1 and 2 * ordering >= len(lines)


def _own_lines(section: Section) -> list[str]:
    return [line for block in section.body for line in block.lines if not is_template_line(line)]


def _bars_acting(line: str) -> bool:
    """Return whether a line needs an approval, or forbids an action on something outside the conversation."""
    forbids = polarity_of(line) is Polarity.FORBIDS and bool(actions_in(line)) and not SPEECH.search(line)
    return asks_approval(line) or forbids


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
    reason = _runtime_only_persona(section) if kind.category is Category.C1 else ""
    if kind.category is Category.C5 and MACHINE_BLOCK.search(full):
        facts = Facts(MachineWritten(machine_written=True))
        notes.append("Holds text that OpenClaw wrote itself; quoted chat is no rule.")
    if kind.category is Category.C1 and not reason and (part := runtime_only(full)):
        notes.append(f"Holds an instruction for OpenClaw: {part}")
    return task.factory.make(
        SourceSpan(section.first, section.last, "section", section=section.path),
        ElementText(full, summary=summarise(_opening(words) or section.heading)),
        TagDecision(
            kind.tag,
            kind.category,
            kind.rationale,
            kind.mapping_row,
            confidence=_confidence(kind, section, template=template),
        ),
        facts,
        Remarks(notes=notes, template=template, runtime_only=reason),
    )


def _runtime_only_persona(section: Section) -> str:
    """Return why a section of the persona only makes sense on OpenClaw: most lines do, and the others are stock."""
    lines = [line for block in section.body if block_text(block) for line in block.lines if line.strip()]
    stock = list(map(is_template_line, lines))
    # the other orders of stock text are stock text, too
    reasons = [
        row.reason if is_stock and (row := runtime_only_row(line)) else runtime_only(line)
        for line, is_stock in zip(lines, stock, strict=True)
    ]
    found = list(filter(None, reasons))
    is_whole = all(map(any, zip(reasons, stock, strict=True)))
    return found[0] if is_whole and 2 * len(found) > len(lines) else ""


GUESS: Final = 0.4
"""The confidence of a section that was mostly read otherwise by its readers: the review asks about it."""


def _confidence(kind: SectionKind, section: Section, *, template: bool) -> float:
    """Return how sure a section's tag is: under words for bounds, those of a persona were mostly rules."""
    if kind.category is not Category.C1 or not _BOUNDS.search(section.heading):
        return kind.confidence
    return 0.85 if template else GUESS


def _opening(words: list[str]) -> str:
    return next((text for text in words if plain_text(text)), "")
