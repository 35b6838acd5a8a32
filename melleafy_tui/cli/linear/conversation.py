"""Runs the plain-line mode: tracks the current step, asks its question and carries out the answer."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.folder_sources import FolderSources, source_words
from melleafy_tui.actions.key_table import Key, KeyTable
from melleafy_tui.actions.steps import STEP_INFO, STEPS, Progress, Step, spoken_terms
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.linear import file_commands
from melleafy_tui.cli.linear.dialogue import Back, Dialogue, InputEnded, Quit
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.linear.review_step import review
from melleafy_tui.cli.linear.typed_commands import Action, Answer, commands_of, find, own, word_of
from melleafy_tui.cli.workspace_conversion import Session, interactive_session
from melleafy_tui.core.decisions.journal import JournalEntry
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.errors import MelleafyError

INTERRUPTED: Final = 130

NAVIGATION: Final = ("step.next", *(f"step.{number}" for number in range(1, len(STEPS) + 1)))
AT_EVERY_QUESTION: Final = ("step.previous", "app.help", "app.quit")


def run_linear(
    session: Session, console: Console, *, force: bool, beside: Path | None, among_sources: bool = False
) -> int | None:
    """Ask the wizard's questions line by line and return the exit code, or None to go back to the sources.

    Args:
        session: The opened conversion.
        console: Where the lines go.
        force: Whether edited files may be overwritten (with a backup).
        beside: A decisions file that was found next to the workspace and is not in use.
        among_sources: Whether the workspace is one of several in a folder, so that the first step has one before it.
    """
    if not among_sources:  # else done before the first answer was read
        accept_any_bytes()
    wizard, left = interactive_session(session, force=force)
    journal = wizard.journal
    user = LinearSession(wizard, Dialogue(console, sys.stdin, keys=wizard.keys))
    user.dialogue.say(
        f"melleafy-tui, {session.conversion.snapshot.name}, line by line. "
        f"{len(STEPS)} steps; nothing is written before step {STEPS.index(Step.WRITE) + 1}."
    )
    try:
        _offer(user, left, beside)
        return Conversation(user, among_sources).run()
    except (Quit, Back):
        return 0
    except InputEnded:
        kept = "nothing was lost"
        if wizard.conversion.unsaved:
            kept = "your decisions are in the journal" if wizard.is_journaled else _LOST
        console.message(f"The input ended; {kept}.")
        return INTERRUPTED
    finally:
        if journal is not None:
            journal.close()


_LOST: Final = "your unsaved decisions are lost, because the state folder can't be written"


def _offer(session: LinearSession, left: tuple[JournalEntry, ...], found: Path | None) -> None:
    if any(state.state is not DecisionState.APPLIED for state in session.wizard.states):
        file_commands.show_states(session, session.wizard.states)
    try:
        file_commands.offer_unsaved(session, left, found)
    except MelleafyError as error:
        session.say_error(error)
    except Back:
        return


def accept_any_bytes() -> None:
    """Replace bytes of an answer that aren't text in this locale instead of ending the run."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


