"""Talks to the process that makes the model calls, with a time limit for each; it is started again after a hang."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import IO, Final, Self

from melleafy_tui.core.errors import MelleafyError

PATIENCE: Final = 300.0
"""Seconds that one call may take; a small model without a graphics card needs minutes for twenty elements."""

_PROGRAM: Final = "melleafy_tui.cli.assist.model_calls"


class CallFailed(MelleafyError):
    """A model call gave no text: the backend refused, ended, hung, or said far too much."""


class ModelProcess:
    """Makes model calls in another process; a context manager.

    Args:
        patience: Seconds that one call may take.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        """Return the process, which starts with the first call."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._end()
        self._folder.cleanup()

    def __call__(self, request: Mapping[str, object]) -> str:
        """Make one call and return what the model said.

        Args:
            request: As `model_calls.answer` takes it, without the time-out.

        Raises:
            CallFailed: there is no text.
        """
        line = json.dumps({**request, "timeout": self._patience}).encode() + b"\n"
        try:
            process = self._process or self._start()
            assert process.stdin is not None
            process.stdin.write(line)
            process.stdin.flush()
            said = self._lines.get(timeout=self._patience)
        except queue.Empty:
            self._end()
            raise CallFailed(f"no answer within {self._patience:g} seconds") from None
        except OSError as fault:
            self._end()
            raise CallFailed(f"the process of the call ended ({fault.strerror})") from fault
        if not said:
            self._end()
            raise CallFailed("the process of the call ended without an answer")
        answer: Mapping[str, str] = json.loads(said)
        if "error" in answer:
            raise CallFailed(answer["error"])
        return answer["text"]

    def _start(self) -> subprocess.Popen[bytes]:
        # The current folder may be a downloaded workspace: no module and no .env of it may reach the process.
        self._process = subprocess.Popen(
            [sys.executable, "-m", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            start_new_session=True,
        )
        self._lines = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(target=_pass_on, args=(self._process.stdout, self._lines), daemon=True).start()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _pass_on(source: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    """Put each line into a queue, and an empty one when the process has ended."""
    with suppress(ValueError):  # closed after a hang
        for line in source:
            lines.put(line)
    lines.put(b"")
