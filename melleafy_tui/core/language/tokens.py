"""How many tokens a text has, estimated: no tokenizer of any model is at hand offline, and each model has its own.

Four characters of an alphabet make a token, and each ideograph, kana or hangul syllable one. That is the usual rule of
thumb for English, too low for code and for other alphabets by up to a half.
"""

from collections.abc import Iterable
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

CHARACTERS_PER_TOKEN: Final = 4
APPROXIMATION: Final = "4 characters of an alphabet a token, 1 ideograph, kana or hangul syllable a token"
"""The estimate in words, for whoever reads a figure."""

_ONE_EACH = LazyRegex(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def tokens(texts: Iterable[str]) -> int:
    """Return the estimated tokens of texts that stand together."""
    return estimated_tokens(*letters_and_signs(texts))


def letters_and_signs(texts: Iterable[str]) -> tuple[int, int]:
    """Return how many characters of texts share a token with others, and how many have one of their own."""
    alphabetic = single = 0
    for text in texts:
        found = 0 if text.isascii() else len(_ONE_EACH.compiled.findall(text))
        single += found
        alphabetic += len(text) - found
    return alphabetic, single


def estimated_tokens(letters: int, signs: int) -> int:
    """Return the estimated tokens of so many characters of both sorts."""
    return signs - (-letters // CHARACTERS_PER_TOKEN)
