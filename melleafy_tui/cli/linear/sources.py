"""The chooser in plain lines: which of the sources in a folder to convert."""

import sys
from collections.abc import Callable
from pathlib import Path

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.folder_sources import FolderSources, source_words
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.linear.conversation import INTERRUPTED, accept_any_bytes
from melleafy_tui.cli.linear.dialogue import Back, Dialogue, InputEnded, Quit
from melleafy_tui.core.errors import MelleafyError


def run_among_sources(
    sources: FolderSources, console: Console, keys: KeyTable, convert: Callable[[Path], int | None]
) -> int:
    """Ask which source to convert, until the user leaves, and return the exit code.

    Args:
        sources: The folder, and the sources in it.
        console: Where the lines go.
        keys: The user's key table.
        convert: Converts a source line by line and returns the exit code, or None to ask again.
    """
    accept_any_bytes()
    dialogue = Dialogue(console, sys.stdin, keys=keys)
    while True:
        try:
            path = _ask(sources, dialogue)
        except (Back, Quit):
            return 0
        except InputEnded:
            console.message("The input ended; nothing was lost.")
            return INTERRUPTED
        if path is None:
            return 0
        try:
            code = convert(sources.folder / path)
        except MelleafyError as error:  # the other sources may be readable
            console.error(error)
            continue
        if code is not None:
            return code


def _ask(sources: FolderSources, dialogue: Dialogue) -> str | None:
    count = counted(len(sources.found), "source")
    dialogue.say(f"{sources.folder} isn't a source itself; it holds {count}.")
    return dialogue.choose(
        "Which one do you want to convert?",
        [Choice(source.path, source.path, source_words(source)) for source in sources.found],
        enter="leaves",
        help_text=f"To convert all of them, leave and run {sources.command_for_all}.",
    )
