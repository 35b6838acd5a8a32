"""The conversion: a workspace on its way to a package, as wizard and command line drive it.

It holds the snapshot and the user's decisions. Everything else follows from the two in stages (classification,
inventory, mapping, plan, committed plan, files, lints), each computed when it is asked for and kept while its inputs
stay equal, so that a decision is felt only where it reaches. It does no input or output of its own: reading is
`core/workspace`, writing is `core/writing`; rendering is handed in, because the core knows nothing of templates.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from melleafy_tui.core.decisions.history import Act, History
from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import FileSet, RunCost
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.plan import Conflict, DependencyPlan
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Runtime
from melleafy_tui.core.output.emitted import with_reports
from melleafy_tui.core.package.naming import package_name, project_name
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.pipeline.cost import run_cost
from melleafy_tui.core.pipeline.hybrid import (
    Composition,
    compose,
    keys_with_parts,
    places_with_parts,
    resolve_conflicts,
    resolved_inventory,
)
from melleafy_tui.core.pipeline.inventory import apply_retags, take_inventory, unread_files
from melleafy_tui.core.pipeline.mapping import as_judged, map_elements, rows_by_id
from melleafy_tui.core.pipeline.plan import DraftedPlan, draft_plan, make_plan
from melleafy_tui.core.pipeline.symbols import element_stems
from melleafy_tui.core.result_cache import ResultCache
from melleafy_tui.core.source.secrets.masking import copies_without_secrets
from melleafy_tui.version import __version__

if TYPE_CHECKING:  # most commands never ask for these
    from melleafy_tui.core.decisions.commands import Command, ReleaseSecret
    from melleafy_tui.core.decisions.rebase import OverrideState, Place
    from melleafy_tui.core.models.context import Context
    from melleafy_tui.core.models.decisions import DecisionsDocument
    from melleafy_tui.core.openclaw.prompt.visibility import Seen
    from melleafy_tui.core.pipeline.decisions_file import Rebased

RenderPackage = Callable[[CommittedPlan], FileSet]


class RunContext(Struct, frozen=True):
    """What a conversion depends on beside source and decisions: the day it is made for, and the stamp it carries."""

    as_of: date
    generated_at: str


class Conversion:
    """One workspace on its way to a package.

    Args:
        snapshot: The workspace as it was read.
        dialects: The dialects to read it with.
        render: The generators' door.
        run_context: Day and stamp.
        decisions: Decisions to start from; these count as saved.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        dialects: Dialects,
        render: RenderPackage,
        run_context: RunContext,
        decisions: Decisions | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._dialects = dialects
        self._render = render
        self._run_context = run_context
        self._stages = ResultCache()
        self._lint_results = ResultCache()
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
        from melleafy_tui.core.pipeline.decisions_file import rebase_document

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

    @property
    def settings(self) -> Settings:
        """Return the settings as they stand."""
        return self.decisions.settings

    @property
    def released_secrets(self) -> frozenset[str]:
        """Return the digests of the values that look like secrets and that the user released as none."""
        return frozenset(self.decisions.released_secrets)

    @property
    def snapshot(self) -> Snapshot:
        """Return the workspace as it was read."""
        return self._snapshot

    @property
    def dialects(self) -> Dialects:
        """Return the dialects in use."""
        return self._dialects

    # --- the stages ---------------------------------------------------------------------------

    @property
    def _classified(self) -> tuple[Classification, tuple[Diagnostic, ...]]:
        settings = self.settings
        chosen = (settings.source_runtime, settings.contributing_runtimes, settings.modality)
        return self._stages.result(
            "classification",
            (self._snapshot, chosen),
            lambda: classify(self._snapshot, settings, self._dialects),
        )

    @property
    def classification(self) -> Classification:
        """Return step 0's result."""
        return self._classified[0]

    @property
    def _raw_inventory(self) -> Inventory:
        runtimes = self.classification.dialect_runtimes
        release = self.settings.openclaw_release
        released = self.released_secrets
        return self._stages.result(
            "inventory",
            (self._snapshot, runtimes, release, released),
            lambda: take_inventory(
                self._snapshot,
                runtimes,
                self._dialects,
                as_of=self._run_context.as_of,
                openclaw_release=release,
                released=released,
            ),
        )

    @property
    def keys(self) -> dict[str, str]:
        """Return the key that survives edits for each `element_id` (spec/decisions.md)."""
        keys, conflicts = self._raw_keys, self.conflicts
        return self._stages.result("keys", (keys, conflicts), lambda: keys_with_parts(keys, conflicts))

    @property
    def _raw_keys(self) -> dict[str, str]:
        raw = self._raw_inventory
        return self._stages.result("raw keys", (raw,), lambda: element_keys(raw.elements))

    @property
    def composition(self) -> Composition:
        """Return what the dialects of a hybrid make of the elements that several of them claim."""
        raw = self._raw_inventory
        return self._stages.result(
            "composition", (raw,), lambda: compose(raw, self._raw_keys, self._dialects)
        )

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflicts of a hybrid with what holds for each."""
        raw, composition, choices = self._raw_inventory, self.composition, self.decisions.conflicts
        return self._stages.result(
            "conflicts",
            (composition, choices),
            lambda: resolve_conflicts(composition.disagreements, choices, len(raw.elements)),
        )

    @property
    def resolved(self) -> Inventory:
        """Return the inventory with the conflicts of a hybrid resolved, before the user's retags."""
        raw, disagreements, conflicts = (
            self._raw_inventory,
            self.composition.disagreements,
            self.conflicts,
        )
        return self._stages.result(
            "resolved", (raw, conflicts), lambda: resolved_inventory(raw, disagreements, conflicts)
        )

    @property
    def inventory(self) -> Inventory:
        """Return steps 1a and 1b's result, with conflicts resolved and the user's retags applied."""
        resolved, retags, keys = self.resolved, self.decisions.retags, self.keys
        return self._stages.result(
            "retagged", (resolved, retags), lambda: apply_retags(resolved, keys, retags)
        )

    @property
    def mapping(self) -> ElementMapping:
        """Return step 2's result."""
        inventory, classification = self.inventory, self.classification
        return self._stages.result(
            "mapping",
            (inventory, classification.dialect_runtimes),
            lambda: map_elements(inventory, classification, self._dialects, self.composition.treatments),
        )

    @property
    def plan(self) -> DependencyPlan:
        """Return step 2.5's result with the user's overrides applied.

        Raises:
            DecisionsRefused: an override is not allowed where it stands.
        """
        drafted, overrides, conflicts = self._drafted, self.decisions.overrides, self.conflicts
        return self._stages.result(
            "plan", (drafted, overrides, conflicts), lambda: make_plan(drafted, overrides, conflicts)
        )

    @property
    def _drafted(self) -> DraftedPlan:
        """Return the plan as it would be without the user's overrides."""
        inventory, mapping, keys = self.inventory, self.mapping, self.keys
        classification, retags = self.classification, self.decisions.retags
        stems = self._stages.result(
            "stems",
            (inventory.elements, mapping),
            lambda: element_stems(inventory.elements, mapping.by_element),
        )
        return self._stages.result(
            "drafted",
            (inventory, mapping, keys, classification, retags),
            lambda: draft_plan(inventory, mapping, classification, keys, retags, self._dialects, stems),
        )

    @property
    def context(self) -> "Context":
        """Return the prompt of the main session, as the chosen release of OpenClaw assembles it."""
        from melleafy_tui.core.openclaw.prompt.assembly import assemble  # most commands never ask

        release = self.settings.openclaw_release
        return self._stages.result(
            "context", (self._snapshot, release), lambda: assemble(self._snapshot, release=release)
        )

    @property
    def seen(self) -> "dict[str, Seen]":
        """Return what the agent saw of each element, by `element_id`; empty where it is no OpenClaw workspace."""
        from melleafy_tui.core.openclaw.prompt.visibility import (  # most commands never ask
            agent_visibility,
            read_by_openclaw,
        )

        if Runtime.OPENCLAW.value not in self.classification.dialect_runtimes:
            return {}
        raw, context = self._raw_inventory, self.context
        return self._stages.result(
            "seen",
            (raw, context),
            lambda: read_by_openclaw(raw, agent_visibility(raw, self._snapshot, context)),
        )

    @property
    def places(self) -> "dict[str, Place]":
        """Return where a decision on an element or a merged part belongs, by key."""
        from melleafy_tui.core.decisions.rebase import places_of  # needed for a decisions file alone

        raw, keys, conflicts = self._raw_inventory, self._raw_keys, self.conflicts
        return self._stages.result(
            "places",
            (raw, conflicts),
            lambda: places_with_parts(places_of(raw.elements, keys), conflicts),
        )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return everything that was found about the source, in order of the steps."""
        inventory = self.inventory
        unread = unread_files(self.classification, inventory, self._snapshot)
        return (*self._snapshot.diagnostics, *self._classified[1], *unread, *inventory.diagnostics)

    @property
    def committed(self) -> CommittedPlan:
        """Return everything that the emitted files depend on."""
        inventory, plan, settings = self.inventory, self.plan, self.settings
        classification, mapping = self.classification, self.mapping
        fixtures = self.decisions.fixtures
        released = self.released_secrets
        costing = (inventory, plan, settings, classification, self._run_context.as_of, fixtures, released)
        parts = (*costing, self._run_context.generated_at)

        def build() -> CommittedPlan:
            agent = project_name(self._snapshot, inventory)
            committed = CommittedPlan(
                project_name=agent,
                package_name=package_name(settings, self._snapshot, inventory),
                settings=settings,
                snapshot=self._snapshot,
                classification=classification,
                inventory=inventory,
                mapping=as_judged(mapping, plan),
                plan=plan,
                diagnostics=self.diagnostics,
                as_of=self._run_context.as_of.isoformat(),
                generated_at=self._run_context.generated_at,
                melleafy_tui_version=__version__,
                fixtures=fixtures,
                runtime_titles=self._dialects.titles,
                source_titles=self._dialects.source_titles,
                mapping_rows=rows_by_id(classification, self._dialects),
                without_secrets=self._stages.result(
                    "without secrets",
                    (self._snapshot, inventory, released),
                    lambda: copies_without_secrets(self._snapshot, inventory.elements, released),
                ),
                released_secrets=released,
            )
            return replace(committed, cost=self._stages.result("cost", costing, lambda: run_cost(committed)))

        return self._stages.result("committed", parts, build)

    @property
    def rendered(self) -> FileSet:
        """Return the generated files, before the lint report and the emitted manifest join them.

        Each is made when it is first asked for, so that a screen has the one that it shows before the others are made.
        """
        committed = self.committed
        return self._stages.result("rendered", (committed,), lambda: self._render(committed))

    @property
    def lints(self) -> LintReport:
        """Return step 7's result on the generated files."""
        from melleafy_tui.core.lint.runner import lint_file_set  # most commands never lint

        rendered = self.rendered
        return self._stages.result("lints", (rendered,), lambda: lint_file_set(rendered, self._lint_results))

    @property
    def files(self) -> FileSet:
        """Return the complete file set, as it would be written."""
        rendered, lints = self.rendered, self.lints
        return self._stages.result("files", (rendered, lints), lambda: with_reports(rendered, lints))

    @property
    def cost(self) -> RunCost:
        """Return what one run of the package costs as it stands now."""
        committed = self.committed
        return committed.cost or run_cost(committed)

    @property
    def stamp(self) -> str:
        """Return the stamp that the package carries."""
        return self._run_context.generated_at

    # --- copies -------------------------------------------------------------------------------

    def stamped(self, generated_at: str) -> "Conversion":
        """Return the same conversion with another stamp, sharing what was computed so far."""
        return self._changed(self.decisions, structs.replace(self._run_context, generated_at=generated_at))

    def with_decisions(self, decisions: Decisions) -> "Conversion":
        """Return the same conversion with other decisions, sharing what was computed so far.

        It shows what an act would change before it is done, and lets a thread render while the user goes on.
        """
        return self._changed(decisions, self._run_context)

    def _changed(self, decisions: Decisions, run_context: RunContext) -> "Conversion":
        other = Conversion(
            self._snapshot,
            dialects=self._dialects,
            render=self._render,
            run_context=run_context,
            decisions=decisions,
        )
        other._stages, other._lint_results = self._stages.copy(), self._lint_results
        return other

    def copy(self) -> "Conversion":
        """Return a conversion that goes on from here by itself, for acts in a thread while this one is shown."""
        other = self.with_decisions(self.decisions)
        other._history = History(self.decisions, list(self._history.done), list(self._history.undone))
        other._saved, other._given = self._saved, self._given
        return other

    def take_over(self, other: "Conversion") -> None:
        """Stand where a copy stands that went on from here."""
        self._snapshot, self._stages = other._snapshot, other._stages
        self._history, self._saved = other._history, other._saved

    def adopt(self, other: "Conversion") -> None:
        """Take over what was computed for other decisions on the same snapshot, in the place of what is kept here."""
        self._stages.update(other._stages)
