"""Code without the plain items of its long lists, which lints then need not read one by one.

A rule is mostly an item `req("…"),` or `check("…"),` or `"…",` of a list, and what lints say of one they say of all.
The first of each kind stays; where a lint finds anything at all, it looks at the whole code again (`Module.unfold`).
"""

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from melleafy_tui.core.python_syntax import parse_python, read_literal

LEAST: Final = 8_000
"""Bytes of code that are worth it."""

RULE_LISTS: Final = ("OPERATING_REQUIREMENTS", "SCOPED_REQUIREMENTS", "OPERATING_NOTES", "HOST_RULES")
_LIST: Final = re.compile(rb"^(?:%s)(?:: [^\n\"'#]*)? = \[$" % "|".join(RULE_LISTS).encode(), re.MULTILINE)
_TEXT: Final = rb"\"[^\"\\\n\0]*(?:\\[\\\"n][^\"\\\n\0]*)*\""
_ITEM: Final = re.compile(
    rb"^    (?:(?P<call>req|check)\((?:"
    + _TEXT
    + rb"|\n(?: {8}"
    + _TEXT
    + rb"\n)+    )\)|"
    + _TEXT
    + rb"),$",
    re.MULTILINE,
)
_ELSEWHERE: Final = (b"\r", b"\f", b"\0", b"mcp__", b"user_variables", b"\xef\xbb\xbf")
"""What would make a plain item mean more than its fellows, or stand on another line than it seems to."""

_IN_LISTS: Final = (b'"""', b"'''", b"\\\n", b"f'", b'f"', b"F'", b'F"')
"""What could make a line look like an item without being one: texts over several lines."""

_LITERAL: Final = re.compile(_TEXT)


class PlainItem(NamedTuple):
    """An item that was left out: its first line and its code."""

    lineno: int
    code: bytes

    @property
    def text(self) -> str:
        """Return the text that it holds."""
        code = self.code
        if b"\\" not in code and code.count(b'"') == 2:  # one literal, as most are
            return code.split(b'"')[1].decode()
        parts: list[bytes] = _LITERAL.findall(code)
        return "".join(
            str(read_literal(part.decode())) if b"\\" in part else part[1:-1].decode() for part in parts
        )


class Outline(NamedTuple):
    """Code with some items left blank, its tree, and the items in order."""

    source: bytes
    tree: ast.Module
    items: tuple[PlainItem, ...]


def outline_of(code: bytes) -> Outline | None:
    """Return the outline of some code; None where it is short or has nothing to leave out, or is not plain enough.

    The outline can be parsed exactly where the code can: an item is a whole one, it stands behind a comma or the
    opening bracket, and it stands in the list itself, which is looked up in the tree.
    """
    if len(code) < LEAST or b"coding" in code[:200] or any(mark in code for mark in _ELSEWHERE):
        return None
    parts: list[bytes] = []
    items: list[PlainItem] = []
    position, line = 0, 1
    for start, end in _lists(code):
        for item in _plain_items(code, start, end):
            line += code.count(b"\n", position, item.start())
            items.append(PlainItem(line, item.group()))
            parts += [code[position : item.start()], b"\n" * item.group().count(b"\n")]
            line += parts[-1].count(b"\n")
            position = item.end()
    if not items:
        return None
    source = b"".join((*parts, code[position:]))
    try:
        code.decode("utf-8")
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Outline(source, tree, tuple(items)) if _stand_in_lists(tree, items) else None


def _lists(code: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the items of each list at the top of the code begin and end."""
    for opening in _LIST.finditer(code):
        end = code.find(b"\n]\n", opening.end())
        if end >= 0 and not any(code.find(mark, opening.end(), end) >= 0 for mark in _IN_LISTS):
            yield opening.end(), end + 1


def _plain_items(code: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield the plain items of a list but the first of each kind."""
    seen: set[bytes | None] = set()
    before = start
    for item in _ITEM.finditer(code, start, end):
        if item["call"] in seen and _ends_an_item(code[before : item.start()]):
            yield item
        seen.add(item["call"])
        before = item.end()


def _ends_an_item(code: bytes) -> bool:
    """Return whether what stands between two items is nothing but comments, or other items with their comma."""
    between = code.strip()
    if b"\n" not in between and between.startswith(b"#"):  # the comment that an item has, in most cases
        return True
    lines = [line for line in code.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    return not lines or (lines[-1].endswith(b",") and b"#" not in lines[-1])


def _stand_in_lists(tree: ast.Module, items: list[PlainItem]) -> bool:
    """Return whether each item stands in a list at the top of the code, and in none of the list's other items."""
    free: set[int] = set()
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if isinstance(value, ast.List):
            free.update(range(value.lineno + 1, value.end_lineno or 0))
            for kept in value.elts:
                free.difference_update(range(kept.lineno, (kept.end_lineno or kept.lineno) + 1))
    return all(item.lineno in free for item in items)
