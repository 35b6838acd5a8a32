"""`preview`: prints the emitted files, or their diff against the disk, without writing."""

import argparse

from melleafy_tui.cli.changes import difference, documented, rows, summary
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.documents import PreviewDocument
from melleafy_tui.cli.workspace import (
    named_decisions,
    open_session,
    say_diagnostics,
    say_unused_decisions,
    show_settings,
)
from melleafy_tui.core.output.plan import plan_write
from melleafy_tui.core.output.writer import is_unfinished


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print what a conversion would write."""
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    session = open_session(arguments, console, decisions_path=decisions_path, one_source=True)
    if is_unfinished(session.out):
        console.warning(f"a write to {session.out} was interrupted; the next conversion finishes it first")
    plan = plan_write(session.files, session.out, force=arguments.force)
    findings = session.conversion.lints.findings
    console.document(
        PreviewDocument(
            out=str(session.out),
            package_name=plan.emission.package_name,
            files=tuple(
                documented(file, plan, diff=arguments.diff, text=not arguments.diff) for file in plan.files
            ),
            lint_findings=findings,
        )
    )
    if arguments.diff:
        for file in plan.changes:
            console.lines(difference(plan, file))
    else:
        console.heading(f"{session.out}: {summary(plan)}")
        console.table(rows(plan.files))
    for finding in findings:
        console.warning(f"{finding.lint}: {finding.file}:{finding.line}: {finding.message} {finding.hint}")
    say_diagnostics(session.conversion.diagnostics, console)
    say_unused_decisions(arguments, session, console)
    return 0
