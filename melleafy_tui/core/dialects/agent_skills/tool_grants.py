"""Reads `allowed-tools`: which tools a skill may use, one grant a tool, with the patterns that bound it.

The value is a string with grants set apart by spaces or commas, or a YAML list (issue 7, "allowed-tools").
"""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.facts import ToolFact

_GRANT: Final = re.compile(
    r"(?P<tool>[A-Za-z_*][\w.*:/-]*)\s*(?:\((?P<pattern>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
)
_DOMAIN: Final = re.compile(r"domain:\s*(?P<domain>[^\s,]+)", re.IGNORECASE)
_HOST: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?", re.IGNORECASE
)
_MCP: Final = re.compile(r"mcp__(?P<server>[A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*)(?:__(?P<tool>[\w.*-]+))?")

FILE_TOOLS: Final = {
    "read": "read_file",
    "write": "write_file",
    "edit": "edit_file",
    "multiedit": "edit_file",
    "notebookedit": "edit_notebook",
    "notebookread": "read_notebook",
    "glob": "find_files",
    "grep": "search_files",
    "ls": "list_files",
}
"""Tools that work on files, and the stub that stands for each."""

OTHER_TOOLS: Final = {
    "websearch": "web_search",
    "task": "run_subagent",
    "agent": "run_subagent",
    "skill": "run_skill",
}
"""Other tools of the runtimes that read skills, and the stub that stands for each."""

BASH: Final = "run_bash"
ANY_TOOL: Final = "any_tool"
"""What stands for the tool where a whole MCP server is granted (`mcp__server`, `mcp__server__*`)."""
WEB_FETCH: Final = "web_fetch"


ABOUT: Final = {
    BASH: "run a shell command",
    WEB_FETCH: "fetch the page at an address",
    "read_file": "read a file",
    "write_file": "write a file",
    "edit_file": "change a file",
    "read_notebook": "read a notebook",
    "edit_notebook": "change a notebook",
    "find_files": "find files by their names",
    "search_files": "search the contents of files",
    "list_files": "list a folder",
    "web_search": "search the web",
    "run_subagent": "hand a task to another agent",
    "run_skill": "use another skill",
}
"""What the model is told of a tool."""


class Grant(Struct, frozen=True):
    """One tool that a skill may use.

    Attributes:
        tool: The tool as it is written, without its pattern.
        name: The function that stands for it in the package.
        row: Its mapping row.
        patterns: What stands in the parentheses, over all grants of the tool.
        domains: Hosts that a WebFetch is bound to.
        server: The MCP server of an MCP tool.
        offset: Where the tool is first named in the value.
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
        """Return the grant as an element's fact."""
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
        """Return what is granted, as one text."""
        bounds = ", ".join(self.domains or self.patterns)
        if self.server:
            tool = self.name.removeprefix(f"mcp__{self.server}__")
            does = f"call {'any tool' if tool == ANY_TOOL else tool} of the MCP server {self.server}"
        else:
            does = ABOUT.get(self.name, f"what {self.tool} does")
        return f"{self.name}: {does}{f', within {bounds}' if bounds else ''}"


def read_grants(value: object) -> tuple[Grant, ...]:
    """Return the grants of an `allowed-tools` value, one a function, in the order in which they are named."""
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
        domains = tuple(found["domain"].casefold() for found in _DOMAIN.finditer(pattern))
        allowed = tuple(domain for domain in domains if _HOST.fullmatch(domain.removeprefix("*.")))
        row = "skill.grant.web_fetch" if allowed else "skill.grant.other"
        return Grant(tool, WEB_FETCH, row, patterns, allowed, "", offset)
    if key in FILE_TOOLS:
        return Grant(tool, FILE_TOOLS[key], "skill.grant.file", patterns, (), "", offset)
    return Grant(tool, OTHER_TOOLS.get(key, key), "skill.grant.other", patterns, (), "", offset)
