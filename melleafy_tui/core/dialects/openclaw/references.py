"""Follows references between files: inlines BOOTSTRAP.md, links wiki pages, reports files named and left out."""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.named_documents import WRITES, is_written, known_names, names_in
from melleafy_tui.core.dialects.openclaw.stock_text import holds_mostly_template_lines
from melleafy_tui.core.dialects.openclaw.wiki import wikilinks
from melleafy_tui.core.language.wording import sentences, words_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import DetailsFact, InliningFact, MemoryPageFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.segments import Section, cut_sections

REFERRING_RULES: Final = frozenset(
    {"openclaw.soul", "openclaw.identity", "openclaw.agents", "openclaw.agents.scoped", "openclaw.user", "openclaw.tools",
     "openclaw.heartbeat", "openclaw.boot", "openclaw.memory"}
)  # fmt: skip
"""Files whose references are followed."""

_MANY_ABSENT: Final = 4
"""From so many absent files in one section, such as a list of documents elsewhere, they are one finding.

A finding names so many files at most.
"""
SHARED_STATE: Final = "side-effect on shared state"

_BOOTSTRAP = re.compile(r"\bBOOTSTRAP\.md\b")
_WIKI_PATH = LazyRegex(r"(?<![\w/])memory-wiki/[\w./-]*[\w/]")


class References(Struct):
    """The result of following references: changed elements and diagnostics."""

    elements: list[Element]
    diagnostics: list[Diagnostic] = field(default_factory=list)


def follow_references(elements: Sequence[Element], snapshot: Snapshot) -> References:
    """Return the elements with their references followed."""
    result = References(list(elements))
    _inline_bootstrap(result, snapshot)
    _follow_wiki(result, snapshot)
    _report_absent(result, snapshot)
    return result


def _referring(elements: Iterable[Element]) -> Iterator[tuple[int, Element]]:
    for index, element in enumerate(elements):
        if element.dialect_rule_id in REFERRING_RULES and not element.template:
            yield index, element


def _inline_bootstrap(result: References, snapshot: Snapshot) -> None:
    source = snapshot.file("BOOTSTRAP.md")
    if source is None or not source.lines:
        return
    sections = cut_sections(source)
    for index, element in _referring(result.elements):
        if (
            element.category is Category.NONE
            or element.is_left_out
            or not _BOOTSTRAP.search(element.content_full)
        ):
            continue
        first, last = _named_part(element.content_full, sections)
        if holds_mostly_template_lines(
            source.cut(first, last)
        ):  # the ritual of the first run, over for a package
            continue
        note = f"BOOTSTRAP.md:{line_range(first, last)} is inlined here, because the file deletes itself after the first run."
        inlined = InliningFact(source.path, line_range(first, last), source.cut(first, last))
        result.elements[index] = replace(
            element, facts=element.facts.adding(inlined), notes=(*element.notes, note)
        )


_FILLER: Final = frozenset({"bootstrap", "the", "and", "your", "you"})


def _named_part(text: str, sections: Sequence[Section]) -> tuple[int, int]:
    """Return the lines of the section that a text names, with its subsections, else of the whole body."""
    said = " ".join(sentence for sentence in sentences(text) if _BOOTSTRAP.search(sentence)) or text
    spoken = set(words_of(_BOOTSTRAP.sub(" ", said)))
    for place, section in enumerate(sections):
        names = {word for word in words_of(section.heading) if len(word) > 2} - _FILLER
        if names and len(section.path) > 1 and names <= spoken:
            under = [other for other in sections[place:] if other.path[: len(section.path)] == section.path]
            return section.first, under[-1].last
    return sections[0].first, sections[-1].last


