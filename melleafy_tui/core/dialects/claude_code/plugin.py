"""Reads `.mcp.json`, `.claude-plugin/plugin.json` and the hooks of a plugin (issue 7, "Claude Code")."""

import json
from collections.abc import Iterator

from melleafy_tui.core.dialects.claude_code.hooks import read_hooks
from melleafy_tui.core.dialects.claude_code.servers import read_servers
from melleafy_tui.core.dialects.claude_code.settings_sources import Source, with_rest
from melleafy_tui.core.dialects.element_factory import ElementText, SourceSpan, TagDecision
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.wording import shorten
from melleafy_tui.core.workspace.json5 import JsonNode

_IDENTITY = {"name": "plugin.name", "description": "plugin.description"}
_PARTS = frozenset({"commands", "agents", "skills", "outputStyles", "lspServers", "$schema"})
"""Keys that say where parts of the plugin lie, which are noted as files."""


def read_servers_file(source: Source) -> tuple[list[Element], list[Diagnostic]]:
    """Return the elements of `.mcp.json`."""
    servers = source.root.at("mcpServers") or source.root
    return with_rest(source, read_servers(source, servers)), []


def read_plugin(source: Source) -> tuple[list[Element], list[Diagnostic]]:
    """Return the elements of a plugin's manifest."""
    elements: list[Element] = []
    diagnostics: list[Diagnostic] = []
    for key, node in source.root.members():
        if key == "mcpServers" and isinstance(node.value, dict):
            elements += read_servers(source, node)
        elif key == "hooks" and isinstance(node.value, dict):
            elements += read_hooks(source, node.at("hooks") or node, diagnostics)
        elif key not in _PARTS:
            elements += _field(source, key, node)
    return with_rest(source, elements), diagnostics


def read_plugin_hooks(source: Source) -> tuple[list[Element], list[Diagnostic]]:
    """Return the elements of `hooks/hooks.json`."""
    diagnostics: list[Diagnostic] = []
    elements = list(read_hooks(source, source.root.at("hooks") or source.root, diagnostics))
    return with_rest(source, elements), diagnostics


def _field(source: Source, key: str, node: JsonNode) -> Iterator[Element]:
    value = node.value
    if isinstance(value, dict):
        value = value.get("name") or json.dumps(value, ensure_ascii=False)
    text = ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
    if not text:
        return
    yield source.factory.make(
        SourceSpan(node.key_line, node.end_line, "field"),
        ElementText(f"{key}: {text}", summary=shorten(f"{key}: {text}"), label=key, value=text),
        TagDecision(
            Tag.CONFIG,
            Category.C1,
            f"plugin.{key}" if key in _IDENTITY else "plugin.metadata",
            _IDENTITY.get(key, "plugin.metadata"),
        ),
    )
