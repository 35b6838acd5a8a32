"""Reads a text in blocks of lines that may hold a secret, each line with what its surroundings say.

A heading speaks for the lines of its section, a lead-in for its list, a table's header for its columns, and a line for
the next one. Lines without a word for secrets are passed over, save those beside one in the same list.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.vocabulary import NAMING, NEGATIVE, Hit
from melleafy_tui.core.source.secrets.words import Concept

LONGEST_LEAD: Final = 90
LONGEST_ITEM: Final = 120
LONGEST_LINE: Final = 4_000
OVERLAP: Final = 400
FARTHEST_BLANK: Final = 60
MOST_LETTERS: Final = 14
"""Letters beside the words for secrets in a line that is only a label: the name of a service, small words."""

MOST_OTHER: Final = 4
"""Letters beside the words of a header that name a secret: articles."""

MOST_ITEMS: Final = 24
ODD: Final = re.compile(
    r"[^\W\d_]{2}[-_.&!?#$%*+>]?\d|\d[-_.&!?#$%*+]?[^\W\d_]{2}|[^\W\d_][&!?#$%*+>][^\W\d_]"
)
"""Letters beside digits or marks, as in what people make up."""

_ODD_OR_ADDRESS: Final = re.compile(
    r"[@\d&!?#$%*+>](?:(?<=@)|(?<=[^\W\d_]{2}\d)|(?<=[^\W\d_]{2}[-_.&!?#$%*+>]\d)"
    r"|(?<=\d)[-_.&!?#$%*+]?[^\W\d_]{2}|(?<=[^\W\d_][&!?#$%*+>])[^\W\d_])"
)
"""The same or an `@`, from its rare letter on: the letters of most texts are passed over at once."""

RUN: Final = re.compile(r"(?<![A-Za-z0-9+/_=.~-])[A-Za-z0-9+/_=.~-]{20}")
"""What each random value holds."""

_SHAPE: Final = re.compile(
    r"[ \t\v>]*(?P<mark>[-*+•·|☐☑✅]|\d{1,2}[.)](?=[ \t])|\[?\d{1,2}[:.]\d\d\]?(?=[ \t]))"
)


class Context(Struct, frozen=True):
    """What the lines around a line say.

    Attributes:
        topics: The concepts of its heading, its lead-in and the line before.
        above: The words of the line that announces it.
        columns: The concepts of a table's header, by column.
        pure: The columns whose header is a word for a secret and nothing else.
        others: The columns whose header says that they hold no secret: ports, rooms, ids.
        asked: Whether the line that announces it asks for something.
        label: Whether the line that announces it is hardly more than words for secrets: "Garden door codes".
    """

    topics: frozenset[Concept] = frozenset()
    above: tuple[Hit, ...] = ()
    columns: tuple[frozenset[Concept], ...] = ()
    pure: frozenset[int] = frozenset()
    asked: bool = False
    label: bool = False
    others: frozenset[int] = frozenset()


class Line(Struct, frozen=True):
    """A line, or a window of a long one: its place, its text, its words that stand for concepts, its surroundings."""

    offset: int
    text: str
    hits: tuple[Hit, ...] = ()
    topics: frozenset[Concept] = frozenset()
    context: Context = Context()


class _State(Struct):
    """What the lines read so far say about the next one."""

    heading: frozenset[Concept] = frozenset()
    lead: tuple[Hit, ...] = ()
    lead_topics: frozenset[Concept] = frozenset()
    asked: bool = False
    label: bool = False
    items: int = 0
    neighbour: frozenset[Concept] = frozenset()
    columns: tuple[frozenset[Concept], ...] = ()
    pure: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    in_table: bool = False

    @property
    def speaks(self) -> bool:
        """Return whether anything was said."""
        return bool(self.heading or self.lead or self.neighbour or self.columns)

    def context(self, *, table: bool) -> Context:
        """Return the surroundings of the next line."""
        if not self.speaks:
            return NOWHERE
        columns = self.columns if table else ()
        topics = self.heading.union(self.lead_topics, self.neighbour, *columns)
        return (
            Context(topics, self.lead, columns, self.pure, self.asked, self.label, self.others)
            if topics or self.lead
            else NOWHERE
        )


NOWHERE: Final = Context()


def blocks(text: str, found: Sequence[Hit], *, alone: bool) -> Iterator[list[Line]]:
    """Yield the blocks of a text that may hold a secret: the items of a list, the rows of a table, or one line.

    Args:
        text: The text.
        found: Its words for secrets.
        alone: Whether a line is read without its surroundings, but for the header of its table.
    """
    state, block, shape, matters = _State(), list[Line](), "", False
    for start, words, here, marked, apart in _lines(text, found):
        if apart:
            state.neighbour, state.columns, state.in_table = _NONE, (), False
        if not (here or marked or matters or state.speaks):
            block, shape, state.in_table = [], "", words.lstrip(" \t>").startswith("|")
            continue
        own = _shape_of(words)
        if not own or own != shape or apart:
            if matters:
                yield from _flushed(block)
            block, matters, shape = [], False, own
        if words.lstrip("> \t").startswith(("```", "~~~")) and " " not in words.strip("> \t"):
            continue
        context = NOWHERE if alone and own != "|" else state.context(table=own == "|")
        topics = frozenset([hit.concept for hit in here]) if here else _NONE
        _remember(state, words, here, topics, own)
        block.append(Line(start, words, here, topics, context))
        matters = matters or marked or bool(topics - NEGATIVE or context.above or context.columns)
    if matters:
        yield from _flushed(block)


_NONE: Final = frozenset[Concept]()
_Read = tuple[int, str, tuple[Hit, ...], bool, bool]


def _lines(text: str, found: Sequence[Hit]) -> Iterator[_Read]:
    """Yield each line that isn't blank: place, text, words, whether it has a mark, whether a blank one is before it.

    Lines are yielded from a text only if it has words for secrets, an address or a long word.
    """
    marks = sorted([match.start() for form in (_ODD_OR_ADDRESS, RUN) for match in form.finditer(text)])
    if not found and not marks:
        return
    end = at = mark = 0
    apart = False
    for words in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        start, end, first, passed = end, end + len(words) + 1, at, mark
        while at < len(found) and found[at].start < end:
            at += 1
        while mark < len(marks) and marks[mark] < end:
            mark += 1
        if not words or words.isspace():
            apart = True
            continue
        own = found[first:at] if at > first else ()
        here = tuple([Hit(hit.start - start, hit.end - start, hit.concept) for hit in own])
        yield start, words, here, mark > passed, apart
        apart = False


def _flushed(block: list[Line]) -> Iterator[list[Line]]:
    """Yield a block, and the windows of its long lines by themselves."""
    short = [line for line in block if len(line.text) <= LONGEST_LINE]
    if short:
        yield short
    for line in block:
        if len(line.text) > LONGEST_LINE:
            yield from ([window] for window in _windows(line))


def _windows(line: Line) -> Iterator[Line]:
    """Yield the overlapping windows of a long line, which begin and end at a blank if one is close."""
    first = 0
    for place in range(0, len(line.text), LONGEST_LINE - OVERLAP):
        stop = place + LONGEST_LINE
        start = line.text.find(" ", place, place + FARTHEST_BLANK) + 1 if place else 0
        start = start or place
        blank = line.text.rfind(" ", stop - FARTHEST_BLANK, stop) if stop < len(line.text) else -1
        end = stop if blank < 0 else blank
        while first < len(line.hits) and line.hits[first].start < start:
            first += 1
        inside = []
        for hit in line.hits[first:]:
            if hit.end > end:
                break
            inside.append(Hit(hit.start - start, hit.end - start, hit.concept))
        yield Line(
            line.offset + start, line.text[start:end], tuple(inside), frozenset(hit.concept for hit in inside)
        )
        if stop >= len(line.text):
            break


def _shape_of(words: str) -> str:
    match = _SHAPE.match(words)
    return match["mark"][-1] if match else ""


def _remember(
    state: _State, words: str, found: Sequence[Hit], topics: frozenset[Concept], shape: str
) -> None:
    """Take what a line says about those below it."""
    bare = words.strip(" \t>")
    state.neighbour = topics - NAMING - NEGATIVE if topics and len(bare) <= LONGEST_ITEM else _NONE
    if shape == "|":
        if not state.in_table and bare.strip(" \t|:-"):
            state.columns, state.pure, state.others = _columns(words, found)
            state.in_table = True
        return
    state.columns, state.in_table = (), False
    heading = bare[:1] == "#"
    if heading:
        state.heading, state.neighbour = topics, _NONE
    if heading and not found:
        announces = True
    else:
        announces = bool(found) and _announces(bare, found[-1].end - len(words) + len(words.lstrip(" \t>")))
    if announces:
        state.lead, state.lead_topics, state.items = tuple(found), topics, 0
        state.asked = bare.rstrip(" *_")[-1:] in "?？"
        state.label = sum(map(str.isalpha, bare)) - sum(hit.end - hit.start for hit in found) <= MOST_LETTERS
        return
    state.items += 1
    if state.lead and (state.items > MOST_ITEMS or (len(bare) > LONGEST_ITEM and not shape)):
        state.lead, state.lead_topics, state.asked = (), _NONE, False


_Columns = tuple[tuple[frozenset[Concept], ...], frozenset[int], frozenset[int]]


def _columns(row: str, found: Sequence[Hit]) -> _Columns:
    """Return the concepts of a table's header by column if it has a word for a secret, its pure and other columns."""
    cells = row.strip(" \t>").removeprefix("|").split("|")
    first, others = row.count("|") + 1 - len(cells), set[int]()
    columns, letters = [set[Concept]() for _ in cells], [sum(map(str.isalpha, cell)) for cell in cells]
    for hit in found:
        column = row.count("|", 0, hit.start) - first
        letters[column] -= sum(map(str.isalpha, row[hit.start : hit.end]))
        if hit.concept in NEGATIVE:
            others.add(column)
        else:
            columns[column].add(hit.concept)
    if not any(columns):
        return (), frozenset(), frozenset()
    pure = frozenset(column for column, rest in enumerate(letters) if rest <= MOST_OTHER)
    plain = frozenset(column for column in others if not columns[column])
    return tuple(map(frozenset, columns)), pure, plain


def _announces(bare: str, last: int) -> bool:
    """Return whether a line announces values below it: a heading, or a label or question at its end."""
    if len(bare) > LONGEST_LEAD:
        return False
    ends = bare.rstrip(" *_`\"'")
    if bare[:1] == "#" or ends[-1:] in ":：?？=":
        return True
    return len(bare) - last <= 16 and not any(map(str.isdecimal, bare[last:]))
