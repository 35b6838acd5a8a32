"""Prints Python code in the layout of `ruff format`, without ruff at run time.

Code that surely fits into 88 columns is printed on one line. Other code is exploded, one item a line with a trailing
comma, which is stable at any width. Width tables disagree on some non-ASCII characters, so those count as 0 to 2
columns; if that leaves open whether a line fits, the printer chooses a form that is stable either way.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.generators.literals import block_literal, literal, string_literal

LINE_LENGTH: Final = 88
INDENT: Final = "    "

_KNOWN_WIDTHS: Final = (
    (0x00A1, 0x00AC, 1),
    (0x00AE, 0x02FF, 1),
    (0x0370, 0x0373, 1),
    (0x0386, 0x03FF, 1),
    (0x0400, 0x0482, 1),
    (0x048A, 0x052F, 1),
    (0x2013, 0x2014, 1),
    (0x2018, 0x201F, 1),
    (0x2022, 0x2022, 1),
    (0x2026, 0x2026, 1),
    (0x3001, 0x3029, 2),
    (0x3041, 0x3096, 2),
    (0x30A0, 0x30FF, 2),
    (0x3400, 0x4DBF, 2),
    (0x4E00, 0x9FFF, 2),
    (0xAC00, 0xD7A3, 2),
    (0xFF01, 0xFF60, 2),
)
"""Non-ASCII ranges on whose width all tables agree: first, last, columns."""


class Raw(Struct, frozen=True):
    """Code printed as it is, on one line; a text in triple quotes takes several and breaks the group around it."""

    code: str


class Either(Struct, frozen=True):
    """`first or other`, in two lines if one is too short; only as an item of a group."""

    first: str
    other: str


class Argument(Struct, frozen=True):
    """One argument of a call, one parameter, or one item of a dict: `before` is `name=`, `name: type = `, `key: `."""

    before: str
    value: "Expression"


class Group(Struct, frozen=True):
    """Comma-separated items in brackets; `head` precedes the opening bracket.

    `form` is `display` (list, tuple, dict: if broken, one item a line), `call` (if broken, all arguments may share one
    line), `parameters` (like `call`, but not for a single parameter) or `subscript` (one item, no trailing comma).
    `comments` are printed above the item of the same index.
    """

    head: str
    opening: str
    closing: str
    items: "tuple[Argument, ...]"
    form: str
    comments: tuple[tuple[str, ...], ...] = ()


Expression = Raw | Either | Group


def call(function: str, *positional: Expression, **named: Expression) -> Group:
    """Return a call of `function`."""
    items = [Argument("", value) for value in positional]
    items += [Argument(f"{name}=", value) for name, value in named.items()]
    return Group(function, "(", ")", tuple(items), "call")


def subscript(name: str, key: str) -> Group:
    """Return `name["key"]`."""
    return Group(name, "[", "]", (Argument("", Raw(string_literal(key))),), "subscript")


def parameters(head: str, declared: Iterable[str]) -> Group:
    """Return the head of a function, `def name`, with its declared parameters."""
    return Group(head, "(", ")", tuple(Argument("", Raw(item)) for item in declared), "parameters")


def listing(items: Iterable[Expression], comments: Sequence[tuple[str, ...]] = ()) -> Group:
    """Return a list display; `comments` are printed above its items."""
    return Group(
        "", "[", "]", tuple(Argument("", item) for item in items), "display", comments=tuple(comments)
    )


def tupled(items: Iterable[Expression], comments: Sequence[tuple[str, ...]] = ()) -> Group:
    """Return a tuple display; `comments` are printed above its items."""
    return Group(
        "", "(", ")", tuple(Argument("", item) for item in items), "display", comments=tuple(comments)
    )


def mapping(items: Iterable[tuple[str, Expression]], comments: Sequence[tuple[str, ...]] = ()) -> Group:
    """Return a dict display whose keys are code; `comments` are printed above its items."""
    pairs = tuple(Argument(f"{key}: ", value) for key, value in items)
    return Group("", "{", "}", pairs, "display", comments=tuple(comments))


def value(plain: object) -> Expression:
    """Return the expression of a plain value: None, bool, int, float, str, or a list, tuple or dict of such."""
    if isinstance(plain, list):
        return listing([value(item) for item in plain])
    if isinstance(plain, tuple):
        return tupled([value(item) for item in plain])
    if isinstance(plain, dict):
        return mapping([(literal(key), value(item)) for key, item in plain.items()])
    return Raw(literal(plain))


def text_block(text: str) -> Expression:
    """Return the expression of a text; one of several lines stands in triple quotes."""
    return Raw(block_literal(text)) if "\n" in text else value(text)


def text_blocks(row: Mapping[str, object]) -> Expression:
    """Return the expression of a dict whose texts of several lines stand in triple quotes."""
    return mapping(
        (literal(key), text_block(plain) if isinstance(plain, str) else value(plain))
        for key, plain in row.items()
    )


def statement(before: str, expression: Expression, after: str = "", *, indent: int = 0) -> list[str]:
    """Return the lines of `before + expression + after` at an indentation of `indent` levels.

    `before` is, for example, `return ` or `name = `; `after` is `:` or ` from error`.
    """
    return _lines(before, expression, after, indent)


def assignment(target: str, text: str, *, indent: int = 0) -> list[str]:
    """Return the lines that assign a text to `target`, a name with its annotation.

    The text is printed on one line, in parentheses, or as a block whose lines are not indented, to keep it exact.
    """
    margin = INDENT * indent
    if "\n" in text:
        return f"{margin}{target} = {block_literal(text)}".split("\n")
    quoted = string_literal(text)
    line = f"{margin}{target} = {quoted}"
    if _surely_fits(line):
        return [line]
    if _never_fits(line):
        inner = f"{margin}{INDENT}{quoted}"
        if _surely_fits(inner):
            return [f"{margin}{target} = (", inner, f"{margin})"]
        if _never_fits(inner):
            return [line]
    return f"{margin}{target} = {block_literal(text)}".split("\n")


def operands(before: str, parts: Sequence[str], operator: str, *, indent: int = 0) -> list[str]:
    """Return the lines of `before + a / b / c`: on one line, in parentheses, or one operand a line; ASCII only."""
    margin = INDENT * indent
    whole = f" {operator} ".join(parts)
    if _surely_fits(f"{margin}{before}{whole}"):
        return [f"{margin}{before}{whole}"]
    if _surely_fits(f"{margin}{INDENT}{whole}"):
        inner = [whole]
    else:
        inner = [parts[0], *(f"{operator} {part}" for part in parts[1:])]
    return [f"{margin}{before}(", *(f"{margin}{INDENT}{line}" for line in inner), f"{margin})"]


def flat(expression: Expression) -> str:
    """Return the expression on one line."""
    if isinstance(expression, Raw):
        return expression.code
    if isinstance(expression, Either):
        return f"{expression.first} or {expression.other}"
    comma = "," if _is_tuple_of_one(expression) else ""
    return f"{expression.head}{expression.opening}{_flat_items(expression)}{comma}{expression.closing}"


def _flat_items(group: Group) -> str:
    return ", ".join(f"{item.before}{flat(item.value)}" for item in group.items)


def _is_tuple_of_one(group: Group) -> bool:
    return group.form == "display" and group.opening == "(" and len(group.items) == 1


def _may_share_a_line(group: Group) -> bool:
    """Return whether all items of a broken group may share one line."""
    return group.form == "call" or (group.form == "parameters" and len(group.items) > 1)


def _must_break(expression: Expression) -> bool:
    if not isinstance(expression, Group):
        return isinstance(expression, Raw) and "\n" in expression.code
    return any(expression.comments) or any(_must_break(item.value) for item in expression.items)


def _lines(before: str, expression: Expression, after: str, indent: int) -> list[str]:
    margin = INDENT * indent
    whole = f"{margin}{before}{flat(expression)}{after}"
    if isinstance(expression, Group):
        return _group_lines(before, expression, after, indent, whole)
    if isinstance(expression, Raw) or _surely_fits(whole):
        return whole.split("\n")
    return [f"{margin}{before}{expression.first}", f"{margin}or {expression.other}{after}"]


def _group_lines(before: str, group: Group, after: str, indent: int, whole: str) -> list[str]:
    """Return the lines of a group; `whole` is its line if it isn't broken."""
    if _must_break(group):
        return _exploded(before, group, after, indent)
    if not group.items or _surely_fits(whole):
        return [whole]
    if _is_tuple_of_one(group) and not _never_fits(whole):
        # The comma of a tuple of one doesn't explode it, so its exact width must be known: ASCII only.
        plain = whole.encode("ascii", "backslashreplace").decode()
        if _surely_fits(plain):
            return [plain]
        inner = flat(group.items[0].value).encode("ascii", "backslashreplace").decode()
        return _exploded(before, tupled([Raw(inner)]), after, indent)
    if _may_share_a_line(group) and _never_fits(whole):
        margin = INDENT * indent
        inner = f"{margin}{INDENT}{_flat_items(group)}"
        if _surely_fits(inner):
            opening = f"{margin}{before}{group.head}{group.opening}"
            return [opening, inner, f"{margin}{group.closing}{after}"]
    return _exploded(before, group, after, indent)


