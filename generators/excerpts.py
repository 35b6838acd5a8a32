"""Excerpts of source files: chosen elements as they are written, below the headings and lead-ins that they stand under.

Numbers, nesting, tables and fences stay as the source has them, so that an order of work keeps its order. What isn't
chosen leaves no trace: the title of the file, removed lines. What is nested in a removed line takes its place.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.package_shape import inlined_words, of_kind, statement_of

_NUMBER: Final = LazyRegex(r"\s*(?P<number>\d{1,3})[.)\u3001]")
_WORDED: Final = (EntryKind.RULE, EntryKind.TOOL_NARRATIVE, EntryKind.STEP)
"""Kinds whose text may be part of an order; code does the rest of the work."""


def in_their_order(
    committed: CommittedPlan, items: Sequence[PlannedElement], *, without: Iterable[PlannedElement] = ()
) -> list[PlannedElement]:
    """Return elements together with the rules and tool texts of the numbered lists they belong to, in source order.

    Args:
        committed: The committed plan.
        items: The elements that a text is made of.
        without: Elements whose lists are already whole elsewhere.
    """
    wanted, done = set(_ids(items)), set(_ids(without))
    found = {item.position: item for item in items}
    for order in _numbered_lists(committed):
        ids = set(_ids(order))
        if ids & wanted and not ids & done:
            found |= {item.position: item for item in order if item.entry.kind is not EntryKind.STEP}
    return [found[position] for position in sorted(found)]


def orders_by_element(committed: CommittedPlan) -> dict[str, list[PlannedElement]]:
    """Return the rules and tool texts of the numbered list that each element belongs to, by its id."""
    return {
        name: [item for item in order if item.entry.kind is not EntryKind.STEP]
        for order in _numbered_lists(committed)
        for name in _ids(order)
    }


def _ids(items: Iterable[PlannedElement]) -> list[str]:
    return [item.element.element_id for item in items]


def _numbered_lists(committed: CommittedPlan) -> Iterator[list[PlannedElement]]:
    """Yield the elements of each numbered list, in source order."""
    run: list[PlannedElement] = []
    for item in of_kind(committed, _WORDED, Disposition.BUNDLE):
        if item.element.scope:
            continue
        if run and not _continues(run, item):
            yield run
            run = []
        if run or _number(item):
            run.append(item)
    yield run


def _continues(run: Sequence[PlannedElement], item: PlannedElement) -> bool:
    """Return whether an element is the next item of a list, or stands indented below one."""
    before, element = run[-1].element, item.element
    if (before.source_file, before.section) != (element.source_file, element.section):
        return False
    return _number(item) > max(map(_number, run)) or element.content_full[:1] in (" ", "\t")


def _number(item: PlannedElement) -> int:
    """Return the number of an item in a numbered list, 0 for other elements."""
    found = _NUMBER.match(item.element.content_full) if item.element.kind == "item" else None
    return int(found["number"]) if found else 0


_LEADS: Final = ("lead_in", "table_header")
_MOST_LEADS: Final = 8
"""How many lead-ins and table headers an element is looked for under; lists nest less deeply."""
_TITLE: Final = re.compile(r"\s{0,3}#(?!#)|[^\n]*\n\s*=+\s*$")
_ARGUMENT: Final = re.compile(r"\$\{?\w+\}?(?:\[\d+\])?")
_MARKER: Final = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)]|#{1,6})[ \t]+)?")
"""The indentation and the marker of a line, which hold no secret."""


class _File(Struct, frozen=True):
    """The elements of a file.

    Attributes:
        elements: All of them.
        titles: The ids of the headings that are its title.
        places: Where each element stands, by its id.
        sections: The id of the outermost heading above each, `""` below the title only.
        starts: Where the outermost section of each begins.
    """

    elements: Sequence[Element]
    titles: Collection[str]
    places: dict[str, int]
    sections: dict[str, str]
    starts: dict[str, int]


class Excerpts:
    """Makes excerpts of the files of one workspace; one of a section looks at that section only."""

    def __init__(self, committed: CommittedPlan) -> None:
        self._snapshot = committed.snapshot
        self._removed = {
            item.element.element_id
            for item in committed.planned
            if item.entry.disposition is Disposition.REMOVE
        }
        self._elements: dict[str, list[Element]] = {}
        for element in committed.inventory.elements:
            self._elements.setdefault(element.source_file, []).append(element)
        self._files: dict[str, _File] = {}

    def section_of(self, element: Element) -> str:
        """Return the id of the outermost heading above an element, `""` if only the title of its file is."""
        return self._file(element.source_file).sections[element.element_id]

    def parents_of(self, items: Iterable[PlannedElement]) -> set[str]:
        """Return the ids of the items of lists that elements are nested in."""
        by_file: dict[str, set[str]] = {}
        for item in items:
            by_file.setdefault(item.element.source_file, set()).add(item.element.element_id)
        return {found for file, ids in by_file.items() for found in _parents_of(self._around(file, ids), ids)}

    def of(self, items: Iterable[PlannedElement], *, below: tuple[str, ...] = ()) -> str:
        """Return the text of elements as their files have it, file by file.

        Args:
            items: The elements, in source order within each file.
            below: Headings that aren't shown.
        """
        lines: list[str] = []
        for file, found in groupby(items, key=lambda item: item.element.source_file):
            chosen = {item.element.element_id: item.element for item in found}
            elements = [chosen.get(each.element_id, each) for each in self._around(file, chosen)]
            source = self._snapshot.file(file) if file.endswith(".md") else None
            text = source.lines if source is not None else None
            shown = {
                element.element_id
                for element in with_structure(elements, set(chosen), self._removed, self._file(file).titles)
                if element.element_id in chosen or element.kind != "heading" or title_of(element) not in below
            }
            lines += ["", *_lines(elements, shown, text)] if lines else _lines(elements, shown, text)
        return "\n".join(lines)

    def _around(self, file: str, ids: Iterable[str]) -> Sequence[Element]:
        """Return the elements of a file from the outermost section of the first of some to the last of them."""
        known = self._file(file)
        ids = list(ids)
        first, last = min(known.starts[each] for each in ids), max(known.places[each] for each in ids)
        return known.elements[first : last + 1]

    def _file(self, path: str) -> _File:
        if path not in self._files:
            self._files[path] = _read(self._elements[path])
        return self._files[path]


def _read(elements: Sequence[Element]) -> _File:
    titles = _titles(elements)
    headings: list[Element] = []
    start = 0
    sections: dict[str, str] = {}
    starts: dict[str, int] = {}
    for place, element in enumerate(elements):
        if element.kind == "heading":
            headings = [found for found in headings if len(found.section) < len(element.section)]
            start = start if headings else place
            headings += [] if element.element_id in titles else [element]
        sections[element.element_id] = headings[0].element_id if headings else ""
        starts[element.element_id] = start
    places = {element.element_id: place for place, element in enumerate(elements)}
    return _File(elements, titles, places, sections, starts)


def excerpt(committed: CommittedPlan, items: Sequence[PlannedElement], *, below: tuple[str, ...] = ()) -> str:
    """Return the text of elements as their files have it, as `Excerpts.of` does."""
    return Excerpts(committed).of(items, below=below)


def with_structure(
    elements: Iterable[Element],
    chosen: Collection[str],
    removed: Collection[str] = (),
    titles: Collection[str] | None = None,
) -> Iterator[Element]:
    """Yield the chosen elements of a file, and before each the structure above it that none before it stood under.

    Args:
        elements: The elements of the file, or of a part of it.
        chosen: The ids of those to yield.
        removed: The ids of those that are in no excerpt.
        titles: The ids of the headings that are the title of the file, if `elements` are a part of it.
    """
    elements = list(elements)
    titles = _titles(elements) if titles is None else titles
    headings: list[Element] = []
    leads: list[Element] = []
    for element in elements:
        if element.kind == "heading":
            headings = [found for found in headings if len(found.section) < len(element.section)]
            leads = []
        if element.element_id in chosen:
            above = [found for found in (*headings, *leads) if _stands_above(found, element)]
            yield from above
            yield element
            headings = [found for found in headings if found not in above]
            leads = [found for found in leads if found not in above]
        elif element.kind == "heading":
            headings += [] if element.element_id in titles or element.element_id in removed else [element]
        elif element.kind in _LEADS and element.element_id not in removed:
            leads = [*leads, element][-_MOST_LEADS:]


def _parents_of(elements: Iterable[Element], chosen: Collection[str]) -> set[str]:
    """Return the ids of the items of a file that the chosen elements are nested in."""
    parents: list[tuple[int, str]] = []
    found: set[str] = set()
    for element in elements:
        indent = _indent(element.content_full.partition("\n")[0])
        while parents and parents[-1][0] >= indent:
            parents.pop()
        if element.element_id in chosen:
            found.update(parent for _, parent in parents)
        if element.kind == "item":
            parents.append((indent, element.element_id))
    return found


def title_of(structure: Element) -> str:
    """Return the words of a heading or lead-in as `section` and `context` have them."""
    return plain_text(statement_of(structure)).rstrip(":：")


def _titles(elements: Sequence[Element]) -> set[str]:
    """Return the ids of the headings that are the title of their file: the stock one, the only one, or its name."""
    first = [
        element for element in elements if element.kind == "heading" and _TITLE.match(element.content_full)
    ]
    own = [element for element in first if not element.template]
    named = [found for found in own if found.statement.startswith(found.source_file)]
    return {found.element_id for found in first if found not in own or len(own) == 1 or found in named}


def _stands_above(structure: Element, element: Element) -> bool:
    """Return whether a heading, lead-in or table header is one of an element's."""
    if structure.kind == "table_header":
        return element.kind == "table_row" and structure.section == element.section
    if structure.kind == "heading":
        path = (*structure.section, title_of(structure))
        return tuple(each.rstrip(":：") for each in element.section[: len(path)]) == tuple(
            each.rstrip(":：") for each in path
        )
    if structure.section != element.section[: len(structure.section)]:
        return False
    return title_of(structure) in (plain_text(each).rstrip(":：") for each in element.context)


