"""Opens the wizard: it paints the frame first and reads the workspace in the background.

Without a terminal it runs `convert`. Errors and warnings about settings, decisions or workspace are printed
after the screens close, as `convert` prints them.
"""

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from melleafy_tui.actions.resolved_settings import first_look
from melleafy_tui.cli.console import Console, in_browser, on_terminal, wants_lines
from melleafy_tui.core.errors import UsageError
from melleafy_tui.user_folders import config_file

if TYPE_CHECKING:  # the core is imported while the frame is shown
    from melleafy_tui.actions.key_table import KeyTable
    from melleafy_tui.cli.workspace_conversion import Session
    from melleafy_tui.wizard.loading import LoadedWorkspace, SourcesToChoose, WorkspaceLoader

_READS: Final = (
    "melleafy_tui.cli.workspace_conversion",
    "melleafy_tui.actions.session",
    "melleafy_tui.screens.detect",
)
"""Modules that loading a workspace and showing its first step need."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Open the wizard, or convert."""
    if arguments.all:
        from melleafy_tui.cli.commands import convert_all

        return convert_all.run(arguments, console)
    if arguments.jobs:
        raise UsageError("--jobs needs --all", hint="See `melleafy-tui --help`.")
    if _on_screens(arguments, console):
        mode, keys = first_look(arguments, environment=os.environ, config_file=config_file(os.environ))
        if mode == "ask" or not (mode or arguments.yes):
            from melleafy_tui.wizard.app import run_wizard

            asked = _asked(arguments, console) if arguments.assist else None
            later = StringIO()  # the screens own the terminal now
            said = console.saying_to(later)
            try:
                return run_wizard(workspace_loader(arguments, said, keys, asked), no_color=arguments.no_color)
            finally:
                console.messages.write(later.getvalue())
    from melleafy_tui.cli.commands import convert

    return convert.run(arguments, console)


def _on_screens(arguments: argparse.Namespace, console: Console) -> bool:
    """Return whether the wizard can show screens; it can't for a path that doesn't exist."""
    browser = in_browser(os.environ)
    lines = arguments.linear or (wants_lines(os.environ) and not browser)
    wanted = not (console.json or lines)
    return wanted and (on_terminal() or browser) and Path(arguments.workspace).exists()


def _name(workspace: str) -> str:
    place = Path(workspace).absolute()
    return (place.parent if place.is_file() else place).resolve().name or "workspace"


def _asked(arguments: argparse.Namespace, console: Console) -> "Session":
    """Return the session after asking the model, which is shown in plain lines before the screens."""
    from melleafy_tui.cli.workspace_conversion import ask_model, open_session

    _refuse_standard_input(arguments)
    session = open_session(arguments, console, one_source=True)
    ask_model(arguments, session, console)
    return session


def _refuse_standard_input(arguments: argparse.Namespace) -> None:
    from melleafy_tui.cli.workspace_conversion import named_decisions, refuse_standard_input

    refuse_standard_input(named_decisions(arguments)[1], "The wizard reads your keys from standard input")


def workspace_loader(
    arguments: argparse.Namespace, console: Console, keys: "KeyTable", asked: "Session | None" = None
) -> "WorkspaceLoader":
    """Return what loads the workspace that the wizard opens, or the sources in a folder that isn't one.

    Args:
        arguments: The command line.
        console: For messages.
        keys: The user's key table.
        asked: The session, if it was opened to ask a model.
    """
    from melleafy_tui.wizard.loading import WorkspaceLoader

    return WorkspaceLoader(
        name=_name(arguments.workspace),
        keys=keys,
        prepare=lambda: [import_module(name) for name in _READS],
        read=lambda progress: _read(arguments, console, keys, asked, progress),
    )


def _read(
    arguments: argparse.Namespace,
    console: Console,
    keys: "KeyTable",
    asked: "Session | None",
    progress: Callable[[float, str], object],
) -> "LoadedWorkspace | SourcesToChoose":
    from melleafy_tui.actions.folder_sources import HoldsSources
    from melleafy_tui.cli.workspace_conversion import interactive_session, open_session
    from melleafy_tui.wizard.loading import LoadedWorkspace, SourcesToChoose

    try:
        _refuse_standard_input(arguments)
        session = asked or open_session(arguments, console, one_source=True, progress=progress)
        return LoadedWorkspace(*interactive_session(session, arguments, console))
    except HoldsSources as error:
        sources = error.sources

    def loader_of(path: str) -> "WorkspaceLoader":
        chosen = argparse.Namespace(**{**vars(arguments), "workspace": str(sources.folder / path)})
        return workspace_loader(chosen, console, keys)

    return SourcesToChoose(_name(arguments.workspace), sources.found, loader_of)
