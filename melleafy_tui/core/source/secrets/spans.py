"""One secret in a text, and the name of the environment variable that can replace it."""

import re
from functools import cache
from string import ascii_letters, digits
from typing import Final
from unicodedata import combining, normalize

from msgspec import Struct

LONGEST_LABEL: Final = 40

_IN_LABELS: Final = f"{ascii_letters}{digits} _.-"
_FILLERS: Final = frozenset(
    (
        *("A", "AN", "AND", "AS", "IS", "MY", "OUR", "THE", "USE", "WITH", "YOUR"),
        *("DAS", "DER", "DIE", "EL", "LA", "LAS", "LE", "LES", "LOS", "O", "OS"),
    )
)
"""Words before a label that don't belong in a variable's name."""


class SecretSpan(Struct, frozen=True):
    """One secret in a text.

    `start` and `end` are offsets, `kind` describes the secret, `variable` is the environment variable that can replace
    it.
    """

    start: int
    end: int
    kind: str
    variable: str


@cache
def compiled(form: str) -> re.Pattern[str]:
    """Return a pattern that most texts don't need; it is compiled for the first that does."""
    return re.compile(form)


def label_at(line: str, word_start: int, word_end: int) -> str:
    """Return the field's name: the word found plus the words before it, at most four."""
    words = _label_of(line[max(0, word_start - LONGEST_LABEL) : word_start])
    return (words + line[word_start:word_end]).strip(" .-_")


def _label_of(head: str) -> str:
    return " ".join(head[len(head.rstrip(_IN_LABELS)) :].split(" ")[-4:])


def variable_before(line: str, start: int) -> str:
    """Return the variable name from the field name directly before a value, or `""`."""
    head = line[max(0, start - 80) : start].rstrip(" \t\"'`*_(<")
    if head[-1:] not in ("=", ":", "：", "|"):
        return ""
    label = _label_of(head.rstrip("=:：| \t\"'`*_")).strip(" .-_")
    if not label or label.lower() in ("http", "https"):
        return ""
    return variable_name(label)


def variable_name(label: str, fallback: str = "SECRET_VALUE") -> str:
    """Return the environment variable name for a field's name."""
    if " " not in label:
        label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", label)
    plain = "".join(letter for letter in normalize("NFKD", label) if not combining(letter))
    words = re.findall(r"[A-Za-z0-9]+", plain.upper())
    while len(words) > 1 and words[0] in _FILLERS:
        words.pop(0)
    name = "_".join(words).replace("GIT_HUB", "GITHUB")[:LONGEST_LABEL].strip("_")
    if not name:
        return fallback
    if name in ("BEARER", "AUTHORIZATION_BEARER"):
        return "BEARER_TOKEN"
    return name if not name[0].isdigit() else f"KEY_{name}"
