"""`inventory`, `plan`, `preview` and `check`: print what a workspace holds and what its package would be.

`check` is for pre-commit and CI: it fails where the written package isn't what workspace and decisions give.
"""

import argparse
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recap import cost_words, file_words
from melleafy_tui.cli.changes import difference, documented, file_counts, rows, summary
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import (
    CheckDocument,
    DifferingFile,
    ElementSummary,
    InventoryDocument,
    PlanDocument,
    PreviewDocument,
    part_of,
)
from melleafy_tui.cli.printed_results import say_elements, say_entries, say_files
from melleafy_tui.cli.review_lines import (
    answer_words,
    card_documents,
    decided,
    key_rows,
    row_lines,
    states_in_words,
    text_lines,
)
from melleafy_tui.cli.workspace_conversion import (
    Session,
    ask_model,
    open_session,
    save_decisions,
    say_diagnostics,
    say_unused_decisions,
)
from melleafy_tui.core.decisions.rebase import OverrideState
from melleafy_tui.core.errors import MelleafyError, OutputStale, UsageError
from melleafy_tui.core.language.time.next_runs import next_runs
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.procedure import tree_lines
from melleafy_tui.core.output.target import TargetState
from melleafy_tui.core.output.write_plan import PlannedFile, WritePlan, plan_write
from melleafy_tui.core.output.writer import is_unfinished
from melleafy_tui.core.package.file_account import REASONS
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_cards import open_items, review_cards
from melleafy_tui.core.pipeline.review_rows import ReviewItem
from melleafy_tui.core.source.limits import EARLIER_OUTPUT_MARK

# --- inventory ---------------------------------------------------------------------------------


def inventory(arguments: argparse.Namespace, console: Console) -> int:
    """Print the elements and the coverage."""
    conversion = open_session(arguments, console).conversion
    found, keys = conversion.inventory, conversion.keys
    if console.json:
        elements = (
            part_of(ElementSummary, each, key=keys.get(each.element_id, "")) for each in found.elements
        )
        named = _names(conversion)
        console.document(part_of(InventoryDocument, found, conversion, elements=tuple(elements), **named))
    console.heading(f"{conversion.snapshot.name}: {counted(len(found.elements), 'element')}")
    say_elements(found.elements, console)
    console.line()
    say_files(found, console)
    say_diagnostics(conversion.diagnostics, console)
    return 0


def _names(conversion: Conversion) -> dict[str, str]:
    """Return the fields that name a workspace in its documents."""
    return {"workspace": conversion.snapshot.name, "snapshot": conversion.inventory.snapshot_id}


# --- plan --------------------------------------------------------------------------------------


