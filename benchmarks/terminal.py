"""A program in a terminal of its own (a pty of 100x30): what it has written, keys for it, and what it has cost."""

import fcntl
import os
import pty
import resource
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence

from benchmarks.measuring import Cost, process_environment, spent, tree

LONGEST = 60.0
"""Seconds to wait for words before the run is given up."""


class Terminal:
    """One running program.

    Args:
        command: The program with its arguments; it runs in the project's folder.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        environment = {
            **process_environment(),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.chdir(tree())
            os.execvpe(command[0], list(command), environment)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))

    def wait_for(self, *words: bytes, longest: float = LONGEST) -> None:
        """Wait until the program has written all of the words since the last key.

        Raises:
            SystemExit: the words did not come.
        """
        written, started = b"", time.perf_counter()
        while not all(word in written for word in words):
            if time.perf_counter() - started > longest:
                self.end()
                raise SystemExit(f"{self._command[:4]} did not write {words!r}")
            if select.select([self._terminal], [], [], 0.5)[0]:
                written += os.read(self._terminal, 1 << 16)

    def settle(self, seconds: float = 0.5) -> None:
        """Wait until the program has written nothing for a while; a key before that may go to another screen."""
        while select.select([self._terminal], [], [], seconds)[0]:
            os.read(self._terminal, 1 << 16)

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._terminal, keys.encode())

    def end(self) -> resource.struct_rusage:
        """End the program as it stands and return what it has cost."""
        os.kill(self._child, signal.SIGKILL)
        _, _, usage = os.wait4(self._child, 0)
        os.close(self._terminal)
        return usage


def painted(command: Sequence[str], words: Sequence[bytes]) -> Cost:
    """Start a command in a terminal and return what it had cost when it had written all of the words.

    Raises:
        SystemExit: the words did not come.
    """
    terminal = Terminal(command)
    terminal.wait_for(*words)
    return spent(terminal.end())
