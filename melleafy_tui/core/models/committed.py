"""The committed plan: everything that generators read, with what an earlier state of the conversion left.

Source: spec/package.md 4.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Self, TypeVar

from msgspec import Struct

from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry, MappingRow
from melleafy_tui.core.models.package import EmittedFile, RunCost
from melleafy_tui.core.models.pieces import Pieced
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind

if TYPE_CHECKING:  # most runs pick none
    from melleafy_tui.core.models.decisions import PickedFixture

MadeT = TypeVar("MadeT")

Cell = tuple[EntryKind, Disposition]
"""A cell of the disposition matrix."""

_FEW: Final = 32
"""How many changed entries are put into their cells one by one; for more the cells are sorted anew."""


@dataclass(frozen=True, slots=True)
class PlannedElement(Pieced):
    """An element with its mapping and its plan entry, the unit that generators walk over.

    It lives as long as the three stay the same, over any number of decisions about others, and what is made of it
    alone lives with it.
    """

    element: Element
    mapping: MappingEntry
    entry: PlanEntry
    keeps: bool = field(default=True, repr=False, compare=False)
    """Whether pieces are kept: not in the first state where no acts are expected, the only one of a command."""

    def piece(self, make: Callable[[Self], MadeT]) -> MadeT:
        """Return what a function makes of this alone, made on the first call only where pieces are kept."""
        return Pieced.piece(self, make) if self.keeps else make(self)


def pieces(items: Iterable[PlannedElement], make: Callable[[PlannedElement], MadeT]) -> list[MadeT]:
    """Return `item.piece(make)` of each of many items, in a third of the time where the pieces are there."""
    return [
        kept if (kept := item._pieces.get(make)) is not None else item.piece(make)  # type: ignore[misc] # as in `piece`
        for item in items
    ]


class Cells:
    """Planned elements by the cell of the disposition matrix in which their entry stands.

    Args:
        items: The planned elements in source order.
        found: Number and item of what stands in each cell, where that is known.
    """

    def __init__(
        self,
        items: Sequence[PlannedElement],
        found: "dict[Cell, tuple[list[int], list[PlannedElement]]] | None" = None,
    ) -> None:
        self._items = items
        self._found = found if found is not None else {}
        if found is None:
            for number, item in enumerate(items):
                numbers, held = self._found.setdefault((item.entry.kind, item.entry.disposition), ([], []))
                numbers.append(number)
                held.append(item)

    def of(self, kinds: Collection[EntryKind], dispositions: Collection[Disposition]) -> list[PlannedElement]:
        """Return the items of some kinds that have one of the dispositions, in their order."""
        found = [
            held
            for (kind, disposition), held in self._found.items()
            if kind in kinds and disposition in dispositions
        ]
        if len(found) == 1:
            return [*found[0][1]]
        numbered = chain.from_iterable(zip(numbers, items, strict=True) for numbers, items in found)
        return [item for _, item in sorted(numbered, key=itemgetter(0))]

    def followed_by(self, items: Sequence[PlannedElement]) -> "Cells":
        """Return the cells of the next state, of which most items are the same at the same places."""
        if len(items) != len(self._items):
            return Cells(items)
        changed = [
            (number, old, new)
            for number, (old, new) in enumerate(zip(self._items, items, strict=True))
            if old is not new
        ]
        if len(changed) > _FEW:
            return Cells(items)
        found = dict(self._found)
        for number, old, new in changed:
            cell = (old.entry.kind, old.entry.disposition)
            numbers, held = found[cell]
            place = bisect_left(numbers, number)
            found[cell] = (
                [*numbers[:place], *numbers[place + 1 :]],
                [*held[:place], *held[place + 1 :]],
            )
            cell = (new.entry.kind, new.entry.disposition)
            numbers, held = found.get(cell, ([], []))
            place = bisect_left(numbers, number)
            found[cell] = (
                [*numbers[:place], number, *numbers[place:]],
                [*held[:place], new, *held[place:]],
            )
        return Cells(items, found)


class Earlier(Struct):
    """What the last state of a conversion left: the present one takes over what still holds, and leaves its own.

    All states of one conversion share it, also those in threads: whatever stands here is looked at before it is taken.
    """

    planned: "tuple[tuple[Inventory, ElementMapping, DependencyPlan] | None, tuple[PlannedElement, ...]]" = (
        None,
        (),
    )
    keeps: bool = False
    """Whether pieces are kept from the first state on, since further states are to come."""
    cells: tuple[tuple[PlannedElement, ...], Cells] = ((), Cells(()))
    files: dict[str, EmittedFile] = {}
    rendered: "tuple[CommittedPlan | None, Mapping[int, tuple[EmittedFile, ...]]]" = (None, {})
    """The plan that was rendered last, and what each row of the table of generators made of it."""
    made: dict[str, tuple[tuple[object, ...], object]] = {}

    def same(self, file: EmittedFile) -> EmittedFile:
        """Return the file of the last state where this one is equal, so that what was made of that one holds."""
        last = self.files.get(file.path)
        return last if last is not None and last == file else file

    def kept(self, name: str, inputs: tuple[object, ...], make: Callable[[], MadeT]) -> MadeT:
        """Return what is made of some inputs: the last one where they are the same, as in most acts.

        Args:
            name: What is made; it fixes the type.
            inputs: Everything that `make` looks at.
            make: Makes it.
        """
        last = self.made.get(name)
        if last is None or last[0] != inputs:
            last = self.made[name] = (inputs, make())
        return last[1]  # type: ignore[return-value] # the name fixes the type


@dataclass(frozen=True)
class CommittedPlan(Pieced):
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
    fixtures: "tuple[PickedFixture, ...]" = ()
    """What the user picked from the agent's history."""

    cost: RunCost | None = None
    """What one run costs (`core/cost.py`), so that documents and manifest can say it."""
    runtime_titles: Mapping[str, str] = field(default_factory=dict)
    """Names for people of the runtimes that have a dialect, so that one from outside is called by its own."""

    source_titles: Mapping[str, str] = field(default_factory=dict)
    """What one source of those runtimes is called, with its article."""

    mapping_rows: Mapping[str, MappingRow] = field(default_factory=dict)
    """The mapping rows of the dialects that read the source, by id."""

    without_secrets: Mapping[str, bytes] = field(default_factory=dict)
    """What is copied of the source files that hold a secret, by path: their text with each secret masked."""

    released_secrets: frozenset[str] = frozenset()
    """Digests of values that look like secrets and were released by the user, so that they stand as they are."""

    earlier: Earlier = field(default_factory=Earlier, repr=False, compare=False)
    """What earlier states of the conversion left; it changes what is made anew and nothing of what comes out."""

    def differs_by_stamp_alone(self, other: "CommittedPlan | None") -> bool:
        """Return whether this is another plan with nothing but another stamp."""
        return other is not None and self == replace(other, generated_at=self.generated_at)

    @cached_property
    def planned(self) -> tuple[PlannedElement, ...]:
        """Return every element that has a plan entry, in source order, with mapping and entry."""
        parts = (self.inventory, self.mapping, self.plan)
        last_parts, last = self.earlier.planned
        if last_parts is not None and all(new is old for new, old in zip(parts, last_parts, strict=True)):
            return last
        found = self._replanned(last_parts, last) or self._planned_anew(
            last, keeps=self.earlier.keeps or last_parts is not None
        )
        self.earlier.planned = (parts, found)
        return found

    def _replanned(
        self,
        last_parts: tuple[Inventory, ElementMapping, DependencyPlan] | None,
        last: tuple[PlannedElement, ...],
    ) -> tuple[PlannedElement, ...]:
        """Return the planned elements of the last state with the entries that an act has changed; none without one."""
        if last_parts is None or not last or not last[0].keeps:
            return ()
        inventory, mapping, plan = last_parts
        if inventory is not self.inventory or mapping is not self.mapping:
            return ()
        if len(plan.entries) != len(self.plan.entries):
            return ()
        items = [*last]
        for number, (old, new) in enumerate(zip(plan.entries, self.plan.entries, strict=True)):
            if old is new or not (old.source_elements or new.source_elements):
                continue
            if number >= len(items) or items[number].entry is not old or old.key != new.key:
                return ()
            items[number] = PlannedElement(items[number].element, items[number].mapping, new)
        return tuple(items)

    def _planned_anew(self, last: tuple[PlannedElement, ...], *, keeps: bool) -> tuple[PlannedElement, ...]:
        mappings = self.mapping.by_element
        entries = self.plan.by_element
        known = {item.element.element_id: item for item in last}
        planned = []
        for element in self.inventory.elements:
            entry = entries.get(element.element_id)
            if entry is None:
                continue
            mapping = mappings[element.element_id]
            item = known.get(element.element_id)
            if (
                item is None
                or item.element is not element
                or item.entry is not entry
                or item.mapping is not mapping
                or not item.keeps
            ):
                item = PlannedElement(element, mapping, entry, keeps=keeps)
            planned.append(item)
        return tuple(planned)

    @cached_property
    def planned_by_element(self) -> dict[str, PlannedElement]:
        """Return the planned elements by `element_id`."""
        return {item.element.element_id: item for item in self.planned}

    @cached_property
    def cells(self) -> Cells:
        """Return the planned elements by their cells."""
        last, cells = self.earlier.cells
        if last is not self.planned:
            cells = cells.followed_by(self.planned)
            self.earlier.cells = (self.planned, cells)
        return cells

    @cached_property
    def _by_category(self) -> dict[Category, tuple[PlannedElement, ...]]:
        found: dict[Category, list[PlannedElement]] = {}
        for item in self.planned:
            found.setdefault(item.element.category, []).append(item)
        return {category: tuple(items) for category, items in found.items()}

    def planned_in(self, category: Category) -> tuple[PlannedElement, ...]:
        """Return the planned elements of one category, in source order."""
        return self._by_category.get(category, ())
