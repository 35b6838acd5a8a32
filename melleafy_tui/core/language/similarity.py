"""How alike two texts are, for finding a reworded element again (spec/decisions.md, "suggested")."""

import unicodedata
from typing import Final

ALIKE: Final = 0.8
"""From here on an element is offered in the place of one that is gone."""

UNLIKE: Final = 0.4
"""Below this an element that has the same key says something else altogether."""

LONGEST_COMPARED: Final = 2_000
"""Characters; rapidfuzz takes quadratic time in the worst case."""


def likeness(one: str, other: str) -> float:
    """Return how alike two normalised texts are, from 0 to 1, by letters or by words, whichever says more.

    By words, a rule of which a fifth of the words was replaced is still exactly 0.8 alike, however long the new words
    are.
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
