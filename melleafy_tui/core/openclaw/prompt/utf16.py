"""Converts text to and from UTF-16 code units, in which OpenClaw counts; a character above U+FFFF is two."""

import re
from array import array
from itertools import accumulate
from typing import Final

_WIDE = re.compile(r"[\U00010000-\U0010ffff]")
WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that JavaScript's `trim` removes."""


def units(text: str) -> str:
    """Return the text with each character above U+FFFF as two surrogates, so that `len` counts code units."""
    if not _WIDE.search(text):
        return text
    return "".join(map(chr, array("H", text.encode("utf-16-le", "surrogatepass"))))


def characters(text: str) -> str:
    """Return text in code units as characters; half a character becomes U+FFFD."""
    if not any("\ud800" <= unit <= "\udfff" for unit in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def decoded(data: bytes) -> str:
    """Return a file's text in code units, decoded as OpenClaw does: always UTF-8, with the byte order mark kept."""
    return units(data.decode("utf-8", "replace"))


def before(text: str, end: int, *, whole: bool) -> int:
    """Return the end of a piece: `end`, or one less if `whole` and `end` would split a character."""
    halves = whole and 0 < end < len(text) and _is_low(text[end]) and _is_high(text[end - 1])
    return end - 1 if halves else end


def after(text: str, start: int, *, whole: bool) -> int:
    """Return the start of a piece: `start`, or one more if `whole` and `start` would split a character."""
    halves = whole and 0 < start < len(text) and _is_low(text[start]) and _is_high(text[start - 1])
    return start + 1 if halves else start


def line_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line without its line end; only LF, CRLF and CR end a line."""
    pieces = re.split(r"(\r\n|\n|\r)", text)
    ends = list(accumulate(map(len, pieces)))
    spans = [(ends[place] - len(pieces[place]), ends[place]) for place in range(0, len(pieces), 2)]
    return spans[:-1] if spans and not pieces[-1] else spans


def _is_high(unit: str) -> bool:
    return "\ud800" <= unit <= "\udbff"


def _is_low(unit: str) -> bool:
    return "\udc00" <= unit <= "\udfff"
