"""Parses the block structure of Markdown with editor line numbers; inline syntax is left unparsed.

CommonMark with tables, parsed by markdown-it-py. Only LF, CRLF and CR end a line (the lines come from the
snapshot, never from `str.splitlines`), so form feeds and other separators don't shift the numbers. Every
non-blank line up to the limit on a file's lines belongs to exactly one block.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count, dropwhile, islice
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.frontmatter import Frontmatter, split_frontmatter
from melleafy_tui.core.source.limits import LINES_READ

MAX_NESTING: Final = 40
"""Containers nested more deeply than this are kept as plain lines."""

_FENCE_LINE = LazyRegex(r"^[\s>]*(?P<mark>`{3,}|~{3,})\s*$")


class ListItem(Struct, frozen=True):
    """One list item that contains a block, with the numbers of the item and of its list in the file."""

    item_number: int
    list_number: int
    ordered: bool


class Block(Struct, frozen=True):
    """One leaf of the block structure.

    Attributes:
        kind: frontmatter, heading, paragraph, fence, code, html, table_header, table_row, rule, other.
        first: First line, 1-based.
        last: Last line, inclusive; never blank.
        lines: Its text without container markers; headings and paragraphs have one entry per source line.
        level: 1 to 6 for a heading.
        items: The list items that contain it, outermost first.
        quoted: Whether it is in a blockquote.
        cells: Cells of a table row or header.
        header: For rows, cells of the table's header.
        info: The word after a fence's opening marks.
        closed: False for a fence that runs to the end of its container.
    """

    kind: str
    first: int
    last: int
    lines: tuple[str, ...]
    level: int = 0
    items: tuple[ListItem, ...] = ()
    quoted: bool = False
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    info: str = ""
    closed: bool = True


class Document(Struct, frozen=True):
    """The blocks of one file in source order, its frontmatter, and the number of its lines that were read."""

    blocks: tuple[Block, ...]
    frontmatter: Frontmatter
    lines_read: int


def is_blank(line: str) -> bool:
    """Return whether a line is empty or only white space."""
    return not line.strip()


def parse_markdown(lines: Sequence[str]) -> Document:
    """Return the block structure of a file given as its lines; the last few files are cached."""
    return _parsed(tuple(lines))


def clear_document_cache() -> None:
    """Clear the cache of parsed files; the blocks of a long file take ten times the memory of its text."""
    _parsed.cache_clear()


@lru_cache(maxsize=8)
def _parsed(lines: tuple[str, ...]) -> Document:
    frontmatter = split_frontmatter("\n".join(lines))
    body_start = frontmatter.last_line
    lines = _unwrapped(lines, body_start)
    end = max(body_start, _end_of_reading(lines))
    is_cut = end < len(lines)
    lines = lines[:end]
    body = [""] * body_start + [line.replace("\n", " ") for line in lines[body_start:]]
    walker = _Walker(lines)
    if body_start:
        walker.add(Block("frontmatter", 1, body_start, tuple(lines[1 : body_start - 1])))
    if any(body):
        walker.walk(SyntaxTreeNode(_PARSER.parse("\n".join(body), {"sections": _sections_in(body)})))
    blocks = walker.finish()
    if is_cut and blocks and _is_torn(blocks[-1]):
        end = blocks[-1].first - 1
        blocks = blocks[:-1]
    return Document(blocks, frontmatter, end)


def _is_torn(block: Block) -> bool:
    """Return whether a fence or a comment has no end, without which it would take other lines for its own."""
    if block.kind == "html":
        return block.lines[0].lstrip().startswith("<!--") and not any("-->" in line for line in block.lines)
    return not block.closed


def _end_of_reading(lines: Sequence[str]) -> int:
    """Return the number of lines before the one with text after the limit."""
    if len(lines) <= LINES_READ:
        return len(lines)
    filled = (number for number, line in enumerate(lines) if not is_blank(line))
    return next(islice(filled, LINES_READ, None), len(lines))


def tag_of(line: str) -> tuple[str, bool] | None:
    """Return the name of the tag that is all of a line, and whether it ends its section; None for HTML's own tags."""
    found = _TAG.fullmatch(line)
    if found is None or found["name"].lower() in _HTML_NAMES:
        return None
    return found["name"], bool(found["end"])


def _sections_in(lines: Sequence[str]) -> set[str]:
    """Return the names of the tags that begin and end sections (`<rules>` … `</rules>`)."""
    tags = set(filter(None, map(tag_of, lines)))
    return {name for name, ends in tags if ends and (name, False) in tags}


