"""Reads Claude Code settings: permissions, hooks, environment, servers, mode.

Every element keeps the file and line of its entry. Lists of several files are combined; where two files set the same
value, the later one (the user's own, the nearer folder) wins, and the other is kept and not converted.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.agent_skills.tool_grants import Grant, read_grants
from melleafy_tui.core.dialects.claude_code.servers_and_hooks import read_hooks, read_servers, read_variables
from melleafy_tui.core.dialects.claude_code.settings_sources import (
    Source,
    kept,
    strings,
    with_uncovered_lines,
)
from melleafy_tui.core.dialects.element_factory import Home, SourceSpan
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.facts import Facts, NamedFact, PermissionFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.package.permissions import rule_parts
from melleafy_tui.core.source.json5 import JsonNode

FILE_RULE_TOOLS: Final = frozenset({"Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"})
"""Tools whose path rules Claude Code accepts but never checks; the rules for Read and Edit apply instead."""

_RULE: Final = re.compile(r"[A-Za-z*][\w.*-]*(?:\(.*\))?", re.DOTALL)


class PermissionWords(Struct, frozen=True):
    """How the entries of one permission list are worded and mapped."""

    row: str
    tag: Tag
    lead: str
    denies: bool
    category: Category = Category.C2

    def facts(self, rule: str) -> Facts:
        """Return the facts for a rule of this list."""
        whole = _whole_server(rule)
        return Facts(
            PermissionFact(denies=whole) if self.denies else PermissionFact(asks=whole), NamedFact(rule)
        )


LISTS: Final = {
    "deny": PermissionWords("permission.deny", Tag.VALIDATE_OUTPUT, "Never call", denies=True),
    "ask": PermissionWords(
        "permission.ask", Tag.DECIDE, "Ask the user to confirm before each call of", denies=False
    ),
}
"""The two lists whose entries become rules of the package; an entry of `allow` grants a tool."""


def _whole_server(rule: str) -> str:
    """Return a rule for a whole MCP server as a rule for each of its tools."""
    tool, inside = rule_parts(rule)
    return f"{tool}__*" if tool.split("__")[0] == "mcp" and tool.count("__") == 1 and not inside else rule


def is_rule(text: str) -> bool:
    """Return whether a text has the form of a permission rule."""
    return bool(_RULE.fullmatch(text.strip())) and text.count("(") == text.count(")")


def is_never_checked(rule: str) -> bool:
    """Return whether Claude Code accepts a rule but never checks it."""
    tool, inside = rule_parts(rule)
    return tool in FILE_RULE_TOOLS and bool(inside)


def grant_of(rule: str) -> Grant | None:
    """Return the tool that an entry of `allow` grants, or None if it names none."""
    found = read_grants([rule])
    return found[0] if found else None


PLAN_MODE: Final = "plan"
BYPASS_MODE: Final = "bypassPermissions"
MODEL_KEYS: Final = frozenset({"model", "effortLevel"})


def read_settings(source: Source) -> tuple[list[Element], list[Diagnostic]]:
    """Return the elements of a settings file, with its findings."""
    elements: list[Element] = []
    diagnostics: list[Diagnostic] = []
    for key, node in source.root.members():
        if key != "$schema":
            elements += _of_key(source, key, node, diagnostics)
    return with_uncovered_lines(source, elements), diagnostics


def _of_key(source: Source, key: str, node: JsonNode, diagnostics: list[Diagnostic]) -> Iterable[Element]:
    if key == "permissions" and isinstance(node.value, dict):
        parts = (_permissions(source, name, part, diagnostics) for name, part in node.members())
        return chain.from_iterable(parts)
    if key == "env" and isinstance(node.value, dict):
        return read_variables(source, node, "settings.env")
    if key == "hooks":
        return read_hooks(source, node, diagnostics)
    if key == "mcpServers":
        return read_servers(source, node)
    if key == "defaultMode":
        return [_mode(source, node, diagnostics)]
    return [_single(source, key, node, "front.model" if key in MODEL_KEYS else "settings.other")]


def _permissions(
    source: Source, name: str, node: JsonNode, diagnostics: list[Diagnostic]
) -> Iterator[Element]:
    if name == "defaultMode":
        yield _mode(source, node, diagnostics)
        return
    if name not in ("allow", "ask", "deny"):
        yield _single(source, f"permissions.{name}", node, "settings.other")
        return
    for item in node.items():
        rule = item.value.strip() if isinstance(item.value, str) else ""
        if not is_rule(rule):
            diagnostics.append(
                diagnose("permission-no-rule", source.file.path, str(item.line), list=name, rule=rule[:60])
            )
            yield kept(source, item, f"permissions.{name}: no permission rule")
            continue
        if name != "allow" and is_never_checked(rule):
            diagnostics.append(
                diagnose("permission-ineffective", source.file.path, str(item.line), rule=rule)
            )
        yield permission_element(source, name, rule, item)


def permission_element(source: Source, name: str, rule: str, node: JsonNode) -> Element:
    """Return the element of one permission rule."""
    merged = source.merged
    earlier = merged.rules.get((name, rule))
    if earlier:
        return kept(source, node, f"{name}: {rule} (also at {earlier})")
    merged.rules[name, rule] = source.place(node)
    if name != "deny" and rule in merged.denied:
        return kept(source, node, f"{name}: {rule} (a deny rule wins over it)")
    if name == "allow":
        return _grant(source, rule, node)
    words = LISTS[name]
    return source.factory.make(
        SourceSpan(node.line, node.end_line, "json", section=("permissions", name)),
        f"{words.lead}: {rule}",
        Home(words.tag, words.category, f"settings.permissions.{name}", words.row),
        words.facts(rule),
        summary=shorten(f"{name}: {rule}"),
        label=rule,
    )


def _grant(source: Source, rule: str, node: JsonNode) -> Element:
    if rule in source.merged.asked:
        return kept(source, node, f"allow: {rule} (an ask rule wins over it)")
    grant = grant_of(rule)
    if grant is None:
        return kept(source, node, f"allow: {rule}")
    earlier = source.merged.granted.get(grant.name)
    if earlier:
        return kept(source, node, f"allow: {rule} (joined with {earlier})")
    source.merged.granted[grant.name] = source.place(node)
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
    return Grant(
        grant.tool,
        grant.name,
        grant.row,
        tuple(dict.fromkeys(patterns)),
        tuple(dict.fromkeys(domains)),
        grant.server,
    )


def _mode(source: Source, node: JsonNode, diagnostics: list[Diagnostic]) -> Element:
    mode = node.value if isinstance(node.value, str) else json.dumps(node.value)
    earlier = source.merged.values.setdefault("defaultMode", source.place(node))
    if earlier != source.place(node):
        return kept(source, node, f"defaultMode: {mode} ({earlier} wins over it)")
    if mode == BYPASS_MODE:
        diagnostics.append(diagnose("mode-bypass", source.file.path, str(node.key_line)))
    if mode != PLAN_MODE:
        return _single(source, "defaultMode", node, "settings.mode")
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        "Plan first: say what you would do, and change nothing before the plan is approved",
        Home(Tag.DECIDE, Category.C2, "settings.mode.plan", "permission.plan"),
        Facts(PermissionFact(asks="*"), NamedFact("plan mode")),
        label="defaultMode",
        value=mode,
    )


def _single(source: Source, key: str, node: JsonNode, row: str) -> Element:
    earlier = source.merged.values.setdefault(key, source.place(node))
    shown = node.value if isinstance(node.value, str) else json.dumps(node.value, ensure_ascii=False)
    words = shorten(f"{key}: {shown}")
    if earlier != source.place(node):
        return kept(source, node, f"{words} ({earlier} wins over it)")
    model = row == "front.model"
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        words,
        Home(
            Tag.CONFIG if model else Tag.NO_DECOMPOSE,
            Category.C8 if model else Category.NONE,
            f"settings.{'mode' if row == 'settings.mode' else 'model' if model else 'other'}",
            row,
        ),
        summary=words,
        label=key,
    )
