"""Chooses the names of plan entries in emitted code, and the `file:symbol` target for each disposition.

An entry's stem depends only on the inventory, not on the decisions, so overriding one entry never renames another.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.decisions.keys import normalised_text
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.models.facts import SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category
from melleafy_tui.core.package.dispositions import MATRIX, Cell, SymbolRule
from melleafy_tui.core.package.naming import IMPORTED_NAMES, ascii_words, identifier_stem

WORDS_IN_STEM: Final = 6
LONGEST_LEAD_IN: Final = 8
"""Words of a lead-in that can still name what it introduces."""

_CONSTANTS_WITH_LABEL: Final = frozenset({"agent_name", "agent_role"})

_CELLS: Final = tuple(chosen for row in MATRIX.values() for chosen in row.values() if chosen.allowed)
_PREFIXES: Final = tuple(
    sorted({"", "read_", *(chosen.symbol for chosen in _CELLS if chosen.symbol_rule is SymbolRule.OWN)})
)
_SHARED_SYMBOLS: Final = frozenset(
    {
        "update_memory",
        *(
            chosen.symbol
            for chosen in _CELLS
            if chosen.symbol_rule in (SymbolRule.FIXED, SymbolRule.FLAG, SymbolRule.MAPPED) and chosen.symbol
        ),
    }
)
"""Symbols that many entries share, so no entry can use one as its own name."""


def element_stems(elements: Iterable[Element], mappings: Mapping[str, MappingEntry]) -> dict[str, str]:
    """Return a unique identifier for each element by `element_id`, from its label, name or first words.

    Callable elements choose first, then elements with a category, so that neither a sentence about a tool nor a
    heading takes the name of the tool below it, nor a fact about a service that of the skill for it.
    """
    taken: set[str] = {*_SHARED_SYMBOLS, *IMPORTED_NAMES}
    numbers: dict[str, int] = {}
    stems: dict[str, str] = {}
    for element in sorted(elements, key=_turn):
        mapping = mappings.get(element.element_id)
        constant = mapping.target_symbol.lower() if mapping is not None else ""
        fallback = CATEGORIES[element.category].stem
        stem = _own_identifier(element) or identifier_stem(_name(element), fallback=fallback)
        if constant in _CONSTANTS_WITH_LABEL and constant not in taken:
            stem = constant
        elif not taken.isdisjoint(_variants(stem)):
            first, number = stem, numbers.get(stem, 1)  # numbering many equal stems isn't quadratic
            while not taken.isdisjoint(_variants(stem)):
                number += 1
                stem = f"{first}_{number}"
            numbers[first] = number
        taken.update(_variants(stem))
        stems[element.element_id] = stem
    return stems


def _turn(element: Element) -> int:
    if element.category is Category.NONE:
        return 2
    return 0 if element.facts[ToolFact].subtype not in ("", "narrative") else 1


def _own_identifier(element: Element) -> str:
    """Return the qualified name of an MCP tool as an identifier, with `__` between server and tool."""
    if not element.facts[ToolFact].mcp_server:
        return ""
    name = re.sub(r"[^A-Za-z0-9_]", "_", element.facts.name)
    return name if re.fullmatch(r"mcp__\w{1,58}", name) else ""


def _variants(stem: str) -> tuple[str, ...]:
    """Return every symbol that an entry with this stem can get, over all dispositions."""
    return tuple(f"{prefix}{stem}" for prefix in _PREFIXES)


def symbol_for(cell: Cell, stem: str) -> str:
    """Return the entry's own Python identifier if the cell needs one, else `""`."""
    match cell.symbol_rule:
        case SymbolRule.OWN:
            return f"{cell.symbol}{stem}"
        case SymbolRule.PARAMETER:
            return stem
        case SymbolRule.READER:
            return f"read_{stem}"
        case SymbolRule.FLAG:
            return cell.symbol or stem
        case SymbolRule.FIXED if cell.target_file.endswith(".py"):
            return cell.symbol if cell.symbol.islower() else ""
        case _:
            return ""


