"""Settings of Claude Code without their values: what is kept of `env` and `headers` is the names (spec/safety.md 4).

The lines stay where they are, so that elements carry real line numbers; a reference such as `${TOKEN}` stays too,
since it is a name.
"""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.workspace.json5 import Json5Error, JsonNode, parse_json5

SETTINGS_NAMES: Final = frozenset(
    {".mcp.json", "settings.json", "settings.local.json", "plugin.json", "hooks.json"}
)
VALUE_KEYS: Final = frozenset({"env", "headers"})
"""Objects whose values are dropped, wherever they stand."""

_LINE_START: Final = re.compile(r"\r\n|\n|\r")
_LITERAL: Final = LazyRegex(
    r"\"[^\"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^\"\\\n\r]*)*\"|'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*'|[^\s,}\]]+"
)
_VALUE: Final = LazyRegex(r"(?P<colon>:[ \t]*)(?P<value>\"(?:[^\"\\\n\r]|\\.)*\"?|'(?:[^'\\\n\r]|\\.)*'?)")
_REFERENCE: Final = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*")


def is_settings_file(path: str) -> bool:
    """Return whether a path names settings of Claude Code that may hold values of environment variables."""
    folder, _, name = path.rpartition("/")
    if name == ".mcp.json":
        return True
    last = folder.rpartition("/")[2]
    return name in SETTINGS_NAMES and last in (".claude", ".claude-plugin", "hooks")


def without_settings_values(text: str) -> str:
    """Return the text with the values of environment variables and headers dropped.

    Where the text is no JSON5, every quoted value is dropped, since nothing tells which of them is a secret.
    """
    try:
        root = parse_json5(text)
    except Json5Error:
        return _VALUE.sub(lambda found: found["colon"] + _emptied(found["value"]), text)
    starts = [0, *(found.end() for found in _LINE_START.finditer(text))]
    kept: list[str] = []
    position = 0
    for node in sorted(_value_nodes(root), key=lambda node: (node.line, node.column)):
        start = starts[node.line - 1] + node.column - 1
        literal = _LITERAL.compiled.match(text, start)
        if literal is None or start < position:
            continue
        kept += [text[position:start], _emptied(literal.group())]
        position = literal.end()
    return "".join((*kept, text[position:]))


def _value_nodes(node: JsonNode, *, inside: bool = False) -> Iterator[JsonNode]:
    if inside and not node.children:
        if isinstance(node.value, dict | list):
            return
        yield node
    for key, child in node.children.items():
        yield from _value_nodes(child, inside=inside or key in VALUE_KEYS)


def _emptied(literal: str) -> str:
    names = "".join(f"{name}}}" for name in _REFERENCE.findall(literal))
    return f'"{names}"' + "".join(_LINE_START.findall(literal))
