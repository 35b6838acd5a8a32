"""What the wizard asks about decisions it did not see being made: left by a crash, in a file, or without a place.

Each question is offered and nothing is imposed: closing a dialog leaves everything as it is.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from textual.app import App

from melleafy_tui.apart import Apart, LongAct
from melleafy_tui.core.decisions.commands import AcceptSuggestion, Command, DropUnplaced
from melleafy_tui.core.decisions.file import read_decisions
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Unplaced
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.widgets.decision_states import state_lines, text_lines
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, TextDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession, taken_up
from melleafy_tui.words import followed_words, place


class DecisionQuestions:
    """The questions of one wizard.

    Args:
        app: Where the dialogs are shown.
        session: The conversion in the hands of this user.
        apart: Carries out long acts.
        act: Carries out a command, with the words that are shown when it is done.
        changed: Called after the decisions were replaced.
        fail: Shows an error under a title.
        left_behind: Journals of earlier wizards on this workspace that did not end well.
        beside: A decisions file that lies beside the workspace and is not in use.
    """

    def __init__(
        self,
        app: App[int],
        session: WizardSession,
        *,
        apart: Apart,
        act: Callable[[Command, str], None],
        changed: Callable[[], None],
        fail: Callable[[str, MelleafyError], None],
        left_behind: Sequence[JournalEntry] = (),
        beside: Path | None = None,
    ) -> None:
        self._app, self._session = app, session
        self._apart = apart
        self._act, self._changed, self._fail = act, changed, fail
        self._left_behind = sorted(left_behind, key=lambda entry: entry.saved_at)
        self._beside = beside
        self._passed_over: set[str] = set()

    def begin(self) -> None:
        """Ask what there is to ask when the wizard opens: a journal first, then the file."""
        if self._left_behind:
            self._offer_journal(self._left_behind.pop())
        elif self._beside is not None:
            self._offer_file(self._beside)
        elif any(state.state is not DecisionState.APPLIED for state in self._session.states):
            self.say_states(self._session.states)

    def say_states(self, states: Iterable[OverrideState]) -> None:
        """Show what became of each entry of a file, then offer the suggestions."""
        dialog = TextDialog("What became of each decision", state_lines(states))
        self._app.push_screen(dialog, lambda _: self._offer_suggestions())

    def say_followed(self, states: Sequence[OverrideState]) -> None:
        """Say that the source was read again, and what became of each decision unless all of them followed."""
        if any(state.state is not DecisionState.APPLIED for state in states):
            self.say_states(states)
        else:
            self._app.notify(f"Read again; {followed_words(len(states))}.", markup=False)

    def load(self, path: Path) -> None:
        """Load a decisions file and show what became of each entry."""

        def done(states: tuple[OverrideState, ...]) -> None:
            self._session.note_loaded(path, states)
            self._changed()
            self.say_states(states)

        self._apart.begin(
            LongAct(
                "Loading the decisions",
                lambda conversion: conversion.load(read_decisions(path)),
                done=done,
                refused=lambda error: self._fail("The decisions are not loaded", error),
            )
        )

    def ask_about_unplaced(self) -> None:
        """List the decisions that have no place in the workspace, to take or to drop."""
        waiting = self._session.conversion.decisions.unplaced
        choices = [
            Choice(str(number), kept.item.name, f"{kept.suggestion} is alike" if kept.suggestion else "nothing like it")
            for number, kept in enumerate(waiting)
        ]  # fmt: skip

        def decide(value: str | None) -> None:
            if value is not None:
                self._ask_about(waiting[int(value)], self.ask_about_unplaced)

        if waiting:
            self._app.push_screen(ChoiceDialog("Decisions without a place", choices), decide)
        else:
            self._app.notify("Every decision has its place.", markup=False)

    # --- a journal -----------------------------------------------------------------------------

    def _offer_journal(self, entry: JournalEntry) -> None:
        acts = "1 act" if entry.acts == 1 else f"{entry.acts} acts"
        choices = [
            Choice("resume", "Take them up again", current=True),
            Choice("later", "Not now", "they are offered again"),
            Choice("discard", "Give them up"),
        ]
        lead: list[Line] = [
            ((f"The last wizard here ended {entry.age(datetime.now(UTC))} with {acts} unsaved.", Tone.TEXT),)
        ]
        if self._left_behind:
            lead.append(((f"{len(self._left_behind)} more were left behind before it.", Tone.MUTED),))

        def decide(value: str | None) -> None:
            if value == "resume":
                self._resume(entry)
                return
            if value == "discard":
                discard(entry)
            self.begin()

        self._app.push_screen(ChoiceDialog("Unsaved decisions were left behind", choices, lead=lead), decide)

    def _resume(self, entry: JournalEntry) -> None:
        def done(states: tuple[OverrideState, ...]) -> None:
            self._session.note_resumed(entry, states)
            self._changed()
            if self._session.journal is not None:
                discard(entry)
            if any(state.state is not DecisionState.APPLIED for state in states):
                self.say_states(states)
            else:
                self._app.notify(f"{len(states)} decisions are back.", markup=False)

        self._apart.begin(
            LongAct(
                "Taking the decisions up again",
                lambda conversion: taken_up(conversion, entry),
                done=done,
                refused=lambda error: self._fail("They cannot be taken up again", error),
            )
        )

    # --- a file beside the workspace -----------------------------------------------------------

    def _offer_file(self, path: Path) -> None:
        self._beside = None
        choices = [
            Choice("load", "Load it", "u takes that back", current=True),
            Choice("later", "Not now", "d loads it later"),
        ]
        lead: list[Line] = [((place(path), Tone.STRONG),)]

        def decide(value: str | None) -> None:
            if value == "load":
                self.load(path)

        self._app.push_screen(ChoiceDialog("A decisions file lies here", choices, lead=lead), decide)

    # --- decisions without a place -------------------------------------------------------------

    def _offer_suggestions(self) -> None:
        waiting = self._session.conversion.decisions.unplaced
        for kept in waiting:
            if kept.suggestion and kept.item.name not in self._passed_over:
                self._passed_over.add(kept.item.name)
                self._ask_about(kept, self._offer_suggestions)
                return

    def _ask_about(self, kept: Unplaced, after: Callable[[], None]) -> None:
        name = kept.item.name
        choices = [Choice("keep", "Leave it in the file", "it is not applied"), Choice("drop", "Drop it")]
        lead: list[Line] = [((name, Tone.STRONG),)]
        state = next((state for state in self._session.states if state.item is kept.item), None)
        if kept.suggestion:
            choices.insert(0, Choice("accept", "Take the other one", kept.suggestion, current=True))
            alike = f", {state.likeness:.0%} alike" if state and state.likeness is not None else ""
            lead.append(((f"is gone; there is one like it{alike}:", Tone.MUTED),))
        else:
            lead.append((("is gone, and nothing is like it.", Tone.MUTED),))
        lead.extend(text_lines(state) if state else [])

        def decide(value: str | None) -> None:
            if value == "accept":
                self._act(AcceptSuggestion(name), f"Applied to {kept.suggestion}.")
            elif value == "drop":
                self._act(DropUnplaced((name,)), "Dropped.")
            if value is not None:
                after()

        self._app.push_screen(ChoiceDialog("A decision without a place", choices, lead=lead), decide)
