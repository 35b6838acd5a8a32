"""Keeps what comes after the limit on a file's lines: as pieces of text, in the category of the lines before them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import Reading
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    line_range,
)
from melleafy_tui.core.language.wording import summarise
from melleafy_tui.core.lazy_regex import LONGEST_LINE
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import REST_OF_FILE, Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.limits import LINES_READ, REST_PIECE
from melleafy_tui.core.source.markdown import is_blank, parse_markdown

_PROSE: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
_TAGS: Final = {
    Category.C1: Tag.CONVERSE,
    Category.C2: Tag.CONFIG,
    Category.C3: Tag.CONFIG,
    Category.C5: Tag.QUERY,
    Category.C6: Tag.CONFIG,
}
"""The tags of text as such; elements of other categories say more than their text."""


def with_rest_of_files(reading: Reading, snapshot: Snapshot) -> Reading:
    """Return a dialect's reading with the lines after the limit as elements, and findings for long files and lines.

    Args:
        reading: What the dialect read.
        snapshot: The workspace.
    """
    read_paths = (listed.path for listed in reading.files if listed.status == "read")
    found = (snapshot.file(path) for path in read_paths if path.casefold().endswith(_PROSE))
    prose = [file for file in found if file is not None]
    diagnostics = [found for file in prose for found in _long_lines(file)]
    long = [file for file in prose if len(file.lines) > LINES_READ]
    if not (long or diagnostics):
        return reading
    elements = list(reading.elements)
    for file in long:
        own = [position for position, element in enumerate(elements) if element.source_file == file.path]
        if not own:
            continue
        read = [elements[position] for position in own]
        read_to = max(element.line_range[1] for element in read)
        rest = list(_rest(file, max(read_to, parse_markdown(file.lines).lines_read), read))
        if rest:
            elements[own[-1] + 1 : own[-1] + 1] = rest
            lines = line_range(rest[0].line_range[0], rest[-1].line_range[1])
            diagnostics.append(diagnose("file-long", file.path, lines, limit=LINES_READ, pieces=len(rest)))
    return replace(reading, elements=tuple(elements), diagnostics=(*reading.diagnostics, *diagnostics))


def _long_lines(file: SourceFile) -> Iterator[Diagnostic]:
    for number, line in enumerate(file.lines, 1) if len(file.text or "") > LONGEST_LINE else ():
        if len(line) > LONGEST_LINE:
            yield diagnose("line-long", file.path, str(number), characters=len(line), limit=LONGEST_LINE)


def _rest(file: SourceFile, after: int, read: Sequence[Element]) -> Iterator[Element]:
    """Yield the elements for the lines after a line, in the category that most of those before have."""
    categories = Counter(element.category for element in read if element.category in _TAGS)
    category = max(categories, key=categories.__getitem__, default=Category.NONE)
    tag = _TAGS.get(category, UNCONVERTED[0])
    factory = ElementFactory(file, read[-1].dialect_rule_id)
    for first, last in _pieces(file.lines, after):
        text = file.cut(first, last)
        yield factory.make(
            SourceSpan(first, last, "section"),
            text,
            Home(tag, category, REST_OF_FILE),
            summary=summarise(file.lines[first - 1]),
        )


def _pieces(lines: Sequence[str], after: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each piece: some KB that end at a heading, or at any line if none follows."""
    first = last = size = 0
    for number, line in enumerate(lines[after:], after + 1):
        if is_blank(line):
            continue
        if first and (size >= 2 * REST_PIECE or (size >= REST_PIECE and line.startswith("#"))):
            yield first, last
            first = size = 0
        first, last = first or number, number
        size += len(line) + 1
    if first:
        yield first, last
