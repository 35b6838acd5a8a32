"""Writes the log of an unexpected fault: where it happened, without any text of the workspace.

An exception's own message may quote source text, so only its type and the frames of its traceback are
written.
"""

import os
import platform
import traceback
from collections.abc import Iterator
from pathlib import Path

from melleafy_tui.user_folders import state_folder, write_private
from melleafy_tui.version import __version__


def write_fault_log(fault: BaseException) -> Path | None:
    """Write the log of a fault and return its path, or None if it can't be written."""
    folder = state_folder(os.environ)
    if folder is None:
        return None
    place = folder / "log" / f"fault-{os.getpid()}.log"
    try:
        text = "\n".join(_lines(fault)) + "\n"
        write_private(place, text.encode("utf-8", "backslashreplace"))
    except OSError:
        return None
    return place


def _lines(fault: BaseException) -> Iterator[str]:
    yield f"melleafy-tui {__version__}, Python {platform.python_version()}, {platform.system()}"
    cause: BaseException | None = fault
    while cause is not None:
        yield f"{type(cause).__module__}.{type(cause).__qualname__}"
        for frame in traceback.extract_tb(cause.__traceback__):
            yield f"  {frame.filename}:{frame.lineno} in {frame.name}"
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
