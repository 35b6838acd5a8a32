"""Questions and answers in plain lines: no cursor movement, no colour, no drawing, each question complete in itself."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from time import sleep
from typing import Final, TextIO

from msgspec import Struct

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.session import Rendered, WizardSession, render
from melleafy_tui.actions.traceability import element_at
from melleafy_tui.cli.console import Console
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry

SETTLED: Final = 0.3
"""Seconds that a question about a whole card stands before it takes an answer, as in the wizard."""

LISTED: Final = "listed"
"""Stands for all entries that were listed last."""

BACK, QUIT, HELP = "back", "quit", "help"
"""Words that every question understands, besides the letters of the key table."""

_ROWS: Final = {BACK: "step.previous", QUIT: "app.quit", HELP: "app.help"}

_LONGEST_NUMBER: Final = 9
"""Digits of the longest number that an answer can hold."""


class Back(Exception):
    """The user goes back to the question before."""


class Quit(Exception):
    """The user leaves."""


class InputEnded(Exception):
    """The input has ended."""


class Dialogue:
    """One user, or one program, that reads lines and writes lines.

    Args:
        console: Where lines go.
        answers: Where answers come from.
        keys: The user's keys; back, quit and help have the letters of the wizard.
    """

    def __init__(
        self, console: Console, answers: TextIO = sys.stdin, *, keys: KeyTable | None = None
    ) -> None:
        self._answers = answers
        self._by_hand = answers.isatty()
        self.console = Console(wide=True, out=console.out, messages=console.out)
        table = keys or KeyTable()
        letters = {word: table.row(row).letter for word, row in _ROWS.items()}
        self._words = {letter: word for word, letter in letters.items()}
        spelled = {word: f"{letter} or {word}" if letter else word for word, letter in letters.items()}
        self._help = (
            f"Anywhere: {spelled[BACK]} goes back, {spelled[QUIT]} leaves and keeps your decisions, "
            f"{spelled[HELP]} shows this again."
        )

    def say(self, *lines: str) -> None:
        """Print lines; a line break in one, which a source may hold, is shown as a sign."""
        for line in lines:
            self.console.line(line)

    def unknown(self, answer: str) -> None:
        """Say that an answer isn't one of those that the question names."""
        self.say(f"Unknown answer: {answer}")

    def ask(self, question: str, *help_lines: str, settle: float = 0.0) -> str:
        """Ask one question and return the answer without spaces round it.

        Args:
            question: The whole question, with the answers that are understood.
            help_lines: What the help shows before the answers that work everywhere.
            settle: Seconds after which what a person typed counts as an answer to this question.

        Raises:
            Back: the user goes back.
            Quit: the user leaves.
            InputEnded: there is no more input.
        """
        while True:
            answer = self._read(question, settle)
            word = self._words.get(answer, answer.casefold()) if answer else ""
            if word == BACK:
                raise Back
            if word == QUIT:
                raise Quit
            if word != HELP:
                return answer
            self.say(*help_lines, self._help)

    def confirm(self, question: str) -> bool:
        """Ask a question of yes or no; an empty answer is no."""
        while True:
            answer = self.ask(f"{question} Type y for yes; n or Enter is no:").casefold()
            if answer in ("y", "yes"):
                return True
            if answer in ("", "n", "no"):
                return False
            self.unknown(answer)

    def _read(self, question: str, settle: float) -> str:
        self.say(question)
        if self._by_hand:
            sleep(settle)
            self._drop_typed_ahead()
        print("> ", end="", file=self.console.out, flush=True)
        line = self._answers.readline()
        if not line:
            self.say("")
            raise InputEnded
        if not self._by_hand:
            self.say(line.rstrip("\r\n"))
        return line.strip().replace("\0", "\ufffd")  # no name of a file can hold one, and Python faults at it

    def _drop_typed_ahead(self) -> None:
        """Drop what was typed before the question was shown: a held Enter accepts no card that nobody has read."""
        with suppress(ImportError, OSError, ValueError):  # no POSIX terminal
            import termios

            with suppress(termios.error):
                termios.tcflush(self._answers.fileno(), termios.TCIFLUSH)


