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
_INTEGER: Final = re.compile(
    r"(?:^|[-_ ])(?:count|limit|max|min|size|port|depth|days|hours|minutes|percent|n)$"
)
_KINDS: Final = {"integer": "int", "int": "int", "number": "int", "boolean": "bool", "bool": "bool"}
_NOT_NAMES: Final = re.compile(r"[^A-Za-z0-9]+")


class Argument(Struct, frozen=True):
    """One argument: `type` is `str`, `int` or `bool`; `first` and `last` are the lines that declare it."""

    name: str
    type: str = "str"
    choices: tuple[str, ...] = ()
    about: str = ""
    first: int = 1
    last: int = 1


def read_arguments(file: SourceFile, head: Head) -> tuple[Argument, ...]:
    """Return the arguments of a spec in order."""
    declared = head.get("arguments")
    if declared is not None and (found := tuple(_declared(declared))):
        return found[:MOST_ARGUMENTS]
    hint = head.get("argument-hint")
    if hint is not None and (found := tuple(_hinted(hint))):
        return found[:MOST_ARGUMENTS]
    return tuple(_positional(file, head))[:MOST_ARGUMENTS]


def argument_elements(file: SourceFile, rule_id: str, arguments: Sequence[Argument]) -> Iterator[Element]:
    """Yield one element per argument."""
    for argument in arguments:
        fact = ArgumentFact(argument.name, argument.name, argument.type, argument.choices)
        among = f": {' | '.join(argument.choices)}" if argument.choices else ""
        about = f" — {argument.about}" if argument.about else ""
        shown = f"{argument.name} ({argument.type}{among}){about}"
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


def _declared(field: FrontmatterField) -> Iterator[Argument]:
    for data in _declarations(field.value):
        name = _name(str(data.get("name", "")))
        if name:
            among = data.get("enum") or data.get("choices")
            choices = tuple(str(choice) for choice in among) if isinstance(among, list) else ()
            said = str(data.get("type", ""))
            kind = _KINDS.get(said) or ("str" if said else _type_of(name, choices))
            yield Argument(name, kind, choices, str(data.get("description", "")), field.first, field.last)


def _declarations(value: object) -> list[dict[str, object]]:
    """Return each argument as a mapping, from a text of names, a list or a mapping."""
    if isinstance(value, dict):
        return [{"name": name, **(rest if isinstance(rest, dict) else {})} for name, rest in value.items()]
    parts = value.split() if isinstance(value, str) else value
    listed = parts if isinstance(parts, list) else []
    return [part if isinstance(part, dict) else {"name": part} for part in listed]


def _hinted(field: FrontmatterField) -> Iterator[Argument]:
    value = field.value
    text = (
        " ".join(f"[{part}]" for part in value) if isinstance(value, list) else field.text
    )  # an unquoted `[a]` is a YAML list
    seen: set[str] = set()
    for position, match in enumerate(_TOKEN.finditer(text), 1):
        name, kind, choices = _of_token(match, position)
        if name and name not in seen:
            seen.add(name)
            yield Argument(name, kind, choices, "", field.first, field.last)


def _of_token(match: re.Match[str], position: int) -> tuple[str, str, tuple[str, ...]]:
    """Return the name, type and choices of an argument in a hint: a flag, else a position."""
    flag, takes_value = match["flag"], match["taken"] is not None
    inside = (match["optional"] or match["required"] or match["bare"] or "").strip().removesuffix("...")
    if not flag and inside.startswith("--"):
        flag, _, taken = inside.partition(" ")
        takes_value = bool(taken)
    if flag:
        return _name(flag.lstrip("-")), "str" if takes_value else "bool", ()
    return _of_position(inside, position)


def _of_position(text: str, position: int) -> tuple[str, str, tuple[str, ...]]:
    """Return the name, type and choices of an argument without a flag, such as `level=low|high`."""
    label, separator, rest = text.partition("=")
    choices = tuple(part.strip() for part in (rest or label).split("|")) if "|" in text else ()
    name = f"argument_{position}" if choices and not separator else _name(label)
    return name, _type_of(label, choices), choices


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


def _type_of(label: str, choices: Sequence[str]) -> str:
    if choices:
        return "bool" if {choice.lower() for choice in choices} == {"true", "false"} else "str"
    return "int" if _INTEGER.search(label.strip().lower()) else "str"


def _name(text: str) -> str:
    name = _NOT_NAMES.sub("_", text.strip()).strip("_").lower()
    return f"argument_{name}" if name[:1].isdigit() else name
