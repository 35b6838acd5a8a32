"""`check`: checks that the package is up to date with workspace and decisions, for pre-commit and CI."""

import argparse
import shlex

from melleafy_tui.cli.changes import documented, rows
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.documents import CheckDocument, DifferingFile
from melleafy_tui.cli.workspace import named_decisions, open_session, say_unused_decisions, show_settings
from melleafy_tui.core.errors import OutputStale
from melleafy_tui.core.output.plan import WritePlan, plan_write
from melleafy_tui.core.output.target import TargetState
from melleafy_tui.core.output.writer import is_unfinished

EXIT_STALE = 15
EXACT_HINT = (
    "Read each file that is listed; a conversion with --force writes it again and keeps a backup. "
    "What Python cached in __pycache__ can be removed."
)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the stale files, or say that the package is up to date.

    Raises:
        OutputStale: a write would change a file, or, with `--exact`, a file differs from what is emitted.
    """
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    session = open_session(arguments, console, decisions_path=decisions_path, one_source=True)
    plan = plan_write(session.files, session.out)
    unfinished = is_unfinished(session.out)
    differing = plan.differing
    inexact = bool(arguments.exact and differing)
    stale = bool(plan.changes) or unfinished or inexact
    console.document(
        CheckDocument(
            out=str(session.out),
            fresh=not stale,
            files=tuple(documented(file, plan) for file in plan.changes),
            differing=tuple(
                DifferingFile(path=path, difference=difference.value) for path, difference in differing
            ),
            exit_code=EXIT_STALE if stale else 0,
        )
    )
    absent = not unfinished and plan.target.state in (TargetState.ABSENT, TargetState.EMPTY)
    if absent:
        command = f"melleafy-tui {shlex.quote(arguments.workspace)}"
        raise OutputStale(f"{session.out} holds no package yet", hint=f"Convert the workspace: `{command}`.")
    console.table(rows(plan.changes))
    if arguments.exact or not stale:
        console.table([(difference.value, path) for path, difference in differing])
    if not stale:
        edited = f"; {_differing(len(differing))} from what was emitted" if differing else ""
        console.line(f"{session.out} is up to date{edited}.")
        return 0
    say_unused_decisions(arguments, session, console)
    raise OutputStale(
        f"{session.out} {_reason(plan, len(differing), unfinished=unfinished)}",
        hint="Run the conversion again." if plan.changes or unfinished else EXACT_HINT,
    )


def _reason(plan: WritePlan, differing: int, *, unfinished: bool) -> str:
    if unfinished:
        return "holds an interrupted write"
    if plan.changes:
        return f"is stale: {len(plan.changes)} files differ from what workspace and decisions give"
    return f"is not exact: {_differing(differing)} from what is emitted"


def _differing(count: int) -> str:
    return f"{counted(count, 'file')} {'differs' if count == 1 else 'differ'}"
