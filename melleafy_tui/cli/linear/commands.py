"""Defines what can be typed on each step: actions of the key table, and actions of the plain-line mode only.

An action of the key table takes its letter, word and help from its row. If the wizard's key can't be typed in
a line (Ctrl+S, Backspace) or there is none, the action has its own letter here.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.key_table import Key, KeyTable
from melleafy_tui.actions.labels import DISPOSITION_LABELS
from melleafy_tui.actions.steps import STEP_TITLES, STEPS, Progress, Step
from melleafy_tui.actions.workspace_exports import SURFACES_DOES, WORKSPACE_DOES
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear import decide, detect, files, inventory, preview, write
from melleafy_tui.cli.linear.session import LinearSession

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


# --- everywhere -------------------------------------------------------------------------------


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
        session.dialogue.say(f"{number} {STEP_TITLES[state.step]}: {state.progress.value}{count}")
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


# --- action tables ----------------------------------------------------------------------------

EVERYWHERE: Final = (
    Action("history.undo", undo),
    Action("history.redo", redo, letter="z"),
    Action("decisions.save", files.save_decisions, "FILE", letter="k"),
    Action("source.reread", files.read_again),
    Action("fixtures.pick", files.pick_fixtures, "FOLDER"),
    Action("package.export", write.export_workspace),
    own("h", "where", show_status, "Show how far each step is and the counts that matter."),
)
"""Actions of every step, besides going to a step, help and leaving."""

OF_STEPS: Final[dict[Step, tuple[Action, ...]]] = {
    Step.DETECT: (
        own("s", "signals", detect.list_signals, "List the scores, and each signal with its file and line."),
        own(
            "f",
            "findings",
            detect.review_findings,
            "List the findings, and mark warnings as reviewed.",
            "WORDS",
        ),
        Action(
            "search.start", detect.search, "WORDS", does="List the signals and findings that contain a text."
        ),
        Action("detect.runtime", detect.choose_runtime),
        Action("detect.modality", detect.choose_modality),
        Action("detect.output", files.choose_output),
        Action("detect.backend", detect.choose_backend),
        Action("detect.load", files.load_decisions, "FILE"),
    ),
    Step.INVENTORY: (
        Action("filter.choose", inventory.list_elements),
        Action("search.start", inventory.search, "WORDS", does="List the elements that contain a text."),
        own(
            "t",
            "tell",
            inventory.tell,
            "Show one element (its number or FILE:LINE) with its source lines.",
            "ELEMENT",
        ),
        Action("inventory.retag", inventory.retag, "ELEMENT"),
        Action("inventory.recategorise", inventory.recategorise, "ELEMENT"),
        Action("inventory.release", inventory.release, "ELEMENT"),
        Action("inventory.emitted", inventory.show_emitted, "ELEMENT"),
        Action(
            "inventory.view",
            inventory.list_files,
            "FILE",
            word="files",
            does="List the files with their coverage, or show the lines of one.",
        ),
        Action("inventory.restore", inventory.restore, "ELEMENT", letter="-"),
    ),
    Step.DECIDE: (
        Action("decide.attention", decide.walk, does="Go through the entries that need attention."),
        Action("decide.conflicts", decide.resolve_conflicts),
        Action("filter.choose", decide.list_entries, "WORDS"),
        Action("search.start", decide.search, "WORDS", does="List the entries that contain a text."),
        own("t", "tell", decide.tell, "Show one entry and what it changes in the output.", "ENTRY"),
        own(
            "o",
            "override",
            decide.override,
            "Choose the disposition of one entry, of several (3 5 8-12), or of those listed last (listed).",
            "ENTRY",
        ),
        *(
            Action(
                row,
                partial(decide.set_disposition, disposition),
                "ENTRY",
                letter="" if disposition else decide.DEFAULT[0],
                word=DISPOSITION_LABELS[disposition] if disposition else decide.DEFAULT[1],
            )
            for row, disposition in decide.DISPOSITION_KEYS.items()
        ),
        Action("decide.individually", decide.judge_alone, "ENTRY"),
        Action(
            "decide.mark-all",
            decide.override_all,
            "WORDS",
            word="all",
            does="Choose one disposition for all entries of a filter, or with a text.",
        ),
        Action(
            "decide.group",
            decide.override_group,
            does="Choose one disposition for a category or a mapping row.",
        ),
        Action("decide.unseen", decide.drop_unseen),
        Action("decide.rationale", decide.give_reason, "ENTRY"),
        Action("decide.differences", decide.list_differences),
        own("g", "orphaned", files.resolve_orphaned, "Apply or drop decisions whose element was deleted."),
    ),
    Step.PREVIEW: (
        own("l", "list", preview.list_files, "List the files with what a write does to each."),
        own("t", "tell", preview.show, "Show the content of a file, line by line.", "FILE"),
        Action("preview.view", preview.view, "FILE"),
        Action(
            "preview.source",
            preview.show_source,
            "FILE[:LINE]",
            does="Show the source lines of a file, or of one of its lines.",
        ),
        Action("search.start", preview.search, "WORDS", does="List the emitted lines that contain a text."),
        Action(
            "preview.lint",
            preview.list_lints,
            word="lints",
            does="List each lint failure with file and line.",
        ),
    ),
    Step.WRITE: (
        own("l", "list", write.list_plan, "List the files with what a write does to each."),
        Action("write.write", write.write_package),
        Action("write.smoke", write.smoke),
        own(
            "r",
            "result",
            write.show_result,
            "Show what is left to do, what to try, and the equivalent command line.",
        ),
        Action("write.output", files.choose_output),
        Action("write.save", files.save_decisions, "FILE"),
        own("a", "surfaces", write.extract_surfaces, SURFACES_DOES),
        own("t", "workspace", write.assemble_workspace, WORKSPACE_DOES),
    ),
}
"""Actions of each step."""

SUMMARIES: Final[dict[Step, Callable[[LinearSession], None]]] = {
    Step.DETECT: detect.summary,
    Step.INVENTORY: inventory.summary,
    Step.DECIDE: decide.summary,
    Step.PREVIEW: preview.summary,
    Step.WRITE: write.summary,
}
"""What is shown when a step begins."""

NAVIGATION: Final = ("step.next", *(f"step.{number}" for number in range(1, len(STEPS) + 1)))
AT_EVERY_QUESTION: Final = ("step.previous", "app.help", "app.quit")


def answers_on(step: Step, keys: KeyTable) -> tuple[Answer, ...]:
    """Return what can be typed on a step, the step's own actions first.

    If the user has remapped a key to a letter of this mode, the key wins; the action's word still works.
    """
    actions = (*OF_STEPS[step], *EVERYWHERE)
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


def word_of(row: Key) -> str:
    """Return the label of a key as a word to type."""
    return row.label.rstrip("….").casefold()


def find(answers: tuple[Answer, ...], typed: str) -> tuple[Answer, str] | None:
    """Return the answer that was typed and the rest of the line, or None.

    Letters are case-sensitive (`t` is not `T`) unless only one of the two is an answer. No space is needed
    after a sign: `/words`.
    """
    head, _, rest = typed.partition(" ")
    for answer in answers:
        if answer.letter and head == answer.letter:
            return answer, rest.strip()
    lower = f"{typed.casefold()} "
    for answer in sorted(answers, key=lambda each: -len(each.word)):
        if lower.startswith(f"{answer.word} "):
            return answer, typed[len(answer.word) :].strip()
    for answer in answers:
        if answer.letter and not answer.letter.isalnum() and head.startswith(answer.letter):
            return answer, typed.removeprefix(answer.letter).strip()
    alike = [answer for answer in answers if answer.letter and head.casefold() == answer.letter.casefold()]
    return (alike[0], rest.strip()) if len(alike) == 1 else None
