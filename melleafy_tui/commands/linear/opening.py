"""Opens the dialogue on a session, with its journal in the state folder, and ends it well."""

import sys
from pathlib import Path
from typing import Final

from melleafy_tui.commands.console import Console
from melleafy_tui.commands.linear.conversation import Conversation
from melleafy_tui.commands.linear.dialogue import Back, Dialogue, InputEnded, Quit
from melleafy_tui.commands.linear.files import offer_what_was_left, say_states
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.commands.session import Session, interactive_session
from melleafy_tui.core.decisions.journal import JournalEntry
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.errors import MelleafyError

INTERRUPTED: Final = 130


def run_linear(session: Session, console: Console, *, force: bool, beside: Path | None) -> int:
    """Ask the wizard's questions line by line and return the exit code.

    Args:
        session: The opened conversion.
        console: Where the lines go.
        force: Whether edited files may be overwritten (with a backup).
        beside: A decisions file that lies beside the workspace and is not in use.
    """
    _take_any_bytes()
    wizard, left = interactive_session(session, force=force)
    journal = wizard.journal
    talk = Talk(wizard, Dialogue(console, sys.stdin))
    talk.dialogue.say(
        f"melleafy-tui, {session.conversion.snapshot.name}, line by line. Five steps; nothing is written before step 5."
    )
    try:
        _offer(talk, left, beside)
        return Conversation(talk).run()
    except (Quit, Back):
        return 0
    except InputEnded:
        kept = (
            "your decisions are in the journal"
            if journal and wizard.conversion.unsaved
            else "nothing was lost"
        )
        console.message(f"The input ended; {kept}.")
        return INTERRUPTED
    finally:
        if journal is not None:
            journal.close()


def _offer(talk: Talk, left: tuple[JournalEntry, ...], beside: Path | None) -> None:
    if any(state.state is not DecisionState.APPLIED for state in talk.session.states):
        say_states(talk, talk.session.states)
    try:
        offer_what_was_left(talk, left, beside)
    except MelleafyError as error:
        talk.say_error(error)
    except Back:
        return


def _take_any_bytes() -> None:
    """Let an answer that is no text of this locale come in as signs instead of ending the run."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
