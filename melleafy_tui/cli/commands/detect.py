"""`detect`: prints step 0, the runtimes with scores and signals, and the trigger with its evidence."""

import argparse
from pathlib import Path

from melleafy_tui.actions.folder_sources import (
    FolderSources,
    source_words,
    sources_by_name,
    sources_instead_of,
)
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import DetectDocument, SourceInFolder, part_of
from melleafy_tui.cli.printed_results import say_classification
from melleafy_tui.cli.workspace_conversion import open_session, say_diagnostics
from melleafy_tui.core.models.inventory import snapshot_id
from melleafy_tui.core.pipeline.conversion import Conversion


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the detected runtime and trigger with their evidence."""
    conversion = open_session(arguments, console).conversion
    found = conversion.classification
    folder = Path(arguments.workspace)
    sources = sources_by_name(folder) or sources_instead_of(conversion, folder)
    console.document(_document(conversion, sources))
    if sources is not None:
        _say_sources(conversion.snapshot.name, sources, console)
    else:
        say_classification(conversion.snapshot.name, found, console)
    say_diagnostics(conversion.diagnostics, console, limit=1_000)
    return 0


def _document(conversion: Conversion, sources: FolderSources | None) -> DetectDocument:
    return part_of(
        DetectDocument,
        conversion,
        workspace=conversion.snapshot.name,
        snapshot=snapshot_id({file.path: file.sha256 for file in conversion.snapshot.files}),
        sources=tuple(part_of(SourceInFolder, each, command=sources.command(each)) for each in sources.found)
        if sources is not None
        else (),
    )


def _say_sources(name: str, sources: FolderSources, console: Console) -> None:
    console.heading(f"{name}: no source itself, but a folder of sources")
    rows = [(source_words(source), sources.command(source)) for source in sources.found]
    console.table([*rows, ("all of them", sources.command_for_all)])
