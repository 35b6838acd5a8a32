"""Decides which elements, and which lines of a persona or of facts, every reply is judged or checked by.

A persona and the facts stay one text each. A line of them that is judged is a part: an element of its own beside the
one that has its text, so that it has a key, a source and a decision, but no text in the prompt.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.reply_checks import contradictions
from melleafy_tui.core.language.reply_rules import Place, ReplyLine, ReplyRule, reply_rules
from melleafy_tui.core.language.wording import behind, sentences, summarise, without_block_marks
from melleafy_tui.core.models.facts import ActionFact, Facts
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import PART, Decision, Element
from melleafy_tui.core.models.snapshot import SourceFile, lines_of
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag
from melleafy_tui.core.pipeline.element_decisions import is_quoted, with_leave, with_tag
from melleafy_tui.core.source.segments import cut_segments

_LINES: Final = ("item", "paragraph", "table_row", "lead_in")
_IDENTITY: Final = "IDENTITY.md"
_MEMORY: Final = "MEMORY.md"

IsTemplate = Callable[[str], bool]


class _Line(Struct, frozen=True):
    """A line for the test, with its lines in its file and the element that has it."""

    line: ReplyLine
    element: Element
    first: int
    last: int

    @property
    def place(self) -> str:
        return f"{self.element.source_file}:{self.first}"


def decide_replies(
    elements: Sequence[Element], is_template: IsTemplate | None
) -> tuple[Iterator[Element], Sequence[Element], Iterator[Diagnostic]]:
    """Return the elements with the decisions about replies, and the checks that exclude each other.

    Between them stand the judged, checked or offered lines that have no element of their own; without ids.

    Args:
        elements: All elements of a source, in its order.
        is_template: Whether a text is one of the runtime's templates; None if such text counts as the owner's.
    """
    titles = _titles(elements)
    files = {element.source_file for element in elements if element.category is Category.C2}
    lines = [
        line
        for element in elements
        for line in _lines_of(element, titles.get(element.source_file, ""), files, is_template)
    ]
    rules = reply_rules([each.line for each in lines])
    excluding = _excluding([rule for rule in rules if rule.check], lines)
    changed: dict[str, Element] = {}
    parts: list[Element] = []
    for rule in rules:
        source = lines[rule.position]
        element = source.element
        against = lines[excluding[rule.position]].place if rule.position in excluding else ""
        decided, offered = _decisions(rule, against)
        if element.category is Category.C2 and element.tag is Tag.DECIDE and not rule.items:
            own = (*element.decisions, *decided)
            said = element.statement
            headings = [each for each in rule.headings if not said.startswith(each)]
            changed[element.element_id] = replace(
                element, decisions=own, offered=offered, statement=behind(headings, said)
            )
        elif decided or offered:
            last = lines[rule.items[-1]].last if rule.items else source.last
            text = [source.line.text, *(f"- {lines[item].line.text}" for item in rule.items)]
            parts.append(_part(source, last, "\n".join(text), decided, offered, rule.headings))
    known = {(part.source_file, part.line_range[0]) for part in parts}
    others = (
        _part(each, each.last, each.line.text, (), ())
        for each in lines
        if each.line.place is Place.PERSONA
        and not (each.line.template or each.line.quoted)
        and each.line.kind != "table_row"
    )
    parts += [
        part
        for part in others
        if (part.source_file, part.line_range[0]) not in known and with_leave(part).facts[ActionFact].effect
    ]
    findings = (
        diagnose("checks-exclude-each-other", said.element.source_file, str(said.first), other=other)
        for said, other in (
            (lines[one], lines[two].place) for one, two in sorted(excluding.items()) if one > two
        )
    )
    return (changed.get(element.element_id, element) for element in elements), parts, findings


def _titles(elements: Iterable[Element]) -> dict[str, str]:
    """Return the heading that stands above everything of a file, by file."""
    above: dict[str, set[str]] = {}
    for element in elements:
        if element.section:
            above.setdefault(element.source_file, set()).add(element.section[0])
    return {file: next(iter(found)) for file, found in above.items() if len(found) == 1}


def _lines_of(
    element: Element, title: str, files: set[str], is_template: IsTemplate | None
) -> Iterator[_Line]:
    """Yield the lines of an element that the test reads."""
    first, last = element.line_range
    headings = element.section
    name = element.source_file.rpartition("/")[2]
    if headings[:1] == (title,) or "".join(headings[:1]).lower().startswith(name.lower()):
        headings = headings[1:]
    is_other_callers = element.decided(DecisionKind.OVERRIDABLE)  # who has another fact
    if element.is_left_out or (element.template and is_template) or is_other_callers:
        return
    is_persona = element.category is Category.C1 and name != _IDENTITY
    is_memory = element.category is Category.C5 and element.source_file == _MEMORY
    if (is_persona or is_memory) and element.kind == "section":
        source = SourceFile(element.source_file, None, element.content_full)
        for part in (each for each in cut_segments(source) if each.kind in _LINES):
            text = _behind_template(part.text, is_template) if is_template else part.text
            line = ReplyLine(
                Place.PERSONA if is_persona else Place.MEMORY,
                part.kind,
                text or part.text,
                headings if is_persona else (),  # what memory is filed under says nothing about replies
                (*part.section[1:], *part.context) if is_persona else (),
                not text,
                part.quoted,
                part.ordered,
            )
            yield _Line(line, element, first + part.first - 1, first + part.last - 1)
    elif element.kind in _LINES or element.category is Category.C3:
        is_rules = element.category is Category.C2 or (
            element.kind == "lead_in" and element.source_file in files
        )
        if not is_rules and element.category is not Category.C3:
            return
        kind = element.kind if element.kind in _LINES else "item"
        text = " ".join(map(without_block_marks, lines_of(element.content_full))).strip()
        place = Place.RULES if is_rules else Place.PERSON
        known = is_template is not None and is_template(text)
        line = ReplyLine(place, kind, text, headings, element.context, known, is_quoted(element))
        yield _Line(line, element, first, last)


def _behind_template(text: str, is_template: IsTemplate) -> str:
    """Return what an owner wrote behind the sentences of a template, or `""` if nothing is the owner's."""
    if not is_template(text):
        return text
    found = sentences(text)
    known = [place for place, sentence in enumerate(found) if is_template(sentence)]
    own = found[known[-1] + 1 :] if known else ()
    return text[text.rfind(own[0]) :] if own and own[0] in text else ""


