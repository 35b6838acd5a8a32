"""The owner's documents as they stand: which lines go into which text of the package, verbatim and in order.

A text such as the rules or the persona is made of pieces: consecutive lines of one file, with the blank lines behind
them. Headings, lead-ins, links and dates go with the text that they stand above or among, so that joined pieces are
the document without what was left out. No line is in two texts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ArgumentFact, StepFact
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Disposition, EntryKind
from melleafy_tui.core.package.naming import with_argument_names
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.provenance import SourceRange
from melleafy_tui.generators.schedule_rows import checklist_items

PERSONA: Final = "persona"
RULES: Final = "rules"
USER: Final = "user"
GUIDANCE: Final = "guidance"
WAKE_UPS: Final = "checklist"
OUT: Final = ""
"""The text of what is in none: it was left out, or is a constant, a task or a function."""

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_ARGUMENT: Final = re.compile(r"\$\{?\w+\}?(?:\[\d+\])?")
_FENCE: Final = re.compile(r"[ \t>]*(?:[-*+] +)?(```+|~~~+)")
_FRONTMATTER: Final = ("frontmatter", "field", "grant")
"""Kinds of elements that are keys for a runtime and no text, but for those with an entry of their own."""
_STRUCTURE: Final = ("heading", "lead_in", "table_header")
_ANYWHERE: Final = (
    EntryKind.CREDENTIAL,
    EntryKind.MEMORY,
    EntryKind.STATE,
    EntryKind.TOOL_ABSTRACT,
    EntryKind.TOOL_CONCRETE,
)
"""Kinds of entries that code acts on; their words stay in the text that they stand in."""


class Piece(Struct, frozen=True):
    """Consecutive lines of a file.

    Attributes:
        text: The lines as they stand, line ends included.
        source: Where they stand.
        elements: The element that each line belongs to, or None.
        item: The rule that they are, if they were asked for apart.
        note: What the comment on their origin adds.
    """

    text: str
    source: SourceRange
    elements: tuple[Element | None, ...]
    item: PlannedElement | None = None
    note: str = ""

    @property
    def file(self) -> str:
        """Return the file that the piece is a part of; that of an inlined text is the one that refers to it."""
        first = self.elements[0] if self.note else None
        return first.source_file if first is not None else self.source.file

    @property
    def place(self) -> str:
        """Return where the piece stands, and where an inlined text comes from."""
        first = self.elements[0] if self.note else None
        return f"{first.location}, {self.source.location}" if first is not None else self.source.location


def scoped(scope: str) -> str:
    """Return the text of the rules of a scope."""
    return f"{RULES}/{scope}" if scope else RULES


def step_text(name: str) -> str:
    """Return the text of a step."""
    return f"step/{name}"


def persona_text(name: str) -> str:
    """Return the text of a persona of a procedure; `""` is the package's own."""
    return f"{PERSONA}/{name}" if name else PERSONA


def text_of(pieces: Iterable[Piece]) -> str:
    """Return the joined text of pieces; those of different files stand apart by an empty line."""
    return joined(pieces)[0]


def joined(pieces: Iterable[Piece]) -> tuple[str, list[tuple[int, Piece]]]:
    """Return the joined text of pieces, and each with the number of lines above it."""
    text, file = "", ""
    places: list[tuple[int, Piece]] = []
    for piece in pieces:
        if text and piece.file != file:
            text = text.rstrip("\r\n") + "\n\n"
        places.append((text.count("\n"), piece))
        text += piece.text
        file = piece.file
    return text, places


