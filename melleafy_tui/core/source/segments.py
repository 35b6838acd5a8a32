"""Splits a Markdown file into self-contained segments: items, paragraphs, rows, fences, headings.

Each segment includes its context (headings, lead-ins, parent items), because an item can depend on its lead-in. Only
the Markdown form matters here, so all dialects share this module.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from melleafy_tui.core.language.text_measures import HAN, KANA, has_any
from melleafy_tui.core.language.wording import join_lines, plain_text, without_task_mark
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.markdown import Block, Document, ListItem, parse_markdown, tag_of

PSEUDO_LEVEL: Final = 7
"""The level of a bold-only line used as a heading."""

TAG_LEVEL: Final = 0
"""The level of a tag that begins a section: no heading ends it, only its end tag does."""

_BOLD_ONLY = LazyRegex(r"^(?:\*\*|__)([^*_\n]{1,200})(?:\*\*|__)\s*([:：]?)\s*$")
_FULL_STOP: Final = LazyRegex(r"[.!。！][\"'”’)）]?$")
_COLON = LazyRegex(r"[:：](?:\*\*|__|\*|_)?\s*$")
_TASK = LazyRegex(r"^\[([ xX])\]\s")
_NUMBERED: Final = LazyRegex(r"(?P<number>\d{1,2})(?:[.)]\s+|[.)、．）](?=[^\x00-\x7f]))(?P<text>\S.*)")
_TIGHT: Final = LazyRegex(r"\d{1,2}[.)、．）](?=[^\x00-\x7f])")
"""A number without a space after it, as Chinese lists have it; Markdown makes a paragraph of each."""
_LABELLED: Final = LazyRegex(r"(?:\*\*|__)[^*_\n]{1,60}(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：—–-])")
_EMOJI: Final = LazyRegex(r"[^\w\s*_`#>|-]{1,4}\s{1,2}(?=\*\*|__)")
"""An emoji before a bold label; in a paragraph that starts with one, each such line is a statement."""
_SENTENCE_LINE: Final = LazyRegex(r"[.!?。！？][\"”’)）*_]{0,3}\s*$")
_OPENING_MARKS: Final = re.compile(r"[_\W]{0,4}")
_CAPITAL: Final = re.compile(r"[A-ZÀ-ÞА-Я\d]")
"""The end and the start of a line that is a sentence of its own, in a paragraph of such lines."""
_CASE_LINE: Final = LazyRegex(
    r"(?:If|When|Unless|Si|Se|Wenn|Falls|Cuando|Quando|Quand|Если|Когда)\s[^:：→]{3,80}[:：→]|(?:如果|若|当|當|もし)[^:：→]{2,40}[:：→，]"
)
"""A line with a condition and what follows from it."""
_STATEMENT_END: Final = LazyRegex(r"[.!?。！？:：)）*`|]\s*$")
"""Ends of a line after which a number or a bold label starts a statement of its own, and isn't a wrapped one's."""


class Segment(Block, frozen=True):
    """One segment of a file: a block, or several of one list item, with what stands around it.

    The kind is frontmatter, heading, lead_in, item, paragraph, table_header, table_row, fence, comment, html, rule or
    other; the level that of a heading, 7 for a bold-only line.

    Attributes:
        text: Its words on one line, with inline markers.
        section: Headings above it, outermost first, in plain words.
        context: Lead-ins and parent items above it, outermost first, in plain words.
        lead_in: The text that introduces its list, table or fence, or `""`.
        above: The paragraph or heading directly above its list.
        task: `open`, `done` or `""`.
    """

    text: str = ""
    section: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    lead_in: str = ""
    above: str = ""
    task: str = ""

    @property
    def ordered(self) -> bool:
        """Return whether it is an item of a numbered list."""
        return bool(self.items) and self.items[-1].ordered

    @property
    def list_number(self) -> int:
        """Return the number of its list in the file, 0 if it isn't an item."""
        return self.items[-1].list_number if self.items else 0

    @property
    def depth(self) -> int:
        """Return the number of lists that contain it."""
        return len(self.items)

    @property
    def words(self) -> str:
        """Return its words without inline markers; code spans keep their backticks."""
        return plain_text(self.text, keep_code_marks=True)


class Section(Struct, frozen=True):
    """A heading with its own text, up to the next heading; the preamble has no heading."""

    first: int
    last: int
    heading: str
    path: tuple[str, ...]
    body: tuple[Block, ...]


