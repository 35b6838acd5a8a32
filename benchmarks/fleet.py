"""Compares `convert --all` with single runs, and says on paper what many workspaces cost.

    python -m benchmarks fleet                  # 60 workspaces: equal bytes, and the time
    python -m benchmarks.fleet [--paper 100000] [--measured 1000] [--jobs 2]

Workspaces are drawn from the real distribution: logarithms of the number of elements around a median of 200, at most
670. The cost of one is a line through single conversions of four sizes inside one process, as `convert --all` makes
them, each after one to warm up.
"""

import argparse
import filecmp
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.measuring import DOOR, PROJECT, Cost, Figure, Row, convert, measured, process, resident, tree
from benchmarks.workspaces import MEDIAN, make_shape

RULES: tuple[int, int] = (10, 515)
"""The fewest and the most rules of a workspace that is drawn."""
SPREAD = 0.6
"""Standard deviation of the logarithm: one workspace in fifty has more than three times the median."""
PER_PROCESS = 50
"""Conversions of a process before `convert --all` replaces it."""
SIZES = (16, 128, 256, 515)


def drawn(count: int, seed: int = 7) -> list[int]:
    """Return the numbers of rules of so many workspaces; the same every time."""
    draw = random.Random(seed)
    middle = math.log(MEDIAN.rules)
    return [round(min(max(math.exp(draw.gauss(middle, SPREAD)), RULES[0]), RULES[1])) for _ in range(count)]


def fleet(rounds: int, *, small: bool) -> list[Figure]:
    """Measure `convert --all` with two processes against single runs, in wall-clock time.

    Raises:
        SystemExit: the two wrote different bytes.
    """
    count = 6 if small else 60
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for number, rules in enumerate(drawn(count, seed=9)):
            shape = replace(MEDIAN, rules=rules, facts=rules // 2, seed=number)
            make_shape(root / "in" / f"w{number}", shape)
        singles = f"{count} single runs"
        rows = [
            Row(singles, partial(_one_by_one, root)),
            Row(f"convert --all of {count}", partial(_together, root), (singles,), 0.6),
        ]
        found = measured("fleet", rows, min(rounds, 2))
        if _differs(filecmp.dircmp(root / "one" / PROJECT.name, root / "all" / PROJECT.name)):
            raise SystemExit("convert --all wrote other bytes than single runs")
        return found


def _one_by_one(root: Path) -> Cost:
    started = time.perf_counter()
    for source in sorted((root / "in").iterdir()):
        process(convert(source, root / "one" / tree().name / source.name))
    return Cost((time.perf_counter() - started) * 1000)


def _together(root: Path) -> Cost:
    started = time.perf_counter()
    out = root / "all" / tree().name
    process(
        [*DOOR, "convert", "--all", str(root / "in"), "--jobs=2", "--quiet", "--force", "--out", str(out)]
    )
    return Cost((time.perf_counter() - started) * 1000)


def _differs(found: "filecmp.dircmp[str]") -> bool:
    _, unequal, unread = filecmp.cmpfiles(found.left, found.right, found.common_files, shallow=False)
    here = bool(found.left_only or found.right_only or unequal or unread)
    return here or any(map(_differs, found.subdirs.values()))


def convert_all(folder: Path, sizes: list[int], jobs: int) -> tuple[float, float, float]:
    """Convert so many workspaces and return wall-clock seconds, processor seconds and the peak of a process in MB."""
    for number, rules in enumerate(sizes):
        make_shape(folder / "in" / f"w{number}", replace(MEDIAN, rules=rules, facts=rules // 2, seed=number))
    command = [*DOOR, "convert", "--all", str(folder / "in"), "--jobs", str(jobs), "--quiet"]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, spent, resident(after)


def line(each: int) -> tuple[float, float, float]:
    """Return the processor seconds of any workspace, of each rule and of a process, from runs of one size."""
    costs, starts = [], []
    for size in SIZES:
        spent = []
        for count in (1, each + 1):
            with tempfile.TemporaryDirectory() as folder:
                spent.append(convert_all(Path(folder), [size] * count, 1)[1])
        costs.append((spent[1] - spent[0]) / each)
        starts.append(spent[0] - costs[-1])
        print(f"{size} rules: {costs[-1]:.3f} s", file=sys.stderr)
    slope, start = statistics.linear_regression(SIZES, costs)
    return start, slope, statistics.median(starts)


def expected(sizes: list[int], costs: tuple[float, float, float]) -> float:
    """Return the processor seconds of so many workspaces on paper."""
    start, slope, process = costs
    return sum(start + slope * rules for rules in sizes) + process * math.ceil(len(sizes) / PER_PROCESS)


def main() -> None:
    """Print the estimate, and how far a measured run is from its own estimate."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet")
    parser.add_argument("--paper", type=int, default=100_000, help="workspaces of the estimate")
    parser.add_argument("--measured", type=int, default=1_000, help="workspaces that are converted")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--each", type=int, default=8, help="conversions of each size that the line is drawn through"
    )
    options = parser.parse_args()
    costs = line(options.each)
    paper = expected(drawn(options.paper), costs)
    print(
        f"one conversion: {costs[0]:.3f} s + {costs[1] * 1000:.2f} ms a rule, and {costs[2]:.1f} s for each process"
        f" of {PER_PROCESS} conversions (processor time)"
    )
    print(
        f"{options.paper:,} workspaces: {paper / 3600:.1f} core hours, {paper / 3600 / 64:.2f} h on 64 cores"
    )
    sizes = drawn(options.measured, seed=8)
    with tempfile.TemporaryDirectory() as folder:
        seconds, spent, peak = convert_all(Path(folder), sizes, options.jobs)
    print(
        f"{options.measured:,} measured with {options.jobs} processes: {seconds:.0f} s, {spent:.0f} s of processor time"
        f" ({spent / expected(sizes, costs):.2f} of the estimate), {peak:.0f} MB a process"
    )


if __name__ == "__main__":
    main()
