"""Maps emitted lines to their source: comments on it, and marks in code that say which element a line comes from."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, repeat
from operator import attrgetter
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import InliningFact
from melleafy_tui.core.models.file_set import EmittedFile, LineProvenance
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.package.carried_files import carried_files
from melleafy_tui.generators.literals import json_bytes, path_words


class SourceRange(Struct, frozen=True):
    """Lines `first` to `last` of a source file, 1-based, inclusive."""

    file: str
    first: int
    last: int

    @property
    def lines(self) -> str:
        """Return `"12"` or `"15-22"`."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def location(self) -> str:
        """Return `file:lines`, fit for a comment."""
        return f"{path_words(self.file)}:{self.lines}"


def source_ranges(elements: Iterable[Element]) -> list[SourceRange]:
    """Return the ranges of the elements in order; adjacent and overlapping ranges are joined."""
    return joined_ranges(SourceRange(element.source_file, *element.line_range) for element in elements)


def joined_ranges(ranges: Iterable[SourceRange]) -> list[SourceRange]:
    """Return the ranges in order; adjacent and overlapping ones are joined."""
    joined: list[SourceRange] = []
    for found in ranges:
        previous = joined[-1] if joined else None
        if previous and previous.file == found.file and previous.first <= found.first <= previous.last + 1:
            joined[-1] = SourceRange(found.file, previous.first, max(previous.last, found.last))
        else:
            joined.append(found)
    return joined


def provenance_comments(ranges: Iterable[SourceRange], note: str = "") -> list[str]:
    """Return one `# PROVENANCE: file:lines` comment per range."""
    return [f"# PROVENANCE: {found.location}{note}" for found in ranges]


def locations(elements: Iterable[Element]) -> str:
    """Return the locations of the elements for a docstring: `MEMORY.md:1-3, 7, DREAMS.md:2`."""
    return ", ".join(
        f"{path_words(file)}:{', '.join(found.lines for found in ranges)}"
        for file, ranges in groupby(source_ranges(elements), key=attrgetter("file"))
    )


def rule_places(*elements: Element) -> str:
    """Return the places of a rule's text, which name the rule: its own, and those of texts inlined into it."""
    inlined = [fact for fact in (element.facts[InliningFact] for element in elements) if fact.inlined_text]
    others = dict.fromkeys(f"{fact.inlined_file}:{fact.inlined_lines}" for fact in inlined)
    return ", ".join((locations(elements), *others))


def marked(element: Element, first: int, last: int) -> LineProvenance:
    """Return the mark of emitted lines that come from an element."""
    return LineProvenance(first, last, element.element_id, element.source_file, element.source_lines)


class Printed(Struct, frozen=True):
    """Code made from elements, with the comments on where it comes from."""

    code: str
    elements: Sequence[Element]
    comments: Sequence[str] = ()


def from_source(code: str, elements: Iterable[Element]) -> str:
    """Return code between marks that say which elements its lines come from; `without_marks` takes them out."""
    names = ",".join(element.element_id for element in elements)
    body = code.removesuffix("\n")
    return f"{_MARK}{names}{_MARK}{body}{_MARK}{_MARK}{code[len(body) :]}" if names and body else code


def lines_from_source(code: str, owners: Iterable[Element | None]) -> str:
    """Return code between marks whose lines each come from one element; those without an owner from none."""
    owned = zip(code.split("\n"), chain(owners, repeat(None)), strict=False)
    runs = groupby(owned, key=lambda pair: id(pair[1]))
    parts = []
    for _, run in runs:
        lines, (owner, *_) = zip(*run, strict=True)
        parts.append(from_source("\n".join(lines), [owner] if owner is not None else []))
    return "\n".join(parts)


_MARK: Final = "\0"
"""What no literal, comment or name has unescaped."""


def without_marks(code: str, elements: Mapping[str, Element]) -> tuple[str, list[LineProvenance]]:
    """Return code without the marks of `from_source`, and what they say.

    Args:
        code: The code.
        elements: The elements by their ids.
    """
    text, *rest = code.split(_MARK)
    parts, line = [text], text.count("\n") + 1
    opened: list[tuple[int, str]] = []
    places: list[LineProvenance] = []
    for names, text in zip(rest[::2], rest[1::2], strict=True):
        if names:
            opened.append((line, names))
        else:
            first, found = opened.pop()
            places += (marked(elements[name], first, line) for name in found.split(","))
        parts.append(text)
        line += text.count("\n")
    return "".join(parts), places


_DEFINED: Final = re.compile(rb"^(?:(?:def|class) (\w+)|(\w+)(?:: [^\n=]+)? = )", re.MULTILINE)


@lru_cache(maxsize=32)  # several documents look names up, and a command changes one or two modules
def lines_of_names(code: bytes) -> dict[str, int]:
    """Return the line that defines each top-level name of emitted code, which is found without parsing it."""
    lines: dict[str, int] = {}
    line, at = 1, 0
    for found in _DEFINED.finditer(code):
        line += code.count(b"\n", at, found.start())
        at = found.start()
        lines.setdefault((found[1] or found[2]).decode(), line)
    return lines


def generate_provenance(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return `provenance.json`: the source lines and elements of the lines of each emitted file.

    Args:
        committed: The committed plan.
        emitted: The files whose lines may come from the source.
    """
    folder = f"{committed.package_name}/"
    entries = {name: entry.entry_id for name, entry in committed.plan.by_element.items()}
    copied = _copied_places(committed.inventory)
    carried = {path for _, path in carried_files(committed)}
    files = {}
    for file in sorted(emitted, key=attrgetter("path")):
        name = file.path.removeprefix(folder)
        own = () if file.provenance or name not in carried else copied.get(file.sha256, ())
        rows = [
            _recorded(place, entries.get(place.element_id, "")) for place in sorted(file.provenance or own)
        ]
        if rows:
            files[name] = rows
    record = {"format_version": FORMAT_VERSION, "files": files}
    return [EmittedFile(f"{folder}intermediate/provenance.json", json_bytes(record))]


FORMAT_VERSION: Final = "1.0"


def _copied_places(inventory: Inventory) -> dict[str, list[LineProvenance]]:
    """Return the places of the elements in an exact copy of their file, by SHA-256."""
    digests = {file.path: file.sha256 for file in inventory.files if file.sha256 and file.characters}
    places: dict[str, list[LineProvenance]] = {}
    for element in inventory.elements:
        if digest := digests.get(element.source_file):
            places.setdefault(digest, []).append(marked(element, *element.line_range))
    return places


def _recorded(place: LineProvenance, entry_id: str) -> dict[str, str]:
    lines = str(place.first) if place.first == place.last else f"{place.first}-{place.last}"
    row = {"lines": lines, "source_file": place.source_file, "source_lines": place.source_lines}
    return {**row, "element_id": place.element_id, **({"entry_id": entry_id} if entry_id else {})}
