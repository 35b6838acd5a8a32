"""The scripts that texts are written in: Han, kana and others.

A range of thousands of characters takes 0.6 to 4 ms to compile in a pattern, twice that with `re.IGNORECASE`, and most
texts have no character beyond Latin and punctuation. Patterns that need one among other things say `(?-i:[…])`.
"""

from typing import Final

Range = tuple[str, str]
"""The first and last character."""

HAN: Final[Range] = ("\u3400", "\u9fff")
KANA: Final[Range] = ("\u3040", "\u30ff")
HANGUL: Final[Range] = ("\uac00", "\ud7af")
CYRILLIC: Final[Range] = ("\u0400", "\u04ff")
HEBREW: Final[Range] = ("\u0590", "\u05ff")
ACCENTED: Final[Range] = ("À", "ÿ")

_WIDE: Final[tuple[Range, ...]] = (
    ("\u3000", "\u303f"),
    KANA,
    HAN,
    ("\uf900", "\ufaff"),
    ("\uff00", "\uffef"),
)


def has_any(text: str, *ranges: Range) -> bool:
    """Return whether a text has a character of one of the ranges."""
    if text.isascii() or max(text) < min(ranges)[0]:
        return False
    return any(first <= character <= last for character in text for first, last in ranges)


def is_wide(character: str) -> bool:
    """Return whether a character is Chinese or Japanese, a letter or a sign."""
    return any(first <= character <= last for first, last in _WIDE)
