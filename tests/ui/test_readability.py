"""Every text in every picture can be read on what lies beneath it: at least 4.5:1, computed from the pictures."""

import re
from collections.abc import Iterator
from pathlib import Path

from textual.color import Color

from melleafy_tui.widgets.styled_text import THEMES
from tests.conftest import SNAPSHOTS
from tests.ui.test_themes import LEAST, contrast

PICTURES = sorted((SNAPSHOTS / "ui").glob("*/*.svg"))

STYLE = re.compile(r"\.terminal-(r\d+) \{ fill: (#[0-9a-f]{6})")
RECT = re.compile(r'<rect fill="(#[0-9a-f]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"')
TEXT = re.compile(r'<text class="terminal-(r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
DRAWN = re.compile(r"[\s\u2500-\u259f·]|&#160;")
"""Borders, bars, scroll bars and leaders: drawn, not read."""


IN_DIALOGS = {
    value.lower()
    for theme in THEMES
    for value in (theme.surface, theme.panel, *theme.variables.values())
    if value is not None and value != theme.background
}
"""The grounds that a dialog uses."""


def low_contrasts(picture: str, *, veiled: bool = False) -> Iterator[str]:
    """Yield each text that stands out too little from the rectangle beneath it.

    Behind a dialog the step is veiled on purpose: grounds that no dialog uses are skipped there, and nowhere else.
    """
    fills = dict(STYLE.findall(picture))
    grounds = [(fill, *map(float, place)) for fill, *place in RECT.findall(picture)]
    for style, left, base, text in TEXT.findall(picture):
        if style not in fills or not DRAWN.sub("", text):
            continue
        x, y = float(left) + 1, float(base) - 5
        beneath = [
            fill for fill, at, top, wide, high in grounds if at <= x < at + wide and top <= y < top + high
        ]
        if veiled and beneath and beneath[-1] not in IN_DIALOGS:
            continue
        if beneath and contrast(Color.parse(fills[style]), Color.parse(beneath[-1])) < LEAST:
            yield f"{fills[style]} on {beneath[-1]}: {text}"


def is_dialog(picture: str) -> bool:
    return any(said in picture for said in ("Esc&#160;close", "🔎", "&#160;stops;"))


def test_there_are_pictures_with_texts_and_grounds() -> None:
    assert len(PICTURES) > 20
    assert all(TEXT.search(picture) and RECT.search(picture) for picture in map(Path.read_text, PICTURES))


def test_every_text_of_a_picture_can_be_read() -> None:
    unreadable = {}
    for place in PICTURES:
        picture = place.read_text()
        if low := list(low_contrasts(picture, veiled=is_dialog(picture))):
            unreadable[place.name] = low
    assert unreadable == {}


def test_a_text_that_cannot_be_read_is_found() -> None:
    picture = (
        ".terminal-r1 { fill: #777777 }"
        '<rect fill="#888888" x="0" y="0" width="100" height="30" shape-rendering="crispEdges"/>'
        '<text class="terminal-r1" x="0" y="20" textLength="50">dim</text>'
    )
    assert list(low_contrasts(picture)) == ["#777777 on #888888: dim"]
