"""Stable keys: file, heading path and first words identify an element, a digest of its text confirms it.

`element_id` and `entry_id` are positions that change when a line is added above, so decisions use these keys instead.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category

BACKEND_KEY: Final = "settings#backend"
PART_MARK: Final = "+"
"""Separates an element's key from the runtime whose part a merge added; slugs never contain it."""

WORDS_IN_SLUG: Final = 5
LONGEST_SLUG: Final = 48
FURTHEST_WORD: Final = 2_000
"""Only this many characters are searched for the first words, to bound the work on huge lines."""

_ESCAPED: Final = frozenset("#%~")
_WORD = re.compile(r"[^\W_]+")
_LINE_MARKERS = LazyRegex(
    r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}(?=\s|$))?[ \t]*(?:\[[ xX]\][ \t])?", re.MULTILINE
)
_HEADING = re.compile(r"\s{0,64}#{1,6}[ \t]+([^\r\n]+)")
_LINK = LazyRegex(r"!?\[([^\[\]]{0,400})\]\([^()\s]{0,400}\)")
_INLINE_MARKERS = re.compile(r"[*_`~|]+")


def element_keys(elements: Iterable[Element]) -> dict[str, str]:
    """Return a unique key for each element, by `element_id`.

    Args:
        elements: The inventory's elements before retags, in source order.
    """
    seen: dict[str, int] = {}
    keys: dict[str, str] = {}
    for element in elements:
        stem = _stem(element)
        seen[stem] = seen.get(stem, 0) + 1
        keys[element.element_id] = stem if seen[stem] == 1 else f"{stem}~{seen[stem]}"
    return keys


def key_file(key: str) -> str:
    """Return the file part of a key, still escaped."""
    return key.partition("#")[0]


def key_stem(key: str) -> str:
    """Return the key without the number that tells repeats apart."""
    stem, mark, number = key.rpartition("~")
    return stem if mark and number.isdigit() else key


def part_key(key: str, runtime: str) -> str:
    """Return the key of the part that merging a conflict adds to the element with this key."""
    return f"{key}{PART_MARK}{runtime}"


def is_part_of(key: str, whole: str) -> bool:
    """Return whether `key` belongs to a merged part of the element with the key `whole`."""
    return key.startswith(f"{whole}{PART_MARK}")


def slug(text: str, words: int | None = None) -> str:
    """Return the first words of `text` (all if `words` is None), folded and joined by hyphens."""
    head = text if words is None else text[:FURTHEST_WORD]
    folded = unicodedata.normalize("NFKC", head).casefold().replace("'", "").replace("’", "")
    found = _WORD.findall(folded)[:words]
    shortened = "-".join(found)
    if len(shortened) <= LONGEST_SLUG:
        return shortened
    cut = shortened[:LONGEST_SLUG]
    return cut.rpartition("-")[0] or cut


def normalised_text(element: Element) -> str:
    """Return the element's text with whitespace folded and Markdown markers removed."""
    return fold(element.statement if element.category is Category.C7 else element.content_full)


@lru_cache(maxsize=8)  # a thousand elements of a JSON file written on one line share their text
def fold(text: str) -> str:
    """Return `text` without Markdown markers, with whitespace folded and Unicode composed."""
    plain = _LINE_MARKERS.sub("", text)
    if "](" in plain:
        plain = _LINK.sub(r"\1", plain)
    plain = _INLINE_MARKERS.sub("", plain)
    return " ".join(unicodedata.normalize("NFC", plain).split())


def text_digest(text: str) -> str:
    """Return the digest of a normalised text as decisions files contain it: `sha256:` and hexadecimal."""
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def element_digest(element: Element) -> str:
    """Return the digest of an element's normalised text."""
    return text_digest(normalised_text(element))


def _stem(element: Element) -> str:
    path = [slug(heading) or "section" for heading in element.section]
    words = _words(element)
    if element.kind in ("section", "heading") and path and words == path[-1]:
        path.pop()
    return f"{_escaped(element.source_file)}#{'/'.join([*path, words])}"


def _words(element: Element) -> str:
    """Return the words that identify the element in its section: its label or heading, else its first words."""
    if element.kind == "file":
        return "file"
    if element.label:
        return slug(element.label) or "field"
    heading = ""
    if element.kind in ("section", "heading"):
        own = _HEADING.match(element.content_full)
        heading = own[1].rstrip("# \t") if own else "".join(element.section[-1:])
    return slug(heading) or slug(normalised_text(element), WORDS_IN_SLUG) or "text"


@lru_cache(maxsize=256)
def _escaped(path: str) -> str:
    """Return a path with `#`, `%`, `~` and unprintable characters as `%xx`, for use before `#` in a key."""

    def escaped(letter: str) -> str:
        if letter not in _ESCAPED and unicodedata.category(letter)[0] != "C":
            return letter
        errors = "surrogateescape" if "\udc80" <= letter <= "\udcff" else "surrogatepass"
        return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", errors))

    return "".join(map(escaped, path))
