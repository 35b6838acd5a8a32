"""Measures what users meet: the example and workspaces of real shapes, each figure against its floor and its limit."""

import cProfile
import pstats
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.headless import DOOR, EXAMPLE, FLOORS
from benchmarks.measuring import Figure, Row, measured, resident
from benchmarks.paint import LEAST_APP, ended, painted
from benchmarks.terminal import Terminal
from benchmarks.workspaces import LARGEST, MEDIAN, make_shape

WALK = (
    ("", b"Esc"),
    ("\x1b", b"openclaw"),
    ("2", b"Elements by"),
    ("3", b"Entries by"),
    ("4", b"differs"),
    ("5", b"Your source"),
    ("w", b"package is written"),
)
"""What is typed, and the words after which the step stands."""
PATIENCE = 60.0
MOST_HEADLESS = 60.0
MOST_IN_WIZARD = 110.0


def real(rounds: int, *, small: bool) -> list[Figure]:
    """Measure starts, conversions, first paint and memory in processor time of whole processes."""
    python = sys.executable
    bare, least, detect = "bare interpreter", "least app", "detect"
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        rows = [
            Row(bare, partial(ended, [python, "-c", "pass"])),
            Row("--help", partial(ended, [*DOOR, "--help"]), (bare,), 2.0),
            Row(detect, partial(ended, [*DOOR, "detect", str(EXAMPLE), "--json"]), (bare,)),
            Row(least, partial(painted, [python, "-c", LEAST_APP], [b"all there", b"Quit"])),
            Row(
                "first complete paint",
                partial(painted, [*DOOR, str(EXAMPLE)], [b"smolagents", b"prompt tokens", b"Help"]),
                (least, detect, f"-{bare}"),
                1.2,
            ),
        ]
        sources = [("the example", EXAMPLE, 1.6)]
        for shape, limit in ((MEDIAN, 0.0), *(() if small else ((LARGEST, 2.2),))):
            make_shape(scratch / shape.name, shape)
            sources.append((f"the {shape.name} real shape", scratch / shape.name, limit))
        for name, source, limit in sources:
            written = scratch / f"{source.name}-written"
            command = convert(source, written)
            ended(command)
            floor = f"floor of {name}"
            copy = [*FLOORS, "convert", str(source), str(written), str(scratch / "copied")]
            rows += [
                Row(floor, partial(ended, copy)),
                Row(f"convert {name}", partial(ended, command), (floor,), limit),
            ]
        found = measured("real", rows, rounds)
        most = max(figure.megabytes for figure in found if figure.name.startswith("convert"))
        return [
            *found,
            _peak("peak of a conversion", most, MOST_HEADLESS),
            _peak(
                "peak of a wizard through all steps", walked(sources[-1][1], scratch / "out"), MOST_IN_WIZARD
            ),
        ]


def convert(source: Path, out: Path) -> list[str]:
    """Return the command that converts a workspace with every default."""
    return [*DOOR, str(source), "--dependencies=auto", "--quiet", "--force", "--out", str(out)]


def walked(source: Path, out: Path) -> float:
    """Return the peak of a wizard that is walked through every step, in megabytes."""
    terminal = Terminal([*DOOR, str(source), "--out", str(out)])
    for key, words in WALK:
        terminal.press(key)
        terminal.wait_for(words, longest=PATIENCE)
        terminal.settle()
    return resident(terminal.end())


def _peak(name: str, megabytes: float, most: float) -> Figure:
    return Figure(
        "real", name, 0.0, 0.0, round(megabytes, 1), f"{most:.0f} MB", round(megabytes / most, 2), 1.0
    )


def profile(lines: int = 25) -> None:
    """Print the functions that take the most time when the largest real shape is converted."""
    from melleafy_tui.cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        make_shape(Path(folder, "w"), LARGEST)
        taken = cProfile.Profile()
        taken.runcall(main, convert(Path(folder, "w"), Path(folder, "out"))[len(DOOR) :])
    pstats.Stats(taken).strip_dirs().sort_stats("tottime").print_stats(lines)
