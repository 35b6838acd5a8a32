"""Recognises paraphrases of stock text by the words that a line shares with one line of OpenClaw's templates.

`template_words.bin` has, for each template line, a count and so many 24-bit checksums of its words (of pairs of
characters in Chinese and Japanese), and no text. `scripts/build_template_words.py` generates it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

from msgspec import Struct

from melleafy_tui.core.language.scripts import HAN, KANA, has_any

FEWEST_WORDS: Final = 5
"""A line with fewer words has no paraphrase: too many people write them."""
LONGEST: Final = 1_200
"""Characters of the longest line that is compared."""
SHARED: Final = 0.45
"""The least share of common words among all words of the two lines."""
ADDED: Final = 0.35
"""The greatest share of words of its own; a line with more says something of its owner."""

_WIDTH: Final = 3
_WORD: Final = re.compile(r"[\w./-]{1,60}\.(?:md|json)\b|[^\W_]+(?:'[^\W_]+)*")
"""A word, or the path of a file, which is one word."""
_PAIRED: Final = (KANA, HAN)
"""Characters of which two in a row count as a word."""
_LATIN: Final = re.compile(r"[a-z0-9]+")
_LITTLE: Final = frozenset(
    "a an the of to in on at is are be it its it's and or for with your you this that as by from if do i".split()  # noqa: SIM905
)
_NEGATIONS: Final = frozenset({"not", "never", "no", "don't", "doesn't", "can't", "won't", "cannot"})


class Table(Struct, frozen=True):
    """The template lines: the checksums of each, and the lines of each checksum."""

    sizes: tuple[int, ...]
    lines_of: dict[int, list[int]]
    negated: frozenset[int]


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
    sums = {checksum(word): word for word in words}
    least = SHARED * len(words)
    shared = Counter(line for found in sums for line in table.lines_of.get(found, ()))
    near = (
        line
        for line, common in shared.items()
        if common >= least and _is_near(common, len(words), table.sizes[line])
    )
    negated = bool(_NEGATIONS & words)
    return any(
        (line in table.negated) == negated and not _has_own_figure(words, line, table) for line in near
    )


def _is_near(common: int, own: int, known: int) -> bool:
    """Return whether two lines of so many words have enough in common, and the first few of its own."""
    return common >= SHARED * (own + known - common) and own - common <= ADDED * own


def _has_own_figure(words: Iterable[str], line: int, table: Table) -> bool:
    return any(
        line not in table.lines_of.get(checksum(word), ()) for word in words if any(map(str.isdigit, word))
    )


@lru_cache(maxsize=1)
def _table() -> Table:
    data = Path(__file__).with_name("template_words.bin").read_bytes()
    negations = {checksum(word) for word in _NEGATIONS}
    sizes: list[int] = []
    lines_of: dict[int, list[int]] = {}
    negated = set()
    place = 0
    while place < len(data):
        size, place = data[place], place + 1
        for _ in range(size):
            found = int.from_bytes(data[place : place + _WIDTH], "big")
            lines_of.setdefault(found, []).append(len(sizes))
            if found in negations:
                negated.add(len(sizes))
            place += _WIDTH
        sizes.append(size)
    return Table(tuple(sizes), lines_of, frozenset(negated))
