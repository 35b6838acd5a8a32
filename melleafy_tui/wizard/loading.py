"""Loads a workspace in stages: what reads it, what each stage computes, and what the wizard receives."""

import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.actions.key_table import KeyTable

if TYPE_CHECKING:  # importing the core is part of loading
    from melleafy_tui.actions.session import WizardSession
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.core.pipeline.conversion import Conversion

FILES: Final = "files and decisions"
"""The first stage, done by the loader's `read`."""

STAGES: "Final[tuple[tuple[str, Callable[[Conversion], object]], ...]]" = (
    ("runtimes and their signals", lambda conversion: conversion.classification),
    ("elements of every file", lambda conversion: conversion.inventory),
    ("what each element becomes", lambda conversion: conversion.mapping),
    ("the decisions", lambda conversion: conversion.plan),
    ("what a run costs", lambda conversion: conversion.cost),
)
"""The further stages and what each computes; the conversion keeps the result."""


class LoadedWorkspace(Struct, frozen=True):
    """A workspace that is ready for the first step.

    Attributes:
        session: The user's session.
        left_behind: Journals of earlier wizards on this workspace that ended abnormally.
        beside: A decisions file next to the workspace that is not in use.
    """

    session: "WizardSession"
    left_behind: "Sequence[JournalEntry]" = ()
    beside: Path | None = None


class WorkspaceLoader(Struct, frozen=True):
    """Loads one workspace.

    Attributes:
        name: The workspace's name, shown before it is read.
        keys: The user's keys.
        prepare: Imports the modules that read a workspace; this takes the same time for every workspace.
        read: Reads the workspace.
    """

    name: str
    keys: KeyTable
    prepare: Callable[[], object]
    read: Callable[[], LoadedWorkspace]

    def load(self, *, begun: Callable[[], object], stage_done: Callable[[int], object]) -> LoadedWorkspace:
        """Load the workspace; called in a thread while the first frame is shown.

        Args:
            begun: Called when everything is imported and reading begins.
            stage_done: Called with the number of stages done so far.

        Raises:
            MelleafyError: the workspace, its settings or its decisions can't be used.
        """
        self.prepare()
        begun()
        loaded = self.read()
        stage_done(1)
        for number, (_, compute) in enumerate(STAGES, 2):
            compute(loaded.session.conversion)
            stage_done(number)
        gc.freeze()  # kept to the end; collecting it repeatedly would delay keys by 0.3 s at 9,000 rules
        gc.enable()  # objects are freed from here on
        return loaded
