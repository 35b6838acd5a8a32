"""What can be typed: rows of the key table with a letter and a word, and answers that only the plain-line mode has.

An action of the key table takes its letter, word and help from its row. If the wizard's key can't be typed in
a line (Ctrl+S, Backspace) or there is none, the action has its own letter here.
"""

from collections.abc import Callable
from importlib import import_module

from msgspec import Struct

from melleafy_tui.actions.key_table import Key
from melleafy_tui.actions.steps import Step
from melleafy_tui.cli.linear.linear_session import LinearSession

Run = Callable[[LinearSession, str], None]
"""Carries out an answer; the text is what was typed after the letter or word."""


class Action(Struct, frozen=True):
    """One thing to do.

    Attributes:
        row: The id of its row in the key table, `""` if the wizard has no key for it.
        run: What carries it out.
        takes: What may follow the letter, in capitals, or `""`.
        letter: Its letter, if its key has none.
        word: Its word, if it isn't the label of its key.
        does: One sentence for the help, if lines do it in another way than a screen.
    """

    row: str
    run: Run
    takes: str = ""
    letter: str = ""
    word: str = ""
    does: str = ""


def own(letter: str, word: str, run: Run, does: str, takes: str = "") -> Action:
    """Return an action that has no key in the wizard."""
    return Action("", run, takes, letter, word, does)


class Answer(Struct, frozen=True):
    """An action as it is typed by one user: with the letter of that user's key table."""

    letter: str
    word: str
    does: str
    takes: str
    run: Run

    @property
    def spelled(self) -> str:
        """Return the answer as the question names it."""
        return f"{self.letter} {self.word}".lstrip()

    @property
    def help_line(self) -> str:
        """Return the answer as the help explains it."""
        typed = " or ".join(filter(None, (self.letter, self.word)))
        return f"{typed}{f' {self.takes}' if self.takes else ''}: {self.does}"


class StepCommands(Struct, frozen=True):
    """What the plain-line mode does on one step.

    Attributes:
        summary: Shows where things stand, when the step begins.
        actions: What can be typed there.
    """

    summary: Callable[[LinearSession], None]
    actions: tuple[Action, ...]


def commands_of(step: Step) -> StepCommands:
    """Return the commands of a step, from its module of the same name."""
    commands: StepCommands = import_module(f"melleafy_tui.cli.linear.{step.value}_step").COMMANDS
    return commands


def word_of(row: Key) -> str:
    """Return the label of a key as a word to type."""
    return row.label.rstrip("….").casefold()


def find(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    """Return the answer that was typed and the rest of the line, or None.

    Letters are case-sensitive (`t` is not `T`) unless only one of the two is an answer. No space is needed
    after a sign: `/words`.
    """
    return _by_letter(answers, typed) or _by_word(answers, typed) or _by_start(answers, typed)


def _by_letter(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    head, _, rest = typed.partition(" ")
    found = next((answer for answer in answers if answer.letter and answer.letter == head), None)
    return (found, rest.strip()) if found is not None else None


def _by_word(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    """Return the answer whose word was typed, the longest word first."""
    lower = f"{typed.casefold()} "
    longest_first = sorted(answers, key=lambda each: -len(each.word))
    found = next((answer for answer in longest_first if lower.startswith(f"{answer.word} ")), None)
    return (found, typed[len(found.word) :].strip()) if found is not None else None


def _by_start(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    """Return the answer whose sign begins what was typed, or the only one with this letter in the other case."""
    head, _, rest = typed.partition(" ")
    lettered = [answer for answer in answers if answer.letter]
    signs = (answer for answer in lettered if not answer.letter.isalnum() and head.startswith(answer.letter))
    sign = next(signs, None)
    if sign is not None:
        return sign, typed.removeprefix(sign.letter).strip()
    alike = [answer for answer in lettered if answer.letter.casefold() == head.casefold()]
    return (alike[0], rest.strip()) if len(alike) == 1 else None
