"""Tells what a decisions file takes out of a package, lets into it, or sets: a file may come from anyone."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.core.decisions.rebase import APPLIED_STATES, OverrideState
from melleafy_tui.core.decisions.state import retag_of
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.language.wording import first_of, shorten
from melleafy_tui.core.models.facts import PermissionFact, ToolFact
from melleafy_tui.core.models.vocabulary import Disposition

if TYPE_CHECKING:  # most runs have no decisions file
    from melleafy_tui.core.models.decisions import DecisionItem, DecisionsDocument, OverrideItem, ToolItem
    from melleafy_tui.core.pipeline.conversion import Conversion

MOST_NAMED: Final = 8
"""Entries that a line names; a JSON document names all of them."""

LONGEST_NAME: Final = 160

NO_EFFECT: Final = "It leaves nothing out, releases nothing and changes no setting."


class FileEffects(Struct, frozen=True):
    """What one decisions file does, by the names of its entries; settings are `name=value`."""

    left_out: tuple[str, ...] = ()
    lifted_denials: tuple[str, ...] = ()
    lifted_questions: tuple[str, ...] = ()
    working_code: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return a sentence about each kind of effect that the file has."""
        kinds = (
            ("leaves out", self.left_out),
            ("lifts what the source denies", self.lifted_denials),
            ("lifts what the source wants asked first", self.lifted_questions),
            ("asks for working code of", self.working_code),
            ("releases what looks like a secret", self.released),
            ("changes what becomes of", self.changed),
            ("changes settings", self.settings),
        )
        return tuple(f"The file {what} ({len(names)}): {_named(names)}." for what, names in kinds if names)


def effects_of(
    document: "DecisionsDocument", states: Iterable[OverrideState] = (), at: "Conversion | None" = None
) -> FileEffects:
    """Return what a decisions file does, without the entries that weren't applied.

    Args:
        document: The file.
        states: The status of each entry, as far as it is known.
        at: The conversion that loaded it, which knows the bounds of the source; None before it is loaded.
    """
    unapplied = {id(state.item) for state in states if state.state not in APPLIED_STATES}

    def names(items: "Iterable[DecisionItem]") -> tuple[str, ...]:
        return tuple(item.name for item in items if id(item) not in unapplied)

    disposed: list[OverrideItem | ToolItem] = [*document.overrides, *document.tools]
    removed = [item for item in disposed if item.disposition is Disposition.REMOVE]
    retagged = [item for item in document.retags if retag_of(item).left_out]
    left_out = [item for item in document.left_out if item.answer == "leave"]
    others = [item for item in disposed if item.disposition not in (None, *_TOLD)]
    tagged = [item for item in document.retags if item.tag or item.category]
    denials, questions = _lifted(at) if at is not None else ((), ())
    return FileEffects(
        left_out=names((*removed, *retagged, *left_out)),
        lifted_denials=denials,
        lifted_questions=questions,
        working_code=names(item for item in disposed if item.disposition is Disposition.REAL_IMPL),
        released=names(item for item in document.released_secrets if item.digest is not None),
        changed=names((*others, *tagged)),
        settings=tuple(f"{name}={_value(value)}" for name, value in document.settings if value is not None),
    )


_TOLD: Final = (Disposition.REMOVE, Disposition.REAL_IMPL)


def _lifted(at: "Conversion") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bounds of the source that the decisions lift: what it denies, and what it wants asked first."""
    elements = at.resolved.elements
    guards = {rule for tool in elements for rule in tool.facts[ToolFact].asks if rule != tool.element_id}
    denials: list[str] = []
    questions: list[str] = []
    for element in elements:
        key, entry = at.keys[element.element_id], at.plan.by_element.get(element.element_id)
        if key not in at.decisions.retags and not (entry and entry.overridden):
            continue
        rule, disposition = element.facts[PermissionFact], entry.disposition if entry else None
        is_gone = disposition is not Disposition.BUNDLE
        is_called = disposition is Disposition.REAL_IMPL
        if (rule.denies and is_gone) or (element.facts[ToolFact].denied and is_called):
            denials.append(key)
        elif (rule.asks or element.element_id in guards) and is_gone:
            questions.append(key)
    return tuple(denials), tuple(questions)


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _named(names: tuple[str, ...]) -> str:
    return first_of([shorten(name, LONGEST_NAME) for name in names], MOST_NAMED)


class Offer(Struct, frozen=True):
    """Whether this user saved the file, and what to read before loading it."""

    is_own: bool
    lines: tuple[str, ...]


def offer_of(path: Path) -> Offer:
    """Return the offer of a decisions file; one that can't be read isn't this user's."""
    from melleafy_tui.core.decisions.file import read_decisions
    from melleafy_tui.core.decisions.saving import is_saved

    try:
        document = read_decisions(path)
    except MelleafyError as error:
        return Offer(is_own=False, lines=(str(error),))
    is_own = is_saved(document.digest)
    effects = effects_of(document).lines or (NO_EFFECT,)
    return Offer(is_own, effects if is_own else ("You didn't save this file here.", *effects))
