"""Reads USER.md: one element a fact, stable or overridable (spec/conversion.md 3.1 and 3.3)."""

import re
from typing import Final

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.dialects.openclaw.fields import Field, field_of_piece, fields_of_lines, is_placeholder
from melleafy_tui.core.dialects.openclaw.tag_rules import USER_RULES
from melleafy_tui.core.dialects.openclaw.task import Task
from melleafy_tui.core.dialects.openclaw.templates import is_template_text
from melleafy_tui.core.dialects.openclaw.user_words import overridable_subject
from melleafy_tui.core.dialects.tagging import Wording, first_match
from melleafy_tui.core.dialects.wordings import own_words
from melleafy_tui.core.directives import polarity_of
from melleafy_tui.core.lead_ins import read_with_lead_in
from melleafy_tui.core.models.facts import Facts, JudgmentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.wording import plain_text, summarise
from melleafy_tui.core.workspace.pieces import Piece, cut_pieces

STATUS: Final = re.compile(
    r"<!--(?:(?!-->).){0,400}?\bstatus:\s*(?P<status>\w+)(?:(?!-->).){0,400}?-->", re.IGNORECASE | re.DOTALL
)
"""The dated comment that says whether the facts under it still hold."""

_OUTDATED: Final = frozenset(
    {"superseded", "retracted", "outdated", "obsolete", "expired", "inactive", "archived"}
)
_SET_ASIDE: Final = ("heading", "comment", "rule", "other", "frontmatter", "table_header", "html")


def read_user(task: Task) -> list[Element]:
    """Return the elements of USER.md."""
    elements: list[Element] = []
    status = ""
    for piece in cut_pieces(task.file):
        full = task.file.cut(piece.first, piece.last)
        said = STATUS.search(full)
        if piece.kind == "heading":
            status = ""
        if piece.kind == "comment":
            status = said["status"].casefold() if said else status
        own_status = said["status"].casefold() if said else status
        elements += _piece(task, piece, outdated=own_status in _OUTDATED)
    return elements


def _piece(task: Task, piece: Piece, *, outdated: bool) -> list[Element]:
    full = task.file.cut(piece.first, piece.last)
    template = is_template_text(full)
    if piece.kind in _SET_ASIDE and not (piece.kind == "table_header" and _heads_a_card(piece)):
        rationale = "user.heading" if piece.kind == "heading" else "user.markup"
        return [task.factory.unconverted(piece, rationale, template=template)]
    if outdated:
        return [task.factory.unconverted(piece, "user.superseded", template=template)]
    lines = fields_of_lines(piece)
    if len(lines) > 1:
        return [_fact(task, piece, number, number, field) for number, field in lines]
    if template:
        return [task.factory.unconverted(piece, "user.template", template=True)]
    field = None if piece.kind == "lead_in" else field_of_piece(piece)
    return [_fact(task, piece, piece.first, piece.last, field)]


def _heads_a_card(piece: Piece) -> bool:
    """Return whether a table's header is itself a fact, as in a card without column names."""
    return len(piece.cells) == 2 and bool(overridable_subject(plain_text(piece.cells[0]), ""))


def _fact(task: Task, piece: Piece, first: int, last: int, field: Field | None) -> Element:
    if field is not None and (not field.is_filled or is_placeholder(field.raw_value)):
        return _empty(task, piece, first, last, field)
    words = f"{field.label}: {field.value}" if field is not None else own_words(piece)
    wording = Wording(piece, words, words, Polarity.DESCRIBES, polarity_of(words))
    if piece.kind != "table_row" and piece.kind != "table_header":
        reading = read_with_lead_in(words, piece.context)
        wording = Wording(
            piece, words, reading.statement, reading.polarity, polarity_of(words), reading.lead_ins
        )
    tagged = (
        first_match(USER_RULES, wording)
        if piece.kind != "table_header"
        else first_match(USER_RULES[-1:], wording)
    )
    if tagged.tag is Tag.NO_DECOMPOSE:
        return task.factory.unconverted(piece, tagged.rationale)
    subject = overridable_subject(field.label if field else "", words, piece.section)
    reason = (
        f"Overridable: it speaks of {subject}, which another user, host or day would change."
        if subject
        else "Stable: no word of it speaks of what another user, host or day would change."
    )
    return task.factory.make(
        SourceSpan(
            first,
            last,
            "field" if field and not piece.cells else piece.kind,
            section=piece.section,
            context=piece.context,
        ),
        ElementText(
            wording.statement,
            summary=summarise(wording.statement),
            polarity=wording.own_polarity,
            label=field.label.casefold() if field else "",
            value=field.value if field else "",
        ),
        TagDecision(
            tagged.tag,
            Category.C3,
            f"user.overridable.{subject.replace(' ', '_')}" if subject else "user.stable",
            "user.overridable" if subject else "user.stable",
            confidence=tagged.confidence if field or subject else 0.7,
        ),
        Facts(JudgmentFact("Stable or overridable fact?", "overridable" if subject else "stable", reason)),
        Remarks(notes=(reason,)),
    )


def _empty(task: Task, piece: Piece, first: int, last: int, field: Field) -> Element:
    return task.factory.make(
        SourceSpan(
            first,
            last,
            "field" if not piece.cells else piece.kind,
            section=piece.section,
            context=piece.context,
        ),
        ElementText(f"{field.label}:", summary=f"{field.label}: (no value)", label=field.label.casefold()),
        TagDecision(*UNCONVERTED, "user.placeholder"),
        remarks=Remarks(template=is_template_text(task.file.cut(first, last))),
    )