def _html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a block of HTML that takes no Markdown below it for its own.

    In Markdown all lines up to a blank one belong to a tag; people write `<critical>` with its list right below.
    """
    tag = tag_of(_line(state, start))
    if silent and tag is not None:
        return tag[0] in state.env["sections"] and not state.is_code_block(start)
    if _ENDS_AT_BLANK.match(_line(state, start)):
        below = ((at, _line(state, at)) for at in range(start + 1, end))
        end = next((at for at, line in below if tag or not line or _MARKED.match(line)), end)
    return html_block(state, start, end, silent)


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


_HOLDS_CODE: Final = ("pre", "script", "style", "textarea")
_HTML_NAMES: Final = frozenset({*block_names, *_HOLDS_CODE})
_ENDS_AT_BLANK: Final = re.compile(rf"</?(?!(?:{'|'.join(_HOLDS_CODE)})\b)[a-z]", re.IGNORECASE)
_MARKED: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]")
_TAG: Final = re.compile(r"[ \t]*<(?P<end>/?)(?P<name>[A-Za-z][\w.-]{0,60})(?:\s[^<>]{0,200})?>[ \t]*")
_WRAPPER: Final = re.compile(r"(?:```+|~~~+)[ \t]*(?P<markdown>markdown|md)?[ \t]*$", re.IGNORECASE)
_FILE_TITLE: Final = re.compile(r"#[ \t]+\S{1,40}\.md\b")


def _unwrapped(lines: tuple[str, ...], start: int) -> tuple[str, ...]:
    """Return the lines of a file that is one fence of Markdown with the fence as two comments.

    Templates are published that way, below their title, and people fill them in.
    """
    filled = [number for number in range(start, len(lines)) if lines[number].strip()]
    body = list(dropwhile(lambda number: lines[number].startswith("#"), filled))
    fences = [number for number in body if lines[number].lstrip().startswith(("```", "~~~"))]
    if len(body) <= len(fences) or fences != [body[0], body[-1]]:
        return lines
    opener, closer = (_WRAPPER.match(lines[number]) for number in fences)
    first = lines[body[1]]
    is_markdown = opener is not None and (opener["markdown"] or _FILE_TITLE.match(first))
    if not is_markdown or closer is None or first.startswith("---"):
        return lines
    return tuple("<!-- -->" if number in fences else line for number, line in enumerate(lines))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.at("html_block", _html_block, {"alt": ["paragraph", "reference", "blockquote"]})
    return parser


_PARSER: Final = _parser()


_LISTS: Final = ("bullet_list", "ordered_list")
_LEAVES: Final = {
    "heading": "heading",
    "paragraph": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
}


class _Walker:
    """Walks the tree of tokens once and assigns each line to the first block that contains it."""

    def __init__(self, source: Sequence[str]) -> None:
        self._source = source
        self._owned = [False] * len(source)
        self._blocks: list[Block] = []
        self._list_numbers = count(1)
        self._item_numbers = count(1)

    def walk(self, node: SyntaxTreeNode, items: tuple[ListItem, ...] = (), quoted: bool = False) -> None:
        """Add the blocks below a node, given the list items that contain them."""
        for child in node.children:
            if child.type in _LISTS:
                number, is_ordered = next(self._list_numbers), child.type == "ordered_list"
                for item in child.children:
                    listed = ListItem(next(self._item_numbers), number, is_ordered)
                    self.walk(item, (*items, listed), quoted)
            elif child.type == "table":
                self._table(child, items, quoted)
            elif child.type in _LEAVES:
                self._leaf(child, items, quoted)
            else:
                self.walk(child, items, quoted or child.type == "blockquote")

    def _table(self, table: SyntaxTreeNode, items: tuple[ListItem, ...], quoted: bool) -> None:
        header: tuple[str, ...] = ()
        for row in (row for part in table.children for row in part.children):
            cells = tuple(_content(cell) for cell in row.children)
            first, end = row.map or (0, 0)
            kind = "table_row" if any(map(str.strip, cells)) else "other"
            if not header:
                header, kind, end = cells, "table_header", min(end + 1, len(self._source))
            self.add(Block(kind, first + 1, end, (), items=items, quoted=quoted, cells=cells, header=header))

    def _leaf(self, node: SyntaxTreeNode, items: tuple[ListItem, ...], quoted: bool) -> None:
        kind, (first, end) = _LEAVES[node.type], node.map or (0, 0)
        lines = self._leaf_lines(kind, _content(node), first, end)
        level = int(node.tag[1]) if kind == "heading" else 0
        closed = kind != "fence" or self._is_closed(node, first, end)
        info = node.info.strip()
        self.add(Block(kind, first + 1, end, lines, level, items, quoted, info=info, closed=closed))

    def _leaf_lines(self, kind: str, content: str, first: int, end: int) -> tuple[str, ...]:
        lines = tuple(content.split("\n")) if content else ()
        if kind in ("fence", "html"):
            return lines[:-1] if lines[-1:] == ("",) else lines
        if kind == "paragraph" and len(lines) != end - first:
            return tuple(line.strip() for line in self._source[first:end])
        return lines

    def _is_closed(self, node: SyntaxTreeNode, first: int, end: int) -> bool:
        if end - first < 2:
            return False
        match = _FENCE_LINE.match(self._source[end - 1])
        return match is not None and match["mark"].startswith(node.markup)

    def add(self, block: Block) -> None:
        """Add a block with those of its lines that no other block contains, unless none is left."""
        first, end = block.first - 1, min(block.last, len(self._source))
        while first < end and (self._owned[first] or is_blank(self._source[first])):
            first += 1
        while end > first and (self._owned[end - 1] or is_blank(self._source[end - 1])):
            end -= 1
        if first < end:
            self._owned[first:end] = [True] * (end - first)
            self._blocks.append(replace(block, first=first + 1, last=end))

    def finish(self) -> tuple[Block, ...]:
        """Return all blocks in source order, with a block for each run of lines that no token covers."""
        number = 0
        while number < len(self._source):
            end = number
            while end < len(self._source) and not self._owned[end] and not is_blank(self._source[end]):
                end += 1
            if end > number:
                self.add(Block("other", number + 1, end, tuple(self._source[number:end])))
            number = max(end, number + 1)
        return tuple(sorted(self._blocks, key=lambda block: block.first))


def _content(node: SyntaxTreeNode) -> str:
    """Return the text of a leaf, or of the cell, heading or paragraph that holds it."""
    return node.children[0].content if node.children else node.content
