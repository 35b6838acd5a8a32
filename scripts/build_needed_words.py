"""Writes which words a text must contain for each `LazyRegex` to match, so that the others are never compiled.

    python scripts/build_needed_words.py

It reads the patterns as `re` parses them, and sees those that exist once every module of the core and of the
generators is imported. A pattern that is missing from the table, or has changed since, is compiled when it is first
used; nothing else depends on the table.
"""

import gc
import importlib
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from math import fsum
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from re._casefix import _EXTRA_CASES  # type: ignore[import-not-found]
from typing import Any, Final

from msgspec import Struct

import melleafy_tui.core
import melleafy_tui.generators
from melleafy_tui.core.lazy_regex import BEYOND_ASCII, NEEDED_WORDS, ODD_LETTERS, LazyRegex, key_of

Words = frozenset[str]
"""Lower-case strings, one of which is in every text that a pattern matches."""

MOST_WORDS: Final = 200
"""Longer lists take longer to look for than patterns of their length to compile."""
MOST_IN_SEQUENCE: Final = 64
"""How many strings a sequence of alternatives may be written out to."""
LARGEST_SET: Final = 12
"""The largest set of characters that is written out within a longer string."""
FAIREST: Final = 0.9
"""Words whose share of texts is estimated to be larger aren't listed."""

_UNSURE: Final = {
    chr(code)
    for code, others in _EXTRA_CASES.items()
    if not all(ODD_LETTERS.match(chr(each)) for each in others)
}
"""Letters that `re.IGNORECASE` takes for others as well, beside those with which no text is judged by its words."""

_COMMON: Final = re.compile(
    r"(?:an?|and|are|as|at|be|by|do|for|from|if|in|is|it|no|not|of|on|or|that|the|this|to|when|with|your?)\s?"
)
_SHARES: Final = (1.0, 0.6, 0.35, 0.12, 0.04)
"""The share of texts that contain a string of this length, estimated; longer ones are rarer."""
_RARE: Final = 0.012


class Found(Struct, frozen=True):
    """What is known of the strings that a part of a pattern matches.

    Attributes:
        exact: All of them in lower case, or None if they are too many.
        needed: Sets of words; each has a word that is in every text in which the part matches.
    """

    exact: Words | None
    needed: tuple[Words, ...] = ()

    @property
    def all_needed(self) -> tuple[Words, ...]:
        """Return the sets of words, with the exact strings among them."""
        return (*self.needed, self.exact) if self.exact and "" not in self.exact else self.needed


NOTHING: Final = Found(frozenset({""}))
ANYTHING: Final = Found(None)


def needed_words(text: str, flags: int) -> tuple[Words, ...]:
    """Return up to two sets of words, each of which has one that is in every text that the pattern matches.

    Args:
        text: The pattern.
        flags: Its flags.
    """
    found = _sequence(_parser.parse(text, flags))
    chosen: list[Words] = []
    for words in sorted(set(map(_shortened, found.all_needed)), key=_rarest_first):
        apart = all(words.isdisjoint(other) for other in chosen)
        if apart and len(words) <= MOST_WORDS and _share(words) <= FAIREST and len(chosen) < 2:
            chosen.append(words)
    return tuple(chosen)


def _shortened(words: Words) -> Words:
    """Return the words without those that contain another one."""
    words = frozenset(BEYOND_ASCII if BEYOND_ASCII in word else word for word in words)
    return frozenset(word for word in words if not any(other != word and other in word for other in words))


def _rarest_first(words: Words) -> tuple[float, list[str]]:
    return _share(words), sorted(words)


def _share(words: Iterable[str]) -> float:
    """Return the estimated share of texts that contain one of the words."""
    return fsum(map(_share_of, words))


def _share_of(word: str) -> float:
    if word == BEYOND_ASCII:
        return 0.3
    if not word.isascii():
        return _RARE / len(word)
    if _COMMON.fullmatch(word):
        return 0.3
    share = _SHARES[len(word)] if len(word) < len(_SHARES) else _RARE
    return share if word.isalpha() else share / 2


