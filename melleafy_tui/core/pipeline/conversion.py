"""The conversion of one workspace to a package, as driven by the wizard and the command line.

It holds the snapshot and the user's decisions. Everything else is computed from these on first use: what is read of
the source (classification and inventory), which few settings change, and what the decisions make of it (mapping, plan,
files, lints), which each decision makes anew. A conversion does no I/O: `core/source` reads and `core/output` writes.
The render function is passed in, because the core doesn't depend on templates.
"""

from collections.abc import Callable, Collection
from copy import copy
from datetime import date
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.decisions.undo_history import History
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import FileSet, RunCost
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingRow
from melleafy_tui.core.models.plan import Conflict, DependencyPlan
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Runtime
from melleafy_tui.core.output.emitted import with_reports
from melleafy_tui.core.package.agent_names import package_name, project_name, taken_names
from melleafy_tui.core.package.file_account import FileAccount, account_of
from melleafy_tui.core.package.left_memory import without_left_texts, without_left_words
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.pipeline.element_collection import apply_retags, take_inventory, unread_files
from melleafy_tui.core.pipeline.element_mapping import as_judged, map_elements
from melleafy_tui.core.pipeline.hybrid import (
    Composition,
    compose,
    keys_with_parts,
    places_with_parts,
    resolve_conflicts,
    resolved_inventory,
)
from melleafy_tui.core.pipeline.plan_entries import DraftedPlan, draft_plan, make_plan
from melleafy_tui.core.source.secrets.masking import with_released
from melleafy_tui.version import __version__

if TYPE_CHECKING:  # most commands never ask for these
    from melleafy_tui.core.decisions.commands import Command
    from melleafy_tui.core.decisions.rebase import OverrideState, Place
    from melleafy_tui.core.models.context import Context
    from melleafy_tui.core.models.decisions import DecisionsDocument
    from melleafy_tui.core.openclaw.prompt.visibility import Seen

RenderPackage = Callable[[CommittedPlan], FileSet]
PricePackage = Callable[[CommittedPlan], RunCost]
ResultT = TypeVar("ResultT")


class RunContext(Struct, frozen=True):
    """The inputs of a conversion besides source and decisions: its reference date and its timestamp.

    `memory_folder` is the workspace's path relative to the package, `""` if the two don't lie in one folder.
    """

    as_of: date
    generated_at: str
    memory_folder: str = ""


class _Result(Generic[ResultT]):
    """A property of a conversion that is computed once for its present decisions.

    Args:
        compute: Computes it.
        level: What it depends on: `reading` (the source and the settings for its reading), `mapping` (the retags and
            the choices in conflicts as well) or `decisions` (all of them).
    """

    def __init__(self, compute: "Callable[[Conversion], ResultT]", level: str = "decisions") -> None:
        self._compute, self._level = compute, level
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, conversion: "Conversion", _: object = None) -> ResultT:
        results = conversion._results_of(self._level)
        if self._name not in results:
            results.setdefault(self._name, self._compute(conversion))  # a thread may have been faster
        return results[self._name]  # type: ignore[return-value] # the name determines the type


def _read(compute: "Callable[[Conversion], ResultT]") -> _Result[ResultT]:
    return _Result(compute, "reading")


def _mapped(compute: "Callable[[Conversion], ResultT]") -> _Result[ResultT]:
    return _Result(compute, "mapping")


