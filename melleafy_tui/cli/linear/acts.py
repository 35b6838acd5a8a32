"""What the commands of the plain lines change beside the review: dispositions, tags, settings, files on disk."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from melleafy_tui.actions.choices import (
    Choice,
    category_choices,
    choice_command,
    decision_choices,
    tag_choices,
)
from melleafy_tui.actions.display_names import (
    changed_words,
    followed_words,
    next_commands,
    place,
    typed_path,
    with_tilde,
)
from melleafy_tui.actions.disposition_choices import back_to_default, dispose
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recap import recap_lines
from melleafy_tui.actions.resolved_settings import SETTING_ROWS
from melleafy_tui.cli import changes
from melleafy_tui.cli.linear.dialogue import LISTED, LinearSession
from melleafy_tui.cli.linear.views import element_line, say_change
from melleafy_tui.cli.printed_results import say_entries
from melleafy_tui.cli.review_lines import say_states
from melleafy_tui.core.decisions.commands import ChangeSettings, SetRationale, SetTag
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.errors import MelleafyError, UsageError, did_you_mean
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.file_effects import offer_of

_FIRST: Final = 5
"""Entries that are listed before a question about all that were listed."""

_SHORT_CHANGE: Final = 12
"""Lines of a diff that are shown after a choice; `entry` shows as many as the side pane of the wizard."""


def undo(session: LinearSession, _: str) -> None:
    """Undo the last command."""
    act = session.wizard.conversion.undo()
    session.keep_journal()
    session.dialogue.say(f"Undone: {act.label}." if act else "Nothing to undo.")


def redo(session: LinearSession, _: str) -> None:
    """Redo the command that was undone last."""
    act = session.wizard.conversion.redo()
    session.keep_journal()
    session.dialogue.say(f"Redone: {act.label}." if act else "Nothing to redo.")


def set_disposition(disposition: Disposition | None, session: LinearSession, words: str) -> None:
    """Give the named entries a disposition; None resets them to the default."""
    entries = session.entries_named(words)
    if not entries:
        return
    if words.casefold() == LISTED and len(entries) > 1:
        say_entries(entries[:_FIRST], session.dialogue.console)
        if not session.dialogue.confirm(f"{len(entries)} entries to {disposition or 'the default'}?"):
            return
    proposal = dispose(entries, disposition) if disposition else back_to_default(entries)
    if proposal.command is None:
        session.dialogue.say(f"Not done: {proposal.words}" if proposal.refused else proposal.words)
        return
    session.act(proposal.command, proposal.words)
    now = session.wizard.conversion.plan.by_key.get(entries[0].key)
    if len(entries) == 1 and disposition and now is not None:
        say_change(session, now, _SHORT_CHANGE)


def give_reason(session: LinearSession, words: str) -> None:
    """Keep the reason for an override; the report quotes it."""
    number, _, reason = words.partition(" ")
    for entry in session.entries_named(number):
        if entry.overridden:
            session.act(SetRationale(entry.key, reason.strip()), "Your reason is kept")
        else:
            session.dialogue.say("Only an override can have a reason.")


_RESET: Final = Choice("default", "what the program chose", "tag, category and decisions")


def retag(session: LinearSession, words: str) -> None:
    """Give an element another tag or category, of those allowed, or a decision; list them if none is typed."""
    named, _, value = words.partition(" ")
    element = session.element_named(named)
    if element is None:
        return
    options = [*tag_choices(element), *category_choices(element), *decision_choices(element), _RESET]
    by_value = {each.value.casefold(): each.value for each in options}
    chosen = by_value.get(value.strip().casefold())
    if chosen is None:
        said = (
            f"Unknown answer: {value}" if value else f"{element_line(element)}. Type one of these behind it:"
        )
        listed = (f"{each.value}: {each.note}{', current' if each.current else ''}" for each in options)
        session.dialogue.say(said, *listed)
        return
    key = session.wizard.conversion.keys[element.element_id]
    command = SetTag((key,)) if chosen == _RESET.value else choice_command(key, chosen)
    session.act(command, f"{element.element_id}: {chosen}")


def ask_model(session: LinearSession, _: str) -> None:
    """Ask the configured model about the open decisions; its answers wait in the review."""
    offer = session.wizard.assist_offer(session.wizard.conversion) if session.wizard.assist_offer else None
    if offer is None or offer.refusal:
        session.dialogue.say(offer.refusal if offer is not None else "No model can be asked here.")
        return
    session.dialogue.say(*offer.words)
    if session.dialogue.confirm(f"Ask {offer.model}?"):
        session.dialogue.say(offer.ask(session.wizard.conversion, lambda *_: None, lambda: False))
        session.keep_journal()


_DECIDED: Final = {row.name: row for row in SETTING_ROWS if row.decided}
"""The settings that a decisions file can hold, by name."""


def change_setting(session: LinearSession, words: str) -> None:
    """Show the settings, or set one by the name and the value that its option has; without a value, to the default."""
    name, _, value = words.partition(" ")
    settings = session.wizard.conversion.settings
    if not name:
        session.dialogue.console.table([(each, str(getattr(settings, each) or "-")) for each in _DECIDED])
    elif name not in _DECIDED:
        hint = did_you_mean(name, _DECIDED) or "Type set to list all."
        raise UsageError(f"{name!r} is not a setting", hint=hint)
    else:
        read = _DECIDED[name].read(value.strip()) if value.strip() else getattr(type(settings)(), name)
        session.act(ChangeSettings({name: read}), f"{name}: {value or 'default'}")


def choose_output(session: LinearSession, words: str) -> None:
    """Set the output folder."""
    if words:
        session.wizard.choose_out(typed_path(words))
    session.dialogue.say(f"The output folder is {place(session.wizard.out)}.")


# --- decisions files --------------------------------------------------------------------------


def show_states(session: LinearSession, states: Sequence[OverrideState]) -> None:
    """List each decision of a file that wasn't simply applied, and where orphaned ones are asked about."""
    say_states(states, session.dialogue.console)
    if session.wizard.conversion.decisions.unplaced:
        session.dialogue.say("The review asks about orphaned decisions, under “Needs you”.")