def cut_segments(file: SourceFile) -> tuple[Segment, ...]:
    """Return the segments of a Markdown file in source order."""
    return tuple(_Cutter(parse_markdown(file.lines)).segments())


def cut_sections(file: SourceFile) -> tuple[Section, ...]:
    """Return the sections of a Markdown file in source order; together they contain every non-blank line."""
    groups: list[list[Block]] = []
    for block in parse_markdown(file.lines).blocks:
        if not groups or groups[-1][0].kind == "frontmatter" or _is_section_heading(block):
            groups.append([])
        groups[-1].append(block)
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    for blocks in groups:
        first, last = blocks[0], blocks[-1].last
        if not _is_section_heading(first):
            sections.append(Section(first.first, last, "", (), tuple(blocks)))
            continue
        heading = plain_text(join_lines(first.lines))
        path = [*(entry for entry in path if entry[0] < first.level), (first.level, heading)]
        names = tuple(text for _, text in path)
        sections.append(Section(first.first, last, heading, names, tuple(blocks[1:])))
    return tuple(sections)


def _is_section_heading(block: Block) -> bool:
    return block.kind == "heading" and not block.items and not block.quoted


def opening_of(file: SourceFile) -> tuple[str, str]:
    """Return the first heading and the first paragraph of a file, each `""` if there is none."""
    sections = cut_sections(file)
    paragraphs = (block for section in sections for block in section.body if block.kind == "paragraph")
    heading = next((section.heading for section in sections if section.heading), "")
    return heading, next(filter(None, map(plain_text, map(block_text, paragraphs))), "")


def block_text(block: Block) -> str:
    """Return the words of a block on one line; empty for comments."""
    if block.kind in ("table_row", "table_header"):
        return " | ".join(cell.strip() for cell in block.cells)
    if block.kind == "html" and block.lines and block.lines[0].lstrip().startswith("<!--"):
        return ""
    if block.kind in ("frontmatter", "rule"):
        return ""
    return join_lines(block.lines)


