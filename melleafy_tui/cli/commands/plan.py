"""`plan`: prints the disposition of every entry, the conflicts, and the status of a file's decisions."""

import argparse
from collections.abc import Iterable, Sequence

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.decision_states import outcomes, state_counts, states_in_words, text_lines
from melleafy_tui.cli.documents import PlanDocument
from melleafy_tui.cli.review import answer_words, card_lines, review_cards
from melleafy_tui.cli.tables import category_code
from melleafy_tui.cli.workspace import (
    ask_model,
    named_decisions,
    open_session,
    save_decisions,
    say_diagnostics,
    show_settings,
)
from melleafy_tui.core.decisions.rebase import OverrideState
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.plan import Conflict, PlanEntry
from melleafy_tui.core.pipeline.review import ReviewItem, review_items


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan, and save the decisions if requested.

    Raises:
        DecisionsRefused: the file has an entry that can't be applied; the statuses were printed.
        UsageError: a model would be asked, and no file was named for its answers.
    """
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    if arguments.assist and not (arguments.save or arguments.dry_run):
        raise UsageError("--assist needs a file for the answers", hint="Add --save FILE.")
    session = open_session(arguments, console, decisions_path=decisions_path, only_look=True, one_source=True)
    assistance = ask_model(arguments, session, console)
    conversion = session.conversion
    plan, cost = conversion.plan, conversion.cost
    to_review = review_items(conversion)
    console.document(
        PlanDocument(
            workspace=conversion.snapshot.name,
            snapshot=conversion.inventory.snapshot_id,
            package_name=conversion.committed.package_name,
            entries=plan.entries,
            conflicts=plan.conflicts,
            decisions=outcomes(session.states),
            decision_counts=state_counts(session.states),
            review=review_cards(conversion, to_review) if arguments.json else (),
            assist=assistance.summary if assistance else None,
            model_calls=cost.calls,
            prompt_tokens=cost.prompt_tokens,
        )
    )
    console.heading(f"{conversion.committed.package_name}: {len(plan.entries)} entries")
    _say_entries(plan.entries, console)
    _say_conflicts(plan.conflicts, console)
    _say_decisions(session.states, console)
    _say_review(to_review, console)
    console.line()
    console.line(
        f"One run costs {counted(cost.calls, 'model call')} and about {cost.prompt_tokens} prompt tokens."
    )
    say_diagnostics(conversion.diagnostics, console)
    if session.document is not None and any(state.refused for state in session.states):
        conversion.load(session.document)
    save_decisions(arguments, session, console)
    return 0


def _say_entries(entries: Sequence[PlanEntry], console: Console) -> None:
    console.table(
        [
            (
                entry.entry_id,
                entry.category,
                entry.disposition.value + ("*" if entry.overridden else ""),
                entry.target,
                entry.setup_section,
                entry.summary,
            )
            for entry in entries
        ],
        whole=(0, 2),
        short={1: category_code},
    )
    if any(entry.overridden for entry in entries):
        console.line("  * your decision")


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


def _say_review(items: Sequence[ReviewItem], console: Console) -> None:
    if not items:
        return
    console.line()
    console.heading(f"To review: {counted(len(items), 'card')}")
    for item in items:
        console.line(f"  {item.title}: {item.file}")
        for line in (*card_lines(item), *map(answer_words, item.answers)):
            console.line(f"    {line}")
