"""Reads USER.md: one element a fact, stable or overridable by its label."""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.dialects.element_factory import PLACEHOLDER, SourceSpan, own_words, standing_alone
from melleafy_tui.core.dialects.openclaw.homes import FACTS
from melleafy_tui.core.dialects.openclaw.labelled_fields import (
    LabelledField,
    field_of_piece,
    fields_of_lines,
    overridable_labels,
)
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_field, is_template_text
from melleafy_tui.core.dialects.rules_document import carrier_name, form_of
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, JudgmentFact
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.vocabulary import DecisionKind
from melleafy_tui.core.source.segments import Segment, cut_segments

STATUS: Final = LazyRegex(
    r"<!--(?:(?!-->).){0,400}?\bstatus:\s*(?P<status>\w+)(?:(?!-->).){0,400}?-->", re.IGNORECASE | re.DOTALL
)
"""A dated comment that says whether the facts under it are still valid."""

_OUTDATED: Final = frozenset(
    {"superseded", "retracted", "outdated", "obsolete", "expired", "inactive", "archived"}
)


def overridable_subject(label: str, section: Sequence[str] = ()) -> str:
    """Return what an overridable fact is about, by its label, else by the heading right above it; else `""`."""
    known = overridable_labels()
    return known.get(_folded(label), "") or ("" if label else known.get(_folded("".join(section[-1:])), ""))


def _folded(label: str) -> str:
    return re.sub(r"^\W+|\W+$", "", plain_text(label).casefold()).replace("’", "'")


def read_user(task: Task) -> list[Element]:
    """Return the elements of USER.md."""
    elements: list[Element] = []
    status = ""
    for segment in cut_segments(task.file):
        said = STATUS.search(task.file.cut(segment.first, segment.last))
        if segment.kind == "heading":
            status = ""
        if segment.kind == "comment":
            status = said["status"].casefold() if said else status
        own_status = said["status"].casefold() if said else status
        elements += _segment(task, segment, outdated=own_status in _OUTDATED)
    return elements


def _segment(task: Task, segment: Segment, *, outdated: bool) -> list[Element]:
    full = task.file.cut(segment.first, segment.last)
    template = is_template_text(full)
    if form_of(segment) == "carrier" and not _heads_a_card(segment):
        return [task.factory.unconverted(segment, carrier_name(segment), template=template)]
    if outdated:
        return [task.factory.unconverted(segment, "a fact that no longer holds", template=template)]
    lines = fields_of_lines(segment)
    if len(lines) > 1:
        return [_fact(task, segment, each.first, each.last, each.field) for each in lines]
    if template:
        return [
            task.factory.unconverted(segment, "a blank of the template", template=True, decisions=PLACEHOLDER)
        ]
    return [_fact(task, segment, segment.first, segment.last, field_of_piece(segment))]


def _heads_a_card(segment: Segment) -> bool:
    """Return whether a table's header is itself a fact, as in a table without column names."""
    return (
        segment.kind == "table_header"
        and len(segment.cells) == 2
        and bool(overridable_subject(segment.cells[0]))
    )


def _fact(task: Task, segment: Segment, first: int, last: int, field: LabelledField | None) -> Element:
    kind = "field" if field is not None and not segment.cells else segment.kind
    span = SourceSpan(first, last, kind, section=segment.section, context=segment.context)
    if field is not None and not field.is_filled:
        stock = is_template_text(task.file.cut(first, last)) or is_stock_field(field.label)
        return task.factory.blank(span, field.label, template=stock)
    label, value = (field.label, field.value) if field is not None else ("", "")
    words = f"{label}: {value}" if field is not None else own_words(segment)
    subject = overridable_subject(label, segment.section)
    reason = (
        f"Another user, host or day would change it: {subject}."
        if subject
        else "Its label names nothing that another user, host or day would change."
    )
    chosen = "overridable" if subject else "stable"
    return task.factory.make(
        span,
        words if field is not None else standing_alone(segment),
        FACTS[bool(subject)],
        Facts(JudgmentFact("Stable or overridable fact?", chosen, reason)),
        summary=summarise(words),
        label=label.casefold(),
        value=value,
        decisions=_decisions(reason) if subject else (),
    )


def _decisions(reason: str) -> tuple[Decision, ...]:
    return (
        Decision(DecisionKind.OVERRIDABLE, reason),
        Decision(DecisionKind.TRAVELS, "The value in USER.md is the default of --user-context."),
    )