def load_decisions(session: LinearSession, words: str) -> None:
    """Load a decisions file; it replaces what was decided here."""
    path = typed_path(words) if words else session.wizard.suggested_decisions_path
    states = session.wizard.load(path)
    session.keep_journal()
    session.dialogue.say(f"Loaded {place(path)}; undo reverts that.", *session.wizard.effects.lines)
    show_states(session, states)


def save_decisions(session: LinearSession, words: str) -> None:
    """Save the decisions, beside the source unless a file is named."""
    path = typed_path(words) if words else session.wizard.suggested_decisions_path
    backup = session.wizard.save(path)
    session.dialogue.say(f"Saved in {place(path)}.")
    if backup is not None:
        session.dialogue.say(f"The file that was there is kept in {place(backup)}.")


def offer_unsaved(session: LinearSession, left: Sequence[JournalEntry], found: Path | None) -> None:
    """Offer unsaved decisions of earlier sessions, newest first, then a decisions file that was found."""
    for entry in left:
        made = f"{entry.age(datetime.now(UTC))}, {counted(entry.acts, 'change')}"
        if session.dialogue.confirm(f"Unsaved decisions from an earlier session ({made}). Restore them?"):
            states = session.wizard.resume(entry)
            session.keep_journal()
            if session.wizard.is_journaled:
                discard(entry)
            show_states(session, states)
            return
        if session.dialogue.confirm("Discard them? Else they are offered again."):
            discard(entry)
    if found is not None:
        session.dialogue.say(f"Found a decisions file: {place(found)}.", *offer_of(found).lines)
        if session.dialogue.confirm("Load the decisions file?"):
            load_decisions(session, str(found))


# --- the source on disk, and the write --------------------------------------------------------


