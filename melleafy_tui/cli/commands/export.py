"""`export`: rebuilds a workspace of the source runtime from a converted package and its decisions."""

import argparse
from pathlib import Path

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.documents import Document
from melleafy_tui.cli.folders import outcome, write_or_check
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.reports import ExportedFile, ExportState
from melleafy_tui.core.openclaw.export.package import read_converted
from melleafy_tui.core.openclaw.export.workspace import Export, export_openclaw
from melleafy_tui.core.output.folder import FolderResult


class ExportDocument(Document):
    """The document of `export --json`; `files` lists every source file and what was added.

    `notes` has remarks on other source runtimes and on edits of the package that aren't exported.
    """

    package: str
    host: str
    target: str
    files: tuple[ExportedFile, ...]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    backups: tuple[str, ...]
    notes: tuple[str, ...] = ()
    recovered: str
    dry_run: bool


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the workspace, and print the result for each file."""
    if not arguments.host:
        raise UsageError("No host was named", hint="Give --host=openclaw.")
    target = Path(arguments.target)
    workspace = Path(arguments.workspace_files) if arguments.workspace_files else None
    package = read_converted(Path(arguments.package), workspace)
    export = export_openclaw(package, skill=not arguments.no_skill)
    dry_run: bool = arguments.dry_run
    result = write_or_check(export.files, package.folder, target, force=arguments.force, dry_run=dry_run)
    console.document(
        ExportDocument(
            package=package.manifest.package_name,
            host=arguments.host,
            target=str(target),
            files=tuple(export.listed),
            written=result.written,
            unchanged=result.unchanged,
            backups=result.backups,
            notes=export.notes,
            recovered=result.recovered,
            dry_run=dry_run,
        )
    )
    if result.recovered:
        console.message(result.recovered)
    for note in export.notes:
        console.warning(note)
    if not console.quiet:
        _say_files(export, result, target, console, dry_run=dry_run)
    return 0


def _say_files(
    export: Export, result: FolderResult, target: Path, console: Console, *, dry_run: bool
) -> None:
    counts = {state: len(export.in_state(state)) for state in ExportState}
    console.heading(f"{outcome(result, dry_run=dry_run)}: {target}, {counted(len(export.files), 'file')}")
    console.line("  " + ", ".join(f"{count} {state}" for state, count in counts.items() if count))
    for file in export.listed:
        for reason in file.reasons:
            console.line(f"  {file.state}: {file.path}: {reason}")
    for backup in result.backups:
        console.line(f"  backup: {backup}")
