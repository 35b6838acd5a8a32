"""`detect`: prints step 0, the runtimes with scores and signals, and the trigger with its evidence."""

import argparse
from pathlib import Path

from melleafy_tui.actions.display_names import axes_of
from melleafy_tui.actions.folder_sources import (
    FolderSources,
    source_words,
    sources_by_name,
    sources_instead_of,
)
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.workspace_conversion import named_decisions, open_session, say_diagnostics
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.pipeline.conversion import Conversion


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the detected runtime and trigger with their evidence."""
    _, decisions_path = named_decisions(arguments)
    conversion = open_session(arguments, console, decisions_path=decisions_path).conversion
    found = conversion.classification
    folder = Path(arguments.workspace)
    sources = sources_by_name(folder) or sources_instead_of(conversion, folder)
    if console.json:
        console.document(_document(conversion, sources))
    if sources is not None:
        _say_sources(conversion.snapshot.name, sources, console)
    else:
        _say_classification(conversion.snapshot.name, found, console)
    say_diagnostics(conversion.diagnostics, console, limit=1_000)
    return 0


def _document(conversion: Conversion, sources: FolderSources | None) -> object:
    from melleafy_tui.cli.json_documents import DetectDocument, SourceInFolder  # models take 30 ms to import
    from melleafy_tui.core.models.inventory import snapshot_id

    return DetectDocument(
        workspace=conversion.snapshot.name,
        snapshot=snapshot_id({file.path: file.sha256 for file in conversion.snapshot.files}),
        classification=conversion.classification,
        diagnostics=conversion.diagnostics,
        sources=tuple(
            SourceInFolder(
                path=source.path, runtime=source.runtime, files=source.files, command=sources.command(source)
            )
            for source in sources.found
        )
        if sources is not None
        else (),
    )


def _say_sources(name: str, sources: FolderSources, console: Console) -> None:
    console.heading(f"{name}: no source itself, but a folder of sources")
    rows = [(source_words(source), sources.command(source)) for source in sources.found]
    console.table([*rows, ("all of them", sources.command_for_all)])


def _say_classification(name: str, found: Classification, console: Console) -> None:
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
