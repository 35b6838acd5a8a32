"""Reads the arguments of a command or skill from `arguments`, else `argument-hint`, else `$1` in the text.

`$ARGUMENTS` is everything the user typed, which is the message of a run; each other argument is a parameter.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import FrontmatterField, Head
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, SourceSpan
from melleafy_tui.core.language.wording import shorten, summarise
from melleafy_tui.core.models.facts import ArgumentFact, Facts
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.package.naming import ARGUMENT_POSITION, with_argument_names

MOST_ARGUMENTS: Final = 20

_TOKEN: Final = re.compile(
    r"(?P<flag>--?[A-Za-z][\w-]*)(?:[ =](?P<taken><[^<>]+>))?|\[(?P<optional>[^\[\]]+)\]|<(?P<required>[^<>]+)>"
    r"|(?P<bare>[^\s\[\]<>]+)"
)
_NOT_NAMES: Final = re.compile(r"[^A-Za-z0-9]+")


class Argument(Struct, frozen=True):
    """One argument: `type` is `bool` for a flag without a value, else `str`; its lines are those that declare it."""

    name: str
    type: str = "str"
    choices: tuple[str, ...] = ()
    first: int = 1
    last: int = 1


def read_arguments(file: SourceFile, head: Head) -> tuple[Argument, ...]:
    """Return the arguments of a spec in order."""
    for field in filter(None, map(head.get, ("arguments", "argument-hint"))):
        if found := tuple(_named(field)):
            return found[:MOST_ARGUMENTS]
    return tuple(_positional(file, head))[:MOST_ARGUMENTS]


def argument_elements(file: SourceFile, rule_id: str, arguments: Sequence[Argument]) -> Iterator[Element]:
    """Yield one element per argument."""
    for argument in arguments:
        fact = ArgumentFact(argument.name, argument.name, argument.type, argument.choices)
        among = f": {' | '.join(argument.choices)}" if argument.choices else ""
        shown = f"{argument.name} ({argument.type}{among})"
        yield ElementFactory(file, rule_id).make(
            SourceSpan(argument.first, argument.last, "argument"),
            shown,
            Home(Tag.CONFIG, Category.C3, "command.argument", "command.argument"),
            Facts(fact),
            summary=shorten(f"Argument {shown}"),
            label=argument.name,
        )


def with_named_arguments(elements: Sequence[Element], arguments: Sequence[Argument]) -> list[Element]:
    """Return the elements with `$1`, `$name` and `$ARGUMENTS` in their statements replaced by names in brackets."""
    from_zero = any("$0" in element.content_full for element in elements)

    names = [argument.name for argument in arguments]
    result = []
    for element in elements:
        statement = with_argument_names(element.statement, names, from_zero=from_zero)
        if element.mapping_row == "command.argument" or statement == element.statement:
            result.append(element)
            continue
        prefix = "Rule: " if element.content_summary.startswith("Rule: ") else ""
        result.append(
            replace(
                element,
                statement=statement,
                content_summary=summarise(statement, prefix=prefix),
                notes=(*element.notes, "Arguments stand in it by their names."),
            )
        )
    return result


def _named(field: FrontmatterField) -> Iterator[Argument]:
    """Yield the arguments that a list of names or a hint gives, each once."""
    value = field.value
    listed = value if isinstance(value, list) else []  # an unquoted `[a]` is one, too
    names = [each.get("name") if isinstance(each, dict) else each for each in listed]
    text = field.text or " ".join(f"[{name}]" for name in names)
    seen: set[str] = set()
    for position, match in enumerate(_TOKEN.finditer(text), 1):
        name, kind, choices = _of_token(match, position)
        if name and name not in seen:
            seen.add(name)
            yield Argument(name, kind, choices, field.first, field.last)


def _of_token(match: re.Match[str], position: int) -> tuple[str, str, tuple[str, ...]]:
    """Return the name, type and choices of an argument in a hint: a flag, else a position."""
    flag, takes_value = match["flag"], match["taken"] is not None
    inside = (match["optional"] or match["required"] or match["bare"] or "").strip().removesuffix("...")
    if not flag and inside.startswith("--"):
        flag, _, taken = inside.partition(" ")
        takes_value = bool(taken)
    if flag:
        return _name(flag.lstrip("-")), "str" if takes_value else "bool", ()
    label, separator, rest = inside.partition("=")  # `level=low|high`
    choices = tuple(part.strip() for part in (rest or label).split("|")) if "|" in inside else ()
    return f"argument_{position}" if choices and not separator else _name(label), "str", choices


def _positional(file: SourceFile, head: Head) -> Iterator[Argument]:
    """Yield an argument for each position used in the text, if none are named."""
    places: dict[int, int] = {}
    for number, line in enumerate(file.lines, 1):
        if number <= head.last:
            continue
        for match in ARGUMENT_POSITION.finditer(line):
            index = int(match["index"]) + 1 if match["index"] else int(match["number"])
            if 1 <= index <= MOST_ARGUMENTS:
                places.setdefault(index, number)
    for index in range(1, max(places, default=0) + 1):
        place = places.get(index, min(places.values()))
        yield Argument(f"argument_{index}", first=place, last=place)


def _name(text: str) -> str:
    name = _NOT_NAMES.sub("_", text.strip()).strip("_").lower()
    return f"argument_{name}" if name[:1].isdigit() else name
