"""Runs the plain-line mode: the review's cards as questions, then one menu of commands until the user leaves.

Commands are words, with the letters of the key table where they are free.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from typing import Final

from msgspec import Struct, convert
from msgspec.structs import replace

from melleafy_tui.actions.key_table import KEYMAP, KeyTable
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.linear.acts import notice_change, offer_unsaved, set_disposition, show_states
from melleafy_tui.cli.linear.dialogue import Back, Dialogue, InputEnded, LinearSession, Quit
from melleafy_tui.cli.linear.views import overview
from melleafy_tui.cli.workspace_conversion import Session, interactive_session
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.tables import table_beside

INTERRUPTED: Final = 130

_QUESTION: Final = "What next? Type a command; ? explains all of them, q leaves:"

_AT_EVERY_QUESTION: Final = ("step.previous", "app.help", "app.quit")
"""Rows whose letters no command can have."""

_NUMBERS: Final = (
    "N is a number, or for entries several, as 3 5 8-12, or listed for those that were listed last; an element can "
    "be named as FILE:LINE, too."
)


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """One command; `commands.toml` says what its fields mean, `letter` is the user's key if it is free."""

    group: str
    word: str
    does: str
    run: str = ""
    takes: str = ""
    row: str = ""
    letter: str = ""
    disposition: str | None = None

    @property
    def function(self) -> Callable[[LinearSession, str], None]:
        """Return what carries the command out, given what was typed after its word or letter."""
        if self.disposition is not None:
            return partial(set_disposition, Disposition(self.disposition) if self.disposition else None)
        module, _, name = self.run.partition(".")
        found: Callable[[LinearSession, str], None] = getattr(
            import_module(f"melleafy_tui.cli.linear.{module}"), name
        )
        return found

    @property
    def spelled(self) -> str:
        """Return the command as the menu names it."""
        return " ".join(filter(None, (self.letter, self.word, self.takes)))

    @property
    def help_line(self) -> str:
        """Return the command as the help explains it."""
        typed = f"{self.letter} or {self.word}" if self.letter else self.word
        return f"{' '.join(filter(None, (typed, self.takes)))}: {self.does}"


_ROWS: Final = tuple(convert(table_beside(__file__, "commands.toml")["command"], list[Command]))

_DISPOSITIONS: Final = tuple(
    Command("Decide", name or "default", key.tooltip, takes="N", row=key.id, disposition=name)
    for key in KEYMAP
    if key.action.startswith("dispose(")
    for name in [key.action.removeprefix("dispose(").strip("')")]
)

COMMANDS: Final = (_ROWS[0], *_DISPOSITIONS, *_ROWS[1:])
"""Every command, in the order of the menu."""


def commands_for(keys: KeyTable) -> tuple[Command, ...]:
    """Return the commands with the letters of a user's keys; a letter belongs to the first command that wants it."""
    letters = {key.id: key.letter for key in keys.rows}
    taken = {letters[row] for row in _AT_EVERY_QUESTION}
    found = []
    for command in COMMANDS:
        letter = letters.get(command.row, "")
        found.append(replace(command, letter="" if letter in taken else letter))
        taken.add(letter)
    return tuple(found)


def menu(commands: Sequence[Command]) -> list[str]:
    """Return the commands as a few lines, one a group."""
    grouped = groupby(commands, attrgetter("group"))
    return [f"{group}: {', '.join(each.spelled for each in members)}." for group, members in grouped]


def find(commands: Sequence[Command], typed: str) -> tuple[Command, str] | None:
    """Return the command that was typed and the rest of the line, or None.

    Only the case of letters counts: `s` is not `S`. Words after a command that takes none make it no command: "write
    to Maren" writes nothing.
    """
    head, _, rest = (part.strip() for part in typed.partition(" "))
    lower = f"{typed.casefold()} "
    for command in sorted(commands, key=lambda each: -len(each.word)):
        if command.letter and command.letter == head and (command.takes or not rest):
            return command, rest
        if lower.startswith(f"{command.word} ") and (command.takes or lower.strip() == command.word):
            return command, typed[len(command.word) :].strip()
    return None


def _explained(commands: Sequence[Command], word: str = "") -> list[str]:
    """Return a line about each command, or about the one with this word or letter."""
    wanted = find(commands, word)
    if wanted is not None:
        return [wanted[0].help_line]
    return [*(command.help_line for command in commands), _NUMBERS]


# --- the conversation -------------------------------------------------------------------------


def run_linear(session: Session, arguments: argparse.Namespace, console: Console) -> int:
    """Ask about the cards, carry out commands and return the exit code.

    Args:
        session: The opened conversion.
        arguments: The command line.
        console: Where the lines go.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")  # bytes of an answer that aren't text in this locale end no run
    wizard, left, beside = interactive_session(session, arguments, console)
    user = LinearSession(wizard, Dialogue(console, sys.stdin, keys=wizard.keys))
    user.dialogue.say(
        f"melleafy-tui, {session.conversion.snapshot.name}, line by line. Nothing is written before you type write."
    )
    try:
        show_states(user, wizard.states)
        try:
            offer_unsaved(user, left, beside)
        except MelleafyError as error:
            user.say_error(error)
        except Back:
            user.dialogue.say("Going on without.")
        overview(user)
        _converse(user)
    except Quit:
        pass
    except InputEnded:
        console.message(f"The input ended; {_kept(user)}.")
        return INTERRUPTED
    finally:
        if wizard.journal is not None:
            wizard.journal.close()
    return 0


def _kept(user: LinearSession) -> str:
    """Return what becomes of the decisions when the user leaves."""
    if not user.wizard.conversion.unsaved:
        return "nothing was lost"
    if user.wizard.is_journaled:
        return "your decisions are in the journal, and the next start offers them"
    return "your unsaved decisions are lost, because the state folder can't be written"


def _converse(user: LinearSession) -> None:
    """Carry out what is typed, the review first, until the user leaves."""
    dialogue, commands = user.dialogue, commands_for(user.wizard.keys)
    typed = "review"
    shown = ["Commands, each by its letter or word:", *menu(commands)]
    while True:
        try:
            _carry_out(user, commands, typed)
            dialogue.say(*shown)
            shown = []
            typed = dialogue.ask(_QUESTION, *_explained(commands))
        except Back:
            typed = ""
        except Quit:
            typed = ""
            if _leaves(user):
                return


def _carry_out(user: LinearSession, commands: Sequence[Command], typed: str) -> None:
    """Carry out one line."""
    notice_change(user)
    found = find(commands, typed)
    try:
        if found is not None:
            found[0].function(user, found[1])
        elif typed.startswith("?"):
            user.dialogue.say(*_explained(commands, typed[1:].strip()))
        elif typed:
            user.dialogue.unknown(typed)
    except MelleafyError as error:
        user.say_error(error)


def _leaves(user: LinearSession) -> bool:
    """Return whether the user leaves; with unsaved decisions after a question."""
    if not user.wizard.conversion.unsaved:
        return True
    try:
        return user.dialogue.confirm(f"Leave without saving? If you do, {_kept(user)}.")
    except Back:
        return False
    except Quit:
        return True