def plan(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan, and save the decisions if requested.

    Raises:
        DecisionsRefused: the file has an entry that can't be applied; the statuses were printed.
        UsageError: a model would be asked, and no file was named for its answers.
    """
    if arguments.assist and not (arguments.save or arguments.dry_run):
        raise UsageError("--assist needs a file for the answers", hint="Add --save FILE.")
    session = open_session(arguments, console, only_look=True, one_source=True)
    assistance = ask_model(arguments, session, console)
    conversion = session.conversion
    drafted, cost = conversion.plan, conversion.cost
    cards = review_cards(conversion, _merge_conflicts(session))
    if arguments.keys and not console.json:
        entries = [(entry.key, entry.disposition.value, entry.summary) for entry in drafted.entries]
        console.table(entries, indent="", whole=(0,))
        console.table(key_rows(cards), indent="", whole=(0,))
        return 0
    planned = part_of(
        PlanDocument,
        decided(session.states, session.effects),
        drafted,
        cost,
        conversion.committed,
        **_names(conversion),
        review=card_documents(cards) if arguments.json else (),
        assist=assistance.summary if assistance else None,
        model_calls=cost.calls,
        next_runs=_next_runs(conversion),
        files=file_counts(conversion),
        named_files={row.path: REASONS[row.reason] for row in conversion.account.rows()},
    )
    console.document(planned)
    console.heading(f"{conversion.committed.package_name}: {len(drafted.entries)} entries")
    say_entries(drafted.entries, console)
    _say_conflicts(drafted.conflicts, console)
    _say_decisions(session.states, console)
    _say_next_runs(conversion, console)
    _say_review(open_items(cards), console)
    console.line()
    if (procedure := conversion.inventory.procedure) is not None:
        for line in ("Steps", *(f"  {each}" for each in tree_lines(procedure)), ""):
            console.line(line)
    console.line(file_words(conversion))
    console.line(cost_words(conversion))
    say_diagnostics(conversion.diagnostics, console)
    if session.document is not None and any(state.refused for state in session.states):
        conversion.load(session.document)
    save_decisions(arguments, session, console)
    return 0


def _merge_conflicts(session: Session) -> tuple[PlannedFile, ...]:
    """Return the files of an earlier package whose new text doesn't fit the user's edits."""
    if not (session.out / EARLIER_OUTPUT_MARK).exists():
        return ()
    with suppress(MelleafyError):  # a write says why it can't use the folder
        return plan_write(session.files, session.out).conflicts
    return ()


def _say_conflicts(conflicts: Iterable[Conflict], console: Console) -> None:
    for conflict in conflicts:
        console.line(f"  conflict: {conflict.key}: {conflict.resolution} ({conflict.resolved_by})")
        for treatment in conflict.treatments:
            does = treatment.disposition.value if treatment.disposition else "not converted"
            where = f" to {treatment.target}" if treatment.target else ""
            console.line(f"    {treatment.runtime}: {treatment.category.value} {does}{where}")
        for resolution, objection in conflict.refusals:
            console.line(f"    no {resolution}: {objection}")


def _say_decisions(states: Sequence[OverrideState], console: Console) -> None:
    if not states:
        return
    console.line()
    console.heading(f"Decisions: {states_in_words(states)}")
    console.table([(state.state.value, state.name, state.choice, state.message) for state in states])
    for state in states:
        for line in text_lines(state):
            console.line(f"  {line}")


def _next_runs(conversion: Conversion) -> dict[str, tuple[str, ...]]:
    """Return the next three runs of the wake-up and of each task, from the start of the conversion's date."""
    schedule, start = conversion.classification.schedule, conversion.as_of
    timed = {"wake-up": schedule} | {task.title: task.schedule for task in schedule.tasks}
    return {
        name: tuple(f"{run} {each.timezone or schedule.home_zone}".strip() for run in runs)
        for name, each in timed.items()
        if (runs := next_runs(each, start))
    }


def _say_next_runs(conversion: Conversion, console: Console) -> None:
    if runs := _next_runs(conversion):
        console.line()
        console.heading("Next three runs")
        console.table([(name, ", ".join(times)) for name, times in runs.items()])


def _say_review(items: Sequence[ReviewItem], console: Console) -> None:
    if not items:
        return
    console.line()
    console.heading(f"To review: {counted(len(items), 'card')}")
    for item in items:
        console.line(f"  {item.title}: {counted(len(item.rows), 'row')}")
        for row in item.rows:
            for line in (*row_lines(row), *(f"    {answer_words(each)}" for each in row.answers)):
                console.line(f"    {line}")


# --- preview -----------------------------------------------------------------------------------


def preview(arguments: argparse.Namespace, console: Console) -> int:
    """Print what a conversion would write."""
    session = open_session(arguments, console, one_source=True)
    if is_unfinished(session.out):
        console.warning(f"a write to {session.out} was interrupted; the next conversion finishes it first")
    written = plan_write(session.files, session.out, force=arguments.force)
    findings = session.conversion.lints.findings
    shown = partial(documented, plan=written, diff=arguments.diff, text=not arguments.diff)
    files = tuple(map(shown, written.files))
    console.document(
        part_of(PreviewDocument, written.emission, out=str(session.out), files=files, lint_findings=findings)
    )
    if arguments.diff:
        for file in written.changes:
            console.lines(difference(written, file))
    else:
        console.heading(f"{session.out}: {summary(written)}")
        console.table(rows(written.files))
    for finding in findings:
        console.warning(f"{finding.lint}: {finding.file}:{finding.line}: {finding.message} {finding.hint}")
    say_diagnostics(session.conversion.diagnostics, console)
    say_unused_decisions(arguments, session, console)
    return 0


# --- check -------------------------------------------------------------------------------------


EXIT_STALE = 15
EXACT_HINT = (
    "Read each file that is listed; a conversion with --force writes it again and keeps a backup. "
    "What Python cached in __pycache__ can be removed."
)


def check(arguments: argparse.Namespace, console: Console) -> int:
    """Print the stale files, or say that the package is up to date.

    Raises:
        OutputStale: a write would change a file, or, with `--exact`, a file differs from what is emitted.
    """
    session = open_session(arguments, console, one_source=True)
    written = plan_write(session.files, session.out)
    unfinished = is_unfinished(session.out)
    differing = written.differing
    inexact = bool(arguments.exact and differing)
    stale = bool(written.changes) or unfinished or inexact
    console.document(
        CheckDocument(
            out=str(session.out),
            fresh=not stale,
            files=tuple(documented(file, written) for file in written.changes),
            differing=tuple(
                DifferingFile(path=path, difference=difference) for path, difference in differing
            ),
            exit_code=EXIT_STALE if stale else 0,
        )
    )
    absent = not unfinished and written.target.state in (TargetState.ABSENT, TargetState.EMPTY)
    if absent:
        command = f"melleafy-tui {shlex.quote(arguments.workspace)}"
        raise OutputStale(f"{session.out} holds no package yet", hint=f"Convert the workspace: `{command}`.")
    console.table(rows(written.changes))
    if arguments.exact or not stale:
        console.table([(difference, path) for path, difference in differing])
    if not stale:
        edited = (
            f"; {counted(len(differing), 'file differs', 'files differ')} from what was emitted"
            if differing
            else ""
        )
        console.line(f"{session.out} is up to date{edited}.")
        return 0
    say_unused_decisions(arguments, session, console)
    raise OutputStale(
        f"{session.out} {_reason(written, len(differing), unfinished=unfinished)}",
        hint="Run the conversion again." if written.changes or unfinished else EXACT_HINT,
    )


def _reason(written: WritePlan, differing: int, *, unfinished: bool) -> str:
    if unfinished:
        return "holds an interrupted write"
    if written.changes:
        return f"is stale: {len(written.changes)} files differ from what workspace and decisions give"
    return f"is not exact: {counted(differing, 'file differs', 'files differ')} from what is emitted"
