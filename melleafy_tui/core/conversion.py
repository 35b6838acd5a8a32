"""The conversion: the state that wizard and command line drive, with the user's acts on it and their history.

It holds the snapshot and the user's decisions; everything else follows from the two, re-computed only where a decision
reaches (`plan_steps.py`, `package_steps.py`). It does no input or output of its own: reading is `core/workspace`,
writing is `core/writing`.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import structs

from melleafy_tui.core.decisions.history import Act, History
from melleafy_tui.core.decisions.state import DECISIONS_FILE, Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.package_steps import PackageSteps, RenderPackage
from melleafy_tui.core.plan_steps import Circumstances

if TYPE_CHECKING:  # needed for acts and for a decisions file alone
    from melleafy_tui.core.decisions.commands import Command, ReleaseSecret
    from melleafy_tui.core.decisions.document_rebase import Rebased
    from melleafy_tui.core.decisions.rebase import OverrideState
    from melleafy_tui.core.models.decisions import DecisionsDocument


class Conversion(PackageSteps):
    """One workspace on its way to a package.

    Args:
        snapshot: The workspace as it was read.
        dialects: The dialects to read it with.
        render: The generators' door.
        circumstances: Day and stamp.
        decisions: Decisions to start from; these count as saved.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        dialects: Dialects,
        render: RenderPackage,
        circumstances: Circumstances,
        decisions: Decisions | None = None,
    ) -> None:
        super().__init__(snapshot, dialects=dialects, render=render, circumstances=circumstances)
        self._history = History(decisions or Decisions())
        self._saved = self._history.present
        self._given = frozenset(
            name for name, value in self._history.present.settings if value != getattr(Settings(), name)
        )

    # --- what the user does -------------------------------------------------------------------

    def act(self, command: "Command") -> bool:
        """Carry out a command and return whether it changed anything.

        Raises:
            MelleafyError: the command is not allowed; the decisions stay as they were.
        """
        from melleafy_tui.core.decisions.commands import ReleaseSecret

        if isinstance(command, ReleaseSecret):
            command = self._followed(command)
        before = self._history.present
        done, undone = list(self._history.done), list(self._history.undone)
        changed = self._history.carry_out(command)
        if changed:
            try:
                _ = self.plan
            except Exception:
                self._history.present = before
                self._history.done, self._history.undone = done, undone
                raise
        return changed

    def _followed(self, command: "ReleaseSecret") -> "Command":
        """Return a release that brings the decisions along, since what it shows gives elements other words and keys."""
        decisions = self.decisions
        if not (decisions.overrides or decisions.retags or decisions.conflicts):
            return command
        from melleafy_tui.core.decisions.commands import ReplaceDecisions
        from melleafy_tui.core.models.decisions import ReleaseItem

        document = self.to_document()
        after = self.with_decisions(command.apply(Decisions(released_secrets=decisions.released_secrets)))
        released = after.to_document().released_secrets
        kept = tuple(kept.item for kept in decisions.unplaced if isinstance(kept.item, ReleaseItem))
        rebased = self._rebase(
            document.model_copy(update={"released_secrets": (*released, *kept)}),
            frozenset(Settings.model_fields),
        )
        return ReplaceDecisions(rebased.decisions, command.name, command.label.partition(" ")[0])

    def undo(self) -> Act | None:
        """Take back the last act and return it, or None where there is none."""
        return self._history.undo()

    def redo(self) -> Act | None:
        """Carry out the last undone act again and return it, or None where there is none."""
        return self._history.redo()

    def mark_saved(self) -> None:
        """Remember the present decisions as saved."""
        self._saved = self._history.present

    def reread(self, snapshot: Snapshot) -> "tuple[OverrideState, ...]":
        """Go on with a newer snapshot of the same workspace and return what became of each decision.

        The decisions follow their elements, also those in the undo history; what is not found again is kept.
        """
        states = {id(state): state for state in (*self._history.states(), self._saved)}.values()
        documents = {id(state): self.with_decisions(state).to_document() for state in states}
        self._snapshot = snapshot
        _ = self.places
        every = frozenset(Settings.model_fields)
        rebased = {
            id(state): self.with_decisions(state)._rebase(documents[id(state)], every) for state in states
        }
        present = rebased[id(self._history.present)]
        self._saved = rebased[id(self._saved)].decisions
        self._history = self._history.translated(lambda state: rebased[id(state)].decisions)
        return present.states

    # --- decisions files ----------------------------------------------------------------------

    def load(
        self, document: "DecisionsDocument", *, fixed: Collection[str] | None = None, kept: bool = True
    ) -> "tuple[OverrideState, ...]":
        """Put a decisions file in the place of what was decided so far, as one act, and return its entries' states.

        Args:
            document: The file.
            fixed: Names of settings that the file may not change, because an option chose them; by default those
                that the conversion was begun with and that differ from the defaults.
            kept: Whether the file stays, so that decisions equal to it count as saved; a journal does not.

        Raises:
            DecisionsRefused: an entry cannot be obeyed; the decisions stay as they were.
        """
        from melleafy_tui.core.decisions.application import refuse_first
        from melleafy_tui.core.decisions.commands import ReplaceDecisions

        rebased = self._rebase(document, self._given if fixed is None else fixed)
        refuse_first(document, rebased.states)
        self.act(ReplaceDecisions(rebased.decisions, document.source or DECISIONS_FILE))
        if kept and self.to_document().model_copy(update={"workspace": document.workspace}) == document:
            self.mark_saved()
        return rebased.states

    def states_of(
        self, document: "DecisionsDocument", *, fixed: Collection[str] | None = None
    ) -> "tuple[OverrideState, ...]":
        """Return the state that each entry of a decisions file would land in, refused ones included."""
        return self._rebase(document, self._given if fixed is None else fixed).states

    def to_document(self) -> "DecisionsDocument":
        """Return the decisions as the document of a decisions file."""
        from melleafy_tui.core.decisions.saving import document_of

        return document_of(self.decisions, self._snapshot, self.places, self.plan.entries)

    def _rebase(self, document: "DecisionsDocument", fixed: Collection[str]) -> "Rebased":
        from melleafy_tui.core.decisions.document_rebase import rebase_document

        return rebase_document(document, self, fixed)

    # --- the state ----------------------------------------------------------------------------

    @property
    def decisions(self) -> Decisions:
        """Return the decisions as they stand."""
        return self._history.present

    @property
    def unsaved(self) -> bool:
        """Return whether the decisions differ from what was last saved or loaded."""
        return self._history.present != self._saved

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return the acts that can be undone, oldest first."""
        return tuple(self._history.done)

    @property
    def undone_acts(self) -> tuple[Act, ...]:
        """Return the acts that can be carried out again, the next one last."""
        return tuple(self._history.undone)

    # --- copies -------------------------------------------------------------------------------

    def stamped(self, generated_at: str) -> "Conversion":
        """Return the same conversion with another stamp, sharing what was computed so far."""
        return self._twin(self.decisions, structs.replace(self._circumstances, generated_at=generated_at))

    def with_decisions(self, decisions: Decisions) -> "Conversion":
        """Return the same conversion with other decisions, sharing what was computed so far.

        It shows what an act would change before it is done, and lets a thread render while the user goes on.
        """
        return self._twin(decisions, self._circumstances)

    def _twin(self, decisions: Decisions, circumstances: Circumstances) -> "Conversion":
        twin = Conversion(
            self._snapshot,
            dialects=self._dialects,
            render=self._render,
            circumstances=circumstances,
            decisions=decisions,
        )
        twin._cache, twin._earlier = dict(self._cache), self._earlier
        return twin

    def copy(self) -> "Conversion":
        """Return a conversion that goes on from here by itself, for acts in a thread while this one is shown."""
        other = self.with_decisions(self.decisions)
        other._history = History(self.decisions, list(self._history.done), list(self._history.undone))
        other._saved, other._given = self._saved, self._given
        return other

    def take_over(self, other: "Conversion") -> None:
        """Stand where a copy stands that went on from here."""
        self._snapshot, self._cache, self._earlier = other._snapshot, other._cache, other._earlier
        self._history, self._saved = other._history, other._saved
