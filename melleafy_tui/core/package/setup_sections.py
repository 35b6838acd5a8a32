"""The sections of SETUP.md: number, title and trigger; the number of an absent section isn't reused.

All references to a section (`§5.1` in a plan entry, a stub's message, a screen) refer to a row of this table. The
text of each section is in `generators/setup_guide.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import first_of
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.conversion_settings import DEFAULT_BACKEND, DEFAULT_MODEL_ID
from melleafy_tui.core.models.facts import MemoryPageFact, NotedFact, PermissionFact
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    Category,
    Disposition,
    EntryKind,
    Modality,
    Runtime,
)
from melleafy_tui.core.package.sent_variables import variables_sent


class SetupSection(Struct, frozen=True):
    """One section: `number` is `§5.1` or `""`, `when` describes what `triggered` checks.

    `essential` sections alone don't require a SETUP.md, because the README covers them.
    """

    number: str
    title: str
    when: str
    triggered: Callable[[CommittedPlan], bool]
    essential: bool = False

    @property
    def heading(self) -> str:
        """Return the section's heading: number and title."""
        return f"{self.number} {self.title}".strip()


def _always(_committed: CommittedPlan) -> bool:
    return True


def _kept(committed: CommittedPlan, category: Category) -> bool:
    return any(entry.category == CATEGORIES[category].plan_name for entry in committed.plan.kept)


def _named(committed: CommittedPlan, number: str) -> bool:
    return any(entry.setup_section == number for entry in committed.plan.kept)


def _has_variables(committed: CommittedPlan) -> bool:
    return _kept(committed, Category.C7) or _named(committed, "§2") or bool(variables_sent(committed))


def _has_state(committed: CommittedPlan) -> bool:
    return _kept(committed, Category.C4) or _named(committed, "§4")


def _has_memory(committed: CommittedPlan) -> bool:
    return _kept(committed, Category.C5) or _named(committed, "§5") or _has_wiki(committed)


def _has_wiki(committed: CommittedPlan) -> bool:
    return _named(committed, "§5.1")


def _is_scheduled(committed: CommittedPlan) -> bool:
    schedule = committed.classification.schedule
    is_off = any(finding.code == "heartbeat-off" for finding in committed.inventory.diagnostics)
    return (
        bool(woken_by(committed) & {Modality.HEARTBEAT, Modality.SCHEDULED})
        or schedule.type not in ("", "event")
        or (not is_off and any(_named(committed, number) for number in ("§6", "§6.1")))
    )


def _has_active_hours(committed: CommittedPlan) -> bool:
    return bool(committed.classification.schedule.active_hours) or _named(committed, "§6.1")


def _needs_host(committed: CommittedPlan) -> bool:
    return (
        Modality.EVENT_TRIGGERED in woken_by(committed)
        or _named(committed, "§7")
        or bool(host_rules(committed))
        or bool(rules_to_confirm(committed))
    )


def _has_stubs(committed: CommittedPlan) -> bool:
    waiting = committed.planned_as(tuple(EntryKind), (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME))
    return any(is_stub(item.entry) for item in waiting) or bool(linked_pages(committed))


_KEPT_PAGES: Final = tuple(
    found for found in Disposition if found not in (Disposition.REMOVE, Disposition.MOCK)
)


