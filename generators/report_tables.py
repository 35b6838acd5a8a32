"""Builds the tables of the mapping report: where each element went, what isn't reproduced, and the provenance.

Rows of sections 8 and 9 say what was declared, why it isn't reproduced, and what to do; most come from the dialects.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import MemoryPageFact
from melleafy_tui.core.models.file_set import EmittedFile, LineProvenance
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, MappingEntry, UnsupportedPart
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    UNKNOWN_RUNTIME,
    Category,
    DecisionKind,
    DecisionSource,
    Disposition,
    ElementRole,
    Runtime,
    Tag,
)
from melleafy_tui.core.package.setup_sections import OPENCLAW_ADAPTER, setup_guide_needed
from melleafy_tui.generators.labels import DECIDED_BY, asks_for_nothing, counted, runtime_title
from melleafy_tui.generators.markdown_text import cell, code_cell, code_span, inline
from melleafy_tui.generators.package_shape import in_role
from melleafy_tui.generators.provenance import lines_of_names

_CLAIMS: Final = LazyRegex(r"^(?:claims:|#+ *claims\b)", re.MULTILINE | re.IGNORECASE)
_WIKILINK: Final = LazyRegex(r"\[\[(?!reply_to_|audio_)[^\[\]\n]{1,200}\]\]")


class Construct(Struct, frozen=True):
    """One row: `declared` and the rest are Markdown, `places` are `file:lines`; `each` are lines of a list."""

    title: str
    declared: str
    places: tuple[str, ...]
    why: str
    to_do: str
    each: tuple[str, ...] = ()


def reported_elsewhere(committed: CommittedPlan, entry: PlanEntry) -> bool:
    """Return whether section 8 or 9, not section 5, explains why the entry was left out."""
    if any(title in entry.target for title in (NOT_REPRODUCED, DEFERRED)):
        return True
    elements = [committed.inventory.by_id[element] for element in entry.source_elements]
    return not entry.overridden and all(element.is_left_out for element in elements)


def not_reproduced(committed: CommittedPlan) -> list[Construct]:
    """Return the rows of section 8, "not reproduced"."""
    return [
        *_found(committed, NOT_REPRODUCED),
        *_active_hours(committed),
        *_by_row(committed, NOT_REPRODUCED),
        *_others(committed, NOT_REPRODUCED),
        *_inlinings(committed),
        *_left_out(committed),
    ]


def deferred(committed: CommittedPlan) -> list[Construct]:
    """Return the rows of section 9, "deferred"."""
    return [
        *_by_row(committed, DEFERRED),
        *_others(committed, DEFERRED),
        *_found(committed, DEFERRED),
        *_wiki(committed),
        *_without_dialect(committed),
        *_native_adapter(committed),
    ]


def _active_hours(committed: CommittedPlan) -> Iterator[Construct]:
    schedule = committed.classification.schedule
    if schedule.active_hours:
        yield Construct(
            "`activeHours`",
            inline(schedule.active_hours),
            (f"{schedule.file}:{schedule.lines}",) if schedule.file else (),
            "Mellea has no day-gating: the pipeline runs whenever its scheduler invokes it.",
            "Let your scheduler keep the window, as `SETUP.md` §6.1 says; `melleafy.json` keeps the declaration.",
        )


def _found(committed: CommittedPlan, section: str) -> Iterator[Construct]:
    """Yield the constructs that dialects found besides elements; those with the same text share a row."""
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for found in committed.inventory.unsupported:
        if found.section == section:
            alike.setdefault((found.title, found.declared, found.why, found.to_do), []).extend(found.places)
    for (title, declared, why, to_do), places in alike.items():
        yield Construct(title, inline(declared), tuple(places), why, to_do)


def _by_row(committed: CommittedPlan, section: str) -> Iterator[Construct]:
    """Yield a row for each mapping row that describes its elements as unsupported in the section."""
    for row in committed.mapping_rows.values():
        if row.unsupported is not None and row.unsupported.section == section:
            found = [element for element in committed.inventory.elements if element.mapping_row == row.row_id]
            if found:
                yield _construct(row.unsupported, found)


def _others(committed: CommittedPlan, section: str) -> Iterator[Construct]:
    """Yield the elements that a mapping row sends to the section without a text, so that none is dropped silently."""
    by_id = committed.inventory.by_id
    told = {
        row.row_id
        for row in committed.mapping_rows.values()
        if row.unsupported is not None and row.unsupported.section == section
    }
    for entry in committed.plan.entries:
        if entry.disposition is not Disposition.REMOVE or section not in entry.target:
            continue
        found = [by_id[element] for element in entry.source_elements if element in by_id]
        if found and told.isdisjoint(element.mapping_row for element in found):
            to_do = "Reproduce it in your host if you rely on it."
            part = UnsupportedPart(section, inline(entry.summary), inline(entry.reason), to_do)
            construct = _construct(part, found)
            if len(found) == 1:
                construct = _with_split_label(construct, found[0].content_summary)
            yield construct


def _with_split_label(construct: Construct, summary: str) -> Construct:
    """Return the row of one element with `label: value` split in two, so that the title doesn't repeat them."""
    label, _, declared = summary.partition(": ")
    return replace(construct, title=inline(label), declared=inline(declared))


