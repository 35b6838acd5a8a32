"""Reads tables of words by language and makes one pattern of them.

Words are data: a TOML file beside the module that uses them has one table a topic, with one list a language. A word
stands at the start of a word of the text, with any ending if it ends in `*`, and alone otherwise; in scripts that write
no spaces it may stand anywhere. A space in it matches any white space.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from melleafy_tui.core.language.scripts import HAN, HANGUL, KANA, has_any

WordTable = Mapping[str, Mapping[str, list[str]]]
"""Topics, each with its words by language."""


@cache
def word_table(path: Path) -> WordTable:
    """Return the tables of a TOML file of words."""
    with path.open("rb") as file:
        found: WordTable = tomllib.load(file)
    return found


@cache
def topic_pattern(path: Path, topic: str) -> re.Pattern[str]:
    """Return the pattern of all words of a topic, in every language."""
    return any_word(word for words in word_table(path)[topic].values() for word in words)


def any_word(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of these words, whatever their case."""
    return re.compile("|".join(map(_form, words)) or r"(?!)", re.IGNORECASE)


def _form(word: str) -> str:
    stem = word.removesuffix("*")
    escaped = re.escape(stem).replace(r"\ ", r"\s+").replace("'", "['’]")
    if has_any(stem, HAN, KANA, HANGUL):
        return escaped
    start = r"(?<!\w)" if stem[:1].isalnum() else ""
    end = r"(?!\w)" if stem[-1:].isalnum() and stem == word else ""
    return f"{start}{escaped}{end}"
