"""Builds and prints the recap of a conversion: what is left to write, what to read, how to go on."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.json_documents import FileCounts, PlanDocument, Recap
from melleafy_tui.core.package.setup_sections import (
    delegates_by_category,
    setup_guide_needed,
    stubs_by_category,
    triggered_sections,
    unexpanded_files,
    unexpanded_skills,
    unexpanded_words,
)
from melleafy_tui.core.pipeline.conversion import Conversion


def recap_of(conversion: Conversion) -> Recap:
    """Return the recap of a conversion for its current decisions."""
    entries, cost = conversion.plan.entries, conversion.cost
    committed = conversion.committed
    sections = triggered_sections(committed) if setup_guide_needed(committed) else ()
    return Recap(
        stubs=stubs_by_category(entries, conversion.inventory),
        delegates=delegates_by_category(entries),
        setup_sections=tuple(section.heading for section in sections if not section.essential),
        model_calls=cost.calls,
        prompt_tokens=cost.prompt_tokens,
        prompt_characters=cost.prompt_characters,
        unexpanded_skills=unexpanded_skills(conversion.inventory.elements),
        unexpanded_files=unexpanded_files(conversion.inventory.elements),
        files=file_counts(conversion),
    )


def file_counts(conversion: Conversion) -> FileCounts:
    """Return what became of the files below the source."""
    account = conversion.account
    return FileCounts(
        total=account.total,
        read=len(account.read),
        carried=len(account.carried),
        named=len(account.named),
    )


def file_words(counts: FileCounts) -> str:
    """Return what became of the files below the source, as a sentence."""
    shown = f"{counts.read:,} read, {counts.carried:,} carried, {counts.named:,} named in the report"
    return f"The source has {counted(counts.total, 'file')}: {shown}."


def recap_lines(recap: Recap, package: Path) -> list[str]:
    """Return the recap as lines: what is left to write, what to read, what a run costs."""
    lines = [
        *([file_words(recap.files)] if recap.files else []),
        f"Stubs to write: {_by_category(recap.stubs)}",
        f"Left to the host: {_by_category(recap.delegates)}",
    ]
    lines.extend(f"{words}." for words in unexpanded_words(recap.unexpanded_skills, recap.unexpanded_files))
    if recap.setup_sections:
        lines.append(f"Read in {package / 'SETUP.md'}:")
        lines.extend(f"  {heading}" for heading in recap.setup_sections)
    lines.append(cost_words(recap))
    return lines


def cost_words(stated: Recap | PlanDocument) -> str:
    """Return what the first turn costs, as a sentence; tokens are characters by a ratio (`core/language`)."""
    calls, characters = counted(stated.model_calls, "model call"), f"{stated.prompt_characters:,} characters"
    return f"One run costs {calls} and ≈ {stated.prompt_tokens} prompt tokens ({characters})."


def say_recap(
    recap: Recap, console: Console, *, workspace: str, out: Path, package: Path, in_place: bool
) -> None:
    """Print the recap with the next commands to run."""
    for line in recap_lines(recap, package):
        console.line(line)
    quoted = shlex.quote(str(out))
    console.line("Next:")
    console.line(f"  melleafy-tui smoke {quoted}")
    where = "--in-place" if in_place else f"--out {quoted}"
    console.line(f"  melleafy-tui {shlex.quote(workspace)} {where}    # review it in the wizard")
    root = Path(workspace).parent if Path(workspace).is_file() else Path(workspace)
    for command, why in _commands_for_unexpanded(recap, root):
        console.line(f"  {command}    # {why}")


def _commands_for_unexpanded(recap: Recap, root: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands that convert what is noted and not expanded, each with what it does."""
    for skill in recap.unexpanded_skills[:1]:
        yield f"melleafy-tui {shlex.quote(str(root / skill))}", "convert this skill on its own"
    folders = {str(Path(skill).parent) for skill in recap.unexpanded_skills}
    linked = any((root / skill).is_symlink() for skill in recap.unexpanded_skills)
    if len(recap.unexpanded_skills) > 1 and len(folders) == 1 and not linked:  # `--all` enters no links
        (folder,) = folders
        yield f"melleafy-tui convert --all {shlex.quote(str(root / folder))}", "convert all of these skills"
    for file in recap.unexpanded_files[:1]:
        yield f"melleafy-tui {shlex.quote(str(root / file))}", "convert this file on its own"


def _by_category(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    if not total:
        return "none"
    return f"{total} ({', '.join(f'{name} {count}' for name, count in counts.items())})"
