"""Measures the first paints in a real terminal (a pty), from fork to the last words of the frame and of the first step.

What is measured is processor time of the whole process, its threads included: the time that passes until a paint is
that of every other program at work on the machine too.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.headless import DOOR, EXAMPLE
from benchmarks.measuring import Cost, Figure, Row, measured, process_environment, resident, tree
from benchmarks.terminal import Terminal

LEAST_APP = """
from textual.app import App
from textual.widgets import Footer, Header, Static
class Least(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Header(); yield Static("all there"); yield Footer()
Least().run()
"""


def painted(command: Sequence[str], words: Sequence[bytes]) -> Cost:
    """Start a command in a terminal of 100x30 and return what it cost until it had written all of the words.

    Raises:
        SystemExit: the words did not come.
    """
    terminal = Terminal(command)
    terminal.wait_for(*words)
    usage = terminal.end()
    return _spent(usage)


def ended(command: Sequence[str]) -> Cost:
    """Run a command in the project's folder and return what the whole process cost."""
    running = subprocess.Popen(command, cwd=tree(), env=process_environment(), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{command[:4]} ended with {running.returncode}")
    return _spent(usage)


def _spent(usage: resource.struct_rusage) -> Cost:
    return Cost((usage.ru_utime + usage.ru_stime) * 1000, resident(usage))


def paint(rounds: int, *, small: bool) -> list[Figure]:  # noqa: ARG001 - one size
    """Measure the least app, and the wizard's frame and first step with the example."""
    least, bare, detect = "least app", "bare interpreter", "detect"
    rows = [
        Row(least, partial(painted, [sys.executable, "-c", LEAST_APP], [b"all there", b"Quit"])),
        Row(bare, partial(ended, [sys.executable, "-c", "pass"])),
        Row(detect, partial(ended, [*DOOR, "detect", str(EXAMPLE), "--json"]), (bare,)),
        Row(
            "frame", partial(painted, [*DOOR, str(EXAMPLE)], [EXAMPLE.name.encode(), b"Write"]), (least,), 1.1
        ),
        Row(
            "first complete paint of Detect",
            partial(painted, [*DOOR, str(EXAMPLE)], [b"smolagents", b"prompt tokens", b"Help"]),
            (least, detect, f"-{bare}"),
            1.25,
        ),
    ]
    return measured("paint", rows, rounds)