def _sequence(items: Iterable[tuple[Any, Any]]) -> Found:
    """Return what a sequence of parts matches: strings that follow each other are joined where they are few."""
    run = NOTHING
    parts: list[Found] = []
    for code, argument in items:
        part = _part(code, argument)
        joined = _joined(run, part)
        if joined is None:
            parts.append(run)
            joined = part
        run = joined
    if not parts:
        return run
    needed = tuple(words for part in (*parts, run) for words in part.all_needed)
    return Found(None, needed)


def _joined(first: Found, second: Found) -> Found | None:
    """Return what two parts match one after the other, or None if the strings can't be joined."""
    if first.exact is None or second.exact is None or len(first.exact) * len(second.exact) > MOST_IN_SEQUENCE:
        return None
    exact = frozenset(one + other for one in first.exact for other in second.exact)
    return Found(exact, (*first.needed, *second.needed))


def _part(code: Any, argument: Any) -> Found:
    """Return what one part of a pattern matches."""
    if code is op.LITERAL:
        return Found(frozenset({_lower(chr(argument))}))
    if code is op.IN:
        return _set(argument)
    if code is op.BRANCH:
        return _either([_sequence(branch) for branch in argument[1]])
    if code is op.SUBPATTERN:
        return _sequence(argument[-1])
    if code is op.ATOMIC_GROUP:
        return _sequence(argument)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _repeated(*argument)
    if code in (op.AT, op.ASSERT_NOT):
        return NOTHING
    if code is op.ASSERT:
        return Found(frozenset({""}), _sequence(argument[1]).all_needed)
    return ANYTHING


def _repeated(least: int, most: int, items: Sequence[tuple[Any, Any]]) -> Found:
    part = _sequence(items)
    if least == 0:
        return Found(part.exact | {""}) if most == 1 and part.exact is not None else ANYTHING
    if least == most and part.exact is not None and len(part.exact) ** least <= MOST_IN_SEQUENCE:
        return reduce(lambda run, _: _joined(run, part) or ANYTHING, range(least - 1), part)
    return Found(None, part.all_needed)


def _either(branches: Sequence[Found]) -> Found:
    """Return what one of several alternatives matches."""
    exact: Words | None = frozenset()
    for branch in branches:
        exact = exact | branch.exact if exact is not None and branch.exact is not None else None
    if not all(branch.all_needed for branch in branches):
        return Found(exact)
    rarest = (min(branch.all_needed, key=_rarest_first) for branch in branches)
    return Found(exact, () if exact is not None else (frozenset().union(*rarest),))


def _set(items: Iterable[tuple[Any, Any]]) -> Found:
    """Return what a set of characters matches."""
    characters = set[str]()
    for code, argument in items:
        if code is op.LITERAL:
            characters.add(_lower(chr(argument)))
        elif code is op.RANGE and argument[0] > 127:
            characters.add(BEYOND_ASCII)
        elif code is op.RANGE and argument[1] - argument[0] < LARGEST_SET:
            characters |= {_lower(chr(one)) for one in range(argument[0], argument[1] + 1)}
        else:
            return ANYTHING
    if BEYOND_ASCII in characters or len(characters) > LARGEST_SET:
        return Found(None, (frozenset(characters),))
    return Found(frozenset(characters))


def _lower(character: str) -> str:
    """Return a character in lower case, or the sign for any beyond ASCII if that isn't certain."""
    lower = character.lower()
    certain = lower not in _UNSURE and len(lower) == 1 and not ODD_LETTERS.match(character)
    return lower if certain else BEYOND_ASCII


def patterns() -> list[LazyRegex]:
    """Return every pattern of the core and the generators."""
    for package in (melleafy_tui.core, melleafy_tui.generators):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".generators.runtime" not in module.name and ".templates_compiled" not in module.name:
                importlib.import_module(module.name)
    return [each for each in gc.get_objects() if isinstance(each, LazyRegex)]


def table(found: Iterable[LazyRegex]) -> str:
    """Return the table: a line with the key and the words of each pattern."""
    return "".join(sorted(set(_lines(found))))


def _lines(found: Iterable[LazyRegex]) -> Iterator[str]:
    for pattern in found:
        lists = [sorted(words) for words in needed_words(pattern.text, pattern.flags)]
        words = json.dumps(lists, ensure_ascii=False, separators=(",", ":"))
        yield f"{key_of(pattern.text, pattern.flags)}\t{words}\n"


if __name__ == "__main__":
    NEEDED_WORDS.write_text(table(patterns()), encoding="utf-8")
