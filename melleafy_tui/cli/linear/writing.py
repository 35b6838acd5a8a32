"""Decisions files, the source on disk, writing the package and its smoke run, in plain lines."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.display_names import (
    changed_words,
    followed_words,
    next_commands,
    place,
    typed_path,
    with_tilde,
)
from melleafy_tui.cli import changes
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.printed_results import say_run
from melleafy_tui.cli.recap import recap_lines, recap_of
from melleafy_tui.cli.review_lines import say_states
from melleafy_tui.core.decisions.journal import JournalEntry, discard
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.reports import FixtureRun
from melleafy_tui.core.output.write_plan import PlannedFile, WritePlan
from melleafy_tui.core.pipeline.file_effects import offer_of
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke

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
        options = [
            Choice("restore", "restore them"),
            Choice("later", "not now", "they will be offered again", current=True),
            Choice("discard", "discard them"),
        ]
        made = f"{entry.age(datetime.now(UTC))}, {counted(entry.acts, 'change')}"
        value = session.dialogue.choose(
            f"Unsaved decisions from an earlier session ({made}). Restore them?", options
        )
        if value == "discard":
            discard(entry)
        elif value == "restore":
            states = session.wizard.resume(entry)
            session.keep_journal()
            if session.wizard.is_journaled:
                discard(entry)
            show_states(session, states)
            return
    if found is not None:
        session.dialogue.say(f"Found a decisions file: {place(found)}.", *offer_of(found).lines)
        if session.dialogue.confirm("Load the decisions file?"):
            load_decisions(session, str(found))


# --- the source on disk -----------------------------------------------------------------------


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
    """Return the source files that changed since they were read, and keep the new version.

    Raises:
        MelleafyError: the workspace can't be read any more.
    """
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


# --- the write --------------------------------------------------------------------------------


def write_package(session: LinearSession, _: str) -> None:
    """Write the package after the questions that only the user can answer, and show the result."""
    _look_again(session)
    if session.wizard.newer is not None and not session.dialogue.confirm(
        "The source changed on disk; write what was read before?"
    ):
        session.dialogue.say("Nothing was written; read again reads the source.")
        return
    rendered = session.rendered()
    plan, findings = rendered.plan, rendered.lints.findings
    if plan is None:
        session.dialogue.say(f"This folder can't be used: {rendered.refusal}. Type output to choose another.")
        return
    if findings:
        session.dialogue.say(*(finding.spelled for finding in findings))
        if not session.dialogue.confirm(f"{counted(len(findings), 'lint finding')}. Write anyway?"):
            return
    plan = _with_settled(session, _with_deleted(session, plan))
    session.dialogue.say(f"{changes.summary(plan)}.")
    if not session.dialogue.confirm(f"Write this to {place(session.wizard.out)}, all files or none?"):
        session.dialogue.say("Nothing was written.")
        return
    unsaved = session.wizard.conversion.unsaved
    session.wizard.write(plan)
    if session.wizard.save_with_package() and unsaved and session.wizard.decisions_path is not None:
        session.dialogue.say(f"Your decisions are saved in {place(session.wizard.decisions_path)}.")
    show_result(session, "")


def _with_deleted(session: LinearSession, plan: WritePlan) -> WritePlan:
    paths = [file.path for file in plan.deleted]
    if not paths:
        return plan
    session.dialogue.say("You deleted these since they were written:", *paths)
    again = session.dialogue.confirm("Write them again?")
    return session.wizard.plan_again(plan, restore=paths) if again else plan


def _with_settled(session: LinearSession, plan: WritePlan) -> WritePlan:
    """Ask what becomes of each file that the user edited and whose new text doesn't fit."""
    for file in plan.conflicts:
        texts = session.wizard.texts_of_conflict(plan, file.path)
        chosen = _settlement(session, file) if texts is not None else None
        if texts is not None and chosen in ("mine", "new"):
            session.wizard.settle(plan, file.path, None if chosen == "mine" else texts.now)
            plan = session.wizard.plan_again(plan, restore=plan.restore)
    return plan


def _settlement(session: LinearSession, file: PlannedFile) -> str | None:
    beside = f"your file stays, the new text is written to {file.path}.new"
    offered = [
        Choice("later", "later", beside, current=True),
        Choice("mine", "keep mine", "the new text is left out"),
        Choice("new", "take new", "yours goes to .melleafy-backup/"),
    ]
    return session.dialogue.choose(f"{file.path}: {file.note}. What becomes of it?", offered)


def show_result(session: LinearSession, _: str) -> None:
    """Show what was written, what is left to do, what to try, and the equivalent command line."""
    wizard = session.wizard
    lines = ["The package for your current decisions is not written yet; type write to write it."]
    written = wizard.written
    if written is not None and wizard.is_written:
        lines = [f"{'Written to' if written.changed else 'Already up to date:'} {place(written.out)}."]
        lines += [written.recovered] if written.recovered else []
        lines += [f"Your text is kept in {backup}." for backup in written.backups]
        lines += [f"Compare {name} with your own file." for name in written.new_files]
        findings = wizard.findings_on_disk
        if findings:
            lines.append(f"With your edits, the files on disk have {counted(len(findings), 'lint finding')}:")
            lines += [finding.spelled for finding in findings]
    session.dialogue.say(*lines)
    files = session.rendered().files
    for line in recap_lines(recap_of(wizard.conversion), wizard.out / files.package_name):
        session.dialogue.say(with_tilde(line))
    session.dialogue.say("Try it:", *(f"  {command}" for command in next_commands(wizard.out, files)))
    session.dialogue.say("The same without questions:", f"  {wizard.command_line}")
    if wizard.conversion.unsaved:
        session.dialogue.say("Save your decisions first, or the result differs: type save.")


def smoke(session: LinearSession, _: str) -> None:
    """Run the fixtures of the written package against the fake model server."""
    say = session.dialogue.say
    if not session.wizard.is_written:
        say("Write the package first: type write. The smoke run needs it on disk.")
        return
    ran: list[FixtureRun] = []

    def tell(run: FixtureRun) -> None:
        ran.append(run)
        say_run(session.dialogue.console, run)

    try:
        say("Running the fixtures against a fake model server; nothing leaves this machine. Ctrl+C stops it.")
        report = run_smoke(SmokeRequest(session.wizard.out), on_run=tell)
    except KeyboardInterrupt:
        say(f"Stopped after {counted(len(ran), 'fixture')}.")
        return
    if report.made_up_memory:
        say(f"The memory of these runs is made up: {report.made_up_memory} of the package.")
    say(f"{sum(run.completed for run in ran)} of {counted(len(ran), 'fixture')} completed.")
