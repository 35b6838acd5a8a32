"""Says on a terminal what is being done where it takes long, once; short work says nothing, and neither does a pipe."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from melleafy_tui.commands.console import Console

LONG: Final = 1.0
"""Seconds after which somebody who waits is told for what."""


@contextmanager
def told_when_long(console: Console, words: str) -> Iterator[None]:
    """Say what is being done where it takes longer than a second.

    Args:
        console: Whose messages they are.
        words: What is being done.
    """
    if not console.messages.isatty():
        yield
        return
    telling = threading.Timer(LONG, console.message, [words])
    telling.daemon = True
    telling.start()
    try:
        yield
    finally:
        telling.cancel()
