"""Reads IDENTITY.md: one element per field, and prose sections as persona."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.fields import (
    LabelledField,
    canonical_label,
    field_of_piece,
    fields_of_lines,
    is_known_label,
    is_placeholder,
)
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.rules import elements_of_rule_sections
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_field, is_template_text
from melleafy_tui.core.language.actions import actions_in, asks_approval
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.wording import plain_text, summarise, without_block_marks
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import JudgmentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments

_NAMED: Final = LazyRegex(r"\s*(?:[-*+]|\d+[.)])\s+(?:\*\*[^*\n]{1,60}\*\*|[^\n—–:：]{1,40})\s*[—–]\s")
"""An item that names a part of the agent's role and says what it is."""
_SET_ASIDE = ("comment", "rule", "other", "frontmatter", "html")


def read_identity(task: Task) -> list[Element]:
    """Return the elements of IDENTITY.md; the creature becomes the role if no role is given."""
    rules = elements_of_rule_sections(task, by_heading=True)
    lines_of_rules = {
        line for element in rules for line in range(element.line_range[0], element.line_range[1] + 1)
    }
    elements = list(rules)
    for group in _sections(cut_segments(task.file)):
        if group[0].first not in lines_of_rules:
            elements += _section(task, group)
    return _with_roles(sorted(elements, key=lambda element: element.line_range))


def _sections(segments: Sequence[Segment]) -> list[list[Segment]]:
    groups: list[list[Segment]] = [[]]
    for segment in segments:
        if segment.kind == "heading":
            groups.append([])
        groups[-1].append(segment)
    return [group for group in groups if group]


def _section(task: Task, group: list[Segment]) -> list[Element]:
    if group[0].kind != "heading":
        torn = _torn_lists(group)
        return [element for segment in group for element in _segment(task, segment, torn)]
    heading, *body = group
    value = _only_value(heading, body)
    if value is not None:
        field = LabelledField(heading.words, canonical_label(heading.words), value.words, value.text)
        return [_field(task, heading.first, value.last, "field", heading, field)]
    text = [segment for segment in body if segment.kind not in _SET_ASIDE]
    if text and not any(map(_is_field, text)):
        return [_prose(task, group, heading)]
    torn = _torn_lists(body)
    return [
        task.factory.unconverted(heading, "identity.heading", template=_stock(task, heading)),
        *(element for segment in body for element in _segment(task, segment, torn)),
    ]


def _only_value(heading: Segment, body: list[Segment]) -> Segment | None:
    """Return the value below a heading that is a label, if nothing else is below it."""
    if len(body) != 1 or not is_known_label(heading.words):
        return None
    value = body[0]
    return value if value.kind not in _SET_ASIDE and field_of_piece(value) is None else None


def _is_field(segment: Segment) -> bool:
    """Return whether a segment is an identity field: a known label anywhere, or any label in a list or table."""
    if fields_of_lines(segment):
        return True
    field = field_of_piece(segment)
    if field is None:
        return False
    if segment.kind == "table_header":
        return is_known_label(field.label)
    if is_known_label(field.label):
        return True
    if asks_approval(segment.text):
        return False
    return (
        len(field.label.split()) <= 4
        and segment.depth <= 1
        and polarity_of(field.value) is Polarity.DESCRIBES
    )


def _torn_lists(body: Sequence[Segment]) -> frozenset[int]:
    """Return the lists of which one item is a field of its owner's and another a sentence: they are persona whole."""
    fields: dict[int, set[bool]] = {}
    for segment in body:
        if segment.kind != "item" or not segment.list_number:
            continue
        field = field_of_piece(segment)
        if field is None or not is_known_label(field.label):
            fields.setdefault(segment.list_number, set()).add(_is_field(segment))
    return frozenset(number for number, kinds in fields.items() if len(kinds) > 1)


def _segment(task: Task, segment: Segment, torn: frozenset[int] = frozenset()) -> list[Element]:
    if segment.kind in _SET_ASIDE:
        return [task.factory.unconverted(segment, "identity.markup", template=_stock(task, segment))]
    lines = fields_of_lines(segment)
    if len(lines) > 1:
        return [_field(task, each.first, each.last, "field", segment, each.field) for each in lines]
    field = field_of_piece(segment)
    if field is not None and not _is_torn(segment, field, torn) and _is_field(segment):
        return [
            _field(
                task, segment.first, segment.last, "table_row" if segment.cells else "field", segment, field
            )
        ]
    if segment.kind in ("table_header", "lead_in"):
        return [task.factory.unconverted(segment, "identity.announcement", template=_stock(task, segment))]
    if _stock(task, segment) or is_placeholder(segment.text):
        return [task.factory.unconverted(segment, "identity.template", template=_stock(task, segment))]
    return [_persona(task, segment.first, segment.last, segment.kind, segment, segment.words)]


