"""Decides what happens because of each element: each decision is no unless its test says yes.

Left out, placeholder, overridable and travels come from the dialects, which know the runtime's own words; here are
those that are the same for every runtime.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.language.actions import action_fact, asks_approval
from melleafy_tui.core.language.checks.compiler import compile_rule
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ActionFact, ScheduleFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag

_RULES: Final = (Category.C1, Category.C2, Category.C3, Category.C6)
_LINES: Final = frozenset({"item", "paragraph", "table_row", "field"})
_EFFECTS: Final = {
    "confirm": "It makes this wait for the user's agreement: {}.",
    "refuse": "It forbids this, so a tool that does it asks first: {}.",
}


def with_decisions(elements: Sequence[Element], *, keep_stock_text: bool = False) -> tuple[Element, ...]:
    """Return the elements with the decisions that hold for every runtime, in source order.

    Args:
        elements: The elements as the dialects read them, masked.
        keep_stock_text: Whether text of the runtime's templates counts as the owner's own.
    """
    return tuple(_with_decisions(element, keep_stock_text=keep_stock_text) for element in elements)


def _with_decisions(element: Element, *, keep_stock_text: bool) -> Element:
    fact = _action_fact(element)
    facts = element.facts.adding(fact) if fact.effect else element.facts
    decisions = (*element.decisions, *_found(element, fact, keep_stock_text=keep_stock_text))
    return with_tag(replace(element, facts=facts, decisions=decisions))


def with_tag(element: Element) -> Element:
    """Return the element with the tag of a judged rule, in its rules document, if it is one."""
    judged = element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None
    is_rule = element.category is Category.C2 and element.tag is Tag.DECIDE
    return replace(element, tag=Tag.VALIDATE_OUTPUT) if judged and is_rule else element


def with_chosen(element: Element, *, judged: bool | None, left_out: bool | None, source: str) -> Element:
    """Return the element with decisions that a person, or a model for a person, took.

    Args:
        element: The element with the decisions of the tests.
        judged: Whether it is judged on every reply; None leaves it to the test.
        left_out: Whether it is left out of the package; None leaves it to the test.
        source: Who decided.
    """
    chosen = {DecisionKind.JUDGED: judged, DecisionKind.LEFT_OUT: left_out}
    taken = {kind for kind, answer in chosen.items() if answer is not None}
    if judged is not None:
        taken.add(DecisionKind.CHECKED)
    kept = tuple(each for each in element.decisions if each.kind not in taken)
    yes = tuple(Decision(kind, _CHOSEN[kind], source) for kind, answer in chosen.items() if answer)
    return with_tag(replace(element, decisions=(*kept, *yes)))


_CHOSEN: Final = {
    DecisionKind.JUDGED: "It was chosen to be judged on every reply.",
    DecisionKind.LEFT_OUT: "It was chosen to be left out.",
}


def _found(element: Element, fact: ActionFact, *, keep_stock_text: bool) -> Iterator[Decision]:
    if element.facts[SecretFact].secret:
        yield Decision(DecisionKind.SECRET, "It holds a value that is masked.")
    if fact.effect in _EFFECTS and not element.is_left_out:
        yield Decision(DecisionKind.ASKS_FIRST, _EFFECTS[fact.effect].format(", ".join(fact.actions)))
    if title := element.facts[ScheduleFact].title:
        yield Decision(DecisionKind.TASK, f"It has a time of its own: {title}.")
    if element.facts[ToolFact].subtype.startswith("concrete"):
        yield Decision(DecisionKind.TOOL, "Its text gives the call and what it is for.")
    yield from _of_reply(element, keep_stock_text=keep_stock_text)


def _action_fact(element: Element) -> ActionFact:
    """Return what a line says about actions of tools: that they wait for leave, or are forbidden."""
    if element.category not in _RULES or element.kind not in _LINES:
        return ActionFact()
    heading = "".join(element.section[-1:])
    text = f"{heading}: {element.statement}" if asks_approval(heading) else element.statement
    found = action_fact(text, polarity_of(element.statement))
    return found if found.effect in _EFFECTS and found.actions else ActionFact()


# --- stand-in for the test of reply rules ------------------------------------------------------------

_ABOUT_REPLIES: Final = LazyRegex(
    r"\b(?:repl(?:y|ies)|respond|responses?|answers?|say|tell|mention|promise|apologi[sz]e|tone|sentences?|words?)\b"
)


def _of_reply(element: Element, *, keep_stock_text: bool) -> Iterator[Decision]:
    if element.category is not Category.C2 or element.kind not in ("item", "paragraph"):
        return
    polarity = polarity_of(element.statement)
    is_own = keep_stock_text or not element.template
    if not is_own or element.is_left_out or polarity not in (Polarity.OBLIGES, Polarity.FORBIDS):
        return
    if compile_rule(element.statement, polarity, element.section) is not None:
        yield Decision(DecisionKind.CHECKED, "It gives a limit that Python can check.")
    elif _ABOUT_REPLIES.search(element.statement.casefold()) and not asks_approval(element.statement):
        yield Decision(DecisionKind.JUDGED, "It is an order about the reply.")
