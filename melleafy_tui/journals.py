"""Opens the journal of one run on a workspace, and finds those that earlier runs left behind."""

import os
from datetime import UTC, datetime
from pathlib import Path

from melleafy_tui.core.decisions.journal import Journal, JournalEntry, journal_folder, left_behind


def open_journal(state: Path | None, root: str) -> tuple[Journal | None, tuple[JournalEntry, ...]]:
    """Return a journal of this run's own and those without a living owner, newest first.

    Args:
        state: The user's state folder; None where there is none, and then nothing is kept.
        root: The workspace's root.
    """
    if state is None:
        return None, ()
    folder = journal_folder(state, root)
    left = left_behind(folder)
    return Journal(folder, f"{os.getpid()}-{datetime.now(UTC):%Y%m%d%H%M%S%f}"), left
