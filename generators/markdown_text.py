"""Escapes workspace text for Markdown, so that it is shown as it is and never interpreted.

The result can't start a link, an image, HTML, a heading, a list, a fence or a table cell, and characters that hide or
reorder text are replaced by visible signs.
"""

import re
from collections.abc import Callable
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.visible_text import visible

_LINE_END: Final = LazyRegex(r"\r\n|\r|\n")
_SPACE: Final = re.compile(r"\s+")
_BACKTICKS: Final = re.compile(r"`+")
_LINKABLE: Final = re.compile(r"://|www\.|@|mailto:|xmpp:|[^\W_]\.[^\W\d_]{2}", re.IGNORECASE)
"""Text that some renderers turn into a link; `SOUL.md` counts, since .md is a domain."""

_IN_EVERY_LINK: Final = re.compile(r"[.@:]")
_OPENING: Final = "(\"'"
_CLOSING: Final = "),.;:!?\"'"
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_ALWAYS_ESCAPED: Final = re.compile(r"[\\`*\[\]<~]")
_FREE_UNDERSCORE: Final = LazyRegex(r"(?<![^\W_])_|_(?![^\W_])")
_TO_ESCAPE: Final = re.compile(r"[\\`*\[\]<~_&]")
"""Characters that may need escaping; a line without them and without links is left unchanged."""

_BLOCK_START: Final = LazyRegex(r"^(?:[#>+\-=:|]|\d{1,9}(?=[.)]))")

_WHITE_SPACE_CONTROLS: Final = str.maketrans("\t\n\r\f\v", " " * 5)


def shown_block(text: str) -> str:
    """Return a text of several lines with hidden characters as signs, every line end as LF."""
    return visible(_LINE_END.sub("\n", text), block=True)


def one_line(text: str) -> str:
    """Return the text on one line, runs of white space folded, hidden characters as signs."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _SPACE.sub(" ", visible(text.translate(_WHITE_SPACE_CONTROLS))).strip()


def inline(text: str) -> str:
    """Return the text as one line of plain Markdown that renders as the same words."""
    return _BLOCK_START.sub(_escaped_start, _escaped_words(one_line(text), _span))


def cell(text: str) -> str:
    """Return the text as the content of a table cell; a dash if it is empty."""
    return _escaped_words(one_line(text), _spans).replace("|", "&#124;") or "–"


def code_span(text: str) -> str:
    """Return the text as a code span whose fence is longer than any run of backticks in it."""
    return _span(one_line(text))


def code_cell(text: str) -> str:
    """Return the text as code spans for a table cell; pipes become entities between the spans."""
    line = one_line(text)
    if "`" not in line and "|" not in line:
        return f"`{line}`" if line else "–"
    return _spans(line)


def fence(text: str, language: str = "") -> str:
    """Return the text as a fenced block whose fence is longer than any run of backticks in it."""
    shown = shown_block(text)
    ticks = "`" * max(3, _longest_run(shown) + 1)
    end = "" if shown.endswith("\n") or not shown else "\n"
    return f"{ticks}{language}\n{shown}{end}{ticks}"


def link(text: str, target: str) -> str:
    """Return a link to a file of the package; `target` is a generated path, never workspace text."""
    return f"[{code_span(text)}]({target})"


def shortened(text: str, limit: int) -> str:
    """Return the text on one line, cut after a word if it is longer than `limit` characters."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    kept = line[: limit - 1]
    return f"{kept.rpartition(' ')[0] or kept}…"


def _span(line: str) -> str:
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1)
    ends = line[0] + line[-1]
    padding = " " if "`" in ends or (ends == "  " and line.strip()) else ""
    return f"{ticks}{padding}{line}{padding}{ticks}"


def _spans(line: str) -> str:
    return "&#124;".join(_span(part) for part in line.split("|"))


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _escaped_words(line: str, span: Callable[[str], str]) -> str:
    if not _TO_ESCAPE.search(line) and not _LINKABLE.search(line):
        return line
    return " ".join(word if word.isalnum() else _escaped(word, span) for word in line.split(" "))


def _escaped(word: str, span: Callable[[str], str]) -> str:
    if _IN_EVERY_LINK.search(word) and _LINKABLE.search(word):
        return _escaped_link(word, span)
    return _escaped_word(word) if _TO_ESCAPE.search(word) else word


def _escaped_link(word: str, span: Callable[[str], str]) -> str:
    """Return a word that would become a link as a code span, with the punctuation around it outside."""
    core = _without_punctuation(word.lstrip(_OPENING))
    if not _LINKABLE.search(core):
        return span(word)
    start = len(word) - len(word.lstrip(_OPENING))
    return f"{_escaped_word(word[:start])}{span(core)}{_escaped_word(word[start + len(core) :])}"


def _without_punctuation(word: str) -> str:
    """Return a word without trailing punctuation; the closing bracket of one opened in the word is kept."""
    core = word.rstrip(_CLOSING)
    closed = word.rfind(")") + 1
    return word[:closed] if core.count("(") > core.count(")") and closed > len(core) else core


def _escaped_word(word: str) -> str:
    plain = _ALWAYS_ESCAPED.sub(lambda found: f"\\{found[0]}", word)
    plain = _FREE_UNDERSCORE.sub(r"\\_", plain)
    return _ENTITY.sub("&amp;", plain)


def _escaped_start(found: re.Match[str]) -> str:
    start = found[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"
