"""The one table of keys: footer, help, palette and configuration read it, nothing else names a key (spec/wizard.md).

The id of a row is what a user remaps and what a test names. `where` says on which screens the key works: `all`,
a step's name, or `list` for every list with a cursor.
"""

from typing import Final

from msgspec import Struct

from melleafy_tui.keys.everywhere import EVERYWHERE
from melleafy_tui.keys.row import ALL, LIST, Key
from melleafy_tui.keys.steps import OF_STEPS

SECTION: Final = "keys"
"""The table of the configuration file that gives actions other keys."""

KEYMAP: Final[tuple[Key, ...]] = (*EVERYWHERE, *OF_STEPS)


class KeyTable(Struct, frozen=True):
    """The keys as they work for one user."""

    rows: tuple[Key, ...] = KEYMAP

    def on(self, screen: str) -> tuple[Key, ...]:
        """Return every key that works on a screen: its own first, then those of lists, then those of every screen."""
        own = tuple(key for key in self.rows if screen in key.where)
        lists = tuple(key for key in self.rows if LIST in key.where)
        return (*own, *lists, *(key for key in self.rows if ALL in key.where))

    def pressed(self, name: str) -> tuple[Key, ...]:
        """Return the rows that a pressed key stands for, by Textual's name for it."""
        return tuple(key for key in self.rows if name in key.keys.split(","))

    def spelled(self, name: str) -> str:
        """Return the key of an id, as people read it."""
        return next(key.spelled for key in self.rows if key.id == name)

    def spelled_of(self, action: str) -> str:
        """Return the key that runs an action, as people read it."""
        return next(key.spelled for key in self.rows if key.action == action)
