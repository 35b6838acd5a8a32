"""Scores the masking of secrets against labelled lines, per kind and language with 95 % intervals.

    python -m scripts.score_secrets [--lines FILE] [--show]

Recall counts labelled values: one is masked when no half of it (at least four characters) is left in the masked text,
other than halves that stand in the words around it.
Precision counts masks: one is right when it overlaps a labelled value. `--show` prints misses and false masks; whoever
writes detector rules must not look at them.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.masking import mask_secrets
from melleafy_tui.core.source.secrets.spans import SecretSpan
from tests.secrets.lines import LINES, Line, read_lines

Z: Final = 1.96
"""Standard errors of a 95 % interval."""


class Score(Struct):
    """What was counted for one kind or language."""

    secrets: int = 0
    masked: int = 0
    masks: int = 0
    right: int = 0


def interval(hits: int, total: int) -> str:
    """Return a share with its Wilson interval, in percent."""
    if not total:
        return "-"
    share = hits / total
    centre = share + Z * Z / (2 * total)
    margin = Z * sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    low, high = ((centre + side * margin) / (1 + Z * Z / total) for side in (-1, 1))
    return f"{100 * share:.1f} ({100 * low:.0f}-{100 * high:.0f})"


def is_masked(value: str, masked_text: str, around: str = "") -> bool:
    """Return whether no half of a value is left in the masked text, save those that stand in the words around it."""
    width = min(len(value), max(4, (len(value) + 1) // 2))
    halves = {value[start : start + width] for start in range(len(value) - width + 1)}
    return not any(half in masked_text and half not in around for half in halves)


def without_values(line: Line) -> str:
    """Return the words of a line around its labelled values: "camera" in them is no half of `camera2019`."""
    text = line.text
    for value in sorted(line.secrets, key=len, reverse=True):
        text = text.replace(value, "\0")
    return text


def places(line: Line) -> Iterator[tuple[int, int]]:
    """Yield start and end of each place of a labelled value."""
    for value in line.secrets:
        for match in re.finditer(re.escape(value), line.text):
            yield match.span()


def _is_right(span: SecretSpan, wanted: Iterable[tuple[int, int]]) -> bool:
    return any(span.start < end and start < span.end for start, end in wanted)


def score(lines: Iterable[Line], show: bool = False) -> dict[str, Score]:
    """Count hits and misses.

    Args:
        lines: The labelled lines.
        show: Whether to print misses and false masks.

    Returns:
        The counts by `all`, by kind and by language.
    """
    scores: dict[str, Score] = defaultdict(Score)
    for line in lines:
        spans, masked_text = find_secrets(line.text), mask_secrets(line.text)
        hits = [is_masked(value, masked_text, without_values(line)) for value in line.secrets]
        wanted = list(places(line))
        right = [_is_right(span, wanted) for span in spans]
        for key in ("all", line.kind, line.language):
            total = scores[key]
            total.secrets += len(hits)
            total.masked += sum(hits)
            total.masks += len(right)
            total.right += sum(right)
        if show and not all((*hits, *right)):
            print(f"{'MISS' if not all(hits) else 'FALSE'} {line.kind} {line.language}: {masked_text!r}")
    return scores


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Scores the masking of secrets.")
    parser.add_argument(
        "--lines", type=Path, default=LINES, help="the labelled lines (default: the held-out set)"
    )
    parser.add_argument("--show", action="store_true", help="print misses and false masks")
    options = parser.parse_args(arguments)
    scores = score(read_lines(options.lines), options.show)
    print(
        "| kind or language | secrets | recall % (95 %) | masks | precision % (95 %) |\n|---|---|---|---|---|"
    )
    for name, counted in sorted(scores.items(), key=lambda item: (item[0] != "all", item[0])):
        print(
            f"| {name} | {counted.secrets} | {interval(counted.masked, counted.secrets)} "
            f"| {counted.masks} | {interval(counted.right, counted.masks)} |"
        )


if __name__ == "__main__":
    main()
