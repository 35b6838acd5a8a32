"""Styled text: plain text with tones, so that screens name meanings and only the theme names colours.

All text reaches the screen through this module, so no text of a workspace is ever interpreted as markup or as
a control sequence.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.theme import Theme
from textual.widgets import Static

from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.core.tables import table_beside


class Tone(StrEnum):
    """What a piece of text means."""

    TEXT = "text"
    STRONG = "strong"
    MUTED = "muted"
    ACCENT = "accent"
    HEADING = "heading"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    INFO = "info"
    KEY = "key"
    FOUND = "found"
    ADDED = "added"
    REMOVED = "removed"
    HUNK = "hunk"
    COMMENT = "comment"
    STRING = "string"
    KEYWORD = "keyword"
    NAME = "name"
    NUMBER = "number"


Span = tuple[str, Tone]
Line = tuple[Span, ...]

LONGEST_SHOWN: Final = 2_000
"""Characters of one line that are shown; an ellipsis replaces the rest."""

TEXT_STYLES: Final[dict[Tone, str]] = {
    **dict.fromkeys((Tone.STRONG, Tone.HEADING, Tone.KEY), "bold"),
    Tone.FOUND: "bold underline",
    Tone.COMMENT: "italic",
}
"""The tones that aren't told by colour alone."""

CONTENT_STYLES: Final[dict[Tone, str]] = {
    tone: f"$tone-{tone.value} {TEXT_STYLES.get(tone, '')}".rstrip() for tone in Tone
}
"""Each tone in Textual's content style syntax."""


_EMOJI_JOINS: Final = re.compile("\ufe0f|(?<=[\u2600-\u27bf\U0001f000-\U0001faff])\u200d")
"""Characters that join emoji into one picture; terminals disagree on its width, which breaks columns."""


def shown(text: str, *, limit: int = LONGEST_SHOWN) -> str:
    """Return one line of text safe to show: no control characters, no line ends, limited in length."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    if cut.isascii():
        return visible(cut.replace("\t", "    "))
    return visible(_EMOJI_JOINS.sub("", cut).replace("\t", "    "))


def fit(text: str, width: int) -> str:
    """Return text in exactly `width` cells, padded or cut with an ellipsis."""
    if width <= 0:
        return ""
    plain = shown(text)
    if cell_len(plain) <= width:
        return set_cell_size(plain, width)
    return set_cell_size(plain, width - 1) + "…"


def fit_end(text: str, width: int) -> str:
    """Return text in exactly `width` cells, padded or cut at its start, so that a path keeps its file name."""
    plain = shown(text)
    if width <= 0 or cell_len(plain) <= width:
        return fit(text, width)
    while cell_len(plain) >= width:
        plain = plain[1:]
    return set_cell_size(f"…{plain}", width)


def shorten(text: str, width: int) -> str:
    """Return text in at most `width` cells, cut with an ellipsis."""
    return fit(text, width).rstrip() if cell_len(shown(text)) > width else shown(text)


def line_text(line: Iterable[Span]) -> str:
    """Return the plain text of a line."""
    return "".join(text for text, _ in line)


def broken(line: str, width: int) -> list[tuple[int, int]]:
    """Return where each row of one line begins and ends."""
    rows: list[tuple[int, int]] = []
    start = cells = 0
    space = -1
    for place, letter in enumerate(line):
        size = _TAB if letter == "\t" else cell_len(letter)
        if cells + size > width and place > start:
            end = space + 1 if space > start else place
            rows.append((start, end))
            start, space = end, -1
            cells = cell_len(line[start:place])
        cells += size
        if letter == " ":
            space = place
    rows.append((start, len(line)))
    return rows


_TAB: Final = 4


def part_of(line: Line, start: int, end: int) -> Line:
    """Return the part of a styled line from one letter to another."""
    found: list[Span] = []
    at = 0
    for text, tone in line:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            found.append((piece, tone))
        at += len(text)
    return tuple(found)


def wrapped_line(line: Line, width: int) -> list[Line]:
    """Return the rows that show a styled line in a width, broken at spaces where they can be."""
    return [part_of(line, start, end) for start, end in broken(line_text(line), max(1, width))]


def content(lines: Sequence[Line]) -> Content:
    """Return lines as Textual content: plain text with theme variables as styles."""
    pieces: list[str | tuple[str, str]] = []
    for index, line in enumerate(lines):
        if index:
            pieces.append("\n")
        pieces.extend((shown(text), CONTENT_STYLES[tone]) for text, tone in line)
    return Content.assemble(*pieces)


def as_title(text: str) -> Content:
    """Return text for the title of a border, which Textual would read as markup if it were a string."""
    return Content(shown(text))


class StyledText(Static):
    """Shows styled lines, wrapped to the width."""

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines."""
        self.update(content(lines))


_ROWS: Final[list[dict[str, Any]]] = table_beside(__file__, "themes.toml")["theme"]


def _theme(row: Mapping[str, Any]) -> Theme:
    colours = {name: value for name, value in row.items() if name not in ("title", "tones", "variables")}
    tones = {f"tone-{tone.value}": row["tones"][tone.value] for tone in Tone}
    return Theme(**colours, variables={**tones, **row["variables"]})


THEMES: Final = tuple(map(_theme, _ROWS))
"""The themes in the order that `t` switches through them."""

DARK, LIGHT, CONTRAST, ANSI = THEMES

THEME_TITLES: Final[dict[str, str]] = {row["name"]: row["title"] for row in _ROWS}


def theme_after(name: str) -> Theme:
    """Return the theme after the one named."""
    names = [theme.name for theme in THEMES]
    return THEMES[(names.index(name) + 1) % len(THEMES)] if name in names else DARK


class NoColour(LineFilter):
    """Removes foregrounds and backgrounds under NO_COLOR, the theme's greys included (no-color.org).

    Bold, reverse and underline stay.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - of the base
        """Return the segments without colours."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]


_GLYPHS: Final = str.maketrans(
    "✓✗·•▸▾●○◆→←↔⏎␣⌫⇧…–—×≤≥“”‘’─━│┃▌▏╭╮╰╯┌┐└┘█▇▆▅▄▃▂▁▀▔",
    "vx.*>v*o*><-=_<^~--x<>\"\"''--||||++++++++#########-",
)
"""An ASCII sign of the same width for each sign that the screens draw."""


class AsciiGlyphs(LineFilter):
    """Draws with ASCII signs, for a terminal whose encoding has no others; other letters become question marks."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - of the base
        """Return the segments in ASCII, each as wide as before."""
        return [Segment(_in_ascii(text), style, control) for text, style, control in segments]


def _in_ascii(text: str) -> str:
    drawn = text.translate(_GLYPHS)
    return (
        drawn
        if drawn.isascii()
        else "".join(each if each.isascii() else "?" * cell_len(each) for each in drawn)
    )
