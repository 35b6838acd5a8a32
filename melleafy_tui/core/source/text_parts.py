"""Splits Markdown into the lines that a person would call one rule or one fact, with what stands above each."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.markdown import Block, parse_markdown

_BOLD_LINE: Final = re.compile(r"\W{0,4}(\*\*|__).+?(?<![.!。！])\1\s*[:：]?\s*")
_LEAD_IN_END: Final = re.compile(r"[:：]\W*$")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_BOLD_START: Final = re.compile(r"\W*(?:\*\*|__)")


class TextPart(Struct, frozen=True):
    """One line of a document.

    Attributes:
        kind: item, paragraph, table_row or lead_in.
        first: Its first line in the text, from 1.
        last: Its last line.
        text: Its words with their marks, on one line.
        headings: The headings above it, outermost first.
        lead_ins: The lead-ins and parent items above it, outermost first.
    """

    kind: str
    first: int
    last: int
    text: str
    headings: tuple[str, ...]
    lead_ins: tuple[str, ...]


def text_parts(lines: Sequence[str]) -> Iterator[TextPart]:
    """Yield the items, paragraphs, table rows and lead-ins of a Markdown text; code and comments have none."""
    headings: list[tuple[int, str]] = []
    bold, lead_in = "", ""
    parents: list[tuple[int, str]] = []
    for block in parse_markdown(lines).blocks:
        above = tuple(text for _, text in headings)
        if block.kind == "heading":
            text = " ".join(block.lines).strip()
            headings = [*(each for each in headings if each[0] < block.level), (block.level, text)]
            bold, lead_in, parents = "", "", []
        elif block.kind == "table_row":
            lead_ins = (*_leads(bold, lead_in), " | ".join(block.header))
            yield TextPart("table_row", block.first, block.last, " | ".join(block.cells), above, lead_ins)
        elif block.kind == "paragraph" and block.items:
            depth = len(block.items)
            parents = [each for each in parents if each[0] < depth]
            text = " ".join(line.strip() for line in block.lines)
            lead_ins = (*_leads(bold, lead_in), *(each for _, each in parents))
            yield TextPart("item", block.first, block.last, text, above, lead_ins)
            if _LEAD_IN_END.search(text) or _BOLD_LINE.fullmatch(text):
                parents.append((depth, text))
        elif block.kind == "paragraph":
            parents, lead_in = [], ""
            for number, text in _paragraphs(block):
                if _BOLD_LINE.fullmatch(text):
                    bold, lead_in = text, ""
                elif _LEAD_IN_END.search(text):
                    yield TextPart("lead_in", number, block.last, text, above, _leads(bold, ""))
                    lead_in = text
                else:
                    yield TextPart("paragraph", number, block.last, text, above, _leads(bold, ""))


def _leads(bold: str, lead_in: str) -> tuple[str, ...]:
    return tuple(filter(None, (bold, lead_in)))


def _paragraphs(block: Block) -> list[tuple[int, str]]:
    """Return the texts of a paragraph; a line in bold, or in a script without spaces, is one of its own."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(block.lines, block.first):
        before = found[-1][1] if found else ""
        if before and not (_WIDE.search(before) or _BOLD_START.match(line) or _BOLD_LINE.fullmatch(before)):
            found[-1] = (found[-1][0], f"{before} {line.strip()}")
        else:
            found.append((number, line.strip()))
    return found
