"""Follows references between files: inlines BOOTSTRAP.md, links wiki pages, reports files named and left out."""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.openclaw.stock_text import holds_mostly_template_lines
from melleafy_tui.core.dialects.openclaw.wiki import wikilinks
from melleafy_tui.core.language.wording import first_of, sentences, words_of
from melleafy_tui.core.language.words import WIDE_LETTERS
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import DetailsFact, InliningFact, MemoryPageFact, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.source.python_code import facts_of
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
_MOST_MODULES: Final = 3
"""Modules of a script that a finding names."""
SHARED_STATE: Final = "side-effect on shared state"

_BOOTSTRAP = re.compile(r"\bBOOTSTRAP\.md\b")
_NAMED_FILE = LazyRegex(
    r"(?<![\w./~@:*-])((?:[\w.-]+/){0,8}[\w.-]*\w\.(?:md|json5?|ya?ml|py|sh|js|ts|csv|txt|toml))(?![\w/*-])"
)
_WORD_BEFORE: Final = LazyRegex(rf"^\w*[{WIDE_LETTERS}](?=[A-Za-z])")
_ENDINGS: Final = (".md", ".js", ".y", ".py", ".sh", ".t", ".csv")
"""Every text that names a file contains one of these."""

_DOCUMENTS: Final = (".md", ".txt")
"""Endings of files that an agent reads for what they say."""

_STANDS_FOR_MANY = LazyRegex(
    r"YYYY|MM-DD|<|>|\{|\}|\*|\bfile\.|^FILE\.|example|\bfoo\b|\bname\.md|xxx", re.IGNORECASE
)
_WIKI_PATH = LazyRegex(r"(?<![\w/])memory-wiki/[\w./-]*[\w/]")
_WRITES = LazyRegex(
    r"\b(?:update|updates|updating|add|adding|record|recording|create|creating|append|write|writing|log|logging|edit|editing|save|saving|store|amend|extend|revise|maintain"
    r"|keep .{0,30} (?:current|up to date))\b|更新|记录|添加|写入|обнов|запис|actualiza|añad|atualiz|registr",
    re.IGNORECASE,
)
_READS = LazyRegex(
    r"\b(?:read|consult|check|look|search|see|use|follow|refer|recall|review|load|open|query)\w*\b|查看|参考|读取",
    re.IGNORECASE,
)


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
    _report_not_carried(result, snapshot)
    _report_modules_of_scripts(result, snapshot)
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
        names = _significant_words(section.heading)
        if names and len(section.path) > 1 and names <= spoken:
            under = [other for other in sections[place:] if other.path[: len(section.path)] == section.path]
            return section.first, under[-1].last
    return sections[0].first, sections[-1].last


def _significant_words(heading: str) -> set[str]:
    return {word for word in words_of(heading) if len(word) > 2} - _FILLER


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
            writes = _is_written(text, target)
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


def _is_written(text: str, target: str) -> bool:
    """Return whether the verb closest before a reference is one of writing."""
    said = next((sentence for sentence in sentences(text) if target in sentence), text)
    before = said[: said.find(target)]
    writes = [match.start() for match in _WRITES.finditer(before)]
    reads = [match.start() for match in _READS.finditer(before)]
    if writes or reads:
        return (writes or [-1])[-1] > (reads or [-1])[-1]
    return bool(_WRITES.search(said))


def _written(statement: str, name: str) -> bool:
    """Return whether a sentence orders the agent to write the file that it names."""
    return bool(re.search(_WRITES.text, statement.partition(name)[0].rpartition(". ")[2], re.IGNORECASE))


