"""The recap of a conversion as a document, and with the next commands to run."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from melleafy_tui.actions.recap import recap_lines, setup_headings
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import FileCounts, Recap, part_of
from melleafy_tui.core.package.setup_sections import (
    delegates_by_category,
    stubs_by_category,
    unexpanded_files,
    unexpanded_skills,
)
from melleafy_tui.core.pipeline.conversion import Conversion


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
