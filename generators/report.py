"""Generates mapping_report.md: nine sections that say where each part of the source went, and why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.models.plan import Conflict, PlanEntry
from melleafy_tui.core.models.procedure import mermaid_lines
from melleafy_tui.core.models.vocabulary import (
    CONTRIBUTOR,
    MERGE,
    Category,
    DecisionSource,
    Disposition,
    Severity,
    Tag,
)
from melleafy_tui.core.package.file_account import REASONS, account_of
from melleafy_tui.core.package.setup_sections import setup_guide_needed
from melleafy_tui.generators import labels as words
from melleafy_tui.generators.labels import counted, runtime_title
from melleafy_tui.generators.markdown_text import cell, code_cell, code_span, inline
from melleafy_tui.generators.provenance import locations
from melleafy_tui.generators.report_tables import (
    REPORT,
    deferred,
    is_mark_up,
    mapping_groups,
    not_reproduced,
    trails,
)
from melleafy_tui.generators.setup_guide import stub_rows
from melleafy_tui.generators.templates_environment import document


class Contributor(Struct, frozen=True):
    """One runtime of a hybrid: its role, its score, and the files that it read."""

    title: str
    part: str
    score: str
    files: str
    elements: str


class ResolvedConflict(Struct, frozen=True):
    """One row of a table of conflicts; all fields but the id are plain text."""

    element_id: str
    place: str
    primary: str
    contributor: str
    outcome: str
    reason: str


def composition(committed: CommittedPlan) -> list[Contributor]:
    """Return the runtimes of a hybrid, the primary first; empty if only one runtime reads the source."""
    classification, inventory = committed.classification, committed.inventory
    if not classification.hybrid_contributors:
        return []
    scores = {score.runtime: score.score for score in classification.scores}
    owned = _elements_owned(committed)
    rows = []
    for runtime in classification.dialect_runtimes:
        files = [
            file for file in inventory.files if runtime in file.runtimes and file.status in ("read", "listed")
        ]
        shared = sum(len(file.runtimes) > 1 for file in files)
        rows.append(
            Contributor(
                runtime_title(runtime, committed),
                "primary" if runtime == classification.hybrid_primary else "contributor",
                f"{scores.get(runtime, 0.0):g}",
                counted(len(files), "file") + (f", {shared} of them shared" if shared else ""),
                counted(owned[runtime], "element"),
            )
        )
    return rows


def _elements_owned(committed: CommittedPlan) -> Counter[str]:
    """Return how many elements belong to each runtime: to the leading one of their file, or to a merged part's."""
    leading = {file.path: file.runtimes[0] for file in committed.inventory.files if file.runtimes}
    parts = {
        conflict.merged_element_id: conflict.contributor
        for conflict in committed.plan.conflicts
        if conflict.merged_element_id
    }
    return Counter(
        parts.get(element.element_id, leading.get(element.source_file, ""))
        for element in committed.inventory.elements
    )


def resolved_conflicts(committed: CommittedPlan, *, by_user: bool) -> list[ResolvedConflict]:
    """Return the conflicts that the user resolved, or those that were resolved automatically."""
    return [
        _resolved(committed, conflict)
        for conflict in committed.plan.conflicts
        if (conflict.resolved_by is DecisionSource.USER) is by_user
    ]


def _reason(committed: CommittedPlan, conflict: Conflict) -> str:
    if conflict.resolved_by is DecisionSource.USER:
        return "You chose it."
    reason = conflict.reason
    for treatment in conflict.treatments:
        reason = reason.replace(f"{treatment.runtime} ", f"{runtime_title(treatment.runtime, committed)} ")
    return reason


def _resolved(committed: CommittedPlan, conflict: Conflict) -> ResolvedConflict:
    element = committed.inventory.by_id.get(conflict.element_id)
    said = {treatment.runtime: _said(treatment) for treatment in conflict.treatments}
    return ResolvedConflict(
        conflict.element_id,
        element.location if element else "",
        f"{runtime_title(conflict.primary, committed)}: {said.get(conflict.primary, '–')}",
        "; ".join(_of_others(committed, conflict, said)),
        _outcome(committed, conflict),
        _reason(committed, conflict),
    )


def _of_others(committed: CommittedPlan, conflict: Conflict, said: dict[str, str]) -> Iterator[str]:
    for runtime in dict.fromkeys((conflict.contributor, *said)):
        if runtime != conflict.primary:
            yield f"{runtime_title(runtime, committed)}: {said.get(runtime, '–')}"


def _said(treatment: Treatment) -> str:
    if treatment.disposition is None:
        return "not converted"
    return f"{treatment.category.value} {treatment.disposition.value} to {treatment.target}"


def _outcome(committed: CommittedPlan, conflict: Conflict) -> str:
    contributor = runtime_title(conflict.contributor, committed)
    match conflict.resolution:
        case resolution if resolution == MERGE:
            return f"merge ({conflict.merged_element_id} carries the part of {contributor})"
        case resolution if resolution == CONTRIBUTOR:
            return f"contributor ({contributor})"
        case _:
            return f"primary ({runtime_title(conflict.primary, committed)})"


SECTIONS: Final = (
    "Classification",
    "Decomposition Summary",
    "Element Mapping",
    "Judgment Calls",
    "Removed During Audit",
    "Provenance Appendix",
    "Source file contributions",
    "Runtime-specific constructs not reproduced",
    "Detected but not handled (deferred)",
)
"""Section titles in their fixed order; other tools find sections by these titles."""


