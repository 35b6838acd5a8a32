"""What the source's own rules say about its tools: denied, inside a skill's bound, or asked about.

A tool is judged by the spellings under which a rule may mean it. What a rule covers for some arguments only is left to
the package, which matches each call.
"""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from melleafy_tui.core.models.facts import PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.package.permission_rules import command_covers, rule_covers, rule_parts

_OF_FILES: Final = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "*"})
_METADATA: Final = frozenset({"metadata.google.internal", "metadata", "instance-data"})
_INTERPRETERS: Final = {
    ".py": ("python3", "python", "uv run"),
    ".sh": ("bash", "sh"),
    ".bash": ("bash",),
    ".js": ("node",),
    ".mjs": ("node",),
}


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
    if tool.denied or not (tool.url or tool.script or tool.grant):
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
    elif tool.script:
        ending = tool.script[tool.script.rfind(".") :]
        calls = [f"{program} " for program in _INTERPRETERS.get(ending, ())]
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
