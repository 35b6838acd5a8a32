"""What a key of the disposition table amounts to: one command with the words that follow it, or why it cannot be."""

from collections.abc import Sequence
from dataclasses import dataclass

from melleafy_tui.actions.labels import DISPOSITION_LABELS
from melleafy_tui.core.decisions.commands import Command, JudgeIndividually, SetDisposition
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.openclaw.prompt.visibility import drop_unseen, keep_unseen, unseen_entries
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a key would do to the chosen entries.

    Attributes:
        command: The act; None where there is nothing to do.
        words: What to say when it is done, or why it is not.
        title: Over a refusal.
        refused: Whether the key is not allowed here.
        overrides: Whether all of it is an override, so that a reason may follow.
    """

    command: Command | None
    words: str
    title: str = ""
    refused: bool = False
    overrides: bool = False


def back_to_default(entries: Sequence[PlanEntry]) -> Proposal:
    """Return what takes the user's overrides of entries back."""
    keys = tuple(entry.key for entry in entries if entry.overridden)
    if not keys:
        return Proposal(None, "Already at the default.")
    return Proposal(SetDisposition(keys, None), f"{_count(keys)} back to the default")


def dispose(entries: Sequence[PlanEntry], disposition: Disposition) -> Proposal:
    """Return what sets a disposition where it is allowed, as one act."""
    allowed = [entry for entry in entries if cell(entry.kind, disposition).allowed]
    refused = [entry for entry in entries if not cell(entry.kind, disposition).allowed]
    label = DISPOSITION_LABELS[disposition]
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


def drop_or_keep_unseen(conversion: Conversion) -> Proposal:
    """Return what leaves out everything the agent never saw, or takes that back where it is out, as one act."""
    unseen = unseen_entries(conversion.plan, conversion.seen)
    if not unseen:
        return Proposal(None, "Nothing to remove")
    drop = drop_unseen(unseen)
    if drop.keys:
        return Proposal(
            drop, f"{_count(drop.keys)} that the agent never saw → remove; doing it again keeps them"
        )
    keep = keep_unseen(unseen)
    if not keep.keys:
        return Proposal(None, "What the agent never saw is removed by default.")
    return Proposal(keep, f"{_count(keep.keys)} that the agent never saw: back to the default")


def judge(entries: Sequence[PlanEntry]) -> Proposal:
    """Return what gives rules a judged requirement of their own, or takes that back where all of them have one."""
    rules = [entry for entry in entries if entry.kind is EntryKind.RULE]
    if not rules:
        return Proposal(None, "Only a rule can be judged.", "Nothing to judge here", refused=True)
    alone = not all(entry.judge_individually for entry in rules)
    keys = tuple(entry.key for entry in rules)
    return Proposal(
        JudgeIndividually(keys, alone),
        f"{_count(keys)} {'judged alone by the model' if alone else 'checked as before'}",
    )


def _count(keys: Sequence[str]) -> str:
    return f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'}"
