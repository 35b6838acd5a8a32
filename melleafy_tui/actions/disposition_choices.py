"""Turns a key of the disposition table into one command with its message, or into a refusal."""

from collections.abc import Sequence

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.core.decisions.commands import Command, SetDisposition
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition
from melleafy_tui.core.package.dispositions import cell


class Proposal(Struct, frozen=True):
    """What a key would do to the chosen entries.

    Attributes:
        command: The command; None if there is nothing to do.
        words: The message when it is done, or the reason for a refusal.
        title: The title of a refusal.
        refused: Whether the key is not allowed here.
        overrides: Whether every change is an override, so that a reason may be asked for.
    """

    command: Command | None
    words: str
    title: str = ""
    refused: bool = False
    overrides: bool = False


def back_to_default(entries: Sequence[PlanEntry]) -> Proposal:
    """Return the proposal that removes the user's overrides of entries."""
    keys = tuple(entry.key for entry in entries if entry.overridden)
    if not keys:
        return Proposal(None, "Already at the default.")
    return Proposal(SetDisposition(keys, None), f"{_count(keys)} back to the default")


def dispose(entries: Sequence[PlanEntry], disposition: Disposition) -> Proposal:
    """Return the proposal that sets a disposition on the entries that allow it, as one command."""
    allowed = [entry for entry in entries if cell(entry.kind, disposition).allowed]
    refused = [entry for entry in entries if not cell(entry.kind, disposition).allowed]
    label = DISPOSITIONS[disposition].label
    if not allowed:
        why = cell(refused[0].kind, disposition).refusal
        return Proposal(None, why, f"{label} is not allowed here", refused=True)
    keys = tuple(entry.key for entry in allowed)
    done = f"{_count(keys)} → {label}"
    if refused:
        done = f"{_count(keys)} → {label}; {len(refused)} stay: {cell(refused[0].kind, disposition).refusal}"
    return Proposal(_command(allowed, disposition, keys), done, overrides=not refused)


def _command(allowed: Sequence[PlanEntry], disposition: Disposition, keys: tuple[str, ...]) -> SetDisposition:
    if all(entry.default_disposition is disposition and entry.overridden for entry in allowed):
        return SetDisposition(keys, None)
    wanted = tuple(entry.key for entry in allowed if entry.disposition is not disposition)
    return SetDisposition(wanted or keys, disposition)


def _count(keys: Sequence[str]) -> str:
    return counted(len(keys), "entry", "entries")
