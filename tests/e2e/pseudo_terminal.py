"""A wizard in a pseudo terminal: keys in, every byte it writes kept."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
_SEQUENCES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class PseudoTerminal:
    """One process whose controlling terminal is ours; use it as a context manager."""

    def __init__(self, *words: str, environment: Mapping[str, str] | None = None) -> None:
        self.written = b""
        self._seen = 0
        child, self._terminal = pty.fork()
        if not child:
            os.execve(
                sys.executable,
                [sys.executable, "-m", "melleafy_tui", *words],
                {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(PROJECT), **(environment or {})},
            )
        self.process = child
        self._status: int | None = None
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))

    def __enter__(self) -> "PseudoTerminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        if self._terminal >= 0:
            os.close(self._terminal)

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self._terminal, keys.encode())

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._terminal)
        self._terminal = -1

    def wait_for(self, text: str) -> None:
        """Read until the text was drawn since the last wait."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            drawn = _SEQUENCES.sub(b"", self.written[self._seen :])
            if text.encode() in drawn:
                self._seen = len(self.written)
                return
            self._read()
        raise AssertionError(f"never drawn: {text!r}, but {drawn[-2000:]!r}")

    def wait_for_end(self) -> int:
        """Read until the process ends, and return its exit status; a signal that killed it is negative."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self._status = os.waitstatus_to_exitcode(status)
                self._read()
                return self._status
            self._read()
        raise AssertionError("it did not end")

    def _read(self) -> None:
        if self._terminal < 0:
            time.sleep(0.02)
            return
        ready, _, _ = select.select([self._terminal], [], [], 0.05)
        if ready:
            try:
                self.written += os.read(self._terminal, 1 << 16)
            except OSError:  # Linux's end of file on a terminal without a process
                time.sleep(0.02)
