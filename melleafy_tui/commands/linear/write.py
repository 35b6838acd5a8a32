"""Step 5 in plain lines: the plan of the write, the write itself, its result, the smoke run, the command line."""

from collections.abc import Sequence

from melleafy_tui.attention import WRITE_ORDER
from melleafy_tui.command_line import next_commands
from melleafy_tui.commands import changes
from melleafy_tui.commands.console import counted
from melleafy_tui.commands.linear.answers import Answer, LinearStep
from melleafy_tui.commands.linear.files import choose_output
from melleafy_tui.commands.linear.folders import make_workspace_back, put_together, take_apart
from melleafy_tui.commands.linear.source import may_write
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.commands.lint import finding_line
from melleafy_tui.commands.recap import recap_lines, recap_of
from melleafy_tui.core.models.smoke import FixtureRun
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.writing.plan import PlannedFile, WritePlan
from melleafy_tui.folder_works import SURFACES_DOES, WORKSPACE_DOES
from melleafy_tui.rendering import Rendered
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import homely, place


def summary(talk: Talk) -> None:
    """Say where it goes, how the lints stand, and whether the decisions are saved."""
    session, rendered = talk.session, talk.rendered()
    say = talk.dialogue.say
    say(f"Package {rendered.files.package_name} goes to {place(session.out)}.")
    if rendered.plan is None:
        say(f"This folder cannot be used: {rendered.refusal}. o chooses another.")
    elif rendered.plan.changes:
        say(f"A write does this: {changes.summary(rendered.plan)}.")
    else:
        say("The package on the disk is already what your decisions give.")
    failing = len(rendered.lints.findings)
    say(f"Lints: {f'{failing} findings' if failing else 'all pass'}.")
    picked = len(session.conversion.decisions.fixtures)
    if picked:
        say(f"{picked} of its fixtures from the agent's history; h picks more or gives them back.")
    if session.conversion.unsaved:
        say("Your decisions are not saved yet; k saves them.")


def say_plan(talk: Talk, _: str) -> None:
    """List each file with what a write does to it, what needs the user's eye first."""
    plan = _plan(talk, talk.rendered())
    if plan is not None:
        ordered = sorted(plan.files, key=lambda file: WRITE_ORDER.index(file.action))
        lines = [f"{path}: {words}" for _, path, words in changes.rows(ordered)]
        talk.dialogue.list([*lines, *plan.notes], empty="There is no file.")


def _plan(talk: Talk, rendered: Rendered) -> WritePlan | None:
    if rendered.plan is None:
        talk.dialogue.say(f"This folder cannot be used: {rendered.refusal}")
    return rendered.plan


def write_package(talk: Talk, _: str) -> None:
    """Write the package after the questions that only the user can answer, and say the result."""
    if not may_write(talk):
        return
    rendered = talk.rendered()
    plan = _plan(talk, rendered)
    if plan is None:
        return
    if rendered.lints.findings:
        for finding in rendered.lints.findings[:5]:
            talk.dialogue.say(finding_line(finding))
        if not talk.dialogue.confirm(f"{len(rendered.lints.findings)} lints fail. Write anyway?"):
            return
    if plan.deleted:
        plan = _with_deleted(talk, plan, plan.deleted)
    talk.dialogue.say(f"{changes.summary(plan)}.")
    if not talk.dialogue.confirm(
        f"Write this to {place(talk.session.out)}?", "It is written whole or not at all."
    ):
        talk.dialogue.say("Nothing was written.")
        return
    talk.session.write(plan)
    say_result(talk, "")


def _with_deleted(talk: Talk, plan: WritePlan, deleted: Sequence[PlannedFile]) -> WritePlan:
    paths = [file.path for file in deleted]
    for path in paths:
        talk.dialogue.say(path)
    if talk.dialogue.confirm("You deleted these since they were written. Write them again?"):
        return talk.session.plan_again(plan, restore=paths)
    return plan


def say_result(talk: Talk, _: str) -> None:
    """Say what was written, what is left to do, what to try, and the same as a command line."""
    session, say = talk.session, talk.dialogue.say
    written = session.written
    if written is None or not session.is_written:
        say("What your decisions give now is not written yet; w writes it.")
    else:
        say(f"{'Written to' if written.changed else 'Nothing had to change in'} {place(written.out)}.")
        for text in (written.recovered, *(f"Your text is kept in {backup}." for backup in written.backups)):
            if text:
                say(text)
        for name in written.new_files:
            say(f"Compare {name} with your own file.")
    rendered = talk.rendered()
    for line in recap_lines(recap_of(session.conversion), session.out / rendered.files.package_name):
        say(homely(line))
    say("Try it:")
    for command in next_commands(session.out, rendered.files):
        say(f"  {command}")
    say("The same without questions:")
    say(f"  {session.command_line}")
    if session.conversion.unsaved:
        say("It is the same only when your decisions are saved: k saves them.")


def smoke(talk: Talk, _: str) -> None:
    """Run the fixtures of the written package against the stand-in model server."""
    if not talk.session.is_written:
        talk.dialogue.say("Write the package first, with w; the smoke run needs it on the disk.")
        return
    ran: list[str] = []

    def say_run(run: FixtureRun) -> None:
        ran.append(run.fixture_id)
        calls = f", {counted(run.calls, 'model call')}" if run.calls is not None else ""
        talk.dialogue.say(f"{run.fixture_id}: {run.status.value}{calls}")
        for text in (run.error, *run.unmet, *run.notes):
            if text:
                talk.dialogue.say(f"  {text}")

    try:
        talk.dialogue.say(
            "Running the fixtures against a stand-in model; nothing leaves this machine. Ctrl+C stops it."
        )
        report = run_smoke(SmokeRequest(talk.session.out), on_run=say_run)
    except KeyboardInterrupt:
        talk.dialogue.say(f"Stopped by you after {counted(len(ran), 'fixture')}.")
        return
    good = sum(run.status.value in ("passed", "unmet") for run in report.runs)
    talk.dialogue.say(f"{good} of {counted(len(report.runs), 'fixture')} ran to their end.")


WRITE = LinearStep(
    Step.WRITE,
    summary,
    (
        Answer("p", "plan", "List each file with what a write does to it.", say_plan),
        Answer("w", "write", "Write the package; it asks once more.", write_package),
        Answer("s", "smoke", "Run the fixtures against a stand-in model server.", smoke),
        Answer(
            "r", "result", "Say what is left to do, what to try, and the same as a command line.", say_result
        ),
        Answer("o", "output", "Choose the output folder and the package name.", choose_output),
        Answer(
            "e", "export", "Make a workspace again from the package that was written.", make_workspace_back
        ),
        Answer("a", "apart", SURFACES_DOES, take_apart),
        Answer("t", "together", WORKSPACE_DOES, put_together),
    ),
)
