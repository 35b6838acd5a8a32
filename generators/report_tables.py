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
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, MappingEntry, UnsupportedPart
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    UNKNOWN_RUNTIME,
    DecisionKind,
    Disposition,
    ElementRole,
    Runtime,
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
