"""Keys that survive edits: file, heading path and first words name an element, a digest of its text proves it.

`element_id` and `entry_id` are positions and move when a line is added above; decisions are tied to these keys
instead (spec/decisions.md, "Keys that survive edits").
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category

BACKEND_KEY: Final = "settings#backend"
PART_MARK: Final = "+"
"""Stands between an element's key and the runtime whose part a merge added to it; no slug holds it."""

WORDS_IN_SLUG: Final = 5
LONGEST_SLUG: Final = 48
FURTHEST_WORD: Final = 2_000
"""The first words of a text are looked for so far, which bounds the work on a huge line."""

_ESCAPED: Final = frozenset("#%~")
_WORD = re.compile(r"[^\W_]+")
_LINE_MARKERS = re.compile(
    r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}(?=\s|$))?[ \t]*(?:\[[ xX]\][ \t])?", re.MULTILINE
)
_HEADING = re.compile(r"\s{0,64}#{1,6}[ \t]+([^\r\n]+)")
_LINK = re.compile(r"!?\[([^\[\]]{0,400})\]\([^()\s]{0,400}\)")
_INLINE_MARKERS = re.compile(r"[*_`~|]+")


def element_keys(elements: Iterable[Element]) -> dict[str, str]:
    """Return the key of each element by `element_id`; no two are the same.

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
    """Return the file part of a key, in the escaped form that keys use."""
    return key.partition("#")[0]


def key_stem(key: str) -> str:
    """Return the key without the number of a repeat."""
    stem, mark, number = key.rpartition("~")
    return stem if mark and number.isdigit() else key


def part_key(key: str, runtime: str) -> str:
    """Return the key of the part that the merge of a hybrid's conflict adds to the element with this key."""
    return f"{key}{PART_MARK}{runtime}"


def is_part_of(key: str, whole: str) -> bool:
    """Return whether a key is that of a merged part of the element with the key `whole`."""
    return key.startswith(f"{whole}{PART_MARK}")


def slug(text: str, words: int | None = None) -> str:
    """Return the first words of `text` (all of them where `words` is None), folded and joined by hyphens."""
    head = text if words is None else text[:FURTHEST_WORD]
    folded = unicodedata.normalize("NFKC", head).casefold().replace("'", "").replace("’", "")
    found = _WORD.findall(folded)[:words]
    shortened = "-".join(found)
    if len(shortened) <= LONGEST_SLUG:
        return shortened
    cut = shortened[:LONGEST_SLUG]
    return cut.rpartition("-")[0] or cut


def normalised_text(element: Element) -> str:
    """Return the element's own text with whitespace folded and Markdown markers dropped.

    A credential is stood for by its statement, so that no digest of a secret is ever made.
    """
    if element.category is Category.C7:
        return fold(element.statement)
    return fold(element.content_full)


@lru_cache(maxsize=8)  # a thousand elements of a JSON file written on one line share their text
def fold(text: str) -> str:
    """Return `text` without Markdown markers, its whitespace folded, its Unicode composed."""
    plain = _LINE_MARKERS.sub("", text)
    if "](" in plain:
        plain = _LINK.sub(r"\1", plain)
    plain = _INLINE_MARKERS.sub("", plain)
    return " ".join(unicodedata.normalize("NFC", plain).split())


def text_digest(text: str) -> str:
    """Return the digest of a normalised text in the form of decisions files, `sha256:` and hexadecimal."""
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
    """Return what names the element within its section: its label, its heading, else its first words."""
    if element.kind == "file":
        return "file"
    if element.label:
        return slug(element.label) or "field"
    if element.kind in ("section", "heading"):
        own = _HEADING.match(element.content_full)
        heading = own[1].rstrip("# \t") if own else "".join(element.section[-1:])
        if slug(heading):
            return slug(heading)
    return slug(normalised_text(element), WORDS_IN_SLUG) or "text"


def _escaped(path: str) -> str:
    """Return a path that can stand before `#` in a JSON file: `#`, `%`, `~` and what cannot be shown as `%xx`."""
    if path.isascii() and path.isprintable() and not _ESCAPED.intersection(path):
        return path
    pieces = []
    for letter in path:
        if letter in _ESCAPED or unicodedata.category(letter)[0] == "C":
            raw = letter.encode(
                "utf-8", "surrogateescape" if "\udc80" <= letter <= "\udcff" else "surrogatepass"
            )
            pieces.append("".join(f"%{byte:02X}" for byte in raw))
        else:
            pieces.append(letter)
    return "".join(pieces)
