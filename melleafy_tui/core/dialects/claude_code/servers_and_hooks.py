"""Reads MCP servers, environment variables, hooks and the plugin manifest; no server or hook is ever started."""

import json
import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.dialects.claude_code.settings_sources import LISTS, Source, kept
from melleafy_tui.core.dialects.element_factory import UNCONVERTED, ElementFactory, Home, SourceSpan
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, HookFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.package.naming import VARIABLE, python_identifier
from melleafy_tui.core.source.json5 import JsonNode
from melleafy_tui.core.source.secrets.labelled_values import names_secret


def read_variables(source: Source, node: JsonNode, owner: str = "") -> Iterator[Element]:
    """Yield one element per variable, with its name only; the snapshot contains no values."""
    for name, part in node.members():
        if earlier := source.earlier("variable", name, part):
            yield kept(source, part, f"{name} (also at {earlier})")
        else:
            yield _variable(source, name, part, "env", owner)


def _variable(source: Source, name: str, node: JsonNode, place: str, owner: str) -> Element:
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "variable", section=(place,)),
        name,
        Home(Tag.CONFIG, Category.C7, f"settings.{place.removesuffix('s')}", "settings.env"),
        Facts(SecretFact(variable=name)) if VARIABLE.fullmatch(name) else Facts(),
        summary=shorten(f"{name} of {owner}" if owner else name),
        label=name,
    )


def read_servers(source: Source, node: JsonNode) -> Iterator[Element]:
    """Yield one element per MCP server, and one for each of its environment variables and headers."""
    for name, server in node.members():
        is_off = name in source.merged.switched_off
        if is_off or (earlier := source.earlier("server", name, server)):
            why = "it is switched off in the settings" if is_off else f"{earlier} wins over it"
            yield kept(source, server, f"MCP server {name} ({why})")
            continue
        yield _server(source, name, server)
        if (variables := server.at("env")) is not None:
            yield from read_variables(source, variables, f"the MCP server {name}")
        if (headers := server.at("headers")) is not None:
            yield from _header_variables(source, headers, name)


def _server(source: Source, name: str, server: JsonNode) -> Element:
    command = server.text("command")
    reached = command or server.text("url")
    kind = server.text("type") or ("stdio" if command else "http")
    inner = [part for key in ("env", "headers") if (part := server.at(key)) is not None]
    last = min((part.key_line - 1 for part in inner), default=server.end_line)
    shown = f"The tools of the MCP server {name} ({kind}{f', {reached}' if reached else ''})"
    return source.factory.make(
        SourceSpan(server.key_line, max(last, server.key_line), "json", section=("mcpServers",)),
        shown,
        Home(Tag.TOOL_TEMPLATE, Category.C6, "settings.mcp_server", "mcp.server"),
        Facts(ToolFact(name=f"{name} server", grant=f"mcp__{name}__*", server=name, subtype="abstract")),
        label=f"mcp__{name}",
        notes=("The server was noted and never started.",),
    )


def _header_variables(source: Source, node: JsonNode, server: str) -> Iterator[Element]:
    """Yield the variables that headers name (`${TOKEN}`), and one for each literal credential.

    The snapshot contains no header values, so the header's name decides what it is for.
    """
    for header, part in node.members():
        names = part.value.replace("${", " ").replace("}", " ").split() if isinstance(part.value, str) else []
        for name in names or _own_variable(server, header):
            if not source.earlier("variable", name, part):
                yield _variable(source, name, part, "headers", f"the MCP server {server}")


def _own_variable(server: str, header: str) -> list[str]:
    """Return the variable for a header's literal credential: `GITHUB_AUTHORIZATION`."""
    if "authorization" in header.lower() or names_secret(header):
        return [python_identifier(f"{server} {header}", fallback="header").upper()]
    return []


LONGEST_SHOWN: Final = 120


def read_hooks(source: Source, node: JsonNode) -> Iterator[Element]:
    """Yield one element per hook: its event, matcher and kind; hooks are never run."""
    if not isinstance(node.value, dict):
        source.report("settings-no-object", node)
    for event, groups in node.members():
        for group in groups.items():
            matcher = group.text("matcher")
            listed = group.at("hooks")
            for hook in listed.items() if listed is not None else ():
                if source.merged.no_hooks:
                    shown = hook_words(event, matcher, hook.value)
                    yield kept(source, hook, f"{shown} (all hooks are switched off)")
                    continue
                span = SourceSpan(hook.line, hook.end_line, "json", section=("hooks", event))
                yield from hook_elements(source.factory, span, event, matcher, hook.value)
                if _KINDS.get(event) == "guard" and not _decision_of(hook.value):
                    tool = " and ".join(_guarded(matcher)) or "every tool"
                    shown = hook_words(event, matcher, hook.value)
                    source.report("guard-not-reproduced", hook, tool=tool, command=shown)


