"""The hybrids on disk and readable inventories with their conflicts; `python -m tests.dialects.hybrid.goldens` writes them.

A golden is written to be read: whoever updates one reads the difference line by line before it is committed.
"""

import sys
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.engine import open_conversion

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
NAMES: Final = tuple(sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir()))
LONGEST: Final = 160


@lru_cache(maxsize=16)
def conversion_of(name: str) -> Conversion:
    return open_conversion(WORKSPACES / name, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")


def render(name: str) -> str:
    """The inventory of a hybrid as text, and below it each conflict with what every dialect would do."""
    return "\n".join(_lines(conversion_of(name))) + "\n"


def _lines(conversion: Conversion) -> Iterator[str]:
    found = conversion.classification
    scores = ", ".join(f"{score.runtime} {score.score:g}" for score in found.scores if score.score)
    yield f"runtime: {found.source_runtime} of {', '.join(found.dialect_runtimes)} ({scores})"
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


def main() -> int:
    """Write every golden, or those of the named workspaces."""
    GOLDENS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NAMES:
        (GOLDENS / f"{name}.txt").write_text(render(name), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
