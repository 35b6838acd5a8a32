"""Finds seed phrases of wallets: 12 to 24 words of the list of BIP-39 in a row, whose checksum is right.

`bip39_english.txt` is the English word list of the package mnemonic 0.21 (github.com/trezor/python-mnemonic), MIT; its
licence is in `bip39_license.txt`.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import takewhile
from typing import Final

from melleafy_tui.core.source.secrets.found_secret import SecretSpan

_LENGTHS: Final = (24, 21, 18, 15, 12)
_BITS_OF_WORD: Final = 11
_WORD: Final = re.compile(r"[A-Za-z]+")
_JOINT: Final = re.compile(r"(?=[^\s,]{0,23}[\s,])[ \t\r\n,;|/·→>()\d.:\"'`*+-]{1,24}")


@cache
def _word_list() -> dict[str, int]:
    """Return the 2,048 English words of BIP-39 with their numbers."""
    text = (files(__package__) / "bip39_english.txt").read_text(encoding="ascii")
    return {word: number for number, word in enumerate(text.split())}


def seed_phrases(text: str) -> Iterator[SecretSpan]:
    """Yield the seed phrases of a text."""
    known, least = _word_list(), _LENGTHS[-1]
    words = _WORD.findall(text.lower())
    # Of twelve words in a row, one is a twelfth word of the text: most texts end here.
    twelfths = (place for place in range(0, len(words), least) if words[place] in known)
    if not any(_run_around(words, place, known) >= least for place in twelfths):
        return
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        is_listed = word.group().lower() in known
        if run and not (is_listed and _JOINT.fullmatch(text, run[-1].end(), word.start())):
            yield from _phrase_of(run)
            run = []
        run += [word] if is_listed else []
    yield from _phrase_of(run)


def _run_around(words: list[str], place: int, known: Collection[str]) -> int:
    """Return how many words around a listed one are listed without a gap."""
    above = takewhile(known.__contains__, reversed(words[max(0, place - _LENGTHS[0]) : place]))
    return sum(1 for _ in above) + sum(
        1 for _ in takewhile(known.__contains__, words[place : place + _LENGTHS[0]])
    )


def _phrase_of(run: list[re.Match[str]]) -> Iterator[SecretSpan]:
    """Yield the phrases in a run of listed words; the words of a label or heading before them can be listed, too."""
    start = 0
    while len(run) - start >= _LENGTHS[-1]:
        length = next((n for n in _LENGTHS if n <= len(run) - start and _is_valid(run[start : start + n])), 0)
        if length:
            yield SecretSpan(run[start].start(), run[start + length - 1].end(), "seed phrase", "SEED_PHRASE")
        start += length or 1


def _is_valid(words: list[re.Match[str]]) -> bool:
    """Return whether the last bits of a phrase are the first ones of the digest of the others."""
    if len({word.group().lower() for word in words}) < len(words) // 2:
        return False
    number = 0
    for word in words:
        number = number << _BITS_OF_WORD | _word_list()[word.group().lower()]
    bits = len(words) * _BITS_OF_WORD
    checked = bits // 33
    entropy = (number >> checked).to_bytes((bits - checked) // 8, "big")
    return sha256(entropy).digest()[0] >> (8 - checked) == number & ((1 << checked) - 1)