class Conversation(Struct):
    """The way through the steps.

    Args:
        session: The user and the conversion.
        among_sources: Whether going back from the first step leads to the sources in a folder.
        place: The index of the step.
    """

    session: LinearSession
    among_sources: bool = False
    place: int = 0

    @property
    def step(self) -> Step:
        """Return the step that the user is on."""
        return STEPS[self.place]

    @property
    def _title(self) -> str:
        return f"Step {self.place + 1} of {len(STEPS)}, {STEP_INFO[self.step].title}"

    @property
    def _answers(self) -> tuple[Answer, ...]:
        return answers_on(self.step, self.session.wizard.keys)

    def run(self) -> int | None:
        """Ask until the user leaves, and return the exit code, or None to go back to the sources.

        Raises:
            InputEnded: the input ended; the journal is kept.
        """
        self._enter()
        while True:
            try:
                self._answer(self._ask())
            except Back:
                if not (self.among_sources and self.place == 0):
                    self._go(self.place - 1)
                elif self._leave():
                    return None
            except Quit:
                if self._leave():
                    return 0

    def _ask(self) -> str:
        steps = f"1 to {len(STEPS)}"
        onward = [self._spelled("step.next")] if self.place + 1 < len(STEPS) else []
        back = [self._spelled("step.previous")] if self.place or self.among_sources else []
        named = [answer.spelled for answer in self._answers]
        rest = [*onward, *back, f"{steps} a step", self._spelled("app.help"), self._spelled("app.quit")]
        following = self.session.wizard.keys.row("step.next")
        return self.session.dialogue.ask(
            f"{self._title}. Type {', '.join((*named, *rest))}:",
            *(answer.help_line for answer in self._answers),
            f"{following.letter}, {word_of(following)} or Enter: {following.tooltip}",
            f"{steps}: Go to that step.",
            "Words of this step:",
            *spoken_terms(self.step),
        )

    def _spelled(self, row: str) -> str:
        key = self.session.wizard.keys.row(row)
        return f"{key.letter} {word_of(key)}".lstrip()

    def _answer(self, typed: str) -> None:
        found = find(self._answers, typed)
        if found is None:
            self._navigate(typed)
            return
        answer, words = found
        try:
            answer.run(self.session, words)
        except Back:
            self.session.dialogue.say("Back.")
        except MelleafyError as error:
            self.session.say_error(error)

    def _navigate(self, typed: str) -> None:
        rows = [self.session.wizard.keys.row(name) for name in NAVIGATION]
        places = {str(place + 1): place for place in range(len(STEPS))}
        places.update((row.letter, place) for place, row in enumerate(rows, -1))
        if typed.casefold() in ("", word_of(rows[0])) or places.get(typed) == -1:
            self._go(self.place + 1)
        elif typed in places:
            self._go(places[typed])
        else:
            self.session.dialogue.unknown(typed)

    def _go(self, place: int) -> None:
        if place >= len(STEPS):
            self.session.dialogue.say("This is the last step; quit leaves.")
        elif place < 0:
            self.session.dialogue.say("This is the first step; quit leaves.")
        else:
            self.place = place
            file_commands.notice_change(self.session)
            self._enter()

    def _enter(self) -> None:
        self.session.wizard.seen.add(self.step)
        self.session.dialogue.say()
        self.session.dialogue.say(f"{self._title}.")
        try:
            commands_of(self.step).summary(self.session)
        except MelleafyError as error:
            self.session.say_error(error)

    def _leave(self) -> bool:
        wizard, dialogue = self.session.wizard, self.session.dialogue
        if not wizard.conversion.unsaved:
            return True
        kept = "they are kept and offered at the next start"
        if not wizard.is_journaled:
            kept = "your decisions will be lost: the state folder can't be written"
        options = [
            Choice("keep", "leave", kept, current=True),
            Choice("save", "save them in a decisions file and leave"),
            Choice("stay", "stay"),
            Choice("discard", "discard them and leave"),
        ]
        try:
            value = dialogue.choose("Save your unsaved decisions?", options, enter="leaves")
            if value == "save":
                file_commands.save_decisions(self.session, "")
        except Back:
            return False
        except Quit:
            return True
        except MelleafyError as error:
            self.session.say_error(error)
            return False
        if value == "discard" and wizard.journal is not None:
            wizard.journal.clear()
        return value != "stay"


# --- what can be typed on every step ------------------------------------------------------------


def undo(session: LinearSession, _: str) -> None:
    """Undo the last command, on whichever step it was made."""
    act = session.wizard.undo()
    session.dialogue.say(f"Undone: {act.command.label}." if act else "Nothing to undo.")
    session.keep_journal()


def redo(session: LinearSession, _: str) -> None:
    """Redo the command that was undone last."""
    act = session.wizard.redo()
    session.dialogue.say(f"Redone: {act.command.label}." if act else "Nothing to redo.")
    session.keep_journal()


