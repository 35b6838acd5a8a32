"""Translates the time words of other languages to the English that the cadence forms match.

Source positions are kept, since a schedule quotes the source and not this translation.
"""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.time.languages import Replacement, languages
from melleafy_tui.core.language.time.zones import zone_at
from melleafy_tui.core.lazy_regex import LazyRegex


class EnglishText(Struct, frozen=True):
    """A text in English words; `starts` and `ends` give the source position of each of its characters."""

    text: str
    source: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def source_words(self, start: int, end: int) -> str:
        """Return the source text between two offsets of the English text."""
        if start >= end:
            return ""
        cut = self.source[self.ends[end - 1] - 1 :][:2]
        if self.text[end - 1] == " " and len(cut) > 1 and cut.isalpha():
            end = start + len(self.text[start:end].rstrip())  # it would cut the name of a time zone
        return self.source[self.starts[start] : self.ends[end - 1]]

    def blanked(self, start: int, end: int) -> "EnglishText":
        """Return the text with spaces in place of a stretch."""
        text = self.text[:start] + " " * (end - start) + self.text[end:]
        return EnglishText(text, self.source, self.starts, self.ends)


_BARE_HOUR: Final = LazyRegex(
    r"\bat (?P<hour>(?:[01]?\d|2[0-3]))(?: ?o['’]clock)?(?=\s*(?:$|[,;)&]|\.(?!\d)|and\b))", re.IGNORECASE
)


def in_english(text: str) -> EnglishText:
    """Return a text with its time words in English, and spaces in place of a time zone."""
    english = EnglishText(text, text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    zone = zone_at(text)
    if zone is not None:
        english = english.blanked(zone.start, zone.end)
    for language in languages():
        if language.is_needed(text):
            for pattern, replacement in language.replacements:
                english = _replaced(english, pattern, replacement)
    return _replaced(english, _BARE_HOUR, lambda match: f"at {match['hour']}:00")


def is_foreign(text: str) -> bool:
    """Return whether a text has time words of another language than English."""
    return any(language.is_needed(text) for language in languages())


def _replaced(english: EnglishText, pattern: LazyRegex, replacement: Replacement) -> EnglishText:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for match in pattern.finditer(english.text):
        parts.append(english.text[position : match.start()])
        starts += english.starts[position : match.start()]
        ends += english.ends[position : match.start()]
        words = replacement(match)
        parts.append(words)
        starts += [english.starts[match.start()]] * len(words)
        ends += [english.ends[match.end() - 1]] * len(words)
        position = match.end()
    if not position:
        return english
    parts.append(english.text[position:])
    starts += english.starts[position:]
    ends += english.ends[position:]
    return EnglishText("".join(parts), english.source, tuple(starts), tuple(ends))
