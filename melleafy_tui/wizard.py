"""Opens the wizard in the terminal, with its journal and its hints in the state folder, and ends it well."""

import os
from collections.abc import Sequence
from pathlib import Path

from melleafy_tui.app import WizardApp
from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.decisions.rebase import OverrideState
from melleafy_tui.engine import source_reader
from melleafy_tui.folders import state_folder
from melleafy_tui.journals import open_journal
from melleafy_tui.keys.table import KeyTable
from melleafy_tui.wizard_session import WizardSession


def run_wizard(
    conversion: Conversion,
    *,
    out: Path,
    decisions_path: Path | None,
    force: bool,
    now: str = "",
    states: Sequence[OverrideState] = (),
    beside: Path | None = None,
    keys: KeyTable | None = None,
) -> int:
    """Run the wizard in the terminal and return the exit code.

    Args:
        conversion: The opened conversion.
        out: The output folder.
        decisions_path: The decisions file in use, where there is one.
        force: Whether edited files may be overwritten (with a backup).
        now: The stamp for files that differ from those on the disk (`core/stamp.py`).
        states: What became of each entry of that decisions file.
        beside: A decisions file that lies beside the workspace and is not in use.
        keys: The keys as this user wants them.

    Raises:
        Exception: an unexpected fault; the journal is kept.
    """
    state = state_folder(os.environ)
    journal, left = open_journal(state, conversion.snapshot.root)
    session = WizardSession(
        conversion,
        out=out,
        decisions_path=decisions_path,
        force=force,
        now=now,
        journal=journal,
        states=states,
        keys=keys,
        read_source=source_reader(conversion),
    )
    app = WizardApp(
        session,
        hints=state / "hints" if state is not None else None,
        left_behind=left,
        beside=beside,
        watched=True,
        in_stages=True,
    )
    try:
        code = app.run()
    finally:
        app.stop_watching()
        if journal is not None:
            journal.close()
    if app.fault is not None:
        raise app.fault
    return code or app.return_code or 0
