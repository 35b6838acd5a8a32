"""Builds the tables of the mapping report: where each element went, what isn't reproduced, and the provenance.

Rows of sections 8 and 9 say what was declared, why it isn't reproduced, and what to do; most come from the dialects.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
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
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, MappingEntry
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    UNKNOWN_RUNTIME,
    DecisionKind,
    Disposition,
    ElementRole,
    Runtime,
)
from melleafy_tui.core.package.setup_sections import OPENCLAW_ADAPTER, setup_guide_needed
from melleafy_tui.core.tables import table_beside
from melleafy_tui.generators.labels import DECIDED_BY, asks_for_nothing, counted, runtime_title
from melleafy_tui.generators.markdown_text import cell, code_cell, code_span, inline
from melleafy_tui.generators.package_shape import in_role
from melleafy_tui.generators.provenance import lines_of_names

_WORDS: Final = table_beside(__file__, "constructs.toml")
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


def not_reproduced(committed: CommittedPlan) -> list[Construct]:
    """Return the rows of section 8, "not reproduced"."""
    return [
        *_found(committed, NOT_REPRODUCED),
        *_active_hours(committed),
        *_mapped(committed, NOT_REPRODUCED),
        *_inlinings(committed),
        *_left_out(committed),
    ]


def deferred(committed: CommittedPlan) -> list[Construct]:
    """Return the rows of section 9, "deferred"."""
    return [
        *_mapped(committed, DEFERRED),
        *_found(committed, DEFERRED),
        *_wiki(committed),
        *_without_dialect(committed),
        *_native_adapter(committed),
    ]


def _written(name: str, places: Iterable[str] = (), each: Iterable[str] = (), **said: str) -> Construct:
    """Return a row in the words of the table; `said` is what stands in them."""
    texts = {field: text.format(**said) for field, text in _WORDS[name].items()}
    return Construct(**texts, places=tuple(places), each=tuple(each))


def _active_hours(committed: CommittedPlan) -> Iterator[Construct]:
    schedule = committed.classification.schedule
    if schedule.active_hours:
        places = [f"{schedule.file}:{schedule.lines}"] if schedule.file else []
        yield _written("active_hours", places, hours=inline(schedule.active_hours))


def _found(committed: CommittedPlan, section: str) -> Iterator[Construct]:
    """Yield the constructs that dialects found besides elements; those with the same text share a row."""
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for found in committed.inventory.unsupported:
        if found.section == section:
            alike.setdefault((found.title, found.declared, found.why, found.to_do), []).extend(found.places)
    for (title, declared, why, to_do), places in alike.items():
        yield Construct(title, inline(declared), tuple(places), why, to_do)


def _mapped(committed: CommittedPlan, section: str) -> Iterator[Construct]:
    """Yield what mapping rows describe as unsupported, and what others send to the section, none silently."""
    told = {row.row_id: row.unsupported for row in committed.mapping_rows.values() if row.unsupported}
    told = {name: part for name, part in told.items() if part.section == section}
    for name, part in told.items():
        found = [element for element in committed.inventory.elements if element.mapping_row == name]
        if found:
            yield _construct(part.title, part.why, part.to_do, found)
    by_id = committed.inventory.by_id
    for entry in committed.plan.entries:
        found = [by_id[element] for element in entry.source_elements if element in by_id]
        is_sent = entry.disposition is Disposition.REMOVE and section in entry.target
        if not is_sent or not found or not told.keys().isdisjoint(element.mapping_row for element in found):
            continue
        to_do = "Reproduce it in your host if you rely on it."
        construct = _construct(inline(entry.summary), inline(entry.reason), to_do, found)
        if len(found) == 1:  # `label: value` is split in two, so that the title doesn't repeat it
            label, _, declared = found[0].content_summary.partition(": ")
            construct = replace(construct, title=inline(label), declared=inline(declared))
        yield construct


def _construct(title: str, why: str, to_do: str, elements: Sequence[Element]) -> Construct:
    declared = "; ".join(inline(element.content_summary) for element in elements[:5])
    declared += f"; and {len(elements) - 5:,} more" if len(elements) > 5 else ""
    return Construct(title, declared, tuple(element.location for element in elements), why, to_do)


_IN_PACKAGE: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK, Disposition.REAL_IMPL)
"""Dispositions with which the text of an element stands in a file of the package."""


def _inlinings(committed: CommittedPlan) -> Iterator[Construct]:
    by_id, entries = committed.inventory.by_id, committed.plan.by_element
    for inlining in committed.mapping.inlinings:
        element, entry = by_id.get(inlining.element_id), entries.get(inlining.element_id)
        if entry is None or entry.disposition not in _IN_PACKAGE:
            continue  # what its place refers to stays outside, too
        reader = f" into {inline(element.content_summary)} ({element.location})" if element else ""
        yield _written("inlining", [f"{inlining.source_file}:{inlining.source_lines}"], reader=reader)


def _left_out(committed: CommittedPlan) -> Iterator[Construct]:
    """Yield a row for each reason why lines are left out, with all of them."""
    alike: dict[str, list[Element]] = {}
    for item in committed.planned:
        left_out = item.element.decided(DecisionKind.LEFT_OUT)
        if left_out is not None and item.entry.disposition is Disposition.REMOVE:
            alike.setdefault(left_out.reason, []).append(item.element)
    for reason, elements in alike.items():
        lines = [f"{code_span(each.location)}: {inline(plain_text(each.statement))}" for each in elements]
        many = len(lines) > 1
        said = {"s": "s" if many else "", "count": counted(len(lines), "line") if many else ""}
        yield _written("left_out", each=lines, why=inline(reason), **said)


def _wiki(committed: CommittedPlan) -> Iterator[Construct]:
    pages = in_role(committed, ElementRole.MEMORY_PAGE)
    for name, holds in (("wikilinks", _has_wikilinks), ("claims", _has_claims)):
        if found := [page.source_file for page in pages if holds(page)]:
            yield _written(name, found, pages=counted(len(found), "page"))


def _has_wikilinks(page: Element) -> bool:
    return bool(page.facts[MemoryPageFact].wikilinks or _WIKILINK.search(page.content_full))


def _has_claims(page: Element) -> bool:
    return bool(page.facts[MemoryPageFact].claims or _CLAIMS.search(page.content_full))


def _without_dialect(committed: CommittedPlan) -> Iterator[Construct]:
    """Yield a row for each runtime without a dialect of its own."""
    for runtime in committed.classification.dialect_runtimes:
        files = [file for file in committed.inventory.files if runtime in file.runtimes]
        if files and runtime not in committed.runtime_titles:
            name = "unrecognised" if runtime == UNKNOWN_RUNTIME else "no_dialect"
            said = {"title": inline(runtime_title(runtime, committed)), "files": counted(len(files), "file")}
            yield _written(name, [file.path for file in files], **said)


def _native_adapter(committed: CommittedPlan) -> Iterator[Construct]:
    if Runtime.OPENCLAW in committed.classification.dialect_runtimes:
        name = "native_adapter" if setup_guide_needed(committed) else "native_adapter_alone"
        said = {"runtime": runtime_title(Runtime.OPENCLAW, committed), "section": OPENCLAW_ADAPTER.title}
        yield _written(name, **said)


REPORT: Final = "mapping_report.md"

_ABOVE_THE_PACKAGE: Final = (".env.example", "pyproject.toml")


def mapping_groups(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> dict[str, str]:
    """Return the rows of the element mapping by target file; those of elements in no file come last, by `""`."""
    files = {file.path.removeprefix(f"{committed.package_name}/"): file for file in emitted}
    places = {path: _by_element(file) for path, file in files.items()}
    mappings, entries = committed.mapping.by_element, committed.plan.by_element
    grouped: dict[str, list[str]] = {}
    for element in committed.inventory.elements:
        mapping = mappings.get(element.element_id)
        if mapping is None or is_mark_up(element, mapping):
            continue
        entry = entries.get(element.element_id)
        file, _, symbol = _target(mapping, entry).partition(":")
        row = f"{_located(element.element_id, element.location)} {cell(element.content_summary)} |"
        if not file:
            grouped.setdefault("", []).append(
                f"{row} {cell(mapping.note or asks_for_nothing(element.rationale))} |"
            )
            continue
        line = 0
        if found := files.get(file):
            defined = lines_of_names(found.data).get(symbol, 0) if file.endswith(".py") else 0
            line = _line_to_show(defined, places[file].get(element.element_id, ()))
        place = code_cell(symbol) if symbol or line else code_cell(file)
        place += f" {_link(file, line)}" if line else ""
        construct = cell(mapping.mellea_construct)
        decided = f"{entry.disposition.value} | {DECIDED_BY[entry.source_of_decision]}" if entry else "– | –"
        row += f" {element.tag.value} | {element.category.value} | {place} | {construct} | {decided} |"
        grouped.setdefault(file, []).append(row)
    ordered = sorted(grouped, key=lambda file: (file == "", file == REPORT, file))
    return {file: "\n".join(grouped[file]) for file in ordered}


def is_mark_up(element: Element, mapping: MappingEntry) -> bool:
    """Return whether an element is only a heading, a separator or the header of a table."""
    return mapping.primitive == "none" and not mapping.note and element.rationale.endswith(_MARK_UP)


_MARK_UP: Final = (".heading", ".markup", ".section.empty")


def _target(mapping: MappingEntry, entry: PlanEntry | None) -> str:
    """Return file and symbol of an element in the package, or `""`."""
    if entry is not None:
        return entry.target
    file = mapping.final_target_file or mapping.target_file
    return "" if mapping.primitive == "none" else f"{file}:{mapping.target_symbol}"


def _located(element_id: str, location: str) -> str:
    return f"| {element_id} | {code_cell(location)} |"


def _link(path: str, first: int, last: int = 0) -> str:
    """Return a link to lines of a file of the package."""
    url = f"../{path}" if path in _ABOVE_THE_PACKAGE else quote(path)
    lines, ends = (f"{first}-{last}", f"{first}-L{last}") if last > first else (str(first), str(first))
    return f"[{code_span(f'{path}:{lines}')}]({url}#L{ends})"


def _by_element(file: EmittedFile) -> dict[str, list[LineProvenance]]:
    found: dict[str, list[LineProvenance]] = {}
    for mark in file.provenance:
        found.setdefault(mark.element_id, []).append(mark)
    return found


def _line_to_show(defined: int, stretches: Sequence[LineProvenance]) -> int:
    """Return the line that defines a symbol if it comes from the element, else the next line that does."""
    if any(found.first <= defined <= found.last for found in stretches):
        return defined
    lines = [found.first for found in stretches]
    return min((line for line in lines if line >= defined), default=0) or min(lines, default=0) or defined


def trails(emitted: Sequence[EmittedFile], package: str) -> str:
    """Return the rows of the provenance appendix: ranges of emitted lines and their source lines."""
    return "\n".join(
        f"| {_link(file.path.removeprefix(f'{package}/'), mark.first, mark.last)} "
        + _located(mark.element_id, f"{mark.source_file}:{mark.source_lines}")
        for file in sorted(emitted, key=attrgetter("path"))
        for mark in _joined(file)
    )


def _joined(file: EmittedFile) -> list[LineProvenance]:
    """Return the line ranges of a file in order; adjacent ranges of one element are joined."""
    joined: list[LineProvenance] = []
    for marks in _by_element(file).values():
        for number, found in enumerate(sorted(marks)):
            if number and found.first <= joined[-1].last + 1:
                joined[-1] = replace(joined[-1], last=max(joined[-1].last, found.last))
            else:
                joined.append(found)
    return sorted(joined)
