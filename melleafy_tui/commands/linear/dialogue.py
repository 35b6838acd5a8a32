"""Questions and answers in plain lines: no cursor movement, no colour, no drawing, each question complete in itself."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from melleafy_tui.commands.console import Console

PAGE: Final = 20
"""Lines of a list after which the dialogue asks before it goes on."""

HELP, BACK, QUIT = "?", "b", "q"

GENERAL_HELP: Final = "Anywhere: b goes back, q leaves and keeps your decisions, ? says this again."


class Back(Exception):
    """The user goes back to the question before."""


class Quit(Exception):
    """The user leaves."""


class InputEnded(Exception):
    """There is no one to answer any more: the input is at its end."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of several things to choose from; `value` is what comes back."""

    value: str
    label: str
    note: str = ""
    current: bool = False
    refusal: str = ""
    """Why it cannot be chosen here, or `""`."""


class Dialogue:
    """One user who reads lines and types lines.

    Args:
        console: Where lines go.
        answers: Where answers come from.
    """

    def __init__(self, console: Console, answers: TextIO = sys.stdin) -> None:
        self._console, self._answers = console, answers
        self._echo = not answers.isatty()

    # --- saying --------------------------------------------------------------------------------

    def say(self, text: str = "") -> None:
        """Say one line, or several where the text has several."""
        self._console.lines(text)

    def list(self, lines: Sequence[str], *, empty: str) -> None:
        """Say many lines, asking after each page whether to go on."""
        if not lines:
            self.say(empty)
        for start in range(0, len(lines), PAGE):
            for line in lines[start : start + PAGE]:
                self.say(line)
            if start + PAGE < len(lines) and not self._more(start + PAGE, len(lines)):
                return

    def _more(self, shown: int, total: int) -> bool:
        while True:
            answer = self.ask(
                f"{shown} of {total} lines are said. Press Enter for more, or type s to stop:",
                "Enter says the next lines.",
                keep_back=True,
            )
            if answer in ("", "s", "stop", BACK):
                return not answer
            self.say(f"{answer} is no answer here.")

    # --- asking --------------------------------------------------------------------------------

    def ask(self, question: str, help_text: str = "", *, keep_back: bool = False) -> str:
        """Ask one question and return the answer without spaces round it.

        Args:
            question: The whole question, with the answers that are understood.
            help_text: What `?` says beside the way back and out.
            keep_back: `b` is an answer here and is returned.

        Raises:
            Back: the user goes back.
            Quit: the user leaves.
            InputEnded: there is no more input.
        """
        while True:
            answer = self._read(question)
            if answer == HELP:
                self.say(help_text)
                self.say(GENERAL_HELP)
                continue
            if answer == "back" or (answer == BACK and not keep_back):
                raise Back
            if answer in (QUIT, "quit"):
                raise Quit
            return answer

    def confirm(self, question: str, help_text: str = "") -> bool:
        """Ask a question of yes or no; an empty answer is no."""
        while True:
            answer = self.ask(f"{question} Type y for yes; n or Enter is no:", help_text).casefold()
            if answer in ("y", "yes"):
                return True
            if answer in ("", "n", "no"):
                return False
            self.say(f"{answer} is neither y nor n.")

    def text(self, question: str, *, current: str = "", help_text: str = "") -> str | None:
        """Ask for a text; None where it stays as it is (an empty answer), `""` for a hyphen alone."""
        now = f" It is {current} now." if current else ""
        answer = self.ask(f"{question}{now} Enter leaves it as it is, a hyphen empties it:", help_text)
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
        options: Sequence[Option],
        *,
        enter: str = "leaves it as it is",
        help_text: str = "",
    ) -> str | None:
        """Ask for one of several things by number or name, a page of them at a time; None for an empty answer.

        Args:
            question: What is chosen.
            options: What there is to choose from.
            enter: What an empty answer does, for the question.
            help_text: What `?` says beside the way back and out.
        """
        self.say(question)
        asked = f"Type a number from 1 to {len(options)}"
        said = self._say_options(options, 0)
        while True:
            left = said < len(options)
            more = f"{said} of {len(options)} are said. {asked}, s to stop; Enter says more:"
            answer = self.ask(more if left else f"{asked}; Enter {enter}:", help_text).casefold()
            picked = _picked(answer, options)
            if left and answer in ("s", "stop"):
                said = len(options)
            elif left and not answer:
                said = self._say_options(options, said)
            elif not answer:
                return None
            elif picked is None:
                self.say(f"{answer} is none of them.")
            elif picked.refusal:
                self.say(f"{picked.label} cannot be chosen: {picked.refusal}")
            else:
                return picked.value

    def _say_options(self, options: Sequence[Option], start: int) -> int:
        """Say one page of options and return how many are said."""
        page = options[start : start + PAGE]
        for number, option in enumerate(page, start + 1):
            self.say(f"{number} {option.label}{_remarks(option)}")
        return start + len(page)

    def _read(self, question: str) -> str:
        out = self._console.out
        self._console.lines(question)
        print("> ", end="", file=out, flush=True)
        line = self._answers.readline()
        if not line:
            print(file=out)
            raise InputEnded
        if self._echo:
            self._console.lines(line.rstrip("\r\n"))
        return line.strip().replace("\0", "\ufffd")  # no name of a file can hold one, and Python faults at it


def _picked(answer: str, options: Sequence[Option]) -> Option | None:
    """Return the option with a number, a value or a label, the case aside; None where it is none of them."""
    if answer.isascii() and answer.isdigit() and len(answer) <= len(str(len(options))):
        number = int(answer)
        return options[number - 1] if 1 <= number <= len(options) else None
    return next(
        (each for each in options if answer and answer in (each.value.casefold(), each.label.casefold())),
        None,
    )


def _remarks(option: Option) -> str:
    remarks: Iterable[str] = (
        option.note,
        "as it is now" if option.current else "",
        f"not possible: {option.refusal}" if option.refusal else "",
    )
    said = ", ".join(remark for remark in remarks if remark)
    return f", {said}" if said else ""
