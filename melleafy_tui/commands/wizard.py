"""Opens the wizard: on a terminal its frame is painted first, and the workspace is read beside it.

What is no wizard on a terminal goes the way of `convert`. What is wrong with settings, decisions or workspace, and what
there is to say about them, is said when the screens are gone, as it is said without them.
"""

import argparse
import os
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from melleafy_tui.commands.console import Console
from melleafy_tui.configuration import first_look
from melleafy_tui.folders import config_file, state_folder
from melleafy_tui.terminals import in_browser, on_terminal, wants_lines

if TYPE_CHECKING:  # the core is imported beside the frame
    from melleafy_tui.opening import Opened

_READS: Final = (
    "melleafy_tui.commands.session",
    "melleafy_tui.wizard_session",
    "melleafy_tui.screens.detect",
)
"""What reading a workspace and showing its first step takes."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Open the wizard, or convert."""
    if _on_screens(arguments, console):
        mode, keys = first_look(arguments, environment=os.environ, config_file=config_file(os.environ))
        if mode == "ask" or not (mode or arguments.yes):
            from melleafy_tui.opening import ToOpen
            from melleafy_tui.wizard import run_wizard

            later = StringIO()  # the terminal belongs to the screens now
            said = console.saying_to(later)
            to_open = ToOpen(
                name=_name(arguments.workspace),
                keys=keys,
                prepare=lambda: [import_module(name) for name in _READS],
                read=lambda: _open(arguments, said),
            )
            try:
                return run_wizard(to_open)
            finally:
                console.messages.write(later.getvalue())
    from melleafy_tui.commands import convert

    return convert.run(arguments, console)


def _on_screens(arguments: argparse.Namespace, console: Console) -> bool:
    """Return whether a wizard would have screens; none is opened for a path that is not there."""
    browser = in_browser(os.environ)
    lines = arguments.linear or (wants_lines(os.environ) and not browser)
    wanted = not (arguments.show_settings or console.json or lines)
    return wanted and (on_terminal() or browser) and Path(arguments.workspace).exists()


def _name(workspace: str) -> str:
    place = Path(workspace).absolute()
    return (place.parent if place.is_file() else place).resolve().name or "workspace"


def _open(arguments: argparse.Namespace, console: Console) -> "Opened":
    from melleafy_tui.commands.session import named_decisions, open_session
    from melleafy_tui.core.writing.writer import finish_interrupted
    from melleafy_tui.engine import decisions_beside, source_reader
    from melleafy_tui.journals import open_journal
    from melleafy_tui.opening import Opened
    from melleafy_tui.wizard_session import WizardSession

    _, decisions_path = named_decisions(arguments)
    session = open_session(arguments, console, decisions_path=decisions_path)
    recovered = finish_interrupted(session.out)
    if recovered:
        console.message(recovered)
    conversion = session.conversion
    journal, left_behind = open_journal(state_folder(os.environ), conversion.snapshot.root)
    wizard = WizardSession(
        conversion,
        out=session.out,
        decisions_path=decisions_path,
        force=arguments.force,
        now=session.now,
        journal=journal,
        states=session.states,
        keys=session.keys,
        read_source=source_reader(conversion),
    )
    beside = decisions_beside(Path(arguments.workspace)) if decisions_path is None else None
    return Opened(wizard, left_behind, beside)
