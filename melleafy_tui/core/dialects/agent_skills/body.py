"""Splits the body of a SKILL.md into elements and tags them: steps, rules, schemas, tools, knowledge."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills import wordings as words
from melleafy_tui.core.dialects.agent_skills.result_fields import fields_of_piece
from melleafy_tui.core.dialects.agent_skills.tag_rules import BODY_RULES, opens_with_condition
from melleafy_tui.core.dialects.element_factory import (
    ElementFactory,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.dialects.shell_requests import split_requests
from melleafy_tui.core.dialects.tag_rules import (
    Tagged,
    Wording,
    chain,
    first_match,
    is_step_list,
    prose_of_lead_in,
    wording_of,
)
from melleafy_tui.core.dialects.tool_facts import tool_fact
from melleafy_tui.core.language.directives import is_imperative
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, PhaseFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments, lists_of

STEP_TAGS: Final = frozenset(
    {Tag.EXTRACT, Tag.CLASSIFY, Tag.GENERATE, Tag.TRANSFORM, Tag.QUERY, Tag.VALIDATE_DOMAIN, Tag.ORCHESTRATE}
)
"""Tags of work done before the reply; no mapping row matches them, so the tag decides."""

ROWS: Final[dict[Tag, str]] = {
    Tag.VALIDATE_OUTPUT: "skill.rule",
    Tag.DECIDE: "skill.rule",
    Tag.CONVERSE: "skill.rule",
    Tag.REMEDIATE: "skill.rule",
    Tag.CONFIG: "skill.knowledge",
    Tag.TOOL_INPUT: "skill.input",
    Tag.DETERMINISTIC: "skill.guidance",
    Tag.TOOL_TEMPLATE: "skill.guidance",
}
"""The mapping row for each body tag that has one."""


READ_ROWS: Final = ("skill.lookup", "skill.reading")
"""Rows of orders to read or look up, named like their tag rules; they aren't steps, since each call has the texts."""

_CLAUSES: Final = LazyRegex(r"[,，:：]\s*\S")


_FEWEST: Final = 2
"""Headings of phases that make a document a sequence of phases; its other lists are rules and knowledge."""


class Phases(Struct, frozen=True):
    """The headings of a document that name a phase of the work."""

    headings: frozenset[str] = frozenset()

    def of(self, section: Sequence[str], list_role: str) -> str:
        """Return the phase of the work that a segment belongs to.

        Args:
            section: The headings above it, outermost first.
            list_role: What its numbered list is, as in `Wording`.

        Returns:
            The outermost heading that names a phase, else that of a procedure without phases, or `""`.
        """
        named = next((heading for heading in section if heading in self.headings), "")
        if named or len(self.headings) >= _FEWEST:
            return named
        *_, above = ("", *section)
        if list_role in ("procedure", "orders"):
            return above or "workflow"
        return above if is_workflow(above) else ""


class Body(Struct, frozen=True):
    """The parts of the spec file that apply to every element of the body.

    `title` is a document title that reads like the heading of an example, such as "Sample tracker", or `""`.
    """

    file: SourceFile
    rule_id: str
    snapshot: Snapshot
    lengths: dict[int, int]
    ordering: frozenset[int]
    title: str = ""
    phases: Phases = Phases()


def read_body(file: SourceFile, rule_id: str, snapshot: Snapshot, after: int) -> Iterator[Element]:
    """Yield the elements of a spec's body.

    Args:
        file: The spec.
        rule_id: The id of the file rule that matches the spec.
        snapshot: The workspace, used to find the scripts that the body names.
        after: The last line of the frontmatter, 0 if there is none.
    """
    cut = split_requests(cut_segments(file), file)
    segments = tuple(segment for segment in cut if segment.first > after)
    lists = lists_of(segments)
    body = Body(
        file,
        rule_id,
        snapshot,
        {number: len(items) for number, items in lists.items()},
        frozenset(number for number, items in lists.items() if is_step_list(items)),
        _misleading_title(segments),
        phases_of(segments),
    )
    yield from _in_phases([_element(body, segment) for segment in segments])


def _in_phases(elements: Sequence[Element]) -> Iterator[Element]:
    """Yield the elements, steps outside of all phases as steps of the phase before them, else of the first one."""
    phase = next(
        (element.facts[PhaseFact].phase for element in elements if element.facts[PhaseFact].phase), "workflow"
    )
    for element in elements:
        if PhaseFact in element.facts:
            phase = element.facts[PhaseFact].phase or phase
            element = replace(element, facts=element.facts.adding(PhaseFact(phase)))
        yield element


def _misleading_title(segments: Sequence[Segment]) -> str:
    """Return the only heading of the first level if it reads like the heading of an example."""
    headings = [segment for segment in segments if segment.kind == "heading"]
    titles = [segment.text for segment in headings if segment.level == 1]
    if len(titles) == 1 and headings[0].level == 1 and words.EXAMPLES.match(titles[0]):
        return titles[0]
    return ""


