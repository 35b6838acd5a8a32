"""`check`: checks that the package is up to date with workspace and decisions, for pre-commit and CI."""

import argparse

from melleafy_tui.cli.changes import documented, rows
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.documents import CheckDocument
from melleafy_tui.cli.workspace import named_decisions, open_session, say_unused_decisions, show_settings
from melleafy_tui.core.errors import OutputStale
from melleafy_tui.core.output.plan import plan_write
from melleafy_tui.core.output.target import TargetState
from melleafy_tui.core.output.writer import is_unfinished

EXIT_STALE = 15


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the stale files, or say that the package is up to date.

    Raises:
        OutputStale: a file differs from what a write would produce.
    """
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    session = open_session(arguments, console, decisions_path=decisions_path)
    plan = plan_write(session.files, session.out)
    unfinished = is_unfinished(session.out)
    stale = bool(plan.changes) or unfinished
    console.document(
        CheckDocument(
            out=str(session.out),
            fresh=not stale,
            older_release=plan.older_release,
            files=tuple(documented(file, plan) for file in plan.changes),
            exit_code=EXIT_STALE if stale else 0,
        )
    )
    if not stale:
        console.line(f"{session.out} is up to date.")
        return 0
    console.table(rows(plan.changes))
    say_unused_decisions(arguments, session, console)
    if unfinished:
        reason = "holds an interrupted write"
    elif plan.target.state in (TargetState.ABSENT, TargetState.EMPTY):
        reason = "was not written yet"
    elif plan.older_release:
        reason = f"was made by an older release: {len(plan.changes)} files differ from what this one gives"
    else:
        reason = f"is stale: {len(plan.changes)} files differ from what workspace and decisions give"
    raise OutputStale(f"{session.out} {reason}", hint="Run the conversion again.")
