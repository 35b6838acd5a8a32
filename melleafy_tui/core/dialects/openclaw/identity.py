"""Reads IDENTITY.md: a field with a value is a constant, everything else is persona."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import PLACEHOLDER, UNCONVERTED, Home, SourceSpan, left_out
from melleafy_tui.core.dialects.openclaw.homes import IDENTITY_FIELDS, PERSONA
from melleafy_tui.core.dialects.openclaw.labelled_fields import (
    LabelledField,
    canonical_label,
    field_of_piece,
    fields_of_lines,
    is_known_label,
)
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_field, is_template_line, is_template_text
from melleafy_tui.core.dialects.rules_document import CARRIERS, carrier_name
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.models.facts import JudgmentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.source.segments import Segment, cut_segments

_LONGEST_LABEL: Final = 4
"""Words of a label that isn't one of OpenClaw's; a longer one is a sentence."""


def read_identity(task: Task) -> list[Element]:
    """Return the elements of IDENTITY.md; the creature becomes the role if no role is given."""
    elements = [element for group in _sections(cut_segments(task.file)) for element in _section(task, group)]
    return _with_roles(sorted(elements, key=lambda element: element.line_range))


def _sections(segments: Sequence[Segment]) -> list[list[Segment]]:
    groups: list[list[Segment]] = [[]]
    for segment in segments:
        if segment.kind == "heading":
            groups.append([])
        groups[-1].append(segment)
    return [group for group in groups if group]


def _section(task: Task, group: list[Segment]) -> list[Element]:
    """Return the elements of a section: one if it has no field."""
    heading, *body = group
    if heading.kind != "heading":
        return [element for segment in group for element in _segment(task, segment)]
    value = _only_value(heading, body)
    if value is not None:
        field = LabelledField(heading.words, canonical_label(heading.words), value.words, value.text)
        return [_field(task, heading.first, value.last, "field", heading, field)]
    has_own_words = any(segment.kind not in CARRIERS for segment in body)
    if has_own_words and not any(map(_is_field if heading.level == 1 else _is_known_field, body)):
        path = (*heading.section, plain_text(heading.text))
        return [_persona(task, SourceSpan(heading.first, group[-1].last, "section", path), body)]
    return [
        task.factory.unconverted(heading, carrier_name(heading), template=_stock(task, heading)),
        *(element for segment in body for element in _segment(task, segment)),
    ]


def _only_value(heading: Segment, body: list[Segment]) -> Segment | None:
    """Return the value below a heading that is one of OpenClaw's labels, if nothing else is below it."""
    if len(body) != 1 or not is_known_label(heading.words):
        return None
    return body[0] if body[0].kind not in CARRIERS and field_of_piece(body[0]) is None else None


def _is_field(segment: Segment) -> bool:
    """Return whether a segment is a field: a label of OpenClaw's anywhere, any short label in a list or table.

    A bold label over a list is a lead-in, never a field without a value.
    """
    if segment.kind == "lead_in":
        return False
    if fields_of_lines(segment) or _is_known_field(segment):
        return True
    field = field_of_piece(segment)
    if field is None or segment.kind in ("paragraph", "table_header"):
        return False
    return len(field.label.split()) <= _LONGEST_LABEL and segment.depth <= 1


def _is_known_field(segment: Segment) -> bool:
    """Return whether a segment has a label of OpenClaw's; others are fields only beside one, or below the title.

    "## Guidelines" over "**Calm:** I never shout." is text of the persona, whatever labels its items have.
    """
    fields = (*(each.field for each in fields_of_lines(segment)), field_of_piece(segment))
    is_known = any(field is not None and is_known_label(field.label) for field in fields)
    return is_known and segment.kind != "lead_in"


def _segment(task: Task, segment: Segment) -> list[Element]:
    lines = fields_of_lines(segment)
    if len(lines) > 1:
        return [_field(task, each.first, each.last, "field", segment, each.field) for each in lines]
    field = field_of_piece(segment)
    if field is not None and _is_field(segment):
        kind = "table_row" if segment.cells else "field"
        return [_field(task, segment.first, segment.last, kind, segment, field)]
    if segment.kind in CARRIERS:
        return [task.factory.unconverted(segment, carrier_name(segment), template=_stock(task, segment))]
    return [_persona(task, segment, [segment])]


def _field(task: Task, first: int, last: int, kind: str, segment: Segment, field: LabelledField) -> Element:
    span = SourceSpan(first, last, kind, section=segment.section, context=segment.context)
    text = task.file.cut(first, last)
    is_hint = is_template_line(text.partition("\n")[0]) or is_template_text(field.raw_value)
    stock = is_template_text(text) and (not field.is_filled or is_hint)
    if not field.is_filled or stock:
        stock = stock or is_stock_field(field.canonical)
        return task.factory.blank(span, field.canonical, template=stock)
    shown = f"{field.canonical}: {field.value}"
    return task.factory.make(
        span,
        shown,
        IDENTITY_FIELDS.get(field.canonical, IDENTITY_FIELDS[""]),
        label=field.canonical,
        value=field.value,
    )


def _persona(task: Task, span: SourceSpan | Segment, body: Sequence[Segment]) -> Element:
    full = task.file.cut(span.first, span.last)
    words = next((segment.words for segment in body if segment.kind not in CARRIERS), full)
    texts = [task.file.cut(each.first, each.last) for each in body if each.kind not in CARRIERS]
    reasons = list(map(left_out_reason, texts))
    template = is_template_text(full)
    return task.factory.make(
        span,
        full,
        Home(*UNCONVERTED, "text of the template") if template else PERSONA,
        summary=summarise(words),
        template=template,
        decisions=PLACEHOLDER if template else left_out(reasons[0] if all(reasons) else ""),
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
