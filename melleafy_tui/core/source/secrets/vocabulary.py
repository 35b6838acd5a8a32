"""Finds the words of a text that speak of secrets, and the concept each stands for, by looking them up."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from string import ascii_letters, digits
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.spans import compiled
from melleafy_tui.core.source.secrets.words import SERVICES, WORDS, Concept

C = Concept
NAMING: Final = frozenset((C.PASSWORD, C.PASS, C.PHRASE, C.TOKEN, C.PIN, C.CODE, C.KEY, C.SEED))
"""Concepts that name a secret; the others say what it is for, or how it is used."""

NEGATIVE: Final = frozenset((C.OTHER, C.PUBLIC))
"""Concepts of what is no secret."""


_INSIDE: Final = NAMING | NEGATIVE


class Hit(Struct, frozen=True):
    """A word or several that stand for a concept, by their place."""

    start: int
    end: int
    concept: Concept


WORD: Final = re.compile(r"[^\W\d_]+")
_LETTERED: Final = re.compile(r"[^\W_](?<!\d[^\W_])(?:(?<=[^\W\d_])|(?=[^\W\d_]))[^\W\d_]*(?:\d(?!\d))?")
"""Letters with at most one digit before and behind them, which no other stands beside."""
_ASCII_LETTERED: Final = re.compile(
    r"[0-9A-Za-z](?<![0-9][0-9A-Za-z])(?:(?<=[A-Za-z])|(?=[A-Za-z]))[A-Za-z]*(?:[0-9](?![0-9]))?"
)
_SPACED_WORD: Final = r"(?<!\d)\d?[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:\d(?!\d))?"
CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SOLID: Final = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
FIRST_SOLID: Final = "\u3040"


def is_solid(text: str) -> bool:
    """Return whether a text has kana, Chinese characters or Hangul, whose words are looked for inside other words."""
    if text.isascii() or max(_NOT_ASCII.findall(text)) < FIRST_SOLID:
        return False
    return compiled(_SOLID).search(text) is not None


_JOINT: Final = re.compile(r"(?:[ _.'’-]|[ ]{2})?(?P<word>[^\W\d_]+|\d{1,2}(?=[ _-]))")
EDGE: Final = 3
LONGEST_ENDING: Final = 5
MOST_JOINT: Final = 2
_JOINTS: Final = frozenset(("", "s", "es", "n", "en", "e", "er", "o", "ns"))
"""What stands between the parts of a compound."""

_READ_AS: Final = (("ı", "i"), ("İ", "i"), ("ſ", "s"), ("\u212a", "k"))
"""Letters that `lower` leaves, or gives another length."""


class _Vocabulary(Struct, frozen=True):
    """The words by how they are found.

    Attributes:
        exact: Whole words.
        stems: How words begin.
        heads: How compounds end.
        joined: By their first part, the words that consist of several, the longest first.
        solid: By their first character, the words of scripts without blanks, the longest first.
        edges: How any of them begins, and how compounds end, in three letters; most words have neither.
    """

    exact: dict[str, Concept]
    stems: dict[str, Concept]
    heads: dict[str, Concept]
    joined: dict[str, list[tuple[tuple[str, ...], Concept]]]
    solid: dict[str, list[tuple[str, Concept]]]
    edges: set[str]


@cache
def _vocabulary() -> _Vocabulary:
    found = _Vocabulary({}, {}, {}, {}, {}, set())
    for concept, text in (*WORDS.items(), (Concept.SERVICE, SERVICES)):
        for word in text.split():
            _add(found, lowered(word), concept)
    for rows in found.joined.values():
        rows.sort(key=lambda row: -len(row[0]))
    for entries in found.solid.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    found.edges.update(word[:EDGE] for words in (found.exact, found.stems, found.joined) for word in words)
    found.edges.update(f"*{word[-EDGE:]}" for word in found.heads)
    return found


def _add(found: _Vocabulary, word: str, concept: Concept) -> None:
    if max(word) >= FIRST_SOLID:
        found.solid.setdefault(word[0], []).append((word.replace("_", ""), concept))
        if "_" in word:
            found.solid[word[0]].append((word.replace("_", " "), concept))
    elif "_" in word.strip("_"):
        parts = tuple(word.split("_"))
        found.joined.setdefault(parts[0].removesuffix("*"), []).append((parts, concept))
    elif word.startswith("*"):
        found.heads.setdefault(word[1:], concept)
    elif word.endswith("*"):
        found.stems.setdefault(word[:-1], concept)
    else:
        found.exact.setdefault(word, concept)


def lowered(text: str) -> str:
    """Return text in lower case at the same length."""
    if not text.isascii():
        for letter, plain in _READ_AS:
            text = text.replace(letter, plain)
    return text.lower()


class _Part(Struct, frozen=True):
    """A part of a word by its place in it: its letters, the concept it stands for, and words that begin with it."""

    start: int
    end: int
    concept: Concept | None
    joined: Sequence[tuple[tuple[str, ...], Concept]]


@lru_cache(maxsize=100_000)
def _parts(word: str) -> tuple[_Part, ...]:
    """Return the parts of a word that mean something: of `dbPassword` one, of `Kartenpin` two, of most words none."""
    if concept := _vocabulary().exact.get(lowered(word)) if not word.isalpha() else None:
        return (_Part(0, len(word), concept, ()),)
    first, last = int(word[0].isdecimal()), len(word) - word[-1].isdecimal()
    inner = word[first:last]
    humps = [(first, last)]
    if _is_camel(inner) and lowered(inner) not in _vocabulary().exact:
        humps = [(match.start() + first, match.end() + first) for match in CAMEL.finditer(inner)]
    found = tuple(
        _Part(start + begin, start + end, concept, joined)
        for start, stop in humps
        for begin, end, concept, joined in _parts_of_hump(lowered(word[start:stop]))
        if concept or joined
    )
    return found if len(humps) == 1 or any(part.joined or part.concept in _INSIDE for part in found) else ()


def _is_camel(word: str) -> bool:
    return word.isascii() and not (word.islower() or word.isupper() or word.istitle())


_Found = tuple[int, int, Concept | None, Sequence[tuple[tuple[str, ...], Concept]]]


def _parts_of_hump(word: str) -> Iterator[_Found]:
    known = _vocabulary()
    if word[:EDGE] not in known.edges and f"*{word[-EDGE:]}" not in known.edges:
        return
    joined = next((known.joined[key] for key in _stems_of(word) if key in known.joined), ())
    if concept := known.exact.get(word):
        yield 0, len(word), concept, joined
        return
    head = _head(word)
    if head == len(word) or (_stem(word, compound=False) and not _stem(word[:head], compound=True)):
        yield 0, len(word), _stem(word, compound=False), joined
        return
    first = word[:head]
    yield 0, head, _stem(first, compound=True) or known.heads.get(first[_head(first) :]), ()
    yield head, len(word), known.heads[word[head:]], ()


def _stems_of(word: str) -> Iterator[str]:
    yield word
    for length in range(len(word) - 1, max(2, len(word) - LONGEST_ENDING), -1):
        yield word[:length]


def _head(word: str) -> int:
    """Return where the last part of a compound begins, or the word's length if it isn't a known one."""
    heads = _vocabulary().heads
    return next((start for start in range(1, len(word) - 2) if word[start:] in heads), len(word))


def _stem(word: str, *, compound: bool) -> Concept | None:
    """Return the concept that the longest known beginning of a word stands for."""
    known = _vocabulary()
    longest = MOST_JOINT if compound else LONGEST_ENDING
    for length in range(len(word), max(1, len(word) - longest - 1), -1):
        if concept := known.stems.get(word[:length]) or (
            known.exact.get(word[:length]) if compound and word[length:] in _JOINTS else None
        ):
            return concept
    return None


def hits(text: str) -> list[Hit]:
    """Return the words of a text that stand for concepts, in order and without overlaps."""
    solid = is_solid(text)
    spaced = _ASCII_LETTERED if text.isascii() else compiled(_SPACED_WORD) if solid else _LETTERED
    found: list[Hit] = []
    end = 0
    known = [(match.start(), parts) for match in spaced.finditer(text) if (parts := _parts(match[0]))]
    for first, parts in known:
        for part in parts:
            start = first + part.start
            if start < end:
                continue
            stop, concept = _longest(text, start, first + part.end, part)
            if concept is not None and not _is_name(text, start, stop, concept):
                found.append(Hit(start, stop, concept))
                end = stop
    if solid:
        found = _merged(found, _solid_hits(text))
    return found


def _is_name(text: str, start: int, stop: int, concept: Concept) -> bool:
    """Return whether a word is a part of a path, an attribute or encoded data, or stands for the result of a test."""
    after = text[stop : stop + 2]
    if after[:1] == "." and after[1:].isalpha():
        return True
    if concept is Concept.PASS and _is_no_password(text, start, stop):
        return True
    if concept is Concept.VAULT and compiled(_STREET).search(text, max(0, start - LONGEST_STREET), start):
        return lowered(text[start:stop]) == "drive"
    if concept is Concept.WIFI and compiled(_DOMAIN).search(text, max(0, start - LONGEST_STREET), start):
        return True
    if concept is Concept.PASSWORD and text[max(0, start - 3) : start] in ("no-", "no_"):
        return True
    if concept is Concept.SERVICE and (text[start - 1 : start] in _GLUE or after[:1] in _GLUE):
        return start > 0 or after[:1] in _GLUE
    if after[:1] in "=:" and after:
        return False
    near = text[max(0, start - FARTHEST_AROUND) : start]
    before = near[len(near.rstrip(_PATH)) :]
    return (
        before.count("/") > 1 or len(before) >= FARTHEST_AROUND or (before[-1:] == "/" and after[:1] == "/")
    )


_STREET: Final = r"\d[\w-]{0,6},?(?:[ ]{1,2}[A-Z][\w'’.]{0,20}){1,3}[ ]{1,2}\Z"
"""A number and the name of a street, before "Drive"."""
LONGEST_STREET: Final = 60
_DOMAIN: Final = r"[@.][\w-]{1,40}\.\Z"
"""What stands before the last part of `mail.example.net`."""


def _is_no_password(text: str, start: int, stop: int) -> bool:
    """Return whether "pass" is a step, a result or a part of another word."""
    before, after = text[start - 1 : start] if start else "", text[stop : stop + 1]
    if text[start:stop] == "PASS" and "_" not in (before, after):
        return after not in ("=", "}")
    if before.isalpha():
        return after not in ("=", ":", '"', "'")
    owner = (
        text[max(0, start - 12) : start].rstrip("_") if before == "_" and text[start:stop] == "pass" else ""
    )
    short = bool(owner) and len(owner) - len(owner.rstrip(ascii_letters)) < 5
    return (
        short or text[start : stop + 1] == "pass_" or compiled(_NUMBERED_PASS).match(text, stop) is not None
    )


_NUMBERED_PASS: Final = r"[ ]\d(?![\w.,])|s?:[ ]\d{1,3}[ ]"
_GLUE: Final = frozenset("/-_.@")
_PATH: Final = digits + ascii_letters + "/+_.~:-"
FARTHEST_AROUND: Final = 60


def _longest(text: str, start: int, stop: int, part: _Part) -> tuple[int, Concept | None]:
    """Return the end and concept of the longest known words that begin with a part."""
    if part.joined and (match := _JOINT.match(text, stop)):
        second = _first_hump(match["word"])
        for parts, concept in part.joined:
            if _fits(second, parts[1]) and (end := _end_of(text, start, stop, parts)) is not None:
                return end, concept
    return stop, part.concept


def _end_of(text: str, start: int, stop: int, parts: Sequence[str]) -> int | None:
    """Return where words end that stand together in a text, or None if they don't."""
    if not _fits(lowered(text[start:stop]), parts[0]):
        return None
    for wanted in parts[1:]:
        match = _JOINT.match(text, stop)
        if match is None:
            return None
        word = _first_hump(match["word"])
        if not _fits(word, wanted):
            return None
        stop = match.start("word") + len(word)
    return stop


def _first_hump(word: str) -> str:
    """Return a word in lower case, of one in camel case its first part."""
    return lowered(hump.group() if _is_camel(word) and (hump := CAMEL.match(word)) else word)


def _fits(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted[-1] == "*" else word == wanted


@cache
def _solid_starts() -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(_vocabulary().solid))}]")


def _solid_hits(text: str) -> Iterator[Hit]:
    known, lower, at = _vocabulary().solid, lowered(text), 0
    starts = _solid_starts()
    while match := starts.search(lower, at):
        at = match.start()
        found = next(
            ((word, concept) for word, concept in known[lower[at]] if lower.startswith(word, at)), None
        )
        if found:
            yield Hit(at, at + len(found[0]), found[1])
        at += len(found[0]) if found else 1


def _merged(first: list[Hit], second: Iterator[Hit]) -> list[Hit]:
    found: list[Hit] = []
    for hit in sorted((*first, *second), key=lambda hit: (hit.start, -hit.end)):
        if not found or hit.start >= found[-1].end:
            found.append(hit)
    return found
