"""Makes elements of permission rules: allow grants tools, ask wants a confirmation, deny forbids (issue 7).

The order is Claude Code's own: deny before ask before allow, over all files together.
"""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.agent_skills.grants import Grant, read_grants
from melleafy_tui.core.models.facts import Facts, NamedFact, PermissionFact
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.rules.permissions import rule_parts

FILE_RULE_TOOLS: Final = frozenset({"Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"})
"""Tools whose rules with a path Claude Code accepts and never consults; Read and Edit hold for them."""

_RULE: Final = re.compile(r"[A-Za-z*][\w.*-]*(?:\(.*\))?", re.DOTALL)


class PermissionWords(Struct, frozen=True):
    """How an entry of one list is told and mapped."""

    row: str
    tag: Tag
    polarity: Polarity
    lead: str
    denies: bool
    category: Category = Category.C2

    def facts(self, rule: str) -> Facts:
        """Return the facts of a rule of this list."""
        whole = _whole_server(rule)
        return Facts(
            PermissionFact(denies=whole) if self.denies else PermissionFact(asks=whole), NamedFact(rule)
        )


LISTS: Final = {
    "deny": PermissionWords(
        "permission.deny", Tag.VALIDATE_OUTPUT, Polarity.FORBIDS, "Never call", denies=True
    ),
    "ask": PermissionWords(
        "permission.ask",
        Tag.DECIDE,
        Polarity.DESCRIBES,
        "Ask the user to confirm before each call of",
        denies=False,
    ),
}
"""The two lists whose entries are rules of the package; an entry of `allow` grants a tool."""


def _whole_server(rule: str) -> str:
    """Return a rule for a whole MCP server as one for each of its tools."""
    tool, inside = rule_parts(rule)
    return f"{tool}__*" if tool.split("__")[0] == "mcp" and tool.count("__") == 1 and not inside else rule


def is_rule(text: str) -> bool:
    """Return whether a text has the form of a permission rule."""
    return bool(_RULE.fullmatch(text.strip())) and text.count("(") == text.count(")")


def never_consulted(rule: str) -> bool:
    """Return whether Claude Code accepts a rule and never looks at it."""
    tool, inside = rule_parts(rule)
    return tool in FILE_RULE_TOOLS and bool(inside)


def grant_of(rule: str) -> Grant | None:
    """Return the tool that an entry of `allow` grants, or None where it names none."""
    found = read_grants([rule])
    return found[0] if found else None
