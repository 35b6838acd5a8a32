"""What is worked out of a workspace before the wizard can show its first step, stage by stage in a thread."""

import gc
import threading
from collections.abc import Callable
from typing import Final

from melleafy_tui.core.conversion import Conversion

STAGES: Final[tuple[tuple[str, Callable[[Conversion], object]], ...]] = (
    ("runtimes and their signals", lambda conversion: conversion.classification),
    ("elements of every file", lambda conversion: conversion.inventory),
    ("what each element becomes", lambda conversion: conversion.mapping),
    ("the decisions", lambda conversion: conversion.plan),
    ("what a run costs", lambda conversion: conversion.cost),
)
"""Each stage with what it works out; the conversion keeps the result."""

AT_ONCE: Final = 0.4
"""Seconds within which a workspace counts as small: its first step is shown without a screen before it."""


def work_out(
    conversion: Conversion,
    *,
    reached: Callable[[int], object],
    ended: Callable[[Exception | None], object],
) -> threading.Thread:
    """Work a conversion out in a thread that no end of the app waits for, and return the thread.

    Args:
        conversion: The conversion; nobody else may ask it anything until the end.
        reached: Is told how many stages are done.
        ended: Is told the end, with what went wrong where something did.
    """

    def run() -> None:
        try:
            for number, (_, work) in enumerate(STAGES, 1):
                work(conversion)
                reached(number)
        except Exception as error:
            ended(error)
        else:
            gc.freeze()  # it stays to the end: looking through it again and again holds keys up, 0.3 s at 9,000 rules
            ended(None)

    thread = threading.Thread(target=run, name="open the workspace", daemon=True)
    thread.start()
    return thread
