"""Applies the tool policy of OpenClaw's configuration: what it forbids there is a stub here.

A deny wins; an `allow` and a profile leave only what they list, with what `alsoAllow` adds. An agent's own part narrows
what holds for all, and its profile replaces theirs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import PLACEHOLDER, left_out, own_words, standing_alone
from melleafy_tui.core.dialects.openclaw.configuration import Configuration, configuration_of
from melleafy_tui.core.dialects.openclaw.homes import TOOLS
from melleafy_tui.core.dialects.openclaw.in_force import aside_in
from melleafy_tui.core.dialects.openclaw.labelled_fields import field_of_piece
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.openclaw.time_places import DATE
from melleafy_tui.core.dialects.rules_document import carrier_name, form_of
from melleafy_tui.core.dialects.shell_requests import split_requests
from melleafy_tui.core.dialects.tool_facts import is_tool_list_heading, tool_fact
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.json5 import JsonNode
from melleafy_tui.core.source.segments import Segment, cut_segments
from melleafy_tui.core.tables import table_beside

_TABLE: Final = msgspec.convert(
    table_beside(__file__, "tool_policy.toml"),
    dict[str, dict[str, tuple[str, ...]]],
)
GROUPS: Final[Mapping[str, tuple[str, ...]]] = _TABLE["groups"]
PROFILES: Final[Mapping[str, tuple[str, ...]]] = _TABLE["profiles"]

_EXEC: Final = "exec"
_FETCH: Final = "web_fetch"
_ALIASES: Final = {"bash": _EXEC, "apply-patch": "apply_patch"}


class ToolPolicy(Struct, frozen=True):
    """The parts of a configuration that say which tools there are: for all agents, then this agent's own."""

    path: str
    parts: tuple[JsonNode, ...]

    def denies(self, tool: str) -> str:
        """Return why a tool of the runtime isn't there, with the line that says so, or `""`."""
        return next(self._reasons(tool), "")

    def _reasons(self, tool: str) -> Iterator[str]:
        for part in self.parts:
            denied = part.at("deny")
            for item in denied.items() if denied else ():
                if _names([item], tool):
                    yield f"{self.path}:{item.line} denies it: tools.deny has {item.value}."
            security = part.at("exec.security") if tool == _EXEC else None
            if security and security.value == "deny":
                yield f"{self.path}:{security.key_line} denies it: tools.exec.security is deny."
        if _names(self._listed("alsoAllow"), tool):
            return
        for part in self.parts:
            allowed = part.at("allow")
            if allowed and allowed.items() and not _names(allowed.items(), tool):
                yield f"{self.path}:{allowed.key_line} leaves it out: tools.allow doesn't have {tool}."
        profile = next((node for part in reversed(self.parts) if (node := part.at("profile"))), None)
        listed = PROFILES.get(str(profile.value)) if profile else None
        if profile and listed is not None and not _has(listed, tool):
            yield f"{self.path}:{profile.key_line} leaves it out: the profile {profile.value} has no {tool}."

    def _listed(self, key: str) -> list[JsonNode]:
        return [item for part in self.parts if (node := part.at(key)) for item in node.items()]


def with_policy(elements: Sequence[Element], snapshot: Snapshot) -> list[Element]:
    """Return the elements, tools that the configuration forbids with the reason."""
    configuration = configuration_of(snapshot)
    policy = policy_of(configuration) if configuration is not None else ToolPolicy("", ())
    return [_judged(element, policy) for element in elements] if policy.parts else list(elements)


def policy_of(configuration: Configuration) -> ToolPolicy:
    """Return the parts of a configuration about tools."""
    nodes = [configuration.root.at("agents.defaults.tools"), configuration.root.at("tools")]
    nodes.append(configuration.own.node.at("tools") if configuration.own else None)
    return ToolPolicy(configuration.path, tuple(node for node in nodes if node))


def _judged(element: Element, policy: ToolPolicy) -> Element:
    tool = element.facts[ToolFact]
    reasons = [policy.denies(name) for name in _needed(tool)]
    if not reasons or not all(reasons):
        return element
    return replace(element, facts=element.facts.adding(replace(tool, denied=reasons[0])))


def _needed(tool: ToolFact) -> tuple[str, ...]:
    """Return the tools of the runtime, any of which can make the call."""
    if tool.subtype == "concrete_script":
        return (_EXEC,)
    if tool.subtype != "concrete_http":
        return ()
    return (_EXEC, _FETCH) if tool.method.upper() in ("", "GET", "HEAD") else (_EXEC,)


def _names(items: Iterable[JsonNode], tool: str) -> bool:
    return _has([item.value for item in items if isinstance(item.value, str)], tool)


def _has(listed: Iterable[str], tool: str) -> bool:
    """Return whether a list names a tool, itself or by a group or a wildcard."""
    for entry in listed:
        name = entry.strip().casefold()
        group = GROUPS.get(name.removeprefix("group:")) if name.startswith("group:") else None
        if _has(group, tool) if group else fnmatchcase(tool, _ALIASES.get(name, name)):
            return True
    return False


def read_tools(task: Task) -> list[Element]:
    """Return the elements of TOOLS.md."""
    segments = split_requests(cut_segments(task.file), task.file)
    return [tool_element(task, segment) for segment in segments]


_SHOWN: Final = ("openclaw.soul", "openclaw.agents", "openclaw.heartbeat")
"""The files whose lines show calls without being tool guidance: the calls are tools, the lines stay what they are."""


def tool_parts(task: Task) -> Iterator[Element]:
    """Yield the tools that fences and code spans of the rules and the checklist show, as parts of their lines."""
    segments = cut_segments(task.file) if task.rule_id in _SHOWN else ()
    aside = aside_in(segments)
    for segment in split_requests(segments, task.file):
        is_said = segment.kind in ("fence", "item", "paragraph", "table_row") and segment.first not in aside
        if (
            not is_said
            or any(map(is_tool_list_heading, segment.section))
            or any(map(DATE.search, segment.section))
        ):
            continue
        element = tool_element(task, segment)
        if element.facts[ToolFact].subtype in ("concrete_http", "concrete_script") and not element.template:
            yield replace(element, kind=PART)


def tool_element(task: Task, segment: Segment) -> Element:
    """Return the element of one segment of tool guidance."""
    full = task.file.cut(segment.first, segment.last)
    template = is_template_text(full)
    if form_of(segment) == "carrier":
        return task.factory.unconverted(segment, carrier_name(segment), template=template)
    if template and task.rule_id == "openclaw.tools":  # the template's examples are no tools of this agent
        return task.factory.unconverted(
            segment, "an example of the template", template=True, decisions=PLACEHOLDER
        )
    field = field_of_piece(segment)
    if field is not None and not field.is_filled and not segment.cells:
        return task.factory.unconverted(segment, "a field without a value", decisions=PLACEHOLDER)
    fact = tool_fact(segment, own_words(segment), full, task.snapshot)
    statement = standing_alone(segment)
    return task.factory.make(
        segment,
        _with_name(fact.name, statement),
        TOOLS.get(fact.subtype, TOOLS[""]),
        Facts(fact),
        summary=summarise(own_words(segment)),
        template=template,
        decisions=left_out(left_out_reason(full)),
    )


def _with_name(name: str, statement: str) -> str:
    """Return a statement behind the name of its tool, which stands in a heading, unless it says it."""
    if name and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", statement, re.IGNORECASE):
        return f"{name}: {statement}"
    return statement
