"""Questions and answers in plain lines: no cursor movement, no colour, no drawing, each question complete in itself."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from time import sleep
from typing import Final, TextIO, cast

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.cli.console import Console

PAGE: Final = 20
"""Lines after which a person at a terminal is asked before it goes on; a program gets all of them."""

SETTLED: Final = 0.3
"""Seconds that a question about a whole card stands before it takes an answer, as in the wizard."""

BACK, QUIT, HELP = "back", "quit", "help"
"""Words that every question understands, besides the letters of the key table."""

_ROWS: Final = {BACK: "step.previous", QUIT: "app.quit", HELP: "app.help"}


class Back(Exception):
    """The user goes back to the question before."""


class Quit(Exception):
    """The user leaves."""


class InputEnded(Exception):
    """The input has ended."""


class _Pages:
    """Standard output that stops after each page until the reader goes on; it raises Back if they don't."""

    def __init__(self, dialogue: "Dialogue", out: TextIO) -> None:
        self._dialogue, self._out = dialogue, out
        self.lines = 0

    def write(self, text: str) -> int:
        """Print a text, and ask whether to go on where a page is full."""
        if self.lines >= PAGE:
            self.lines = 0
            if self._dialogue.ask(f"Press Enter for the next {PAGE} lines, or type s to stop:"):
                raise Back
        self.lines += text.count("\n")
        return self._out.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._out, name)


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
        self._unpaged = Console(out=console.out, messages=console.out)
        self._by_hand = answers.isatty()
        self._pages = _Pages(self, console.out)
        out = cast(TextIO, self._pages) if self._by_hand else console.out
        self.console = Console(wide=True, out=out, messages=out)
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

    def choose(self, question: str, options: Sequence[Choice], *, enter: str = "keeps it") -> str | None:
        """Ask for one of several things by number or name; None for an empty answer.

        Args:
            question: What is chosen.
            options: What there is to choose from.
            enter: What an empty answer does, for the question.
        """
        self.say(
            question, *(f"{number} {each.label}{_remarks(each)}" for number, each in enumerate(options, 1))
        )
        while True:
            answer = self.ask(f"Type a number from 1 to {len(options)}; Enter {enter}:")
            picked = _picked(answer.casefold(), options)
            if not answer:
                return None
            if picked is None:
                self.unknown(answer)
            elif picked.refusal:
                self.say(f"{picked.label} can't be chosen: {picked.refusal}")
            else:
                return picked.value

    def _read(self, question: str, settle: float) -> str:
        self._unpaged.line(question)
        if self._by_hand:
            sleep(settle)
            self._drop_typed_ahead()
        print("> ", end="", file=self._unpaged.out, flush=True)
        self._pages.lines = 0
        line = self._answers.readline()
        if not line:
            self._unpaged.line()
            raise InputEnded
        if not self._by_hand:
            self._unpaged.line(line.rstrip("\r\n"))
        return line.strip().replace("\0", "\ufffd")  # no name of a file can hold one, and Python faults at it

    def _drop_typed_ahead(self) -> None:
        """Drop what was typed before the question was shown: a held Enter accepts no card that nobody has read."""
        with suppress(ImportError, OSError, ValueError):  # no POSIX terminal
            import termios

            with suppress(termios.error):
                termios.tcflush(self._answers.fileno(), termios.TCIFLUSH)


def _picked(answer: str, options: Sequence[Choice]) -> Choice | None:
    """Return the option with a number, a value or a label, ignoring case, or None."""
    numbered = {str(number): each for number, each in enumerate(options, 1)}
    named = (each for each in options if answer in (each.value.casefold(), each.label.casefold()))
    return numbered.get(answer) or next(named, None)


def _remarks(option: Choice) -> str:
    remarks = (
        option.note,
        "current" if option.current else "",
        f"not possible: {option.refusal}" if option.refusal else "",
    )
    return "".join(f", {remark}" for remark in remarks if remark)
