"""Files in plain lines: decisions, the output folder, the source on disk, fixtures from the agent's history."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.display_names import changed_words, followed_words, place, typed_path
from melleafy_tui.actions.fixture_picks import (
    FIXTURES_TITLE,
    FOLDER_ASKED,
    NAMES_ASKED,
    ONLY_TRANSCRIPTS,
    UNREADABLE_TITLE,
    WHICH_SESSION,
    AgentHistory,
    SessionChoice,
    pick_or_give_back,
    picked_messages,
    read_history,
)
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.linear_session import LinearSession, typed_numbers
from melleafy_tui.cli.review_lines import states_in_words, text_lines
from melleafy_tui.core.decisions.commands import AcceptSuggestion, ChangeSettings, DropUnplaced
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.decisions import MOST_PICKED
from melleafy_tui.core.models.history import FixtureCandidate
from melleafy_tui.core.pipeline.file_effects import offer_of

# --- decisions --------------------------------------------------------------------------------


def show_states(
    session: LinearSession, states: Iterable[OverrideState], *, of: str = "Decisions of the file"
) -> None:
    """List each decision that wasn't simply applied, with its status, then the counts.

    Args:
        session: The user and the conversion.
        states: The status of each decision.
        of: Whose decisions they are.
    """
    every = tuple(states)
    for state in every:
        if state.state is not DecisionState.APPLIED:
            session.dialogue.say(f"{state.state}: {state.name}: {state.choice}. {state.message}")
            for line in text_lines(state):
                session.dialogue.say(line)
    session.dialogue.say(f"{of}: {states_in_words(every)}." if every else "The file has no overrides.")
    if session.wizard.conversion.decisions.unplaced:
        session.dialogue.say("Some decisions are orphaned; type orphaned on step 3 to apply or drop them.")


def load_decisions(session: LinearSession, words: str) -> None:
    """Load a decisions file; it replaces what was decided here."""
    suggested = session.wizard.suggested_decisions_path
    answer = words or session.dialogue.ask(
        f"Which decisions file? Enter takes {place(suggested)}; type another path, or back:",
        "It replaces what you decided here; undo reverts that.",
    )
    states = session.wizard.load(typed_path(answer) if answer else suggested)
    session.keep_journal()
    for line in session.wizard.effects.lines:
        session.dialogue.say(line)
    show_states(session, states)


def save_decisions(session: LinearSession, words: str) -> None:
    """Save the decisions, asking where the first time."""
    path = typed_path(words) if words else session.wizard.decisions_path
    if path is None:
        suggested = session.wizard.suggested_decisions_path
        answer = session.dialogue.ask(
            f"Where to save the decisions? Enter takes {place(suggested)}; type another path, or back:",
            "A JSON file to keep and review; later runs read it.",
        )
        path = typed_path(answer) if answer else suggested
    backup = session.wizard.save(path)
    session.dialogue.say(f"Saved in {place(path)}.")
    if backup is not None:
        session.dialogue.say(f"The file that was there is kept in {place(backup)}.")


# --- the output folder ------------------------------------------------------------------------


def choose_output(session: LinearSession, _: str) -> None:
    """Ask for the output folder and the name of the package."""
    wizard = session.wizard
    out = session.dialogue.text("Which output folder?", current=place(wizard.out))
    named = wizard.conversion.settings.package_name or ""
    name = session.dialogue.text(
        "Which package name? Empty takes it from the source.",
        current=named or wizard.conversion.committed.package_name,
    )
    if out:
        wizard.choose_out(typed_path(out))
        session.dialogue.say(f"The output folder is {place(wizard.out)}.")
    if name is not None:
        session.act(
            ChangeSettings({"package_name": name or None}), f"Package name: {name or 'from the source'}"
        )


def resolve_orphaned(session: LinearSession, _: str) -> None:
    """Ask about each decision whose element was deleted."""
    waiting = session.wizard.conversion.decisions.unplaced
    if not waiting:
        session.dialogue.say("No orphaned decisions.")
    for kept in waiting:
        name = kept.item.name
        state = next((state for state in session.wizard.states if state.item is kept.item), None)
        for line in text_lines(state) if state else ():
            session.dialogue.say(line)
        options = [
            Choice("keep", "leave it in the file", "not applied", current=True),
            Choice("drop", "drop it"),
        ]
        if kept.suggestion:
            options.insert(0, Choice("accept", f"apply it to {kept.suggestion}", _similarity(state)))
        value = session.dialogue.choose(f"{name} was deleted. What should happen to its decision?", options)
        if value == "accept":
            session.act(AcceptSuggestion(name), f"Applied to {kept.suggestion}")
        elif value == "drop":
            session.act(DropUnplaced((name,)), "Dropped")


def _similarity(state: OverrideState | None) -> str:
    if state is None or state.similarity is None:
        return "similar text"
    return f"{state.similarity:.0%} alike"


def offer_unsaved(session: LinearSession, left: Sequence[JournalEntry], found: Path | None) -> None:
    """Offer unsaved decisions of earlier sessions, newest first, then a decisions file that was found."""
    for entry in left:
        options = [
            Choice("restore", "restore them"),
            Choice("later", "not now", "they will be offered again", current=True),
            Choice("discard", "discard them"),
        ]
        changes = f"{entry.age(datetime.now(UTC))}, {counted(entry.acts, 'change')}"
        value = session.dialogue.choose(
            f"Unsaved decisions from an earlier session ({changes}). Restore them?", options
        )
        if value == "discard":
            discard(entry)
        elif value == "restore":
            try:
                states = session.wizard.resume(entry)
            except MelleafyError as error:
                session.say_error(error)
                continue
            session.keep_journal()
            if session.wizard.is_journaled:
                discard(entry)
            show_states(session, states)
            return
    if found is None:
        return
    session.dialogue.say(f"Found a decisions file: {place(found)}.")
    for line in offer_of(found).lines:
        session.dialogue.say(line)
    if session.dialogue.confirm("Load the decisions file?"):
        load_decisions(session, str(found))


# --- the source on disk -----------------------------------------------------------------------


_LISTED: Final = 6


def notice_change(session: LinearSession) -> None:
    """Say that the source changed on disk, once for each change.

    This is checked when a step begins: lines in between would interrupt a screen reader.
    """
    known = session.wizard.newer
    try:
        changed = look_again(session)
    except MelleafyError:
        return  # deleted, or an editor is replacing it: the write reports it
    newer = session.wizard.newer
    if newer is not None and (known is None or known.files != newer.files):
        session.dialogue.say(f"The source changed on disk: {changed_words(changed)}.")
        session.dialogue.say("Type read again to load it; your decisions are kept.")


def look_again(session: LinearSession) -> tuple[str, ...]:
    """Return the source files that changed since they were read, and keep the new version.

    Raises:
        MelleafyError: the workspace can't be read any more.
    """
    wizard = session.wizard
    return wizard.note_newer(wizard.read_source()) if wizard.read_source is not None else ()


def read_again(session: LinearSession, _: str) -> None:
    """Go on with the source as it is on disk; decisions follow their elements."""
    if look_again(session):
        _take(session)
    else:
        session.dialogue.say("The source hasn't changed.")


def _take(session: LinearSession) -> None:
    states = session.wizard.take_newer()
    session.keep_journal()
    if any(state.state is not DecisionState.APPLIED for state in states):
        session.dialogue.say("Read again.")
        show_states(session, states, of="Your decisions")
    else:
        session.dialogue.say(f"Read again; {followed_words(len(states))}.")


def may_write(session: LinearSession) -> bool:
    """Return whether to write: the source is unchanged on disk, or the user confirms.

    Raises:
        MelleafyError: the workspace can't be read any more.
    """
    changed = look_again(session)
    if not changed:
        return True
    session.dialogue.say("The source changed on disk:")
    for path in changed[:_LISTED]:
        session.dialogue.say(f"  {path}")
    if len(changed) > _LISTED:
        session.dialogue.say(f"  and {len(changed) - _LISTED} more")
    options = [
        Choice("read", "read it again", "your decisions are kept"),
        Choice("write", "write anyway", "from what was read before"),
    ]
    value = session.dialogue.choose("Write anyway?", options, enter="writes nothing")
    if value == "read":
        _take(session)
        session.dialogue.say("Nothing is written yet; type write to write it.")
    return value == "write"


# --- fixtures from the agent's history --------------------------------------------------------

LONGEST_TURN: Final = 240
"""Characters of a turn that a list shows; its fixture has all of it."""


def pick_fixtures(session: LinearSession, words: str) -> None:
    """Ask for the state folder, the sessions and the turns; each pick can be undone on its own."""
    dialogue = session.dialogue
    dialogue.say(f"{FIXTURES_TITLE}. {ONLY_TRANSCRIPTS}")
    folder = words or dialogue.name(f"{FOLDER_ASKED}?", "Nothing is read without it.")
    names = dialogue.text(f"{NAMES_ASKED}?") or ""
    try:
        history = read_history(folder, names)
        chosen = _choose_session(session, history)
        proposal = history.propose(chosen) if chosen is not None else None
    except MelleafyError as error:
        dialogue.say(f"{UNREADABLE_TITLE}: {error}")
        return
    if proposal is None:
        return
    if proposal.candidates:
        _pick(session, proposal.candidates)
        return
    passed = ", ".join(f"{count} {reason}" for reason, count in proposal.passed_over.items())
    dialogue.say(f"No user turn can become a fixture{f'; skipped: {passed}' if passed else ''}.")


def _choose_session(session: LinearSession, history: AgentHistory) -> str | None:
    options = [Choice(each.value, each.label, _note(each)) for each in history.choices]
    return session.dialogue.choose(f"{WHICH_SESSION}?", options, enter="cancels")


def _note(choice: SessionChoice) -> str:
    parts = (choice.when, counted(choice.turns, "user turn"), choice.where)
    return ", ".join(part for part in parts if part)


def _pick(session: LinearSession, candidates: tuple[FixtureCandidate, ...]) -> None:
    dialogue = session.dialogue
    _list_turns(session, candidates)
    while True:
        picked = len(picked_messages(session.wizard))
        answer = dialogue.ask(
            f"{picked} of {MOST_PICKED} picked. Type the number of a turn to pick it or to unpick it, "
            "l to list the turns again; Enter ends:",
            "Type several numbers as 1 3 5-7. Picked turns appear in step 4 at once, under fixtures.",
        )
        if not answer:
            return
        if answer.casefold() in ("l", "list"):
            _list_turns(session, candidates)
            continue
        numbers = typed_numbers(answer, len(candidates))
        if not numbers:
            dialogue.say(f"{answer} is not a number from 1 to {len(candidates)}.")
        for number in numbers:
            command, done = pick_or_give_back(session.wizard, candidates[number - 1])
            try:
                session.act(command, f"{done}: turn {number}")
            except MelleafyError as error:
                session.say_error(error)
                break


def _list_turns(session: LinearSession, candidates: tuple[FixtureCandidate, ...]) -> None:
    picked = picked_messages(session.wizard)
    lines = [
        f"{number} {shorten(' '.join(each.message.split()), LONGEST_TURN)}, {each.came_from}"
        f"{f', {each.times} times' if each.times > 1 else ''}{', picked' if each.message in picked else ''}"
        for number, each in enumerate(candidates, 1)
    ]
    session.dialogue.list(lines, empty="")
