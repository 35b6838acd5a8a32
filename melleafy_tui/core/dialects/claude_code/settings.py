"""Reads Claude Code settings: permissions, hooks, environment, servers, mode.

Every element keeps the file and line of its entry. Lists of several files are combined; where two files set the same
value, the later one (the user's own, the nearer folder) wins, and the other is kept and not converted.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.tool_grants import Grant, read_grants
from melleafy_tui.core.dialects.claude_code.servers_and_hooks import read_hooks, read_servers, read_variables
from melleafy_tui.core.dialects.claude_code.settings_sources import LISTS, Source, kept, reported, strings
from melleafy_tui.core.dialects.element_factory import Home, SourceSpan
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.facts import Facts, NamedFact, PermissionFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.package.permissions import rule_parts
from melleafy_tui.core.source.json5 import JsonNode

_RULE: Final = re.compile(r"[A-Za-z*][\w.*-]*(?:\(.*\))?", re.DOTALL)


def whole_server(rule: str) -> str:
    """Return a rule for a whole MCP server as a rule for each of its tools."""
    tool, inside = rule_parts(rule)
    return f"{tool}__*" if tool.split("__")[0] == "mcp" and tool.count("__") == 1 and not inside else rule


def is_rule(text: str) -> bool:
    """Return whether a text has the form of a permission rule."""
    return bool(_RULE.fullmatch(text.strip())) and text.count("(") == text.count(")")


def grant_of(rule: str) -> Grant | None:
    """Return the tool that an entry of `allow` grants, or None if it names none."""
    found = read_grants([rule])
    return found[0] if found else None


PLAN_MODE: Final = "plan"
BYPASS_MODE: Final = "bypassPermissions"
MODEL_KEYS: Final = frozenset({"model", "effortLevel"})


def read_settings(source: Source) -> Iterator[Element]:
    """Yield the elements of a settings file."""
    for key, node in source.root.members():
        if key != "$schema":
            yield from _of_key(source, key, node)


def _of_key(source: Source, key: str, node: JsonNode) -> Iterator[Element]:
    if key == "permissions" and isinstance(node.value, dict):
        for name, part in node.members():
            yield from _permissions(source, name, part)
    elif key == "env" and isinstance(node.value, dict):
        yield from read_variables(source, node)
    elif key == "hooks":
        yield from read_hooks(source, node)
    elif key == "mcpServers":
        yield from read_servers(source, node)
    elif key == "defaultMode":
        yield _mode(source, node)
    else:
        yield _single(source, key, node, "front.model" if key in MODEL_KEYS else "settings.other")


def _permissions(source: Source, name: str, node: JsonNode) -> Iterator[Element]:
    if name == "defaultMode":
        yield _mode(source, node)
    elif name not in ("allow", "ask", "deny"):
        yield _single(source, f"permissions.{name}", node, "settings.other")
    else:
        for item in node.items():
            rule = item.value.strip() if isinstance(item.value, str) else ""
            if is_rule(rule):
                yield permission_element(source, name, rule, item)
            else:
                source.report("permission-no-rule", item, list=name, rule=rule[:60])
                yield kept(source, item, f"permissions.{name}: no permission rule")


def permission_element(source: Source, name: str, rule: str, node: JsonNode) -> Element:
    """Return the element of one permission rule."""
    if earlier := source.earlier(name, rule, node):
        return kept(source, node, f"{name}: {rule} (also at {earlier})")
    if name != "deny" and rule in source.merged.denied:
        return kept(source, node, f"{name}: {rule} (a deny rule wins over it)")
    if name == "allow":
        return _grant(source, rule, node)
    return source.factory.make(
        SourceSpan(node.line, node.end_line, "json", section=("permissions", name)),
        f"{LISTS[name].lead}: {rule}",
        LISTS[name].home(f"settings.permissions.{name}"),
        LISTS[name].facts(rule, whole_server(rule)),
        summary=shorten(f"{name}: {rule}"),
        label=rule,
    )


def _grant(source: Source, rule: str, node: JsonNode) -> Element:
    if rule in source.merged.asked:
        return kept(source, node, f"allow: {rule} (an ask rule wins over it)")
    grant = grant_of(rule)
    if grant is None:
        return kept(source, node, f"allow: {rule}")
    if earlier := source.earlier("grant", grant.name, node):
        return kept(source, node, f"allow: {rule} (joined with {earlier})")
    joined = _joined(source, grant)
    return source.factory.make(
        SourceSpan(node.line, node.end_line, "grant", section=("permissions", "allow")),
        joined.statement,
        Home(Tag.TOOL_TEMPLATE, Category.C6, "settings.permissions.allow", joined.row),
        Facts(joined.fact),
        label=joined.name,
        notes=(f"{joined.tool} is allowed without a question.",),
    )


def _joined(source: Source, grant: Grant) -> Grant:
    """Return a grant with the patterns from every entry for the same tool in the same file."""
    patterns, domains = list(grant.patterns), list(grant.domains)
    for text in strings(source.root.at("permissions.allow")):
        other = grant_of(text)
        lost = text in source.merged.denied or text in source.merged.asked
        if other is not None and other.name == grant.name and other.row == grant.row and not lost:
            patterns += other.patterns
            domains += other.domains
    return replace(grant, patterns=tuple(dict.fromkeys(patterns)), domains=tuple(dict.fromkeys(domains)))


def _mode(source: Source, node: JsonNode) -> Element:
    overridden = ("key", "defaultMode") in source.merged.places
    if node.value == BYPASS_MODE and not overridden:
        source.report("mode-bypass", node)
    if node.value != PLAN_MODE or overridden:
        return _single(source, "defaultMode", node, "settings.mode")
    source.earlier("key", "defaultMode", node)
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        "Plan first: say what you would do, and change nothing before the plan is approved",
        Home(Tag.DECIDE, Category.C2, "settings.mode.plan", "permission.plan"),
        Facts(PermissionFact(asks="*"), NamedFact("plan mode")),
        label="defaultMode",
        value=PLAN_MODE,
    )


def _single(source: Source, key: str, node: JsonNode, row: str) -> Element:
    shown = node.value if isinstance(node.value, str) else json.dumps(node.value, ensure_ascii=False)
    words = shorten(f"{key}: {shown}")
    if earlier := source.earlier("key", key, node):
        return kept(source, node, f"{words} ({earlier} wins over it)")
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        words,
        reported(f"settings.{row.rpartition('.')[2]}", row),
        summary=words,
        label=key,
    )
