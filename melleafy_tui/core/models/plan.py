"""Step 2.5's contract: the dependency plan with its dispositions, and the committed plan that generators read.

Sources: spec/conversion.md 5, spec/package.md 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.decisions import PickedFixture
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry, Treatment
from melleafy_tui.core.models.package import RunCost
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, EntryKind


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """What becomes of one dependency of the agent.

    Attributes:
        entry_id: `dep_001`, … in source order.
        key: The key that survives edits (spec/decisions.md), `settings#backend` for the backend entry.
        category: `c1_identity`, … as in PLAN_CATEGORIES.
        kind: The row of the disposition matrix.
        disposition: What becomes of it.
        default_disposition: What would become of it without the user.
        source_of_decision: Who decided.
        source_elements: Element ids, empty for the backend entry.
        target: `file:symbol` in the package, or the section of the document that reports it.
        setup_section: The section of SETUP.md it triggers, such as `§5.1`, or `""`.
        summary: One line, from the element.
        reason: Why the default is what it is, one sentence.
        override_rationale: The user's own words.
        subtype: For tools: narrative, concrete_http, concrete_script, abstract, skill.
        symbol: The Python identifier that stands for it in emitted code, or `""`.
        judge_individually: The model judges the rule by a requirement of its own, also where Python could check it.
    """

    entry_id: str
    key: str
    category: str
    kind: EntryKind
    disposition: Disposition
    default_disposition: Disposition
    source_of_decision: DecisionSource
    source_elements: tuple[str, ...]
    target: str
    setup_section: str
    summary: str
    reason: str = ""
    override_rationale: str = ""
    subtype: str = ""
    symbol: str = ""
    judge_individually: bool = False

    @property
    def overridden(self) -> bool:
        """Return whether the user or a decisions file chose the disposition."""
        return self.source_of_decision in (DecisionSource.USER, DecisionSource.CONFIG)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two dialects that would treat an element differently (spec/conversion.md 6).

    Attributes:
        key: The element's key, under which a decisions file keeps the choice.
        element_id: The element.
        primary: The runtime that leads in the element's file.
        contributor: The first of the others that differs from it.
        resolution: What holds: primary, contributor or merge.
        resolved_by: USER where the user chose it, else AUTO.
        refusals: Each resolution that cannot be chosen here, with the reason.
        treatments: What each dialect that claims the element would do, the leading one first.
        reason: Why the default resolution is what it is, one sentence.
        default_resolution: What holds without the user.
        merged_element_id: The element that carries the contributor's part after a merge, or `""`.
    """

    key: str
    element_id: str
    primary: str
    contributor: str
    resolution: str
    resolved_by: DecisionSource
    refusals: tuple[tuple[str, str], ...] = ()
    treatments: tuple[Treatment, ...] = ()
    reason: str = ""
    default_resolution: str = "primary"
    merged_element_id: str = ""


class DependencyPlan(BaseModel):
    """The result of step 2.5."""

    model_config = ConfigDict(frozen=True)

    entries: tuple[PlanEntry, ...]
    conflicts: tuple[Conflict, ...] = ()

    @cached_property
    def by_element(self) -> dict[str, PlanEntry]:
        """Return the entries by the element they stand for."""
        return {element: entry for entry in self.entries for element in entry.source_elements}

    @cached_property
    def by_id(self) -> dict[str, PlanEntry]:
        """Return the entries by `entry_id`."""
        return {entry.entry_id: entry for entry in self.entries}


@dataclass(frozen=True, slots=True)
class PlannedElement:
    """An element with its mapping and its plan entry, the unit that generators walk over."""

    element: Element
    mapping: MappingEntry
    entry: PlanEntry


@dataclass(frozen=True)
class CommittedPlan:
    """Everything that the emitted files depend on, and nothing else.

    The same committed plan gives the same bytes. `project_name` is the agent's own name for people,
    `package_name` the Python package. `as_of` is an ISO date, `generated_at` an ISO time in UTC.
    """

    project_name: str
    package_name: str
    settings: Settings
    snapshot: Snapshot
    classification: Classification
    inventory: Inventory
    mapping: ElementMapping
    plan: DependencyPlan
    diagnostics: tuple[Diagnostic, ...]
    as_of: str
    generated_at: str
    melleafy_tui_version: str
    fixtures: tuple[PickedFixture, ...] = ()
    """What the user picked from the agent's history."""

    cost: RunCost | None = None
    """What one run costs (`core/cost.py`), so that documents and manifest can say it."""
    runtime_titles: Mapping[str, str] = field(default_factory=dict)
    """Names for people of the runtimes that have a dialect, so that one from outside is called by its own."""

    without_secrets: Mapping[str, bytes] = field(default_factory=dict)
    """What is copied of the source files that hold a secret, by path: their text with each secret masked."""

    released_secrets: frozenset[str] = frozenset()
    """Digests of values that look like secrets and were released by the user, so that they stand as they are."""

    @cached_property
    def planned(self) -> tuple[PlannedElement, ...]:
        """Return every element that has a plan entry, in source order, with mapping and entry."""
        mappings = self.mapping.by_element
        entries = self.plan.by_element
        return tuple(
            PlannedElement(element, mappings[element.element_id], entries[element.element_id])
            for element in self.inventory.elements
            if element.element_id in entries
        )

    def planned_in(self, category: Category) -> tuple[PlannedElement, ...]:
        """Return the planned elements of one category, in source order."""
        return tuple(item for item in self.planned if item.element.category is category)
