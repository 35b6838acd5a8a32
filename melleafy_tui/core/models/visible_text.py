"""Makes untrusted workspace text safe to print: every control character becomes a visible symbol.

The result can't move the cursor, set a title or colour, reverse the text direction or hide anything. The wizard and
the commands pass all workspace text and file names through `visible`.
"""

import re
import unicodedata
from itertools import groupby
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

LONGEST_COMBINING_RUN: Final = 4
"""Most combining marks shown on one letter (some scripts need two or three); further ones are only counted."""

_CONTROL_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F
_DELETE_PICTURE: Final = "\u2421"

_ACTING: Final = LazyRegex(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, delete, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0"  # invisible letters and marks
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width, line ends, direction
    "\ud800-\udfff"  # lone surrogates, also those that stand for undecodable bytes of a file name
    "\U000e0000-\U000e007f"  # tags
    "]"
)
_KEPT_IN_BLOCKS: Final = frozenset("\n\t")
_MARKS: Final = re.compile(r"[^\x00-\u02ff]")


def visible(text: str, *, block: bool = False) -> str:
    """Return text that is safe to print on a terminal.

    Args:
        text: Any text.
        block: Whether to keep line feeds and tabs, for text of several lines.
    """
    if text.isascii() and text.isprintable():
        return text
    kept = _KEPT_IN_BLOCKS if block else frozenset[str]()
    shown = _ACTING.sub(lambda found: found[0] if found[0] in kept else _sign(found[0]), text)
    return _shorten_combining_runs(shown) if _MARKS.search(shown) else shown


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return f"<U+{code:04X}>"


def _shorten_combining_runs(text: str) -> str:
    parts: list[str] = []
    for are_marks, letters in groupby(text, lambda letter: unicodedata.category(letter) in ("Mn", "Me")):
        run = "".join(letters)
        left_out = len(run) - LONGEST_COMBINING_RUN if are_marks else 0
        parts.append(f"{run[:LONGEST_COMBINING_RUN]}<{left_out} marks>" if left_out > 0 else run)
    return "".join(parts)