class _Cutter:
    """Walks the blocks once, tracking headings, lead-ins and parent items."""

    def __init__(self, document: Document) -> None:
        self._blocks = tuple(_with_statements_apart(document.blocks))
        single = (each.lines[0] for each in self._blocks if each.kind == "html" and len(each.lines) == 1)
        self._tags = set(filter(None, map(tag_of, single)))
        self._path: list[tuple[int, str]] = []
        self._lead_of_list: dict[int, str] = {}
        self._above_list: dict[int, str] = {}
        self._text_of_item: dict[int, str] = {}
        self._table_lead = ""
        self._pending_lead = ""
        self._above = ""

    def segments(self) -> Iterator[Segment]:
        index = 0
        while index < len(self._blocks):
            block = self._blocks[index]
            if block.items:
                end = self._item_end(index)
                nested = self._blocks[end] if end < len(self._blocks) else None
                yield self._item(self._blocks[index:end], nested)
                index = end
                continue
            following = self._blocks[index + 1] if index + 1 < len(self._blocks) else None
            if following is not None and self._introduces_fence(block, following):
                yield self._fence((block, following))
                index += 2
                continue
            yield self._leaf(block, following)
            index += 1

    def _item_end(self, index: int) -> int:
        items = self._blocks[index].items
        end = index + 1
        while end < len(self._blocks) and self._blocks[end].items == items:
            end += 1
        return end

    def _introduces_fence(self, block: Block, following: Block) -> bool:
        if following.kind not in ("fence", "code") or following.items or block.kind != "paragraph":
            return False
        return bool(_COLON.search(block.lines[-1])) if block.lines else False

    def _fence(self, blocks: tuple[Block, Block]) -> Segment:
        lead, fence = blocks
        text = join_lines(lead.lines)
        self._above = plain_text(text)
        return replace(
            self._segment("fence", fence, " ".join((text, *map(str.strip, fence.lines))).strip()),
            first=lead.first,
            lead_in=plain_text(text),
        )

    def _leaf(self, block: Block, following: Block | None) -> Segment:
        if block.kind == "heading" and not block.quoted:
            return self._heading(block, block.level, join_lines(block.lines))
        if block.kind == "paragraph":
            return self._paragraph(block, following)
        if block.kind in ("table_header", "table_row"):
            return self._table(block)
        kind = {"code": "fence", "heading": "paragraph"}.get(block.kind, block.kind)
        if kind == "html" and (tag := self._tag(block)) is not None:
            return tag
        if kind == "html":
            kind = "comment" if block.lines and block.lines[0].lstrip().startswith("<!--") else "html"
        self._pending_lead = "" if kind not in ("comment", "rule") else self._pending_lead
        text = "" if kind == "rule" else join_lines(block.lines)
        return self._segment(kind, block, text)

    def _heading(self, block: Block, level: int, text: str) -> Segment:
        self._path = [entry for entry in self._path if entry[0] < level]
        segment = replace(self._segment("heading", block, text), level=level)
        self._path.append((level, plain_text(text).rstrip(":：")))
        self._above = plain_text(text)
        self._pending_lead = ""
        return segment

    def _tag(self, block: Block) -> Segment | None:
        """Return the tag that begins or ends a section as its heading or rule; None for another block."""
        found = tag_of(block.lines[0]) if len(block.lines) == 1 else None
        if found is None or (found[0], not found[1]) not in self._tags:
            return None
        words = re.sub(r"[_.-]+", " ", found[0])
        self._pending_lead = ""
        if not found[1]:
            opened = replace(self._segment("heading", block, words), level=PSEUDO_LEVEL)
            self._path.append((TAG_LEVEL, words))
            return opened
        if (TAG_LEVEL, words) in self._path:
            del self._path[self._path.index((TAG_LEVEL, words)) :]
        return self._segment("rule", block, "")

    def _paragraph(self, block: Block, following: Block | None) -> Segment:
        text = join_lines(block.lines)
        leads = bool(_COLON.search(text)) and following is not None and _can_follow_lead_in(following)
        bold = _BOLD_ONLY.match(text) if len(block.lines) == 1 and not block.quoted else None
        if bold and not leads and not _is_bold_sentence(bold[1].strip(), following):
            return self._heading(block, PSEUDO_LEVEL, text)
        if len(block.lines) > 1 and not block.quoted and _BOLD_ONLY.match(block.lines[0]):
            self._path = [entry for entry in self._path if entry[0] < PSEUDO_LEVEL]  # a title with its text
        self._above = plain_text(text)
        self._pending_lead = self._above if leads else ""
        return self._segment("lead_in" if leads else "paragraph", block, text)

    def _table(self, block: Block) -> Segment:
        if block.kind == "table_header":
            self._table_lead = self._pending_lead
            self._pending_lead = ""
        context = (self._table_lead,) if self._table_lead else ()
        row = self._segment(block.kind, block, block_text(block))
        return replace(row, context=context, lead_in=self._table_lead)

    def _item(self, blocks: Sequence[Block], following: Block | None) -> Segment:
        first = blocks[0]
        self._enter_lists(first)
        marked = join_lines([block_text(block) for block in blocks])
        text = without_task_mark(marked)
        innermost = first.items[-1]
        self._text_of_item.setdefault(innermost.item_number, plain_text(text))
        lead = self._lead_of_list.get(innermost.list_number, "")
        return replace(
            self._segment("lead_in" if _leads_in(text, blocks, following) else "item", first, text),
            last=blocks[-1].last,
            lines=tuple(line for block in blocks for line in block.lines),
            context=tuple(self._context(first)),
            lead_in=lead,
            above=self._above_list.get(innermost.list_number, ""),
            task=_task_state(marked),
            closed=all(block.closed for block in blocks),
        )

    def _enter_lists(self, block: Block) -> None:
        for number in dict.fromkeys(item.list_number for item in block.items):
            if number not in self._above_list:
                outermost = number == block.items[0].list_number
                self._above_list[number] = self._above if outermost else ""
                self._lead_of_list[number] = self._pending_lead if outermost else ""
                if outermost:
                    self._pending_lead = ""

    def _context(self, block: Block) -> Iterator[str]:
        for item in block.items:
            lead = self._lead_of_list.get(item.list_number, "")
            if lead:
                yield lead
            if item is not block.items[-1]:
                text = self._text_of_item.get(item.item_number, "")
                if text:
                    yield text

    def _segment(self, kind: str, block: Block, text: str) -> Segment:
        section = tuple(name for _, name in self._path)
        return Segment(**{**asdict(block), "kind": kind, "level": 0}, text=text, section=section)