def _is_torn(segment: Segment, field: LabelledField, torn: frozenset[int]) -> bool:
    """Return whether a field belongs to a list whose other items are persona."""
    return segment.list_number in torn and not is_known_label(field.label)


def _field(task: Task, first: int, last: int, kind: str, segment: Segment, field: LabelledField) -> Element:
    filled = field.is_filled
    row = {"name": "identity.name", "role": "identity.role"}.get(field.canonical, "identity.meta")
    shown = f"{field.canonical}: {field.value}" if field.value else f"{field.canonical}:"
    return task.factory.make(
        SourceSpan(first, last, kind, section=segment.section, context=segment.context),
        ElementText(
            shown,
            summary=summarise(shown) if filled else f"{field.canonical}: (no value)",
            label=field.canonical,
            value=field.value if filled else "",
        ),
        TagDecision(
            Tag.CONFIG if filled else Tag.NO_DECOMPOSE,
            Category.C1 if filled else Category.NONE,
            "identity.field" if filled else "identity.placeholder",
            row if filled else "",
            confidence=0.95,
        ),
        remarks=Remarks(
            template=is_template_text(task.file.cut(first, last))
            or (not filled and is_stock_field(field.canonical))
        ),
    )


def _prose(task: Task, group: list[Segment], heading: Segment) -> Element:
    first, last = heading.first, group[-1].last
    words = next((segment.words for segment in group[1:] if segment.kind not in _SET_ASIDE), heading.words)
    if is_template_text(task.file.cut(first, last)):
        return replace(
            task.factory.unconverted(replace(heading, last=last), "identity.template", template=True),
            kind="section",
        )
    return _persona(
        task, first, last, "section", heading, words, section=(*heading.section, plain_text(heading.text))
    )


def _persona(
    task: Task,
    first: int,
    last: int,
    kind: str,
    segment: Segment,
    words: str,
    *,
    section: tuple[str, ...] | None = None,
) -> Element:
    full = task.file.cut(first, last)
    orders = [
        not _NAMED.match(line) and polarity_of(without_block_marks(line)) is not Polarity.DESCRIBES
        for line in full.splitlines()[kind == "section" :]
        if line.strip()
    ]
    tag = Tag.CONVERSE if 2 * sum(orders) > len(orders) else Tag.CONFIG
    own = polarity_of(words) if kind != "section" else Polarity.DESCRIBES
    if kind != "section" and (asks_approval(full) or (own is Polarity.FORBIDS and actions_in(words))):
        tag = Tag.DECIDE
    return task.factory.make(
        SourceSpan(
            first,
            last,
            kind,
            section=segment.section if section is None else section,
            context=segment.context,
        ),
        ElementText(full, summary=summarise(words), polarity=own),
        TagDecision(tag, Category.C1, "identity.prose", "identity.prose", confidence=0.65),
        remarks=Remarks(template=is_template_text(full)),
    )


def _stock(task: Task, segment: Segment) -> bool:
    return is_template_text(task.file.cut(segment.first, segment.last))


def _with_roles(elements: list[Element]) -> list[Element]:
    """Return the elements with the creature as the role if none is given, and one element per constant."""
    filled = [
        element for element in elements if element.mapping_row.startswith("identity.") and element.value
    ]
    has_role = any(element.mapping_row == "identity.role" for element in filled)
    taken: set[str] = set()
    result = []
    for element in elements:
        row = element.mapping_row
        if row == "identity.meta" and element.label == "creature" and not has_role:
            note = "IDENTITY.md gives no role, so the creature stands for it."
            judgment = JudgmentFact("Is the creature the role?", "yes", note)
            facts = element.facts.adding(judgment)
            element = replace(element, mapping_row="identity.role", notes=(*element.notes, note), facts=facts)
            has_role = True
        elif row in ("identity.name", "identity.role") and row in taken:
            note = f"IDENTITY.md gives more than one {element.label}; the first is the constant."
            element = replace(element, mapping_row="identity.meta", notes=(*element.notes, note))
        taken.add(element.mapping_row)
        result.append(element)
    return result