def notice_change(session: LinearSession) -> None:
    """Say that the source changed on disk, once for each change, before something is asked about it."""
    known = session.wizard.newer
    try:
        changed = _look_again(session)
    except MelleafyError:
        return  # deleted, or an editor is replacing it: the write reports it
    newer = session.wizard.newer
    if newer is not None and (known is None or known.files != newer.files):
        session.dialogue.say(f"The source changed on disk: {changed_words(changed)}.")
        session.dialogue.say("Type read again to load it; your decisions are kept.")


def _look_again(session: LinearSession) -> tuple[str, ...]:
    """Return the source files that changed since they were read, and keep the new version; raises MelleafyError."""
    wizard = session.wizard
    return wizard.note_newer(wizard.read_source()) if wizard.read_source is not None else ()


def read_again(session: LinearSession, _: str) -> None:
    """Go on with the source as it is on disk; decisions follow their elements."""
    if not _look_again(session):
        session.dialogue.say("The source hasn't changed.")
        return
    states = session.wizard.take_newer()
    session.keep_journal()
    has_followed = all(state.state is DecisionState.APPLIED for state in states)
    session.dialogue.say(f"Read again; {followed_words(len(states))}." if has_followed else "Read again.")
    show_states(session, states)


def write_package(session: LinearSession, _: str) -> None:
    """Write the package after the questions that only the user can answer, and show the result."""
    wizard, confirm = session.wizard, session.dialogue.confirm
    _look_again(session)
    if wizard.newer is not None and not confirm("The source changed on disk; write what was read before?"):
        session.dialogue.say("Nothing was written; read again reads the source.")
        return
    rendered = session.rendered()
    plan, findings = rendered.plan, rendered.lints.findings
    if plan is None:
        session.dialogue.say(f"This folder can't be used: {rendered.refusal}. Type output to choose another.")
        return
    if findings:
        session.dialogue.say(*(finding.spelled for finding in findings))
        if not confirm(f"{counted(len(findings), 'lint finding')}. Write anyway?"):
            return
    for file in plan.conflicts:
        session.dialogue.say(f"{file.path}: {file.note}. Your file stays, the new text is written to .new.")
    if paths := [file.path for file in plan.deleted]:
        session.dialogue.say("You deleted these since they were written:", *paths)
        plan = wizard.plan_again(plan, restore=paths) if confirm("Write them again?") else plan
    session.dialogue.say(f"{changes.summary(plan)}.")
    if not confirm(f"Write this to {place(wizard.out)}, all files or none?"):
        session.dialogue.say("Nothing was written.")
        return
    unsaved = wizard.conversion.unsaved
    wizard.write(plan)
    if wizard.save_with_package() and unsaved and wizard.decisions_path is not None:
        session.dialogue.say(f"Your decisions are saved in {place(wizard.decisions_path)}.")
    show_result(session, "")


def show_result(session: LinearSession, _: str) -> None:
    """Show what was written, what is left to do, what to try, and the equivalent command line."""
    wizard, say = session.wizard, session.dialogue.say
    written = wizard.written
    if written is not None and wizard.is_written:
        say(f"{'Written to' if written.changed else 'Already up to date:'} {place(written.out)}.")
        say(*filter(None, [written.recovered]))
        say(*(f"Your text is kept in {backup}." for backup in written.backups))
        say(*(f"Compare {name} with your own file." for name in written.new_files))
        if findings := wizard.findings_on_disk:
            say(f"With your edits, the files on disk have {counted(len(findings), 'lint finding')}:")
            say(*(finding.spelled for finding in findings))
    else:
        say("The package for your current decisions is not written yet; type write to write it.")
    files = session.rendered().files
    say(*map(with_tilde, recap_lines(wizard.conversion, wizard.out / files.package_name)))
    say("Try it:", *(f"  {command}" for command in next_commands(wizard.out, files)))
    say("The same without questions:", f"  {wizard.command_line}")
    if wizard.conversion.unsaved:
        say("Save your decisions first, or the result differs: type save.")
