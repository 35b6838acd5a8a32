"""Measures the first complete paint in a real terminal (a pty), from fork to the last words of the screen."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from functools import partial

from benchmarks.headless import DOOR, EXAMPLE
from benchmarks.measuring import PROJECT, STAMP, Cost, Figure, Row, measured, process

LEAST_APP = """
from textual.app import App
from textual.widgets import Footer, Header, Static
class Least(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Header(); yield Static("all there"); yield Footer()
Least().run()
"""
LONGEST = 60.0
"""Seconds to wait for a paint before the run is given up."""


def painted(command: Sequence[str], words: Sequence[bytes]) -> Cost:
    """Start a command in a terminal of 100x30 and return what passed until it had written all of the words.

    Raises:
        SystemExit: the words did not come.
    """
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "SOURCE_DATE_EPOCH": STAMP,
        "PYTHONDONTWRITEBYTECODE": "",
    }
    started = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(PROJECT)
        os.execvpe(command[0], list(command), environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    written = b""
    try:
        while not all(word in written for word in words):
            if time.perf_counter() - started > LONGEST:
                raise SystemExit(f"{command[:4]} did not paint {words!r}")
            if select.select([terminal], [], [], 0.5)[0]:
                written += os.read(terminal, 1 << 16)
        return Cost((time.perf_counter() - started) * 1000)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def paint(rounds: int, *, small: bool) -> list[Figure]:  # noqa: ARG001 - one size
    """Measure the least app, and the wizard's first step with the example."""
    least, bare, detect = "least app", "bare interpreter", "detect"
    rows = [
        Row(least, partial(painted, [sys.executable, "-c", LEAST_APP], [b"all there", b"Quit"])),
        Row(bare, partial(process, [sys.executable, "-c", "pass"])),
        Row(detect, partial(process, [*DOOR, "detect", str(EXAMPLE), "--json"]), (bare,)),
        Row(
            "first complete paint of Detect",
            partial(painted, [*DOOR, str(EXAMPLE)], [b"smolagents", b"prompt tokens", b"Help"]),
            (least, detect, f"-{bare}"),
            1.25,
        ),
    ]
    return measured("paint", rows, rounds)
