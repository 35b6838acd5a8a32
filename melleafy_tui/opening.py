"""The opening of a workspace beside the frame: read and worked out, stage by stage, in a thread."""

import gc
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.keys.table import KeyTable

if TYPE_CHECKING:  # importing the core is a part of the work
    from melleafy_tui.core.conversion import Conversion
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.wizard_session import WizardSession

FILES: Final = "files and decisions"
"""The first stage: what reads the workspace is given with it."""

STAGES: "Final[tuple[tuple[str, Callable[[Conversion], object]], ...]]" = (
    ("runtimes and their signals", lambda conversion: conversion.classification),
    ("elements of every file", lambda conversion: conversion.inventory),
    ("what each element becomes", lambda conversion: conversion.mapping),
    ("the decisions", lambda conversion: conversion.plan),
    ("what a run costs", lambda conversion: conversion.cost),
)
"""Each further stage with what it works out; the conversion keeps the result."""


class Opened(Struct, frozen=True):
    """An opened workspace.

    Attributes:
        session: The conversion in the hands of this user.
        left_behind: Journals of earlier wizards on this workspace that did not end well.
        beside: A decisions file that lies beside the workspace and is not in use.
    """

    session: "WizardSession"
    left_behind: "Sequence[JournalEntry]" = ()
    beside: Path | None = None


class ToOpen(Struct, frozen=True):
    """A workspace that is to be opened.

    Attributes:
        name: What it is called.
        keys: The keys as this user wants them.
        prepare: Imports what reads it, which takes the same time for any workspace.
        read: Reads it.
    """

    name: str
    keys: KeyTable
    prepare: Callable[[], object]
    read: Callable[[], Opened]


def work_out(
    to_open: ToOpen,
    *,
    begun: Callable[[], object],
    reached: Callable[[int], object],
    opened: Callable[[Opened], object],
    failed: Callable[[Exception], object],
) -> threading.Thread:
    """Open a workspace in a thread that no end of the app waits for, and return the thread.

    Args:
        to_open: The workspace; nobody else may ask its conversion anything until the end.
        begun: Is called when everything is imported and the reading begins.
        reached: Is told how many stages are done.
        opened: Is told the end.
        failed: Is told what went wrong.
    """

    def run() -> None:
        try:
            to_open.prepare()
            begun()
            found = to_open.read()
            reached(1)
            for number, (_, work) in enumerate(STAGES, 2):
                work(found.session.conversion)
                reached(number)
        except Exception as error:
            failed(error)
        else:
            gc.freeze()  # it stays to the end: looking through it again and again holds keys up, 0.3 s at 9,000 rules
            gc.enable()  # what is opened stays; from here on things come and go
            opened(found)

    thread = threading.Thread(target=run, name="open the workspace", daemon=True)
    thread.start()
    return thread
