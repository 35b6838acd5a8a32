"""Runs the wizard in the terminal, with its hints in the state folder, and ends it well."""

import os

from melleafy_tui.app import WizardApp
from melleafy_tui.folders import state_folder
from melleafy_tui.opening import ToOpen


def run_wizard(to_open: ToOpen) -> int:
    """Run the wizard in the terminal and return the exit code.

    Args:
        to_open: The workspace; it is opened once the frame is painted.

    Raises:
        Exception: what was wrong with the workspace, or an unexpected fault; the journal is kept.
    """
    state = state_folder(os.environ)
    app = WizardApp(hints=state / "hints" if state is not None else None, watched=True, to_open=to_open)
    try:
        code = app.run()
    finally:
        app.stop_watching()
        app.close_journal()
    if app.fault is not None:
        raise app.fault
    return code or app.return_code or 0
