"""What one row of the table of keys holds, and the places a key can work in (spec/wizard.md)."""

from typing import Final

from msgspec import Struct

ALL: Final = "all"
LIST: Final = "list"
DETECT: Final = "detect"
INVENTORY: Final = "inventory"
DECIDE: Final = "decide"
PREVIEW: Final = "preview"
WRITE: Final = "write"


class Key(Struct, frozen=True):
    """One row of the table.

    Attributes:
        id: Stable name, `screen.act`.
        keys: Textual's key names, separated by commas.
        action: The action that the key runs.
        label: One or two words for the footer.
        tooltip: One sentence for help and palette.
        where: The screens it works on.
        display: How the key is written for people, where Textual's own way would not be clear.
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
        """Return the key as people read it."""
        return self.display or self.keys.split(",")[0]
