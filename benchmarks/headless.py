"""Measures the headless door against floors taken in the same run; prints ratios, which travel between machines.

    python benchmarks/headless.py [--rounds 7] [--json FILE]

Each figure is a whole process, from fork to exit: the median of the rounds with the spread between the
quartiles. The rows are interleaved, so that a busy moment of the machine hits floor and figure alike.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = PROJECT / "examples" / "ticket-triage"
IMPORTS = "import pydantic, markdown_it, yaml, jinja2"


@dataclass(frozen=True)
class Row:
    """One measured command; `floor` names the row it is compared with."""

    name: str
    command: list[str]
    floor: str


@dataclass(frozen=True)
class Figure:
    """The median of a row in milliseconds, its spread between the quartiles, and its ratio to its floor."""

    name: str
    milliseconds: float
    spread: float
    floor: str
    ratio: float


def rows(out: Path) -> list[Row]:
    """Return the measured commands; the conversion writes below `out`."""
    python = sys.executable
    door = [python, "-m", "melleafy_tui"]
    return [
        Row("bare interpreter", [python, "-c", "pass"], "bare interpreter"),
        Row("--help", [*door, "--help"], "bare interpreter"),
        Row("--version", [*door, "--version"], "bare interpreter"),
        Row("the same imports", [python, "-c", IMPORTS], "the same imports"),
        Row("detect", [*door, "detect", str(EXAMPLE), "--json"], "the same imports"),
        Row("preview, nothing written", [*door, "preview", str(EXAMPLE), "--json"], "the same imports"),
        Row(
            "convert and write",
            [*door, str(EXAMPLE), "--dependencies=auto", "--quiet", "--force", "--out", str(out)],
            "the same imports",
        ),
    ]


def timed(command: list[str]) -> float:
    """Return the milliseconds that one run of the command takes."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1793500000", "PYTHONDONTWRITEBYTECODE": ""}
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def measure(rounds: int) -> list[Figure]:
    """Run every row `rounds` times after one warm-up and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        table = rows(Path(folder) / "out")
        times: dict[str, list[float]] = {row.name: [] for row in table}
        for round_number in range(rounds + 1):
            for row in table:
                spent = timed(row.command)
                if round_number:
                    times[row.name].append(spent)
    medians = {name: statistics.median(values) for name, values in times.items()}
    figures = []
    for row in table:
        quartiles = statistics.quantiles(times[row.name], n=4)
        ratio = medians[row.name] / medians[row.floor]
        figures.append(Figure(row.name, medians[row.name], quartiles[2] - quartiles[0], row.floor, ratio))
    return figures


def main() -> None:
    """Measure, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.rounds)
    print(f"{'what':28}{'median ms':>10}{'spread':>9}{'ratio':>8}  floor")
    for figure in figures:
        print(
            f"{figure.name:28}{figure.milliseconds:10.1f}{figure.spread:9.1f}{figure.ratio:8.2f}  {figure.floor}"
        )
    if options.json:
        options.json.write_text(
            json.dumps([asdict(figure) for figure in figures], indent=2) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
