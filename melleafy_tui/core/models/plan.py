"""The result of step 2.5, the dependency plan: each entry's disposition and who chose it."""

from functools import cached_property

from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import DecisionSource, Disposition, EntryKind


class PlanEntry(Record, frozen=True):
    """One dependency of the agent and its disposition.

    Attributes:
        entry_id: `dep_001`, … in source order.
        key: The key, which stays the same when the workspace is edited; `settings#backend` for the backend entry.
        category: `c1_identity`, … as in CATEGORIES.
        kind: The row of the disposition matrix.
        source_elements: Element ids, empty for the backend entry.
        target: `file:symbol` in the package, or the section of the document that reports it.
        setup_section: The section of SETUP.md it triggers, such as `§5.1`, or `""`.
        reason: Why the default is what it is, one sentence.
        subtype: For tools: narrative, concrete_http, concrete_script, abstract, agent, skill.
        symbol: Its Python identifier in emitted code, or `""`.
        judge_individually: The rule gets its own requirement that the model judges, even if Python could check it.
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

    @property
    def why(self) -> str:
        """Return why it has its disposition; that of the default is no reason of the user's."""
        changed = self.overridden and self.disposition is not self.default_disposition
        return self.override_rationale or ("no reason was given" if changed else self.reason)


class Conflict(Record, frozen=True):
    """An element of a hybrid that two dialects would convert differently.

    Attributes:
        key: The element's key, under which a decisions file keeps the choice.
        primary: The runtime that leads in the element's file.
        contributor: The first other runtime that differs from it.
        resolution: primary, contributor or merge.
        refusals: Each resolution that isn't possible here, with the reason.
        treatments: How each dialect that claims the element would convert it, the leading one first.
        reason: Why the default resolution is what it is, one sentence.
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

    def objection(self, resolution: str) -> str:
        """Return why a resolution isn't possible here, or `""`."""
        return dict(self.refusals).get(resolution, "")


class DependencyPlan(Record, frozen=True, dict=True):
    """The result of step 2.5."""

    entries: tuple[PlanEntry, ...]
    conflicts: tuple[Conflict, ...] = ()

    @cached_property
    def by_element(self) -> dict[str, PlanEntry]:
        """Return the entries by `element_id`."""
        return {element: entry for entry in self.entries for element in entry.source_elements}

    @cached_property
    def by_id(self) -> dict[str, PlanEntry]:
        """Return the entries by `entry_id`."""
        return {entry.entry_id: entry for entry in self.entries}

    @cached_property
    def by_key(self) -> dict[str, PlanEntry]:
        """Return the entries by their stable key."""
        return {entry.key: entry for entry in self.entries}

    @property
    def kept(self) -> tuple[PlanEntry, ...]:
        """Return the entries that aren't removed."""
        return tuple(entry for entry in self.entries if entry.disposition is not Disposition.REMOVE)