def _element(body: Body, segment: Segment) -> Element:
    segment = prose_of_lead_in(segment)
    wording = _wording(body, segment)
    tagged = first_match(BODY_RULES, wording)
    category, row = _place(tagged, segment)
    full = body.file.cut(segment.first, segment.last)
    facts = _facts(body, wording, tagged, full)
    if row == "skill.guidance" and facts[ToolFact].url:
        row = "skill.endpoint"
    polarity = wording.polarity
    if category is not Category.C2 or row in ("skill.knowledge", "skill.input", *READ_ROWS):
        polarity = Polarity.DESCRIBES
    elif tagged.rationale == "skill.rule_item":
        polarity = Polarity.OBLIGES
    is_rule = row == "skill.rule"
    return ElementFactory(body.file, body.rule_id).make(
        SourceSpan.of(segment),
        ElementText(
            wording.statement,
            summary=summarise(wording.text, prefix="Rule: " if is_rule else "")
            if segment.kind == "fence"
            else "",
            prefix="Rule: " if is_rule else "",
            polarity=polarity,
        ),
        TagDecision(tagged.tag, category, tagged.rationale, row, confidence=tagged.confidence),
        facts,
        Remarks(
            notes=("The items under it carry its words.",) if segment.kind == "lead_in" else (),
            aggregation_hint=chain(segment, tagged.tag, body.lengths),
        ),
    )


def _wording(body: Body, segment: Segment) -> Wording:
    """Return the wording for the tag rules; in a procedure every item is an order unless it forbids or permits."""
    if body.title and segment.section:
        segment = replace(segment, section=segment.section[1:])
    wording = wording_of(segment)
    ordering = segment.list_number in body.ordering or wording.heading in body.phases.headings
    if ordering and segment.kind == "item" and segment.ordered and wording.list_role == "":
        wording = replace(wording, list_role="orders")
    wording = replace(wording, phase=body.phases.of(segment.section, wording.list_role))
    if wording.polarity is Polarity.DESCRIBES and _gives_order(wording):
        wording = replace(wording, polarity=Polarity.OBLIGES)
    return wording


def _gives_order(wording: Wording) -> bool:
    """Return whether a text is a step of a procedure, or decides in a workflow."""
    if wording.list_role in ("orders", "procedure"):
        return True
    return bool(wording.phase) and opens_with_condition(wording) and bool(_CLAUSES.search(wording.text))


def _place(tagged: Tagged, segment: Segment) -> tuple[Category, str]:
    """Return the category and the mapping row for a tag."""
    if tagged.tag is Tag.SCHEMA:
        return Category.NONE, "skill.schema"
    if tagged.tag is Tag.NO_DECOMPOSE or segment.kind == "lead_in":
        return Category.NONE, ""
    if tagged.rationale == "skill.persona":
        return Category.C1, "skill.persona"
    if tagged.rationale in READ_ROWS:
        return Category.C2, tagged.rationale
    if tagged.tag in STEP_TAGS:
        return Category.C2, ""
    category = Category.C6 if tagged.tag in (Tag.DETERMINISTIC, Tag.TOOL_TEMPLATE) else Category.C2
    return category, ROWS[tagged.tag]


def _facts(body: Body, wording: Wording, tagged: Tagged, full: str) -> Facts:
    if tagged.tag in (Tag.DETERMINISTIC, Tag.TOOL_TEMPLATE):
        found = tool_fact(wording.segment, wording.text, full, body.snapshot)
        if found.url and not any(map(words.OWNERS_SETUP.match, wording.segment.section[1:])):
            return Facts(replace(found, name="", script=""))
        return Facts(ToolFact(urls=found.urls, subtype="narrative"))
    if tagged.tag is Tag.SCHEMA:
        return fields_of_piece(wording.segment)
    if tagged.tag in STEP_TAGS and tagged.rationale not in READ_ROWS:
        return Facts(PhaseFact(wording.phase))
    return Facts()


# --- phases of the work -----------------------------------------------------------------------


def is_workflow(heading: str) -> bool:
    """Return whether the text below a heading is a workflow."""
    return bool(words.WORKFLOW_HEADING.search(heading)) and not words.RULES_HEADING.search(heading)


def phases_of(segments: Sequence[Segment]) -> Phases:
    """Return the phases of a document.

    A bare number before a heading also counts patterns, options and chapters: numbered headings of one section are
    phases below the heading of a workflow, or when most of them are orders.
    """
    found: set[str] = set()
    numbered: dict[tuple[str, ...], list[str]] = {}
    for segment in segments:
        if segment.kind != "heading":
            continue
        if words.PHASE_HEADING.search(segment.text):
            found.add(segment.text)
        elif words.NUMBERED_HEADING.match(segment.text):
            numbered.setdefault(tuple(segment.section), []).append(segment.text)
    for section, headings in numbered.items():
        if _are_phases(section, headings):
            found.update(headings)
    return Phases(frozenset(found))


def _are_phases(section: tuple[str, ...], headings: Sequence[str]) -> bool:
    above = section[-1] if section else ""
    if words.SETUP_HEADING.search(above):
        return False
    if words.WORKFLOW_HEADING.search(above):
        return True
    if len(section) > 1 and words.TOPIC_HEADING.search(above):
        return False
    orders = sum(is_imperative(words.NUMBERED_HEADING.sub("", heading)) for heading in headings)
    return 2 * orders >= len(headings)
