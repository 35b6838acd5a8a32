"""What the source's own rules say about its tools: denied, inside a skill's bound, or asked about.

A tool is judged by the spellings under which a rule may mean it. What a rule covers for some arguments only is left to
the package, which matches each call. A tool asks when a rule makes its action or its name wait for leave, when its own
text does, when a permission rule says so, or when a skill's grants leave it out. That some rule about approval stands
in a document is no reason. A program of the machine always asks: nobody can say from here what it does.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.actions import actions_in, approving_words, asks_approval
from melleafy_tui.core.language.wording import first_of, plain_text
from melleafy_tui.core.models.facts import ActionFact, PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, DecisionKind
from melleafy_tui.core.package.permissions import command_covers, rule_covers, rule_parts
from melleafy_tui.core.source.script_needs import (
    JAVASCRIPT,
    declared_requirements,
    unresolved_imports,
    unresolved_packages,
)

_OF_FILES: Final = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "*"})
_METADATA: Final = frozenset({"metadata.google.internal", "metadata", "instance-data"})
INTERPRETERS: Final = {
    ".py": ("python3", "python", "uv run"),
    ".sh": ("bash", "sh"),
    ".bash": ("bash",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".cjs": ("node",),
    ".rb": ("ruby",),
    ".pl": ("perl",),
}
"""What runs a script by its ending, the usual one first."""


def with_tool_policy(elements: Sequence[Element], ruled: Sequence[Element] = ()) -> tuple[Element, ...]:
    """Return the elements; tools that a rule of the source forbids, and addresses of the machine's own, with why.

    Args:
        elements: The elements.
        ruled: Where the rules are, if not among them.
    """
    rules = [element for element in ruled or elements if element.facts[PermissionFact].denies]
    return tuple(_judged(element, rules) for element in elements)


def _judged(element: Element, rules: Sequence[Element]) -> Element:
    tool = element.facts[ToolFact]
    if tool.denied or not (tool.url or tool.script or tool.program or tool.grant):
        return element
    why = _own_address(tool.url)
    for rule in () if why else rules:
        if covers(rule.facts[PermissionFact].denies, tool):
            why = f"{rule.location} denies it: {rule.facts[PermissionFact].denies}."
            break
    return replace(element, facts=element.facts.adding(replace(tool, denied=why))) if why else element


def _own_address(url: str) -> str:
    """Return why an address is one that hands out the machine's own credentials, or `""`."""
    try:
        host = (urlsplit(url).hostname or "").lower() if url else ""
    except ValueError:
        return ""
    try:
        is_own = ip_address(host).is_link_local or host in ("fd00:ec2::254", "100.100.100.200")
    except ValueError:
        is_own = host in _METADATA
    return f"{host} is a link-local or metadata address, which no package calls." if is_own else ""


def requests_of(tool: ToolFact) -> tuple[tuple[str, str], ...]:
    """Return how the source could call a tool: tool of the runtime and request, the source's own spelling first."""
    return tuple(dict.fromkeys(_requests(tool)))


def _requests(tool: ToolFact) -> Iterator[tuple[str, str]]:
    if tool.url:
        yield "WebFetch", tool.url
        yield "Bash", tool.command or f"curl {tool.url}"
    elif tool.program:
        yield "Bash", tool.program
    elif tool.script:
        ending = tool.script[tool.script.rfind(".") :]
        calls = [f"{program} " for program in INTERPRETERS.get(ending, ())]
        for before in ("", "./", *calls, *(f"{call}./" for call in calls)):
            yield "Bash", f"{before}{tool.script}"


def covers(rule: str, tool: ToolFact) -> bool:
    """Return whether a permission rule holds for every call of a tool."""
    named, inside = rule_parts(rule)
    if named in _OF_FILES and (inside or named == "*"):
        return False
    if not tool.grant:
        return any(rule_covers(rule, called, request) for called, request in requests_of(tool))
    if not inside:
        return rule_covers(rule, tool.grant, "")
    starts = [pattern.removesuffix(":*").removesuffix(" *") for pattern in tool.patterns]
    return bool(starts) and all(rule_covers(rule, tool.grant, start) for start in starts)


