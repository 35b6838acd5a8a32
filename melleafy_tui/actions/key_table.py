"""The key table: what the user can do, where, and with which key.

Footer, help, palette, configuration and the plain-line mode read it. The keys of steps and dispositions come from
their own tables, all others from `keys.toml`. The id of a row is what users remap and tests name.
"""

from collections.abc import Collection
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.actions.steps import STEP_INFO, Step
from melleafy_tui.core.models.vocabulary import DISPOSITIONS
from melleafy_tui.core.tables import table_beside

ALL: Final = "all"
LIST: Final = "list"
SEARCHING: Final = "searching"
"""A context of its own: while a search is active, its keys come before those of the screen."""
CHOOSER: Final = "chooser"
"""The screen before the first step that lists the sources in a folder."""


class Key(Struct, frozen=True):
    """One row of the key table.

    Attributes:
        id: Stable name, `screen.act`.
        keys: Textual's key names, separated by commas.
        action: The action that the key runs.
        label: One or two words for the footer.
        tooltip: One sentence for help and palette.
        where: The screens it works on.
        display: How the key is shown, if Textual's own form isn't clear.
        shown: Whether the footer lists it; help and palette list all.
    """

    id: str
    keys: str
    action: str
    label: str
    tooltip: str
    where: tuple[str, ...] = (ALL,)
    display: str = ""
    shown: bool = False

    @property
    def spelled(self) -> str:
        """Return the key as shown to people."""
        return self.display or self.keys.split(",")[0]

    @property
    def letter(self) -> str:
        """Return the character that stands for the key in the plain-line mode, or `""`."""
        signs = (sign for sign in self.spelled.split() if len(sign) == 1)
        return next((sign for sign in signs if sign.isascii() or sign.isalnum()), "")


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """What `keys.toml` holds."""

    before_steps: tuple[str, ...]
    footer_first: tuple[str, ...]
    footer_then: tuple[str, ...]
    tasks: tuple[tuple[str, tuple[str, ...]], ...]
    shared: tuple[Key, ...]
    step: tuple[Key, ...]
    dialog: tuple[Key, ...]
    conflict: tuple[Key, ...]
    review: tuple[Key, ...]
    secret: tuple[Key, ...]


_TABLE: Final = msgspec.convert(table_beside(__file__, "keys.toml"), _Table)

_STEPS: Final = tuple(
    Key(
        f"step.{number}",
        f"{number}",
        f"go({step.value!r})",
        info.title,
        f"Go to step {number}: {info.about}.",
    )
    for number, (step, info) in enumerate(STEP_INFO.items(), 1)
)

_DISPOSITIONS: Final = tuple(
    Key(
        f"decide.{info.label.replace('_', '-')}",
        info.key,
        f"dispose({disposition.value!r})",
        info.key_label,
        info.key_help,
        (Step.DECIDE,),
        shown=info.in_footer,
    )
    for disposition, info in DISPOSITIONS.items()
)

KEYMAP: Final[tuple[Key, ...]] = (*_STEPS, *_TABLE.shared, *_DISPOSITIONS, *_TABLE.step)

DIALOG_KEYS: Final = _TABLE.dialog
CONFLICT_KEYS: Final = (*_TABLE.conflict, *DIALOG_KEYS)
"""The keys of a conflict between your edits and the new text."""
REVIEW_KEYS: Final = (*_TABLE.review, *DIALOG_KEYS)
"""The keys of the review, beside the letters of each card's answers."""
SECRET_KEYS: Final = _TABLE.secret
"""The keys of a value that may be a secret."""
BEFORE_STEPS: Final = _TABLE.before_steps
TASKS: Final = _TABLE.tasks


def task_of(key: Key) -> str:
    """Return the group of the help that a key is in."""
    head = key.id.partition(".")[0]
    return next(title for title, heads in TASKS if head in heads)


SECTION: Final = "keys"
"""The table of the configuration file that remaps keys."""


class KeyTable(Struct, frozen=True):
    """The key table of one user."""

    rows: tuple[Key, ...] = KEYMAP

    def on(self, screen: str) -> tuple[Key, ...]:
        """Return every key that works on a screen: its own first, then those of lists, then the global ones."""
        own = tuple(key for key in self.rows if screen in key.where)
        lists = tuple(key for key in self.rows if LIST in key.where)
        everywhere = (key for key in self.rows if ALL in key.where)
        return (*own, *lists, *(key for key in everywhere if screen != CHOOSER or key.id in BEFORE_STEPS))

    def within(self, context: str) -> tuple[Key, ...]:
        """Return the keys of a context, such as SEARCHING."""
        return tuple(key for key in self.rows if context in key.where)

    def footer(self, screen: str, idle: Collection[str]) -> tuple[Key, ...]:
        """Return the keys for the footer of a screen, most useful first.

        Args:
            screen: The screen.
            idle: Ids of keys that do nothing now.
        """
        working = {key.id: key for key in self.on(screen) if key.id not in idle}
        own = [key for key in working.values() if key.where == (screen,)]
        order = [
            *_TABLE.footer_first,
            *(key.id for key in own if key.shown),
            *_TABLE.footer_then,
            *(key.id for key in own),
            *(name for name in working if name.partition(".")[0] not in ("list", "step")),
        ]
        return tuple(working[name] for name in dict.fromkeys(order) if name in working)

    def pressed(self, name: str) -> tuple[Key, ...]:
        """Return the rows of a pressed key, by Textual's name for it."""
        return tuple(key for key in self.rows if name in key.keys.split(","))

    def row(self, name: str) -> Key:
        """Return the row with an id."""
        return next(key for key in self.rows if key.id == name)

    def spelled(self, name: str) -> str:
        """Return the key of an id, as shown to people."""
        return self.row(name).spelled

    def spelled_of(self, action: str) -> str:
        """Return the key that runs an action, as shown to people."""
        return next(key.spelled for key in self.rows if key.action == action)
