"""Converts the key table to Textual's bindings, grouped by where the keys work."""

from textual.actions import parse
from textual.binding import Binding
from textual.command import CommandPalette

from melleafy_tui.actions.key_table import (
    ALL,
    DIALOG_KEYS,
    KEYMAP,
    LIST,
    Key,
)

__all__ = [
    "ALL",
    "DIALOG_KEYS",
    "KEYMAP",
    "LIST",
    "Key",
    "binding",
    "bindings",
    "parse_actions",
]


def bindings(where: str) -> list[Binding]:
    """Return the bindings of one place, in the table's order."""
    return [binding(key) for key in KEYMAP if where in key.where]


def parse_actions() -> None:
    """Parse the action of every key, which Textual then caches.

    Textual parses their arguments as Python literals, and nothing may parse Python while a thread does
    (`core/language/python_syntax.py`): call this before starting one.
    """
    own = (each.action for each in CommandPalette.BINDINGS if isinstance(each, Binding))
    for action in (*(key.action for key in (*KEYMAP, *DIALOG_KEYS)), *own):
        parse(action)


def binding(key: Key) -> Binding:
    """Return one row as Textual's binding."""
    return Binding(
        key.keys,
        key.action,
        key.label,
        show=key.shown,
        key_display=key.spelled,
        tooltip=key.tooltip,
        id=key.id,
    )
