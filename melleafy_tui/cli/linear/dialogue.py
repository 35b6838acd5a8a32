"""Questions and answers in plain lines: no cursor movement, no colour, no drawing, each question complete in itself."""

import sys
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.cli.console import Console

PAGE: Final = 20
"""Lines of a list after which the dialogue asks before it goes on."""

BACK, QUIT, HELP = "back", "quit", "help"
"""Words that every question understands, besides the letters of the key table."""

_ROWS: Final = {BACK: "step.previous", QUIT: "app.quit", HELP: "app.help"}


class Back(Exception):
    """The user goes back to the question before."""


class Quit(Exception):
    """The user leaves."""


class InputEnded(Exception):
    """The input has ended."""


class Dialogue:
    """One user who reads lines and types lines.

    Args:
        console: Where lines go.
        answers: Where answers come from.
        keys: The keys as this user wants them; back, quit and help have the letters of the wizard.
    """

    def __init__(
        self, console: Console, answers: TextIO = sys.stdin, *, keys: KeyTable | None = None
    ) -> None:
        self._console, self._answers = console, answers
        table = keys or KeyTable()
        letters = {word: table.row(row).letter for word, row in _ROWS.items()}
        self._words = {letter: word for word, letter in letters.items()}
        spelled = {word: f"{letter} or {word}" if letter else word for word, letter in letters.items()}
        self._help = (
            f"Anywhere: {spelled[BACK]} goes back, {spelled[QUIT]} leaves and keeps your decisions, "
            f"{spelled[HELP]} shows this again."
        )
        self._echo = not answers.isatty()

    # --- output --------------------------------------------------------------------------------

    def say(self, text: str = "") -> None:
        """Print one line; a line break in it, which a source may hold, is shown as a sign."""
        self._console.line(text)

    def list(self, lines: Sequence[str], *, empty: str) -> None:
        """Print many lines, asking after each page whether to go on."""
        if not lines:
            self.say(empty)
        for start in range(0, len(lines), PAGE):
            for line in lines[start : start + PAGE]:
                self.say(line)
            if start + PAGE < len(lines) and not self._more(start + PAGE, len(lines)):
                return

    def _more(self, shown: int, total: int) -> bool:
        while True:
            try:
                answer = self.ask(
                    f"Showing {shown} of {total} lines. Press Enter for more, or type s to stop:",
                    "Enter shows the next lines.",
                )
            except Back:
                return False
            if answer in ("", "s", "stop"):
                return not answer
            self.unknown(answer)

    def unknown(self, answer: str) -> None:
        """Say that an answer isn't one of those that the question names."""
        self.say(f"Unknown answer: {answer}")

    # --- asking --------------------------------------------------------------------------------

    def ask(self, question: str, *help_lines: str) -> str:
        """Ask one question and return the answer without spaces round it.

        Args:
            question: The whole question, with the answers that are understood.
            help_lines: What the help shows before the answers that work everywhere.

        Raises:
            Back: the user goes back.
            Quit: the user leaves.
            InputEnded: there is no more input.
        """
        while True:
            answer = self._read(question)
            word = self._words.get(answer, answer.casefold()) if answer else ""
            if word == BACK:
                raise Back
            if word == QUIT:
                raise Quit
            if word != HELP:
                return answer
            for line in (*help_lines, self._help):
                self.say(line)

    def confirm(self, question: str, help_text: str = "") -> bool:
        """Ask a question of yes or no; an empty answer is no."""
        while True:
            answer = self.ask(f"{question} Type y for yes; n or Enter is no:", help_text).casefold()
            if answer in ("y", "yes"):
                return True
            if answer in ("", "n", "no"):
                return False
            self.unknown(answer)

    def text(self, question: str, *, current: str = "", help_text: str = "") -> str | None:
        """Ask for a text; None for an empty answer, which keeps it, and `""` for a hyphen alone."""
        now = f" Now: {current}." if current else ""
        answer = self.ask(f"{question}{now} Enter keeps it, a hyphen empties it:", help_text)
        if not answer:
            return None
        return "" if answer == "-" else answer

    def name(self, question: str, help_text: str = "") -> str:
        """Ask for the name of something; an empty answer goes back."""
        answer = self.ask(f"{question} Enter goes back:", help_text)
        if not answer:
            raise Back
        return answer

    def choose(
        self,
        question: str,
        options: Sequence[Choice],
        *,
        enter: str = "keeps it",
        help_text: str = "",
    ) -> str | None:
        """Ask for one of several things by number or name, a page of them at a time; None for an empty answer.

        Args:
            question: What is chosen.
            options: What there is to choose from.
            enter: What an empty answer does, for the question.
            help_text: What the help shows before the answers that work everywhere.
        """
        self.say(question)
        asked = f"Type a number from 1 to {len(options)}"
        shown = self._show_options(options, 0)
        while True:
            left = shown < len(options)
            more = f"Showing {shown} of {len(options)}. {asked}, s to stop; Enter shows more:"
            answer = self.ask(more if left else f"{asked}; Enter {enter}:", help_text).casefold()
            picked = _picked(answer, options)
            if left and answer in ("s", "stop"):
                shown = len(options)
            elif left and not answer:
                shown = self._show_options(options, shown)
            elif not answer:
                return None
            elif picked is None:
                self.unknown(answer)
            elif picked.refusal:
                self.say(f"{picked.label} can't be chosen: {picked.refusal}")
            else:
                return picked.value

    def _show_options(self, options: Sequence[Choice], start: int) -> int:
        """Print one page of options and return how many have been printed."""
        page = options[start : start + PAGE]
        for number, option in enumerate(page, start + 1):
            self.say(f"{number} {option.label}{_remarks(option)}")
        return start + len(page)

    def _read(self, question: str) -> str:
        out = self._console.out
        self.say(question)
        print("> ", end="", file=out, flush=True)
        line = self._answers.readline()
        if not line:
            print(file=out)
            raise InputEnded
        if self._echo:
            self.say(line.rstrip("\r\n"))
        return line.strip().replace("\0", "\ufffd")  # no name of a file can hold one, and Python faults at it


def _picked(answer: str, options: Sequence[Choice]) -> Choice | None:
    """Return the option with a number, a value or a label, ignoring case, or None."""
    if answer.isascii() and answer.isdigit() and len(answer) <= len(str(len(options))):
        number = int(answer)
        return options[number - 1] if 1 <= number <= len(options) else None
    return next(
        (each for each in options if answer and answer in (each.value.casefold(), each.label.casefold())),
        None,
    )


def _remarks(option: Choice) -> str:
    remarks: Iterable[str] = (
        option.note,
        "current" if option.current else "",
        f"not possible: {option.refusal}" if option.refusal else "",
    )
    return "".join(f", {remark}" for remark in remarks if remark)
