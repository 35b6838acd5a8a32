"""Writes an exported or assembled folder, or with `--dry-run` only checks that it could be written."""

from collections.abc import Sequence
from pathlib import Path

from melleafy_tui.core.models.surfaces import ExactFile
from melleafy_tui.core.output.folder import FolderResult, refuse_target, write_folder


def write_or_check(
    files: Sequence[ExactFile], source: Path, target: Path, *, force: bool, dry_run: bool
) -> FolderResult:
    """Write files into a folder and return the result, which is empty for a dry run.

    Raises:
        OutputRefused: the folder can't be used.
    """
    if not dry_run:
        return write_folder(files, source, target, force=force)
    refuse_target(source, target, force=force)
    return FolderResult()


def outcome(result: FolderResult, *, dry_run: bool) -> str:
    """Return what became of the folder, in two words."""
    return "Would write" if dry_run else "Wrote" if result.written else "Up to date"