class LinearSession(Struct):
    """One user at work on one conversion."""

    wizard: WizardSession
    dialogue: Dialogue
    listed: frozenset[str] = frozenset()
    """Keys of the entries that were listed last."""

    def act(self, command: Command, done: str) -> None:
        """Carry out a command, record it in the journal and say so."""
        if self.wizard.conversion.act(command):
            self.keep_journal()
            self.dialogue.say(f"{done.replace('→', 'to').rstrip('.')}. Type undo to revert.")
        else:
            self.dialogue.say("Nothing changed.")

    def keep_journal(self) -> None:
        """Write the decisions to the journal; if that fails, say so once and go on."""
        if fault := self.wizard.keep_journal(datetime.now(UTC)):
            self.dialogue.say(
                f"Can't write the journal ({fault}); a crash loses your decisions. Type save to save them."
            )

    def say_error(self, error: MelleafyError) -> None:
        """Say what couldn't be done, where, and what to do."""
        self.dialogue.say(f"Not done: {error}")

    def rendered(self) -> Rendered:
        """Return the package for the current decisions.

        Raises:
            MelleafyError: it can't be rendered.
        """
        wizard = self.wizard
        if wizard.rendered is None or not wizard.rendered_is_current:
            made = render(wizard.conversion, wizard.out, now=wizard.now, force=wizard.force)
            wizard.keep(made)
            return made
        return wizard.rendered

    def entries_named(self, words: str) -> list[PlanEntry]:
        """Return the entries of `3 5 8-12` or `listed`; empty, with a message, if one is missing."""
        entries = self.wizard.conversion.plan.entries
        if words.casefold() == LISTED:
            found = [entry for entry in entries if entry.key in self.listed]
        else:
            by_number = {int(entry.entry_id.rpartition("_")[2]): entry for entry in entries}
            numbers = typed_numbers(words.casefold().replace("dep_", ""), max(by_number, default=0))
            found = [by_number[number] for number in numbers if number in by_number]
            found = found if len(found) == len(numbers) else []
        if not found:
            self.dialogue.say(
                f"No entry is called {words or 'so'}. Type plan to list the entries with their numbers."
            )
        return found

    def element_named(self, words: str) -> Element | None:
        """Return the element with a number or at `FILE:LINE`; None, with a message, if there is none."""
        elements = self.wizard.conversion.inventory.elements
        file, _, line = words.rpartition(":")
        number = _typed_number(words.casefold().removeprefix("elem_").lstrip("0"))
        numbered = (each for each in elements if number and each.element_id.endswith(f"_{number:03}"))
        at = _typed_number(line)
        found = element_at(elements, file, at) if file and at else next(numbered, None)
        if found is None:
            self.dialogue.say(
                f"No element is called {words or 'so'}. Type inventory to list the elements with their numbers."
            )
        return found

    def path_named(self, wanted: str, paths: Iterable[str]) -> str | None:
        """Return the one path with this name or part; None, with a message, if there is none or more than one."""
        every = tuple(paths)
        found = [path for path in every if path == wanted or path.endswith(f"/{wanted}")]
        found = found or [path for path in every if wanted.casefold() in path.casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            self.dialogue.say(f"{len(found)} files match {wanted}; type more of the path:")
        self.dialogue.say(*(found or [f"No file matches {wanted}."]))
        return None


def typed_numbers(text: str, most: int) -> list[int]:
    """Return the numbers of an answer such as `3 5, 8-12`, each once; none if one is larger than `most`."""
    numbers: dict[int, None] = {}
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        start, end = _typed_number(first), _typed_number(last if dash else first)
        if not 1 <= start <= end <= most:
            return []
        numbers.update(dict.fromkeys(range(start, end + 1)))
    return list(numbers)


def _typed_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0
