"""Measures how the cost of a preview grows with wiki pages and rules, as exponents beside the cold start."""

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import DOOR, Figure, Row, exponent, measured, process
from benchmarks.workspaces import make_workspace

MOST = 1.1


def growth(rounds: int, *, small: bool) -> list[Figure]:
    """Measure the exponents of files and of rules."""
    sizes: Sequence[int] = (10, 100, 300, 1_000) if small else (10, 100, 1_000, 10_000)
    found = []
    for what in ("files", "rules"):
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for size in sizes:
                root = Path(folder) / str(size)
                make_workspace(root, *((size, 10) if what == "files" else (1, size)))
                rows.append(
                    Row(str(size), partial(process, [*DOOR, "preview", str(root), "--json", "--quiet"]))
                )
            last = measured("growth", rows, min(rounds, 3))
        slope = round(exponent(sizes, [figure.milliseconds for figure in last]), 2)
        name = f"preview of {sizes[-1]:,} {what}, growth from {sizes[0]}"
        largest = last[-1]
        found.append(
            Figure(
                "growth",
                name,
                largest.milliseconds,
                largest.spread,
                largest.megabytes,
                "power of",
                slope,
                MOST,
            )
        )
    return found