def _report_absent(result: References, snapshot: Snapshot) -> None:
    known = _known_names(snapshot)
    reported: set[str] = set()
    by_section: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, str]]] = {}
    for _, element in _referring(result.elements):
        for name in _named_files(element.content_full, known):
            if name in reported or name.rpartition("/")[2].casefold() in known:
                continue
            reported.add(name)
            written = name.startswith("memory/") or _written(element.statement, name)
            code = "named-file-absent-state" if written else "named-file-absent"
            place = (code, element.source_file, element.section)
            by_section.setdefault(place, []).append((name, element.source_lines))
    for (code, path, _), found in by_section.items():
        if len(found) < _MANY_ABSENT:
            result.diagnostics += [diagnose(code, path, lines, name=name) for name, lines in found]
        else:
            name = f"{found[0][0]}, {found[1][0]} and {len(found) - 2} more files"
            first, last = found[0][1].partition("-")[0], found[-1][1].rpartition("-")[2]
            result.diagnostics.append(
                diagnose(code, path, first if first == last else f"{first}-{last}", name=name)
            )


def _report_not_carried(result: References, snapshot: Snapshot) -> None:
    """Report for each file the documents that it tells to read and that are there, but in no element.

    The notes below memory/ are searched when the package runs.
    """
    there = {name for name in snapshot.names if name.endswith(_DOCUMENTS) and not name.startswith("memory/")}
    known, carried = _known_names(snapshot), {element.source_file for element in result.elements}
    places: dict[str, dict[str, str]] = {}
    for _, element in _referring(result.elements):
        without = (Category.C5,) if element.kind == "lead_in" else (Category.NONE, Category.C5)
        if element.is_left_out or element.category in without:  # a lead-in goes with its list
            continue
        for name in _named_files(element.content_full, known):
            if name in there and name not in carried and not _is_written(element.content_full, name):
                places.setdefault(element.source_file, {}).setdefault(name, element.source_lines)
                carried.add(name)
    for path, found in places.items():
        result.diagnostics.append(
            diagnose("named-file-not-carried", path, next(iter(found.values())), names=_in_words([*found]))
        )


def _in_words(names: list[str]) -> str:
    if len(names) > _MANY_ABSENT:
        names = [*names[: _MANY_ABSENT - 1], f"{len(names) - _MANY_ABSENT + 1} more files"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _report_modules_of_scripts(result: References, snapshot: Snapshot) -> None:
    """Report the scripts of tools that import modules of the workspace: a script travels without them."""
    tools: dict[str, Element] = {}
    for element in result.elements:
        tool = element.facts[ToolFact]
        if tool.subtype == "concrete_script" and tool.script.endswith(".py"):
            tools.setdefault(tool.script, element)
    if not tools:
        return
    held = {name.rstrip("/").rpartition("/")[2].removesuffix(".py") for name in snapshot.names}
    for script, element in tools.items():
        file = snapshot.file(script)
        imported = {name.partition(".")[0] for name in facts_of(file).imports} if file is not None else set()
        modules = sorted((imported & held) - sys.stdlib_module_names)
        if modules:
            result.diagnostics.append(
                diagnose(
                    "script-needs-modules",
                    element.source_file,
                    element.source_lines,
                    script=script,
                    modules=first_of(modules, _MOST_MODULES),
                )
            )


def _known_names(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(name.rpartition("/")[2].casefold() for name in snapshot.names if not name.endswith("/"))


def _named_files(text: str, known: frozenset[str]) -> Iterator[str]:
    """Yield the names in a text that name one file: no pattern, no wiki page, and no bare word but a Markdown file.

    Args:
        text: The text.
        known: The names of the workspace's files, without their folders and case. Where words aren't parted by
            spaces, the word before a name belongs to it only if such a file is there (读取SOUL.md).
    """
    if not any(ending in text for ending in _ENDINGS):
        return
    for found in _NAMED_FILE.findall(text):
        is_there = found.rpartition("/")[2].casefold() in known
        name = found if is_there else _WORD_BEFORE.sub("", found, count=1)
        is_path = "/" in name or name.endswith(".md")
        is_library = name.endswith(".js") and name.rpartition("/")[2][0].isupper()  # Express/Node.js
        if is_path and not (is_library or name.startswith("memory-wiki/") or _STANDS_FOR_MANY.search(name)):
            yield name