def linked_pages(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the pages of memory that link to each other, which a renamed page leaves with dead links."""
    pages = committed.planned_as((EntryKind.MEMORY,), _KEPT_PAGES)
    return [page for page in pages if page.element.facts[MemoryPageFact].wikilinks]


def _is_openclaw(committed: CommittedPlan) -> bool:
    return Runtime.OPENCLAW in committed.classification.dialect_runtimes


SETUP_SECTIONS: Final[tuple[SetupSection, ...]] = (
    SetupSection("§1", "Install", "always", _always, essential=True),
    SetupSection(
        "§2", "Environment variables", "a credential is kept, or a tool reads a variable", _has_variables
    ),
    SetupSection("§3", "Model backend", "always", _always, essential=True),
    SetupSection("§4", "Short-term state", "daily notes or other state are kept", _has_state),
    SetupSection("§5", "Long-term memory", "memory is kept", _has_memory),
    SetupSection("§5.1", "Wiki-structured memory", "the memory has a wiki", _has_wiki),
    SetupSection("§6", "External scheduler", "the agent wakes on a schedule", _is_scheduled),
    SetupSection("§6.1", "Active hours", "the source declares active hours", _has_active_hours),
    SetupSection(
        "§7", "Host adapter for the modality", "an event, a hook or a rule needs the host", _needs_host
    ),
    SetupSection("§8", "Generated stubs to implement", "a stub or a hook is left to write", _has_stubs),
    SetupSection("§9", "Fixtures and smoke test", "always", _always, essential=True),
    SetupSection(
        "", "Host adapter — OpenClaw", "the source is an OpenClaw workspace", _is_openclaw, essential=True
    ),
)
"""All sections, in the order of the document."""

OPENCLAW_ADAPTER: Final = SETUP_SECTIONS[-1]


def triggered_sections(committed: CommittedPlan) -> tuple[SetupSection, ...]:
    """Return the sections of this package's SETUP.md, in order."""
    return tuple(section for section in SETUP_SECTIONS if section.triggered(committed))


def setup_guide_needed(committed: CommittedPlan) -> bool:
    """Return whether the package needs a SETUP.md: the user has something to do that the README doesn't cover."""
    settings = committed.settings
    is_default = (settings.backend, settings.model_id) == (DEFAULT_BACKEND, DEFAULT_MODEL_ID)
    is_chosen = not is_default or backend_from_environment(committed)
    return is_chosen or any(not section.essential for section in triggered_sections(committed))


def backend_from_environment(committed: CommittedPlan) -> bool:
    """Return whether the user wants backend and model read from `MELLEA_BACKEND` and `MELLEA_MODEL`."""
    return committed.backend is Disposition.EXTERNAL_INPUT


def is_stub(entry: PlanEntry) -> bool:
    """Return whether the entry is a stub: a Python function that the user has to write."""
    if entry.disposition is Disposition.DELEGATE_TO_RUNTIME and entry.target in _WORKING_HOOKS:
        return False
    waiting = entry.disposition in (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)
    return waiting and entry.target.startswith(_SLOTS)


REWRITE: Final = "rewrite_wikilinks"
"""The function that rewrites the links of memory's pages."""

_SLOTS: Final = "constrained_slots.py:"
_WORKING_HOOKS: Final = (f"{_SLOTS}recall_memory", f"{_SLOTS}load_working_state")
"""The hooks whose default works: they read the agent's own files where they lie."""


def unexpanded_skills(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the folders of the skills that are one element each: noted, or a tool to write, but not expanded."""
    counts = Counter(found.source_file for found in elements)
    skills = (PurePosixPath(path) for path, count in counts.items() if count == 1)
    return tuple(
        sorted(path.parent.as_posix() for path in skills if path.name == "SKILL.md" and path.parent.name)
    )


def unexpanded_files(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the files of the commands and subagents that are noted and not converted."""
    return tuple(sorted(file for found in elements if (file := found.facts[NotedFact].file)))


_MOST_NAMED: Final = 3


def unexpanded_words(skills: Sequence[str], files: Sequence[str] = ()) -> tuple[str, ...]:
    """Return in sentences without a full stop what is noted and not expanded, with the first of each."""
    rows = (("Skills", skills, "folder"), ("Commands and subagents", files, "file"))
    return tuple(
        f"{what} noted and not expanded: {len(paths)} ({first_of(paths, _MOST_NAMED)}); convert each by its own {name}"
        for what, paths, name in rows
        if paths
    )


def stubs_by_category(entries: Iterable[PlanEntry], inventory: Inventory) -> dict[str, int]:
    """Return how many functions the user has to write, by category; several entries may share a function.

    Args:
        entries: The entries of the plan.
        inventory: The elements, since pages of memory that link to each other need a function of their own.
    """
    found: dict[str, str] = {}
    for entry in entries:
        if is_stub(entry):
            found.setdefault(entry.target, entry.category)
        if entry.kind is EntryKind.MEMORY and entry.disposition in _KEPT_PAGES:
            (page,) = entry.source_elements
            if inventory.by_id[page].facts[MemoryPageFact].wikilinks:
                found.setdefault(REWRITE, entry.category)
    return dict(sorted(Counter(found.values()).items()))


def delegates_by_category(entries: Iterable[PlanEntry]) -> dict[str, int]:
    """Return how many entries are left to the host with nothing to write in the package, by category."""
    left = (entry for entry in entries if entry.disposition is Disposition.DELEGATE_TO_RUNTIME)
    return dict(sorted(Counter(entry.category for entry in left if not is_stub(entry)).items()))


def host_rules(committed: CommittedPlan) -> tuple[PlanEntry, ...]:
    """Return the operating rules that the user delegated to the host."""
    left = committed.planned_as((EntryKind.RULE,), (Disposition.DELEGATE_TO_RUNTIME,))
    return tuple(item.entry for item in left)


def rules_to_confirm(committed: CommittedPlan) -> tuple[PlanEntry, ...]:
    """Return the permission rules that require confirmation before a call."""
    bundled = committed.planned_as((EntryKind.RULE,), (Disposition.BUNDLE,))
    return tuple(item.entry for item in bundled if item.element.facts[PermissionFact].asks)


def woken_by(committed: CommittedPlan) -> frozenset[Modality]:
    """Return the primary modality and the secondary ones."""
    classification = committed.classification
    return frozenset((classification.modality, *classification.secondary_modalities))
