"""Tables and lines that several commands print: the classification, elements, files, entries, fixtures."""

from collections.abc import Iterable, Sequence

from melleafy_tui.actions.display_names import axes_of
from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.tables import category_code
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.inventory import Element, FileCoverage, Inventory
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.reports import FixtureRun


def say_classification(name: str, found: Classification, console: Console) -> None:
    """Print the runtimes with their signals, the trigger with its evidence, and the other axes."""
    runtime = found.source_runtime
    if found.hybrid_primary:
        runtime += f" ({' + '.join(found.dialect_runtimes)})"
    console.heading(f"{name}: {runtime}, {found.modality}")
    console.line(found.runtime_reason)
    if found.generation:
        console.line(f"Generation: {found.generation}")
    console.line()
    console.heading("Runtimes")
    _say_runtimes(found, console)
    console.line()
    console.heading("Trigger")
    _say_modality(found, console)
    console.line()
    console.heading("Other axes")
    console.table([(axis.name, axis.value, f"{axis.confidence:.0%}") for axis in axes_of(found)])


def _say_runtimes(found: Classification, console: Console) -> None:
    for score in sorted(found.scores, key=lambda score: -score.score):
        if not score.evidence:
            continue
        note = "" if score.candidate else "  (no candidate)"
        console.line(f"  {score.runtime:<20}{score.score:>5.1f}{note}")
        console.table(
            [
                (
                    evidence.strength.value,
                    evidence.signal,
                    f"{evidence.file}:{evidence.line}" if evidence.line else evidence.file,
                    ("ambient" if evidence.ambient else "") + ("" if evidence.counted else " not counted"),
                )
                for evidence in score.evidence
            ],
            indent="      ",
        )


def _say_modality(found: Classification, console: Console) -> None:
    console.table(
        [(sign.modality, sign.rule, f"{sign.file}:{sign.line}") for sign in found.modality_evidence]
    )
    if found.modality_override is not None:
        console.line(f"  chosen by you: {found.modality_override}")
    elif not found.modality_evidence:
        console.line("  no signal: synchronous_oneshot")
    schedule = found.schedule
    if schedule.type:
        hours = f", active {schedule.active_hours}" if schedule.active_hours else ""
        console.line(f"  schedule: {schedule.cadence} ({schedule.type}){hours}")


def say_elements(elements: Iterable[Element], console: Console) -> None:
    """Print elements in a table."""
    console.table(
        [
            (
                element.element_id,
                element.location,
                element.tag.value,
                element.category.value,
                element.content_summary,
            )
            for element in elements
        ],
        whole=(0, 2),
        short={3: category_code},
    )


def say_files(inventory: Inventory, console: Console) -> None:
    """Print the files of a workspace with what was read of each."""
    console.heading("Files")
    coverage = {item.path: item for item in inventory.coverage}
    console.table(
        [(file.path, file.status, _lines_of(coverage.get(file.path)), file.note) for file in inventory.files]
    )


def _lines_of(covered: FileCoverage | None) -> str:
    return f"{covered.covered}/{covered.lines} lines" if covered else ""


def say_entries(entries: Sequence[PlanEntry], console: Console) -> None:
    """Print entries in a table."""
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


def say_run(console: Console, found: FixtureRun) -> None:
    """Print the result of one fixture."""
    calls = f", {counted(found.calls, 'model call')}" if found.calls is not None else ""
    skipped = ", nothing to do" if found.skipped else ""
    console.line(f"{found.status.value:<12}{found.fixture_id}{calls}{skipped}")
    notes = (f"note: {note}" for note in found.notes)
    for text in (*found.broken_rules, *notes, *found.faults):
        console.line(f"    {text}")
