"""Word lists of many languages as data: TOML tables with one line of words a language.

A word with a star at its end stands for any ending. In Chinese, Japanese and Korean, which don't put spaces between
words, a word counts wherever it stands.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from melleafy_tui.core.language.text_measures import HAN, HANGUL, KANA, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

LANGUAGES: Final = ("en", "de", "es", "pt", "fr", "it", "ru", "zh", "ja", "ko")
"""The languages that the tables have; Chinese words are in both scripts."""

ANY: Final = "any"
"""The line of a table with names that are the same in every language."""

WIDE_LETTERS: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WIDE: Final = re.compile(f"[{WIDE_LETTERS}]")
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_BETWEEN_SCRIPTS: Final = re.compile(f"(?<=[{WIDE_LETTERS}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[{WIDE_LETTERS}])")

Table = Mapping[str, tuple[str, ...]]
"""The words of one list by language."""


def spaced(text: str) -> str:
    """Return the words of a text in lower case with one space around each, as `Words.are_in` reads it."""
    words = _BETWEEN_WORDS.sub(" ", text.lower()).strip()
    return f" {words if words.isascii() else _BETWEEN_SCRIPTS.sub(' ', words)} "


def has_wide_letters(text: str) -> bool:
    """Return whether a text has letters of Chinese, Japanese or Korean."""
    return bool(_WIDE.search(text))


class Words:
    """A list of words in every language.

    Args:
        table: Its words by language.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def _needles(self) -> tuple[str, ...]:
        """Return what to look for in a spaced text, long words first.

        Searching a line for 300 strings takes 15 µs; compiling a pattern of them takes 20 ms.
        """
        words = {word for listed in self.table.values() for word in listed}
        return tuple(sorted(map(_needle, words), key=lambda needle: (-len(needle), needle)))

    @cached_property
    def _single(self) -> frozenset[str]:
        """Return the words that are one word of a spaced text; the others are looked for as they stand."""
        return frozenset(needle.strip() for needle in self._needles if _is_one_word(needle))

    @cached_property
    def _others(self) -> tuple[str, ...]:
        return tuple(needle for needle in self._needles if not _is_one_word(needle))

    def are_in(self, text: str) -> bool:
        """Return whether a spaced text has any of the words."""
        return not self._single.isdisjoint(text.split()) or any(needle in text for needle in self._others)

    def find(self, text: str) -> tuple[int, int] | None:
        """Return where the longest of the words stands in a spaced text, or None."""
        found = next((needle for needle in self._needles if needle in text), None)
        return None if found is None else _span(found, text, text.index(found))

    def after_start_of(self, text: str) -> str | None:
        """Return a spaced text without the longest of the words that it starts with, or None."""
        found = next((needle for needle in self._needles if text.startswith((needle, f" {needle}"))), None)
        return None if found is None else f" {text[_span(found, text, text.index(found))[1] :].lstrip()}"

    def without(self, text: str) -> str:
        """Return a spaced text without the words."""
        for needle in self._needles:
            while needle in text:
                start, end = _span(needle, text, text.index(needle))
                text = f"{text[:start].rstrip()} {text[end:].lstrip()}"
        return text


def _needle(word: str) -> str:
    if has_wide_letters(word):
        return word
    return spaced(word).rstrip() if word.endswith("*") else spaced(word)


def _is_one_word(needle: str) -> bool:
    return needle.startswith(" ") and needle.endswith(" ") and " " not in needle.strip()


def _span(needle: str, text: str, start: int) -> tuple[int, int]:
    """Return where a found word starts and ends, with the ending that its star stands for."""
    end = start + len(needle.rstrip())
    is_stem = needle.startswith(" ") and not needle.endswith(" ")
    return start, text.index(" ", end) if is_stem else end


@cache
def read_tables(name: str) -> dict[str, Table]:
    """Return the lists of a TOML file of this folder by name; those in a group are called `group.list`."""
    return dict(_lists("", table_beside(__file__, name)))


def _lists(name: str, table: Mapping[str, object]) -> Iterator[tuple[str, Table]]:
    lines = {key: line for key, line in table.items() if isinstance(line, str)}
    if lines:
        yield name, {language: _words(line) for language, line in lines.items()}
    for key, inner in table.items():
        if isinstance(inner, dict):
            yield from _lists(f"{name}.{key}".lstrip("."), inner)


def _words(line: str) -> tuple[str, ...]:
    return tuple(word for part in line.split(",") if (word := " ".join(part.split())))


WordTable = Mapping[str, Mapping[str, list[str]]]
"""Topics, each with its words by language."""


@cache
def word_table(path: Path) -> WordTable:
    """Return the tables of a TOML file of words."""
    return table_beside(str(path), path.name)


@cache
def topic_pattern(path: Path, topic: str) -> re.Pattern[str]:
    """Return the pattern of all words of a topic, in every language."""
    return any_word(word for words in word_table(path)[topic].values() for word in words)


def any_word(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of these words, whatever their case.

    Words with the same bounds share them: a bound at each of 300 words takes three times as long to compile.
    """
    bounded: dict[tuple[str, str], list[str]] = {}
    for word in words:
        bounds, form = _form(word)
        bounded.setdefault(bounds, []).append(form)
    each = (f"{start}(?:{'|'.join(forms)}){end}" for (start, end), forms in bounded.items())
    return re.compile("|".join(each) or r"(?!)", re.IGNORECASE)


def _form(word: str) -> tuple[tuple[str, str], str]:
    """Return what must stand before and after a word, and its pattern."""
    stem = word.removesuffix("*")
    escaped = re.escape(stem).replace(r"\ ", r"\s+").replace("'", "['’]")
    if has_any(stem, HAN, KANA, HANGUL):
        return ("", ""), escaped
    start = r"(?<!\w)" if stem[:1].isalnum() else ""
    end = r"(?!\w)" if stem[-1:].isalnum() and stem == word else ""
    return (start, end), escaped


_FRAGMENT: Final = re.compile(r"@([A-Z_]+)@")


class PatternTable:
    """The patterns of a TOML table by name, each as a list of alternatives; `@NAME@` in one stands for a fragment.

    Args:
        table: The table, with its own fragments in `fragments`.
        fragments: Further fragments.
    """

    def __init__(self, table: Mapping[str, Any], **fragments: str) -> None:
        self.table = table
        self._fragments: dict[str, str] = fragments | table.get("fragments", {})

    def filled(self, pattern: str) -> str:
        """Return a pattern with its fragments in their places."""
        while "@" in pattern and _FRAGMENT.search(pattern):
            pattern = _FRAGMENT.sub(lambda mark: self._fragments[mark[1]], pattern)
        return pattern

    def form(
        self, name: str, flags: re.RegexFlag = re.IGNORECASE, *, longest: int = sys.maxsize
    ) -> LazyRegex:
        """Return the pattern of a name; `flags` and `longest` are those of `LazyRegex`."""
        return LazyRegex(self.filled("|".join(self.table[name])), flags, longest=longest)
