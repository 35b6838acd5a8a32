"""Runs the plain-line mode: the review's cards as questions, then one menu of commands until the user leaves."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from melleafy_tui.actions.choices import Choice
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.linear.commands import Command, commands_for, explained, find, menu
from melleafy_tui.cli.linear.dialogue import Back, Dialogue, InputEnded, Quit
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.linear.views import overview
from melleafy_tui.cli.linear.writing import notice_change, offer_unsaved, save_decisions, show_states
from melleafy_tui.cli.workspace_conversion import Session, interactive_session
from melleafy_tui.core.errors import MelleafyError

INTERRUPTED: Final = 130

_QUESTION: Final = "What next? Type a command; ? explains all of them, q leaves:"

_LOST: Final = "your unsaved decisions are lost, because the state folder can't be written"


def run_linear(session: Session, console: Console, *, force: bool, beside: Path | None) -> int:
    """Ask about the cards, carry out commands and return the exit code.

    Args:
        session: The opened conversion.
        console: Where the lines go.
        force: Whether edited files may be overwritten (with a backup).
        beside: A decisions file that was found next to the workspace and is not in use.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")  # bytes of an answer that aren't text in this locale end no run
    wizard, left = interactive_session(session, force=force)
    journal = wizard.journal
    user = LinearSession(wizard, Dialogue(console, sys.stdin, keys=wizard.keys))
    say = user.dialogue.say
    say(
        f"melleafy-tui, {session.conversion.snapshot.name}, line by line. Nothing is written before you type write."
    )
    try:
        show_states(user, wizard.states)
        try:
            offer_unsaved(user, left, beside)
        except MelleafyError as error:
            user.say_error(error)
        except Back:
            say("Going on without.")
        overview(user)
        return _converse(user)
    except Quit:
        return 0
    except InputEnded:
        kept = "nothing was lost"
        if wizard.conversion.unsaved:
            kept = "your decisions are in the journal" if wizard.is_journaled else _LOST
        console.message(f"The input ended; {kept}.")
        return INTERRUPTED
    finally:
        if journal is not None:
            journal.close()


def _converse(user: LinearSession) -> int:
    """Carry out what is typed, the review first, until the user leaves."""
    dialogue, commands = user.dialogue, commands_for(user.wizard.keys)
    typed = "review"
    shown = ["Commands, each by its letter or word:", *menu(commands)]
    while True:
        try:
            _carry_out(user, commands, typed)
            dialogue.say(*shown)
            shown = []
            typed = dialogue.ask(_QUESTION, *explained(commands))
        except Back:
            typed = ""
        except Quit:
            typed = ""
            if _leaves(user):
                return 0


def _carry_out(user: LinearSession, commands: Sequence[Command], typed: str) -> None:
    """Carry out one line."""
    notice_change(user)
    found = find(commands, typed)
    try:
        if found is not None:
            found[0].function(user, found[1])
        elif typed.startswith("?"):
            user.dialogue.say(*explained(commands, typed[1:].strip()))
        elif typed:
            user.dialogue.unknown(typed)
    except MelleafyError as error:
        user.say_error(error)


def _leaves(user: LinearSession) -> bool:
    """Return whether the user leaves, after asking what becomes of unsaved decisions."""
    wizard = user.wizard
    if not wizard.conversion.unsaved:
        return True
    kept = "they are kept and offered at the next start"
    if not wizard.is_journaled:
        kept = "your decisions will be lost: the state folder can't be written"
    options = [
        Choice("keep", "leave", kept, current=True),
        Choice("save", "save them in a decisions file and leave"),
        Choice("stay", "stay"),
        Choice("discard", "discard them and leave"),
    ]
    try:
        value = user.dialogue.choose("Save your unsaved decisions?", options, enter="leaves")
        if value == "save":
            save_decisions(user, "")
    except Back:
        return False
    except Quit:
        return True
    except MelleafyError as error:
        user.say_error(error)
        return False
    if value == "discard" and wizard.journal is not None:
        wizard.journal.clear()
    return value != "stay"