class Conversion:
    """The conversion of one workspace to a package.

    Args:
        snapshot: The workspace as it was read.
        dialects: The dialects to read it with.
        render: Renders the committed plan to a file set.
        price: Counts what one run of that package costs; without it, all figures are 0.
        run_context: Reference date and timestamp.
        decisions: The initial decisions; they count as saved.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        dialects: Dialects,
        render: RenderPackage,
        price: PricePackage = lambda _: RunCost(),
        run_context: RunContext,
        decisions: Decisions | None = None,
    ) -> None:
        self.dialects = dialects
        self._snapshot, self._render, self._price = snapshot, render, price
        self._run_context = run_context
        self._results: dict[str, tuple[object, dict[str, object]]] = {}
        """What was computed at each level, with all that it depends on; copies in the same state share it."""
        self._history = History((decisions or Decisions(),))
        self._saved = self._history.present
        self._given = frozenset(self._history.present.settings.changed)

    # --- what the user does -------------------------------------------------------------------

    def act(self, command: "Command") -> bool:
        """Execute a command and return whether it changed anything.

        Raises:
            MelleafyError: the command isn't allowed; the decisions are unchanged.
        """
        from melleafy_tui.core.decisions.commands import ReleaseSecret

        if command.includes(ReleaseSecret):
            command = self._followed(command)
        earlier = self._history
        self._history = earlier.after(command)
        try:
            _ = self.plan
        except Exception:
            self._history = earlier
            raise
        return self._history is not earlier

    def _followed(self, command: "Command") -> "Command":
        """Return the release with the other decisions rebased, since unmasked text changes the keys of elements."""
        decisions = self.decisions
        if not (decisions.overrides or decisions.retags or decisions.conflicts):
            return command
        from melleafy_tui.core.decisions.commands import ReplaceDecisions
        from melleafy_tui.core.models.decisions import ReleaseItem

        document = self.to_document()
        after = self.with_decisions(command.apply(Decisions(released_secrets=decisions.released_secrets)))
        released = after.to_document().released_secrets
        kept = tuple(kept.item for kept in decisions.unplaced if isinstance(kept.item, ReleaseItem))
        rebased, _ = self._rebase(document.model_copy(update={"released_secrets": (*released, *kept)}))
        act, _, released_names = command.label.partition(" ")
        return ReplaceDecisions(rebased, released_names, act)

    def undo(self) -> "Command | None":
        """Undo the last act and return it, or None if there is none."""
        act = next(iter(self.acts[-1:]), None)
        self._history = self._history.moved(-1)
        return act

    def redo(self) -> "Command | None":
        """Redo the last undone act and return it, or None if there is none."""
        act = next(iter(self.undone_acts[-1:]), None)
        self._history = self._history.moved(1)
        return act

    def mark_saved(self) -> None:
        """Mark the current decisions as saved."""
        self._saved = self._history.present

    def reread(self, snapshot: Snapshot) -> "tuple[OverrideState, ...]":
        """Switch to a newer snapshot of the same workspace and return the state of each decision.

        All decisions, including those in the undo history, follow their elements; those without an element are kept.
        """
        states = {id(state): state for state in (*self._history.states, self._saved)}.values()
        documents = {id(state): self.with_decisions(state).to_document() for state in states}
        self._snapshot = snapshot
        _ = self.places
        rebased = {id(state): self.with_decisions(state)._rebase(documents[id(state)]) for state in states}
        found = rebased[id(self._history.present)][1]
        self._saved = rebased[id(self._saved)][0]
        self._history = self._history.translated(lambda state: rebased[id(state)][0])
        return found

    # --- decisions files ----------------------------------------------------------------------

    def load(
        self, document: "DecisionsDocument", *, fixed: Collection[str] | None = None, kept: bool = True
    ) -> "tuple[OverrideState, ...]":
        """Replace all decisions with those of a decisions file, as one act, and return the states of its entries.

        Args:
            document: The file.
            fixed: Names of settings that the file can't change, because an option set them; by default the initial
                settings that differ from the defaults.
            kept: Whether the decisions count as saved, which is true for a file but not for a journal.

        Raises:
            DecisionsRefused: an entry can't be applied; the decisions are unchanged.
        """
        from melleafy_tui.core.decisions.application import refuse_first
        from melleafy_tui.core.decisions.commands import ReplaceDecisions

        decisions, states = self._rebase(document, self._given if fixed is None else fixed)
        refuse_first(document, states)
        self.act(ReplaceDecisions(decisions, document.source or DECISIONS_FILE))
        if kept and self.to_document().model_copy(update={"workspace": document.workspace}) == document:
            self.mark_saved()
        return states

    def states_of(
        self, document: "DecisionsDocument", *, fixed: Collection[str] | None = None
    ) -> "tuple[OverrideState, ...]":
        """Return the state that each entry of a decisions file would have, including refused ones."""
        return self._rebase(document, self._given if fixed is None else fixed)[1]

    def to_document(self) -> "DecisionsDocument":
        """Return the decisions as the document of a decisions file."""
        from melleafy_tui.core.decisions.saving import document_of

        digest = self._raw_inventory.snapshot_id
        return document_of(self.decisions, self._snapshot, digest, self.places, self.plan.entries)

    def _rebase(
        self, document: "DecisionsDocument", fixed: Collection[str] = Settings.__struct_fields__
    ) -> "tuple[Decisions, tuple[OverrideState, ...]]":
        from melleafy_tui.core.pipeline.decisions_file import rebase_document

        return rebase_document(document, self, fixed)

    # --- the state ----------------------------------------------------------------------------

    @property
    def decisions(self) -> Decisions:
        """Return the current decisions."""
        return self._history.present

    @property
    def unsaved(self) -> bool:
        """Return whether the decisions differ from what was last saved or loaded."""
        return self._history.present != self._saved

    @property
    def acts(self) -> "tuple[Command, ...]":
        """Return the acts that can be undone, oldest first."""
        return self._history.commands[: self._history.place]

    @property
    def undone_acts(self) -> "tuple[Command, ...]":
        """Return the acts that can be redone, the next one last."""
        return self._history.commands[self._history.place :][::-1]

    @property
    def as_of(self) -> date:
        """Return the date of the conversion."""
        return self._run_context.as_of

    @property
    def settings(self) -> Settings:
        """Return the current settings."""
        return self.decisions.settings

    @property
    def released_secrets(self) -> frozenset[str]:
        """Return the digests of the values that look like secrets but that the user released."""
        return frozenset(self.decisions.released_secrets)

    # --- what is computed ---------------------------------------------------------------------

    def _results_of(self, level: str) -> dict[str, object]:
        """Return what was computed at a level, by name; reading a large source takes seconds, a key a frame."""
        state, kept = self._state_of(level), self._results.get(level)
        if kept is None or kept[0] != state:
            kept = self._results[level] = state, {}
        return kept[1]

    def _shared(self) -> dict[str, tuple[object, dict[str, object]]]:
        """Return what a copy in the same state shares at each level, what either computes later as well."""
        levels = ("reading", "mapping", "decisions")
        return {level: (self._state_of(level), self._results_of(level)) for level in levels}

    def _state_of(self, level: str) -> tuple[object, ...]:
        """Return all that the results of a level depend on."""
        if level == "decisions":
            return self._snapshot, self.decisions, self._run_context
        settings = self.settings
        reading = (
            self._snapshot,
            self.decisions.released_secrets,
            settings.source_runtime,
            settings.contributing_runtimes,
            settings.modality,
            settings.schedule,
            settings.openclaw_release,
            settings.keep_stock_text,
            self._run_context.as_of,
        )
        return reading if level == "reading" else (*reading, self.decisions.retags, self.decisions.conflicts)

    @_read
    def snapshot(self) -> Snapshot:
        """Return the workspace as it was read, with the values that the user released."""
        return with_released(self._snapshot, self.released_secrets)

    @_read
    def _classified(self) -> tuple[Classification, tuple[Diagnostic, ...]]:
        classification, findings = classify(self.snapshot, self.settings, self.dialects)
        return classification, tuple(findings)

    @property
    def classification(self) -> Classification:
        """Return the result of step 0."""
        return self._classified[0]

    @_read
    def mapping_rows(self) -> dict[str, MappingRow]:
        """Return the mapping rows of the dialects that read the source, by id."""
        return self.dialects.rows_of(self.classification.dialect_runtimes)

    @_read
    def _raw_inventory(self) -> Inventory:
        return take_inventory(
            self.snapshot,
            self.classification.dialect_runtimes,
            self.dialects,
            as_of=self._run_context.as_of,
            openclaw_release=self.settings.openclaw_release,
            keep_stock_text=self.settings.keep_stock_text,
        )

    @_read
    def _raw_keys(self) -> dict[str, str]:
        return element_keys(self._raw_inventory.elements)

    @_read
    def composition(self) -> Composition:
        """Return how each dialect of a hybrid would convert the elements that several of them claim."""
        return compose(self._raw_inventory, self._raw_keys, self.dialects)

    @_read
    def context(self) -> "Context":
        """Return the prompt of the main session as the chosen OpenClaw release assembles it."""
        from melleafy_tui.core.openclaw.prompt.assembly import assemble  # most commands never ask

        return assemble(self.snapshot, release=self.settings.openclaw_release)

    @_read
    def seen(self) -> "dict[str, Seen]":
        """Return what the agent saw of each element, by `element_id`; empty if this isn't an OpenClaw workspace."""
        from melleafy_tui.core.openclaw.prompt.visibility import (  # most commands never ask
            agent_visibility,
            read_by_openclaw,
        )

        if Runtime.OPENCLAW.value not in self.classification.dialect_runtimes:
            return {}
        raw = self._raw_inventory
        return read_by_openclaw(raw, agent_visibility(raw, self.snapshot, self.context))

    @_mapped
    def keys(self) -> dict[str, str]:
        """Return the stable key of each element by `element_id`."""
        return keys_with_parts(self._raw_keys, self.conflicts)

    @_mapped
    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflicts of a hybrid with their resolutions."""
        return resolve_conflicts(
            self.composition.conflicts, self.decisions.conflicts, len(self._raw_inventory.elements)
        )

    @_mapped
    def resolved(self) -> Inventory:
        """Return the inventory with the conflicts of a hybrid resolved, before the user's retags."""
        return resolved_inventory(self._raw_inventory, self.composition.readings, self.conflicts)

    @_mapped
    def inventory(self) -> Inventory:
        """Return the result of steps 1a and 1b, with conflicts resolved and the user's retags applied."""
        return apply_retags(self.resolved, self.keys, self.decisions.retags)

    @_mapped
    def mapping(self) -> ElementMapping:
        """Return the result of step 2."""
        return map_elements(self.inventory, self.mapping_rows, self.composition.treatments)

    @_Result
    def plan(self) -> DependencyPlan:
        """Return the result of step 2.5 with the user's overrides applied.

        Raises:
            DecisionsRefused: an override isn't allowed for its entry.
        """
        return make_plan(self._drafted, self.decisions.overrides, self.conflicts)

    @_mapped
    def _drafted(self) -> DraftedPlan:
        return draft_plan(self.inventory, self.mapping, self.mapping_rows, self.keys, self.decisions.retags)

    @_mapped
    def places(self) -> "dict[str, Place]":
        """Return the places of all elements and merged parts, by key, to match decisions with."""
        from melleafy_tui.core.decisions.rebase import places_of  # needed for a decisions file alone

        return places_with_parts(places_of(self._raw_inventory.elements, self._raw_keys), self.conflicts)

    @_Result
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics about the source, in the order of the steps."""
        inventory, snapshot = self.inventory, self.snapshot
        unread = unread_files(self.classification, inventory, snapshot)
        renamed = taken_names(self.settings, package_name(self.settings, snapshot, inventory))
        return (*snapshot.diagnostics, *self._classified[1], *unread, *inventory.diagnostics, *renamed)

    @_Result
    def committed(self) -> CommittedPlan:
        """Return everything the emitted files depend on."""
        inventory, plan, classification = self.inventory, self.plan, self.classification
        shipped, shipped_plan = without_left_texts(inventory, plan)
        return CommittedPlan(
            project_name=project_name(self.snapshot, inventory),
            package_name=package_name(self.settings, self.snapshot, inventory),
            settings=self.settings,
            snapshot=self.snapshot,
            classification=classification,
            inventory=shipped,
            mapping=as_judged(self.mapping, plan),
            plan=shipped_plan,
            diagnostics=without_left_words(self.diagnostics, inventory, shipped),
            as_of=self._run_context.as_of.isoformat(),
            generated_at=self._run_context.generated_at,
            memory_folder=self._run_context.memory_folder,
            melleafy_tui_version=__version__,
            fixtures=self.decisions.fixtures,
            runtime_titles=self.dialects.titles,
            source_titles=self.dialects.source_titles,
            mapping_rows=self.mapping_rows,
            file_fates=self.dialects.file_fates,
            released_secrets=self.released_secrets,
        )

    @_Result
    def account(self) -> FileAccount:
        """Return what became of each file below the source."""
        return account_of(self.committed)

    @_Result
    def rendered(self) -> FileSet:
        """Return the generated files, without the lint report and the records of emitted files."""
        return self._render(self.committed)

    @_Result
    def lints(self) -> LintReport:
        """Return the result of step 7, the lints of the generated files."""
        from melleafy_tui.core.lint.table import lint_file_set  # most never lint

        return lint_file_set(self.rendered)

    @_Result
    def files(self) -> FileSet:
        """Return the complete file set as it would be written."""
        return with_reports(self.rendered, self.lints)

    @_Result
    def cost(self) -> RunCost:
        """Return what one run of the package costs with the current decisions."""
        return self._price(self.committed)

    @property
    def stamp(self) -> str:
        """Return the timestamp recorded in the package."""
        return self._run_context.generated_at

    # --- copies -------------------------------------------------------------------------------

    def stamped(self, generated_at: str) -> "Conversion":
        """Return the same conversion with another timestamp, sharing cached results."""
        other = self.with_decisions(self.decisions)
        other._run_context = replace(self._run_context, generated_at=generated_at)
        return other

    def place_memory(self, folder: str) -> None:
        """Set the workspace's path relative to the package, after another output folder was chosen."""
        self._run_context = replace(self._run_context, memory_folder=folder)

    def with_decisions(self, decisions: Decisions) -> "Conversion":
        """Return the same conversion with other decisions, sharing cached results.

        Use it to preview an act, or to render in a thread while the user continues.
        """
        other = self.copy()
        other._history, other._saved = History((decisions,)), decisions
        return other

    def copy(self) -> "Conversion":
        """Return an independent copy, for example to execute commands in a thread while this one is displayed."""
        other = copy(self)
        other._results = self._shared()
        return other

    def take_over(self, other: "Conversion") -> None:
        """Take over the state of a copy that has changed since."""
        self._snapshot, self._history, self._saved = other._snapshot, other._history, other._saved
        self.adopt(other)

    def adopt(self, other: "Conversion") -> None:
        """Take over the results of another conversion; those of another state are never used."""
        self._results = other._shared()
