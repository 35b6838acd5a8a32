"""Decides which tools ask before each call, and which approvals no tool can honour.

A tool asks when a rule makes its action or its name wait for leave, when its own text does, when a permission rule says
so, or when a skill's grants leave it out. That some rule about approval stands in a document is no reason.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.actions import actions_in, approving_words, asks_approval
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.models.facts import ActionFact, PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.vocabulary import Category, DecisionKind
from melleafy_tui.core.package.permission_rules import covers, granted_request, grants_of

_VAGUE: Final = frozenset({"run", "read", "install"})
"""Kinds of action that say nothing about a tool where the rule also names a plainer one."""
_CALLED: Final = ("concrete_http", "concrete_script", "abstract")
_WRITING: Final = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_SHORTEST_NAME: Final = 5
"""Shortest single word by which a rule can name a tool; shorter ones occur in too many sentences."""
_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_CODE_ALONE: Final = ("file", "grant")


class ToolRow(Struct, frozen=True):
    """One tool as the review shows it.

    Attributes:
        element: The element of the tool.
        call: Its address with its method, its command, or the runtime's name for it.
        asks: The elements for which each call asks first; the tool's own when its own text says so.
        denied: Why the source forbids it, with the line, or `""`.
    """

    element: Element
    call: str
    asks: tuple[Element, ...] = ()
    denied: str = ""


def with_asking(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements: tools with the rules for which they ask, rules with the decision that a tool asks."""
    leave = [each for each in elements if each.facts[ActionFact].effect == "confirm" and not each.is_left_out]
    wanted = [each for each in elements if each.facts[PermissionFact].asks not in ("", "*")]
    bounds = [each for each in elements if each.facts[ToolFact].is_bound]
    asks: dict[str, tuple[str, ...]] = {}
    for element in elements:
        tool = element.facts[ToolFact]
        if _is_tool(element) and not tool.denied:
            found = [rule for rule in leave if rule is not element and _guards(rule, element)]
            found += [rule for rule in wanted if covers(rule.facts[PermissionFact].asks, tool)]
            found += bounds if _is_outside(tool, bounds) else []
            found += [element] if _asks_itself(element) else []
            asks[element.element_id] = tuple(rule.element_id for rule in found)
    guarding = {rule for rules in asks.values() for rule in rules}
    return tuple(_decided(element, asks, guarding) for element in elements)


def _decided(element: Element, asks: dict[str, tuple[str, ...]], guarding: set[str]) -> Element:
    if rules := asks.get(element.element_id, ()):
        tool = replace(element.facts[ToolFact], asks=rules)
        return replace(element, facts=element.facts.adding(tool))
    is_rule = element.element_id in guarding and element.facts[ActionFact].effect == "confirm"
    if not is_rule:
        return element
    reason = "A tool that does what it names asks before each call."
    return replace(element, decisions=(*element.decisions, Decision(DecisionKind.ASKS_FIRST, reason)))


def tool_rows(elements: Iterable[Element]) -> tuple[tuple[ToolRow, ...], tuple[Element, ...]]:
    """Return the tools of an inventory, and the rules about approval that only the model can honour."""
    listed = tuple(elements)
    by_id = {element.element_id: element for element in listed}
    rows: list[ToolRow] = []
    for element in listed:
        tool = element.facts[ToolFact]
        if _is_tool(element):
            call = (
                f"{tool.method} {tool.url}".strip() or tool.command or tool.script or tool.grant or tool.name
            )
            rules = tuple(by_id[rule] for rule in tool.asks if rule in by_id)
            rows.append(ToolRow(element, call, rules, tool.denied))
    guarding = {rule.element_id for row in rows for rule in row.asks}
    alone = (each for each in listed if each.facts[ActionFact].effect == "confirm")
    return tuple(rows), tuple(each for each in alone if each.element_id not in guarding)


def _is_tool(element: Element) -> bool:
    return element.category is Category.C6 and element.facts[ToolFact].subtype in _CALLED


def _is_outside(tool: ToolFact, bounds: Sequence[Element]) -> bool:
    """Return whether a skill grants tools, and none of its grants names this one."""
    if not bounds or tool.grant:
        return False
    rules = [rule for each in bounds for rule in grants_of(each.facts[ToolFact])]
    return not any(granted_request(tool, rules))


def _asks_itself(element: Element) -> bool:
    return asks_approval("\n".join((_spoken(element), *element.context, *element.section[-1:])))


def _guards(rule: Element, tool: Element) -> bool:
    fact = rule.facts[ActionFact]
    kinds = frozenset(fact.actions)
    return bool((kinds - _VAGUE or kinds) & _actions_of(tool)) or _names(rule, tool.facts[ToolFact])


def _actions_of(element: Element) -> frozenset[str]:
    """Return the kinds of action that a tool carries out; a tool that only reads carries out none."""
    tool = element.facts[ToolFact]
    method = tool.method.upper()
    if method in ("GET", "HEAD"):
        return frozenset()
    path = tool.script or tool.source_script
    named = (
        f"{tool.name} {path.rpartition('/')[2].rpartition('.')[0]} {re.sub(r'^https?://[^/]*', '', tool.url)}"
    )
    texts = [*(f"to {word}" for word in _words(named)), _spoken(element)]
    found = {kind for text in texts for kind in actions_in(text)}
    found |= {"delete"} if method == "DELETE" else set()
    if tool.grant in _WRITING or (tool.url and not found - _VAGUE):
        found.add("write")
    return frozenset((found - _VAGUE) | ({"run"} if tool.grant == "Bash" else set()))


def _spoken(element: Element) -> str:
    """Return what an element says of itself in words, without code."""
    if element.kind == "fence":  # the line that introduces it
        text = element.content_full.partition("```")[0]
    else:
        text = "" if element.kind in _CODE_ALONE else element.statement
    return plain_text(_CODE.sub(" ", text))


def _words(name: str) -> list[str]:
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\W_]+", parts.lower()) if word]


def _names(rule: Element, tool: ToolFact) -> bool:
    """Return whether a rule names a tool: its script, its host, its name in code, or all words of its name."""
    said = approving_words(rule.statement)
    script = (tool.script or tool.source_script).rpartition("/")[2]
    host = re.sub(r"^https?://|[/:?#].*$", "", tool.url)
    if any(written and written in said for written in (script, host, f"`{tool.name}`" if tool.name else "")):
        return True
    words = [word for word in _words(tool.name) if len(word) > 2]
    long = len(words) > 1 or any(len(word) >= _SHORTEST_NAME for word in words)
    return bool(words) and long and set(words) <= set(_words(said))
