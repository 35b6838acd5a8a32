"""Truncates a file to its limit the way a release does, and tracks which characters are left.

The result is a list of excerpts. A excerpt of the file knows its position, so each character of the file is either in a
excerpt or cut; a marker and the digest of rules are excerpts without a position.
"""

from collections.abc import Iterator
from math import floor
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.openclaw.prompt.extra_files import digest_of
from melleafy_tui.core.openclaw.prompt.releases import Assembly, Cutting, Digest
from melleafy_tui.core.openclaw.prompt.utf16 import after, before

LEAST_ROOM: Final = 64
"""If less than this is left of the total budget, no further file is added."""

_ELLIPSIS: Final = "…"
_LEAST_KEPT: Final = 16
_SHARES: Final = {Cutting.BESIDE: (0.7, 0.2), Cutting.FITTED: (0.75, 0.25)}
_DIGEST_SHARES: Final = (0.45, 0.35, 0.15)
"""Shares of the limit of an AGENTS.md with a digest: start, digest, end."""


class Excerpt(Struct, frozen=True):
    """A stretch of text in the prompt; `start` is its position in the file, or None for text that isn't from the file.

    `source_lines` are the positions of the lines that a digest repeats.
    """

    text: str
    start: int | None = None
    mark: bool = False
    source_lines: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """Return the position in the file where the stretch ends."""
        return (self.start or 0) + len(self.text)

    def moved(self, by: int) -> "Excerpt":
        """Return it with its positions in the file moved."""
        start = None if self.start is None else self.start + by
        return replace(self, start=start, source_lines=tuple(place + by for place in self.source_lines))

    def part(self, first: int, end: int) -> "Excerpt":
        """Return the part of it between two positions in its text."""
        start = None if self.start is None else self.start + first
        return replace(self, text=self.text[first:end], start=start)


def missing_marker(place: str) -> str:
    """Return the text that the prompt has for a missing file."""
    return f"[MISSING] Expected at: {place}"


def cut_to_limit(text: str, name: str, limit: int | None, assembly: Assembly) -> list[Excerpt]:
    """Return the excerpts of a file that are left within its limit.

    Args:
        text: The file without white space at its end, in code units.
        name: Its name, for the marker.
        limit: Most code units; None means no limit.
        assembly: How the release truncates.
    """
    if limit is None or len(text) <= limit:
        return [Excerpt(text, 0)] if text else []
    if assembly.cutting is Cutting.BESIDE:
        return _beside(text, name, limit)
    if name == "AGENTS.md" and assembly.digest is not Digest.NONE:
        return _with_digest(text, limit, assembly)
    return _fitted(text, name, limit, whole=assembly.whole_characters)


def clamp(excerpts: list[Excerpt], room: int) -> list[Excerpt]:
    """Return the excerpts cut off where the total budget ends, with an ellipsis at the end."""
    length = sum(len(excerpt.text) for excerpt in excerpts)
    if room <= 0:
        return []
    if length <= room:
        return excerpts
    if room <= 3:
        return _first(excerpts, room)
    return [*_first(excerpts, room - 1), Excerpt("…", mark=True)]


def _first(excerpts: list[Excerpt], room: int) -> list[Excerpt]:
    text = "".join(excerpt.text for excerpt in excerpts)
    left = before(text, room, whole=True)
    kept = []
    for excerpt in excerpts:
        if left <= 0:
            break
        kept.append(Excerpt(excerpt.text[:left], excerpt.start, excerpt.mark, excerpt.source_lines))
        left -= len(excerpt.text)
    return kept


def _beside(text: str, name: str, limit: int) -> list[Excerpt]:
    head_share, tail_share = _SHARES[Cutting.BESIDE]
    head, tail = floor(limit * head_share), floor(limit * tail_share)
    # As in JavaScript, slice(-0) is the whole text: with a limit below 5 it follows the marker again.
    start = len(text) - tail if tail else 0
    marker = f"\n{_marker(name, head, tail, len(text))}\n"
    return [
        Excerpt(text[:head], 0),
        Excerpt(marker, mark=True),
        Excerpt(text[max(0, start) :], max(0, start)),
    ]


