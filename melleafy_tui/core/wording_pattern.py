"""A pattern of a wording table, compiled when a text is first held against it.

The tables of rules and cadences hold a hundred long patterns; most workspaces have words for a few of them, and to
compile the rest took longer than to read the workspace.
"""

import re
from collections.abc import Iterator
from functools import cached_property


class WordingPattern:
    """One pattern; case says nothing unless `flags` say otherwise."""

    def __init__(self, text: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.text = text
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern as `re` knows it."""
        return re.compile(self.text, self.flags)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that covers the whole text."""
        return self.compiled.fullmatch(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of the text."""
        return self.compiled.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match."""
        return self.compiled.finditer(text)
