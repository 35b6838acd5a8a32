"""Highlights source code: returns one line of styled spans for each line of any file."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Token, _TokenType
from pygments.util import ClassNotFound

from melleafy_tui.widgets.styled_text import Line, Span, Tone

LARGEST_COLOURED: Final = 200_000
"""Characters above which a file is shown without colours."""

TOKEN_TONES: Final[dict[_TokenType, Tone]] = {
    Comment: Tone.COMMENT,
    Keyword: Tone.KEYWORD,
    Operator.Word: Tone.KEYWORD,
    String: Tone.STRING,
    Number: Tone.NUMBER,
    Name.Class: Tone.HEADING,
    Name.Function: Tone.NAME,
    Name.Decorator: Tone.INFO,
    Name.Tag: Tone.NAME,
    Name.Attribute: Tone.NAME,
    Name.Builtin: Tone.INFO,
    Generic.Heading: Tone.HEADING,
    Generic.Subheading: Tone.HEADING,
    Generic.Strong: Tone.STRONG,
    Generic.Emph: Tone.INFO,
    Generic.Inserted: Tone.ADDED,
    Generic.Deleted: Tone.REMOVED,
}


def coloured(path: str, lines: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines highlighted for their file type; empty if they are shown as plain text."""
    return _coloured(path, tuple(lines))


@lru_cache(maxsize=16)  # panes that follow the cursor go back and forth between files of 300 ms each
def _coloured(path: str, lines: tuple[str, ...]) -> tuple[Line, ...]:
    lexer = _lexer(path)
    if lexer is None or sum(map(len, lines)) > LARGEST_COLOURED:
        return ()
    made = _token_lines(lexer, lines)
    faithful = len(made) >= len(lines) and all(
        "".join(text for text, _ in line) == source for line, source in zip(made, lines, strict=False)
    )
    return tuple(made[: len(lines)]) if faithful else ()


def _token_lines(lexer: Lexer, lines: Sequence[str]) -> list[Line]:
    """Return the tokens of a text with their tones, split at line ends."""
    made: list[Line] = []
    now: list[Span] = []
    for token, text in lexer.get_tokens("\n".join(lines)):
        tone = _tone(token)
        first, *rest = text.split("\n")
        if first:
            now.append((first, tone))
        for piece in rest:
            made.append(tuple(now))
            now = [(piece, tone)] if piece else []
    if now:
        made.append(tuple(now))
    return made


def diff_line(text: str) -> Line:
    """Return one line of a unified diff with its tone."""
    if text.startswith(("+++", "---", "── ")):
        return ((text, Tone.STRONG),)
    if text.startswith("@@"):
        return ((text, Tone.HUNK),)
    if text.startswith("+"):
        return ((text, Tone.ADDED),)
    if text.startswith("-"):
        return ((text, Tone.REMOVED),)
    return ((text, Tone.MUTED),)


def _lexer(path: str) -> Lexer | None:
    try:
        lexer: Lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None
    return lexer


def _tone(token: _TokenType) -> Tone:
    kind: _TokenType | None = token
    while kind is not None and kind is not Token:
        tone = TOKEN_TONES.get(kind)
        if tone is not None:
            return tone
        kind = kind.parent
    return Tone.TEXT