class _Parent(Struct, frozen=True):
    """An element that others may be nested in.

    Attributes:
        indent: Its indentation in the source.
        place: Its indentation in the excerpt, or that of what takes its place.
        shown: Whether the excerpt has it.
    """

    indent: int
    place: int
    shown: bool


def _lines(
    elements: Iterable[Element], shown: Collection[str], source: Sequence[str] | None
) -> Iterator[str]:
    parents: list[_Parent] = []
    is_first = True
    for element in elements:
        indent = _indent(element.content_full.partition("\n")[0])
        while parents and parents[-1].indent >= indent:
            parents.pop()
        place = _place(parents, indent)
        is_shown = element.element_id in shown
        parents.append(_Parent(indent, place, is_shown))
        if not is_shown:
            continue
        if not is_first and source is not None and _stands_apart(element, source):
            yield ""
        is_first = False
        yield from _moved(_own_lines(element, written=source is not None), indent - place)


def _place(parents: Sequence[_Parent], indent: int) -> int:
    if not parents:
        return 0
    above = parents[-1]
    return above.place + (indent - above.indent if above.shown else 0)


def _stands_apart(element: Element, source: Sequence[str]) -> bool:
    """Return whether an element follows an empty line, or is a heading."""
    before = element.line_range[0] - 2
    return element.kind == "heading" or not (0 <= before < len(source) and source[before].strip())


