"""Generates permissions.py: which tool calls the source denies and which ones need confirmation.

The rules are literals; the functions that apply them are copied from `core/language/permissions.py`.
"""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import PermissionFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators.code_layout import mapping, statement, value
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import (
    CALLED,
    TOOLS,
    asked_rules,
    denied_rules,
    functions,
    granted_name,
)
from melleafy_tui.generators.provenance import SourceWriter, provenance_comments, source_ranges
from melleafy_tui.generators.validators import permission_sources

MODULE: Final = "permissions"

_READING: Final = ("Glob", "Grep", "LS", "NotebookRead", "Read", "WebFetch", "WebSearch")

_REFUSAL: Final = '''

def refusal(tool: str, request: str) -> str:
    """Return the rule that denies a call of one of the package's tools, or ""."""
    name = CALLS.get(tool, tool)
    return next((rule for rule in DENIED if rule_covers(rule, name, request)), "")
'''
_QUESTION: Final = '''

def question(tool: str, request: str) -> str:
    """Return the rule that wants a call confirmed first, or ""; reading needs no plan."""
    name = CALLS.get(tool, tool)
    for rule in ASKED:
        if rule_covers(rule, name, request) and (rule != "*" or name not in READING):
            return rule
    return ""
'''


def generate_permissions(committed: CommittedPlan) -> list[EmittedFile]:
    """Return permissions.py, or nothing if the package enforces no permission rule."""
    denied, asked = denied_rules(committed), asked_rules(committed)
    if not denied and not asked:
        return []
    writer = SourceWriter(f"{committed.package_name}/{MODULE}.py")
    writer.add('"""Which tool calls the source denies, and which it wants confirmed first."""')
    writer.blank()
    writer.add(["import posixpath", "import re", "from fnmatch import fnmatchcase"])
    writer.blank()
    _add_rules(writer, "DENIED", denied)
    if asked:
        writer.blank()
        _add_rules(writer, "ASKED", asked)
        writer.blank()
        writer.add(statement("READING = ", value(_READING)))
    writer.blank()
    pairs = [
        (string_literal(symbol), value(tool)) for symbol, tool in sorted(called_names(committed).items())
    ]
    writer.add(statement("CALLS: dict[str, str] = ", mapping(pairs)))
    for source in permission_sources():
        writer.blank(2)
        writer.add(source)
    writer.add(_REFUSAL)
    if asked:
        writer.add(_QUESTION)
    return [writer.emitted()]


def called_names(committed: CommittedPlan) -> dict[str, str]:
    """Return the source's name of each tool, by the name of its function in the package."""
    found = {}
    for function in functions(committed, TOOLS, *CALLED):
        tool = granted_name(function)
        if tool:
            found[function.symbol] = tool
    return found


def _add_rules(writer: SourceWriter, constant: str, items: Sequence[PlannedElement]) -> None:
    if not items:
        writer.add(f"{constant}: tuple[str, ...] = ()")
        return
    writer.add(f"{constant}: tuple[str, ...] = (")
    for item in items:
        comments = provenance_comments(source_ranges([item.element]))
        rule = item.element.facts[PermissionFact]
        entry = statement("", value(rule.denies or rule.asks), ",", indent=1)
        writer.add([*(f"    {comment}" for comment in comments), *entry], [item.element])
    writer.add(")")
