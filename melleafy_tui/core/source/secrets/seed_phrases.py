"""Finds seed phrases of wallets: 12 to 24 words of the list of BIP-39, in a row, numbered, or one a line.

`bip39_english.txt` is the English word list of the package mnemonic 0.21 (github.com/trezor/python-mnemonic), MIT; its
licence is in `bip39_license.txt`. In other languages a word for seed phrases must stand before them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from melleafy_tui.core.source.secrets.spans import SecretSpan, compiled
from melleafy_tui.core.source.secrets.talk import SMALL
from melleafy_tui.core.source.secrets.vocabulary import Hit, is_solid
from melleafy_tui.core.source.secrets.words import Concept

SEED_PHRASE_KIND: Final = "seed phrase"
LEAST_WORDS: Final = 12
MOST_JOINTS: Final = 2
"""A phrase has one joint between its words, two where lines of several words are numbered; prose has more."""

_WORD: Final = r"[^\W\d_]+(?:[\u0300-\u036f\u3099\u309a][^\W\d_]*)*"
_ASCII_WORD: Final = re.compile("[a-z]+")
_JOINT: Final = r"(?=[^-]{0,24}[ \t\r\n,;|/·→])[ \t\r\n,;|/·→>()\d.:\"'`*+-]{1,24}"
_LABELS: Final = frozenset((Concept.SEED, Concept.SPARE, Concept.SAYING, Concept.VAULT, Concept.PHRASE))
_BEGIN: Final = r"[:：=→\n]\s{0,4}|(?<=[是はest])[ ]{1,2}|[ ](?=[\"'`“«]?\w)"
_COUNTS: Final = frozenset((12, 13, 15, 18, 20, 21, 24, 25, 33))
MOST_WORDS: Final = max(_COUNTS)
_SPACED: Final = (
    r"(?<![\u3400-\u9fff])(?:[\u3400-\u9fff][ \u3000、，,/]{1,3}){11,23}[\u3400-\u9fff](?![\u3400-\u9fff])"
)
_ANY_JOINT: Final = (
    r"[ \t\r\n\u3000,，、;；|/·-]{1,6}(?:\d{1,2}[.):]?[ \t]{0,3})?[\"'`*]{0,2}"
    r"|[\"'`*]{1,2}[ ,]{1,2}[\"'`*]{0,2}"
)
FARTHEST_PHRASE: Final = 80
LONGEST_WORD: Final = 12
LONGEST_HANGUL: Final = 5
_PARTICLE: Final = r"[\uac00-\ud7af]{1,4}(?:를|과|와|으로|에서|에게|까지|부터|하기|한다|하는|합니다)"
FEWEST_PARTICLES: Final = 3
"""A Korean phrase has nouns alone; in a sentence every few words end in a particle."""
LONGEST_PHRASE: Final = 700
MOST_BEGINNINGS: Final = 12


@cache
def word_list() -> frozenset[str]:
    """Return the 2,048 English words of BIP-39."""
    text = (files(__package__) / "bip39_english.txt").read_text(encoding="ascii")
    return frozenset(text.split())


def seed_phrases(text: str, found: Sequence[Hit]) -> Iterator[SecretSpan]:
    """Yield the seed phrases of a text.

    Args:
        text: The text.
        found: Its words that stand for concepts.
    """
    if len(text) < 2 * LEAST_WORDS - 1:
        return
    yield from _listed(text)
    if not text.isascii() or any(hit.concept is Concept.SEED for hit in found):
        yield from _labelled(text, found)


def _listed(text: str) -> Iterator[SecretSpan]:
    """Yield every run of at least 12 words of the list; ordinary prose has small words between."""
    known = word_list()
    if not _may_hold_phrase(text, known):
        return
    run: list[re.Match[str]] = []
    for word in compiled(_WORD).finditer(text):
        listed = word.group().lower() in known
        if run and not (listed and compiled(_JOINT).fullmatch(text, run[-1].end(), word.start())):
            yield from _phrase_of(text, run)
            run = []
        if listed:
            run.append(word)
    yield from _phrase_of(text, run)


def _may_hold_phrase(text: str, known: frozenset[str]) -> bool:
    """Return whether any words in a row are on the list; of twelve words in a row, two are sixth ones."""
    found = _ASCII_WORD.findall(text.lower())
    listed = [word in known for word in found[::6]]
    return any(
        one and other and _listed_around(found, 6 * number, known) >= LEAST_WORDS
        for number, (one, other) in enumerate(pairwise(listed))
    )


def _listed_around(found: list[str], place: int, known: frozenset[str]) -> int:
    first = last = place
    while first > 0 and place - first < LEAST_WORDS and found[first - 1] in known:
        first -= 1
    while last + 1 < len(found) and last - place < LEAST_WORDS and found[last + 1] in known:
        last += 1
    return last - first + 1


def _phrase_of(text: str, run: list[re.Match[str]]) -> Iterator[SecretSpan]:
    """Yield the phrases of a run of listed words, which an unusual joint ends; code repeats words: "number, number".

    A heading, a label and a phrase can all be listed words: "## Memory", "- seed phrase: …".
    """
    if len({word.group().lower() for word in run}) * 3 < LEAST_WORDS * 2:
        return
    between = [text[one.end() : other.start()] for one, other in pairwise(run)]
    shapes = {joint: _shape(joint) for joint in set(between)}
    joints = [shapes[joint] for joint in between]
    usual = {joint for joint, _ in Counter(joints).most_common(MOST_JOINTS)}
    ends = [number for number, joint in enumerate(joints, 1) if joint not in usual]
    for first, end in pairwise((0, *ends, len(run))):
        words = run[first:end]
        if len(words) >= LEAST_WORDS and len({word.group().lower() for word in words}) * 3 >= len(words) * 2:
            yield SecretSpan(words[0].start(), words[-1].end(), SEED_PHRASE_KIND, "SEED_PHRASE")


def _shape(joint: str) -> str:
    """Return what stands between two words, with numbers and white space as one mark each."""
    return " ".join(compiled(r"\d+").sub("1", joint).split())


def _labelled(text: str, found: Sequence[Hit]) -> Iterator[SecretSpan]:
    """Yield the phrases in other languages: twelve or more single words after a word for seed phrases."""
    for match in compiled(_SPACED).finditer(text) if is_solid(text) else ():
        if sum("\u3400" <= letter <= "\u9fff" for letter in match.group()) in _COUNTS:
            yield SecretSpan(*match.span(), SEED_PHRASE_KIND, "SEED_PHRASE")
    end, none = -1, set[int]()
    for hit in found:
        if hit.concept not in _LABELS or hit.start < end:
            continue
        begins = compiled(_BEGIN).finditer(text, hit.end, hit.end + FARTHEST_PHRASE)
        for _, begin in zip(range(MOST_BEGINNINGS), begins, strict=False):
            if begin.end() in none:  # also a beginning behind the word before
                continue
            run = _run_from(text, begin.end())
            if len(run) in _COUNTS and _is_list_of_words(text, run):
                end = run[-1].end()
                yield SecretSpan(run[0].start(), end, SEED_PHRASE_KIND, "SEED_PHRASE")
                break
            none.add(begin.end())


def _run_from(text: str, start: int) -> list[re.Match[str]]:
    """Return the words from a place on, up to the first that a sentence or another line separates, or one too many."""
    run: list[re.Match[str]] = []
    for word in compiled(_WORD).finditer(text, start, start + LONGEST_PHRASE):
        between = text[run[-1].end() if run else start : word.start()]
        joined = between == " " or not run or compiled(_ANY_JOINT).fullmatch(between)
        if not joined or between.count("\n") > 1 or len(run) > MOST_WORDS:
            break
        run.append(word)
    return run


def _is_list_of_words(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Return whether words are single ones, all of one case, length and joint, and no sentence."""
    found = [word.group() for word in run]
    joints = {_shape(text[one.end() : other.start()]) for one, other in pairwise(run)}
    most = LONGEST_HANGUL if "\uac00" <= found[0][0] <= "\ud7af" else LONGEST_WORD
    low = {word.lower() for word in found}
    return (
        len(joints) <= 1 + ("\n" in text[run[0].start() : run[-1].end()])
        and len(low) >= len(found) - 1
        and all(2 <= len(word) <= most for word in found)
        and (all(word == word.lower() for word in found) or not any(map(str.isascii, found)))
        and low.isdisjoint(SMALL)
        and sum(compiled(_PARTICLE).fullmatch(word) is not None for word in found) < FEWEST_PARTICLES
    )
