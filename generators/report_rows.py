"""Writes the lines of mapping_report.md that stand there for each element: where it went, and what carries it.

They are nine tenths of the report, and an act changes few of them beyond the line numbers in their links.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.package import EmittedFile, LineProvenance
from melleafy_tui.core.models.plan import CommittedPlan, PlanEntry, PlannedElement
from melleafy_tui.generators.document_words import DECIDED_BY
from melleafy_tui.generators.emitted_code import EmittedCode
from melleafy_tui.generators.markdown_text import cell, code_cell, code_span
from melleafy_tui.generators.masking import masked

REPORT: Final = "mapping_report.md"

_ABOVE_THE_PACKAGE: Final = (".env.example", "pyproject.toml")

Places = dict[tuple[str, str], list[tuple[int, int]]]
"""First and last line of each stretch in which a file of the package carries an element, by file and `element_id`."""


class MappingGroup(Struct, frozen=True):
    """The table rows of the elements that went into one file; an empty `file` holds those that went nowhere."""

    file: str
    rows: str


class Row(Struct, frozen=True):
    """What an element's table row says before and after its target, and the whole row of one that asks for nothing.

    `group` is the file that it stands under; `file` and `symbol` are what its target links to.
    """

    group: str
    file: str
    symbol: str
    symbol_cell: str
    before: str
    after: str
    whole: str


class LineLinks:
    """Links into one file of the package, made for any number of lines.

    Args:
        path: The file, relative to the package.
    """

    def __init__(self, path: str) -> None:
        self._before, _, self._after = code_span(f"{path}:1").rpartition("1")
        self._url = f"../{path}" if path in _ABOVE_THE_PACKAGE else quote(path)

    def line(self, number: int) -> str:
        """Return a link to one line."""
        return f"[{self._before}{number}{self._after}]({self._url}#L{number})"

    def lines(self, first: int, last: int) -> str:
        """Return a link to some lines."""
        if last <= first:
            return self.line(first)
        return f"[{self._before}{first}-{last}{self._after}]({self._url}#L{first}-L{last})"


def mapping_groups(
    committed: CommittedPlan, code: EmittedCode, emitted: Sequence[EmittedFile]
) -> list[MappingGroup]:
    """Return the rows of the element mapping, grouped by the file that each element went into."""
    places = _places(emitted, committed.package_name)
    links, lines_of = cache(LineLinks), cache(code.line_of)
    planned = committed.planned_by_element
    without_entry = committed.earlier.kept(
        "rows without an entry",
        (committed.inventory, committed.mapping),
        lambda: _rows_without_entry(committed),
    )
    grouped: dict[str, list[str]] = {}
    for element in committed.inventory.elements:
        item = planned.get(element.element_id)
        if item is not None:
            row = item.piece(_row_of)
        elif element.element_id in without_entry:
            row = without_entry[element.element_id]
        elif mapping := committed.mapping.by_element.get(element.element_id):
            row = _row(element, mapping, None)
        else:
            continue
        if not row.group:
            shown = row.whole
        elif line := _line_to_show(
            lines_of(row.file, row.symbol), places.get((row.file, element.element_id), ())
        ):
            shown = f"{row.before}{row.symbol_cell} {links(row.file).line(line)}{row.after}"
        else:
            shown = f"{row.before}{row.symbol_cell if row.symbol else code_cell(row.file)}{row.after}"
        grouped.setdefault(row.group, []).append(shown)
    files = sorted(grouped, key=lambda file: (file == "", file == REPORT, file))
    return [MappingGroup(file, "\n".join(grouped[file])) for file in files]


def trails(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> str:
    """Return the rows of the provenance appendix: each stretch of an emitted file and the source lines it carries."""
    located = [item.piece(_located) for item in committed.planned]
    cells = dict(located)
    return "\n".join(_trails(emitted, committed.package_name, cells))


def _rows_without_entry(committed: CommittedPlan) -> dict[str, Row]:
    mappings, planned = committed.mapping.by_element, committed.planned_by_element
    return {
        element.element_id: _row(element, mapping, None)
        for element in committed.inventory.elements
        if element.element_id not in planned and (mapping := mappings.get(element.element_id))
    }


def _row_of(item: PlannedElement) -> Row:
    return _row(item.element, item.mapping, item.entry)


def _row(element: Element, mapping: MappingEntry, entry: PlanEntry | None) -> Row:
    shown = masked(element)
    said = f"| {shown.element_id} | {code_cell(shown.location)} | {cell(shown.content_summary)} |"
    target = entry.target if entry else f"{mapping.target_file}:{mapping.target_symbol}"
    file, _, symbol = target.partition(":")
    disposition = entry.disposition.value if entry else "–"
    decided_by = DECIDED_BY[entry.source_of_decision] if entry else "–"
    return Row(
        group=_final_file(mapping, entry),
        file=file,
        symbol=symbol,
        symbol_cell=code_cell(symbol),
        before=f"{said} {shown.tag.value} | {shown.category.value} | ",
        after=f" | {cell(mapping.mellea_construct)} | {disposition} | {decided_by} |",
        whole=f"{said} {cell(mapping.note or shown.rationale)} |",
    )


def _located(item: PlannedElement) -> tuple[str, str]:
    return item.element.location, code_cell(item.element.location)


def _places(emitted: Sequence[EmittedFile], package: str) -> Places:
    """Return first and last line of each stretch in which a file of the package carries an element."""
    places: Places = {}
    for file in emitted:
        path = file.path.removeprefix(f"{package}/")
        for found in file.provenance:
            places.setdefault((path, found.element_id), []).append((found.first, found.last))
    return places


def _final_file(mapping: MappingEntry, entry: PlanEntry | None) -> str:
    if entry is not None:
        return entry.target.partition(":")[0]
    return "" if mapping.primitive == "none" else mapping.final_target_file or mapping.target_file


def _line_to_show(defined: int, stretches: Sequence[tuple[int, int]]) -> int:
    """Return the line that defines a symbol where it carries the element, else the next line that does."""
    if len(stretches) == 1:
        first, last = stretches[0]
        return defined if first <= defined <= last else first
    if any(first <= defined <= last for first, last in stretches):
        return defined
    lines = [first for first, _ in stretches]
    return min((line for line in lines if line >= defined), default=0) or min(lines, default=0) or defined


def _trails(emitted: Sequence[EmittedFile], package: str, cells: dict[str, str]) -> Iterator[str]:
    for file in sorted(emitted, key=lambda file: file.path):
        links = LineLinks(file.path.removeprefix(f"{package}/"))
        for found in _joined(file.provenance):
            source = f"{found.source_file}:{found.source_lines}"
            said = cells.get(source) or code_cell(source)
            yield f"| {links.lines(found.first, found.last)} | {found.element_id} | {said} |"


def _joined(provenance: Iterable[LineProvenance]) -> list[LineProvenance]:
    """Return the stretches in order, those of one element that touch joined."""
    marks = list(provenance)
    joined: list[LineProvenance] = []
    if len({found.element_id for found in marks}) == len(marks):
        return sorted(marks)
    for found in sorted(marks, key=lambda found: (found.element_id, found.first, found.last)):
        previous = joined[-1] if joined else None
        if previous and previous.element_id == found.element_id and found.first <= previous.last + 1:
            joined[-1] = previous._replace(last=max(previous.last, found.last))
        else:
            joined.append(found)
    return sorted(joined)
