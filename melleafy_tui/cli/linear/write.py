"""Step 5 in plain lines: what a write does, the write and its result, the smoke run, and exports to other folders."""

from collections.abc import Sequence
from pathlib import Path

from melleafy_tui.actions.command_lines import next_commands, path_fault, typed_path
from melleafy_tui.actions.labels import place, with_tilde
from melleafy_tui.actions.rendering import Rendered
from melleafy_tui.actions.workspace_exports import (
    MEMORY_ASKED,
    NEVER_OVER,
    NOT_WRITTEN_YET,
    READ_FROM,
    WRITE_TO,
    FolderDone,
    FolderWork,
    export_work,
    surfaces_work,
    workspace_work,
)
from melleafy_tui.cli import changes
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.files import may_write
from melleafy_tui.cli.linear.session import LinearSession
from melleafy_tui.cli.lint import finding_line
from melleafy_tui.cli.recap import recap_lines, recap_of
from melleafy_tui.core.models.reports import FixtureRun
from melleafy_tui.core.output.plan import PlannedFile, WritePlan
from melleafy_tui.core.pipeline.review_reasons import WRITE_ORDER
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


def list_plan(session: LinearSession, _: str) -> None:
    """List each file with what a write does to it, those to review first."""
    plan = _plan(session, session.rendered())
    if plan is not None:
        ordered = sorted(plan.files, key=lambda file: WRITE_ORDER.index(file.action))
        lines = [f"{path}: {words}" for _, path, words in changes.rows(ordered)]
        session.dialogue.list([*lines, *plan.notes], empty="No files.")


def _plan(session: LinearSession, rendered: Rendered) -> WritePlan | None:
    if rendered.plan is None:
        session.dialogue.say(f"This folder can't be used: {rendered.refusal}")
    return rendered.plan


def write_package(session: LinearSession, _: str) -> None:
    """Write the package after the questions that only the user can answer, and show the result."""
    if not may_write(session):
        return
    rendered = session.rendered()
    plan = _plan(session, rendered)
    if plan is None:
        return
    if rendered.lints.findings:
        for finding in rendered.lints.findings[:5]:
            session.dialogue.say(finding_line(finding))
        if not session.dialogue.confirm(
            f"{counted(len(rendered.lints.findings), 'lint finding')}. Write anyway?"
        ):
            return
    if plan.deleted:
        plan = _with_deleted(session, plan, plan.deleted)
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


def show_result(session: LinearSession, _: str) -> None:
    """Show what was written, what is left to do, what to try, and the equivalent command line."""
    wizard, say = session.wizard, session.dialogue.say
    written = wizard.written
    if written is None or not wizard.is_written:
        say("The package for your current decisions is not written yet; type write to write it.")
    else:
        say(f"{'Written to' if written.changed else 'Already up to date:'} {place(written.out)}.")
        for text in (written.recovered, *(f"Your text is kept in {backup}." for backup in written.backups)):
            if text:
                say(text)
        for name in written.new_files:
            say(f"Compare {name} with your own file.")
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
        for text in (*run.faults, *run.unmet, *run.notes):
            session.dialogue.say(f"  {text}")

    try:
        session.dialogue.say(
            "Running the fixtures against a fake model server; nothing leaves this machine. Ctrl+C stops it."
        )
        report = run_smoke(SmokeRequest(session.wizard.out), on_run=show_run)
    except KeyboardInterrupt:
        session.dialogue.say(f"Stopped after {counted(len(ran), 'fixture')}.")
        return
    good = sum(run.status.value in ("passed", "unmet") for run in report.runs)
    session.dialogue.say(f"{good} of {counted(len(report.runs), 'fixture')} completed.")


# --- other folders ----------------------------------------------------------------------------


def export_workspace(session: LinearSession, _: str) -> None:
    """Export the written package back to a workspace of its source runtime."""
    if session.wizard.is_written:
        _carry_out(session, export_work(session.wizard))
    else:
        session.dialogue.say(NOT_WRITTEN_YET)


def extract_surfaces(session: LinearSession, _: str) -> None:
    """Extract named surfaces from the workspace."""
    _carry_out(session, surfaces_work(session.wizard))


def assemble_workspace(session: LinearSession, _: str) -> None:
    """Assemble a workspace from named surfaces."""
    _carry_out(session, workspace_work(session.wizard))


def _carry_out(session: LinearSession, work: FolderWork) -> None:
    """Ask for the folders and for confirmation, and show the result; errors are left to the caller."""
    dialogue = session.dialogue
    dialogue.say(f"{work.title}. {NEVER_OVER}")
    source = _folder(session, READ_FROM, work.source)
    target = _folder(session, WRITE_TO, work.target)
    memory = work.memory or ""
    if work.memory is not None:
        typed = dialogue.text(f"{MEMORY_ASKED}?", current=memory)
        memory = memory if typed is None else typed
    if dialogue.confirm(f"Read {place(source)} and write {place(target)}?", NEVER_OVER):
        _show_done(session, work.carry_out(source, target, memory))
    else:
        dialogue.say("Nothing was written.")


def _folder(session: LinearSession, asked: str, offered: Path) -> Path:
    while True:
        typed = session.dialogue.text(f"{asked} which folder?", current=place(offered))
        if typed is None:
            return offered
        fault = path_fault(typed)
        if not fault:
            return typed_path(typed)
        session.dialogue.say(fault)


def _show_done(session: LinearSession, done: FolderDone) -> None:
    dialogue = session.dialogue
    dialogue.say(f"Written to {place(done.target)}.")
    if done.summary:
        dialogue.say(done.summary)
    for warning in done.warnings:
        dialogue.say(f"warning: {warning}")
    files = [f"{state}: {reason}" for state, reason in done.exceptions]
    files.extend(
        f"{origin}: {f'{source} to {path}' if source else path}" for origin, source, path in done.files
    )
    dialogue.say("The same without questions:")
    dialogue.say(f"  melleafy-tui {done.command}")
    if files:
        dialogue.say("File by file:")
        dialogue.list(files, empty="")
