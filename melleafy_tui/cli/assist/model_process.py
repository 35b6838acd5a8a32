"""Makes each model call in a process of its own, which a call that hangs doesn't outlive."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Final

from melleafy_tui.core.errors import MelleafyError

PATIENCE: Final = 300.0
"""Seconds that one call may take; a small model without a graphics card needs minutes for twenty elements."""

_STEP: Final = 0.2
"""Seconds between two looks at whether somebody still waits."""

_PROGRAM: Final = "melleafy_tui.cli.assist.model_calls"


class CallFailed(MelleafyError):
    """A model call gave no text: the backend refused, ended, hung, or said far too much."""


def call_model(
    request: Mapping[str, object],
    *,
    patience: float = PATIENCE,
    is_stopped: Callable[[], bool] = lambda: False,
) -> str:
    """Make one model call and return what the model said.

    Args:
        request: As `model_calls.answer` takes it, without the time-out.
        patience: Seconds that it may take.
        is_stopped: Returns whether nobody waits for it any more.

    Raises:
        CallFailed: there is no text.
    """
    # The current folder may be a downloaded workspace: no module and no .env of it may reach the process.
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            start_new_session=True,
        )
        try:
            said = _answer(
                process, json.dumps({**request, "timeout": patience}).encode(), patience, is_stopped
            )
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # it, and what it started
            process.communicate()
    if not said:
        raise CallFailed("the process of the call ended without an answer")
    answer: Mapping[str, str] = json.loads(said)
    if "error" in answer:
        raise CallFailed(answer["error"])
    return answer["text"]


def _answer(
    process: "subprocess.Popen[bytes]", given: bytes | None, patience: float, is_stopped: Callable[[], bool]
) -> bytes:
    deadline = monotonic() + patience
    while True:
        try:
            return process.communicate(given, timeout=min(_STEP, patience))[0]
        except subprocess.TimeoutExpired:
            given = None  # it has it
            if is_stopped():
                raise CallFailed("it was stopped") from None
            if monotonic() >= deadline:
                raise CallFailed(f"no answer within {patience:g} seconds") from None
