"""The names of keys as a configuration may write them, and those that no terminal can tell apart."""

import unicodedata
from typing import Final

MODIFIERS: Final = ("ctrl", "shift", "alt")

NAMED_KEYS: Final = frozenset(
    {
        "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace",
        "enter", "escape", "tab", "space", *(f"f{number}" for number in range(1, 25)),
    }
)  # fmt: skip
"""Keys that have a name and no character (the names are Textual's)."""

SIGNS: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Signs whose key has another name than their character."""

UNBINDABLE: Final = {
    "ctrl+m": "a terminal sends it as Enter",
    "ctrl+i": "a terminal sends it as Tab",
    "ctrl+h": "a terminal sends it as Backspace",
    "ctrl+z": "a terminal keeps it for stopping a program",
    "ctrl+left_square_bracket": "a terminal sends it as Escape",
}
"""Keys that never arrive as themselves, with the reason."""


def key_name(written: str) -> str:
    """Return the name of a key as Textual has it, `""` where there is no such key: `?` is `question_mark`."""
    *modifiers, key = written.split("+") if written not in ("+", "") else [written]
    if any(modifier not in MODIFIERS for modifier in modifiers) or len(set(modifiers)) < len(modifiers):
        return ""
    named = key in NAMED_KEYS or key in _SIGN_NAMES
    name = _character_name(key) if len(key) == 1 else key if named else ""
    return "+".join((*modifiers, name)) if name else ""


def spelled(name: str) -> str:
    """Return a key as people read it: `^n` for `ctrl+n`, `?` for `question_mark`."""
    head, plus, key = name.rpartition("+")
    shown = _SIGN_NAMES.get(key, key)
    return f"^{shown}" if head == "ctrl" else f"{head}{plus}{shown}"


def _character_name(character: str) -> str:
    if character.isalnum():
        return character
    try:
        name = unicodedata.name(character).lower().replace("-", "_").replace(" ", "_")
    except ValueError:
        return ""
    return SIGNS.get(name, name) if character.isprintable() and character != " " else ""


_SIGN_NAMES: Final = {_character_name(sign): sign for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}
