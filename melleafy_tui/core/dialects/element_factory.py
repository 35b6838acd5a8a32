"""Creates the elements that dialect readers return: cuts their lines and fills the common fields.

Ids are assigned later by `core/pipeline/inventory.py`; secrets are masked there too, so that no reader can forget it.
"""

from collections.abc import Sequence
from sys import intern
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment

LONGEST_SHARED_LINE: Final = 2_000
"""Longer lines of JSON are shared by all of the file's elements; each element then keeps only its own words."""

_FORMS: Final = {
    "comment": "Comment",
    "rule": "Separator",
    "other": "Marker",
    "frontmatter": "Frontmatter",
    "fence": "Fence",
}


def line_range(first: int, last: int) -> str:
    """Return lines in the form of `Element.source_lines`; the strings are cached and shared between files."""
    return intern(str(first) if first == last else f"{first}-{last}")


class SourceSpan(Struct, frozen=True):
    """The lines that an element comes from, their form, and the context above them.

    Attributes:
        first: The first line, from 1.
        last: The last line.
        kind: The form in the source, as in `Element.kind`.
        section: The headings above them, outermost first.
        context: The lead-ins and parent items above them, outermost first.
    """

    first: int
    last: int
    kind: str
    section: Sequence[str] = ()
    context: Sequence[str] = ()

    @classmethod
    def of(cls, segment: Segment) -> "SourceSpan":
        """Return the span of a segment."""
        return cls(segment.first, segment.last, segment.kind, segment.section, segment.context)


class ElementText(Struct, frozen=True):
    """The text of an element.

    Attributes:
        statement: One self-contained sentence or text.
        summary: At most 100 characters, taken from the statement by default.
        prefix: The start of the default summary.
        polarity: The polarity of the wording.
        label: The name of a field.
        value: The value of a field.
    """

    statement: str
    summary: str = ""
    prefix: str = ""
    polarity: Polarity = Polarity.DESCRIBES
    label: str = ""
    value: str = ""


class TagDecision(Struct, frozen=True):
    """How an element is tagged: the tag rule, its confidence, and the mapping row, if any."""

    tag: Tag
    category: Category
    rationale: str
    mapping_row: str = ""
    confidence: float = 1.0


UNCONVERTED: Final = (Tag.NO_DECOMPOSE, Category.NONE)
"""Tag and category of elements that are kept and not converted."""


class Remarks(Struct, frozen=True):
    """Less common fields of an element, with the same names and meaning."""

    notes: Sequence[str] = ()
    aggregation_hint: str = ""
    scope: str = ""
    template: bool = False
    runtime_only: str = ""


class ElementFactory(Struct, frozen=True):
    """Creates the elements of one file.

    `rule_id` is the file rule that matches the file.
    """

    file: SourceFile
    rule_id: str

    def make(
        self,
        span: SourceSpan,
        text: ElementText,
        decision: TagDecision,
        facts: Facts | None = None,
        remarks: Remarks = Remarks(),  # noqa: B008 - immutable
    ) -> Element:
        """Return an element for the lines of a span, with its text copied from the file.

        Args:
            span: The element's lines.
            text: The element's text.
            decision: The element's tag, category and mapping row.
            facts: Facts about the element.
            remarks: Less common fields.
        """
        return Element(
            element_id="",
            source_file=self.file.path,
            source_lines=line_range(span.first, span.last),
            kind=span.kind,
            tag=decision.tag,
            category=decision.category,
            content_summary=text.summary or summarise(text.statement, prefix=text.prefix),
            content_full=self._own_text(span, text.statement),
            statement=text.statement,
            confidence=decision.confidence,
            section=tuple(span.section),
            context=tuple(span.context),
            polarity=text.polarity,
            label=text.label,
            value=text.value,
            dialect_rule_id=self.rule_id,
            mapping_row=decision.mapping_row,
            rationale=decision.rationale,
            aggregation_hint=remarks.aggregation_hint,
            notes=tuple(remarks.notes),
            scope=remarks.scope,
            template=remarks.template,
            runtime_only=remarks.runtime_only,
            facts=facts or Facts(),
        )

    def unconverted(
        self, segment: Segment, rationale: str, *, template: bool = False, confidence: float = 1.0
    ) -> Element:
        """Return the element for a segment that is kept and not converted.

        Args:
            segment: The segment.
            rationale: The name of the tag rule that decided.
            template: Whether it is stock text from the runtime's templates.
            confidence: How sure the rule is.
        """
        return self.make(
            SourceSpan.of(segment),
            ElementText(segment.words, summarise(segment.text) or _FORMS.get(segment.kind, segment.kind)),
            TagDecision(*UNCONVERTED, rationale, confidence=confidence),
            remarks=Remarks(template=template),
        )

    def _own_text(self, span: SourceSpan, statement: str) -> str:
        """Return an element's lines, or its statement if the lines are long and shared with other elements."""
        text = self.file.cut(span.first, span.last)
        shares_a_line = span.kind == "json" and len(text) > LONGEST_SHARED_LINE * (span.last - span.first + 1)
        return statement if shares_a_line else text
