"""Reads `allowed-tools`: the tools that a skill may use, one grant per tool, with the patterns that limit it.

The value is a string of grants separated by spaces or commas, or a YAML list.
"""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.tables import table_beside

_GRANT: Final = re.compile(
    r"(?P<tool>[A-Za-z_*][\w.*:/-]*)\s*(?:\((?P<pattern>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
)
_DOMAIN: Final = re.compile(r"domain:\s*(?P<domain>[^\s,]+)", re.IGNORECASE)
_HOST: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?", re.IGNORECASE
)
_MCP: Final = re.compile(r"mcp__(?P<server>[A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*)(?:__(?P<tool>[\w.*-]+))?")

_TABLE: Final = table_beside(__file__, "tool_grants.toml")
BASH: Final = "run_bash"
ANY_TOOL: Final = "any_tool"
"""The stub for a grant of a whole MCP server (`mcp__server`, `mcp__server__*`)."""
WEB_FETCH: Final = "web_fetch"


ABOUT: Final[dict[str, str]] = _TABLE["about"]
"""Tool descriptions for the model."""


class Grant(Struct, frozen=True):
    """One tool that a skill may use.

    Attributes:
        tool: The tool as written, without its pattern.
        name: The package's function for the tool.
        row: Its mapping row.
        patterns: The contents of the parentheses, from all grants of the tool.
        domains: Hosts that a WebFetch is limited to.
        server: The MCP server of an MCP tool.
        offset: The position of the tool's first mention in the value.
    """

    tool: str
    name: str
    row: str
    patterns: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    server: str = ""
    offset: int = 0

    @property
    def fact(self) -> ToolFact:
        """Return the grant as an element's tool fact."""
        return ToolFact(
            name=self.name,
            grant=self.tool,
            subtype="concrete_http" if self.domains else "abstract",
            patterns=self.patterns,
            domains=self.domains,
            mcp_server=self.server,
        )

    @property
    def statement(self) -> str:
        """Return the grant as one text."""
        bounds = ", ".join(self.domains or self.patterns)
        if self.server:
            tool = self.name.removeprefix(f"mcp__{self.server}__")
            does = f"call {'any tool' if tool == ANY_TOOL else tool} of the MCP server {self.server}"
        else:
            does = ABOUT.get(self.name, f"what {self.tool} does")
        return f"{self.name}: {does}{f', within {bounds}' if bounds else ''}"


def read_grants(value: object) -> tuple[Grant, ...]:
    """Return the grants of an `allowed-tools` value, one per function, in order of first mention."""
    found: dict[str, Grant] = {}
    for offset, (tool, pattern) in enumerate(_named(value)):
        grant = _grant(tool, pattern, offset)
        earlier = found.get(grant.name)
        if earlier is not None and earlier.row == grant.row:
            grant = Grant(
                earlier.tool,
                grant.name,
                grant.row,
                tuple(dict.fromkeys((*earlier.patterns, *grant.patterns))),
                tuple(dict.fromkeys((*earlier.domains, *grant.domains))),
                grant.server,
                earlier.offset,
            )
        found[grant.name] = grant
    return tuple(found.values())


def _named(value: object) -> list[tuple[str, str]]:
    parts = value if isinstance(value, list) else [value]
    return [
        (match["tool"], (match["pattern"] or "").strip())
        for part in parts
        if isinstance(part, str)
        for match in _GRANT.finditer(part)
    ]


def _allowed_domains(pattern: str) -> tuple[str, ...]:
    domains = (found["domain"].casefold() for found in _DOMAIN.finditer(pattern))
    return tuple(domain for domain in domains if _HOST.fullmatch(domain.removeprefix("*.")))


def _grant(tool: str, pattern: str, offset: int) -> Grant:
    patterns = (pattern,) if pattern else ()
    key = tool.casefold()
    mcp = _MCP.fullmatch(tool)
    if mcp:
        inner = (mcp["tool"] or "").strip("*_-")
        name = f"mcp__{mcp['server']}__{inner or ANY_TOOL}"
        return Grant(tool, name, "skill.grant.mcp", patterns, (), mcp["server"], offset)
    if key == "bash":
        return Grant(tool, BASH, "skill.grant.bash", patterns, (), "", offset)
    if key == "webfetch":
        allowed = _allowed_domains(pattern)
        row = "skill.grant.web_fetch" if allowed else "skill.grant.other"
        return Grant(tool, WEB_FETCH, row, patterns, allowed, "", offset)
    if key in _TABLE["files"]:
        return Grant(tool, _TABLE["files"][key], "skill.grant.file", patterns, (), "", offset)
    return Grant(tool, _TABLE["others"].get(key, key), "skill.grant.other", patterns, (), "", offset)
