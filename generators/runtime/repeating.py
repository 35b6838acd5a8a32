# Static module of melleafy-tui 0.2.0, not to be edited.
"""Wakes the agent again and again."""

import argparse
import re
import time
from collections.abc import Callable

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def repeated(text: str) -> Callable[[Callable[[], object]], None]:
    """Return a function that wakes the agent after each time such as 30m, for ever."""
    found = re.fullmatch(r"([1-9]\d*)([smhd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 30m")
    seconds = int(found[1]) * UNITS[found[2]]

    def stay(wake: Callable[[], object]) -> None:
        while True:
            wake()
            time.sleep(seconds)

    return stay
