"""Dialogs about decisions from elsewhere: an unsaved journal, a decisions file, and orphaned decisions.

Closing a dialog changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from melleafy_tui.actions.choices import Choice, Field
from melleafy_tui.actions.display_names import followed_words, path_fault, place, typed_path
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.session import resume_journal
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import APPLIED_STATES, DecisionState, OverrideState
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.file_effects import offer_of
from melleafy_tui.widgets.dialogs import (
    ChoiceDialog,
    FormDialog,
    TextDialog,
)
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.wizard.operations import Operations

if TYPE_CHECKING:  # most wizards load no decisions file
    from melleafy_tui.core.models.decisions import DecisionsDocument


class DecisionQuestions:
    """Shows one wizard's dialogs about decisions.

    Args:
        app: Shows the dialogs.
        operations: Carries out the choice.
        left_behind: Journals of earlier wizards on this workspace that ended abnormally.
        beside: A decisions file next to the workspace that is not in use.
    """

    def __init__(
        self,
        app: App[int],
        operations: Operations,
        *,
        left_behind: Sequence[JournalEntry] = (),
        beside: Path | None = None,
    ) -> None:
        self._app, self._operations, self._session = app, operations, operations.session
        self._left_behind = sorted(left_behind, key=lambda entry: entry.saved_at)
        self._beside = beside

    def begin(self) -> None:
        """Ask the questions of the start: about a journal first, then about a decisions file."""
        if self._left_behind:
            self._offer_journal(self._left_behind.pop())
        elif self._beside is not None:
            self._offer_file(self._beside)
        elif any(state.state is not DecisionState.APPLIED for state in self._session.states):
            self.say_states(self._session.states)

    def say_states(self, states: Iterable[OverrideState], effects: Iterable[str] = ()) -> None:
        """Show what a file does and the status of each decision of it; the review asks about those without a row."""
        said: list[Line] = [((line, Tone.WARN),) for line in effects]
        self._app.push_screen(TextDialog("Decision status", [*said, *state_lines(states)]))

    def reread(self) -> None:
        """Read the source again, and show the status of the decisions."""
        newer = self._session.newer
        if newer is None:
            self._app.notify("The source hasn't changed.", markup=False)
            return

        def done(states: tuple[OverrideState, ...]) -> None:
            self._session.note_reread(states)
            self._operations.decisions_changed()
            self._say_unless_applied(states, f"Read again; {followed_words(len(states))}.")

        self._operations.run(
            "Reading the source again",
            lambda conversion: conversion.reread(newer),
            done=done,
            refused=lambda error: self._operations.fail("The source can't be read as it is now", error),
        )

    def _say_unless_applied(self, states: Sequence[OverrideState], note: str) -> None:
        if any(state.state is not DecisionState.APPLIED for state in states):
            self.say_states(states)
        else:
            self._app.notify(note, markup=False)

    def ask_what_to_load(self) -> None:
        """Ask which decisions file to load."""
        field = Field("path", "File", place(self._session.suggested_decisions_path), path_fault)

        lead: list[Line] = [(("It replaces what you decided here; u undoes that.", Tone.MUTED),)]
        form = FormDialog("Load decisions", [field], lead=lead)
        form.ask(self._app, lambda values: self.load(typed_path(values["path"])))

    def load(self, path: Path) -> None:
        """Load a decisions file and show the status of each decision."""
        from melleafy_tui.core.decisions.file import read_decisions

        def read_and_load(conversion: Conversion) -> "tuple[tuple[OverrideState, ...], DecisionsDocument]":
            document = read_decisions(path)
            return conversion.load(document), document

        def done(loaded: "tuple[tuple[OverrideState, ...], DecisionsDocument]") -> None:
            states, document = loaded
            self._session.note_loaded(path, states, document)
            self._operations.decisions_changed()
            self.say_states(states, self._session.effects.lines)

        self._operations.run(
            "Loading the decisions",
            read_and_load,
            done=done,
            refused=lambda error: self._operations.fail("The decisions are not loaded", error),
        )

    # --- a journal -----------------------------------------------------------------------------

    def _offer_journal(self, entry: JournalEntry) -> None:
        changes = counted(entry.acts, "change")
        choices = [
            Choice("resume", "Restore", current=True),
            Choice("later", "Not now", "they will be offered again"),
            Choice("discard", "Discard"),
        ]
        lead: list[Line] = [
            (
                (
                    f"The last wizard here ended {entry.age(datetime.now(UTC))} with {changes} unsaved.",
                    Tone.TEXT,
                ),
            )
        ]
        if self._left_behind:
            lead.append(((f"Earlier wizards with unsaved decisions: {len(self._left_behind)}.", Tone.MUTED),))

        def decide(value: str | None) -> None:
            if value == "resume":
                self._resume(entry)
                return
            if value == "discard":
                discard(entry)
            self.begin()

        self._app.push_screen(
            ChoiceDialog("Unsaved decisions from an earlier session", choices, lead=lead), decide
        )

    def _resume(self, entry: JournalEntry) -> None:
        def done(states: tuple[OverrideState, ...]) -> None:
            self._session.note_resumed(entry, states)
            self._operations.decisions_changed()
            if self._session.is_journaled:
                discard(entry)
            self._say_unless_applied(states, f"{len(states)} decisions restored.")

        self._operations.run(
            "Restoring the decisions",
            lambda conversion: resume_journal(conversion, entry),
            done=done,
            refused=lambda error: self._operations.fail("They can't be restored", error),
        )

    # --- a decisions file next to the workspace ------------------------------------------------

    def _offer_file(self, path: Path) -> None:
        self._beside = None
        offer = offer_of(path)
        choices = [
            Choice("load", "Load it", "u undoes that", current=offer.is_own),
            Choice("later", "Not now", "d loads it later", current=not offer.is_own),
        ]
        lead: list[Line] = [((place(path), Tone.STRONG),)]
        lead.extend(((line, Tone.TEXT if offer.is_own else Tone.WARN),) for line in offer.lines)

        dialog = ChoiceDialog("Found a decisions file", choices, lead=lead)
        dialog.ask(self._app, lambda value: self.load(path) if value == "load" else None)


def state_lines(states: Iterable[OverrideState]) -> list[Line]:
    """Return the number of decisions by status, then each decision, those that need review first."""
    ordered = sorted(states, key=lambda state: (_urgency(state), state.section, state.name))
    if not ordered:
        return [(("The file has no overrides; its settings apply.", Tone.TEXT),)]
    counts = Counter(state.state for state in ordered)
    summary = ", ".join(f"{counts[state]} {state}" for state in DecisionState if counts[state])
    lines: list[Line] = [((summary, Tone.HEADING),), ()]
    for state in ordered:
        sure = state.state is DecisionState.APPLIED
        applied = state.state in APPLIED_STATES
        lines.append(
            (
                (f"{'✓' if applied else '!'} {state.state}", Tone.GOOD if sure else Tone.WARN),
                ("  " + state.name, Tone.TEXT),
                (f"  {state.choice}", Tone.STRONG),
            )
        )
        lines.append(((f"  {state.message}", Tone.MUTED),))
        lines.extend(text_lines(state))
    return lines


def text_lines(state: OverrideState) -> list[Line]:
    """Return the old and the new text of a decision whose element's text has changed."""
    if not state.text_differs:
        return []
    return [
        ((f"  {sign} {text}", tone),)
        for sign, text, tone in (("-", state.old_text, Tone.REMOVED), ("+", state.new_text, Tone.ADDED))
        if text
    ]


def _urgency(state: OverrideState) -> int:
    if state.state not in APPLIED_STATES:
        return 0
    return 2 if state.state is DecisionState.APPLIED else 1
