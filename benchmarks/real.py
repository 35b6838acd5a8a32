"""Measures what users meet: the example and workspaces of real shapes, each figure against its floor and its limit."""

import cProfile
import pstats
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measuring import DOOR, EXAMPLE, Cost, Figure, Row, convert, measured, process, spent, tree
from benchmarks.terminal import Terminal, painted
from benchmarks.workspaces import LARGEST, MEDIAN, make_shape

FLOORS = (sys.executable, "-m", "benchmarks.floors")
LEAST_APP = """
from textual.app import App
from textual.widgets import Footer, Header, Static
class Least(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Header(); yield Static("all there"); yield Footer()
Least().run()
"""
FIRST_SCREEN = (b"smolagents", b"prompt tokens", b"Help")
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
MOST_HEADLESS = Cost(0.0, 60.0)
MOST_IN_WIZARD = Cost(0.0, 110.0)


def real(rounds: int, *, small: bool) -> list[Figure]:
    """Measure starts, conversions, the first paint and memory, in processor time of whole processes."""
    bare, least, detect = "bare interpreter", "least app", "detect"
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        rows = [
            Row(bare, partial(process, [sys.executable, "-c", "pass"])),
            Row("--help", partial(process, [*DOOR, "--help"]), (bare,), 2.0),
            Row(detect, partial(process, [*DOOR, "detect", str(EXAMPLE), "--json"]), (bare,)),
            Row(least, partial(painted, [sys.executable, "-c", LEAST_APP], [b"all there", b"Quit"])),
            Row(
                "first complete paint",
                partial(painted, [*DOOR, str(EXAMPLE)], FIRST_SCREEN),
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
            process(convert(source, written))
            floor = f"floor of {name}"
            copy = [*FLOORS, "convert", str(source), str(written), str(scratch / "copied")]
            rows += [
                Row(floor, partial(process, copy)),
                Row(f"convert {name}", partial(_converted, source, scratch), (floor,), limit),
            ]
        _, largest, _ = sources[-1]
        rows.append(Row("peak of that conversion", partial(_converted, largest, scratch), most=MOST_HEADLESS))
        found = measured("real", rows, rounds)
        walk = Row(
            "peak of a wizard through all steps",
            partial(walked, largest, scratch / "out"),
            most=MOST_IN_WIZARD,
        )
        return [*found, *measured("real", [walk], 1)]


def _converted(source: Path, scratch: Path) -> Cost:
    """Return what a conversion costs over the package that the same checkout has written before."""
    return process(convert(source, scratch / tree().name / source.name))


def walked(source: Path, out: Path) -> Cost:
    """Return what a wizard costs that is walked through every step."""
    shutil.rmtree(out, ignore_errors=True)
    terminal = Terminal([*DOOR, str(source), "--out", str(out)])
    for key, words in WALK:
        terminal.press(key)
        terminal.wait_for(words, longest=PATIENCE)
        terminal.settle()
    return spent(terminal.end())


def profile(lines: int = 25) -> None:
    """Print the functions that take the most time when the largest real shape is converted."""
    from melleafy_tui.cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        make_shape(Path(folder, "w"), LARGEST)
        taken = cProfile.Profile()
        taken.runcall(main, convert(Path(folder, "w"), Path(folder, "out"))[len(DOOR) :])
    pstats.Stats(taken).strip_dirs().sort_stats("tottime").print_stats(lines)
