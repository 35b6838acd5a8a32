"""One secret in a text, and the name of the environment variable that can replace it."""

import re
from collections.abc import Iterable
from functools import cache
from string import ascii_letters, digits
from typing import Any, Final
from unicodedata import combining, normalize

from msgspec import Struct

from melleafy_tui.core.language.words import PatternTable
from melleafy_tui.core.tables import table_beside

LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 4_000
_IN_LABELS: Final = f"{ascii_letters}{digits} _.-"
_FILLERS: Final = frozenset("A AN AND AS IS MY OUR THE USE WITH YOUR DER DIE DAS EL LA LE".split())  # noqa: SIM905
"""Words before a label that don't belong in a variable's name."""


class SecretSpan(Struct, frozen=True):
    """One secret in a text.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        kind: What it is, in words.
        variable: The environment variable that can replace it.
        sure: Whether it is certainly a secret; the others are masked until the owner answers.
        named: Whether the variable is the owner's own label.
    """

    start: int
    end: int
    kind: str
    variable: str
    sure: bool = True
    named: bool = False


@cache
def table(name: str) -> dict[str, Any]:
    """Return one of the tables beside this module: `providers` or `labels`."""
    return table_beside(__file__, f"{name}.toml")


def any_label(words: Iterable[str]) -> str:
    """Return a pattern of words; a blank in one is a blank, a hyphen, an underscore or nothing."""
    forms = {
        (r"(?<![/.0-9+])" if word.startswith("*") else r"(?<![^\W\d_])(?<![/.0-9+])")
        + re.escape(word.lstrip("*")).replace(r"\ ", r"[ _-]?")
        for word in words
    }
    return "|".join(sorted(forms, key=len, reverse=True))


@cache
def _patterns() -> PatternTable:
    """Return `patterns.toml`, with the words of `labelled_values.toml` that stand around labels as fragments."""
    rows = table("labelled_values")
    around = {
        name.upper(): "|".join(map(re.escape, sorted(rows["around"][name], key=len, reverse=True)))
        for name in ("link_marks", "link_words", "link_joined", "tail")
    }
    labels = {name.upper(): any_label(rows["around"][name]) for name in ("never", "login")}
    return PatternTable(table_beside(__file__, "patterns.toml"), **around, **labels)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of `patterns.toml`; it is compiled for the first text that needs it."""
    return _patterns().form(name, re.NOFLAG).compiled


def spliced(text: str, changes: Iterable[tuple[int, int, str]]) -> tuple[str, list[int]]:
    """Return a text with stretches of it replaced, and where each replacement starts."""
    parts: list[str] = []
    starts: list[int] = []
    position = length = 0
    for start, end, new in changes:
        parts += (text[position:start], new)
        starts.append(length + start - position)
        position, length = end, starts[-1] + len(new)
    return "".join((*parts, text[position:])), starts


def lowered(text: str) -> str:
    """Return a text in lower case, or as it is if that changed its length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def lines_with(lower: str, marks: Iterable[str]) -> list[tuple[int, int]]:
    """Return the places of the lines that hold one of some marks, of long ones the window behind the mark."""
    lines: set[tuple[int, int]] = set()
    for mark in marks:
        place = lower.find(mark)
        while place >= 0:
            start, stop = lower.rfind("\n", 0, place) + 1, lower.find("\n", place)
            stop = len(lower) if stop < 0 else stop
            if stop - start > LONGEST_LINE:
                start, stop = max(start, place - LONGEST_NAME), min(stop, place + LONGEST_LINE)
            lines.add((start, stop))
            place = lower.find(mark, stop)
    return sorted(lines)


def label_before(line: str, end: int) -> str:
    """Return the field's name that ends at a place of a line: at most four words of ASCII."""
    head = line[max(0, end - LONGEST_NAME) : end]
    words = head[len(head.rstrip(_IN_LABELS)) :].split(" ")[-4:]
    return " ".join(words).strip(" .-_") if head[-1:] != "_" else " ".join(words).lstrip(" .-_")


def variable_before(line: str, start: int) -> str:
    """Return the variable name from the field name directly before a value, or `""`."""
    head = line[max(0, start - 2 * LONGEST_NAME) : start].rstrip(" \t\"'`*_(<")
    if head[-1:] not in ("=", ":", "：", "|"):
        return ""
    label = label_before(head, len(head.rstrip("=:：| \t\"'`*_")))
    return "" if label.lower() in ("", "http", "https") else variable_name(label)


def variable_name(label: str, fallback: str = "SECRET_VALUE") -> str:
    """Return the environment variable name for a field's name."""
    if " " not in label:
        label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", label)
    plain = "".join(letter for letter in normalize("NFKD", label) if not combining(letter))
    words = re.findall(r"[A-Za-z0-9]+", plain.upper())
    while len(words) > 1 and words[0] in _FILLERS:
        words.pop(0)
    name = "_".join(words).replace("GIT_HUB", "GITHUB")[:LONGEST_NAME].strip("_")
    if not name:
        return fallback
    return name if not name[0].isdigit() else f"KEY_{name}"
