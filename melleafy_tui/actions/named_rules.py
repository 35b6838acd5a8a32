"""Finds the rules that a command line names: by their key, by file and line, or by their words."""

from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.decisions.commands import Command, SetTag, Together
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, DecisionKind
from melleafy_tui.core.pipeline.conversion import Conversion

_RULES: Final = (Category.C1, Category.C2, Category.C3)
_MOST_NAMED: Final = 3


def judging(conversion: Conversion, rules: Iterable[str], *, alone: bool) -> Command:
    """Return the act that checks every reply by the named rules.

    Args:
        conversion: The conversion.
        rules: The rules.
        alone: Whether no model judges replies by any other rule.

    Raises:
        UsageError: a name fits no rule, or several.
    """
    wanted = [_key_of(conversion, rule) for rule in rules]
    others = tuple(
        conversion.keys[element.element_id]
        for element in conversion.inventory.elements
        if alone and element.decided(DecisionKind.JUDGED)
    )
    commands = [SetTag(others, judged=False)] if others else []
    commands += [SetTag(tuple(wanted), judged=True)] if wanted else []
    return Together(tuple(commands), "judge")


def _key_of(conversion: Conversion, named: str) -> str:
    found = list(_named(conversion, named))
    narrowest = min((_lines(element) for element in found), default=0)
    found = [element for element in found if _lines(element) == narrowest]
    keys = list(dict.fromkeys(conversion.keys[element.element_id] for element in found))
    if len(keys) == 1:
        return keys[0]
    if not keys:
        hint = "Give its words as the file has them, FILE:LINE, or the key that `inventory --json` prints."
        raise UsageError(f"--judge {named!r} fits no rule of the source", hint=hint)
    places = ", ".join(
        f"{each.location} {shorten(each.content_summary, 40)!r}" for each in found[:_MOST_NAMED]
    )
    raise UsageError(
        f"--judge {named!r} fits {len(keys)} rules", hint=f"Name one by FILE:LINE, such as {places}."
    )


def _named(conversion: Conversion, named: str) -> Iterator[Element]:
    file, _, line = named.rpartition(":")
    words = " ".join(named.split()).casefold()
    for element in conversion.inventory.elements:
        is_offered = bool(element.offered)
        if element.kind == "heading" or not (element.category in _RULES or is_offered):
            continue
        first, last = element.line_range
        is_at = file == element.source_file and line.isdecimal() and first <= int(line[:9]) <= last
        is_said = words and words in " ".join(element.statement.split()).casefold()
        if is_at or is_said or conversion.keys[element.element_id] == named:
            yield element


def _lines(element: Element) -> int:
    first, last = element.line_range
    return last - first
