"""Decides what happens because of each element: each decision is no unless its test says yes.

Left out, placeholder, overridable and travels come from the dialects, which know the runtime's own words; here are
those that are the same for every runtime.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.language.actions import action_fact, announces_approval
from melleafy_tui.core.language.examples import says_no, shows_examples
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.reply_checks import check_of
from melleafy_tui.core.models.facts import ActionFact, ScheduleFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import PART, Decision, Element
from melleafy_tui.core.models.snapshot import lines_of
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag

_RULES: Final = (Category.C1, Category.C2, Category.C3, Category.C6)
_LINES: Final = frozenset({"item", "paragraph", "table_row", "field"})


def with_decisions(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements with the decisions that hold for every runtime, in source order.

    Args:
        elements: The elements as the dialects read them, masked.
    """
    return tuple(replace(with_leave(each), decisions=(*each.decisions, *_found(each))) for each in elements)


def with_leave(element: Element) -> Element:
    """Return the element with the actions that it makes wait for the user's leave."""
    fact = _action_fact(element)
    return replace(element, facts=element.facts.adding(fact)) if fact.effect else element


def is_quoted(element: Element) -> bool:
    """Return whether an element is a block quote: somebody's words, or an example of a reply, decide nothing."""
    return all(line.lstrip().startswith(">") for line in lines_of(element.content_full))


def with_tag(element: Element) -> Element:
    """Return the element with the tag of a judged rule, in its rules document, if it is one.

    A line of the persona that is only offered converts to nothing: the section that has its text does.
    """
    judged = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    if element.kind == PART and not element.facts[ToolFact].subtype.startswith("concrete"):
        tag, category = (Tag.VALIDATE_OUTPUT, Category.C2) if judged else (Tag.NO_DECOMPOSE, Category.NONE)
        return replace(element, tag=tag, category=category)
    is_rule = element.category is Category.C2 and element.tag is Tag.DECIDE
    return replace(element, tag=Tag.VALIDATE_OUTPUT) if judged and is_rule else element


def with_chosen(element: Element, retag: Retag, source: str) -> Element:
    """Return the element with decisions that a person, or a model for a person, took.

    Args:
        element: The element with the decisions of the tests.
        retag: What was decided; None leaves a decision to the test.
        source: Who decided.
    """
    chosen = {
        DecisionKind.JUDGED: retag.judged,
        DecisionKind.LEFT_OUT: retag.left_out,
        DecisionKind.TRAVELS: retag.travels,
    }
    taken = {kind for kind, answer in chosen.items() if answer is not None}
    if retag.judged is not None or retag.left_out:
        taken |= {DecisionKind.JUDGED, DecisionKind.CHECKED}
    kept = tuple(each for each in element.decisions if each.kind not in taken)
    wording = retag.wording
    yes = tuple(_chosen(element, kind, source, wording) for kind, answer in chosen.items() if answer)
    statement = wording or element.statement
    tool = element.facts[ToolFact]
    asking = (element.element_id,) if retag.asks and element.element_id not in tool.asks else ()
    if asking or retag.parameters:
        tool = replace(tool, asks=(*tool.asks, *asking), parameters=retag.parameters)
        element = replace(element, facts=element.facts.adding(tool))
    return with_tag(replace(element, statement=statement, decisions=(*kept, *yes)))


def _chosen(element: Element, kind: DecisionKind, source: str, wording: str) -> Decision:
    text, context = (wording, ()) if wording else (element.content_full, element.context)
    check = check_of(text, context) if kind is DecisionKind.JUDGED else None
    return Decision(DecisionKind.CHECKED if check else kind, _CHOSEN[kind], source, check)


_CHOSEN: Final = {
    DecisionKind.JUDGED: "It was chosen to be judged on every reply.",
    DecisionKind.LEFT_OUT: "It was chosen to be left out.",
    DecisionKind.TRAVELS: "It was chosen that its value travels.",
}


def _found(element: Element) -> Iterator[Decision]:
    if element.facts[SecretFact].secret:
        yield Decision(DecisionKind.SECRET, "It holds a value that is masked.")
    if title := element.facts[ScheduleFact].title:
        yield Decision(DecisionKind.TASK, f"It has a time of its own: {title}.")
    if element.facts[ToolFact].subtype.startswith("concrete"):
        yield Decision(DecisionKind.TOOL, "Its text gives the call and what it is for.")


def _action_fact(element: Element) -> ActionFact:
    """Return what a line says about actions of tools, if it makes them wait for leave."""
    is_line = element.kind == PART or (element.category in _RULES and element.kind in _LINES)
    if not is_line or is_quoted(element) or any(map(shows_examples, (*element.section, *element.context))):
        return ActionFact()
    heading, statement = "".join(element.section[-1:]), element.statement
    if element.kind == "table_row":
        statement = "; ".join(cell for cell in statement.split("; ") if not says_no(cell))
    if not announces_approval(heading):
        statement = statement.removeprefix(f"{heading}: ")
    elif not statement.startswith(heading):
        statement = f"{heading}: {statement}"
    polarity = polarity_of(element.statement)
    if element.category is Category.C3 and polarity is Polarity.DESCRIBES:
        return ActionFact()  # what a person is like: "Annoyed by: being asked for permission"
    return action_fact(statement, polarity, heading)
