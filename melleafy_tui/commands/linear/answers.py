"""Tables of answers: a letter or a word, and what it does; a step is such a table and what it says of itself."""

from collections.abc import Callable

from msgspec import Struct

from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.wizard_steps import STEP_TITLES, STEPS, Step

Run = Callable[[Talk, str], None]
"""Carries out an answer; the text is what was typed after the letter."""


class Answer(Struct, frozen=True):
    """One answer to a step's question.

    Attributes:
        letter: What is typed.
        word: The same in full; both are understood.
        does: One sentence for the help.
        run: What carries it out.
        takes: What may follow the letter, in capitals, or `""`.
    """

    letter: str
    word: str
    does: str
    run: Run
    takes: str = ""

    @property
    def spelled(self) -> str:
        """Return the answer as the question names it."""
        return f"{self.letter} {self.word}"


class LinearStep(Struct, frozen=True):
    """One step of the dialogue."""

    step: Step
    summary: Callable[[Talk], None]
    answers: tuple[Answer, ...]

    @property
    def title(self) -> str:
        """Return the step's number and name."""
        return f"Step {STEPS.index(self.step) + 1} of {len(STEPS)}, {STEP_TITLES[self.step]}"


def find(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    """Return the answer that was typed and what follows it, or None where it is none of them."""
    head, _, rest = typed.partition(" ")
    for answer in answers:
        if head.casefold() in (answer.letter, answer.word):
            return answer, rest.strip()
    return None


def help_lines(answers: tuple[Answer, ...]) -> list[str]:
    """Return one line an answer."""
    return [
        f"{answer.letter} or {answer.word}{f' {answer.takes}' if answer.takes else ''}: {answer.does}"
        for answer in answers
    ]
