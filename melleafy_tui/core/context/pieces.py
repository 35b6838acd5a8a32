"""Says what became of each line of a file, and prints pieces line by line with the line that each comes from."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from melleafy_tui.core.context.truncation import Piece
from melleafy_tui.core.context.units import WHITE_SPACE, characters, line_spans
from melleafy_tui.core.models.context import LineRun, LineState, PromptLine

_REMARKS: Final = {
    LineState.CUT: "is cut",
    LineState.PARTLY: "is cut within the line",
    LineState.FRONTMATTER: "is frontmatter and left out",
}
_GONE: Final = frozenset({LineState.CUT, LineState.DIGEST})


def line_runs(text: str, pieces: Sequence[Piece], frontmatter: int) -> tuple[LineRun, ...]:
    """Return what became of the lines of a file, neighbours with one state together.

    Args:
        text: The whole file, in code units.
        pieces: What stands in the prompt.
        frontmatter: Code units at the start that were taken away as frontmatter.
    """
    kept = sorted((piece.start, piece.end) for piece in pieces if piece.start is not None)
    repeated = {place for piece in pieces for place in piece.source_lines}
    runs: list[LineRun] = []
    for number, (start, end) in enumerate(line_spans(text), 1):
        body = text[start:end]
        last = start + len(body.rstrip(WHITE_SPACE))
        first = end - len(body.lstrip(WHITE_SPACE))
        if first >= last:
            continue
        held = sum(max(0, min(last, stop) - max(first, begin)) for begin, stop in kept)
        if held >= last - first:
            state = LineState.SEEN
        elif first < frontmatter:
            state = LineState.FRONTMATTER
        elif start in repeated:
            state = LineState.DIGEST
        else:
            state = LineState.PARTLY if held else LineState.CUT
        if runs and runs[-1].state is state:
            runs[-1] = LineRun(runs[-1].first, number, state)
        else:
            runs.append(LineRun(number, number, state))
    return tuple(runs)


def prompt_lines(
    path: str, text: str, pieces: Sequence[Piece], runs: Sequence[LineRun]
) -> Iterator[PromptLine]:
    """Yield the lines of a file in the prompt, and after the first marker which lines of it are cut."""
    starts = [start for start, _ in line_spans(text)]
    remarks = [PromptLine(words, mark=True, remark=True) for words in _remarks(path, runs)]
    for line, places, mark in _lines(pieces):
        numbers = [bisect_right(starts, place) for place in places]
        origin = f"{path}:{numbers[-1]}" if numbers and not mark else ""
        yield PromptLine(characters(line).removesuffix("\r"), origin, mark=mark)
        if mark and "runcated" in line:
            yield from remarks
            remarks = []
    yield from remarks


def _lines(pieces: Sequence[Piece]) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield each line with the places in the file that it comes from, and whether a marker stands in it."""
    line, mark = "", False
    places: tuple[int, ...] = ()
    for piece in pieces:
        position = 0
        parts = piece.text.split("\n")
        for number, part in enumerate(parts):
            if number:
                yield line, places, mark
                line, places, mark = "", (), False
            if not line and piece.start is not None:
                places = (piece.start + position,)
            elif not line and piece.source_lines:
                places = (piece.source_lines[min(number, len(piece.source_lines) - 1)],)
            mark = mark or (piece.mark and bool(part))
            line += part
            position += len(part) + 1
    yield line, places, mark


def _remarks(path: str, runs: Sequence[LineRun]) -> Iterator[str]:
    """Yield what is cut, in words; lines of the digest among those that are cut are counted."""
    for gone, group in groupby(runs, lambda run: LineState.CUT if run.state in _GONE else run.state):
        held = list(group)
        if gone not in _REMARKS:
            continue
        first, last = held[0].first, held[-1].last
        digest = sum(run.last - run.first + 1 for run in held if run.state is LineState.DIGEST)
        words = f"; {digest} of these lines stand in the digest" if digest else ""
        yield f"{path}:{first if first == last else f'{first}-{last}'} {_REMARKS[gone]}{words}"