def grants_of(tool: ToolFact) -> tuple[str, ...]:
    """Return a grant as permission rules."""
    inside = [f"domain:{domain}" for domain in tool.domains] or list(tool.patterns)
    return tuple(f"{tool.grant}({pattern})" for pattern in inside) or (tool.grant,)


def granted_request(tool: ToolFact, rules: Sequence[str]) -> tuple[str, str]:
    """Return the spelling of a call that a grant names, as tool and request; both `""` if none does."""
    for called, request in requests_of(tool):
        for rule in rules:
            named, inside = rule_parts(rule)
            if called != named:
                continue
            exact = (
                command_covers(inside, request) if called == "Bash" else rule_covers(rule, called, request)
            )
            if not inside or exact:
                return called, request
    return "", ""


_VAGUE: Final = frozenset({"run", "read", "install"})
"""Kinds of action that say nothing about a tool where the rule also names a plainer one."""
_CALLED: Final = ("concrete_http", "concrete_script", "abstract", "agent")
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

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why each call asks first: lines, and for a program of the machine that it is one."""
        own = (
            self.element if self.element.facts[ToolFact].program and not _asks_itself(self.element) else None
        )
        places = (_OF_MACHINE if rule is own else rule.location for rule in self.asks)
        return tuple(dict.fromkeys(places))


_OF_MACHINE: Final = "a program of the machine, which always asks"


def with_asking(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements: tools with the rules for which they ask, rules with the decision that a tool asks."""
    leave = [each for each in elements if each.facts[ActionFact].effect == "confirm" and not each.is_left_out]
    wanted = [each for each in elements if each.facts[PermissionFact].asks not in ("", "*")]
    bounds = [each for each in elements if each.facts[ToolFact].is_bound]
    asks: dict[str, tuple[str, ...]] = {}
    for element in elements:
        tool = element.facts[ToolFact]
        if _is_tool(element) and not tool.denied and not tool.document:
            found = [rule for rule in leave if rule is not element and _guards(rule, element)]
            found += [rule for rule in wanted if covers(rule.facts[PermissionFact].asks, tool)]
            found += bounds if _is_outside(tool, bounds) else []
            found += [element] if tool.program or _asks_itself(element) else []
            asks[element.element_id] = tuple(rule.element_id for rule in found)
    guarding = {rule for rules in asks.values() for rule in rules}
    return tuple(_decided(element, asks, guarding) for element in elements)


def _decided(element: Element, asks: dict[str, tuple[str, ...]], guarding: set[str]) -> Element:
    if rules := asks.get(element.element_id, ()):
        tool = replace(element.facts[ToolFact], asks=rules)
        return replace(element, facts=element.facts.adding(tool))
    is_rule = element.element_id in guarding and element.facts[ActionFact].effect == "confirm"
    if not is_rule or element.decided(DecisionKind.ASKS_FIRST) is not None:
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
            call = f"{tool.method} {tool.url}".strip() or tool.command or tool.script or tool.grant
            call = call or ("" if tool.agent else tool.name)
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


PROVIDED: Final = frozenset({"httpx", "mellea", "pydantic", "requests", "yaml"})
"""Modules that a package requires itself where its code imports them."""


def with_resolved_imports(elements: Iterable[Element], snapshot: Snapshot) -> list[Element]:
    """Return the elements, of which the tools whose script imports what nothing provides know why they aren't run."""
    declared = {*PROVIDED, *declared_requirements(snapshot)}
    return [_with_missing(element, snapshot, declared) for element in elements]


def _with_missing(element: Element, snapshot: Snapshot, declared: Collection[str]) -> Element:
    script = element.facts[ToolFact].script
    if element.facts[ToolFact].subtype != "concrete_script":
        return element
    if script.endswith(JAVASCRIPT):
        missing = unresolved_packages(script, snapshot)
    else:
        missing = unresolved_imports(script, snapshot, declared) if script.endswith(".py") else ()
    if not missing:
        return element
    reason = f"{script} imports {first_of(missing, 3)}, which the source neither has nor declares"
    return replace(element, facts=element.facts.adding(replace(element.facts[ToolFact], missing=reason)))
