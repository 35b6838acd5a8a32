"""Files in plain lines: loading and saving decisions, what became of each, journals left behind, the output folder."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from melleafy_tui.commands.linear.dialogue import Option
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.commands.states import states_in_words, text_lines
from melleafy_tui.core.decisions.commands import AcceptSuggestion, ChangeSettings, DropUnplaced
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.typed_paths import typed_path
from melleafy_tui.words import place


def say_states(talk: Talk, states: Iterable[OverrideState], *, of: str = "Decisions of the file") -> None:
    """Say what became of each decision that is not simply applied, then the counts.

    Args:
        talk: The user and the conversion.
        states: What became of each.
        of: Whose decisions they are.
    """
    every = tuple(states)
    for state in every:
        if state.state is not DecisionState.APPLIED:
            talk.dialogue.say(f"{state.state}: {state.name}: {state.choice}. {state.message}")
            for line in text_lines(state):
                talk.dialogue.say(line)
    talk.dialogue.say(f"{of}: {states_in_words(every)}." if every else "It holds no override.")
    if talk.session.conversion.decisions.unplaced:
        talk.dialogue.say("Some have no place in this workspace; p on step 3 takes or drops them.")


def load_decisions(talk: Talk, words: str) -> None:
    """Load a decisions file in the place of what was decided here."""
    suggested = talk.session.suggested_decisions_path
    answer = words or talk.dialogue.ask(
        f"Which decisions file? Enter takes {place(suggested)}; type another path, or b to go back:",
        "It takes the place of what you decided here; u takes that back.",
    )
    states = talk.session.load(typed_path(answer) if answer else suggested)
    talk.keep_journal()
    say_states(talk, states)


def save_decisions(talk: Talk, words: str) -> None:
    """Save the decisions, asking where the first time."""
    path = typed_path(words) if words else talk.session.decisions_path
    if path is None:
        suggested = talk.session.suggested_decisions_path
        answer = talk.dialogue.ask(
            f"Where to save the decisions? Enter takes {place(suggested)}; type another path, or b to go back:",
            "A JSON file to keep and review; later runs read it.",
        )
        path = typed_path(answer) if answer else suggested
    talk.session.save(path)
    talk.dialogue.say(f"Saved in {place(path)}.")


def choose_output(talk: Talk, _: str) -> None:
    """Ask for the output folder and the name of the package."""
    session = talk.session
    out = talk.dialogue.text("Which output folder?", current=place(session.out))
    named = session.conversion.settings.package_name or ""
    name = talk.dialogue.text(
        "Which package name? Empty takes it from the source.",
        current=named or session.conversion.committed.package_name,
    )
    if out:
        session.choose_out(typed_path(out))
        talk.dialogue.say(f"The output folder is {place(session.out)}.")
    if name is not None:
        talk.act(ChangeSettings({"package_name": name or None}), f"Package name: {name or 'from the source'}")


def place_unplaced(talk: Talk, _: str) -> None:
    """Ask about each decision of a file whose element is gone."""
    waiting = talk.session.conversion.decisions.unplaced
    if not waiting:
        talk.dialogue.say("Every decision has its place.")
    for kept in waiting:
        name = kept.item.name
        state = next((state for state in talk.session.states if state.item is kept.item), None)
        for line in text_lines(state) if state else ():
            talk.dialogue.say(line)
        options = [
            Option("keep", "leave it in the file", "it is not applied", current=True),
            Option("drop", "drop it"),
        ]
        if kept.suggestion:
            alike = (
                f"{state.likeness:.0%} alike" if state and state.likeness is not None else "which is like it"
            )
            options.insert(0, Option("accept", f"apply it to {kept.suggestion}", alike))
        value = talk.dialogue.choose(f"The element of decision {name} is gone. What becomes of it?", options)
        if value == "accept":
            talk.act(AcceptSuggestion(name), f"Applied to {kept.suggestion}")
        elif value == "drop":
            talk.act(DropUnplaced((name,)), "Dropped")


def offer_what_was_left(talk: Talk, left: Sequence[JournalEntry], beside: Path | None) -> None:
    """Offer the journals of runs that did not end well, newest first, then a decisions file that lies here."""
    for entry in left:
        acts = "1 act" if entry.acts == 1 else f"{entry.acts} acts"
        options = [
            Option("resume", "take them up again"),
            Option("later", "not now", "they are offered again", current=True),
            Option("discard", "give them up"),
        ]
        said = f"The last wizard here ended {entry.age(datetime.now(UTC))} with {acts} unsaved."
        value = talk.dialogue.choose(f"{said} What becomes of these decisions?", options)
        if value == "discard":
            discard(entry)
        elif value == "resume":
            try:
                states = talk.session.resume(entry)
            except MelleafyError as error:
                talk.say_error(error)
                continue
            talk.keep_journal()
            if talk.session.journal is not None:
                discard(entry)
            say_states(talk, states)
            return
    if beside is not None and talk.dialogue.confirm(f"A decisions file lies in {place(beside)}. Load it?"):
        load_decisions(talk, str(beside))
