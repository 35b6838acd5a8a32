"""What the lines that a provenance comment names hold in words, as the inventory of the package tells."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import Final

from msgspec import Struct

from melleafy_tui.core.export.layout import HIDDEN
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.lint.artifacts import ELEMENT, ELEMENT_TEXTS, JsonObject, read_row, rows_of, text_of

_LINES: Final = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.ASCII)
_KEPT_PLACES: Final = 16
"""Places whose words are kept at a time: marks of one line stand together, and the words of all would take much."""

_WORD: Final = re.compile(r"[^\W_]+")
_CJK: Final = LazyRegex(r"[\u3040-\u30ff\u3400-\u9fff]")


class Mark(Struct, frozen=True):
    """One provenance comment."""

    line: int
    file: str
    first: int
    last: int


class Sources:
    """What the inventory knows of the source's lines.

    Args:
        inventory: The artifact; the texts of an element are read where its lines are asked for.
    """

    def __init__(self, inventory: JsonObject) -> None:
        self._inventory = inventory
        self._read: dict[tuple[str, int, int], tuple[frozenset[str], bool]] = {}

    @cached_property
    def _by_file(self) -> dict[str, list[tuple[int, int, object]]]:
        pieces: dict[str, list[tuple[int, int, object]]] = {}
        for file, first, last, row in _pieces(self._inventory):
            pieces.setdefault(file, []).append((first, last, row))
        for found in pieces.values():
            found.sort(key=itemgetter(0))
        return pieces

    @cached_property
    def _ends(self) -> dict[str, list[int]]:
        """The furthest last line of each piece and all before it, by file."""
        return {
            file: list(accumulate((last for _, last, _ in found), max))
            for file, found in self._by_file.items()
        }

    def words(self, mark: Mark) -> frozenset[str]:
        """Return the words of the lines that a mark names."""
        return self._at(mark)[0]

    def hidden(self, mark: Mark) -> bool:
        """Return whether the inventory leaves out texts of the lines that a mark names, because they hold a secret."""
        return self._at(mark)[1]

    def _at(self, mark: Mark) -> tuple[frozenset[str], bool]:
        """Return the words, and whether texts are hidden; a file on one line is read once, not for each mark."""
        place = (mark.file, mark.first, mark.last)
        if place not in self._read:
            if len(self._read) == _KEPT_PLACES:
                self._read.clear()
            texts = self._texts_at(mark)
            words = frozenset(word for text in texts for word in words_of(text))
            self._read[place] = (words, any(HIDDEN in text for text in texts))
        return self._read[place]

    def _texts_at(self, mark: Mark) -> list[str]:
        pieces = self._by_file.get(mark.file, [])
        start = bisect_left(self._ends.get(mark.file, []), mark.first)
        end = bisect_right(pieces, mark.last, key=itemgetter(0))
        return [_text(row) for _, last, row in pieces[start:end] if last >= mark.first]


def line_counts(inventory: JsonObject) -> dict[str, int]:
    """Return how many lines each file of the source has."""
    counts: dict[str, int] = {}
    for row in rows_of(inventory, "files") or ():
        count = row.get("line_count")
        counts[as_marked(text_of(row, "path"))] = count if isinstance(count, int) else 0
    for file, _, last, _ in _pieces(inventory):
        counts[file] = max(counts.get(file, 0), last)
    return counts


def _pieces(inventory: JsonObject) -> Iterator[tuple[str, int, int, object]]:
    """Yield file, first and last line of each element, with its row, which may be unread."""
    marked: dict[str, str] = {}
    elements = inventory.get("elements")
    for row in elements if isinstance(elements, list) else ():
        element = read_row(row, ELEMENT) or {}
        if lines := _LINES.fullmatch(text_of(element, "source_lines")):
            path = text_of(element, "source_file")
            if path not in marked:
                marked[path] = as_marked(path)
            first = int(lines["first"])
            yield marked[path], first, int(lines["last"] or first), row


def _text(row: object) -> str:
    element = read_row(row, ELEMENT_TEXTS) or {}
    texts = [
        text_of(element, key) for key in ("content_full", "statement", "value", "label", "content_summary")
    ]
    for key in ("context", "section"):
        found = element.get(key)
        texts += map(str, found) if isinstance(found, list) else []
    return "\n".join(texts)


def as_marked(path: str) -> str:
    """Return a path as it stands in a comment, with every character escaped that is not visible there."""
    if path.isprintable():
        return path.replace("\\", "_").replace('"', "_")
    shown = (character if character.isprintable() else repr(character)[1:-1] for character in path)
    return "".join("_" if character in '\\"' else character for character in shown)


def words_of(text: str) -> list[str]:
    """Return the words of a text, each Chinese or Japanese character by itself."""
    words: list[str] = _WORD.findall(text.casefold())
    if text.isascii():
        return words
    return [
        part for word in words for part in (word if not word.isascii() and _CJK.search(word) else (word,))
    ]
