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

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.labels import Starts, literal
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import is_small_word

SEED_PHRASE_KIND: Final = "seed phrase"
LEAST_WORDS: Final = 12
MOST_JOINTS: Final = 2
"""A phrase has one joint between its words, two where lines of several words are numbered; prose has more."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u3099\u309a][^\W\d_]*)*")
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


_LABEL: Final = re.compile(
    r"(?i:\bseed|mnemonic|mnemoni|recovery phrase|secret phrase|(?:twelve|twenty-four|12|24)[ -]words?|semilla"
    r"|semente|(?:doce|12|24) palabras"
    r"|frase de recuper|(?:doze|12|24) palavras|frase di recupero|(?:dodici|12|24) parole|phrase de récup|(?:douze"
    r"|12|24) mots|wiederherstellung"
    r"|(?:zwölf|12|24) wörter|herstel|(?:twaalf|12|24) woorden|odzyskiwania|(?:12|24) słów|słowa|сид|мнемо|(?:12"
    r"|24) сл[оі]в|восстановлен|відновлен"
    r"|kurtarma|(?:12|24) kelime|wallet|monedero|billetera|carteira|portafoglio"
    r"|кошел)|助记词|助記詞|注记词|註記詞|種子|种子"
    r"|ニーモニック|シード|復元|リカバリー"
    r"|니모닉|시드|복구|지갑"
)
SEED_STARTS: Final = Starts(
    literal(
        (
            *(
                "seed",
                "mnemo",
                "recovery phrase",
                "secret phrase",
                "12 ",
                "24 ",
                "twelve",
                "twenty-four",
                "semilla",
                "semente",
            ),
            *(
                "doce",
                "palavras",
                "parole",
                "récup",
                "mots",
                "wörter",
                "woorden",
                "herstel",
                "słów",
                "słowa",
                "сид",
                "мнемо",
                "слов",
                "слів",
            ),
            *(
                "kelime",
                "wallet",
                "monedero",
                "billetera",
                "carteira",
                "portafoglio",
                "кошел",
                "助记",
                "助記",
                "注记",
                "註記",
                "種子",
                "种子",
            ),
            *("ニーモ", "シード", "復元", "니모닉", "시드", "복구", "지갑", "palabras"),
        )
    )
)
LONGEST_SEED: Final = 1_200
"""Characters from the start of a labelled line that are searched for its phrase."""

_BEGIN: Final = re.compile(r"[:：=→\n]\s{0,4}|(?<=[是はest])[ ]{1,2}")
_COUNTS: Final = frozenset((12, 13, 15, 18, 20, 21, 24, 25, 33))
_SPACED: Final = LazyRegex(
    r"(?<![\u3400-\u9fff])(?:[\u3400-\u9fff][ \u3000、，,/]{1,3}){11,23}[\u3400-\u9fff](?![\u3400-\u9fff])"
)
_ANY_JOINT: Final = re.compile(
    r"[ \t\r\n\u3000,，、;；|/·-]{1,6}(?:\d{1,2}[.):]?[ \t]{0,3})?[\"'`*]{0,2}|[\"'`*]{1,2}[ ,]{1,2}[\"'`*]{0,2}"
)
FARTHEST_PHRASE: Final = 80
LONGEST_WORD: Final = 12
LONGEST_HANGUL: Final = 5
LONGEST_PHRASE: Final = 700


def labelled_phrases(text: str) -> Iterator[SecretSpan]:
    """Yield the phrases in other languages: twelve or more single words after a label for seed phrases."""
    for match in _SPACED.finditer(text):
        if len(re.findall(r"[\u3400-\u9fff]", match.group())) in _COUNTS:
            yield SecretSpan(*match.span(), SEED_PHRASE_KIND, "SEED_PHRASE")
    end = -1
    for label in _LABEL.finditer(text):
        if label.start() < end:
            continue
        for begin in _BEGIN.finditer(text, label.end(), label.end() + FARTHEST_PHRASE):
            run = _run_from(text, begin.end())
            joints = {_shape(text[one.end() : other.start()]) for one, other in pairwise(run)}
            if (
                len(run) in _COUNTS
                and len(joints) <= 1 + ("\n" in text[run[0].start() : run[-1].end()])
                and _is_list_of_words([word.group() for word in run])
            ):
                end = run[-1].end()
                yield SecretSpan(run[0].start(), end, SEED_PHRASE_KIND, "SEED_PHRASE")
                break


def _run_from(text: str, start: int) -> list[re.Match[str]]:
    """Return the words from a place on, up to the first that a sentence or another line separates."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text, start, start + LONGEST_PHRASE):
        between = text[run[-1].end() if run else start : word.start()]
        if (run and not _ANY_JOINT.fullmatch(between)) or between.count("\n") > 1:
            break
        run.append(word)
    return run


def _is_list_of_words(found: list[str]) -> bool:
    """Return whether words are single ones, all of one case and length, and no sentence."""
    most = LONGEST_HANGUL if re.match("[\uac00-\ud7af]", found[0]) else LONGEST_WORD
    low = {word.lower() for word in found}
    return (
        len(low) >= len(found) - 1
        and all(2 <= len(word) <= most for word in found)
        and (all(word == word.lower() for word in found) or not any(map(str.isascii, found)))
        and not any(map(is_small_word, low))
    )


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
