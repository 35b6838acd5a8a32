"""Finds the strings of JSON in a text, so that what a string says is read as a text of its own.

A session holds a person's words in strings: `{"text": "- Wi-Fi password: …"}`. There the marks and line ends that a
label needs are inside the quotes, and escaped.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.source.secrets.vocabulary import Hit

SHORTEST_SAYING: Final = 8
_STRING: Final = re.compile(r"\"(?P<inside>(?:[^\"\\\n]|\\.)*)(?P<closed>\"?)")
"""A string up to its quote or the end of its line, so that no place is read twice."""

_STARTS: Final = frozenset('{["')
_ENDS: Final = frozenset('}]",')
_ESCAPE: Final = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<letter>.))")
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": " ", "f": " "}


def json_texts(text: str, words: Sequence[Hit]) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield what the strings of JSON in a text say, each with the place of each of its characters and of its end.

    Only strings of several words are read, of which one speaks of secrets; the others have their label beside them.

    Args:
        text: The text.
        words: Its words for secrets.
    """
    if not words or '"' not in text:
        return
    starts = [word.start for word in words]
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        at = bisect_left(starts, begin)
        bare = line.strip()
        if at < len(starts) and starts[at] < end and bare[:1] in _STARTS and bare[-1:] in _ENDS:
            yield from _in_line(text, begin, end, starts)
        begin = end + 1


def _in_line(text: str, begin: int, end: int, starts: Sequence[int]) -> Iterator[tuple[str, Sequence[int]]]:
    for found in _STRING.finditer(text, begin, end):
        first, last = found.span("inside")
        at = bisect_left(starts, first)
        speaks = at < len(starts) and starts[at] < last
        if speaks and found["closed"] and last - first >= SHORTEST_SAYING and " " in found["inside"]:
            yield _read(text, first, last)


def _read(text: str, first: int, last: int) -> tuple[str, Sequence[int]]:
    """Return the characters that a string stands for, and their places."""
    if "\\" not in text[first:last]:
        return text[first:last], range(first, last + 1)
    letters: list[str] = []
    places: list[int] = []
    place = first
    for escape in _ESCAPE.finditer(text, first, last):
        letters.append(text[place : escape.start()])
        places += range(place, escape.start() + 1)
        code, letter = escape.group("code", "letter")
        letters.append(chr(int(code, 16)) if code else _LETTERS.get(letter, letter))
        place = escape.end()
    letters.append(text[place:last])
    places += range(place, last + 1)
    return "".join(letters), places