def _follow_wiki(result: References, snapshot: Snapshot) -> None:
    pages = {
        element.source_file: index
        for index, element in enumerate(result.elements)
        if element.dialect_rule_id.startswith("openclaw.wiki.")
    }
    by_name = _by_name(pages)
    for index, element in _referring(result.elements):
        text = element.statement
        targets = [*wikilinks(text), *(_WIKI_PATH.findall(text) if "memory-wiki/" in text else ())]
        for target in dict.fromkeys(targets):
            page = _page_for(target, pages, by_name)
            if page is None and not target.startswith("memory-wiki/"):
                if pages or any(snapshot.below("memory-wiki/")):
                    result.diagnostics.append(
                        diagnose("wiki-page-absent", element.source_file, element.source_lines, target=target)
                    )
                continue
            writes = is_written(text, target)
            _note_reference(result, index, target, page, writes=writes)
            if page is not None and writes:
                _note_written(result, pages[page], element)
            elif page is not None:
                _note_read(result, pages[page])


def _note_reference(result: References, index: int, target: str, page: str | None, *, writes: bool) -> None:
    element = result.elements[index]
    name = "wiki_writes" if writes else "wiki_reads"
    details = element.facts[DetailsFact].details
    listed = dict.fromkeys((*details.get(name, ()), page or target))
    note = f"Writes {page or target}: {SHARED_STATE}." if writes else f"Consults {page or target}."
    notes = element.notes if note in element.notes else (*element.notes, note)
    facts = element.facts.adding(DetailsFact({**details, name: tuple(listed)}))
    result.elements[index] = replace(element, facts=facts, notes=notes)


def _note_written(result: References, index: int, by: Element) -> None:
    page = result.elements[index]
    note = f"{by.location} tells the agent to change it: {SHARED_STATE}."
    result.elements[index] = replace(page, mapping_row="wiki.write", notes=(*page.notes, note))


def _note_read(result: References, index: int) -> None:
    page = result.elements[index]
    fact = replace(page.facts[MemoryPageFact], is_read=True)
    result.elements[index] = replace(page, facts=page.facts.adding(fact))


def _by_name(pages: Iterable[str]) -> dict[str, str]:
    """Return the first page for each name: its path without the ending, starting at any folder."""
    found: dict[str, str] = {}
    for path in pages:
        stem = path.removesuffix(".md").casefold()
        while stem not in found:
            found[stem] = path
            _, slash, stem = stem.partition("/")
            if not slash:
                break
    return found


def _page_for(target: str, pages: Iterable[str], by_name: Mapping[str, str]) -> str | None:
    wanted = "-".join(target.casefold().removesuffix(".md").strip("/").split())
    if wanted in by_name:
        return by_name[wanted]
    if target.startswith("memory-wiki/"):
        return next((path for path in pages if path.startswith(target.rstrip("/") + "/")), None)
    return None


def _report_absent(result: References, snapshot: Snapshot) -> None:
    known = known_names(snapshot)
    reported: set[str] = set()
    by_section: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, str]]] = {}
    for _, element in _referring(result.elements):
        for name in names_in(element.content_full, known):
            is_path = "/" in name or name.endswith(".md")
            if not is_path or name in reported or name.rpartition("/")[2].casefold() in known:
                continue
            reported.add(name)
            ordered = element.statement.partition(name)[0].rpartition(". ")[2]
            written = name.startswith("memory/") or re.search(WRITES.text, ordered, re.IGNORECASE)
            code = "named-file-absent-state" if written else "named-file-absent"
            place = (code, element.source_file, element.section)
            by_section.setdefault(place, []).append((name, element.source_lines))
    for (code, path, _), found in by_section.items():
        if len(found) < _MANY_ABSENT:
            result.diagnostics += [diagnose(code, path, lines, name=name) for name, lines in found]
        else:
            name = f"{found[0][0]}, {found[1][0]} and {len(found) - 2} more files"
            first, last = found[0][1].partition("-")[0], found[-1][1].rpartition("-")[2]
            lines = line_range(int(first), int(last))
            result.diagnostics.append(diagnose(code, path, lines, name=name))
