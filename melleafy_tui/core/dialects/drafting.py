"""Makes the elements that dialect readers return: the one place that cuts lines and fills the common fields.

Ids are given later by `core/inventory.py`; secrets are masked there too, so that no reader can forget it.
"""

from collections.abc import Iterable, Sequence
from sys import intern
from typing import Final

from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.wording import summarise
from melleafy_tui.core.workspace.pieces import Piece

LONGEST_SHARED_LINE: Final = 2_000
"""A longer line of JSON is one that all the file's elements share; each keeps only its own words (spec/safety.md 6)."""

_FORMS: Final = {
    "comment": "Comment",
    "rule": "Separator",
    "other": "Marker",
    "frontmatter": "Frontmatter",
    "fence": "Fence",
}


def line_range(first: int, last: int) -> str:
    """Return lines in the form of `Element.source_lines`; files of one length share it."""
    return intern(str(first) if first == last else f"{first}-{last}")


def draft(
    file: SourceFile,
    first: int,
    last: int,
    *,
    kind: str,
    tag: Tag,
    category: Category,
    statement: str,
    rule_id: str,
    rationale: str,
    confidence: float = 1.0,
    summary: str = "",
    prefix: str = "",
    mapping_row: str = "",
    section: Sequence[str] = (),
    context: Sequence[str] = (),
    polarity: Polarity = Polarity.DESCRIBES,
    label: str = "",
    value: str = "",
    scope: str = "",
    template: bool = False,
    runtime_only: str = "",
    aggregation_hint: str = "",
    notes: Iterable[str] = (),
    facts: Facts | None = None,
) -> Element:
    """Return an element on lines `first` to `last`, whose text is cut from the file as it stands."""
    return Element(
        element_id="",
        source_file=file.path,
        source_lines=line_range(first, last),
        kind=kind,
        tag=tag,
        category=category,
        content_summary=summary or summarise(statement, prefix=prefix),
        content_full=_own_text(file, first, last, kind, statement),
        statement=statement,
        confidence=confidence,
        section=tuple(section),
        context=tuple(context),
        polarity=polarity,
        label=label,
        value=value,
        dialect_rule_id=rule_id,
        mapping_row=mapping_row,
        rationale=rationale,
        aggregation_hint=aggregation_hint,
        notes=tuple(notes),
        scope=scope,
        template=template,
        runtime_only=runtime_only,
        facts=facts or Facts(),
    )


def _own_text(file: SourceFile, first: int, last: int, kind: str, statement: str) -> str:
    """Return an element's lines, or its statement where a file without line breaks would be copied into each."""
    text = file.cut(first, last)
    shares_a_line = kind == "json" and len(text) > LONGEST_SHARED_LINE * (last - first + 1)
    return statement if shares_a_line else text


def undecomposed(
    file: SourceFile, piece: Piece, rule_id: str, rationale: str, *, template: bool = False
) -> Element:
    """Return the element of a piece that is kept and not converted."""
    return draft(
        file,
        piece.first,
        piece.last,
        kind=piece.kind,
        tag=Tag.NO_DECOMPOSE,
        category=Category.NONE,
        statement=piece.words,
        summary=summarise(piece.text) or _FORMS.get(piece.kind, piece.kind),
        rule_id=rule_id,
        rationale=rationale,
        section=piece.section,
        context=piece.context,
        template=template,
    )
