"""Step 2.5's contract: the dependency plan, what becomes of each entry and who decided it (spec/conversion.md 5)."""

from dataclasses import dataclass
from functools import cached_property

from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.models.vocabulary import DecisionSource, Disposition, EntryKind


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


@dataclass(frozen=True)
class DependencyPlan:
    """The result of step 2.5."""

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

    @cached_property
    def kept_categories(self) -> frozenset[str]:
        """Return the categories of which something is kept."""
        return frozenset(
            entry.category for entry in self.entries if entry.disposition is not Disposition.REMOVE
        )

    @cached_property
    def kept_setup_sections(self) -> frozenset[str]:
        """Return the sections of SETUP.md that something kept triggers by itself."""
        return frozenset(
            entry.setup_section for entry in self.entries if entry.disposition is not Disposition.REMOVE
        )