class Documents:
    """The texts of a package.

    Args:
        committed: The committed plan.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self.committed = committed
        listed = {item.element.element_id for item in checklist_items(committed)}
        facts = (element.facts[ArgumentFact] for element in committed.inventory.elements)
        self._arguments = [fact.argument for fact in facts if fact.argument]
        self._inlinings = {found.element_id: found for found in committed.mapping.inlinings}
        self._items = {item.element.element_id: item for item in committed.planned}
        self._texts = {name: _text_of_item(item, listed) for name, item in self._items.items()}
        self._files: dict[str, list[Element]] = {}
        for element in committed.inventory.elements:
            if element.kind != PART and not shape.is_secret(element):
                self._files.setdefault(element.source_file, []).append(element)
        self._cuts: dict[tuple[str, frozenset[str], frozenset[str]], tuple[Piece, ...]] = {}

    def pieces(
        self, text: str, *, apart: Iterable[str] = (), without: Iterable[str] = ()
    ) -> tuple[Piece, ...]:
        """Return the pieces of a text, file by file in source order; most cuts are asked for by several files.

        Args:
            text: The text.
            apart: The ids of elements whose lines are pieces of their own.
            without: The ids of elements that are left out.
        """
        asked = (text, frozenset(apart), frozenset(without))
        if asked not in self._cuts:
            self._cuts[asked] = tuple(self._cut_out(*asked))
        return self._cuts[asked]

    def _cut_out(self, text: str, alone: frozenset[str], without: frozenset[str]) -> Iterator[Piece]:
        known = {**self._texts, **dict.fromkeys(without, OUT)}
        found: list[Piece] = []
        for file, elements in self._files.items():
            if any(known.get(element.element_id) == text for element in elements):
                found += self._of_file(file, elements, text, alone, known)
        return _once(found)

    def _of_file(
        self,
        file: str,
        elements: Sequence[Element],
        text: str,
        alone: frozenset[str],
        known: Mapping[str, str | None],
    ) -> Iterator[Piece]:
        source = self.committed.snapshot.file(file)
        if source is None or source.text is None or not file.endswith(".md"):
            kept = [each for each in elements if known.get(each.element_id) == text]
            for element in sorted(kept, key=lambda each: each.facts[StepFact].rank):
                # the form of other files says nothing to a model
                own = text == PERSONA or StepFact in element.facts
                yield self._said(element, element.value if own else "")
            return
        lines = self._named(_LINE.findall(source.text), elements)
        # a tool is offered by some steps only, so that all are told its line
        in_steps = self.committed.inventory.procedure is not None
        texts = _texts_of_lines(lines, elements, known, {} if in_steps else self._items)
        owners = _owners(elements, len(lines))
        for element in elements:  # a field of the frontmatter, whose value is the text
            if element.value and text == PERSONA and known.get(element.element_id) == text:
                yield self._said(element, element.value)
                texts = [OUT if owner is element else each for each, owner in zip(texts, owners, strict=True)]
        merged = (each for each in elements if known.get(each.element_id) == text)
        for element in merged:  # which shares its lines with an element of another text
            for number in range(element.line_range[0] - 1, element.line_range[1]):
                owner = owners[number]
                if owner is not None and owner is not element and owner.line_range == element.line_range:
                    owners[number], texts[number] = element, text
        for numbers in _stretches(_kept(lines, owners, texts, text)):
            yield from self._cut(file, lines, owners, numbers, alone)

    def _named(self, lines: list[str], elements: Sequence[Element]) -> list[str]:
        """Return lines with the arguments of a command by their names, as a run is given them."""
        from_zero = any("$0" in element.content_full for element in elements)
        for element in elements:
            if any(name not in element.statement for name in _ARGUMENT.findall(element.content_full)):
                for number in range(element.line_range[0] - 1, min(element.line_range[1], len(lines))):
                    lines[number] = with_argument_names(lines[number], self._arguments, from_zero=from_zero)
        return lines

    def _said(self, element: Element, words: str) -> Piece:
        said = words or shape.statement_of(element)
        said += "" if said.endswith("\n") else "\n"
        source = SourceRange(element.source_file, *element.line_range)
        item = self._items[element.element_id]
        return Piece(said, source, (element,) * said.count("\n"), item)

    def _cut(
        self,
        file: str,
        lines: Sequence[str],
        owners: Sequence[Element | None],
        numbers: Sequence[int],
        alone: frozenset[str],
    ) -> Iterator[Piece]:
        """Yield the pieces of consecutive lines, each rule as one of its own."""
        runs: list[tuple[str, list[int]]] = []
        for number in numbers:
            owner = owners[number]
            name = owner.element_id if owner is not None and owner.element_id in alone else ""
            if runs and runs[-1][0] == name:
                runs[-1][1].append(number)
            else:
                runs.append((name, [number]))
        for name, run in runs:
            start = 0
            for place, number in enumerate(run):
                inlined = self._inlined(owners, number)
                if inlined is not None:
                    yield _piece(file, lines, owners, run[start : place + 1], self._items.get(name))
                    yield inlined
                    start = place + 1
            if start < len(run):
                yield _piece(file, lines, owners, run[start:], self._items.get(name))

    def _inlined(self, owners: Sequence[Element | None], number: int) -> Piece | None:
        """Return the text that is inlined behind the last line of an element, marked as such."""
        element = owners[number]
        if element is None or element.line_range[1] != number + 1:
            return None
        found = self._inlinings.get(element.element_id)
        if found is None or not found.text:
            return None
        first, _, last = found.source_lines.partition("-")
        text = f"[{found.source_file}:]\n{found.text.rstrip()}\n[end of {found.source_file}]\n"
        source = SourceRange(found.source_file, int(first), int(last or first))
        return Piece(text, source, (element,) * text.count("\n"), note=f" (inlined into {element.location})")


def _once(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces, of which only the first of a rule is it: what is nested in a rule may part its lines."""
    seen: set[str] = set()
    for piece in pieces:
        name = piece.item.element.element_id if piece.item else ""
        yield replace(piece, item=None) if name in seen else piece
        seen |= {name} if name else set()