def generate_report(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return mapping_report.md."""
    package, inventory = committed.package_name, committed.inventory
    entries = committed.plan.entries
    return [
        document(
            f"{package}/{REPORT}",
            "report.md.j2",
            committed=committed,
            steps=[]
            if committed.inventory.procedure is None
            else list(mermaid_lines(committed.inventory.procedure)),
            classification=committed.classification,
            words=words,
            sections=[f"## {number}. {title}" for number, title in enumerate(SECTIONS, start=1)],
            source=words.source_runtimes(committed),
            has_setup=setup_guide_needed(committed),
            stubs=len(stub_rows(committed, emitted)),
            flagged=_sorted(found for found in committed.diagnostics if found.severity is not Severity.INFO),
            noted=_sorted(found for found in committed.diagnostics if found.severity is Severity.INFO),
            cross_table=_cross_table(inventory.elements),
            dispositions=Counter(entry.disposition for entry in entries),
            coverage=_coverage(committed),
            groups=mapping_groups(committed, emitted),
            marks=sum(
                is_mark_up(element, committed.mapping.by_element[element.element_id])
                for element in inventory.elements
                if element.element_id in committed.mapping.by_element
            ),
            judgments=_judgments(committed),
            overrides=[(entry, _first(committed, entry)) for entry in entries if entry.overridden],
            removed=_removed(committed),
            trails=trails(emitted, package),
            contributions=_contributions(committed),
            account=account_of(committed),
            reasons=REASONS,
            not_reproduced=not_reproduced(committed),
            deferred=deferred(committed),
            composition=composition(committed),
            auto_resolved=resolved_conflicts(committed, by_user=False),
            user_resolved=resolved_conflicts(committed, by_user=True),
        )
    ]


def _sorted(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    order = {
        severity: rank for rank, severity in enumerate((Severity.ERROR, Severity.WARNING, Severity.INFO))
    }
    return sorted(found, key=lambda diagnostic: order[diagnostic.severity])


def _coverage(committed: CommittedPlan) -> tuple[int, int]:
    files = committed.inventory.coverage
    return sum(file.covered for file in files), sum(file.lines for file in files)


def _cross_table(elements: Sequence[Element]) -> tuple[list[Category], list[tuple[Tag, list[int]]]]:
    """Return the categories in use, and for each tag in use its count per category."""
    counts = Counter((element.tag, element.category) for element in elements)
    categories = [category for category in Category if any(found == category for _, found in counts)]
    rows = [
        (tag, [counts[tag, category] for category in categories])
        for tag in Tag
        if any(found == tag for found, _ in counts)
    ]
    return categories, rows


def _first(committed: CommittedPlan, entry: PlanEntry) -> str:
    return ", ".join(words.sources_of(committed, entry)[:3])


def _removed(committed: CommittedPlan) -> list[tuple[PlanEntry, str]]:
    return [
        (entry, _first(committed, entry))
        for entry in committed.plan.entries
        if entry.disposition is Disposition.REMOVE
    ]


def _contributions(committed: CommittedPlan) -> str:
    """Return the table rows of the source files: what was read from each and which elements it gave."""
    elements: dict[str, list[Element]] = {}
    for element in committed.inventory.elements:
        elements.setdefault(element.source_file, []).append(element)
    coverage = {found.path: found for found in committed.inventory.coverage}
    rows = []
    for file in committed.inventory.files:
        titles = ", ".join(words.runtime_title(runtime, committed) for runtime in file.runtimes)
        status = f"{file.status} ({cell(titles)})" if titles else file.status
        characters = f"{file.characters:,}" if file.characters else "–"
        found = coverage.get(file.path)
        covered = f"{found.covered} of {found.lines}" if found else "–"
        ids = _id_ranges(elements.get(file.path, [])) or "–"
        rows.append(
            f"| {code_cell(file.path)} | {cell(file.role)} | {status} | {characters} | {covered} | {ids}"
            f" | {cell(file.note)} |"
        )
    return "\n".join(rows)


def _judgments(committed: CommittedPlan) -> str:
    """Return the judgment calls of the mapping, one a line; those with the same answer and reason share a line."""
    places: dict[str, list[Element]] = {}
    for call in committed.mapping.judgment_calls:
        said = f"{inline(call.question)} {inline(call.chosen)}. {inline(call.reason)}"
        element = committed.inventory.by_id.get(call.element_id)
        places.setdefault(said, []).extend([element] if element else [])
    return "\n".join(
        f"- {code_span(locations(found))}: {said}" if found else f"- {said}" for said, found in places.items()
    )


def _id_ranges(elements: Sequence[Element]) -> str:
    """Return ranges such as `elem_001 to elem_004 (lines 1-28)`; ids in a file are consecutive, except merged parts."""
    if not elements:
        return ""
    row = [elements[0]]
    apart: list[Element] = []
    for element in elements[1:]:
        follows = int(element.element_id.rpartition("_")[2]) == int(row[-1].element_id.rpartition("_")[2]) + 1
        (row if follows else apart).append(element)
    lines = f"lines {min(e.line_range[0] for e in elements)}-{max(e.line_range[1] for e in elements)}"
    if len(elements) == 1:
        only = elements[0]
        return (
            f"{only.element_id} ({'line' if '-' not in only.source_lines else 'lines'} {only.source_lines})"
        )
    ids = f"{row[0].element_id} to {row[-1].element_id}" if len(row) > 1 else row[0].element_id
    return f"{ids}{''.join(f' and {part.element_id}' for part in apart)} ({lines})"
