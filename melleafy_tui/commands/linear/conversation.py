"""The engine of the dialogue: it says where the user is, asks, finds the answer in the tables, and carries it out."""

from dataclasses import dataclass
from typing import Final

from melleafy_tui.commands.console import counted
from melleafy_tui.commands.linear.answers import Answer, LinearStep, find, help_lines
from melleafy_tui.commands.linear.decide import DECIDE
from melleafy_tui.commands.linear.detect import DETECT
from melleafy_tui.commands.linear.dialogue import Back, Option, Quit
from melleafy_tui.commands.linear.files import save_decisions
from melleafy_tui.commands.linear.fixtures import pick_fixtures
from melleafy_tui.commands.linear.inventory import INVENTORY
from melleafy_tui.commands.linear.preview import PREVIEW
from melleafy_tui.commands.linear.source import notice_change, read_again
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.commands.linear.write import WRITE
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.terms import spoken_terms
from melleafy_tui.wizard_steps import STEP_TITLES, STEPS, Progress

LINEAR_STEPS: Final[tuple[LinearStep, ...]] = (DETECT, INVENTORY, DECIDE, PREVIEW, WRITE)


def undo(talk: Talk, _: str) -> None:
    """Take back the last act, on whichever step it was made."""
    act = talk.session.undo()
    talk.dialogue.say(f"Taken back: {act.command.label}." if act else "There is nothing to take back.")
    talk.keep_journal()


def redo(talk: Talk, _: str) -> None:
    """Do the last undone act again."""
    act = talk.session.redo()
    talk.dialogue.say(f"Done again: {act.command.label}." if act else "There is nothing to do again.")
    talk.keep_journal()


def say_where(talk: Talk, _: str) -> None:
    """Say how far each step is and the counts that matter."""
    for state in talk.session.step_states:
        count = f", {state.count}" if state.progress is Progress.ATTENTION else ""
        talk.dialogue.say(
            f"{STEPS.index(state.step) + 1} {STEP_TITLES[state.step]}: {state.progress.value}{count}"
        )
    figures = talk.session.figures
    entries = "1 entry" if figures.entries == 1 else f"{figures.entries} entries"
    talk.dialogue.say(
        f"{counted(figures.elements, 'element')}, {entries}, {figures.overrides} overridden, "
        f"{counted(figures.stubs, 'stub')}, {counted(figures.delegates, 'delegate')}, "
        f"{counted(figures.warnings, 'warning')}, {counted(figures.calls, 'model call')} a run, "
        f"{counted(figures.prompt_tokens, 'prompt token')}."
    )
    talk.dialogue.say(
        "Decisions: unsaved." if talk.session.conversion.unsaved else "Decisions: nothing unsaved."
    )


EVERYWHERE: Final = (
    Answer("u", "undo", "Take back the last act, on whichever step it was made.", undo),
    Answer("z", "redo", "Do the act again that was taken back last.", redo),
    Answer("k", "keep", "Save the decisions; the first time it asks where.", save_decisions, "FILE"),
    Answer("y", "reread", "Read the source again when it has changed on the disk.", read_again),
    Answer(
        "h",
        "history",
        "Pick real user turns from the agent's history, masked, as fixtures of the package.",
        pick_fixtures,
        "FOLDER",
    ),
    Answer("i", "where", "Say how far each step is and the counts that matter.", say_where),
)
"""Answers of every step, beside n, b, a step's number, ? and q."""


@dataclass
class Conversation:
    """The way through the five steps.

    Args:
        talk: The user and the conversion.
    """

    talk: Talk
    place: int = 0

    def run(self) -> int:
        """Ask until the user leaves, and return the exit code.

        Raises:
            InputEnded: the input came to its end; the journal is kept.
        """
        self._enter()
        while True:
            try:
                self._answer(self._ask())
            except Back:
                self._go(self.place - 1)
            except Quit:
                if self._leave():
                    return 0

    def _ask(self) -> str:
        here = LINEAR_STEPS[self.place]
        named = ", ".join(answer.spelled for answer in (*here.answers, *EVERYWHERE))
        onward = "n next step, " if self.place + 1 < len(LINEAR_STEPS) else ""
        back = "b back, " if self.place else ""
        return self.talk.dialogue.ask(
            f"{here.title}. Type {named}, {onward}{back}1 to {len(STEPS)} a step, ? help, q quit:",
            "\n".join(
                [
                    *help_lines((*here.answers, *EVERYWHERE)),
                    "n or Enter: go to the next step. 1 to 5: go to that step.",
                    "Words of this step:",
                    *spoken_terms(here.step),
                ]
            ),
        )

    def _answer(self, typed: str) -> None:
        here = LINEAR_STEPS[self.place]
        if typed in ("", "n", "next"):
            self._go(self.place + 1)
            return
        if typed in ("1", "2", "3", "4", "5"):
            self._go(int(typed) - 1)
            return
        found = find((*here.answers, *EVERYWHERE), typed)
        if found is None:
            self.talk.dialogue.say(f"{typed} is no answer here; ? says which there are.")
            return
        answer, words = found
        try:
            answer.run(self.talk, words)
        except Back:
            self.talk.dialogue.say("Back.")
        except MelleafyError as error:
            self.talk.say_error(error)

    def _go(self, place: int) -> None:
        if place >= len(LINEAR_STEPS):
            self.talk.dialogue.say("This is the last step; q leaves.")
        elif place < 0:
            self.talk.dialogue.say("This is the first step; q leaves.")
        else:
            self.place = place
            notice_change(self.talk)
            self._enter()

    def _enter(self) -> None:
        here = LINEAR_STEPS[self.place]
        self.talk.session.seen.add(here.step)
        self.talk.dialogue.say()
        self.talk.dialogue.say(f"{here.title}.")
        try:
            here.summary(self.talk)
        except MelleafyError as error:
            self.talk.say_error(error)

    def _leave(self) -> bool:
        session, dialogue = self.talk.session, self.talk.dialogue
        if not session.conversion.unsaved:
            return True
        options = [
            Option("keep", "leave", "they are kept and offered at the next start", current=True),
            Option("save", "save them in a decisions file and leave"),
            Option("stay", "stay"),
            Option("discard", "leave and give them up"),
        ]
        if session.journal is None:
            options[0] = Option(
                "keep", "leave", "they are lost: no state folder can be written", current=True
            )
        try:
            value = dialogue.choose("Your decisions are not saved. What becomes of them?", options)
            if value == "save":
                save_decisions(self.talk, "")
        except Back:
            return False
        except Quit:
            return True
        except MelleafyError as error:
            self.talk.say_error(error)
            return False
        if value == "discard" and session.journal is not None:
            session.journal.clear()
        return value != "stay"
