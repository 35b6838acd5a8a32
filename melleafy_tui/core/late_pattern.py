"""A pattern that is compiled when a text is first held against it.

To compile a pattern takes a tenth of a millisecond to two; the tables hold hundreds of them, and a workspace asks for
half. A pattern that every workspace asks for, or that a loop over many lines holds against each, is plain `re.compile`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import AnyStr, Generic


class LatePattern(Generic[AnyStr]):
    """One pattern.

    Args:
        text: The pattern.
        flags: How it is read.
    """

    def __init__(self, text: AnyStr, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.text: AnyStr = text
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[AnyStr]:
        """The pattern as `re` knows it."""
        return re.compile(self.text, self.flags)

    def cannot_match(self, text: AnyStr) -> bool:  # noqa: ARG002 - for subclasses that can tell
        """Return whether no match can be in a text, told without the pattern."""
        return False

    def fullmatch(self, text: AnyStr) -> re.Match[AnyStr] | None:
        """Return the match that covers the whole text."""
        return None if self.cannot_match(text) else self.compiled.fullmatch(text)

    def match(self, text: AnyStr) -> re.Match[AnyStr] | None:
        """Return the match at the beginning of the text."""
        return None if self.cannot_match(text) else self.compiled.match(text)

    def search(self, text: AnyStr) -> re.Match[AnyStr] | None:
        """Return the first match."""
        return None if self.cannot_match(text) else self.compiled.search(text)

    def sub(self, replacement: AnyStr | Callable[[re.Match[AnyStr]], AnyStr], text: AnyStr) -> AnyStr:
        """Return the text with every match replaced."""
        return text if self.cannot_match(text) else self.compiled.sub(replacement, text)

    def finditer(self, text: AnyStr) -> Iterator[re.Match[AnyStr]]:
        """Return every match."""
        return iter(()) if self.cannot_match(text) else self.compiled.finditer(text)


class ScriptPattern(LatePattern[str]):
    """A pattern that matches no text without characters of a script; sets of them take longest to compile.

    Args:
        text: The pattern.
        first: The first character of the script.
        last: The last one: a text without a character from the first to the last cannot match.
    """

    def __init__(self, text: str, *, first: str, last: str) -> None:
        super().__init__(text)
        self._first, self._last = first, last

    def cannot_match(self, text: str) -> bool:
        """Return whether a text has no character of the script."""
        if text.isascii() or max(text) < self._first:
            return True
        return not any(self._first <= character <= self._last for character in text)