def target_for(
    cell: Cell, stem: str, element: Element, mapping: MappingEntry | None, *, is_default: bool
) -> str:
    """Return the `file:symbol` target of an entry with this cell.

    Args:
        cell: The cell of the matrix.
        stem: The element's stem.
        element: The element.
        mapping: Its mapping from step 2.
        is_default: Whether this is the default disposition, whose document section can come from the mapping.
    """
    if mapping is not None and _keeps_target(cell, mapping, is_default=is_default):
        return mapping.target
    symbol = cell.symbol
    match cell.symbol_rule:
        case SymbolRule.MAPPED if mapping is not None and mapping.target_file == cell.target_file:
            symbol = mapping.target_symbol
        case SymbolRule.OWN | SymbolRule.PARAMETER:
            symbol = symbol_for(cell, stem)
        case SymbolRule.FLAG:
            symbol = flag_of(symbol_for(cell, stem))
        case SymbolRule.ENVIRONMENT:
            symbol = variable_name(element, stem)
    return f"{cell.target_file}:{symbol}"


_RULES: Final = "requirements.py"


def _keeps_target(cell: Cell, mapping: MappingEntry, *, is_default: bool) -> bool:
    """Return whether an entry stays where step 2 mapped it: text about tools, what a document reports."""
    in_document = mapping.target_file.endswith(".md") and bool(mapping.target_symbol)
    in_section = cell.symbol_rule is SymbolRule.MAPPED and mapping.target_file == _RULES
    return in_section or (is_default and in_document)


def shared_function(target: str) -> str:
    """Return the function in a `file:symbol` target, such as `recall_memory`, or `""` if there is none."""
    file, _, symbol = target.partition(":")
    return symbol if file.endswith(".py") and symbol.isidentifier() and symbol.islower() else ""


def flag_of(parameter: str) -> str:
    """Return the command-line flag of a parameter of `run_pipeline`."""
    return "--" + parameter.replace("_", "-")


def variable_name(element: Element, stem: str) -> str:
    """Return the environment variable of a credential: the source's name for it, else one made from the stem."""
    name = element.facts[SecretFact].variable or element.facts.name or element.label
    return name.upper() if name.isascii() and name.isidentifier() else stem.upper()


_NUMBER: Final = re.compile(r"\A\W*\d{1,2}(?:\.\d{1,2})*(?:[.)、:：]\s+|[)、]\s*)(?=\S)")
"""The number of a heading or item, which says nothing in a name ("3. Look up")."""
_LATIN_WORD: Final = re.compile(r"[a-z]{3}")
"""What the words of a text need to name anything; those of other scripts give a digest."""


def _name(element: Element) -> str:
    """Return the words that name an element, without the number before them.

    A script in a table, or among words of another script, is named by its file.
    """
    words = _numbered_name(element)
    script = element.facts[ToolFact].script
    if script and (element.kind == "table_row" or not _LATIN_WORD.search(ascii_words(words))):
        return PurePosixPath(script).stem
    return _NUMBER.sub("", words, count=1) if element.category is Category.C6 else words


def _numbered_name(element: Element) -> str:
    named = element.facts.name or element.label
    if named:
        return named
    if element.section and (element.kind == "section" or _is_bare_command(element)):
        return element.section[-1]
    if element.kind == "fence" and element.facts[ToolFact].url and (words := _words_for_request(element)):
        return words
    if element.category is Category.C7:
        return element.content_summary
    return " ".join(normalised_text(element).split()[:WORDS_IN_STEM])


def _words_for_request(element: Element) -> str:
    """Return what names the request of a fence: a comment in it, a short lead-in, else the heading."""
    heading = element.section[-1] if element.section else ""
    lead_in = plain_text(element.content_full.partition("```")[0]) if "```" in element.content_full else ""
    if heading and f"# {heading}\n" in element.content_full:
        return heading
    return lead_in if lead_in and len(lead_in.split()) <= LONGEST_LEAD_IN else heading or lead_in


def _is_bare_command(element: Element) -> bool:
    """Return whether an element is a fence with a command that no words or comment name."""
    command = element.facts[ToolFact].command
    return element.kind == "fence" and bool(command) and element.statement.lstrip().startswith(command[:40])