def _piece(
    file: str,
    lines: Sequence[str],
    owners: Sequence[Element | None],
    numbers: Sequence[int],
    item: PlannedElement | None,
) -> Piece:
    source = SourceRange(file, numbers[0] + 1, numbers[-1] + 1)
    elements = tuple(owners[number] for number in numbers)
    if not any(elements):  # empty lines between two rules lead back to the first
        elements = (owners[numbers[0] - 1],) * len(numbers)
    return Piece("".join(lines[number] for number in numbers), source, elements, item)


def _text_of_item(item: PlannedElement, listed: set[str]) -> str | None:
    """Return the text that a planned element belongs to; None where its surroundings decide."""
    kind, disposition, element = item.entry.kind, item.entry.disposition, item.element
    bundled = disposition is Disposition.BUNDLE
    if disposition is Disposition.REMOVE:
        return OUT
    if kind is EntryKind.RULE and element.facts[StepFact].step:
        kept = bundled or disposition is Disposition.STUB
        return step_text(element.facts[StepFact].step) if kept else OUT
    if kind is EntryKind.RULE:
        return scoped(element.scope) if bundled or disposition is Disposition.STUB else OUT
    if kind is EntryKind.IDENTITY:
        is_persona = bundled and item.mapping.target_symbol == shape.PERSONA_SYMBOL
        return persona_text(element.facts[StepFact].persona) if is_persona else OUT
    if kind in shape.FACTS:
        kept = bundled or disposition is Disposition.EXTERNAL_INPUT
        return USER if kept and not shape.is_argument(item) and not element.stays_behind else OUT
    if kind is EntryKind.TOOL_NARRATIVE and (bundled or disposition in shape.SLOT_DISPOSITIONS):
        return GUIDANCE if item.mapping.target_symbol == shape.GUIDANCE_SYMBOL else scoped(element.scope)
    if kind is EntryKind.SCHEDULE:
        return WAKE_UPS if element.element_id in listed else OUT
    return None if kind in _ANYWHERE and not element.is_retagged else OUT


def _texts_of_lines(
    lines: Sequence[str],
    elements: Sequence[Element],
    known: Mapping[str, str | None],
    items: Mapping[str, PlannedElement],
) -> list[str]:
    """Return the text of each line of a file; blank lines have that of no element."""
    texts = _texts_of_elements(elements, known)
    owners = _owners(elements, len(lines))
    found = [OUT if owner is None else texts[owner.element_id] for owner in owners]
    called = {name for name, item in items.items() if _is_called(item)}
    for first, last in _fences(lines):
        names = {owner.element_id for owner in owners[first : last + 1] if owner is not None}
        if names and names <= called:
            found[first : last + 1] = [OUT] * (last + 1 - first)
        elif names & called:  # a fence is never torn
            text = next((texts[name] for name in names - called if texts[name]), OUT)
            found[first : last + 1] = [text] * (last + 1 - first)
    for element in elements:  # a command in a line of its own became a function as well
        first, last = element.line_range
        whole = element.element_id in called and not any(map(_FENCE.match, lines[first - 1 : last]))
        if whole and items[element.element_id].entry.disposition is Disposition.REAL_IMPL:
            found[first - 1 : last] = [OUT] * (last + 1 - first)
    return found


def _is_called(item: PlannedElement) -> bool:
    tools = (EntryKind.TOOL_ABSTRACT, EntryKind.TOOL_CONCRETE)
    return item.entry.kind in tools and item.entry.disposition is not Disposition.REMOVE


