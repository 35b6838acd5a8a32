"""The source on the disk in plain lines: saying that it has changed, reading it again, and not writing it stale."""

from typing import Final

from melleafy_tui.commands.linear.dialogue import Option
from melleafy_tui.commands.linear.files import say_states
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.words import changed_words, followed_words

_LISTED: Final = 6


def notice_change(talk: Talk) -> None:
    """Say that the source has changed on the disk, once for each change.

    It is looked at when a step begins: lines that come in between would talk over the reader of the screen.
    """
    known = talk.session.newer
    try:
        changed = look_again(talk)
    except MelleafyError:
        return  # gone for good, or between two moves of an editor: the write says so
    newer = talk.session.newer
    if newer is not None and (known is None or known.snapshot_id != newer.snapshot_id):
        talk.dialogue.say(f"The source has changed on the disk: {changed_words(changed)}.")
        talk.dialogue.say("y reads it again; your decisions follow.")


def look_again(talk: Talk) -> tuple[str, ...]:
    """Return the source files that differ from what was read, keeping the later reading.

    Raises:
        MelleafyError: the workspace cannot be read any more.
    """
    session = talk.session
    return session.note_newer(session.read_source()) if session.read_source is not None else ()


def read_again(talk: Talk, _: str) -> None:
    """Go on with the source as it is on the disk; decisions follow their elements."""
    if look_again(talk):
        _take(talk)
    else:
        talk.dialogue.say("The source is as it was read.")


def _take(talk: Talk) -> None:
    states = talk.session.take_newer()
    talk.keep_journal()
    if any(state.state is not DecisionState.APPLIED for state in states):
        talk.dialogue.say("Read again.")
        say_states(talk, states, of="Your decisions")
    else:
        talk.dialogue.say(f"Read again; {followed_words(len(states))}.")


def may_write(talk: Talk) -> bool:
    """Return whether what was read may be written: it is what is on the disk, or the user says so.

    Raises:
        MelleafyError: the workspace cannot be read any more.
    """
    changed = look_again(talk)
    if not changed:
        return True
    talk.dialogue.say("The source has changed on the disk:")
    for path in changed[:_LISTED]:
        talk.dialogue.say(f"  {path}")
    if len(changed) > _LISTED:
        talk.dialogue.say(f"  and {len(changed) - _LISTED} more")
    options = [
        Option("read", "read it again", "your decisions follow"),
        Option("write", "write all the same", "what was read before"),
    ]
    value = talk.dialogue.choose("What is to become of it?", options, enter="writes nothing")
    if value == "read":
        _take(talk)
        talk.dialogue.say("Nothing is written yet; w writes it.")
    return value == "write"
