"""Reads `Label: value` fields in all their forms, recognises placeholders, and translates labels.

The forms are bullets with bold labels, bare lines, table rows, values on the next line, and full-width colons. A value
never extends into the next field.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.language.wording import join_lines, plain_text, without_block_marks
from melleafy_tui.core.language.words import any_word, topic_pattern, word_table
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments
from melleafy_tui.core.tables import table_beside

_WORDS: Final = Path(__file__).with_name("labels.toml")
LABELS: Final[Mapping[str, list[str]]] = word_table(_WORDS)["identity"]
"""OpenClaw's identity labels with their synonyms, case folded."""

_CANONICAL: Final = {word: label for label, words in LABELS.items() for word in words}

_FIELD = re.compile(
    r"^(?P<open>\*\*|__|\*|_)?(?P<label>[^:：*_`|<>\[\]\n]{1,60}?)\s*+(?P<inner>\*\*|__|\*|_)?\s*+(?P<colon>[:：])\s?(?P<outer>\*\*|__|\*|_)?"
    r"(?P<value>.*)$",
    re.DOTALL,
)
_SLOT: Final = re.compile(r"[\s*_`]*\{\{\s*[A-Z][A-Z0-9_]*\s*\}\}[\s*_`]*(?:<!--.*)?", re.DOTALL)
_NO_VALUE: Final = re.compile(r"[\W_]*")
_BRACKETED: Final = re.compile(
    r"[\s*_]*(?P<open>[(（\[<{]{1,2})\s*(?P<hint>[^`]{0,300}?)\s*[)）\]>}]{1,2}[\s*_]*"
)


class LabelledField(Struct, frozen=True):
    """One field: the label as written, its canonical form, and the value without markers."""

    label: str
    canonical: str
    value: str
    raw_value: str

    @property
    def is_filled(self) -> bool:
        """Return whether the field has a value."""
        return bool(self.value) and not is_placeholder(self.raw_value)


def canonical_label(label: str) -> str:
    """Return the canonical identity label, or the label itself in lower case."""
    folded = " ".join(plain_text(label).casefold().split()).strip(" .:：")
    folded = re.sub(r"^[^\w]+", "", folded).strip()
    return _CANONICAL.get(folded, folded)


def is_known_label(label: str) -> bool:
    """Return whether a label is one of OpenClaw's identity fields, in any supported language."""
    return canonical_label(label) in LABELS


def is_placeholder(value: str) -> bool:
    """Return whether a value is a blank: none at all, a known word of templates, or a template's hint in brackets.

    Any other text in brackets is its owner's.
    """
    bare = value.strip()
    if _SLOT.fullmatch(bare) or (_NO_VALUE.fullmatch(bare) and not _SYMBOL.search(bare)):
        return True
    bracketed = _BRACKETED.fullmatch(bare)
    words = bracketed["hint"] if bracketed else plain_text(bare)
    if _blanks().fullmatch(words.strip(" .:：")):
        return True
    return bracketed is not None and bool(topic_pattern(_WORDS, "hint").match(words))


_SYMBOL: Final = re.compile(r"[^\s\x00-\x7f—–…·•（）【】]")
"""A sign that is a value by itself, as an emoji is."""


@cache
def _blanks() -> re.Pattern[str]:
    return any_word(word for words in word_table(_WORDS)["blank"].values() for word in words)


@cache
def overridable_labels() -> Mapping[str, str]:
    """Return what each label of an overridable fact is about, by the label in lower case."""
    return {
        word.casefold(): subject
        for subject, languages in table_beside(__file__, "overridable.toml").items()
        for words in languages.values()
        for word in words
    }


def field_of(text: str) -> LabelledField | None:
    """Return the field in a line or an item's text, or None."""
    match = _FIELD.match(text.strip())
    if match is None:
        return None
    label, value = match["label"].strip(), match["value"].strip()
    marked = bool(match["open"])
    if marked and match["open"] not in (match["inner"], match["outer"]):
        return None
    if len(label.split()) > (8 if marked else 5) or not re.search(r"\w", label):
        return None
    spaced = not value or match["colon"] == "：" or bool(match["inner"] or match["outer"])
    if not marked and not spaced and not text[text.index(":") + 1].isspace():
        return None
    value = _without_hint(value)
    return LabelledField(plain_text(label), canonical_label(label), plain_text(value), value)


def _without_hint(value: str) -> str:
    """Return a value without the template's hint that its owner left behind it."""
    own, bracket, rest = value.partition("(")
    if not own.strip(" _\n") or not own.rstrip("_")[-1:].isspace():
        return value
    return own.rstrip(" _\n") if is_template_text(f"{bracket}{rest}") else value


def field_of_row(cells: tuple[str, ...]) -> LabelledField | None:
    """Return the field in a table row of label and value, or None."""
    if len(cells) < 2 or not cells[0].strip():
        return None
    label = plain_text(cells[0]).rstrip(":：")
    value = " | ".join(cell.strip() for cell in cells[1:] if cell.strip())
    return LabelledField(label, canonical_label(label), plain_text(value), value)


class PlacedField(Struct, frozen=True):
    """A field with its first and last line."""

    first: int
    last: int
    field: LabelledField


def fields_of_lines(segment: Segment) -> tuple[PlacedField, ...]:
    """Return the fields of a paragraph that holds one on each line, else nothing.

    A value may be broken over lines where the first field, and a later one, has a label of OpenClaw's.
    """
    if segment.kind != "paragraph" or len(segment.lines) != segment.last - segment.first + 1:
        return ()
    lines = [without_block_marks(line).removesuffix("\\") for line in segment.lines]
    starts = [place for place, line in enumerate(lines) if field_of(line) is not None]
    if len(starts) < len(lines):
        known = [place for place in starts if (found := field_of(lines[place])) and found.canonical in LABELS]
        if len(known) < _FEWEST_KNOWN or known[0]:
            return ()
    ends = [*starts[1:], len(lines)]
    texts = [join_lines(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return tuple(
        PlacedField(segment.first + start, segment.first + end - 1, found)
        for start, end, text in zip(starts, ends, texts, strict=True)
        if (found := field_of(text)) is not None
    )


_FEWEST_KNOWN: Final = 2


def field_of_piece(segment: Segment) -> LabelledField | None:
    """Return the field in an item, a one-line paragraph or a table row, or None."""
    if segment.kind in ("table_row", "table_header"):
        return field_of_row(segment.cells)
    if segment.kind in ("item", "paragraph", "lead_in"):
        return field_of(join_lines([segment.text]))
    return None


def filled_fields(file: SourceFile | None) -> Iterator[PlacedField]:
    """Yield the fields of a file that have a value; none if there is no file."""
    for segment in cut_segments(file) if file is not None else ():
        field = field_of_piece(segment)
        placed = fields_of_lines(segment) or (
            (PlacedField(segment.first, segment.last, field),) if field is not None else ()
        )
        yield from (each for each in placed if each.field.is_filled)
