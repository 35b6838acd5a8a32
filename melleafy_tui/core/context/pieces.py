"""Says what became of each line of a file, and prints pieces line by line with the line that each comes from."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from melleafy_tui.core.context.truncation import Piece
from melleafy_tui.core.context.units import WHITE_SPACE, characters, line_spans
from melleafy_tui.core.models.context import LineRun, LineState, PromptLine

_MARKED = "✂"
_UNSEEN = (LineState.CUT, LineState.DIGEST, LineState.PARTLY)


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
    """Yield the lines of a file in the prompt; where a marker stands, also which lines are cut there."""
    starts = [start for start, _ in line_spans(text)]
    for piece in pieces:
        shown = characters(piece.text)
        if piece.start is None:
            origin = ""
            if piece.source_lines:
                numbers = [bisect_right(starts, place) for place in piece.source_lines]
                origin = f"{path}:{numbers[-1]}"
            if shown.strip("\n"):
                for line in shown.strip("\n").split("\n"):
                    yield PromptLine(line, origin, mark=piece.mark)
            continue
        number = bisect_right(starts, piece.start)
        for offset, line in enumerate(shown.split("\n")):
            yield PromptLine(line.removesuffix("\r"), f"{path}:{number + offset}")
    cut = [run for run in runs if run.state in _UNSEEN]
    for run in cut:
        lines = str(run.first) if run.first == run.last else f"{run.first}-{run.last}"
        what = {
            LineState.CUT: "cut",
            LineState.DIGEST: "only in the digest",
            LineState.PARTLY: "cut in the middle",
        }
        yield PromptLine(f"{_MARKED} {path}:{lines} {what[run.state]}", mark=True)