def show_status(session: LinearSession, _: str) -> None:
    """Show how far each step is and the counts that matter."""
    wizard = session.wizard
    for number, state in enumerate(wizard.step_states, 1):
        count = f", {state.count}" if state.progress is Progress.ATTENTION else ""
        session.dialogue.say(f"{number} {STEP_INFO[state.step].title}: {state.progress.value}{count}")
    figures = wizard.figures
    entries = "1 entry" if figures.entries == 1 else f"{figures.entries} entries"
    session.dialogue.say(
        f"{counted(figures.elements, 'element')}, {entries}, {figures.overrides} overridden, "
        f"{counted(figures.stubs, 'stub')}, {counted(figures.delegates, 'delegate')}, "
        f"{counted(figures.warnings, 'warning')}, {counted(figures.calls, 'model call')} a run, "
        f"{counted(figures.prompt_tokens, 'prompt token')}."
    )
    session.dialogue.say(
        "Decisions: unsaved." if wizard.conversion.unsaved else "Decisions: nothing unsaved."
    )


EVERYWHERE: Final = (
    Action("review.open", review),
    Action("history.undo", undo),
    Action("history.redo", redo, letter="z"),
    Action("decisions.save", file_commands.save_decisions, "FILE", letter="k"),
    Action("source.reread", file_commands.read_again),
    Action("fixtures.pick", file_commands.pick_fixtures, "FOLDER"),
    own("h", "where", show_status, "Show how far each step is and the counts that matter."),
)
"""Actions of every step, besides going to a step, help and leaving."""


def answers_on(step: Step, keys: KeyTable) -> tuple[Answer, ...]:
    """Return what can be typed on a step, the step's own actions first.

    If the user has remapped a key to a letter of this mode, the key wins; the action's word still works.
    """
    actions = (*commands_of(step).actions, *EVERYWHERE)
    rows = {key.id: key for key in keys.rows}
    used = (*(action.row for action in actions), *NAVIGATION, *AT_EVERY_QUESTION)
    taken = {rows[name].letter for name in used if name}
    return tuple(_answer(action, rows.get(action.row), taken) for action in actions)


def _answer(action: Action, row: Key | None, taken: set[str]) -> Answer:
    letter = row.letter if row is not None else ""
    if not letter and action.letter not in taken:
        letter = action.letter
    word = action.word or (word_of(row) if row is not None else "")
    does = action.does or (row.tooltip if row is not None else "")
    return Answer(letter, word, does, action.takes, action.run)


def run_among_sources(
    sources: FolderSources, console: Console, keys: KeyTable, convert: Callable[[Path], int | None]
) -> int:
    """Ask which source to convert, until the user leaves, and return the exit code.

    Args:
        sources: The folder, and the sources in it.
        console: Where the lines go.
        keys: The user's key table.
        convert: Converts a source line by line and returns the exit code, or None to ask again.
    """
    accept_any_bytes()
    dialogue = Dialogue(console, sys.stdin, keys=keys)
    while True:
        try:
            path = _ask(sources, dialogue)
        except (Back, Quit):
            return 0
        except InputEnded:
            console.message("The input ended; nothing was lost.")
            return INTERRUPTED
        if path is None:
            return 0
        try:
            code = convert(sources.folder / path)
        except MelleafyError as error:  # the other sources may be readable
            console.error(error)
            continue
        if code is not None:
            return code


def _ask(sources: FolderSources, dialogue: Dialogue) -> str | None:
    count = counted(len(sources.found), "source")
    dialogue.say(f"{sources.folder} isn't a source itself; it holds {count}.")
    return dialogue.choose(
        "Which one do you want to convert?",
        [Choice(source.path, source.path, source_words(source)) for source in sources.found],
        enter="leaves",
        help_text=f"To convert all of them, leave and run {sources.command_for_all}.",
    )
