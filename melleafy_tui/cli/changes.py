"""Formats what a write would change: one row per file, and its diff; writes an exported folder, or only checks it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.write_actions import ACTIONS
from melleafy_tui.cli.json_documents import FileChange
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.output.write_plan import Action, PlannedFile, WritePlan

if TYPE_CHECKING:
    from melleafy_tui.cli.console import Console
    from melleafy_tui.core.models.surfaces import ExactFile
    from melleafy_tui.core.output.folder import FolderResult


def rows(files: Iterable[PlannedFile]) -> list[tuple[str, str, str]]:
    """Return mark, path and description of each file."""
    shown = ((ACTIONS[file.action], file) for file in files)
    return [(act.mark, file.path, act.words + (f": {file.note}" if file.note else "")) for act, file in shown]


def touched(plan: WritePlan) -> Iterator[PlannedFile]:
    """Yield the files that were on disk before and are changed or kept; new and equal ones need no line each."""
    for file in plan.files:
        if file.note or (file.on_disk is not None and file.action is not Action.UNTOUCHED):
            yield file


def summary(plan: WritePlan) -> str:
    """Return the counts of a plan in one line."""
    counts = Counter(ACTIONS[file.action].words for file in plan.files)
    return ", ".join(f"{count} {words}" for words, count in counts.items()) or "no files"


def documented(file: PlannedFile, plan: WritePlan, *, diff: bool = False, text: bool = False) -> FileChange:
    """Return a file of the plan for a JSON document."""
    emitted = plan.emission.by_path.get(file.path)
    return FileChange(
        path=file.path,
        action=file.action.value,
        state=file.state.value,
        content=file.content.value,
        sha256=emitted.sha256 if emitted else None,
        note=file.note,
        diff=difference(plan, file) if diff else None,
        text=emitted.text if text and emitted else None,
    )


def difference(plan: WritePlan, file: PlannedFile) -> str:
    """Return the unified diff of a file against the disk, `""` if the write doesn't change it."""
    if not file.changes:
        return ""
    import difflib  # only --diff needs it

    try:
        before = _on_disk(plan.out / file.path)
    except OSError as error:
        return f"{file.path} on the disk can't be shown: {error.strerror or type(error).__name__}"
    after = file.data.decode("utf-8", "replace") if file.data is not None else ""
    made = difflib.unified_diff(
        before.split("\n"),
        after.split("\n"),
        f"a/{file.path}" if file.on_disk else "/dev/null",
        f"b/{file.path}" if file.data is not None else "/dev/null",
        lineterm="",
    )
    return "\n".join(made)


def _on_disk(place: Path) -> str:
    if place.is_symlink() or not place.exists():
        return ""
    return read_without_links(place).decode("utf-8", "replace")


def write_or_check(
    files: "Sequence[ExactFile]", source: Path, target: Path, *, force: bool, dry_run: bool
) -> "FolderResult":
    """Write files into a folder and return the result, which is empty for a dry run.

    Raises:
        OutputRefused: the folder can't be used.
    """
    from melleafy_tui.core.output.folder import FolderResult, refuse_target, write_folder  # not for a package

    if not dry_run:
        return write_folder(files, source, target, force=force)
    refuse_target(source, target, force=force)
    return FolderResult()


def say_folder(
    result: "FolderResult", target: Path, count: int, console: "Console", *, dry_run: bool
) -> None:
    """Print what became of a folder, and the backups in it."""
    done = "Would write" if dry_run else "Wrote" if result.written else "Up to date"
    if result.recovered:
        console.message(result.recovered)
    console.heading(f"{done}: {target}, {counted(count, 'file')}")
    for backup in result.backups:
        console.line(f"  backup: {backup}")
