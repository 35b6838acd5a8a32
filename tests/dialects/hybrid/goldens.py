"""The hybrids on disk and readable inventories with their conflicts; `python -m tests.dialects.hybrid.goldens` writes them.

A golden is written to be read: whoever updates one reads the difference line by line before it is committed.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.pipeline.conversion import Conversion
from tests import converted
from tests.dialects.readings import scores, write_goldens

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
NAMES: Final = tuple(sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir()))
LONGEST: Final = 160


def conversion_of(name: str) -> Conversion:
    return converted.conversion_of(WORKSPACES / name, day=date(2026, 1, 15))


def render(name: str) -> str:
    """The inventory of a hybrid as text, and below it each conflict with what every dialect would do."""
    return "\n".join(_lines(conversion_of(name))) + "\n"


def _lines(conversion: Conversion) -> Iterator[str]:
    found = conversion.classification
    yield f"runtime: {found.source_runtime} of {', '.join(found.dialect_runtimes)} ({scores(found)})"
    yield f"modality: {' + '.join(m.value for m in (found.modality, *found.secondary_modalities))}"
    for file in conversion.inventory.files:
        if file.status == "absent":
            continue
        yield f"\n== {file.path} ({file.status}, {file.dialect_rule_id}, {' and '.join(file.runtimes)})"
        for element in conversion.inventory.elements:
            if element.source_file == file.path:
                statement = " ⏎ ".join(element.statement.splitlines())
                shown = statement if len(statement) <= LONGEST else statement[:LONGEST] + " …"
                row = f" {element.mapping_row}" if element.mapping_row else ""
                yield f"{element.source_lines} {element.tag} {element.category}{row} | {shown}"
    yield "\n== conflicts"
    for conflict in conversion.plan.conflicts:
        yield f"{conflict.key}: {conflict.resolution} ({conflict.reason})"
        yield from (f"  {_said(treatment)}" for treatment in conflict.treatments)
        yield from (f"  no {resolution}: {why}" for resolution, why in conflict.refusals)
    yield "\n== diagnostics"
    yield from (
        f"{d.severity.value} {d.code} {d.location}".rstrip()
        for d in conversion.diagnostics
        if d.code != "skill-no-contract"
    )


def _said(treatment: Treatment) -> str:
    if treatment.disposition is None:
        return f"{treatment.runtime}: not converted"
    return f"{treatment.runtime}: {treatment.category} {treatment.disposition} to {treatment.target}"


if __name__ == "__main__":
    write_goldens(GOLDENS, NAMES, render)
