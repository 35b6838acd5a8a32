"""Finds the environment variables that a package's tools read in their URLs and headers."""

import json
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.permissions import file_rule_covers, rule_covers, rule_parts

SECRET_PATTERN: Final = r"\$\{(?P<variable>[A-Z][A-Z0-9_]*)\}|\$(?P<plain>[A-Z][A-Z0-9_]*)"
"""A reference to a secret in a URL or a header."""

_SECRET: Final = LazyRegex(SECRET_PATTERN)
_HEADER: Final = LazyRegex(r"[!#$%&'*+.^`|~\w-]+")


def curl_headers(element: Element) -> tuple[tuple[str, str], ...]:
    """Return name and value of each header of a tool's curl command."""
    found: dict[str, str] = {}
    for option, text in pairwise(_words(element.facts[ToolFact].command)):
        name, separator, value = text.partition(":")
        if option in ("-H", "--header") and separator and _HEADER.fullmatch(name):
            found[name] = " ".join(value.split())
    return tuple(found.items())


def json_body(command: str) -> object:
    """Return the JSON object that a curl command sends, or None."""
    for option, text in pairwise(_words(command)):
        if option in ("-d", "--data", "--data-raw", "--json") and text.lstrip().startswith("{"):
            try:
                return json.loads(text)
            except ValueError:
                return None
    return None


def _words(command: str) -> list[str]:
    """Return the words of a shell command, up to an unterminated quotation."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:
        return words
    return words


def tool_variables(committed: CommittedPlan) -> Iterator[tuple[str, PlannedElement]]:
    """Yield each variable with each tool that reads it, in source order."""
    for item in committed.planned_as(tuple(EntryKind), (Disposition.REAL_IMPL,)):
        url = item.element.facts[ToolFact].url
        if not url:
            continue
        for text in (url, *(value for _, value in curl_headers(item.element))):
            for found in _SECRET.finditer(text):
                yield found["variable"] or found["plain"], item


_FILE_RULES: Final = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit"})
_ANY_FILE: Final = "**"
_ANY_REQUEST: Final = "cat file"


def may_cover(rule: str, tool: str) -> bool:
    """Return whether a permission rule matches at least one possible call of a tool.

    Args:
        rule: `Tool` or `Tool(specifier)`.
        tool: The source's name for the tool; a final `__*` means every tool of an MCP server.
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
