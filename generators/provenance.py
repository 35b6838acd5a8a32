"""The way back from emitted lines to the source: provenance comments, and a page that knows what its lines carry."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.package import EmittedFile, LineProvenance
from melleafy_tui.generators.literals import path_words


@dataclass(frozen=True, slots=True)
class SourceRange:
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
    """Return the ranges of the elements in their order, those that touch or overlap joined."""
    joined: list[SourceRange] = []
    for element in elements:
        first, last = element.line_range
        previous = joined[-1] if joined else None
        if previous and previous.file == element.source_file and previous.first <= first <= previous.last + 1:
            joined[-1] = SourceRange(previous.file, previous.first, max(previous.last, last))
        else:
            joined.append(SourceRange(element.source_file, first, last))
    return joined


def provenance_comments(ranges: Iterable[SourceRange], note: str = "") -> list[str]:
    """Return one `# PROVENANCE: file:lines` comment per range."""
    return [f"# PROVENANCE: {found.location}{note}" for found in ranges]


def locations(elements: Iterable[Element]) -> str:
    """Return the places of the elements for a docstring: `MEMORY.md:1-3, DREAMS.md:2`."""
    return ", ".join(found.location for found in source_ranges(elements))


class Page:
    """An emitted text file under construction, line by line.

    Args:
        path: Its path relative to the output folder.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._lines: list[str] = []
        self._provenance: list[LineProvenance] = []
        self._items: list[tuple[int, int]] = []

    @property
    def next_line(self) -> int:
        """Return the number that the next added line will have."""
        return len(self._lines) + 1

    def add(self, lines: str | Sequence[str], elements: Iterable[Element] = ()) -> None:
        """Append lines (a text is split at LF), all of which carry text of the elements."""
        first = self.next_line
        self._lines += lines.removesuffix("\n").split("\n") if isinstance(lines, str) else lines
        for element in elements:
            self.mark(first, len(self._lines), element)

    def add_items(self, items: Iterable[tuple[Sequence[str], Element]]) -> None:
        """Append items of a list that is open, each with the element it carries; they define and import nothing."""
        lines, first = self._lines, self.next_line
        for written, element in items:
            start = len(lines) + 1
            lines += written
            self._provenance.append(
                LineProvenance(
                    start, len(lines), element.element_id, element.source_file, element.source_lines
                )
            )
        self._items.append((first, len(lines)))

    def blank(self, count: int = 1) -> None:
        """Append empty lines."""
        self._lines += [""] * count

    def extend(self, other: "Page") -> None:
        """Append another page with its marks."""
        shift = len(self._lines)
        self._lines += other._lines
        self._items += ((first + shift, last + shift) for first, last in other._items)
        self._provenance += [
            replace(mark, first=mark.first + shift, last=mark.last + shift) for mark in other._provenance
        ]

    def mark(self, first: int, last: int, element: Element) -> None:
        """Note that the lines `first` to `last` of this page carry text of the element."""
        if last >= first:
            self._provenance.append(
                LineProvenance(first, last, element.element_id, element.source_file, element.source_lines)
            )

    def emitted(self) -> EmittedFile:
        """Return the file, with exactly one line end after its last line."""
        text = "\n".join(self._lines).rstrip("\n") + "\n"
        return EmittedFile(self._path, text.encode("utf-8"), tuple(self._provenance), self._outline())

    def _outline(self) -> str:
        if not self._items:
            return ""
        lines = [*self._lines]
        for first, last in self._items:
            lines[first - 1 : last] = [""] * (last - first + 1)
        return "\n".join(lines)
