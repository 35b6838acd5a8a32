"""Measures the memory of a wizard that is walked through every step, at about ten thousand elements."""

import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import Figure
from benchmarks.real import walked
from benchmarks.workspaces import make_workspace

AT_REST = 60.0
"""Megabytes that a conversion may take whatever it reads."""
TIMES_SOURCE = 3
ASKED = 1.5


def memory(rounds: int, *, small: bool) -> list[Figure]:  # noqa: ARG001 - a peak hardly differs between two runs
    """Measure the peak of one wizard, from its opening to the written package."""
    rules = 300 if small else 9_000
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "w")
        make_workspace(source, 20, rules)
        size = sum(path.stat().st_size for path in source.rglob("*") if path.is_file()) / (1 << 20)
        peak = walked(source, Path(folder, "out"))
    allowed = AT_REST + TIMES_SOURCE * size
    print(f"peak {peak:.0f} MB with {size:.1f} MB of source in {rules:,} rules", file=sys.stderr)
    return [
        Figure(
            suite="memory",
            name=f"the wizard through all steps, {rules:,} rules",
            milliseconds=0.0,
            spread=0.0,
            megabytes=round(peak, 1),
            floor=f"{AT_REST:.0f} MB + {TIMES_SOURCE} x source ({allowed:.0f} MB)",
            ratio=round(peak / allowed, 2),
            target=ASKED,
        )
    ]
