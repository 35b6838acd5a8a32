"""The source on the disk, as the wizard follows it: watched beside the screens, said when it changes, read again."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from melleafy_tui.apart import Apart, LongAct
from melleafy_tui.source_watch import watch_quietly
from melleafy_tui.step_app import StepApp
from melleafy_tui.words import changed_words

if TYPE_CHECKING:
    from melleafy_tui.core.decisions.rebase import OverrideState
    from melleafy_tui.core.errors import MelleafyError
    from melleafy_tui.core.models.snapshot import Snapshot
    from melleafy_tui.wizard_session import WizardSession


class SourceOnDisk:
    """The source of one wizard.

    Args:
        app: Says what has changed, and draws it.
        session: The conversion in the hands of this user.
        apart: Carries out long acts.
        taken: Is told what became of each decision when the source was read again.
        fail: Shows an error under a title.
    """

    def __init__(
        self,
        app: StepApp,
        session: "WizardSession",
        *,
        apart: Apart,
        taken: "Callable[[tuple[OverrideState, ...]], None]",
        fail: "Callable[[str, MelleafyError], None]",
    ) -> None:
        self._app, self._session = app, session
        self._apart, self._taken, self._fail = apart, taken, fail

    def watch(
        self, *, found: "Callable[[Snapshot], object]", failed: Callable[[], object], stop: threading.Event
    ) -> None:
        """Watch in a thread that no end of the app waits for.

        Args:
            found: Is given each reading that differs from the one before it, in the thread.
            failed: Is called in the thread where the system cannot watch.
            stop: Ends the watch.
        """
        if self._session.read_source is not None:
            threading.Thread(
                target=watch_quietly,
                args=(self._session.conversion.snapshot, self._session.read_source),
                kwargs={"found": found, "failed": failed, "stop": stop},
                name="watch the source",
                daemon=True,
            ).start()

    def say_unwatched(self) -> None:
        """Say that changes are not noticed at once; the write looks for them in any case."""
        self._app.notify(
            "This system cannot watch the source; changes are found when you write.",
            severity="warning",
            markup=False,
        )

    def note(self, snapshot: "Snapshot") -> None:
        """Say that the source has changed on the disk, once for each change."""
        changed = self._session.note_newer(snapshot)
        self._app.step_screen.show_state()
        if changed:
            reread = self._session.keys.spelled("source.reread")
            self._app.notify(
                f"{changed_words(changed)}. {reread} reads it again; your decisions follow.",
                title="The source has changed",
                severity="warning",
                markup=False,
            )

    def reread(self) -> None:
        """Go on with the source as it is on the disk."""
        newer = self._session.newer
        if newer is None:
            self._app.notify("The source is as it was read.", markup=False)
            return

        def done(states: "tuple[OverrideState, ...]") -> None:
            self._session.note_reread(states)
            self._taken(states)

        self._apart.begin(
            LongAct(
                "Reading the source again",
                lambda conversion: conversion.reread(newer),
                done=done,
                refused=lambda error: self._fail("The source cannot be taken as it is now", error),
            )
        )