def _construct(part: UnsupportedPart, found: Iterable[Element]) -> Construct:
    elements = list(found)
    declared = "; ".join(inline(element.content_summary) for element in elements[:5])
    more = f"; and {counted(len(elements) - 5, 'more', 'more')}" if len(elements) > 5 else ""
    places = tuple(element.location for element in elements)
    return Construct(part.title, declared + more, places, part.why, part.to_do)


_IN_PACKAGE: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK, Disposition.REAL_IMPL)
"""Dispositions with which the text of an element stands in a file of the package."""


def _inlinings(committed: CommittedPlan) -> Iterator[Construct]:
    by_id, entries = committed.inventory.by_id, committed.plan.by_element
    for inlining in committed.mapping.inlinings:
        element, entry = by_id.get(inlining.element_id), entries.get(inlining.element_id)
        if entry is None or entry.disposition not in _IN_PACKAGE:
            continue  # what its place refers to stays outside, too
        reader = f" into {inline(element.content_summary)} ({element.location})" if element else ""
        yield Construct(
            "BOOTSTRAP inlining",
            f"Text of the first-run ritual was inlined{reader}",
            (f"{inlining.source_file}:{inlining.source_lines}",),
            "`BOOTSTRAP.md` deletes itself after the first run, so a reference to it would lead nowhere.",
            "Read the inlined text once; it stands in the package with its own provenance.",
        )


def _left_out(committed: CommittedPlan) -> Iterator[Construct]:
    """Yield a row for each reason why lines are left out, with all of them."""
    alike: dict[str, list[Element]] = {}
    for item in committed.planned:
        left_out = item.element.decided(DecisionKind.LEFT_OUT)
        if left_out is not None and item.entry.disposition is Disposition.REMOVE:
            alike.setdefault(left_out.reason, []).append(item.element)
    for reason, elements in alike.items():
        yield Construct(
            "Instructions for the source runtime"
            if len(elements) > 1
            else "Instruction for the source runtime",
            counted(len(elements), "line") if len(elements) > 1 else "",
            (),
            inline(reason),
            "Rewrite what you need for your host in the workspace and convert again, or keep it with another"
            " disposition.",
            tuple(f"{code_span(each.location)}: {inline(plain_text(each.statement))}" for each in elements),
        )


def _wiki(committed: CommittedPlan) -> Iterator[Construct]:
    pages = in_role(committed, ElementRole.MEMORY_PAGE)
    linked = [page.source_file for page in pages if _has_wikilinks(page)]
    if linked:
        yield Construct(
            "Wikilink rewriting",
            f"{counted(len(linked), 'page')} with `[[wikilinks]]`",
            tuple(linked),
            "Mellea has no wiki; links are kept as text and are not rewritten when a page is renamed.",
            "Write `rewrite_wikilinks` in `constrained_slots.py`, which raises until then (`SETUP.md` §8).",
        )
    claims = [page.source_file for page in pages if _has_claims(page)]
    if claims:
        yield Construct(
            "`claims:` frontmatter",
            f"{counted(len(claims), 'page')} with structured claims",
            tuple(claims),
            "How claims compose and how far they hold is not documented; they are kept as opaque metadata.",
            "Read them in your `recall_memory` if you rely on them.",
        )


def _has_wikilinks(page: Element) -> bool:
    return bool(page.facts[MemoryPageFact].wikilinks or _WIKILINK.search(page.content_full))


def _has_claims(page: Element) -> bool:
    return bool(page.facts[MemoryPageFact].claims or _CLAIMS.search(page.content_full))


def _without_dialect(committed: CommittedPlan) -> Iterator[Construct]:
    """Yield a row for each runtime without a dialect of its own."""
    for runtime in committed.classification.dialect_runtimes:
        files = [file for file in committed.inventory.files if runtime in file.runtimes]
        if files and runtime not in committed.runtime_titles:
            known = runtime != UNKNOWN_RUNTIME
            title = inline(runtime_title(runtime, committed)) if known else "The source's runtime"
            yield Construct(
                f"{title}: everything beyond its texts",
                f"{counted(len(files), 'file')} read by general rules",
                tuple(file.path for file in files),
                f"There is no dialect for {title} yet: control flow, memory, hand-overs and schedules were not read."
                if known
                else "The runtime was not recognised, so no rule of its own could be applied.",
                "Compare `intermediate/inventory.json` with the source, and add what is missing in the wizard.",
            )


def _native_adapter(committed: CommittedPlan) -> Iterator[Construct]:
    if Runtime.OPENCLAW in committed.classification.dialect_runtimes:
        guide = (
            f"Follow “{OPENCLAW_ADAPTER.title}” in `SETUP.md` to run the package under OpenClaw."
            if setup_guide_needed(committed)
            else "Call the package's program from an OpenClaw skill or hook if you want it there."
        )
        yield Construct(
            "OpenClaw-native host adapter",
            f"The source is an {runtime_title(Runtime.OPENCLAW, committed)} workspace",
            (),
            "The package is neutral Python for Mellea; no `openclaw.json` and no workspace files are emitted.",
            guide,
        )


