"""The persona text: what the bundled identity elements say, verbatim, and which emitted lines carry which of them."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind
from melleafy_tui.generators.provenance import SourceRange
from melleafy_tui.generators.shape import is_secret, of_kind, statement_of

PERSONA_SYMBOL = "PREFIX_TEXT"

_BESIDE_PERSONA = frozenset({Category.C1, Category.C7, Category.NONE})
"""What a file that is persona throughout may hold; one with more of the rest has a persona among other things."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


class PersonaPiece(Struct, frozen=True):
    """One stretch of the persona text and the element that it comes from; None for text that a file's headings add."""

    text: str
    element: Element | None
    source: SourceRange | None
    note: str = ""


def persona_pieces(committed: CommittedPlan) -> list[PersonaPiece]:
    """Return the persona text in pieces, file by file in source order.

    A file that is persona throughout (SOUL.md) is taken as it stands, line ends included, without the elements that the
    plan takes elsewhere. Of other files only the persona's own lines are taken.
    """
    bundled = of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    chosen = {item.element.element_id for item in bundled if item.mapping.target_symbol == PERSONA_SYMBOL}
    files = dict.fromkeys(item.element.source_file for item in bundled if item.element.element_id in chosen)
    pieces: list[PersonaPiece] = []
    for file in files:
        found = list(_file_pieces(committed, file, chosen))
        if pieces and found:
            pieces.append(PersonaPiece(_gap(pieces[-1].text), None, None))
        pieces += found
    return pieces


def persona_text(committed: CommittedPlan) -> str:
    """Return the bundled persona text."""
    return "".join(piece.text for piece in persona_pieces(committed))


def _file_pieces(committed: CommittedPlan, file: str, chosen: set[str]) -> Iterator[PersonaPiece]:
    elements = [element for element in committed.inventory.elements if element.source_file == file]
    source = committed.snapshot.file(file)
    if source is None or source.text is None or not _is_persona_throughout(committed, elements):
        yield from _separate(committed, [element for element in elements if element.element_id in chosen])
        return
    lines = _LINE.findall(source.text)
    owners = _owners(elements, len(lines))
    kept = [_stays(committed, owner, chosen) for owner in owners]
    _drop_gaps_after_left_out(owners, kept, lines)
    number = 0
    while number < len(lines):
        owner, first = owners[number], number
        while number < len(lines) and owners[number] is owner and kept[number] == kept[first]:
            number += 1
        if not kept[first]:
            continue
        secret = owner is not None and is_secret(owner)
        text = f"{statement_of(owner)}\n" if owner and secret else "".join(lines[first:number])
        yield PersonaPiece(text, owner, SourceRange(file, first + 1, number))
        if owner is not None and owner.line_range[1] == number:
            yield from _inlined(committed, owner)


def _stays(committed: CommittedPlan, owner: Element | None, chosen: set[str]) -> bool:
    """Return whether a line of a persona file stays: it is persona, has no category, or names a masked credential."""
    if owner is None or owner.element_id in chosen or owner.category is Category.NONE:
        return True
    entry = committed.plan.by_element.get(owner.element_id)
    removed = entry is not None and entry.disposition is Disposition.REMOVE
    return owner.category is Category.C7 and is_secret(owner) and not removed


def _is_persona_throughout(committed: CommittedPlan, elements: Iterable[Element]) -> bool:
    """Return whether a file is prose that goes into the persona text as it stands: no fields, little else."""
    elements = list(elements)
    own = sum(element.category is Category.C1 for element in elements)
    if sum(element.category not in _BESIDE_PERSONA for element in elements) > own:
        return False
    mappings = committed.mapping.by_element
    return all(
        element.category is Category.C7
        or (
            element.kind != "field"
            and (
                element.category is not Category.C1
                or element.element_id not in mappings
                or mappings[element.element_id].target_symbol == PERSONA_SYMBOL
            )
        )
        for element in elements
    )


def _owners(elements: Iterable[Element], count: int) -> list[Element | None]:
    owners: list[Element | None] = [None] * count
    for element in elements:
        first, last = element.line_range
        for number in range(first - 1, min(last, count)):
            owners[number] = element
    return owners


def _drop_gaps_after_left_out(owners: list[Element | None], kept: list[bool], lines: list[str]) -> None:
    """Leave out the blank lines that stand behind an element that is left out."""
    dropping = False
    for number, owner in enumerate(owners):
        if owner is not None:
            dropping = not kept[number]
        elif dropping and not lines[number].strip():
            kept[number] = False


def _separate(committed: CommittedPlan, elements: list[Element]) -> Iterator[PersonaPiece]:
    for position, element in enumerate(elements):
        text = statement_of(element) if is_secret(element) else element.value or element.content_full
        first, last = element.line_range
        before = "\n" if position else ""
        yield PersonaPiece(
            before + text.rstrip("\r\n") + "\n", element, SourceRange(element.source_file, first, last)
        )
        yield from _inlined(committed, element)


def _inlined(committed: CommittedPlan, element: Element) -> Iterator[PersonaPiece]:
    for inlining in committed.mapping.inlinings:
        if inlining.element_id == element.element_id:
            first, _, last = inlining.source_lines.partition("-")
            source = SourceRange(inlining.source_file, int(first), int(last or first))
            yield PersonaPiece(
                f"\n{inlining.text.rstrip()}\n", element, source, f" (inlined into {element.location})"
            )


def _gap(text: str) -> str:
    return "\n" if text.endswith(("\n", "\r")) else "\n\n"


def identity_fields(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the bundled identity elements that are constants of their own: name, role and other fields."""
    bundled = of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    return [item for item in bundled if item.mapping.target_symbol != PERSONA_SYMBOL]
