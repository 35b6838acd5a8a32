"""Measures how long the packages of the examples take to import beyond Mellea."""

import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measuring import PROJECT, Cost, Figure, Row, convert, measured, process, tree

MOST = Cost(15.0)
MELLEA = "import mellea"


def packages(rounds: int, *, small: bool) -> list[Figure]:
    """Measure the import of each example's package, in processor time of whole processes."""
    examples = sorted(path for path in (PROJECT / "examples").iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as folder:
        rows = [Row(MELLEA, partial(process, [sys.executable, "-c", MELLEA]))]
        for example in examples[-1:] if small else examples:
            run = partial(_imported, example, Path(folder))
            rows.append(Row(f"import of {example.name}", run, (MELLEA,), most=MOST))
        return measured("packages", rows, rounds)


def _imported(example: Path, scratch: Path) -> Cost:
    """Return what importing a package costs; it is made on first use by the checkout that is measured."""
    out = scratch / tree().name / example.name
    if not out.exists():
        process(convert(example, out))
    package = next(out.glob("*/pipeline.py")).parent
    return process([sys.executable, "-c", f"{MELLEA}; import {package.name}.pipeline"], cwd=out)
