"""`export`: rebuilds a workspace from a converted package, or adds what another host needs to run the package."""

import argparse
from pathlib import Path

from melleafy_tui.actions.host_exports import export_to_host
from melleafy_tui.cli.argument_table import HOSTS
from melleafy_tui.cli.changes import say_folder, write_or_check
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import OfFolder, part_of
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.reports import ExportedFile, ExportState
from melleafy_tui.core.openclaw.export.exported_package import read_converted
from melleafy_tui.core.openclaw.export.restored_workspace import Export, export_openclaw


class ExportDocument(OfFolder, frozen=True, kw_only=True):
    """The document of `export --json`; `files` lists every source file and what was added.

    `notes` has remarks on other source runtimes, on edits of the package that aren't exported, and on parameters that
    a host can't give.
    """

    package: str
    host: str
    files: tuple[ExportedFile, ...]
    notes: tuple[str, ...] = ()


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the workspace or the project, and print the result for each file.

    Raises:
        UsageError: No host was named, or an option doesn't belong to it.
    """
    if not arguments.host:
        raise UsageError("No host was named", hint=f"Give --host=HOST, one of {', '.join(HOSTS)}.")
    target = Path(arguments.target)
    folder, export = _export(arguments)
    dry_run: bool = arguments.dry_run
    result = write_or_check(export.files, folder, target, force=arguments.force, dry_run=dry_run)
    files = tuple(export.listed)
    console.document(part_of(ExportDocument, result, export, arguments, package=folder.name, files=files))
    for note in export.notes:
        console.warning(note)
    say_folder(result, target, len(export.files), console, dry_run=dry_run)
    _say_files(export, console)
    return 0


def _export(arguments: argparse.Namespace) -> tuple[Path, Export]:
    """Return the package's folder and the files to write."""
    path = Path(arguments.package)
    if arguments.host == HOSTS[0]:
        workspace = Path(arguments.workspace_files) if arguments.workspace_files else None
        package = read_converted(path, workspace)
        return package.folder, export_openclaw(package, skill=not arguments.no_skill)
    for option, given in (("--no-skill", arguments.no_skill), ("--workspace", arguments.workspace_files)):
        if given:
            raise UsageError(
                f"{option} doesn't apply to --host={arguments.host}", hint=f"Only --host={HOSTS[0]} takes it."
            )
    return export_to_host(path, arguments.host)


def _say_files(export: Export, console: Console) -> None:
    counts = {state: len(export.in_state(state)) for state in ExportState}
    console.line("  " + ", ".join(f"{count} {state}" for state, count in counts.items() if count))
    for file in export.listed:
        if file.state is ExportState.ADDED and not file.reasons:
            console.line(f"  {file.state}: {file.path}")
        for reason in file.reasons:
            console.line(f"  {file.state}: {file.path}: {reason}")
