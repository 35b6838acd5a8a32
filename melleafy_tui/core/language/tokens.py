"""Estimates how many tokens a text has; no model's tokenizer is available offline, and each model has its own.

Four letters of an alphabet count as one token, and so does each ideograph, kana or hangul syllable. This is the usual
rule of thumb for English; it is up to half too low for code and for other alphabets.
"""

from collections.abc import Iterable
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

CHARACTERS_PER_TOKEN: Final = 4
APPROXIMATION: Final = "4 characters of an alphabet a token, 1 ideograph, kana or hangul syllable a token"
"""The estimate described in words, for display next to a figure."""

_ONE_EACH = LazyRegex(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def tokens(texts: Iterable[str]) -> int:
    """Return the estimated number of tokens of several texts together."""
    return estimated_tokens(*letters_and_signs(texts))


def letters_and_signs(texts: Iterable[str]) -> tuple[int, int]:
    """Return how many characters share a token with others, and how many have their own."""
    alphabetic = single = 0
    for text in texts:
        found = 0 if text.isascii() else len(_ONE_EACH.findall(text))
        single += found
        alphabetic += len(text) - found
    return alphabetic, single


def estimated_tokens(letters: int, signs: int) -> int:
    """Return the estimated number of tokens for these counts of letters and signs."""
    return signs - (-letters // CHARACTERS_PER_TOKEN)
