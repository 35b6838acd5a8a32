"""Writes the lines of mapping_report.md that stand there for each element: where it went, and what carries it.

They are nine tenths of the report, and an act changes few of them beyond the line numbers in their links.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.package import EmittedFile, LineProvenance
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, Tag
from melleafy_tui.generators.document_words import DECIDED_BY
from melleafy_tui.generators.emitted_code import EmittedCode
from melleafy_tui.generators.markdown_text import cell, code_cell, code_span
from melleafy_tui.generators.shape import masked

REPORT: Final = "mapping_report.md"

_ABOVE_THE_PACKAGE: Final = (".env.example", "pyproject.toml")

Places = dict[str, dict[str, Sequence[LineProvenance]]]
"""The stretches in which a file of the package carries an element, by file and `element_id`."""


class MappingGroup(Struct, frozen=True):
    """The table rows of the elements that went into one file; an empty `file` holds those that went nowhere."""

    file: str
    rows: str


class Ending(Struct, frozen=True):
    """What the rows of many elements end with: where they went and what became of them.

    `group` is the file that they stand under, `""` where the elements ask for nothing; `file` and `symbol` are what
    their target links to. `before` and `after` stand round the link to the line.
    """

    group: str
    file: str
    symbol: str
    before: str
    after: str

    @property
    def whole(self) -> str:
        """Return the end of a row without a link."""
        named = code_cell(self.file) if self.group and not self.symbol else ""
        return f"{self.before}{named}{self.after}"

    def linked(self, link: str) -> str:
        """Return the end of a row with the link to its line."""
        return f"{self.before}{'' if self.symbol else code_cell('')} {link}{self.after}"


class Row(Struct, frozen=True):
    """What an element's table row says, and what it ends with."""

    said: str
    ending: Ending


class LineLinks:
    """Links into one file of the package, made for any number of lines.

    Args:
        path: The file, relative to the package.
    """

    def __init__(self, path: str) -> None:
        before, _, after = code_span(f"{path}:1").rpartition("1")
        url = f"../{path}" if path in _ABOVE_THE_PACKAGE else quote(path)
        self._opening, self._between = f"[{before}", f"{after}]({url}#L"

    def line(self, number: int) -> str:
        """Return a link to one line."""
        return f"{self._opening}{number}{self._between}{number})"

    def lines(self, first: int, last: int) -> str:
        """Return a link to some lines."""
        if last <= first:
            return self.line(first)
        return f"{self._opening}{first}-{last}{self._between}{first}-L{last})"


def mapping_groups(
    committed: CommittedPlan, code: EmittedCode, emitted: Sequence[EmittedFile]
) -> list[MappingGroup]:
    """Return the rows of the element mapping, grouped by the file that each element went into."""
    places = _places(emitted, committed.package_name)
    links, lines_of = cache(LineLinks), cache(code.line_of)
    mappings, entries = committed.mapping.by_element, committed.plan.by_element
    grouped: dict[str, list[str]] = {}
    nowhere: dict[str, Sequence[LineProvenance]] = {}
    for element in committed.inventory.elements:
        mapping = mappings.get(element.element_id)
        if mapping is None:
            continue
        row = _row(element, mapping, entries.get(element.element_id))
        ending = row.ending
        line = 0
        if ending.group:
            found = places.get(ending.file, nowhere).get(element.element_id, ())
            line = _line_to_show(lines_of(ending.file, ending.symbol), found)
        end = ending.linked(links(ending.file).line(line)) if line else ending.whole
        grouped.setdefault(ending.group, []).append(row.said + end)
    files = sorted(grouped, key=lambda file: (file == "", file == REPORT, file))
    return [MappingGroup(file, "\n".join(grouped[file])) for file in files]


def trails(emitted: Sequence[EmittedFile], package: str) -> str:
    """Return the rows of the provenance appendix: each stretch of an emitted file and the source lines it carries."""
    return "\n".join(_trails(emitted, package))


def _row(element: Element, mapping: MappingEntry, entry: PlanEntry | None) -> Row:
    shown = masked(element)
    said = f"{_located(shown.element_id, shown.location)} {cell(shown.content_summary)} |"
    group = _final_file(mapping, entry)
    if not group:
        ending = Ending("", "", "", "", f" {cell(mapping.note or shown.rationale)} |")
    else:
        target = entry.target if entry else f"{mapping.target_file}:{mapping.target_symbol}"
        disposition, decided_by = (entry.disposition, entry.source_of_decision) if entry else (None, None)
        construct = mapping.mellea_construct
        ending = _ending(group, target, shown.tag, shown.category, construct, disposition, decided_by)
    return Row(said, ending)


def _located(element_id: str, location: str) -> str:
    return f"| {element_id} | {code_cell(location)} |"


@lru_cache(maxsize=256)  # most rules end in one of a few ways
def _ending(
    group: str,
    target: str,
    tag: Tag,
    category: Category,
    construct: str,
    disposition: Disposition | None,
    decided_by: DecisionSource | None,
) -> Ending:
    file, _, symbol = target.partition(":")
    return Ending(
        group=group,
        file=file,
        symbol=symbol,
        before=f" {tag.value} | {category.value} | {code_cell(symbol) if symbol else ''}",
        after=f" | {cell(construct)} | {disposition.value if disposition else '–'}"
        f" | {DECIDED_BY[decided_by] if decided_by else '–'} |",
    )


def _places(emitted: Sequence[EmittedFile], package: str) -> Places:
    """Return the stretches in which a file of the package carries an element."""
    places: Places = {}
    for file in emitted:
        found: dict[str, Sequence[LineProvenance]] = {mark.element_id: (mark,) for mark in file.provenance}
        if len(found) < len(file.provenance):
            several: dict[str, list[LineProvenance]] = {}
            for mark in file.provenance:
                several.setdefault(mark.element_id, []).append(mark)
            found = {**several}
        places[file.path.removeprefix(f"{package}/")] = found
    return places


def _final_file(mapping: MappingEntry, entry: PlanEntry | None) -> str:
    if entry is not None:
        return entry.target.partition(":")[0]
    return "" if mapping.primitive == "none" else mapping.final_target_file or mapping.target_file


def _line_to_show(defined: int, stretches: Sequence[LineProvenance]) -> int:
    """Return the line that defines a symbol where it carries the element, else the next line that does."""
    if len(stretches) == 1:
        (found,) = stretches
        return defined if found.first <= defined <= found.last else found.first
    if any(found.first <= defined <= found.last for found in stretches):
        return defined
    lines = [found.first for found in stretches]
    return min((line for line in lines if line >= defined), default=0) or min(lines, default=0) or defined


def _trails(emitted: Sequence[EmittedFile], package: str) -> Iterator[str]:
    for file in sorted(emitted, key=lambda file: file.path):
        links = LineLinks(file.path.removeprefix(f"{package}/"))
        for first, last, element_id, source_file, lines in _joined(file.provenance):
            yield f"| {links.lines(first, last)} {_located(element_id, f'{source_file}:{lines}')}"


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