REPORT: Final = "mapping_report.md"

_ABOVE_THE_PACKAGE: Final = (".env.example", "pyproject.toml")

Places = dict[str, dict[str, Sequence[LineProvenance]]]
"""The line ranges of each element in the emitted files, by file and `element_id`."""


class MappingGroup(Struct, frozen=True):
    """The table rows of the elements in one file; an empty `file` is for elements that are in no file."""

    file: str
    rows: str


class Ending(Struct, frozen=True):
    """The end of a table row, shared by many elements: their target and disposition.

    `group` is the file that lists them, `""` if they are in no file; `file` and `symbol` are the target of the link.
    `before` and `after` surround the link to the line.
    """

    group: str
    file: str
    symbol: str
    before: str
    after: str

    @property
    def whole(self) -> str:
        """Return the end of the row without a link."""
        named = code_cell(self.file) if self.group and not self.symbol else ""
        return f"{self.before}{named}{self.after}"

    def linked(self, link: str) -> str:
        """Return the end of the row with the link to its line."""
        return f"{self.before}{'' if self.symbol else code_cell('')} {link}{self.after}"


class Row(Struct, frozen=True):
    """The table row of one element: its own text and its ending."""

    said: str
    ending: Ending


class LineLinks:
    """Builds links to lines of one file of the package.

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


def mapping_groups(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[MappingGroup]:
    """Return the rows of the element mapping, grouped by target file."""
    places = _places(emitted, committed.package_name)
    folder, links = f"{committed.package_name}/", cache(LineLinks)
    code = {file.path.removeprefix(folder): file.data for file in emitted if file.path.endswith(".py")}
    mappings, entries = committed.mapping.by_element, committed.plan.by_element
    grouped: dict[str, list[str]] = {}
    nowhere: dict[str, Sequence[LineProvenance]] = {}
    for element in committed.inventory.elements:
        mapping = mappings.get(element.element_id)
        if mapping is None or is_mark_up(element, mapping):
            continue
        row = _row(element, mapping, entries.get(element.element_id))
        ending = row.ending
        line = 0
        if ending.group:
            found = places.get(ending.file, nowhere).get(element.element_id, ())
            line = _line_to_show(lines_of_names(code.get(ending.file, b"")).get(ending.symbol, 0), found)
        end = ending.linked(links(ending.file).line(line)) if line else ending.whole
        grouped.setdefault(ending.group, []).append(row.said + end)
    files = sorted(grouped, key=lambda file: (file == "", file == REPORT, file))
    return [MappingGroup(file, "\n".join(grouped[file])) for file in files]


def is_mark_up(element: Element, mapping: MappingEntry) -> bool:
    """Return whether an element is only a heading, a separator or the header of a table."""
    return mapping.primitive == "none" and not mapping.note and element.rationale.endswith(_MARK_UP)


_MARK_UP: Final = (".heading", ".markup", ".section.empty")


def trails(emitted: Sequence[EmittedFile], package: str) -> str:
    """Return the rows of the provenance appendix: ranges of emitted lines and their source lines."""
    return "\n".join(_trails(emitted, package))


def _row(element: Element, mapping: MappingEntry, entry: PlanEntry | None) -> Row:
    shown = element
    said = f"{_located(shown.element_id, shown.location)} {cell(shown.content_summary)} |"
    group = _final_file(mapping, entry)
    if not group:
        ending = Ending("", "", "", "", f" {cell(mapping.note or asks_for_nothing(shown.rationale))} |")
    else:
        target = entry.target if entry else f"{mapping.target_file}:{mapping.target_symbol}"
        disposition, decided_by = (entry.disposition, entry.source_of_decision) if entry else (None, None)
        construct = mapping.mellea_construct
        ending = _ending(group, target, shown.tag, shown.category, construct, disposition, decided_by)
    return Row(said, ending)


def _located(element_id: str, location: str) -> str:
    return f"| {element_id} | {code_cell(location)} |"


@lru_cache(maxsize=256)  # most rules share a few endings
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
    """Return the line ranges of each element in the emitted files."""
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
    """Return the line that defines a symbol if it comes from the element, else the next line that does."""
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
        for mark in _joined(file.provenance):
            source = f"{mark.source_file}:{mark.source_lines}"
            yield f"| {links.lines(mark.first, mark.last)} {_located(mark.element_id, source)}"


def _joined(provenance: Iterable[LineProvenance]) -> list[LineProvenance]:
    """Return the line ranges in order; adjacent ranges of one element are joined."""
    marks = list(provenance)
    joined: list[LineProvenance] = []
    if len({found.element_id for found in marks}) == len(marks):
        return sorted(marks)
    for found in sorted(marks, key=lambda found: (found.element_id, found.first, found.last)):
        previous = joined[-1] if joined else None
        if previous and previous.element_id == found.element_id and found.first <= previous.last + 1:
            joined[-1] = replace(previous, last=max(previous.last, found.last))
        else:
            joined.append(found)
    return sorted(joined)