def _decisions(rule: ReplyRule, against: str) -> tuple[tuple[Decision, ...], tuple[Decision, ...]]:
    """Return the decision that is yes, or the one that is offered; a rule that another excludes is offered."""
    kind = DecisionKind.CHECKED if rule.check else DecisionKind.JUDGED
    reason = f"No reply can keep this rule and {against} at once." if against else rule.reason
    decision = (Decision(kind, reason, check=rule.check, against=against),)
    return (decision, ()) if rule.ticked and not against else ((), decision)


def _part(
    source: _Line,
    last: int,
    text: str,
    decided: tuple[Decision, ...],
    offered: tuple[Decision, ...],
    headings: tuple[str, ...] = (),
) -> Element:
    element = source.element
    part = replace(
        element,
        source_lines=f"{source.first}-{last}" if last > source.first else str(source.first),
        kind=PART,
        content_summary=summarise(text),
        content_full=text,
        statement=behind((*headings, *source.line.lead_ins), text),
        context=source.line.lead_ins,
        label="",
        value="",
        mapping_row="",
        rationale="a line of " + element.source_file.rpartition("/")[2],
        aggregation_hint="",
        notes=(),
        decisions=decided,
        offered=offered,
        facts=Facts(),
    )
    return with_tag(part)


# --- contradictions ------------------------------------------------------------------------------


def _excluding(checked: Sequence[ReplyRule], lines: Sequence[_Line]) -> dict[int, int]:
    """Return the places of lines whose checks exclude each other in one scope, each with that of the other."""
    scopes = [lines[rule.position].element.scope for rule in checked]
    found: dict[int, int] = {}
    for one, other in contradictions([rule.check for rule in checked if rule.check]):
        if scopes[one] == scopes[other] or not (scopes[one] and scopes[other]):
            found.setdefault(checked[one].position, checked[other].position)
            found.setdefault(checked[other].position, checked[one].position)
    return found
