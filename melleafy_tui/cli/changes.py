"""Formats what a write would change and the recap of a conversion; writes an exported folder, or only checks it."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recap import recap_lines, setup_headings
from melleafy_tui.actions.write_actions import ACTIONS
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import FileChange, FileCounts, Recap, part_of
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.output.write_plan import Action, PlannedFile, WritePlan
from melleafy_tui.core.package.setup_sections import (
    delegates_by_category,
    stubs_by_category,
    unexpanded_files,
    unexpanded_skills,
)
from melleafy_tui.core.pipeline.conversion import Conversion

if TYPE_CHECKING:
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


def say_folder(result: "FolderResult", target: Path, count: int, console: Console, *, dry_run: bool) -> None:
    """Print what became of a folder, and the backups in it."""
    done = "Would write" if dry_run else "Wrote" if result.written else "Up to date"
    if result.recovered:
        console.message(result.recovered)
    console.heading(f"{done}: {target}, {counted(count, 'file')}")
    for backup in result.backups:
        console.line(f"  backup: {backup}")


# --- the recap ----------------------------------------------------------------------------------------


def recap_of(conversion: Conversion) -> Recap:
    """Return the recap of a conversion for its current decisions."""
    entries, cost, elements = conversion.plan.entries, conversion.cost, conversion.inventory.elements
    return part_of(
        Recap,
        cost,
        stubs=stubs_by_category(entries, conversion.inventory),
        delegates=delegates_by_category(entries),
        setup_sections=setup_headings(conversion),
        model_calls=cost.calls,
        unexpanded_skills=unexpanded_skills(elements),
        unexpanded_files=unexpanded_files(elements),
        files=file_counts(conversion),
    )


def file_counts(conversion: Conversion) -> FileCounts:
    """Return what became of the files below the source."""
    found = conversion.account
    counts = {name: len(getattr(found, name)) for name in ("read", "carried", "named")}
    return FileCounts(total=found.total, **counts)


def say_recap(
    conversion: Conversion, console: Console, *, workspace: str, out: Path, package: Path, in_place: bool
) -> None:
    """Print the recap with the next commands to run."""
    for line in recap_lines(conversion, package):
        console.line(line)
    quoted = shlex.quote(str(out))
    console.line("Next:")
    console.line(f"  melleafy-tui smoke {quoted}")
    where = "--in-place" if in_place else f"--out {quoted}"
    console.line(f"  melleafy-tui {shlex.quote(workspace)} {where}    # review it in the wizard")
    root = Path(workspace).parent if Path(workspace).is_file() else Path(workspace)
    for command, why in _commands_for_unexpanded(conversion, root):
        console.line(f"  {command}    # {why}")


def _commands_for_unexpanded(conversion: Conversion, root: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands that convert what is noted and not expanded, each with what it does."""
    elements = conversion.inventory.elements
    skills, files = unexpanded_skills(elements), unexpanded_files(elements)
    for skill in skills[:1]:
        yield f"melleafy-tui {shlex.quote(str(root / skill))}", "convert this skill on its own"
    folders = {str(Path(skill).parent) for skill in skills}
    linked = any((root / skill).is_symlink() for skill in skills)
    if len(skills) > 1 and len(folders) == 1 and not linked:  # `--all` enters no links
        (folder,) = folders
        yield f"melleafy-tui convert --all {shlex.quote(str(root / folder))}", "convert all of these skills"
    for file in files[:1]:
        yield f"melleafy-tui {shlex.quote(str(root / file))}", "convert this file on its own"
