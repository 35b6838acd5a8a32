"""What is measured of a text: the scripts it is written in, its tokens, and how alike two texts are.

A range of thousands of characters takes 0.6 to 4 ms to compile in a pattern, twice that with `re.IGNORECASE`, and most
texts have no character beyond Latin and punctuation. Patterns that need one among other things say `(?-i:[…])`.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

Range = tuple[str, str]
"""The first and last character."""

HAN: Final[Range] = ("\u3400", "\u9fff")
KANA: Final[Range] = ("\u3040", "\u30ff")
HANGUL: Final[Range] = ("\uac00", "\ud7af")

_WIDE: Final[tuple[Range, ...]] = (
    ("\u3000", "\u303f"),
    KANA,
    HAN,
    ("\uf900", "\ufaff"),
    ("\uff00", "\uffef"),
)


def has_any(text: str, *ranges: Range) -> bool:
    """Return whether a text has a character of one of the ranges."""
    if text.isascii() or max(text) < min(ranges)[0]:
        return False
    return any(first <= character <= last for character in text for first, last in ranges)


def is_wide(character: str) -> bool:
    """Return whether a character is Chinese or Japanese, a letter or a sign."""
    return any(first <= character <= last for first, last in _WIDE)


CHARACTERS_PER_TOKEN: Final = 4
SIGNS_PER_TOKEN: Final = 1.5
"""How many ideographs, kana or hangul syllables make a token; models differ by a third."""
APPROXIMATION: Final = "4 characters of an alphabet a token, 1.5 ideographs, kana or hangul syllables a token"
"""The estimate described in words, for display next to a figure."""

_ONE_EACH = LazyRegex(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def tokens(texts: Iterable[str]) -> int:
    """Return the estimated number of tokens of several texts together."""
    return estimated_tokens(*letters_and_signs(texts))


def letters_and_signs(texts: Iterable[str]) -> tuple[int, int]:
    """Return how many characters share a token with others, and how many have their own."""
    alphabetic = single = 0
    for text in texts:
        found = 0 if text.isascii() else len(_ONE_EACH.findall(text))
        single += found
        alphabetic += len(text) - found
    return alphabetic, single


def estimated_tokens(letters: int, signs: int) -> int:
    """Return the estimated number of tokens for these counts of letters and signs."""
    return ceil(signs / SIGNS_PER_TOKEN) + ceil(letters / CHARACTERS_PER_TOKEN)


ALIKE: Final = 0.8
"""Minimum similarity for suggesting an element as the replacement of a deleted one."""

UNLIKE: Final = 0.4
"""Below this, an element with the same key counts as a different one."""

LONGEST_COMPARED: Final = 2_000
"""The number of characters compared: two texts of this length take some milliseconds."""


def similarity(one: str, other: str) -> float:
    """Return how similar two normalised texts are, from 0 to 1: the higher of the scores by letters and by words.

    By words, a rule with a fifth of its words replaced scores exactly 0.8, however long the new words are.
    """
    left, right = _folded(one), _folded(other)
    if not left or not right:
        return 1.0 if left == right else 0.0
    return max(_shared(left, right), _shared(_words(left), _words(right)))


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Return twice the length of the longest common subsequence, as a share of both lengths.

    It keeps a row of the usual table as the bits of one number (Hyyrö 2004). difflib is ten times as slow, and its
    matches of blocks can miss a longer subsequence.
    """
    places: dict[str, int] = {}
    for bit, part in enumerate(one):
        places[part] = places.get(part, 0) | 1 << bit
    full = row = (1 << len(one)) - 1
    for part in other:
        matches = row & places.get(part, 0)
        row = (row + matches | row - matches) & full
    return 2 * (len(one) - row.bit_count()) / (len(one) + len(other))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()[:LONGEST_COMPARED].strip()


def _words(text: str) -> list[str]:
    words = [word.strip(".,;:!?\"'()") for word in text.split()]
    return [word for word in words if word] or [text]
