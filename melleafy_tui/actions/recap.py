"""What to know after a conversion, in lines for both doors: what is left to write, what to read, what a run costs."""

from pathlib import Path

from melleafy_tui.actions.display_names import category_title
from melleafy_tui.actions.plurals import counted
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


def recap_lines(conversion: Conversion, package: Path) -> list[str]:
    """Return the recap as lines.

    Args:
        conversion: The conversion with its current decisions.
        package: The folder of the package.
    """
    entries, elements = conversion.plan.entries, conversion.inventory.elements
    lines = [
        file_words(conversion),
        f"Stubs to write: {_by_category(stubs_by_category(entries, conversion.inventory))}",
        f"Left to the host: {_by_category(delegates_by_category(entries))}",
    ]
    words = unexpanded_words(unexpanded_skills(elements), unexpanded_files(elements))
    lines.extend(f"{each}." for each in words)
    if headings := setup_headings(conversion):
        lines.append(f"Read in {package / 'SETUP.md'}:")
        lines.extend(f"  {heading}" for heading in headings)
    lines.append(cost_words(conversion))
    return lines


def setup_headings(conversion: Conversion) -> tuple[str, ...]:
    """Return the sections of SETUP.md that are there because of this source."""
    committed = conversion.committed
    sections = triggered_sections(committed) if setup_guide_needed(committed) else ()
    return tuple(section.heading for section in sections if not section.essential)


def file_words(conversion: Conversion) -> str:
    """Return what became of the files below the source, as a sentence."""
    found = conversion.account
    shown = (
        f"{len(found.read):,} read, {len(found.carried):,} carried, {len(found.named):,} named in the report"
    )
    return f"The source has {counted(found.total, 'file')}: {shown}."


def cost_words(conversion: Conversion) -> str:
    """Return what the first turn costs, as a sentence; tokens are characters by a ratio (`core/language`)."""
    cost = conversion.cost
    characters = f"{cost.prompt_characters:,} characters"
    return f"One run costs {counted(cost.calls, 'model call')} and ≈ {cost.prompt_tokens} prompt tokens ({characters})."


def _by_category(counts: dict[str, int]) -> str:
    listed = ", ".join(
        f"{category_title(name).partition(' ')[2].lower()} {count}" for name, count in counts.items()
    )
    return f"{sum(counts.values())} ({listed})" if counts else "none"
