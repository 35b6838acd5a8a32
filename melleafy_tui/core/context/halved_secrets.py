"""Blanks what a cut leaves of a secret: no detector knows the half of one, so it goes where the cut is made (safety 4).

The characters are blanked one for one, so that every count stays what it is.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.context.truncation import Piece
from melleafy_tui.core.workspace.secret_line import SecretSpan
from melleafy_tui.core.workspace.secrets import find_secrets

BLANK: Final = "*"
_ELLIPSIS: Final = "…"


def without_halves(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with each secret blanked that is in none of them whole.

    Args:
        text: The whole file, in code units.
        pieces: What is left of it.
    """
    if not any(piece.mark for piece in pieces):
        return list(pieces)
    spans = find_secrets(text)
    return [
        _of_digest(text, piece, spans) if piece.source_lines else _of_file(piece, spans) for piece in pieces
    ]


def _of_file(piece: Piece, spans: Sequence[SecretSpan]) -> Piece:
    start = piece.start
    if start is None:
        return piece
    for span in spans:
        if span.end <= start or span.start >= piece.end or (start <= span.start and span.end <= piece.end):
            continue
        piece = _blanked(piece, max(span.start - start, 0), min(span.end, piece.end) - start)
    return piece


def _of_digest(text: str, piece: Piece, spans: Sequence[SecretSpan]) -> Piece:
    """Blank the end of a line of the digest, which is cut off where it is long."""
    if not piece.text.endswith(_ELLIPSIS):
        return piece
    shown = piece.text.removesuffix(_ELLIPSIS)
    ends = [(place, text.find("\n", place) % (len(text) + 1)) for place in piece.source_lines]
    for span in spans:
        if not any(start <= span.start < end for start, end in ends):
            continue
        secret = text[span.start : span.end]
        longest = next((n for n in range(len(secret), 0, -1) if shown.endswith(secret[:n])), 0)
        if longest:
            return _blanked(piece, len(shown) - longest, len(shown))
    return piece


def _blanked(piece: Piece, first: int, last: int) -> Piece:
    return replace(piece, text=piece.text[:first] + BLANK * (last - first) + piece.text[last:])
