"""Step 5 in plain lines: what a write does, the write and its result, and the smoke run."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.display_names import next_commands, place, with_tilde
from melleafy_tui.cli import changes
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear import file_commands
from melleafy_tui.cli.linear.file_commands import may_write
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.linear.preview_step import list_files
from melleafy_tui.cli.linear.typed_commands import Action, StepCommands, own
from melleafy_tui.cli.recap import recap_lines, recap_of
from melleafy_tui.core.models.reports import FixtureRun
from melleafy_tui.core.output.write_plan import PlannedFile, WritePlan
from melleafy_tui.core.output.writer import WriteResult
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke


def summary(session: LinearSession) -> None:
    """Show the output folder, what a write does, the lint result, and whether the decisions are saved."""
    wizard, rendered = session.wizard, session.rendered()
    say = session.dialogue.say
    say(f"Package {rendered.files.package_name} goes to {place(wizard.out)}.")
    if rendered.plan is None:
        say(f"This folder can't be used: {rendered.refusal}. Type output to choose another.")
    elif rendered.plan.changes:
        say(f"A write changes: {changes.summary(rendered.plan)}.")
    else:
        say("The package on disk is up to date with your decisions.")
    failing = len(rendered.lints.findings)
    say(f"Lints: {counted(failing, 'finding') if failing else 'all pass'}.")
    picked = len(wizard.conversion.decisions.fixtures)
    if picked:
        say(f"{counted(picked, 'fixture')} from the agent's history; type fixtures to change them.")
    if wizard.conversion.unsaved:
        say("Your decisions are not saved yet; type save to save them.")


def write_package(session: LinearSession, _: str) -> None:
    """Write the package after the questions that only the user can answer, and show the result."""
    if not may_write(session):
        return
    rendered = session.rendered()
    plan = rendered.plan
    if plan is None:
        session.dialogue.say(f"This folder can't be used: {rendered.refusal}")
        return
    if rendered.lints.findings:
        for finding in rendered.lints.findings[:5]:
            session.dialogue.say(finding.spelled)
        if not session.dialogue.confirm(
            f"{counted(len(rendered.lints.findings), 'lint finding')}. Write anyway?"
        ):
            return
    if plan.deleted:
        plan = _with_deleted(session, plan, plan.deleted)
    for file in plan.conflicts:
        plan = _with_settled(session, plan, file)
    session.dialogue.say(f"{changes.summary(plan)}.")
    if not session.dialogue.confirm(f"Write this to {place(session.wizard.out)}?", "All files or none."):
        session.dialogue.say("Nothing was written.")
        return
    session.wizard.write(plan)
    show_result(session, "")


def _with_deleted(session: LinearSession, plan: WritePlan, deleted: Sequence[PlannedFile]) -> WritePlan:
    paths = [file.path for file in deleted]
    for path in paths:
        session.dialogue.say(path)
    if session.dialogue.confirm("You deleted these since they were written. Write them again?"):
        return session.wizard.plan_again(plan, restore=paths)
    return plan


def _with_settled(session: LinearSession, plan: WritePlan, file: PlannedFile) -> WritePlan:
    """Ask what becomes of a file that the user edited and whose new text doesn't fit."""
    texts = session.wizard.texts_of_conflict(plan, file.path)
    if texts is None:
        return plan
    offered = [
        Choice(
            "later", "later", f"your file stays, the new text is written to {file.path}.new", current=True
        ),
        Choice("mine", "keep mine", "the new text is left out"),
        Choice("new", "take new", "yours goes to .melleafy-backup/"),
    ]
    chosen = session.dialogue.choose(f"{file.path}: {file.note}. What becomes of it?", offered)
    if chosen not in ("mine", "new"):
        return plan
    session.wizard.settle(plan, file.path, None if chosen == "mine" else texts.now)
    return session.wizard.plan_again(plan, restore=plan.restore)


def _say_written(session: LinearSession, written: WriteResult) -> None:
    say = session.dialogue.say
    say(f"{'Written to' if written.changed else 'Already up to date:'} {place(written.out)}.")
    if written.recovered:
        say(written.recovered)
    for backup in written.backups:
        say(f"Your text is kept in {backup}.")
    for name in written.new_files:
        say(f"Compare {name} with your own file.")
    findings = session.wizard.findings_on_disk
    if findings:
        say(f"With your edits, the files on disk have {counted(len(findings), 'lint finding')}:")
        session.dialogue.list([finding.spelled for finding in findings], empty="")


def show_result(session: LinearSession, _: str) -> None:
    """Show what was written, what is left to do, what to try, and the equivalent command line."""
    wizard, say = session.wizard, session.dialogue.say
    written = wizard.written
    if written is None or not wizard.is_written:
        say("The package for your current decisions is not written yet; type write to write it.")
    else:
        _say_written(session, written)
    rendered = session.rendered()
    for line in recap_lines(recap_of(wizard.conversion), wizard.out / rendered.files.package_name):
        say(with_tilde(line))
    say("Try it:")
    for command in next_commands(wizard.out, rendered.files):
        say(f"  {command}")
    say("The same without questions:")
    say(f"  {wizard.command_line}")
    if wizard.conversion.unsaved:
        say("Save your decisions first, or the result differs: type save.")


def smoke(session: LinearSession, _: str) -> None:
    """Run the fixtures of the written package against the fake model server."""
    if not session.wizard.is_written:
        session.dialogue.say("Write the package first: type write. The smoke run needs it on disk.")
        return
    ran: list[str] = []

    def show_run(run: FixtureRun) -> None:
        ran.append(run.fixture_id)
        calls = f", {counted(run.calls, 'model call')}" if run.calls is not None else ""
        session.dialogue.say(f"{run.fixture_id}: {run.status.value}{calls}")
        for text in (*run.faults, *run.broken_rules, *run.notes):
            session.dialogue.say(f"  {text}")

    try:
        session.dialogue.say(
            "Running the fixtures against a fake model server; nothing leaves this machine. Ctrl+C stops it."
        )
        report = run_smoke(SmokeRequest(session.wizard.out), on_run=show_run)
    except KeyboardInterrupt:
        session.dialogue.say(f"Stopped after {counted(len(ran), 'fixture')}.")
        return
    if report.made_up_memory:
        session.dialogue.say(f"The memory of these runs is made up: {report.made_up_memory} of the package.")
    good = sum(run.completed for run in report.runs)
    session.dialogue.say(f"{good} of {counted(len(report.runs), 'fixture')} completed.")


COMMANDS: Final = StepCommands(
    summary,
    (
        own("l", "list", list_files, "List the files with what a write does to each."),
        Action("write.write", write_package),
        Action("write.smoke", smoke),
        own(
            "r",
            "result",
            show_result,
            "Show what is left to do, what to try, and the equivalent command line.",
        ),
        Action("write.output", file_commands.choose_output),
        Action("write.save", file_commands.save_decisions, "FILE"),
    ),
)
"""The step, as the conversation shows it."""
