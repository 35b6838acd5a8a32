"""Regular expressions that are compiled when a text that they may match is first searched.

Compiling one takes 0.1 to 2 ms, and of the thousand in the tables one in ten matches something in a workspace. Most of
the others need words that no text has: `needed_words.tsv` says which, and is written by
`scripts/build_needed_words.py`. Use plain `re.compile` for a pattern that every workspace needs, and for one that a
loop tries on every line.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

LONGEST_READ: Final = 4_000
"""Characters that a pattern of wordings reads of a text: some take the square of a text without a sentence."""

LONGEST_LINE: Final = 20_000
"""Characters of a line whose wording is read at all; the longest line of 13,253 Markdown files of public workspaces
has 11,564."""

NEEDED_WORDS: Final = Path(__file__).with_name("needed_words.tsv")
BEYOND_ASCII: Final = "\0"
"""In a list of words, any character that isn't ASCII."""

ODD_LETTERS: Final = re.compile("[İıſ\u1c80-\u1c88]")
"""Letters that `re.IGNORECASE` takes for another one, though `str.lower` doesn't."""

Needed = tuple[tuple[tuple[str, ...], bool], ...]
"""Lists of words, each with whether it has `BEYOND_ASCII` as well."""


FEW_USES: Final = 60
"""Texts that a pattern reads before its words are put into the index."""

LONGEST_INDEXED: Final = 1_000
MOST_TEXTS: Final = 30_000
GRAM: Final = 3


class _Index:
    """Tells for all patterns at once which lists of words a text has none of, by three letters of each word, or one.

    A list is a bit. Letters that a text lacks rule out the words that hold them; what is left is looked for.

    Attributes:
        missing: What `missing_in` said about texts.
    """

    def __init__(self) -> None:
        self._lists_by_gram: dict[str, int] = {}
        self._lists_by_word: dict[str, int] = {}
        self._beyond_ascii = 0
        self._count = 0
        self.missing: dict[str, int] = {}
        self._lock = Lock()

    def lists_of(self, needed: Needed) -> int:
        """Return the bits of some lists of words, which are added."""
        lists = [found for found in needed if all(map(str.strip, found[0]))]
        with self._lock:
            first = self._count
            for number, (words, beyond_ascii) in enumerate(lists, first):
                for gram in map(_middle, words):
                    self._lists_by_gram[gram] = self._lists_by_gram.get(gram, 0) | 1 << number
                self._beyond_ascii |= beyond_ascii << number
            self._lists_by_word = {}
            self._count = first + len(lists)  # only now: another thread asks for complete lists only
            self.missing.clear()
        return (1 << first + len(lists)) - (1 << first)

    def missing_in(self, text: str) -> int:
        """Return the bits of lists that a text has no word of."""
        known = (1 << self._count) - 1
        is_ascii = text.isascii()
        if len(text) > LONGEST_INDEXED or (not is_ascii and ODD_LETTERS.search(text)):
            return 0
        held = 0 if is_ascii else self._beyond_ascii
        for word in text.lower().split():
            lists = self._lists_by_word.get(word)
            held |= self._lists_of_word(word) if lists is None else lists
        if len(self.missing) >= MOST_TEXTS:
            self.missing.clear()
        self.missing[text] = missing = known & ~held
        return missing

    def _lists_of_word(self, word: str) -> int:
        """Return the bits of lists that have letters of a word of a text."""
        by_word, lists = self._lists_by_word, 0
        for gram in {*word, *(word[start : start + GRAM] for start in range(len(word) - GRAM + 1))}:
            lists |= self._lists_by_gram.get(gram, 0)
        if len(by_word) >= MOST_TEXTS:
            by_word.clear()
        by_word[word] = lists
        return lists


def _middle(word: str) -> str:
    """Return three letters from the middle of a word's longest part, which few texts have by chance, or one letter."""
    part = max(word.split(), key=len)
    start = (len(part) - GRAM + 1) // 2
    return part[start : start + GRAM] if len(part) >= GRAM else part[-1]


INDEX: Final = _Index()


class LazyRegex:
    """A regular expression that is compiled on first use.

    Args:
        text: The pattern.
        flags: Its flags.
        longest: How many characters of a text it reads, for a pattern whose time grows with the square of a text.
    """

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG, *, longest: int = sys.maxsize) -> None:
        self.text = text
        self.flags = flags
        self.longest = longest
        self._compiled: re.Pattern[str] | None = None
        self._needed: Needed | None = None
        self._uses = 0
        self._lists = 0

    @property
    def compiled(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self.text, self.flags)
        return self._compiled

    def _compiled_for(self, text: str) -> re.Pattern[str] | None:
        """Return the compiled pattern, or None if the text lacks words that each match has."""
        if self._lists:
            missing = INDEX.missing.get(text)
            if self._lists & (INDEX.missing_in(text) if missing is None else missing):
                return None
        elif self._uses < FEW_USES:
            self._uses += 1
            if self._uses == FEW_USES:
                self._lists = INDEX.lists_of(self._words())
        return self._compiled or self._compiled_if_needed(text)

    def _compiled_if_needed(self, text: str) -> re.Pattern[str] | None:
        is_ascii = text.isascii()
        if is_ascii or not ODD_LETTERS.search(text):
            folded = text.lower()
            for words, beyond_ascii in self._words():
                if (is_ascii or not beyond_ascii) and not any(map(folded.__contains__, words)):
                    return None
        return self.compiled

    def _words(self) -> Needed:
        if self._needed is None:
            self._needed = _needed(self.text, self.flags)
        return self._needed

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that covers the whole text."""
        pattern = self._compiled_for(text)
        return pattern and pattern.fullmatch(text[: self.longest])

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the match at the start of the text, or at the given position."""
        pattern = self._compiled_for(text)
        return pattern and pattern.match(text, start, min(start + self.longest, sys.maxsize))

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        pattern = self._compiled_for(text)
        return pattern and pattern.search(text, 0, self.longest)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match."""
        pattern = self._compiled_for(text)
        return pattern.finditer(text, 0, self.longest) if pattern else iter(())

    def findall(self, text: str) -> list[str]:
        """Return the text of every match, of its group in a pattern that has one."""
        pattern = self._compiled_for(text)
        return pattern.findall(text, 0, self.longest) if pattern else []

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return the text with every match replaced, or with the first `count` of them."""
        pattern = self._compiled_for(text)
        if pattern is None:
            return text
        return pattern.sub(replacement, text[: self.longest], count) + text[self.longest :]

    def split(self, text: str) -> list[str]:
        """Return the parts of the text between the matches."""
        pattern = self._compiled_for(text)
        return pattern.split(text) if pattern else [text]


def key_of(text: str, flags: int) -> str:
    """Return the key of a pattern in the table of words."""
    from hashlib import blake2b  # not needed by `--help`

    return blake2b(f"{int(flags)}/{text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _needed(text: str, flags: int) -> Needed:
    """Return the lists of words of a pattern; a text that it matches has one of each."""
    from msgspec import json  # not needed by `--help`

    lists = json.decode(_table().get(key_of(text, flags), "[]"), type=tuple[tuple[str, ...], ...])
    return tuple(
        (tuple(word for word in words if word != BEYOND_ASCII), BEYOND_ASCII in words) for words in lists
    )


@cache
def _table() -> dict[str, str]:
    """Return the words of each pattern as JSON, by its key."""
    lines = NEEDED_WORDS.read_text(encoding="utf-8").split("\n")
    return {key: words for key, _, words in (line.partition("\t") for line in lines)}
