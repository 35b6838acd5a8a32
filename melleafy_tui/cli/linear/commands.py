"""The commands of the plain-line mode: words, with the letters of the key table where they are free."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from typing import Final

from msgspec import Struct, convert
from msgspec.structs import replace

from melleafy_tui.actions.key_table import KEYMAP, KeyTable
from melleafy_tui.cli.linear.deciding import set_disposition
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.tables import table_beside

Run = Callable[[LinearSession, str], None]
"""Carries out a command; the text is what was typed after its word or letter."""


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
    def function(self) -> Run:
        """Return what carries the command out."""
        if self.disposition is not None:
            return partial(set_disposition, Disposition(self.disposition) if self.disposition else None)
        module, _, name = self.run.partition(".")
        found: Run = getattr(import_module(f"melleafy_tui.cli.linear.{module}"), name)
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

_AT_EVERY_QUESTION: Final = ("step.previous", "app.help", "app.quit")
"""Rows whose letters no command can have."""

_NUMBERS: Final = (
    "N is a number, or for entries several, as 3 5 8-12, or listed for those that were listed last; an element can "
    "be named as FILE:LINE, too."
)


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


def explained(commands: Sequence[Command], word: str = "") -> list[str]:
    """Return a line about each command, or about the one with this word or letter."""
    wanted = find(commands, word)
    if wanted is not None:
        return [wanted[0].help_line]
    return [*(command.help_line for command in commands), _NUMBERS]


def find(commands: Sequence[Command], typed: str) -> tuple[Command, str] | None:
    """Return the command that was typed and the rest of the line, or None.

    Letters are case-sensitive (`s` is not `S`) unless only one of the two is a command. No space is needed after a
    sign: `/words`. Words after a command that takes none make it no command: "write to Maren" writes nothing.
    """
    head, _, rest = (part.strip() for part in typed.partition(" "))
    lower = f"{typed.casefold()} "
    fitting = [
        each for each in commands if each.takes or lower.strip() in (each.letter.casefold(), each.word)
    ]
    for command in fitting:
        if command.letter and command.letter == head:
            return command, rest
    for command in sorted(fitting, key=lambda each: -len(each.word)):
        if lower.startswith(f"{command.word} "):
            return command, typed[len(command.word) :].strip()
    for command in fitting:
        if command.letter and not command.letter.isalnum() and head.startswith(command.letter):
            return command, typed.removeprefix(command.letter).strip()
    alike = [each for each in fitting if each.letter and each.letter.casefold() == head.casefold()]
    return (alike[0], rest) if len(alike) == 1 else None
