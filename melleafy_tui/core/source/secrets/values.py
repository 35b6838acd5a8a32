"""Tells how much a value looks like a secret, apart from what is said about it."""

import re
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Final

from melleafy_tui.core.source.secrets.found_secret import pattern, table

LONGEST_VALUE: Final = 1_000
LEAST_STRONG: Final = 6
LEAST_HEX: Final = 16
LEAST_DIGITS: Final = 3
LEAST_MIXED: Final = 20
LONG: Final = 100
"""Length from which a text with slashes is no path."""
LENGTH_OF_ADDRESS: Final = 42
"""Of a public address of a block chain, `0x…`; a private key is longer."""


class Strength(StrEnum):
    """How much a value looks like a secret."""

    RANDOM = "random"
    STRONG = "strong"
    NUMBERED = "numbered"
    """A word with a number, as in weak passwords and in names of models and algorithms."""
    NUMBER = "number"
    WORDS = "words"
    NONE = ""
    """A reference, a placeholder, an amount: never a secret."""


_REFERENCE_STARTS: Final = ("/", "~", "./", "../", "@", "**")


def is_placeholder(value: str) -> bool:
    """Return whether a value stands in the place of a secret, or is made of words that name one."""
    if pattern("placeholder").match(value) or (len(set(value)) < 3 and not value.isdecimal()):
        return True
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", value))
    return bool(words) and all(word.lower() in _placeholder_words() for word in words) and len(value) < 40


@cache
def _placeholder_words() -> frozenset[str]:
    labels = (
        word
        for row in table("labelled_values").values()
        for words in row.values()
        if isinstance(words, list)
        for word in words
    )
    return frozenset(
        part for word in labels for part in re.findall(r"[^\W\d_]+", word.lower()) if len(part) > 1
    )


def strength(value: str) -> Strength:
    """Return how much a value looks like a secret."""
    if not 3 <= len(value) <= LONGEST_VALUE or is_placeholder(value):
        return Strength.NONE
    if pattern("date").fullmatch(value):
        return Strength.NONE
    digits = sum(map(str.isdecimal, value))
    if value.strip("#*").isdecimal() or re.fullmatch(r"\d{2,4}(?:[- ]\d{2,4}){1,3}[#*]?", value):
        return Strength.NUMBER if digits <= 12 else Strength.NONE
    if value.startswith(_REFERENCE_STARTS) or value.endswith((":", "]")) or "${" in value:
        return Strength.NONE
    if (
        pattern("technical").fullmatch(value)
        or pattern("amount").fullmatch(value)
        or pattern("reference").fullmatch(value)
    ):
        return Strength.RANDOM if _is_random(value) else Strength.NONE
    if " " in value or not any(not letter.isalpha() for letter in value):
        return Strength.RANDOM if " " not in value and _is_random(value) else Strength.WORDS
    marks = any(not letter.isalnum() and letter not in "-_.'’" for letter in value)
    kinds = sum(any(map(kind, value)) for kind in (str.islower, str.isupper, str.isdecimal)) + marks
    if len(value) < LEAST_STRONG or not digits:
        return Strength.NONE if "/" in value else Strength.WORDS
    if _is_random(value):
        return Strength.RANDOM
    if not marks and pattern("numbered").fullmatch(value):
        return Strength.NUMBERED
    if kinds > 2 or (marks and digits):
        return Strength.STRONG
    return Strength.STRONG if kinds > 1 else Strength.WORDS


def _is_random(value: str) -> bool:
    """Return whether a value looks made by a program: long hexadecimal, or letters and digits that alternate."""
    if len(value) == LENGTH_OF_ADDRESS and value.startswith("0x"):
        return False
    bare = value.removeprefix("0x").replace("-", "")
    digits = sum(map(str.isdecimal, bare))
    if len(bare) >= LEAST_HEX and re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", bare):
        return LEAST_DIGITS <= digits < len(bare)
    is_path = (value.count("/") > 3 and len(value) < LONG) or pattern("file").search(value) is not None
    if is_path or digits < LEAST_DIGITS or not re.fullmatch(rf"[A-Za-z0-9_+/=.~-]{{{LEAST_MIXED},}}", value):
        return False
    kinds = [(letter.islower(), letter.isupper(), letter.isdecimal()) for letter in value]
    switches = sum(one != other for one, other in pairwise(kinds))
    return switches * 3 >= len(value) and any(map(str.isalpha, value))
