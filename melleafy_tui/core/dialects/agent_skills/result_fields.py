"""Reads the fields that a skill declares for its result, from table rows, items, JSON examples and templates."""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.package.result_schemas import schema_facts
from melleafy_tui.core.source.json5 import Json5Error, JsonNode, parse_json5
from melleafy_tui.core.source.segments import Segment

MOST_FIELDS: Final = 40
FIELD_ITEM: Final = LazyRegex(
    r"^(?:\*\*|__)?`?(?P<name>[A-Za-z\u3400-\u9fff][\w \u3400-\u9fff/-]{0,40}?)`?(?:\*\*|__)?\s*"
    r"(?:\((?P<type>[^()]{1,60})\)|（(?P<kind>[^（）]{1,40})）)?(?:\*\*|__)?\s*"
    r"(?:[:：—–]|\s-\s)(?:\*\*|__)?\s*(?P<words>\S.*)$"
)
"""An item that declares a field: its name, its type in parentheses, its meaning."""
_TYPE_HEADER: Final = LazyRegex(r"^(?:data )?type\b|format|类型|格式", re.IGNORECASE)
_HEADING_LINE: Final = LazyRegex(r"^#{1,6}\s+(?P<name>[^\s\[{<#][^\[{<]{0,60})\s*$")
_LABEL_LINE: Final = LazyRegex(
    r"^(?:[-*]\s+)?(?:\*\*)?(?P<name>[A-Za-z\u3400-\u9fff][\w \u3400-\u9fff/-]{0,40}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<words>[\[{<_.].*|)$"
)

_FORM_LINE: Final = LazyRegex(
    r"^\s*(?:#{1,6}\s|\||(?:[-*]\s+)?(?:\*\*)?[A-Za-z\u3400-\u9fff][\w /-]{0,40}(?:\*\*)?\s*[:：])"
)
"""A line that is more of a form than its words: a heading, a row of a table, a label."""


def fields_of_piece(segment: Segment) -> Facts:
    """Return the fields of a form as facts, empty if it holds more than a schema of these would."""
    fields = list(_fields(segment))
    if not fields or len(fields) > MOST_FIELDS:
        return Facts()
    above = segment.section[-1] if segment.section else ""
    return schema_facts(above or segment.lead_in or "Report", fields)


def _fields(segment: Segment) -> Iterator[tuple[str, str, str]]:
    if segment.kind == "table_row":
        yield from _row(segment)
    elif segment.kind == "item":
        match = FIELD_ITEM.match(segment.text)
        if match:
            yield (
                match["name"].strip(),
                plain_text(match["type"] or match["kind"] or ""),
                plain_text(match["words"]),
            )
    elif segment.kind == "fence":
        try:
            node = parse_json5("\n".join(segment.lines))
        except Json5Error:
            yield from _template(segment.lines)
        else:
            yield from _example(node)


def _row(segment: Segment) -> Iterator[tuple[str, str, str]]:
    name = plain_text(segment.cells[0]) if segment.cells else ""
    if not name:
        return
    kind, words = "", []
    for header, cell in zip(segment.header[1:], segment.cells[1:], strict=False):
        if _TYPE_HEADER.search(plain_text(header)) and not kind:
            kind = plain_text(cell)
        elif plain_text(cell):
            words.append(plain_text(cell))
    yield name, kind, "; ".join(words)


def _example(node: JsonNode) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a JSON example; the type of each value is the field's type."""
    if isinstance(node.value, dict):
        if not any(map(_is_nested, node.value.values())):  # else its inner fields would be lost
            for key, child in node.children.items():
                yield str(key), *_example_type(child.value)
        return
    first = next(iter(node.children.values()), None)
    if first is not None:
        yield from _example(first)


def _is_nested(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(each, dict) for each in value)
    )


def _example_type(value: object) -> tuple[str, str]:
    """Return the type that an example value shows, and the words of its placeholder."""
    if isinstance(value, bool):
        return "boolean", ""
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) and value != 0 else "number", ""
    if isinstance(value, list):
        return "list of strings", _placeholder(value[0]) if value else ""
    if isinstance(value, str):
        return (value, "") if "|" in value else ("string", _placeholder(value))
    return "string", ""


def _placeholder(value: object) -> str:
    """Return the words of a placeholder such as `<country>` or `<number>: <risk>`."""
    return re.sub(r"[<>\[\]{}]", "", value).strip(" .…") if isinstance(value, str) else ""


def _template(lines: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Return the fields of a text template: its headings below the first, and labels without a value.

    There are none if it has more than these, such as a heading with a placeholder, a label with a value, or a table.
    """
    found: list[tuple[str, str, str]] = []
    headings = 0
    for line in lines:
        heading = _HEADING_LINE.match(line)
        label = _LABEL_LINE.match(line)
        if heading:
            headings += 1
            if headings > 1 or line.startswith("##"):
                found.append((plain_text(heading["name"]), "", ""))
        elif label:
            words = plain_text(label["words"]).strip("[]{}<>_. ")
            found.append((plain_text(label["name"]), "", words))
        elif _FORM_LINE.match(line):
            return []
    return found
