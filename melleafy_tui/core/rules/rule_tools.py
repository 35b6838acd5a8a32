"""Which tools a permission rule can hold for, whatever their request: asked of a plan, and never emitted."""

from fnmatch import fnmatchcase
from typing import Final

from melleafy_tui.core.rules.permissions import file_rule_covers, rule_covers, rule_parts

_FILE_RULES: Final = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit"})
_ANY_FILE: Final = "**"
_ANY_REQUEST: Final = "cat file"


def may_cover(rule: str, tool: str) -> bool:
    """Return whether some call of a tool falls under a rule.

    Args:
        rule: `Tool` or `Tool(specifier)`.
        tool: The source's own name of the tool; one that ends in `__*` stands for every tool of an MCP server.
    """
    named, inside = rule_parts(rule)
    if named.split("__")[0] == "mcp":
        pattern = named if named.count("__") > 1 else f"{named}__*"
        return fnmatchcase(tool, pattern) or fnmatchcase(pattern, tool)
    if named == "WebFetch" and inside.startswith("domain:"):
        return True
    if named in _FILE_RULES and inside:
        return file_rule_covers(named, _ANY_FILE, tool, _ANY_REQUEST)
    return rule_covers(named, tool, _ANY_REQUEST)
