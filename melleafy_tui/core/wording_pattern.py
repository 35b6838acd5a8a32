"""A pattern of a wording table, compiled when a text is first held against it.

The tables of rules and cadences hold a hundred long patterns; most workspaces have words for a few of them, and to
compile the rest took longer than to read the workspace. A pattern that names its words is not even tried on a text
that has none of them.
"""

import re
from functools import lru_cache
from typing import Final

from melleafy_tui.core.late_pattern import LatePattern

OPENING: Final = 4
"""Letters of a word by which texts and patterns are held against each other."""

_OPENINGS: Final = re.compile(rf"(?<![a-z])[a-z]{{1,{OPENING}}}")
_OTHER_LETTER: Final = re.compile(r"[^\W\d_a-zA-Z]")
"""A letter that no English word has."""


@lru_cache(maxsize=64)  # a rule is held against forty patterns, and its sentences and lead-in against as many
def openings(text: str) -> frozenset[str] | None:
    """Return the first letters of each word of an English text, in lower case; None of a text with other letters."""
    if not text.isascii() and _OTHER_LETTER.search(text):
        return None
    return frozenset(_OPENINGS.findall(text.lower()))


class WordingPattern(LatePattern[str]):
    """One pattern; case says nothing unless `flags` say otherwise.

    Args:
        text: The pattern.
        flags: How it is read.
        words: Words, one of which stands in every text without letters beyond ASCII that the pattern matches; only
            their first letters count, so that one stands for all its forms. None where no words can be named.
    """

    def __init__(self, text: str, flags: re.RegexFlag = re.IGNORECASE, *, words: str = "") -> None:
        super().__init__(text, flags)
        self._openings = frozenset(word[:OPENING] for word in words.split())

    @property
    def names_words(self) -> bool:
        """Return whether the pattern names words."""
        return bool(self._openings)

    def cannot_match(self, text: str) -> bool:
        """Return whether a text has none of the words that the pattern names."""
        if not self._openings:
            return False
        found = openings(text)
        return found is not None and self._openings.isdisjoint(found)
