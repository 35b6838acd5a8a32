"""Recognises paraphrases of stock text by the words that a line shares with one line of OpenClaw's templates.

`template_words.bin` has 24-bit checksums of the words of template lines (of pairs of characters in Chinese and
Japanese) in fourteen languages, and no text. `scripts/build_template_words.py` generates it.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import chain, pairwise
from math import ceil
from pathlib import Path
from sys import byteorder
from typing import Final
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.scripts import HAN, KANA, has_any

FEWEST_WORDS: Final = 4
"""A line with fewer words has no paraphrase: too many people write them."""
LONGEST: Final = 1_200
"""Characters of the longest line that is compared."""
SHARED: Final = 0.35
"""The least share of common words among all words of the two lines."""
ADDED: Final = 0.45
"""The greatest share of words of its own; a line with more says something of its owner."""

_WORD: Final = re.compile(r"[\w./-]{1,60}\.(?:md|json)\b|[^\W_]+(?:'[^\W_]+)*")
"""A word, or the path of a file, which is one word."""
_PAIRED: Final = (KANA, HAN)
"""Characters of which two in a row count as a word."""
_LATIN: Final = re.compile(r"[a-z0-9]+")
_LITTLE: Final = frozenset(
    "a an the of to in on at is are be it its it's and or for with your you this that as by from if do i".split()  # noqa: SIM905
)
_NO_LINES: Final = array("H")
_NEGATIONS: Final = frozenset({"not", "never", "no", "don't", "doesn't", "can't", "won't", "cannot"})


class Table(Struct, frozen=True):
    """The template lines: checksums of words in order, each with the number of its line, and how many a line has."""

    sums: "array[int]"
    lines: "array[int]"
    sizes: bytes
    negated: frozenset[int]

    def lines_of(self, found: int) -> "array[int]":
        """Return the numbers of the lines with a word."""
        first = bisect_left(self.sums, found)
        if first == len(self.sums) or self.sums[first] != found:
            return _NO_LINES
        return self.lines[
            first : bisect_right(self.sums, found, first, min(first + len(self.sizes), len(self.sums)))
        ]


def shingles(bare: str) -> frozenset[str]:
    """Return the words of a normalised line but the little ones; of Chinese and Japanese, pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(bare.replace("’", "'")):
        if not has_any(word, *_PAIRED):
            if word not in _LITTLE:
                found.add(word)
            continue
        characters = [each for each in word if has_any(each, *_PAIRED)]
        found.update(map("".join, pairwise(characters)))
        found.update(_LATIN.findall(word))
    return frozenset(found)


def checksum(word: str) -> int:
    """Return the checksum of a word as the table has it."""
    return crc32(word.encode("utf-8", "surrogatepass")) & 0xFFFFFF


@lru_cache(maxsize=256)  # a line is read with its text and alone
def is_paraphrase(bare: str) -> bool:
    """Return whether a normalised line says what a line of the templates says, in most of its words.

    A line with a figure of its own, or with a negation where the template has none, is its owner's.

    Args:
        bare: The line without markers, case folded.
    """
    words = shingles(bare) if len(bare) <= LONGEST else frozenset()
    return len(words) >= FEWEST_WORDS and _says_a_template_line(words)


def _says_a_template_line(words: frozenset[str]) -> bool:
    table = _table()
    lines_of = {word: table.lines_of(checksum(word)) for word in words}
    fewest = ceil(SHARED * len(words))
    by_rarity = sorted(filter(None, lines_of.values()), key=len)
    # a line near enough has one of these, and few lines have the rarest words
    needed = by_rarity[: max(len(by_rarity) - fewest + 1, 0)]
    return any(
        _is_near(sum(line in lines for lines in by_rarity), len(words), table.sizes[line])
        and (line in table.negated) == bool(_NEGATIONS & words)
        and not any(line not in lines_of[word] for word in words if any(map(str.isdigit, word)))
        for line in frozenset(chain.from_iterable(needed))
    )


def _is_near(common: int, own: int, known: int) -> bool:
    """Return whether two lines of so many words have enough in common, and the first few of its own."""
    return common >= SHARED * (own + known - common) and own - common <= ADDED * own


def packed(sums: "array[int]", lines: "array[int]", sizes: bytes) -> bytes:
    """Return a table as its file has it: the number of words, their checksums and lines, and the sizes of lines."""
    return b"".join(map(_little_ended, (array("I", [len(sums)]), sums, lines))) + sizes


def _little_ended(numbers: "array[int]") -> bytes:
    if byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _numbers(kind: str, data: bytes) -> "array[int]":
    numbers = array(kind, data)
    if byteorder == "big":
        numbers.byteswap()
    return numbers


@lru_cache(maxsize=1)
def _table() -> Table:
    data = Path(__file__).with_name("template_words.bin").read_bytes()
    count = _numbers("I", data[:4])[0]
    end_of_sums, end_of_lines = 4 + 4 * count, 4 + 6 * count
    sums, lines = data[4:end_of_sums], data[end_of_sums:end_of_lines]
    table = Table(_numbers("I", sums), _numbers("H", lines), data[end_of_lines:], frozenset())
    negated = frozenset(line for word in _NEGATIONS for line in table.lines_of(checksum(word)))
    return replace(table, negated=negated)
