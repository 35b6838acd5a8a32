"""Loads a workspace in stages: what reads it, what each stage computes, and what the wizard receives."""

import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.actions.key_table import KeyTable

if TYPE_CHECKING:  # importing the core is part of loading
    from melleafy_tui.actions.session import WizardSession
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.core.pipeline.conversion import Conversion
    from melleafy_tui.core.source.sources_below import FoundSource

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


class SourcesToChoose(Struct, frozen=True):
    """The sources in a folder that isn't one itself.

    Attributes:
        name: The folder's name.
        sources: Its sources.
        loader_of: Returns the loader of one of them, by path.
    """

    name: str
    sources: "Sequence[FoundSource]"
    loader_of: "Callable[[str], WorkspaceLoader]"


class WorkspaceLoader(Struct, frozen=True):
    """Loads one workspace.

    Attributes:
        name: The workspace's name, shown before it is read.
        keys: The user's keys.
        prepare: Imports the modules that read a workspace; this takes the same time for every workspace.
        read: Reads the workspace, or returns the sources in a folder that isn't one; it is given what to call with the
            share that is read and what was found.
    """

    name: str
    keys: KeyTable
    prepare: Callable[[], object]
    read: Callable[[Callable[[float, str], object]], LoadedWorkspace | SourcesToChoose]

    def load(
        self, *, begun: Callable[[], object], stage_done: Callable[[float, str], object]
    ) -> LoadedWorkspace | SourcesToChoose:
        """Load the workspace; called in a thread while the first frame is shown.

        Args:
            begun: Called when everything is imported and reading begins.
            stage_done: Called with the number of stages done so far, a part of the first one included, and what
                that one has read; may raise to end the loading.

        Raises:
            MelleafyError: the workspace, its settings or its decisions can't be used.
        """
        self.prepare()
        begun()
        loaded = self.read(_paced(stage_done))
        if isinstance(loaded, SourcesToChoose):
            return loaded
        stage_done(1, "")
        for number, (_, compute) in enumerate(STAGES, 2):
            compute(loaded.session.conversion)
            stage_done(number, "")
        gc.freeze()  # kept to the end; collecting it repeatedly would delay keys by 0.3 s at 9,000 rules
        gc.enable()  # objects are freed from here on
        return loaded


class LoadingLeft(Exception):
    """Ends the loading of a workspace that nobody waits for any more."""


def _paced(tell: Callable[[float, str], object]) -> Callable[[float, str], None]:
    """Return a function that tells of the first stage's share a few times a second, whatever the number of files."""
    last = time.monotonic()

    def told(share: float, found: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PACE:
            last = now
            tell(min(share, _ALMOST), found)

    return told


_PACE: Final = 0.05
"""Seconds between two movements of the bar."""

_ALMOST: Final = 0.99
"""The most that is shown of a stage that is still under way."""