def hook_words(event: str, matcher: str, hook: object) -> str:
    """Return a hook in one line: event, matcher, kind, command."""
    data = hook if isinstance(hook, dict) else {}
    kind = str(data.get("type", "command"))
    does = next((str(data[name]) for name in ("command", "prompt", "url", "tool") if data.get(name)), "")
    on = f"{event} of {matcher}" if matcher and matcher != "*" else event
    return shorten(f"Hook on {on} ({kind}{f': {does}' if does else ''})", LONGEST_SHOWN)


_KINDS: Final = {
    "PreToolUse": "guard",
    "PermissionRequest": "guard",
    "PostToolUse": "check",
    "Stop": "check",
    "SubagentStop": "check",
    "UserPromptSubmit": "context",
    "SessionStart": "context",
}
"""What a hook does, by its event; every other event is housekeeping."""
_SIMPLE: Final = LazyRegex(
    r"(?:(?:echo|printf)\s+(?P<said>'[^']*'|\"[^\"$`]*\"|[\w .,:!-]+)\s*(?:1?>&2)?\s*(?:;|&&)?\s*)?(?P<exit>exit\s+2)?"
)
"""A command that prints one literal text and exits."""
_DECISION: Final = LazyRegex(r'permissionDecision\\?"\s*:\s*\\?"(?P<decision>deny|ask)')


def _decision_of(hook: object) -> str:
    """Return `deny` or `ask` if a guard decides that for every call by one literal line, else `""`."""
    command = str(hook.get("command", "")) if isinstance(hook, dict) else ""
    found = _SIMPLE.fullmatch(command.strip())
    if found is None or not command.strip():
        return ""
    decided = _DECISION.search(found["said"] or "")
    return decided["decision"] if decided else "deny" if found["exit"] else ""


def _guarded(matcher: str) -> list[str]:
    """Return the tools that a matcher names; none for all of them."""
    return [tool for tool in matcher.split("|") if re.fullmatch(r"[A-Za-z]\w*", tool)]


def hook_elements(
    factory: ElementFactory, span: SourceSpan, event: str, matcher: str, hook: object
) -> Iterator[Element]:
    """Yield what a hook becomes: a denied or asking tool for a guard, else a line of the report.

    Args:
        factory: The factory of its file.
        span: Its lines.
        event: Its event.
        matcher: Which tools it is about.
        hook: The hook itself.
    """
    kind, shown = _KINDS.get(event, "housekeeping"), hook_words(event, matcher, hook)
    tools = _guarded(matcher) if kind == "guard" else []
    words = LISTS[_decision_of(hook) or "ask"]
    for tool in tools:
        yield factory.make(
            span,
            f"{words.lead}: {tool}",
            words.home(f"settings.hook.{kind}"),
            words.facts(tool, tool),
            summary=shorten(shown),
            label=tool,
            notes=("Its command was noted and never run.",),
        )
    if not tools:
        yield factory.make(
            span,
            shown,
            Home(*UNCONVERTED, f"settings.hook.{kind}", f"hook.{kind}"),
            Facts(HookFact(name=f"{event} {matcher}".strip(), events=(event,), matcher=matcher)),
            label=event,
            notes=("Its command was noted and never run.",),
        )


_IDENTITY: Final = ("name", "description")
_PARTS = frozenset({"commands", "agents", "skills", "outputStyles", "lspServers", "$schema"})
"""Keys with the paths of the plugin's parts, which are listed as files."""


def read_plugin(source: Source) -> Iterator[Element]:
    """Yield the elements of a plugin's manifest."""
    for key, node in source.root.members():
        if key == "mcpServers" and isinstance(node.value, dict):
            yield from read_servers(source, node)
        elif key == "hooks" and isinstance(node.value, dict):
            yield from read_hooks(source, node.at("hooks") or node)
        elif key not in _PARTS:
            yield from _field(source, key, node)


def _field(source: Source, key: str, node: JsonNode) -> Iterator[Element]:
    value = node.value
    if isinstance(value, dict):
        value = value.get("name") or json.dumps(value, ensure_ascii=False)
    text = ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
    if not text:
        return
    row = f"plugin.{key}" if key in _IDENTITY else "plugin.metadata"
    yield source.factory.make(
        SourceSpan(node.key_line, node.end_line, "field"),
        f"{key}: {text}",
        Home(Tag.CONFIG, Category.C1, row, row),
        summary=shorten(f"{key}: {text}"),
        label=key,
        value=text,
    )
