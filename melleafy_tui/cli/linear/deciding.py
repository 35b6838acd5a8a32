"""What can be decided in plain lines beside the review: dispositions, tags, masked values, settings."""

from typing import Final

from melleafy_tui.actions.choices import (
    DECISION_ANSWERS,
    Choice,
    category_choices,
    decision_choices,
    tag_choices,
)
from melleafy_tui.actions.display_names import NOTHING_TO_RELEASE, place, releasable, typed_path
from melleafy_tui.actions.disposition_choices import (
    Proposal,
    back_to_default,
    dispose,
)
from melleafy_tui.actions.resolved_settings import SETTING_ROWS
from melleafy_tui.cli.linear.linear_session import LISTED, LinearSession
from melleafy_tui.cli.linear.views import element_line, say_change
from melleafy_tui.cli.printed_results import say_entries
from melleafy_tui.core.decisions.commands import ChangeSettings, ReleaseSecret, SetRationale, SetTag
from melleafy_tui.core.errors import UsageError, did_you_mean
from melleafy_tui.core.models.vocabulary import Category, Disposition, Tag
from melleafy_tui.core.source.secrets.masking import masked_words

_FIRST: Final = 5
"""Entries that are listed before a question about all that were listed."""

_SHORT_CHANGE: Final = 12
"""Lines of a diff that are shown after a choice; `entry` shows as many as the side pane of the wizard."""


def undo(session: LinearSession, _: str = "") -> None:
    """Undo the last command."""
    act = session.wizard.undo()
    session.keep_journal()
    session.dialogue.say(f"Undone: {act.command.label}." if act else "Nothing to undo.")


def redo(session: LinearSession, _: str) -> None:
    """Redo the command that was undone last."""
    act = session.wizard.redo()
    session.keep_journal()
    session.dialogue.say(f"Redone: {act.command.label}." if act else "Nothing to redo.")


# --- entries ----------------------------------------------------------------------------------


def set_disposition(disposition: Disposition | None, session: LinearSession, words: str) -> None:
    """Give the named entries a disposition; None resets them to the default."""
    entries = session.entries_named(words)
    if not entries:
        return
    proposal = dispose(entries, disposition) if disposition else back_to_default(entries)
    if words.casefold() == LISTED and len(entries) > 1:
        say_entries(entries[:_FIRST], session.dialogue.console)
        if not session.dialogue.confirm(f"{len(entries)} entries to {disposition or 'the default'}?"):
            return
    if _carry_out(session, proposal) and len(entries) == 1:
        now = (each for each in session.wizard.conversion.plan.entries if each.key == entries[0].key)
        for entry in now if disposition else ():
            say_change(session, entry, _SHORT_CHANGE)


def _carry_out(session: LinearSession, proposal: Proposal) -> bool:
    if proposal.command is None:
        session.dialogue.say(f"Not done: {proposal.words}" if proposal.refused else proposal.words)
        return False
    return session.act(proposal.command, proposal.words)


def give_reason(session: LinearSession, words: str) -> None:
    """Keep the reason for an override; the report quotes it."""
    number, _, reason = words.partition(" ")
    for entry in session.entries_named(number):
        if entry.overridden:
            session.act(SetRationale(entry.key, reason.strip()), "Your reason is kept")
        else:
            session.dialogue.say("Only an override can have a reason.")


# --- elements ---------------------------------------------------------------------------------

_RESET: Final = Choice("default", "what the program chose", "tag, category and decisions")


def retag(session: LinearSession, words: str) -> None:
    """Give an element another tag or category, of those allowed, or a decision; ask which if none is typed."""
    named, _, value = words.partition(" ")
    element = session.element_named(named)
    if element is None:
        return
    options = [*tag_choices(element), *category_choices(element), *decision_choices(element), _RESET]
    by_value = {each.value.casefold(): each.value for each in options}
    chosen = by_value.get(value.strip().casefold())
    if value and chosen is None:
        session.dialogue.unknown(value)
    elif not value:
        chosen = session.dialogue.choose(
            f"Which tag, category or decision for {element_line(element)}", options
        )
    if chosen is None:
        return
    key = session.wizard.conversion.keys[element.element_id]
    if chosen in DECISION_ANSWERS:
        command = DECISION_ANSWERS[chosen].command(key)
    elif chosen == _RESET.value:
        command = SetTag((key,))
    else:
        is_tag = chosen in list(Tag)
        command = SetTag((key,), tag=Tag(chosen)) if is_tag else SetTag((key,), category=Category(chosen))
    session.act(
        command, f"{element.element_id}: {chosen.replace('_', ' ') if chosen in DECISION_ANSWERS else chosen}"
    )


def release(session: LinearSession, words: str) -> None:
    """Ask which masked value of an element is not a secret, or should be masked again."""
    element = session.element_named(words)
    if element is None:
        return
    conversion = session.wizard.conversion
    source = conversion.snapshot.file(element.source_file)
    places = {each.digest: each for each in releasable(source, element)}
    if source is None or not places:
        session.dialogue.say(NOTHING_TO_RELEASE)
        return
    released = conversion.released_secrets
    options = [
        Choice(
            digest,
            f"{'mask' if digest in released else 'release'} {each.variable}",
            f"{each.kind}, line {each.lines}: {masked_words(source, each)}",
        )
        for digest, each in places.items()
    ]
    digest = session.dialogue.choose("Which is not a secret, or should be masked again?", options)
    if digest is not None:
        name, free = places[digest].name, digest not in released
        done = "is not a secret; its value is kept" if free else "is masked again"
        session.act(ReleaseSecret(digest, name, free), f"{name} {done}")


# --- settings ---------------------------------------------------------------------------------

_DECIDED: Final = {row.name: row for row in SETTING_ROWS if row.decided}
"""The settings that a decisions file can hold, by name."""


def change_setting(session: LinearSession, words: str) -> None:
    """Show the settings, or set one by the name and the value that its option has; without a value, to the default."""
    name, _, value = words.partition(" ")
    settings = session.wizard.conversion.settings
    if not name:
        session.dialogue.console.table([(each, str(getattr(settings, each) or "-")) for each in _DECIDED])
    elif name not in _DECIDED:
        raise UsageError(
            f"{name!r} is not a setting", hint=did_you_mean(name, _DECIDED) or "Type set to list all."
        )
    else:
        read = _DECIDED[name].read(value.strip()) if value.strip() else getattr(type(settings)(), name)
        session.act(ChangeSettings({name: read}), f"{name}: {value or 'default'}")


def choose_output(session: LinearSession, words: str) -> None:
    """Set the output folder."""
    if words:
        session.wizard.choose_out(typed_path(words))
    session.dialogue.say(f"The output folder is {place(session.wizard.out)}.")
