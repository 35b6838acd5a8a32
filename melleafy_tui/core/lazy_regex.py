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
from typing import Final

LONGEST_READ: Final = 4_000
"""Characters that a pattern of wordings reads of a text: some take the square of a text without a sentence."""

NEEDED_WORDS: Final = Path(__file__).with_name("needed_words.tsv")
BEYOND_ASCII: Final = "\0"
"""In a list of words, any character that isn't ASCII."""

ODD_LETTERS: Final = re.compile("[İıſ\u1c80-\u1c88]")
"""Letters that `re.IGNORECASE` takes for another one, though `str.lower` doesn't."""

Needed = tuple[tuple[tuple[str, ...], bool], ...]
"""Lists of words, each with whether it has `BEYOND_ASCII` as well."""


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

    @property
    def compiled(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self.text, self.flags)
        return self._compiled

    def _compiled_for(self, text: str) -> re.Pattern[str] | None:
        """Return the compiled pattern, or None if it isn't yet and the text lacks words that each match has."""
        if self._compiled is not None:
            return self._compiled
        if self._needed is None:
            self._needed = _needed(self.text, self.flags)
        is_ascii = text.isascii()
        if is_ascii or not ODD_LETTERS.search(text):
            folded = text.lower()
            for words, beyond_ascii in self._needed:
                if (is_ascii or not beyond_ascii) and not any(map(folded.__contains__, words)):
                    return None
        return self.compiled

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that covers the whole text."""
        pattern = self._compiled or self._compiled_for(text)
        return pattern and pattern.fullmatch(text[: self.longest])

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the match at the start of the text, or at the given position."""
        pattern = self._compiled or self._compiled_for(text)
        return pattern and pattern.match(text, start, min(start + self.longest, sys.maxsize))

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        pattern = self._compiled or self._compiled_for(text)
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
