"""Creates the elements that dialect readers return: cuts their lines and fills the common fields.

Ids are assigned later by `core/pipeline/element_collection.py`; secrets are masked there too, so that no reader
can forget it.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from sys import intern
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.language.actions import asks_approval
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.wording import behind, plain_text, summarise
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Decision, Element, InventoriedFile
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag
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


def listed_file(source: SourceFile, rule: FileRule, runtime: str, note: str = "") -> InventoriedFile:
    """Return the row of the inventory for a file that its rule reads.

    Args:
        source: The file; one without text is skipped.
        rule: The rule that matches it.
        runtime: The runtime of the dialect.
        note: What there is to say of it.
    """
    if source.text is None:
        return unread_file(source.path, rule, runtime, "It was not read.", status="skipped")
    return InventoriedFile(
        source.path,
        rule.role,
        "read",
        rule.rule_id,
        characters=len(source.text),
        line_count=len(source.lines),
        sha256=source.sha256,
        runtimes=(runtime,),
        note=note,
    )


def unread_file(
    path: str, rule: FileRule, runtime: str, note: str = "", *, status: str = "listed"
) -> InventoriedFile:
    """Return the row of the inventory for a file that isn't read; `status` is one of `InventoriedFile`."""
    return InventoriedFile(path, rule.role, status, rule.rule_id, runtimes=(runtime,), note=note)


def uncovered(file: SourceFile, elements: Iterable[Element]) -> Iterator[tuple[int, int]]:
    """Yield the first and last filled line of each gap between the lines of elements."""
    held = sorted({n for each in elements for n in range(each.line_range[0], each.line_range[1] + 1)})
    free = {*range(1, len(file.lines) + 1)}.difference(held)
    filled = (number for number in sorted(free) if file.lines[number - 1].strip())
    for _, gap in groupby(filled, key=lambda number: bisect(held, number)):  # no held line between them
        first, *others = gap
        yield first, others[-1] if others else first


class SourceSpan(Struct, frozen=True):
    """The lines of an element that is no segment of a text, their form, and the context above them.

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


class Home(Struct, frozen=True):
    """Where an element belongs: its tag and category, the place that says so, and the mapping row, if any."""

    tag: Tag
    category: Category
    rationale: str
    mapping_row: str = ""


UNCONVERTED: Final = (Tag.NO_DECOMPOSE, Category.NONE)
"""Tag and category of elements that are kept and not converted."""


def left_out(reason: str) -> tuple[Decision, ...]:
    """Return the decision to leave an element out for a reason, none for `""`."""
    return (Decision(DecisionKind.LEFT_OUT, reason),) if reason else ()


PLACEHOLDER: Final = (Decision(DecisionKind.PLACEHOLDER, "It is a blank that nobody filled in."),)
"""The decision about a blank of a template."""


def own_words(segment: Segment) -> str:
    """Return the words of a segment as its owner wrote them, a table's row as `column: cell` pairs."""
    if segment.kind == "table_row":
        names = (*map(plain_text, segment.header), *[""] * len(segment.cells))
        cells = [(name, plain_text(cell)) for name, cell in zip(names, segment.cells, strict=False)]
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells if cell)
    return "\n".join(segment.lines) if segment.kind == "fence" else segment.words


def standing_alone(segment: Segment) -> str:
    """Return the words of a segment behind its lead-ins and parents, all in the owner's words.

    Without a lead-in, a heading that forbids, permits or asks for leave stands before it, since it turns what is below.
    """
    above = segment.context or tuple(filter(_turns, segment.section[-1:]))
    if segment.kind == "fence" and segment.lead_in not in above:
        above = (*above, segment.lead_in) if segment.lead_in else above
    return behind(above, own_words(segment))


def _turns(heading: str) -> bool:
    return asks_approval(heading) or polarity_of(heading) in (Polarity.FORBIDS, Polarity.PERMITS)


class ElementFactory(Struct, frozen=True):
    """Creates the elements of one file.

    `rule_id` is the file rule that matches the file.
    """

    file: SourceFile
    rule_id: str

    def make(
        self,
        span: SourceSpan | Segment,
        statement: str,
        home: Home,
        facts: Facts | None = None,
        *,
        summary: str = "",
        label: str = "",
        value: str = "",
        notes: Sequence[str] = (),
        aggregation_hint: str = "",
        scope: str = "",
        template: bool = False,
        decisions: tuple[Decision, ...] = (),
    ) -> Element:
        """Return an element for the lines of a span, with its text copied from the file.

        Args:
            span: The element's lines.
            statement: Its words, which can stand alone.
            home: The element's tag, category and mapping row.
            facts: Facts about the element.
            summary: At most 100 characters, taken from the statement by default.
            label: The name of a field.
            value: The value of a field.
            notes: What the reader says about it.
            aggregation_hint: The file or record that it is a part of.
            scope: The folder that a scoped rule applies to.
            template: Whether it is text of the runtime's templates.
            decisions: What happens because of it.
        """
        return Element(
            element_id="",
            source_file=self.file.path,
            source_lines=line_range(span.first, span.last),
            kind=span.kind,
            tag=home.tag,
            category=home.category,
            content_summary=summary or summarise(statement),
            content_full=self._own_text(span, statement),
            statement=statement,
            section=tuple(span.section),
            context=tuple(span.context),
            label=label,
            value=value,
            dialect_rule_id=self.rule_id,
            mapping_row=home.mapping_row,
            rationale=home.rationale,
            aggregation_hint=aggregation_hint,
            notes=tuple(notes),
            scope=scope,
            template=template,
            decisions=decisions,
            facts=facts or Facts(),
        )

    def unconverted(
        self,
        segment: Segment,
        rationale: str,
        *,
        template: bool = False,
        decisions: tuple[Decision, ...] = (),
    ) -> Element:
        """Return the element for a segment that is kept and not converted.

        Args:
            segment: The segment.
            rationale: The place that decided.
            template: Whether it is text of the runtime's templates.
            decisions: What happens because of it.
        """
        return self.make(
            segment,
            segment.words,
            Home(*UNCONVERTED, rationale),
            summary=summarise(segment.text) or _FORMS.get(segment.kind, segment.kind),
            template=template,
            decisions=decisions,
        )

    def blank(self, span: SourceSpan | Segment, label: str, *, template: bool) -> Element:
        """Return the element for a field that nobody filled in."""
        return self.make(
            span,
            f"{label}:",
            Home(*UNCONVERTED, "a field without a value"),
            summary=f"{label}: (no value)",
            label=label.casefold(),
            template=template,
            decisions=PLACEHOLDER,
        )

    def _own_text(self, span: SourceSpan | Segment, statement: str) -> str:
        """Return an element's lines, or its statement if the lines are long and shared with other elements."""
        text = self.file.cut(span.first, span.last)
        shares_a_line = span.kind == "json" and len(text) > LONGEST_SHARED_LINE * (span.last - span.first + 1)
        return statement if shares_a_line else text
