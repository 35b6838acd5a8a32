"""Steps 0 to 2.5 of a conversion: what follows from snapshot and decisions, up to the plan.

Each step is computed when it is asked for and kept while its inputs stay, so that a decision is felt only where it
reaches. Nothing here changes the decisions; `conversion.py` does.
"""

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec import Struct

from melleafy_tui.core.classify import classify
from melleafy_tui.core.conflicts import Composition, compose
from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.inventory import apply_retags, take_inventory
from melleafy_tui.core.mapping import map_elements
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.plan import Conflict, DependencyPlan
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.plan import DraftedPlan, draft_plan, make_plan
from melleafy_tui.core.resolution import (
    keys_with_parts,
    places_with_parts,
    resolve_conflicts,
    resolved_inventory,
)
from melleafy_tui.core.symbols import element_stems
from melleafy_tui.core.unread import unread_files

if TYPE_CHECKING:
    from melleafy_tui.core.context.sight import Seen
    from melleafy_tui.core.decisions.rebase import Place
    from melleafy_tui.core.models.context import Context

ResultT = TypeVar("ResultT")


class Circumstances(Struct, frozen=True):
    """What a conversion depends on beside source and decisions: the day it is made for, and the stamp it carries."""

    as_of: date
    generated_at: str


class PlanSteps:
    """The steps from a workspace to its plan; what is made from this one says which decisions hold.

    Args:
        snapshot: The workspace as it was read.
        dialects: The dialects to read it with.
        circumstances: Day and stamp.
    """

    def __init__(self, snapshot: Snapshot, *, dialects: Dialects, circumstances: Circumstances) -> None:
        self._snapshot = snapshot
        self._dialects = dialects
        self._circumstances = circumstances
        self._cache: dict[str, tuple[tuple[object, ...], object]] = {}

    @property
    def decisions(self) -> Decisions:
        """Return the decisions as they stand."""
        raise NotImplementedError

    def with_decisions(self, decisions: Decisions) -> Self:
        """Return the same steps with other decisions, sharing what was computed so far."""
        raise NotImplementedError

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

    # --- each step, computed when asked and kept while its inputs stay -------------------------

    @property
    def _classified(self) -> tuple[Classification, tuple[Diagnostic, ...]]:
        settings = self.settings
        chosen = (settings.source_runtime, settings.contributing_runtimes, settings.modality)
        return self._kept(
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
        return self._kept(
            "inventory",
            (self._snapshot, runtimes, release, released),
            lambda: take_inventory(
                self._snapshot,
                runtimes,
                self._dialects,
                as_of=self._circumstances.as_of,
                openclaw_release=release,
                released=released,
            ),
        )

    @property
    def keys(self) -> dict[str, str]:
        """Return the key that survives edits for each `element_id` (spec/decisions.md)."""
        keys, conflicts = self._raw_keys, self.conflicts
        return self._kept("keys", (keys, conflicts), lambda: keys_with_parts(keys, conflicts))

    @property
    def _raw_keys(self) -> dict[str, str]:
        raw = self._raw_inventory
        return self._kept("raw keys", (raw,), lambda: element_keys(raw.elements))

    @property
    def composition(self) -> Composition:
        """Return what the dialects of a hybrid make of the elements that several of them claim."""
        raw = self._raw_inventory
        return self._kept("composition", (raw,), lambda: compose(raw, self._raw_keys, self._dialects))

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflicts of a hybrid with what holds for each."""
        raw, composition, choices = self._raw_inventory, self.composition, self.decisions.conflicts
        return self._kept(
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
        return self._kept(
            "resolved", (raw, conflicts), lambda: resolved_inventory(raw, disagreements, conflicts)
        )

    @property
    def inventory(self) -> Inventory:
        """Return steps 1a and 1b's result, with conflicts resolved and the user's retags applied."""
        resolved, retags, keys = self.resolved, self.decisions.retags, self.keys
        return self._kept("retagged", (resolved, retags), lambda: apply_retags(resolved, keys, retags))

    @property
    def mapping(self) -> ElementMapping:
        """Return step 2's result."""
        inventory, classification = self.inventory, self.classification
        return self._kept(
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
        return self._kept_from(
            "plan",
            (drafted, overrides, conflicts),
            lambda earlier: make_plan(drafted, overrides, conflicts, earlier=earlier),
        )

    @property
    def _drafted(self) -> DraftedPlan:
        """Return the plan as it would be without the user's overrides."""
        inventory, mapping, keys = self.inventory, self.mapping, self.keys
        classification, retags = self.classification, self.decisions.retags
        stems = self._kept(
            "stems",
            (inventory.elements, mapping),
            lambda: element_stems(inventory.elements, mapping.by_element),
        )
        return self._kept(
            "drafted",
            (inventory, mapping, keys, classification, retags),
            lambda: draft_plan(inventory, mapping, classification, keys, retags, self._dialects, stems),
        )

    @property
    def context(self) -> "Context":
        """Return the prompt of the main session, as the chosen release of OpenClaw assembles it."""
        from melleafy_tui.core.context.assembly import assemble  # most commands never ask

        release = self.settings.openclaw_release
        return self._kept(
            "context", (self._snapshot, release), lambda: assemble(self._snapshot, release=release)
        )

    @property
    def seen(self) -> "dict[str, Seen]":
        """Return what the agent saw of each element, by `element_id`; empty where it is no OpenClaw workspace."""
        from melleafy_tui.core.context.sight import look, read_by_openclaw  # most commands never ask

        if Runtime.OPENCLAW.value not in self.classification.dialect_runtimes:
            return {}
        raw, context = self._raw_inventory, self.context
        return self._kept(
            "seen", (raw, context), lambda: read_by_openclaw(raw, look(raw, self._snapshot, context))
        )

    @property
    def places(self) -> "dict[str, Place]":
        """Return where a decision on an element or a merged part belongs, by key."""
        from melleafy_tui.core.decisions.rebase import places_of  # needed for a decisions file alone

        raw, keys, conflicts = self._raw_inventory, self._raw_keys, self.conflicts
        return self._kept(
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

    # --- what is kept --------------------------------------------------------------------------

    def adopt(self, other: Self) -> None:
        """Take over what was computed for other decisions on the same snapshot, in the place of what is kept here."""
        self._cache.update(other._cache)

    def _kept(self, step: str, inputs: tuple[object, ...], compute: Callable[[], ResultT]) -> ResultT:
        return self._kept_from(step, inputs, lambda _: compute())

    def _kept_from(
        self, step: str, inputs: tuple[object, ...], compute: Callable[[ResultT | None], ResultT]
    ) -> ResultT:
        """Return a step's result; one that is computed anew gets the last one, to take over what still holds."""
        kept = self._cache.get(step)
        if (
            kept is not None
            and len(kept[0]) == len(inputs)
            and all(old is new or old == new for old, new in zip(kept[0], inputs, strict=True))
        ):
            return kept[1]  # type: ignore[return-value] # the step's name fixes the type
        result = compute(None if kept is None else kept[1])  # type: ignore[arg-type] # so it does here
        self._cache[step] = (inputs, result)
        return result