def _fences(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each fenced block."""
    start, mark = -1, ""
    for number, line in enumerate(lines):
        found = _FENCE.match(line)
        if start < 0 and found:
            start, mark = number, found[1]
        elif start >= 0 and found and found[1].startswith(mark) and line.strip(" \t>\r\n") == found[1]:
            yield start, number
            start = -1


def _texts_of_elements(elements: Sequence[Element], known: Mapping[str, str | None]) -> dict[str, str]:
    """Return the text of each element of a file; what has no entry goes with what it stands above or among."""
    found: dict[str, str | None] = {
        element.element_id: _own_text(element, known.get(element.element_id)) for element in elements
    }
    decided = [text for text in found.values() if text]
    most = max(dict.fromkeys(decided), key=decided.count, default=OUT)
    sections = [list(group) for _, group in groupby(elements, key=lambda e: (e.section, e.kind == "heading"))]
    for section in sections:
        _settle_section(section, found, most)
    for place, heading in enumerate(elements):
        if heading.kind == "heading":
            found[heading.element_id] = _text_of_heading(heading, elements[place + 1 :], found)
    return {name: text or OUT for name, text in found.items()}


def _own_text(element: Element, known: str | None) -> str | None:
    """Return the text of an element as far as it alone says; None where its surroundings decide."""
    if known is not None:
        return known
    stock = element.template and element.category is Category.NONE and element.kind not in _STRUCTURE
    empty = element.decided(DecisionKind.PLACEHOLDER) is not None
    return OUT if stock or empty or element.is_left_out or element.kind in _FRONTMATTER else None


def _settle_section(section: Sequence[Element], found: dict[str, str | None], most: str) -> None:
    """Decide on lead-ins, headers of tables and what else of a section has no entry."""
    texts = [found[element.element_id] for element in section if element.kind not in _STRUCTURE]
    own = [text for text in texts if text is not None]
    settled = next(filter(None, own), OUT if own else most)
    for place, element in enumerate(section):
        if element.kind not in ("lead_in", "table_header") or found[element.element_id] is not None:
            continue
        after = section[place + 1 :]
        led = [found[each.element_id] for each in (*_led_by(element, after), *after[:1])]
        found[element.element_id] = next(filter(None, led), OUT if led and None not in led else settled)
    for element in section:
        if element.kind != "heading" and found[element.element_id] is None:
            found[element.element_id] = settled
        settled = found[element.element_id] or settled


def _led_by(lead: Element, after: Sequence[Element]) -> Iterator[Element]:
    """Yield what a lead-in or the header of a table stands above."""
    words = plain_text(shape.statement_of(lead)).rstrip(":：")
    for element in after:
        if lead.kind == "table_header":
            if element.kind != "table_row":
                return
            yield element
        elif element.kind not in _STRUCTURE and words in (
            plain_text(each).rstrip(":：") for each in element.context
        ):
            yield element


def _text_of_heading(heading: Element, after: Sequence[Element], found: Mapping[str, str | None]) -> str:
    """Return the text of a heading: that of the first words below it that are in one; a stock title has none."""
    title = plain_text(shape.statement_of(heading)).strip()
    if not heading.section and (heading.template or title == heading.source_file):
        return OUT
    for element in after:
        if element.kind == "heading" and len(element.section) <= len(heading.section):
            return OUT
        if element.kind != "heading" and found[element.element_id]:
            return found[element.element_id] or OUT
    return OUT


def _owners(elements: Iterable[Element], count: int) -> list[Element | None]:
    """Return the element of each line; a grant has the lines of the text that asks for it."""
    owners: list[Element | None] = [None] * count
    for element in elements:
        for number in range(element.line_range[0] - 1, min(element.line_range[1], count)):
            owners[number] = owners[number] or element
    return owners


def _kept(
    lines: Sequence[str], owners: Sequence[Element | None], texts: Sequence[str], text: str
) -> list[int]:
    """Return the numbers of the lines of a text: a blank line goes with the line before it.

    Where something was left out, the blank line behind it parts what stands around it.
    """
    kept: list[int] = []
    for number, owner in enumerate(owners):
        if owner is None and not lines[number].strip():
            kept += [number] if kept and kept[-1] == number - 1 else []
        elif texts[number] == text:
            follows = not kept or kept[-1] == number - 1
            if not follows and lines[kept[-1]].strip() and not lines[number - 1].strip():
                kept.append(number - 1)
            kept.append(number)
    return kept


def _stretches(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yield the runs of consecutive numbers."""
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        yield [number for _, number in run]
