"""Recognises the lines and sentences of OpenClaw's workspace templates by fingerprint.

`template_lines.bin` has the first eight bytes of the SHA-256 of each normalised template line, sorted, and no text.
`scripts/build_template_fingerprints.py` generates it. `template_sentences.bin` has the first six bytes of the SHA-1 of
each sentence of the templates and of rewordings that hundreds of workspaces share, letters and digits only.
"""

import re
from functools import lru_cache
from hashlib import sha1, sha256
from pathlib import Path
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import LINE_END
from melleafy_tui.core.source.markdown import is_blank
from melleafy_tui.core.tables import table_beside

SHORTEST: Final = 12
"""Normalised lines shorter than this have no fingerprint: too many people write them."""

_WIDTH: Final = 8
_SENTENCE_WIDTH: Final = 6
_SHORTEST_SENTENCE: Final = 8
"""Letters; shorter sentences are like those of a template by chance."""

_SENTENCES: Final = re.compile(r"(?<=[.!?。！？])\s*|\n")
_MARKS = LazyRegex(r"^(?:\s*(?:[-*+]|\d{1,9}[.)]|>|#{1,6})(?:\s+|$))+")
_LINK = LazyRegex(r"!?\[([^\[\]\n]{0,400})\]\([^()\n]{0,400}\)")
_EMPHASIS = re.compile(r"[*_`~]")


def normalised(line: str) -> str:
    """Return a line in the form used for fingerprints."""
    bare = _MARKS.sub("", line)
    if "](" in bare:
        bare = _LINK.sub(r"\1", bare)
    return " ".join(_EMPHASIS.sub("", bare).split()).casefold()


def is_template_line(line: str) -> bool:
    """Return whether a line is in a template of any release or language."""
    bare = normalised(line)
    return bare in _STOCK_SHORT or _is_template(bare)


_TABLE: Final = table_beside(__file__, "stock_text.toml")
_STOCK_SHORT, _STOCK_LEAD_INS, _STOCK_LABELS = (
    frozenset(_TABLE[name]) for name in ("short", "lead_ins", "labels")
)


def is_stock_field(label: str) -> bool:
    """Return whether an empty field is one of OpenClaw's templates, by its label."""
    return label.strip("*_:： ").casefold() in _STOCK_LABELS


def is_template_text(text: str) -> bool:
    """Return whether a text consists of template lines; short lines are ignored, and at least one must be known."""
    known = False
    for line in LINE_END.split(text):
        if is_blank(line):
            continue
        bare = normalised(line)
        known = known or bare in _STOCK_SHORT
        if len(bare) < SHORTEST:
            continue
        if not _is_template(bare):
            return False
        known = True
    return known


def holds_mostly_template_lines(text: str) -> bool:
    """Return whether at least half of the lines that are long enough to know are those of a template."""
    lines = [bare for line in LINE_END.split(text) if len(bare := normalised(line)) >= SHORTEST]
    return bool(lines) and sum(map(_is_template, lines)) * 2 >= len(lines)


def is_stock_lead_in(line: str) -> bool:
    """Return whether a line is a short stock lead-in, if its items are stock text."""
    return normalised(line) in _STOCK_LEAD_INS


def is_mostly_template(text: str) -> bool:
    """Return whether a text, its first sentence, or half of its sentences are those of a template."""
    if _is_sentence(_letters(text)):
        return True
    sentences = [
        letters for each in _SENTENCES.split(text) if len(letters := _letters(each)) >= _SHORTEST_SENTENCE
    ]
    known = list(map(_is_sentence, sentences))
    return bool(known) and (known[0] or sum(known) * 2 >= len(known))


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _is_sentence(letters: str) -> bool:
    if not letters:
        return False
    digest = sha1(letters.encode("utf-8", "surrogatepass")).digest()
    return digest[:_SENTENCE_WIDTH] in _fingerprints("template_sentences.bin", _SENTENCE_WIDTH)


def _is_template(text: str) -> bool:
    """Return whether a normalised line is in a template."""
    if len(text) < SHORTEST:
        return False
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
    return digest[:_WIDTH] in _fingerprints("template_lines.bin", _WIDTH)


@lru_cache(maxsize=2)
def _fingerprints(name: str, width: int) -> frozenset[bytes]:
    data = Path(__file__).with_name(name).read_bytes()
    return frozenset(data[at : at + width] for at in range(0, len(data), width))