class _Fitting(Struct, frozen=True):
    """How much of the start and the end of a text fits into a limit together with the marker between them."""

    name: str
    length: int
    limit: int

    @property
    def full(self) -> bool:
        """Return whether there is room for the long marker."""
        return self.limit - len(_marker(self.name, 0, 0, self.length)) - 2 >= _LEAST_KEPT

    def marker(self, head: int, tail: int) -> str:
        """Return the marker."""
        if self.full:
            return _marker(self.name, head, tail, self.length)
        return f"[…truncated {head}+{tail}/{self.length}]"

    def marker_room(self, head: int, tail: int) -> int:
        """Return the length of the marker with its line breaks."""
        return len(self.marker(head, tail)) + ((head > 0) + (tail > 0) if self.full else 0)

    def kept(self) -> tuple[int, int]:
        """Return the lengths of the start and the end."""
        head, tail = self._shares()
        while (over := head + tail + self.marker_room(head, tail) - self.limit) > 0 and (head or tail):
            if tail:
                tail = max(0, tail - over)
            else:
                head = max(0, head - over)
        if not head and not tail and 1 + self.marker_room(1, 0) <= self.limit:
            head = 1
        return head, tail

    def _shares(self) -> tuple[int, int]:
        """Return the shares of the room, which depends on the length of their digits in the marker."""
        head_share, tail_share = _SHARES[Cutting.FITTED]
        shares = (0, 0)
        for _ in range(3):
            room = max(0, self.limit - self.marker_room(*shares))
            earlier, shares = shares, (floor(room * head_share), floor(room * tail_share))
            if shares == earlier:
                break
        return shares


def _fitted(text: str, name: str, limit: int, *, whole: bool) -> list[Excerpt]:
    fitting = _Fitting(name, len(text), limit)
    head, tail = fitting.kept()
    first, last = before(text, head, whole=whole), after(text, len(text) - tail, whole=whole)
    words = fitting.marker(head, tail)
    if fitting.full:
        words = ("\n" if first else "") + words + ("\n" if last < len(text) else "")
    excerpts = [Excerpt(text[:first], 0), Excerpt(words, mark=True), Excerpt(text[last:], last)]
    excerpts = [excerpt for excerpt in excerpts if excerpt.text]
    length = sum(len(excerpt.text) for excerpt in excerpts)
    return excerpts if length <= limit else _first(excerpts, limit)


def _marker(name: str, head: int, tail: int, length: int) -> str:
    return (
        f"\n[...truncated, read {name} for full content...]\n"
        f"…(truncated {name}: kept {head}+{tail} chars of {length})…\n"
    )


def _with_digest(text: str, limit: int, assembly: Assembly) -> list[Excerpt]:
    head_share, digest_share, tail_share = _DIGEST_SHARES
    head, tail, room = floor(limit * head_share), floor(limit * tail_share), floor(limit * digest_share)
    digest = digest_of(text, assembly.digest, room)
    excerpts = list(_with_marker(text, head, tail, digest, assembly))
    while (over := sum(len(excerpt.text) for excerpt in excerpts) - limit) > 0 and (tail or head > 1 or room):
        if tail:
            tail = max(0, tail - over)
        elif head > 1:
            head = max(1, head - over)
        else:
            room = max(0, room - over)
            digest = digest_of(text, assembly.digest, room)
        excerpts = list(_with_marker(text, head, tail, digest, assembly))
    return excerpts if over <= 0 else _first(excerpts, limit)


def _with_marker(
    text: str, head: int, tail: int, digest: tuple[tuple[str, tuple[int, ...]], ...], assembly: Assembly
) -> Iterator[Excerpt]:
    """Yield start, marker, digest and end, each on its own lines."""
    length = len("\n".join(line for line, _ in digest if line))
    whole = assembly.whole_characters
    first, last = before(text, head, whole=whole), after(text, len(text) - tail, whole=whole)
    parts = [
        Excerpt(text[:first], 0),
        Excerpt("[...truncated, read AGENTS.md for full content...]", mark=True),
        *_digest_lines(digest),
    ]
    kept = f"kept {head}+policy {length}+{tail} chars of {len(text)}"
    parts.append(Excerpt(f"…(truncated AGENTS.md: {kept})…", mark=True))
    if tail:
        parts.append(Excerpt(text[last:], last))
    filled = [part for part in parts if part.text]
    for number, part in enumerate(filled):
        if number:
            yield Excerpt("\n", mark=True)
        yield part


def _digest_lines(digest: tuple[tuple[str, tuple[int, ...]], ...]) -> Iterator[Excerpt]:
    chosen = [Excerpt(line, source_lines=places) for line, places in digest if line]
    if chosen:
        yield Excerpt("[Policy digest from AGENTS.md]", mark=True)
        yield from chosen
    if left_out := len(digest) - len(chosen):
        yield Excerpt(f"[...{left_out} more policy lines omitted...]", mark=True)
