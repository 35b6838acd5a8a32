"""Reads the `[keys]` table of the configuration file, which remaps keys, and checks it against the key table.

Each name is an id of the table (docs/reference/keys.md), each value one key or several: `"step.next" = "N"`,
`"list.down" = "down,ctrl+n"`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from melleafy_tui.actions.key_table import ALL, DIALOG_KEYS, KEYMAP, LIST, SEARCHING, SECTION, Key, KeyTable
from melleafy_tui.core.errors import UsageError, did_you_mean
from melleafy_tui.core.tables import table_beside

MODIFIERS: Final = ("ctrl", "shift", "alt")

_NAMES: Final = table_beside(__file__, "key_names.toml")
NAMED_KEYS: Final = frozenset((*_NAMES["named"], *(f"f{number}" for number in range(1, 25))))
_SIGNS: Final[dict[str, str]] = _NAMES["signs"]
UNBINDABLE: Final[dict[str, str]] = _NAMES["unbindable"]


def key_name(written: str) -> str:
    """Return Textual's name of a key (`?` is `question_mark`), `""` if there is no such key."""
    *modifiers, key = written.split("+") if written not in ("+", "") else [written]
    if any(modifier not in MODIFIERS for modifier in modifiers) or len(set(modifiers)) < len(modifiers):
        return ""
    named = key in NAMED_KEYS or key in _SIGN_NAMES
    name = _character_name(key) if len(key) == 1 else key if named else ""
    return "+".join((*modifiers, name)) if name else ""


def spelled(name: str) -> str:
    """Return a key as shown to people: `^n` for `ctrl+n`, `?` for `question_mark`."""
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
    return _SIGNS.get(name, name) if character.isprintable() and character != " " else ""


_SIGN_NAMES: Final = {_character_name(sign): sign for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}

_Refuse = Callable[[str, str, str], UsageError]
"""Makes an error from a name, a message and a hint; it adds the line of the name."""


def remapped(section: object, *, file: str, text: str) -> KeyTable:
    """Return the key table with the changes of a configuration file.

    Args:
        section: The value of `keys` in the file.
        file: Its name, for messages.
        text: Its text, for the line of a message.

    Raises:
        UsageError: an action is unknown, a key can't be bound, or a key would have two meanings in one place.
    """

    def refuse(name: str, message: str, hint: str) -> UsageError:
        line = _line_of(name, text)
        return UsageError(message, hint=hint, location=f"{file}:{line}" if line else file)

    if not isinstance(section, Mapping):
        raise refuse("", "'keys' must be a table", "Write [keys], and below it one line for each action.")
    changes: dict[str, str] = {}
    for name, value in _flat(section):
        changes[name] = ",".join(_keys_of(name, value, refuse))
    table = KeyTable(tuple(_changed(key, changes) for key in KEYMAP))
    _refuse_clashes(table, changes, refuse)
    return table


def _flat(section: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield names and values; TOML parses an unquoted `step.next` as nested tables."""
    for name, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _keys_of(name: str, value: object, refuse: _Refuse) -> list[str]:
    known = [key.id for key in KEYMAP]
    if name not in known:
        meant = did_you_mean(name, known)
        hint = f"{meant} The page Keys of the documentation lists the ids.".lstrip()
        raise refuse(name, f"There is no action {name!r}", hint)
    if not isinstance(value, str) or not value.strip():
        raise refuse(
            name, f"The key of {name!r} must be written as a string", 'For example "N" or "ctrl+n,f2".'
        )
    written = [value] if value == "," else value.split(",")
    return list(dict.fromkeys(_key_of(name, text.strip(), refuse) for text in written))


def _key_of(name: str, written: str, refuse: _Refuse) -> str:
    key = key_name(written)
    if not key:
        raise refuse(
            name, f"There is no key {written!r}", "For example n, N, ?, f2, ctrl+n, pagedown, comma."
        )
    if key in UNBINDABLE:
        raise refuse(name, f"The key {key} cannot be bound: {UNBINDABLE[key]}", "Choose another key.")
    return key


def _changed(key: Key, changes: Mapping[str, str]) -> Key:
    keys = changes.get(key.id)
    if keys is None:
        return key
    return replace(key, keys=keys, display=" ".join(spelled(name) for name in keys.split(",")))


def _refuse_clashes(table: KeyTable, changes: Mapping[str, str], refuse: _Refuse) -> None:
    places = dict.fromkeys(place for key in KEYMAP for place in key.where if place not in (ALL, LIST))
    for place in places:
        owners: dict[str, Key] = {} if place == SEARCHING else dict(_presses(DIALOG_KEYS))
        for pressed, key in _presses(table.within(place) if place == SEARCHING else table.on(place)):
            other = owners.get(pressed)
            if other is not None and (key.id in changes or other.id in changes):
                mine, theirs = (key, other) if key.id in changes else (other, key)
                raise refuse(
                    mine.id,
                    f"The key {spelled(pressed)} would mean {mine.id} and {theirs.id} on the step {place}",
                    f"Choose another key, or give {theirs.id} one of its own.",
                )
            owners[pressed] = key


def _presses(keys: Iterable[Key]) -> Iterator[tuple[str, Key]]:
    """Yield each key that is pressed with the row of its action."""
    for key in keys:
        for pressed in key.keys.split(","):
            yield pressed, key


def _line_of(name: str, text: str) -> int:
    """Return the line that sets a name, or that begins the table; 0 if it isn't found (in unusual TOML syntax)."""
    last = name.rpartition(".")[2]
    entry = re.compile(rf"\s*[\"']?(?:{SECTION}\.)?(?:{re.escape(name)}|{re.escape(last)})[\"']?\s*=")
    header = re.compile(rf"\s*(?:\[\s*{SECTION}\s*\]|{SECTION}\s*=)")
    wanted = entry if name else header
    lines = enumerate(text.split("\n"), 1)
    return next((number for number, line in lines if wanted.match(line)), 0)
