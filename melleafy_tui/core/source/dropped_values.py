"""Drops the values from environment files and Claude Code settings as they are read, and keeps the names.

In settings, `env` and `headers` lose their values; a reference such as `${TOKEN}` stays, since it is a name. Line
numbers don't change, so that elements keep their real ones.
"""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import LINE_END
from melleafy_tui.core.source.json5 import Json5Error, JsonNode, parse_json5
from melleafy_tui.core.source.secrets.found_secret import spliced

LEAST_ENCODED: Final = 16

_KEY_BLOCK: Final = r"-----BEGIN[^-]*+(?:-(?!----END)[^-]*+)*+(?:-----END)?"
_VALUE: Final = rf"(?:\"[^\"]*\"|'[^']*'|`[^`]*`|{_KEY_BLOCK}|)[^\r\n]*"
_ASSIGNED: Final = rf"(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*{_VALUE}"
_ENTRY: Final = LazyRegex(
    rf"^[ \t]*(?:{_ASSIGNED}|(?P<comment>#[^\r\n]*)|{_KEY_BLOCK}[^\r\n]*|[^\r\n]+)", re.MULTILINE
)
"""What stands on a line of an environment file, with a value over several lines in quotes or as a key block."""
_LONG_WORD: Final = re.compile(r"\S{16,}")

SETTINGS_NAMES: Final = frozenset(
    {".mcp.json", "settings.json", "settings.local.json", "plugin.json", "hooks.json"}
)
VALUE_KEYS: Final = frozenset({"env", "headers"})
"""Objects whose values are dropped, at any level."""

_QUOTED_VALUE: Final = LazyRegex(
    r"(?P<colon>:[ \t]*)(?P<value>\"(?:[^\"\\\n\r]|\\.)*\"?|'(?:[^'\\\n\r]|\\.)*'?)"
)
_REFERENCE: Final = LazyRegex(r"\$\{[A-Za-z_][A-Za-z0-9_]*")


def kept_text(path: str, text: str) -> str | None:
    """Return the text of a file without the values that are dropped, or None if there are none."""
    if is_environment_file(path):
        return without_values(text)
    kept = without_settings_values(text) if is_settings_file(path) else text
    return kept if kept != text else None


def is_environment_file(path: str) -> bool:
    """Return whether a path is an environment file (`.env`, `.env.local`, `prod.env`)."""
    name = path.rpartition("/")[2].lower()
    return name == ".env" or name.startswith(".env.") or name.endswith(".env")


def without_values(text: str) -> str:
    """Return the text with every value dropped: `NAME=` stays, also in comments; everything else is removed."""
    return _ENTRY.sub(_without_value, text)


def _without_value(entry: re.Match[str]) -> str:
    """Return the name of an assignment, the words of a comment before its value, and the line ends."""
    name, said = entry["name"] or "", entry.group()
    ends = "".join(LINE_END.findall(said))
    if entry["comment"]:
        return _LONG_WORD.sub("…", re.split(r"[=:：]", entry["comment"].strip(), maxsplit=1)[0])
    is_assigned = name and (said.partition("=")[2].strip("= \t") or not _is_encoded(name))
    return f"{name}={ends}" if is_assigned else ends


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
    return f'"{names}"' + "".join(LINE_END.findall(literal))