def _exploded(before: str, group: Group, after: str, indent: int) -> list[str]:
    """Return the lines of a group with one item a line, each below its comments."""
    margin = INDENT * indent
    comma = "" if group.form == "subscript" else ","
    lines = [f"{margin}{before}{group.head}{group.opening}"]
    for index, item in enumerate(group.items):
        if index < len(group.comments):
            lines += [f"{margin}{INDENT}{comment}" for comment in group.comments[index]]
        lines += _lines(item.before, item.value, comma, indent + 1)
    return [*lines, f"{margin}{group.closing}{after}"]


def _width(character: str) -> tuple[int, int]:
    """Return the least and the greatest width of a character in the known tables."""
    if character.isascii():
        return 1, 1
    code = ord(character)
    for first, last, columns in _KNOWN_WIDTHS:
        if first <= code <= last:
            return (0, 2) if unicodedata.combining(character) else (columns, columns)
    return 0, 2


def _surely_fits(line: str) -> bool:
    if len(line) > LINE_LENGTH or line.isascii():
        return len(line) <= LINE_LENGTH
    return sum(_width(character)[1] for character in line) <= LINE_LENGTH


def _never_fits(line: str) -> bool:
    if line.isascii():
        return len(line) > LINE_LENGTH
    return sum(_width(character)[0] for character in line) > LINE_LENGTH


