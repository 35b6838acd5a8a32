"""Drops the values from environment files and Claude Code settings as they are read, and keeps the names.

In settings, `env` and `headers` lose their values; a reference such as `${TOKEN}` stays, since it is a name. Line
numbers don't change, so that elements keep their real ones.
"""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.json5 import Json5Error, JsonNode, parse_json5
from melleafy_tui.core.source.secrets.found_secret import spliced

LEAST_ENCODED: Final = 16

_ASSIGNMENT: Final = LazyRegex(
    r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)\s*=(?P<value>.*)", re.DOTALL
)
_LINE: Final = LazyRegex(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_BLOCK_START: Final = "-----BEGIN"
_BLOCK_END: Final = "-----END"
_LONG_WORD: Final = re.compile(r"\S{16,}")

SETTINGS_NAMES: Final = frozenset(
    {".mcp.json", "settings.json", "settings.local.json", "plugin.json", "hooks.json"}
)
VALUE_KEYS: Final = frozenset({"env", "headers"})
"""Objects whose values are dropped, at any level."""

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_QUOTED_VALUE: Final = LazyRegex(
    r"(?P<colon>:[ \t]*)(?P<value>\"(?:[^\"\\\n\r]|\\.)*\"?|'(?:[^'\\\n\r]|\\.)*'?)"
)
_REFERENCE: Final = LazyRegex(r"\$\{[A-Za-z_][A-Za-z0-9_]*")


def is_environment_file(path: str) -> bool:
    """Return whether a path is an environment file (`.env`, `.env.local`, `prod.env`)."""
    name = path.rpartition("/")[2].lower()
    return name == ".env" or name.startswith(".env.") or name.endswith(".env")


def without_values(text: str) -> str:
    """Return the text with every value dropped: `NAME=` stays, also in comments; everything else is removed."""
    kept: list[str] = []
    open_quote = ""
    in_block = False
    for match in _LINE.finditer(text):
        line, end = match.group(1), match.group(2)
        if not line and not end:
            break
        if open_quote:
            if open_quote in line:
                open_quote = ""
            kept.append(end)
            continue
        if in_block:
            in_block = _BLOCK_END not in line
            kept.append(end)
            continue
        in_block = _BLOCK_START in line and _BLOCK_END not in line
        name, open_quote = _name_only(line)
        if open_quote:
            in_block = False
        kept.append(name + end)
    return "".join(kept)


def _name_only(line: str) -> tuple[str, str]:
    """Return the part of a line to keep, and the quote that its value leaves open for the next lines."""
    stripped = line.strip()
    if stripped.startswith("#"):
        before = re.split(r"[=:：]", stripped, maxsplit=1)[0] if re.search(r"[=:：]", stripped) else stripped
        return _LONG_WORD.sub("…", before), ""
    match = _ASSIGNMENT.fullmatch(line)
    if match is None:
        return "", ""
    value = match.group("value").strip()
    if not value.strip("=") and _is_encoded(match.group("name")):
        return "", ""
    quote = value[:1]
    unclosed = quote in ('"', "'", "`") and value.count(quote) == 1
    return f"{match.group('name')}=", quote if unclosed else ""


def _is_encoded(name: str) -> bool:
    """Return whether a name is really the last line of an encoded value, whose padding looks like an assignment."""
    has_digit = any(character.isdigit() for character in name)
    return len(name) >= LEAST_ENCODED and has_digit and not name.isupper() and "_" not in name


def is_settings_file(path: str) -> bool:
    """Return whether a path is a Claude Code settings file, which may contain values of environment variables."""
    folder, _, name = path.rpartition("/")
    if name == ".mcp.json":
        return True
    last = folder.rpartition("/")[2]
    return name in SETTINGS_NAMES and last in (".claude", ".claude-plugin", "hooks")


def without_settings_values(text: str) -> str:
    """Return the text with the values of environment variables and headers dropped.

    If the text isn't valid JSON5, every quoted value is dropped, since any of them may be a secret.
    """
    try:
        root = parse_json5(text)
    except Json5Error:
        return _QUOTED_VALUE.sub(lambda found: found["colon"] + _emptied(found["value"]), text)
    values = sorted(_values(root), key=lambda node: node.start)
    changes = ((node.start, node.end, _emptied(text[node.start : node.end])) for node in values)
    return spliced(text, changes)[0]


def _values(node: JsonNode, *, inside: bool = False) -> Iterator[JsonNode]:
    if inside and not isinstance(node.value, dict | list):
        yield node
    for key, child in node.children.items():
        yield from _values(child, inside=inside or key in VALUE_KEYS)


def _emptied(literal: str) -> str:
    names = "".join(f"{name}}}" for name in _REFERENCE.findall(literal))
    return f'"{names}"' + "".join(_LINE_END.findall(literal))
