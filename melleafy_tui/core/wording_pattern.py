"""A pattern of a wording table, compiled when a text is first held against it.

The tables of rules and cadences hold a hundred long patterns; most workspaces have words for a few of them, and to
compile the rest took longer than to read the workspace.
"""

import re
from collections.abc import Iterator
from functools import cached_property


class WordingPattern:
    """One pattern; case says nothing."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern as `re` knows it."""
        return re.compile(self.text, re.IGNORECASE)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that covers the whole text."""
        return self.compiled.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match."""
        return self.compiled.finditer(text)
