"""Reads MCP servers and environment variables of settings: names only; no server is ever started (issue 7)."""

from collections.abc import Iterator

from melleafy_tui.core.dialects.claude_code.settings_sources import (
    Source,
    kept,
    text_at,
)
from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.models.facts import Facts, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.naming import VARIABLE, python_identifier
from melleafy_tui.core.source.secrets.detector import names_secret
from melleafy_tui.core.source.secrets.masking import mask_secrets
from melleafy_tui.core.wording import shorten
from melleafy_tui.core.workspace.json5 import JsonNode


def read_variables(source: Source, node: JsonNode, row: str, owner: str = "") -> Iterator[Element]:
    """Yield one element a variable, by name alone; the snapshot holds no values."""
    for name, part in node.members():
        earlier = source.merged.variables.get(name)
        if earlier:
            yield kept(source, part, f"{name} (also at {earlier})")
            continue
        source.merged.variables[name] = source.place(part)
        yield source.factory.make(
            SourceSpan(part.key_line, part.end_line, "variable", section=("env",)),
            ElementText(name, summary=shorten(f"{name} of {owner}" if owner else name), label=name),
            TagDecision(Tag.CONFIG, Category.C7, "settings.env", row),
            _facts(name),
        )


def read_servers(source: Source, node: JsonNode) -> Iterator[Element]:
    """Yield one element an MCP server, and one each of its environment variables and headers."""
    for name, server in node.members():
        earlier = source.merged.servers.get(name)
        if earlier or name in source.merged.switched_off:
            why = f"{earlier} wins over it" if earlier else "it is switched off in the settings"
            yield kept(source, server, f"MCP server {name} ({why})")
            continue
        source.merged.servers[name] = source.place(server)
        reached = text_at(server, "command") or text_at(server, "url")
        kind = text_at(server, "type") or ("stdio" if text_at(server, "command") else "http")
        inner = [part for key in ("env", "headers") if (part := server.at(key)) is not None]
        last = min((part.key_line - 1 for part in inner), default=server.end_line)
        shown = f"The tools of the MCP server {name} ({kind}{f', {reached}' if reached else ''})"
        yield source.factory.make(
            SourceSpan(server.key_line, max(last, server.key_line), "json", section=("mcpServers",)),
            ElementText(mask_secrets(shown), label=f"mcp__{name}"),
            TagDecision(Tag.TOOL_TEMPLATE, Category.C6, "settings.mcp_server", "mcp.server"),
            Facts(
                ToolFact(
                    name=f"{name} server",
                    grant=f"mcp__{name}__*",
                    server=name,
                    subtype="abstract",
                )
            ),
            Remarks(notes=("The server was noted and never started.",)),
        )
        for key in ("env", "headers"):
            part = server.at(key)
            if part is None:
                continue
            if key == "env":
                yield from read_variables(source, part, "settings.env", f"the MCP server {name}")
            else:
                yield from _header_variables(source, part, name)


def _header_variables(source: Source, node: JsonNode, server: str) -> Iterator[Element]:
    """Yield the variables that headers name (`${TOKEN}`), and one for each credential that stands there itself.

    The snapshot holds no value of a header, so what a header is for is told by its name.
    """
    for header, part in node.members():
        names = part.value.replace("${", " ").replace("}", " ").split() if isinstance(part.value, str) else []
        for name in names or _own_variable(server, header):
            if name in source.merged.variables:
                continue
            source.merged.variables[name] = source.place(part)
            yield source.factory.make(
                SourceSpan(part.key_line, part.end_line, "variable", section=("headers",)),
                ElementText(name, summary=shorten(f"{name} of the MCP server {server}"), label=name),
                TagDecision(Tag.CONFIG, Category.C7, "settings.header", "settings.env"),
                _facts(name),
            )


def _facts(name: str) -> Facts:
    return Facts(SecretFact(variable=name, secret_env=name)) if VARIABLE.fullmatch(name) else Facts()


def _own_variable(server: str, header: str) -> list[str]:
    """Return the variable for the value of a header that holds a credential: `GITHUB_AUTHORIZATION`."""
    if "authorization" in header.lower() or names_secret(header):
        return [python_identifier(f"{server} {header}", fallback="header").upper()]
    return []
