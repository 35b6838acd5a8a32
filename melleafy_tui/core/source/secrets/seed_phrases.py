"""Finds seed phrases of wallets: 12 to 24 words of the list of BIP-39, in a row, numbered, or one a line.

`bip39_english.txt` is the English word list of the package mnemonic 0.21 (github.com/trezor/python-mnemonic), MIT; its
licence is in `bip39_license.txt`.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from melleafy_tui.core.source.secrets.spans import SecretSpan

SEED_PHRASE_KIND: Final = "seed phrase"
LEAST_WORDS: Final = 12
MOST_JOINTS: Final = 2
"""A phrase has one joint between its words, two where lines of several words are numbered; prose has more."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_ASCII_WORD: Final = re.compile("[a-z]+")
_JOINT: Final = re.compile(r"(?=[^-]*[ \t\r\n,;|/·→])[ \t\r\n,;|/·→>()\d.:\"'`*+-]{1,24}")


@cache
def word_list() -> frozenset[str]:
    """Return the 2,048 English words of BIP-39."""
    text = (files(__package__) / "bip39_english.txt").read_text(encoding="ascii")
    return frozenset(text.split())


def seed_phrases(text: str) -> Iterator[SecretSpan]:
    """Yield every run of at least 12 words of the list; ordinary prose has small words between."""
    known = word_list()
    if not _may_hold_phrase(text, known):
        return
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        listed = word.group().lower() in known
        if run and not (listed and _JOINT.fullmatch(text, run[-1].end(), word.start())):
            yield from _phrase_of(text, run)
            run = []
        if listed:
            run.append(word)
    yield from _phrase_of(text, run)


def _phrase_of(text: str, run: list[re.Match[str]]) -> Iterator[SecretSpan]:
    """Yield a run of listed words that is a phrase; code repeats words: "number, number, ..."."""
    joints = {_shape(text[one.end() : other.start()]) for one, other in pairwise(run)}
    if len(run) < LEAST_WORDS or len(joints) > MOST_JOINTS:
        return
    if len({word.group().lower() for word in run}) * 3 >= len(run) * 2:
        yield SecretSpan(run[0].start(), run[-1].end(), SEED_PHRASE_KIND, "SEED_PHRASE")


def _shape(joint: str) -> str:
    """Return what stands between two words, with numbers and white space as one mark each."""
    return re.sub(r"\s+", " ", re.sub(r"\d+", "1", joint)).strip()


def _may_hold_phrase(text: str, known: frozenset[str]) -> bool:
    """Return whether any words in a row are on the list; only every sixth word starts a look at its neighbours."""
    found = _ASCII_WORD.findall(text.lower())
    return any(
        word in known and _listed_around(found, 6 * number, known) >= LEAST_WORDS
        for number, word in enumerate(found[::6])
    )


def _listed_around(found: list[str], place: int, known: frozenset[str]) -> int:
    first = last = place
    while first > 0 and place - first < LEAST_WORDS and found[first - 1] in known:
        first -= 1
    while last + 1 < len(found) and last - place < LEAST_WORDS and found[last + 1] in known:
        last += 1
    return last - first + 1