def _own_lines(element: Element, *, written: bool) -> list[str]:
    """Return the lines of an element as they are written, or those of its statement behind its marker."""
    lines = [line.rstrip() for line in element.content_full.rstrip().split("\n")]
    if not written or _is_reworded(element):
        marker = _MARKER.match(lines[0]) if written else None
        text = statement_of(element).removeprefix(f"{element.section[-1]}: " if element.section else "")
        lines = f"{marker[0] if marker else ''}{text}".split("\n")
    words = inlined_words(element)
    return [*lines[:-1], f"{lines[-1]} ({words})"] if words else lines


def _is_reworded(element: Element) -> bool:
    """Return whether the statement has names in place of the arguments (`$1`) of the source."""
    return any(name not in element.statement for name in _ARGUMENT.findall(element.content_full))


def _moved(lines: Iterable[str], by: int) -> Iterator[str]:
    """Yield lines moved to the left by a number of columns, as far as white space allows."""
    for line in lines:
        yield " " * max(_indent(line) - by, 0) + line.lstrip(" \t") if by else line


def _indent(line: str) -> int:
    """Return the columns of white space before a line."""
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


class Guidance(Struct, frozen=True):
    """The guidance of one section.

    Attributes:
        first: The id of its first rule.
        items: Its elements, in source order, with the steps and parent items that stand among them.
        text: Their text, below its headings and lead-ins.
    """

    first: str
    items: tuple[PlannedElement, ...]
    text: str


def guidance_by_section(committed: CommittedPlan, items: Sequence[PlannedElement]) -> Iterator[Guidance]:
    """Yield guidance section by section; stock text, which stands last, has sections of its own.

    Args:
        committed: The committed plan.
        items: The rules that are guidance.
    """
    excerpts = Excerpts(committed)
    orders = orders_by_element(committed)
    rules = {item.element.element_id: item for item in of_kind(committed, EntryKind.RULE, Disposition.BUNDLE)}

    def section(item: PlannedElement) -> tuple[str, str, bool]:
        element = item.element
        return element.source_file, excerpts.section_of(element), element.template

    for _, group in groupby(items, section):
        own = list(group)
        steps = [step for item in own for step in orders.get(item.element.element_id, ())]
        parents = excerpts.parents_of((*own, *steps))
        among = (*own, *steps, *(rules[parent] for parent in parents if parent in rules))
        found = {item.position: item for item in among}
        chosen = tuple(found[position] for position in sorted(found))
        yield Guidance(own[0].element.element_id, chosen, excerpts.of(chosen))
