"""The committed plan: everything the generators read."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property, wraps
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry, MappingRow
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind

if TYPE_CHECKING:  # most runs pick none
    from melleafy_tui.core.models.decisions import PickedFixture

MadeT = TypeVar("MadeT")


class PlannedElement(Struct, frozen=True):
    """An element with its mapping and its plan entry, the unit the generators iterate over.

    `position` is its index among the planned elements, in source order.
    """

    element: Element
    mapping: MappingEntry
    entry: PlanEntry
    position: int = 0


class CommittedPlan(Struct, frozen=True, dict=True):
    """Everything the emitted files depend on, and nothing else.

    The same committed plan always gives the same bytes.

    Attributes:
        project_name: The agent's display name.
        package_name: The Python package.
        as_of: An ISO date.
        generated_at: An ISO time in UTC.
        memory_folder: The workspace's path relative to the package, `""` if the two don't lie in one folder.
        fixtures: Fixtures the user picked from the agent's history.
        cost: What one run costs (`generators/first_turn.py`), shown in the documents and the manifest.
        runtime_titles: Display name of each runtime that has a dialect, plugins included.
        source_titles: What a source of each runtime is called, with its article, such as "an OpenClaw workspace".
        mapping_rows: Mapping rows of the dialects that read the source, by id.
        file_fates: What becomes of a file that a dialect only lists, by its rule: `carried`, or why it is named.
        released_secrets: Digests of values that look like secrets but that the user released; they are not masked.
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
    memory_folder: str = ""
    fixtures: "tuple[PickedFixture, ...]" = ()
    cost: RunCost | None = None
    runtime_titles: Mapping[str, str] = field(default_factory=dict)
    source_titles: Mapping[str, str] = field(default_factory=dict)
    mapping_rows: Mapping[str, MappingRow] = field(default_factory=dict)
    file_fates: Mapping[str, str] = field(default_factory=dict)
    released_secrets: frozenset[str] = frozenset()

    @cached_property
    def planned(self) -> tuple[PlannedElement, ...]:
        """Return every element that has a plan entry, in source order, with mapping and entry."""
        mappings, entries = self.mapping.by_element, self.plan.by_element
        pairs = (
            (element, entry)
            for element in self.inventory.elements
            if (entry := entries.get(element.element_id)) is not None
        )
        return tuple(
            PlannedElement(element, mappings[element.element_id], entry, position)
            for position, (element, entry) in enumerate(pairs)
        )

    @property
    def backend(self) -> Disposition | None:
        """Return the disposition of backend and model, or None if the plan has no entry for them."""
        kinds = {entry.kind: entry.disposition for entry in self.plan.entries}
        return kinds.get(EntryKind.BACKEND)

    def planned_as(
        self, kinds: Collection[EntryKind], dispositions: Collection[Disposition]
    ) -> list[PlannedElement]:
        """Return the planned elements with one of these kinds and dispositions, in source order."""
        return [
            item
            for item in self.planned
            if item.entry.kind in kinds and item.entry.disposition in dispositions
        ]


def once_a_plan(make: Callable[[CommittedPlan], MadeT]) -> Callable[[CommittedPlan], MadeT]:
    """Keep what a function makes of a plan as long as the plan itself, for all that ask."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def made(committed: CommittedPlan) -> MadeT:
        kept = committed.__dict__
        if name not in kept:
            kept[name] = make(committed)
        found: MadeT = kept[name]
        return found

    return made