def _with_statements_apart(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks with each line of a paragraph apart that starts with a number or a bold label.

    Markdown joins such lines to the paragraph above them, where only a list that starts with 1 interrupts it.
    """
    lists = max((item.list_number for block in blocks for item in block.items), default=0)
    items = max((item.item_number for block in blocks for item in block.items), default=0)
    in_tight_list = False
    for block in blocks:
        starts = _statement_starts(block)
        is_tight = _is_tight(block)
        if len(starts) > 1 or (is_tight and not in_tight_list):
            lists += 1
        in_tight_list = is_tight
        for first, end in pairwise((*starts, len(block.lines))) if len(starts) > 1 else ():
            items += 1
            yield _statement(block, first, end, lists, items)
        if len(starts) < 2:
            items += is_tight
            yield _statement(block, 0, len(block.lines), lists, items) if is_tight else block


def _is_tight(block: Block) -> bool:
    return block.kind == "paragraph" and not block.items and bool(_TIGHT.match(block.lines[0].lstrip()))


def _statement_starts(block: Block) -> tuple[int, ...]:
    """Return the positions of the lines that start a statement; the first line always does."""
    if block.kind != "paragraph" or block.items or block.quoted or len(block.lines) < 2:
        return (0,)
    lines = [line.strip() for line in block.lines]
    if _EMOJI.match(lines[0]):
        lines = [_EMOJI.sub("", line, count=1) for line in lines]
    if _are_sentences(lines):
        return tuple(range(len(lines)))
    starts = [0]
    for position, line in enumerate(lines[1:], 1):
        above = lines[position - 1]
        follows = _STATEMENT_END.search(above) or (
            starts[-1] == position - 1 and (_LABELLED.match(above) or _NUMBERED.match(above))
        )
        if follows and (_NUMBERED.match(line) or _LABELLED.match(line)):
            starts.append(position)
    return tuple(starts)


def _are_sentences(lines: Sequence[str]) -> bool:
    """Return whether each line is a sentence of its own, or a case of its own; the last may lead in what follows."""
    if not all(map(_opens_sentence, lines)):
        return False
    *above, last = lines
    if all(map(_CASE_LINE.match, lines)):
        return True
    return all(map(_SENTENCE_LINE.search, above)) and bool(_SENTENCE_LINE.search(last) or _COLON.search(last))


def _opens_sentence(line: str) -> bool:
    """Return whether a line starts with a capital, a digit, or a character of a script without capitals."""
    marks = _OPENING_MARKS.match(line)
    opening = line[marks.end() :][:1] if marks else ""
    return bool(_CAPITAL.match(opening)) or has_any(opening, KANA, HAN)


def _statement(block: Block, first: int, end: int, list_number: int, item_number: int) -> Block:
    """Return some lines of a paragraph as a block of their own; those that start with a number are an item."""
    lines = block.lines[first:end]
    opening = lines[0].strip()
    numbered = _NUMBERED.match(opening) if first or _TIGHT.match(opening) else None
    start = block.first + first
    part = replace(block, first=start, last=block.first + end - 1, lines=lines)
    if numbered is None:
        return part
    item = ListItem(item_number, list_number, ordered=True)
    return replace(part, lines=(numbered["text"], *lines[1:]), items=(item,))


def _leads_in(text: str, blocks: Sequence[Block], following: Block | None) -> bool:
    """Return whether an item introduces a list nested in it."""
    items = blocks[0].items
    if following is None or following.items[: len(items)] != items:
        return False
    return bool(_COLON.search(text) or (len(blocks) == 1 and _BOLD_ONLY.match(text)))


def _is_bold_sentence(text: str, following: Block | None) -> bool:
    """Return whether the words of a bold-only line are a sentence rather than the title of what follows."""
    if following is None or following.kind == "heading":
        return True
    return bool(_FULL_STOP.search(text)) and not _can_follow_lead_in(following)


def _task_state(text: str) -> str:
    """Return `open` or `done` if the text starts with a check box, else `""`."""
    box = _TASK.match(text)
    if box is None:
        return ""
    return "open" if box[1] == " " else "done"


def _can_follow_lead_in(block: Block) -> bool:
    return bool(block.items) or block.kind in ("table_header", "fence", "code")
