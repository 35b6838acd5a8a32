"""Fixtures from the agent's history in plain lines: which state folder, which sessions, which turns."""

from typing import Final

from melleafy_tui.commands.console import counted
from melleafy_tui.commands.linear.dialogue import Option
from melleafy_tui.commands.linear.talk import Talk, typed_numbers
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.decisions import MOST_PICKED
from melleafy_tui.core.models.history import FixtureCandidate
from melleafy_tui.core.wording import shorten
from melleafy_tui.fixture_picks import (
    FIXTURES_TITLE,
    FOLDER_ASKED,
    NAMES_ASKED,
    ONLY_TRANSCRIPTS,
    UNREADABLE_TITLE,
    WHICH_SESSION,
    History,
    SessionChoice,
    pick_or_give_back,
    picked_messages,
    read_history,
)

LONGEST_SAID: Final = 240
"""Characters of a turn that are said in a list; its file below `fixtures/` has all of it."""


def pick_fixtures(talk: Talk, words: str) -> None:
    """Ask for the state folder, the sessions and the turns; each pick is an act of its own."""
    dialogue = talk.dialogue
    dialogue.say(f"{FIXTURES_TITLE}. {ONLY_TRANSCRIPTS}")
    folder = words or dialogue.name(f"{FOLDER_ASKED}?", "Nothing is read without it.")
    names = dialogue.text(f"{NAMES_ASKED}?") or ""
    try:
        history = read_history(folder, names)
        chosen = _choose_session(talk, history)
        proposal = history.propose(chosen) if chosen is not None else None
    except MelleafyError as error:
        dialogue.say(f"{UNREADABLE_TITLE}: {error}")
        return
    if proposal is None:
        return
    if proposal.candidates:
        _pick(talk, proposal.candidates)
        return
    passed = ", ".join(f"{count} {reason}" for reason, count in proposal.passed_over.items())
    dialogue.say(f"No turn of a user can become a fixture{f'; passed over: {passed}' if passed else ''}.")


def _choose_session(talk: Talk, history: History) -> str | None:
    options = [Option(each.value, each.label, _note(each)) for each in history.choices]
    return talk.dialogue.choose(f"{WHICH_SESSION}?", options, enter="goes on without")


def _note(choice: SessionChoice) -> str:
    parts = (choice.when, counted(choice.turns, "user turn"), choice.where)
    return ", ".join(part for part in parts if part)


def _pick(talk: Talk, candidates: tuple[FixtureCandidate, ...]) -> None:
    dialogue = talk.dialogue
    _say_turns(talk, candidates)
    while True:
        picked = len(picked_messages(talk.session))
        answer = dialogue.ask(
            f"{picked} of {MOST_PICKED} picked. Type the number of a turn to pick it or to give it back, "
            "l says the turns again; Enter ends:",
            "Several numbers may stand together, as in 1 3 5-7. What is picked is in step 4 at once, below fixtures.",
        )
        if not answer:
            return
        if answer.casefold() in ("l", "list"):
            _say_turns(talk, candidates)
            continue
        numbers = typed_numbers(answer, len(candidates))
        if not numbers:
            dialogue.say(f"{answer} is no number from 1 to {len(candidates)}.")
        for number in numbers:
            command, done = pick_or_give_back(talk.session, candidates[number - 1])
            try:
                talk.act(command, f"{done}: turn {number}")
            except MelleafyError as error:
                talk.say_error(error)
                break


def _say_turns(talk: Talk, candidates: tuple[FixtureCandidate, ...]) -> None:
    picked = picked_messages(talk.session)
    lines = [
        f"{number} {shorten(' '.join(each.message.split()), LONGEST_SAID)}, {each.came_from}"
        f"{f', {each.times} times' if each.times > 1 else ''}{', picked' if each.message in picked else ''}"
        for number, each in enumerate(candidates, 1)
    ]
    talk.dialogue.list(lines, empty="")
