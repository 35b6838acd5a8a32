"""Takes figures: whole processes or calls, interleaved with their floors, as medians with spread and ratio.

A floor is measured in the same run and in turn with its figure, so that a busy moment hits both alike; ratios travel
between machines, milliseconds do not.
"""

import json
import math
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
STAMP = "1793500000"


EXAMPLE = PROJECT / "examples" / "ticket-triage"
DOOR = (sys.executable, "-m", "melleafy_tui")


@dataclass(frozen=True)
class Cost:
    """What one run took: milliseconds, and the largest resident set in megabytes (0 where unknown)."""

    milliseconds: float
    megabytes: float = 0.0


@dataclass(frozen=True)
class Row:
    """One thing to measure.

    Attributes:
        name: What the table calls it.
        run: Runs it once.
        floor: The rows whose medians, added up, it is compared with (one that begins with `-` is taken off); none for
            a floor itself.
        target: The ratio to reach, 0 where none is asked for.
        most: What it may take whatever the floor, as milliseconds (beyond the floor) or megabytes.
    """

    name: str
    run: Callable[[], Cost]
    floor: tuple[str, ...] = ()
    target: float = 0.0
    most: Cost | None = None


@dataclass(frozen=True)
class Figure:
    """The median of a row, the spread between its quartiles, its memory, and its ratio to its floor."""

    suite: str
    name: str
    milliseconds: float
    spread: float
    megabytes: float
    floor: str
    ratio: float
    target: float


_tree: Path = PROJECT
_before: Path | None = None
_ratios: dict[str, float] = {}


def against(checkout: Path, ratios: dict[str, float]) -> None:
    """Run every row in an earlier checkout too, in turn, and put the ratios of that there.

    Args:
        checkout: The root of the checkout.
        ratios: Filled by suite and name, as `earlier` returns them.
    """
    global _before, _ratios
    _before, _ratios = checkout.resolve(), ratios


def tree() -> Path:
    """Return the checkout whose programs are run now."""
    return _tree


def process_environment() -> dict[str, str]:
    """Return the environment for a measured program: the same day, byte code kept, and the code of `tree`."""
    return {
        **os.environ,
        "SOURCE_DATE_EPOCH": STAMP,
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": str(_tree),
    }