RUNTIME_DOOR: Final = "._runtime"
"""The module from which the package's own files import what all packages share."""

_OWN: Final = "."
_THIRD_PARTY: Final = ("mellea", "pydantic")

_TEXTS: Final = LazyRegex(
    r"#[^\n]*|(?<![fF])(?:\"\"\"[^\\\"]*+(?:(?:\\.|\"(?!\"\"))[^\\\"]*+)*+\"\"\"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\""
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')",
    re.DOTALL,
)
"""Comments and plain texts; a text with placeholders may use names."""


def used_names(code: str, names: Iterable[str]) -> list[str]:
    """Return those of the names that code uses, outside of its texts and comments.

    Args:
        code: Code that this package printed.
        names: The names to look for.
    """
    bare = set(_NAMES.findall(_TEXTS.sub("", code)))
    return [name for name in names if name in bare]


_NAMES: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def import_lines(modules: Iterable[str], names: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the lines of an import block: standard library, third party, own modules, separated by blank lines.

    Args:
        modules: Modules imported whole.
        names: The names to import from each module; modules without names are skipped.
    """
    groups: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for module in sorted(modules):
        groups[_group(module)].append(f"import {module}")
    for module in sorted(names, key=lambda name: (name != _OWN, name)):
        found = sorted(set(names[module]), key=isort_key)
        if found:
            groups[_group(module)] += _from(module, found)
    blocks = [lines for lines in groups.values() if lines]
    return [line for number, lines in enumerate(blocks) for line in ([""] if number else []) + lines]


def _group(module: str) -> int:
    if module.startswith("."):
        return 2
    return 1 if module.partition(".")[0] in _THIRD_PARTY else 0


def isort_key(name: str) -> tuple[int, str]:
    """Return the sort key of isort: constants, classes, the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


def _from(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from {module} import (", *(f"{INDENT}{name}," for name in names), ")"]
