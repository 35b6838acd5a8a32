"""Tells what a decisions file takes out of a package, lets into it, or sets: a file may come from anyone."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.core.decisions.rebase import APPLIED_STATES, OverrideState
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.vocabulary import Disposition

if TYPE_CHECKING:  # most runs have no decisions file
    from melleafy_tui.core.models.decisions import DecisionItem, DecisionsDocument, OverrideItem, ToolItem

MOST_NAMED: Final = 8
"""Entries that a line names; a JSON document names all of them."""

LONGEST_NAME: Final = 160

NO_EFFECT: Final = "It leaves nothing out, releases nothing and changes no setting."


class FileEffects(Struct, frozen=True):
    """What one decisions file does, by the names of its entries; settings are `name=value`."""

    left_out: tuple[str, ...] = ()
    working_code: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return a sentence about each kind of effect that the file has."""
        kinds = (
            ("leaves out", self.left_out),
            ("asks for working code of", self.working_code),
            ("releases what looks like a secret", self.released),
            ("changes settings", self.settings),
        )
        return tuple(f"The file {what} ({len(names)}): {_named(names)}." for what, names in kinds if names)


def effects_of(document: "DecisionsDocument", states: Iterable[OverrideState] = ()) -> FileEffects:
    """Return what a decisions file does, without the entries that weren't applied.

    Args:
        document: The file.
        states: The status of each entry, as far as it is known.
    """
    unapplied = {id(state.item) for state in states if state.state not in APPLIED_STATES}

    def names(items: "Iterable[DecisionItem]") -> tuple[str, ...]:
        return tuple(item.name for item in items if id(item) not in unapplied)

    disposed: list[OverrideItem | ToolItem] = [*document.overrides, *document.tools]
    removed = [item for item in disposed if item.disposition is Disposition.REMOVE]
    retagged = [item for item in document.retags if item.use and item.use.left_out]
    left_out = [item for item in document.left_out if item.answer == "leave"]
    return FileEffects(
        names((*removed, *retagged, *left_out)),
        names(item for item in disposed if item.disposition is Disposition.REAL_IMPL),
        names(item for item in document.released_secrets if item.digest is not None),
        tuple(f"{name}={_value(value)}" for name, value in document.settings if value is not None),
    )


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(shorten(name, LONGEST_NAME) for name in names[:MOST_NAMED]) + more
