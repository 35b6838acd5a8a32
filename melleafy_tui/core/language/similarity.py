"""Measures how similar two texts are, to find a reworded element again."""

import unicodedata
from typing import Final

ALIKE: Final = 0.8
"""Minimum similarity for suggesting an element as the replacement of a deleted one."""

UNLIKE: Final = 0.4
"""Below this, an element with the same key counts as a different one."""

LONGEST_COMPARED: Final = 2_000
"""The number of characters compared; rapidfuzz takes quadratic time in the worst case."""


def similarity(one: str, other: str) -> float:
    """Return how similar two normalised texts are, from 0 to 1: the higher of the scores by letters and by words.

    By words, a rule with a fifth of its words replaced scores exactly 0.8, however long the new words are.
    """
    from rapidfuzz import fuzz
    from rapidfuzz.distance import Indel

    left, right = _folded(one), _folded(other)
    if not left or not right:
        return 1.0 if left == right else 0.0
    by_letters: float = fuzz.ratio(left, right) / 100
    by_words: float = Indel.normalized_similarity(_words(left), _words(right))
    return max(by_letters, by_words)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()[:LONGEST_COMPARED].strip()


def _words(text: str) -> list[str]:
    words = [word.strip(".,;:!?\"'()") for word in text.split()]
    return [word for word in words if word] or [text]
