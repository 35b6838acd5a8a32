"""Makes each model call in a process of its own, which a call that hangs doesn't outlive."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from melleafy_tui.core.errors import MelleafyError

PATIENCE: Final = 300.0
"""Seconds that one call may take; a small model without a graphics card needs minutes for twenty elements."""

_PROGRAM: Final = "melleafy_tui.cli.assist.model_calls"


class CallFailed(MelleafyError):
    """A model call gave no text: the backend refused, ended, hung, or said far too much."""


def call_model(request: Mapping[str, object], *, patience: float = PATIENCE) -> str:
    """Make one model call and return what the model said.

    Args:
        request: As `model_calls.answer` takes it, without the time-out.
        patience: Seconds that it may take.

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
            said, _ = process.communicate(
                json.dumps({**request, "timeout": patience}).encode(), timeout=patience
            )
        except subprocess.TimeoutExpired:
            raise CallFailed(f"no answer within {patience:g} seconds") from None
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
