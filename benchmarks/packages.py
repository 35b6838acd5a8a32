"""Measures how long the packages of the examples take to import beyond Mellea."""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measuring import (
    PROJECT,
    Cost,
    Figure,
    Row,
    convert,
    measured,
    process,
    process_environment,
    tree,
)

MOST = Cost(15.0)
IMPORT = """
import time
import mellea
begun = time.thread_time()
import {name}.pipeline
print(time.thread_time() - begun)
"""
"""Times the import after Mellea's in its own thread: those that Mellea starts go on beside it, and take as long again.
Whole processes differ by more: what Mellea holds is freed at their end."""


def packages(rounds: int, *, small: bool) -> list[Figure]:
    """Measure the import of each example's package after Mellea's, in processor time of its thread."""
    examples = sorted(path for path in (PROJECT / "examples").iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            Row(f"import of {example.name}", partial(_imported, example, Path(folder)), most=MOST)
            for example in (examples[-1:] if small else examples)
        ]
        return measured("packages", rows, rounds)


def _imported(example: Path, scratch: Path) -> Cost:
    """Return what importing a package costs; it is made on first use by the checkout that is measured."""
    out = scratch / tree().name / example.name
    if not out.exists():
        process(convert(example, out))
    package = next(out.glob("*/pipeline.py")).parent
    done = subprocess.run(
        [sys.executable, "-c", IMPORT.format(name=package.name)],
        cwd=out,
        env=process_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return Cost(float(done.stdout) * 1000)
