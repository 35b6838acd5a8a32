"""Emits mapping_report.md: nine sections that say where every piece of the source went, and why (spec/package.md 5)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.package import EmittedFile, LineProvenance
from melleafy_tui.core.models.plan import CommittedPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, Severity, Tag
from melleafy_tui.core.setup_sections import setup_guide_needed
from melleafy_tui.generators import document_words as words
from melleafy_tui.generators.document import document
from melleafy_tui.generators.emitted_code import EmittedCode
from melleafy_tui.generators.markdown_text import code_cell, link
from melleafy_tui.generators.masking import masked
from melleafy_tui.generators.report_constructs import deferred, not_reproduced, reported_elsewhere
from melleafy_tui.generators.report_hybrid import composition, resolved_conflicts

REPORT: Final = "mapping_report.md"

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
"""Titles in their fixed order; readers and other tools find them by these words."""

_ABOVE_THE_PACKAGE: Final = (".env.example", "pyproject.toml")

_DOUBTFUL: Final = 0.6
"""A tag with less confidence than this is listed as a judgment call."""

_WAITING: Final = (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)


Places = dict[tuple[str, str], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class MappedElement:
    """One row of the element mapping."""

    element: Element
    mapping: MappingEntry
    entry: PlanEntry | None
    target: str
    """A table cell in Markdown: link to the emitted line where there is one."""


@dataclass(frozen=True, slots=True)
class MappingGroup:
    """The elements that went into one file; an empty `file` holds those that went nowhere."""

    file: str
    rows: tuple[MappedElement, ...]


@dataclass(frozen=True, slots=True)
class Contribution:
    """One source file: what was read of it and what it gave."""

    path: str
    role: str
    status: str
    characters: int
    coverage: str
    elements: str
    runtimes: str
    note: str


@dataclass(frozen=True, slots=True)
class Trail:
    """One stretch of an emitted file and the source lines it carries."""

    place: str
    element_id: str
    source: str


def generate_report(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return mapping_report.md."""
    package = committed.package_name
    code = EmittedCode(emitted, package)
    places = _places(emitted, package)
    entries = committed.plan.entries
    waiting = [entry for entry in entries if entry.disposition in _WAITING]
    return [
        document(
            f"{package}/{REPORT}",
            "report.md.j2",
            committed=committed,
            classification=committed.classification,
            words=words,
            sections=[f"## {number}. {title}" for number, title in enumerate(SECTIONS, start=1)],
            source=words.source_runtimes(committed),
            has_setup=setup_guide_needed(committed),
            stubs=len(code.functions("constrained_slots.py")),
            waiting=Counter(entry.disposition for entry in waiting),
            flagged=_sorted(found for found in committed.diagnostics if found.severity is not Severity.INFO),
            noted=_sorted(found for found in committed.diagnostics if found.severity is Severity.INFO),
            cross_table=_cross_table(committed.inventory.elements),
            dispositions=Counter(entry.disposition for entry in entries),
            coverage=_coverage(committed),
            groups=_groups(committed, code, places),
            judgments=[
                (call, committed.inventory.by_id.get(call.element_id))
                for call in committed.mapping.judgment_calls
            ],
            suggestions=[
                masked(element) for element in committed.inventory.elements if element.suggested_category
            ],
            doubtful=_doubtful(committed),
            overrides=[(entry, _first(committed, entry)) for entry in entries if entry.overridden],
            removed=_removed(committed),
            told_elsewhere=sum(
                entry.disposition is Disposition.REMOVE and reported_elsewhere(entry) for entry in entries
            ),
            trails=list(_trails(emitted, package)),
            contributions=_contributions(committed),
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
    """Return the categories that occur, and for each tag that occurs its count in each of them."""
    counts = Counter((element.tag, element.category) for element in elements)
    categories = [category for category in Category if any(found == category for _, found in counts)]
    rows = [
        (tag, [counts[tag, category] for category in categories])
        for tag in Tag
        if any(found == tag for found, _ in counts)
    ]
    return categories, rows


def _places(emitted: Sequence[EmittedFile], package: str) -> Places:
    """Return first and last line of each stretch in which a file of the package carries an element."""
    places: Places = {}
    for file in emitted:
        path = file.path.removeprefix(f"{package}/")
        for found in file.provenance:
            places.setdefault((path, found.element_id), []).append((found.first, found.last))
    return places


def _groups(committed: CommittedPlan, code: EmittedCode, places: Places) -> list[MappingGroup]:
    by_element = committed.plan.by_element
    grouped: dict[str, list[MappedElement]] = {}
    for element in committed.inventory.elements:
        mapping = committed.mapping.by_element.get(element.element_id)
        if mapping is None:
            continue
        entry = by_element.get(element.element_id)
        file = _final_file(mapping, entry)
        row = MappedElement(masked(element), mapping, entry, _target_cell(mapping, entry, code, places))
        grouped.setdefault(file, []).append(row)
    files = sorted(grouped, key=lambda file: (file == "", file == REPORT, file))
    return [MappingGroup(file, tuple(grouped[file])) for file in files]


def _final_file(mapping: MappingEntry, entry: PlanEntry | None) -> str:
    if entry is not None:
        return entry.target.partition(":")[0]
    return "" if mapping.primitive == "none" else mapping.final_target_file or mapping.target_file


def _target_cell(mapping: MappingEntry, entry: PlanEntry | None, code: EmittedCode, places: Places) -> str:
    if entry is None and mapping.primitive == "none":
        return "–"
    file, _, symbol = (
        entry.target.partition(":") if entry else (mapping.target_file, "", mapping.target_symbol)
    )
    defined = code.line_of(file, symbol)
    line = _line_to_show(defined, places.get((file, mapping.element_id), []))
    if line:
        return f"{code_cell(symbol)} {link(f'{file}:{line}', f'{_url(file)}#L{line}')}"
    return code_cell(symbol or file)


def _line_to_show(defined: int, stretches: list[tuple[int, int]]) -> int:
    """Return the line that defines a symbol where it carries the element, else the next line that does."""
    if any(first <= defined <= last for first, last in stretches):
        return defined
    lines = [first for first, _ in stretches]
    return min((line for line in lines if line >= defined), default=0) or min(lines, default=0) or defined


def _doubtful(committed: CommittedPlan) -> list[Element]:
    """Return the elements whose tag is little more than a guess, without those that a judgment call speaks of."""
    told = {call.element_id for call in committed.mapping.judgment_calls}
    return [
        masked(element)
        for element in committed.inventory.elements
        if element.confidence < _DOUBTFUL
        and element.tag is not Tag.NO_DECOMPOSE
        and element.element_id not in told
    ]


def _first(committed: CommittedPlan, entry: PlanEntry) -> str:
    return ", ".join(words.sources_of(committed, entry)[:3])


def _removed(committed: CommittedPlan) -> list[tuple[PlanEntry, str]]:
    return [
        (entry, _first(committed, entry))
        for entry in committed.plan.entries
        if entry.disposition is Disposition.REMOVE and not reported_elsewhere(entry)
    ]


def _trails(emitted: Sequence[EmittedFile], package: str) -> Iterator[Trail]:
    for file in sorted(emitted, key=lambda file: file.path):
        path = file.path.removeprefix(f"{package}/")
        for found in _joined(file.provenance):
            lines = f"{found.first}-{found.last}" if found.last > found.first else str(found.first)
            anchor = f"#L{found.first}-L{found.last}" if found.last > found.first else f"#L{found.first}"
            place = link(f"{path}:{lines}", f"{_url(path)}{anchor}")
            yield Trail(place, found.element_id, f"{found.source_file}:{found.source_lines}")


def _joined(provenance: Iterable[LineProvenance]) -> list[LineProvenance]:
    """Return the stretches in order, those of one element that touch joined."""
    joined: list[LineProvenance] = []
    for found in sorted(provenance, key=lambda found: (found.element_id, found.first, found.last)):
        previous = joined[-1] if joined else None
        if previous and previous.element_id == found.element_id and found.first <= previous.last + 1:
            joined[-1] = replace(previous, last=max(previous.last, found.last))
        else:
            joined.append(found)
    return sorted(joined, key=lambda found: (found.first, found.last, found.element_id))


def _url(path: str) -> str:
    """Return the link from the report to a file of ours; only names below references/ can hold unusual characters."""
    return f"../{path}" if path in _ABOVE_THE_PACKAGE else quote(path)


def _contributions(committed: CommittedPlan) -> list[Contribution]:
    elements: dict[str, list[Element]] = {}
    for element in committed.inventory.elements:
        elements.setdefault(element.source_file, []).append(element)
    coverage = {found.path: found for found in committed.inventory.coverage}
    return [
        Contribution(
            path=file.path,
            role=file.role,
            status=file.status,
            characters=file.characters,
            coverage=f"{found.covered} of {found.lines}" if (found := coverage.get(file.path)) else "",
            elements=_id_ranges(elements.get(file.path, [])),
            runtimes=", ".join(words.runtime_title(runtime, committed) for runtime in file.runtimes),
            note=file.note,
        )
        for file in committed.inventory.files
    ]


def _id_ranges(elements: Sequence[Element]) -> str:
    """Return `elem_001 to elem_004 (lines 1-28)`: a file's are numbered in a row, but for merged parts."""
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