def process(command: Sequence[str], *, cwd: Path | None = None) -> Cost:
    """Run a command and return the processor time and the memory of the whole process, from fork to exit.

    Args:
        command: The program with its arguments.
        cwd: Where it runs; by default in the checkout that is measured.

    Raises:
        SystemExit: the command failed.
    """
    running = subprocess.Popen(
        command, cwd=cwd or _tree, env=process_environment(), stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{command[:4]} ended with {running.returncode}")
    return spent(usage)


def spent(usage: resource.struct_rusage) -> Cost:
    """Return the processor time and the memory of a process that has ended."""
    return Cost((usage.ru_utime + usage.ru_stime) * 1000, resident(usage))


def convert(source: Path, out: Path) -> list[str]:
    """Return the command that converts a workspace with every default."""
    return [*DOOR, str(source), "--dependencies=auto", "--quiet", "--force", "--out", str(out)]


def resident(usage: resource.struct_rusage) -> float:
    """Return the largest resident set of a process that has ended, in megabytes."""
    return usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def measured(suite: str, rows: Sequence[Row], rounds: int) -> list[Figure]:
    """Run every row once to warm up and `rounds` times in turn; return the figures in order."""
    trees = [PROJECT, *([_before] if _before is not None else [])]
    costs = {root: {row.name: list[Cost]() for row in rows} for root in trees}
    for round_number in range(rounds + 1):
        for row in rows:
            for root in trees:
                cost = _in_tree(root, row)
                if round_number:
                    costs[root][row.name].append(cost)
    if _before is not None:
        _ratios.update((f"{suite}/{old.name}", old.ratio) for old in figures(suite, rows, costs[_before]))
    return figures(suite, rows, costs[PROJECT])


def _in_tree(root: Path, row: Row) -> Cost:
    global _tree
    _tree = root
    try:
        return row.run()
    finally:
        _tree = PROJECT


def figures(suite: str, rows: Sequence[Row], costs: Mapping[str, Sequence[Cost]]) -> list[Figure]:
    """Return the figures of costs that were taken already."""
    times = {name: [cost.milliseconds for cost in found] for name, found in costs.items()}
    medians = {name: statistics.median(found) for name, found in times.items()}
    made = []
    for row in rows:
        quartiles = statistics.quantiles(times[row.name], n=4) if len(times[row.name]) > 1 else (0, 0, 0)
        megabytes = max(cost.megabytes for cost in costs[row.name])
        against, ratio, target = _judged(row, medians, megabytes)
        made.append(
            Figure(
                suite=suite,
                name=row.name,
                milliseconds=round(medians[row.name], 2),
                spread=round(quartiles[2] - quartiles[0], 2),
                megabytes=round(megabytes, 1),
                floor=against,
                ratio=round(ratio, 2),
                target=target,
            )
        )
    return made


def _judged(row: Row, medians: Mapping[str, float], megabytes: float) -> tuple[str, float, float]:
    """Return what a row is compared with, the ratio to it, and the largest ratio that is asked for."""
    floor = " + ".join(row.floor).replace("+ -", "- ")
    if row.most is not None and row.most.megabytes:
        return f"{row.most.megabytes:.0f} MB", megabytes / row.most.megabytes, 1.0
    if row.most is not None:
        beyond = medians[row.name] - (_least(medians, row.floor) if row.floor else 0.0)
        return (
            " + ".join(filter(None, (floor, f"{row.most.milliseconds:.0f} ms"))),
            beyond / row.most.milliseconds,
            1.0,
        )
    return floor, medians[row.name] / _least(medians, row.floor) if row.floor else 1.0, row.target


def _least(medians: Mapping[str, float], floor: Sequence[str]) -> float:
    return sum(-medians[name[1:]] if name.startswith("-") else medians[name] for name in floor)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the power of the size that the cost grows with, beside what it costs at any size: 1 is linear.

    It is the `power` for which `start + unit * size ** power` lies nearest to all costs, each by its own share.
    """
    return min((percent / 100 for percent in range(50, 201)), key=lambda power: _misfit(power, sizes, costs))


def _misfit(power: float, sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return how far costs lie from the nearest `start + unit * size ** power`, as the sum of squared shares.

    Divided by its cost, each point is one of `start * (1 / cost) + unit * (size ** power / cost) = 1`.
    """
    steady = [1 / cost for cost in costs]
    growing = [math.pow(size, power) / cost for size, cost in zip(sizes, costs, strict=True)]
    both = _product(steady, growing)
    divisor = _product(steady, steady) * _product(growing, growing) - both * both
    start = (sum(steady) * _product(growing, growing) - sum(growing) * both) / divisor
    unit = (sum(growing) * _product(steady, steady) - sum(steady) * both) / divisor
    return sum((start * one + unit * other - 1) ** 2 for one, other in zip(steady, growing, strict=True))


def _product(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(one * other for one, other in zip(left, right, strict=True))


def commit() -> str:
    """Return the commit that is measured, with `+` where files are changed."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def table(found: Sequence[Figure], before: Mapping[str, float] | None = None) -> str:
    """Return the figures as lines of a Markdown table.

    Args:
        found: The figures.
        before: The ratios of an earlier run by suite and name (`earlier`), for a column of their own.
    """
    head = ["shape", "figure", "floor", "ratio", "limit", *(["before"] if before is not None else [])]
    lines = [f"| {' | '.join(head)} |", f"|---|--:|---|{'--:|' * (len(head) - 3)}"]
    for figure in found:
        amount = f"{figure.milliseconds:.0f} ± {figure.spread:.0f} ms" if figure.milliseconds else ""
        memory = f"{figure.megabytes:.0f} MB" if figure.megabytes else ""
        cells = [
            figure.name,
            ", ".join(filter(None, (amount, memory))),
            figure.floor,
            f"{figure.ratio:.2f}" if figure.floor else "",
            f"{figure.target:g}" if figure.target else "",
        ]
        if before is not None:
            known = before.get(f"{figure.suite}/{figure.name}")
            cells.append(f"{known:.2f}" if known and figure.floor else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def earlier(path: Path) -> dict[str, float]:
    """Return the ratios that `write_json` wrote, by suite and name."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return {f"{figure['suite']}/{figure['name']}": figure["ratio"] for figure in document["figures"]}


def write_json(path: Path, found: Sequence[Figure], rounds: int) -> None:
    """Write the figures with the commit and the interpreter."""
    document = {
        "commit": commit(),
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "rounds": rounds,
        "figures": [asdict(figure) for figure in found],
    }
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
