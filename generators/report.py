"""Generates mapping_report.md: nine sections that say where each part of the source went, and why."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.procedure import mermaid_lines
from melleafy_tui.core.models.vocabulary import CONTRIBUTOR, MERGE, Category, DecisionSource, Severity, Tag
from melleafy_tui.core.package.file_account import REASONS, account_of
from melleafy_tui.generators import report_tables
from melleafy_tui.generators.labels import counted, runtime_title
from melleafy_tui.generators.markdown_text import code_span, inline
from melleafy_tui.generators.provenance import SourceRange, locations
from melleafy_tui.generators.setup_guide import stub_rows
from melleafy_tui.generators.templates_environment import package_document


def _composition(committed: CommittedPlan) -> Iterator[tuple[str, ...]]:
    """Yield the runtimes of a hybrid, the primary first, with part, score, files and elements."""
    classification, inventory = committed.classification, committed.inventory
    if not classification.hybrid_contributors:
        return
    scores = {score.runtime: score.score for score in classification.scores}
    leading = {file.path: file.runtimes[0] for file in inventory.files if file.runtimes}
    merged = {found.merged_element_id: found.contributor for found in committed.plan.conflicts}
    owned = Counter(
        merged.get(element.element_id, leading.get(element.source_file, "")) for element in inventory.elements
    )
    for runtime in classification.dialect_runtimes:
        claimed = [file for file in inventory.files if runtime in file.runtimes]
        files = [file for file in claimed if file.status in ("read", "listed")]
        shared = sum(len(file.runtimes) > 1 for file in files)
        yield (
            runtime_title(runtime, committed),
            "primary" if runtime == classification.hybrid_primary else "contributor",
            f"{scores.get(runtime, 0.0):g}",
            counted(len(files), "file") + (f", {shared} of them shared" if shared else ""),
            counted(owned[runtime], "element"),
        )


def _conflicts(committed: CommittedPlan, *, by_user: bool) -> Iterator[tuple[str, ...]]:
    """Yield the conflicts that the user resolved, or those that were resolved automatically, as rows of a table."""
    for conflict in committed.plan.conflicts:
        if (conflict.resolved_by is DecisionSource.USER) is not by_user:
            continue
        title = {name: runtime_title(name, committed) for name in (conflict.primary, conflict.contributor)}
        said: dict[str, str] = {}
        reason = "You chose it." if by_user else conflict.reason
        for each in conflict.treatments:
            kept = (
                f"{each.category.value} {each.disposition.value} to {each.target}" if each.disposition else ""
            )
            title[each.runtime] = runtime_title(each.runtime, committed)
            said[each.runtime] = f"{title[each.runtime]}: {kept or 'not converted'}"
            reason = reason.replace(f"{each.runtime} ", f"{title[each.runtime]} ")
        parties = [said.get(name, f"{title[name]}: –") for name in dict.fromkeys((*title, *said))]
        contributor = title[conflict.contributor]
        element = committed.inventory.by_id.get(conflict.element_id)
        outcomes = {
            MERGE: f"merge ({conflict.merged_element_id} carries the part of {contributor})",
            CONTRIBUTOR: f"contributor ({contributor})",
        }
        yield (
            conflict.element_id,
            element.location if element else "",
            parties[0],
            "; ".join(parties[1:]),
            outcomes.get(conflict.resolution, f"primary ({title[conflict.primary]})"),
            reason,
        )


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
    inventory, procedure = committed.inventory, committed.inventory.procedure
    by_element = committed.mapping.by_element
    return [
        package_document(
            committed,
            report_tables.REPORT,
            "report.md.j2",
            steps=[] if procedure is None else list(mermaid_lines(procedure)),
            sections=[f"## {number}. {title}" for number, title in enumerate(SECTIONS, start=1)],
            stubs=len(stub_rows(committed, emitted)),
            findings=sorted(committed.diagnostics, key=lambda found: _ORDER.index(found.severity)),
            cross_table=_cross_table(inventory.elements),
            dispositions=Counter(entry.disposition for entry in committed.plan.entries),
            groups=report_tables.mapping_groups(committed, emitted),
            marks=sum(
                report_tables.is_mark_up(element, by_element[element.element_id])
                for element in inventory.elements
                if element.element_id in by_element
            ),
            judgments=_judgments(committed),
            trails=report_tables.trails(emitted, committed.package_name),
            contributions=list(_contributions(committed)),
            account=account_of(committed),
            reasons=REASONS,
            not_reproduced=report_tables.not_reproduced(committed),
            deferred=report_tables.deferred(committed),
            composition=list(_composition(committed)),
            auto_resolved=list(_conflicts(committed, by_user=False)),
            user_resolved=list(_conflicts(committed, by_user=True)),
        )
    ]


_ORDER: Final = (Severity.ERROR, Severity.WARNING, Severity.INFO)


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


def _contributions(committed: CommittedPlan) -> Iterator[tuple[object, ...]]:
    """Yield each source file, with what was read of it and the elements that it gave."""
    elements: dict[str, list[Element]] = {}
    for element in committed.inventory.elements:
        elements.setdefault(element.source_file, []).append(element)
    coverage = {found.path: found for found in committed.inventory.coverage}
    for file in committed.inventory.files:
        yield file, coverage.get(file.path), _id_ranges(elements.get(file.path, []))


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
    numbered = (
        (int(each.element_id.rpartition("_")[2]) - place, each) for place, each in enumerate(elements)
    )
    runs = [[each for _, each in run] for _, run in groupby(numbered, key=itemgetter(0))]
    ids = (" to ".join(dict.fromkeys((run[0].element_id, run[-1].element_id))) for run in runs)
    lines = SourceRange("", min(e.line_range[0] for e in elements), max(e.line_range[1] for e in elements))
    return f"{' and '.join(ids)} ({'lines' if '-' in lines.lines else 'line'} {lines.lines})"
