"""Builds and prints the recap of a conversion: what is left to write, what to read, how to go on."""

import shlex
from pathlib import Path

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.documents import Recap
from melleafy_tui.core.package.setup_sections import (
    delegates_by_category,
    setup_guide_needed,
    stubs_by_category,
    triggered_sections,
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
        late_masks=conversion.late_masks,
        unexpanded_skills=unexpanded_skills(conversion.inventory.elements),
    )


def recap_lines(recap: Recap, package: Path) -> list[str]:
    """Return the recap as lines: what is left to write, what to read, what a run costs."""
    lines = [
        f"Stubs to write: {_by_category(recap.stubs)}",
        f"Left to the host: {_by_category(recap.delegates)}",
    ]
    if recap.unexpanded_skills:
        lines.append(f"{unexpanded_words(recap.unexpanded_skills)}.")
    if recap.setup_sections:
        lines.append(f"Read in {package / 'SETUP.md'}:")
        lines.extend(f"  {heading}" for heading in recap.setup_sections)
    if recap.late_masks:
        from melleafy_tui.core.pipeline.withheld_values import withheld_note  # few packages have any

        lines.append(withheld_note(recap.late_masks))
    lines.append(
        f"One run costs {counted(recap.model_calls, 'model call')} and about {recap.prompt_tokens} prompt tokens."
    )
    return lines


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
    for skill in recap.unexpanded_skills[:1]:
        root = Path(workspace).parent if Path(workspace).is_file() else Path(workspace)
        folder = shlex.quote(str(root / skill))
        console.line(f"  melleafy-tui {folder}    # convert this skill on its own")


def _by_category(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    if not total:
        return "none"
    return f"{total} ({', '.join(f'{name} {count}' for name, count in counts.items())})"
