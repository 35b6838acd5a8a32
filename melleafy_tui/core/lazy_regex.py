"""Regular expressions that are compiled on first use.

Compiling one takes 0.1 to 2 ms, and most commands search only a few of those in the tables. Use plain `re.compile` for
a pattern that every workspace needs.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

LONGEST_READ: Final = 4_000
"""Characters that a pattern of wordings reads of a text: some take the square of a text without a sentence."""

LONGEST_LINE: Final = 20_000
"""Characters of a line whose wording is read at all; the longest line of 13,253 Markdown files of public workspaces
has 11,564."""


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

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        return re.compile(self.text, self.flags)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that covers the whole text."""
        return self.compiled.fullmatch(text[: self.longest])

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the match at the start of the text, or at the given position."""
        return self.compiled.match(text, start, min(start + self.longest, sys.maxsize))

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.compiled.search(text, 0, self.longest)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match."""
        return self.compiled.finditer(text, 0, self.longest)

    def findall(self, text: str) -> list[str]:
        """Return the text of every match, of its group in a pattern that has one."""
        return self.compiled.findall(text, 0, self.longest)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return the text with every match replaced, or with the first `count` of them."""
        return self.compiled.sub(replacement, text[: self.longest], count) + text[self.longest :]

    def split(self, text: str) -> list[str]:
        """Return the parts of the text between the matches."""
        return self.compiled.split(text)
